// SPDX-License-Identifier: Apache-2.0
// Where a value stands in a JSON text.
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

/// Byte offset of the value at `path` in `text`, which must be valid JSON; of the key that leads to it when `at_key`.
/// The last one counts where a key stands twice, as in the parsed document.
std::size_t locate_json(std::string_view text, const std::vector<json_step>& path, bool at_key);

/// A key that stands a second time in its object.
struct duplicate_key {
    std::string key;
    std::size_t offset = 0; ///< of the second one
};
/// The first of `text`, which must be valid JSON; none when every object has each key once.
std::optional<duplicate_key> find_duplicate_key(std::string_view text);

} // namespace isbesim::testbench
