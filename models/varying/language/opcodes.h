// SPDX-License-Identifier: Apache-2.0
// TGSI opcodes with their number of destination operands, and the names of properties.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace isbesim::varying {

/// Number of destination operands; nothing for an unknown opcode.
std::optional<unsigned> destination_count(std::string_view opcode);

std::vector<std::string_view> opcode_names();
/// Names that may follow PROPERTY.
const std::vector<std::string_view>& property_names();

} // namespace isbesim::varying
