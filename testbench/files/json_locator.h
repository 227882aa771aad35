// SPDX-License-Identifier: Apache-2.0
// Finds the place of a value in a JSON text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isbesim::testbench {

/// One step from a value to one of its children: an object's key, or an array's index when `key` is null.
struct json_step {
    const std::string* key = nullptr;
    std::size_t index = 0;
};

/// Byte offset in `text`, which must be valid JSON, of the value at `path`, or of its key if `at_key`. Of duplicate
/// keys the last counts, as in the parsed document.
std::size_t locate_json(std::string_view text, const std::vector<json_step>& path, bool at_key);

/// A key that occurs a second time in its object.
struct duplicate_key {
    std::string key;
    std::size_t offset = 0; ///< of the second occurrence
};
/// The first duplicate key in `text`, which must be valid JSON; empty without duplicates.
std::optional<duplicate_key> find_duplicate_key(std::string_view text);

} // namespace isbesim::testbench
