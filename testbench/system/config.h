// SPDX-License-Identifier: Apache-2.0
// The machine's configuration keys: one table with the name, range and description of each. Reads them from JSON files
// and the command line. `isbesim help config` and the report use the same table.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "models/isa/program.h"
#include "models/machine_config.h"
#include "testbench/files/input_error.h"
#include "testbench/files/object_form.h"

namespace isbesim::testbench {

using config_key = described_key<machine_config>; ///< its name is dotted

/// Every key, in the order of the help text. Defaults are those of machine_config.
const std::vector<config_key>& config_keys();
/// Null if there is no such key.
const config_key* find_config_key(std::string_view name);

/// The contents of a machine's file besides the keys.
const object_form& machine_file_form();

/// The sources of keys' values, from their files; keys with default values are absent.
using key_sources = std::map<std::string, std::string>;
/// The source of a key of --set, or of a file without a source.
inline constexpr const char* set_by_hand = "set by hand";

/// The programs that a machine runs, if its file states them.
struct machine_programs {
    std::string name;                             ///< as given to --config
    std::vector<isa::architecture> architectures; ///< empty: any
    key_sources sources{};
};

/// Reads `--config`: a file of nested or dotted keys, the content of such a file, which begins with a brace and is
/// named "config" in errors, or the name of a preset (presets.h, "default"). A value may be {"value": V, "source":
/// "text"}; "description" is a text for people, "architectures" names the programs that the machine runs. Throws
/// input_error with the place of an unknown key, a duplicate key or a value out of range.
machine_programs load_config(const std::string& file_or_name, const source_place& asked_at, machine_config& config);

/// The same from text in `place`.file (a trace's header).
machine_programs load_config_text(const std::string& text, const source_place& place, machine_config& config);

/// The reason why this machine does not run programs of `arch`; empty if it does.
std::string foreign_architecture(const machine_programs& machine, isa::architecture arch);

/// One `--set key=value`. Throws input_error at `asked_at`.
void set_config(const std::string& assignment, const source_place& asked_at, machine_config& config);

/// Nested object of every key; load_config reads it back.
boost::json::object config_to_json(const machine_config& config);

/// Keys with `word` in their name or description, ignoring case; all keys for "".
std::vector<const config_key*> config_keys_about(std::string_view word);

/// Prints these keys (default, range, unit, description) and presets about `word`. Returns false if nothing matches.
bool print_config_help(std::ostream& out, std::string_view word);

/// The keys for programs: [{key, kind, unit, range, description, default, value}], with `value` from `config`.
boost::json::array config_table_json(const machine_config& config, std::string_view word);

} // namespace isbesim::testbench
