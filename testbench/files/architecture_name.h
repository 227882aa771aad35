// SPDX-License-Identifier: Apache-2.0
// Names of architectures in files and on the command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/program.h"

namespace isbesim::testbench {

/// "sm50", "sm75", ...
std::optional<isa::architecture> parse_architecture(std::string_view name);
const char* architecture_name(isa::architecture arch);
std::vector<std::string> architecture_names();
/// The expectation in an error about an unknown name.
std::string architecture_expected(std::string_view name);
/// All architectures with their names, in the order of the enum.
struct architecture_row {
    const char* name;
    isa::architecture arch;
};
const std::vector<architecture_row>& architectures();

} // namespace isbesim::testbench
