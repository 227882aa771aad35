// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/machine_options.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "testbench/files/architecture_name.h"
#include "testbench/files/nearest.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

void add_machine_options(po::options_description& options)
{
    options.add_options()("config", po::value<std::string>()->value_name("FILE"),
                          "machine: a JSON file, its content, or a name ('isbesim help config' lists them)");
    add_set_option(options, "one configuration key; repeatable ('isbesim help config' lists them)");
}

void add_out_option(po::options_description& options, const std::string& content)
{
    const auto text = "folder for " + content +
                      ", replaced as a whole; the default is out, or out_COMMAND where out holds anything else";
    options.add_options()("out", po::value<std::string>()->default_value("out")->value_name("DIR"), text.c_str());
}

result_place place_of_results(const command_arguments& arguments, const char* command)
{
    auto files = arguments.written_files();
    for (auto& file : arguments.read_files()) files.push_back(std::move(file));
    return {arguments.get<std::string>("out"), arguments.place_of("--out"), command, !arguments.is_given("out"),
            std::move(files)};
}

void add_set_option(po::options_description& options, const char* description)
{
    options.add_options()("set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"),
                          description);
}

isa::architecture architecture_of(const command_arguments& arguments)
{
    if (!arguments.has("arch")) {
        throw input_error({"command-line", 1, 1}, "no --arch, expected --arch " + name_list(architecture_names()));
    }
    const auto& name = arguments.get<std::string>("arch");
    const auto arch = parse_architecture(name);
    if (!arch) {
        arguments.fail("arch", " is '" + name + "'" + architecture_expected(name));
    }
    return *arch;
}

machine_programs read_machine(const command_arguments& arguments, machine_config& config)
{
    machine_programs machine;
    if (arguments.has("config"))
        machine = load_config(arguments.get<std::string>("config"), arguments.place_of("--config"), config);
    std::set<std::string> keys;
    for (const auto& [text, key, place] : set_assignments(arguments)) {
        set_config(text, place, config);
        machine.sources[key] = set_by_hand;
        if (!keys.insert(key).second) throw input_error(place, key + " is set twice by --set, expected each key once");
    }
    return machine;
}

std::vector<set_assignment> set_assignments(const command_arguments& arguments)
{
    std::vector<set_assignment> all;
    if (!arguments.has("set")) return all;
    for (const auto& text : arguments.get<std::vector<std::string>>("set"))
        all.push_back({text, text.substr(0, text.find('=')), arguments.place_of_value("--set", all.size())});
    return all;
}

source_place place_of_keys(const command_arguments& arguments, std::initializer_list<std::string_view> keys)
{
    auto place = arguments.place_of("--config");
    for (const auto& each : set_assignments(arguments))
        if (std::find(keys.begin(), keys.end(), each.key) != keys.end()) place = each.place;
    return place;
}

} // namespace isbesim::testbench
