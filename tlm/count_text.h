// SPDX-License-Identifier: Apache-2.0
// Counts in messages: "1 trap", "2 traps".
#pragma once

#include <cstdint>
#include <string>

namespace isbesim {

/// `more`: the plural of words that take no s.
inline std::string count_text(std::uint64_t count, const std::string& one, const std::string& more = "")
{
    return std::to_string(count) + " " + (count == 1 ? one : more.empty() ? one + "s" : more);
}

} // namespace isbesim
