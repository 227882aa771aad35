// SPDX-License-Identifier: Apache-2.0
// --config, --set and --out, which many commands have.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

#include "models/isa/program.h"
#include "models/machine_config.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/report/result_folder.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

/// Adds --config and --set.
void add_machine_options(boost::program_options::options_description& options);

/// Adds --set alone, for a command whose machine matters little; `description`: its use.
void add_set_option(boost::program_options::options_description& options, const char* description);

/// Adds --out; `content`: the files of the folder.
void add_out_option(boost::program_options::options_description& options, const std::string& content);
/// The value of --out.
result_place place_of_results(const command_arguments& arguments, const char* command);

/// The architecture of --arch. Throws input_error if it is missing or unknown.
isa::architecture architecture_of(const command_arguments& arguments);

/// Applies --config and --set to `config`, if the command has them. Throws input_error at the invalid argument. Returns
/// the programs that the machine of --config runs.
machine_programs read_machine(const command_arguments& arguments, machine_config& config);

/// One --set.
struct set_assignment {
    std::string text; ///< KEY=VALUE
    std::string key;
    source_place place;
};
/// All --set options, in their order.
std::vector<set_assignment> set_assignments(const command_arguments& arguments);

/// The place that sets these keys: the last --set of one of them, otherwise --config.
source_place place_of_keys(const command_arguments& arguments, std::initializer_list<std::string_view> keys);

} // namespace isbesim::testbench
