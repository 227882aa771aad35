// SPDX-License-Identifier: Apache-2.0
// The uniforms of a compiled draw: the program that draws lists their names, later draws show their places
// (uniform_list.h), and the command line gives values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "testbench/arguments/command_arguments.h"
#include "testbench/gl/draws/draw_executor.h"
#include "testbench/scenario/scenario_writer.h"

namespace isbesim::testbench {

using named_uniforms = std::map<std::string, uniform>;

/// The data of a draw with keys for values (uniform_list.h): its constants, and the places in memory of keys.
struct key_draw {
    explicit key_draw(const gl::built_draw& draw);

    std::map<stage, isa::constant_banks> constants;
    std::map<word, std::vector<uniform_place>> in_memory;
};

/// The names of `list`, each with its type, its places in the first draw, and the value that its shader gives there.
/// `constants_only`: a value in constants is read from there alone.
named_uniforms read_uniform_list(const std::string& list, const written_draw& written,
                                 const std::vector<key_draw>& key_draws, bool constants_only);

/// Sets the `values` of --uniform, NAME=VALUE,... Throws input_error.
void give_values(named_uniforms& uniforms, const std::vector<std::string>& values, const command_arguments& arguments);

} // namespace isbesim::testbench
