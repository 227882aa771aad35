// TGSI opcodes by name, and how many of an instruction's operands each writes.
#pragma once

#include <optional>
#include <string_view>

namespace isbesim::varying {

/// Number of destination operands; nothing for a name that is no opcode.
std::optional<unsigned> destination_count(std::string_view opcode);

} // namespace isbesim::varying
