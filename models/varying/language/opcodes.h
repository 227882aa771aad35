// SPDX-License-Identifier: Apache-2.0
// TGSI opcodes by name, how many of an instruction's operands each writes, and the names of properties.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace isbesim::varying {

/// Number of destination operands; nothing for a name that is no opcode.
std::optional<unsigned> destination_count(std::string_view opcode);

std::vector<std::string_view> opcode_names();
/// What a PROPERTY line can be about.
const std::vector<std::string_view>& property_names();

} // namespace isbesim::varying
