#include "testbench/machine_options.h"

#include <string>
#include <vector>

#include "testbench/config.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

void add_machine_options(po::options_description& options)
{
    options.add_options()("config", po::value<std::string>()->value_name("FILE"),
                          "machine: a JSON file, or a name ('isbesim help config' lists them)");
    add_set_option(options, "one configuration key; repeatable ('isbesim help config' lists them)");
}

void add_set_option(po::options_description& options, const char* sentence)
{
    options.add_options()("set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"), sentence);
}

void read_machine(const command_arguments& arguments, machine_config& config)
{
    if (arguments.has("config"))
        load_config(arguments.get<std::string>("config"), arguments.place_of("--config"), config);
    if (!arguments.has("set")) return;
    for (const auto& assignment : arguments.get<std::vector<std::string>>("set"))
        set_config(assignment, arguments.place_of_value("--set", assignment), config);
}

} // namespace isbesim::testbench
