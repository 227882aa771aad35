// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the known names that are nearest to a misspelt name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isbesim::testbench {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Up to three names, nearest first; ties keep the order of `names`. Names that contain the wrong name, or extend it by
/// a prefix ("isbe.lines" for "lines"), count as near; case does not matter.
std::vector<std::string> nearest_names(std::string_view wrong, const std::vector<std::string>& names);

/// "a", "a or b", "a, b or c".
std::string name_list(const std::vector<std::string>& names);

/// The expectation in an error about a wrong name: the nearest names, with their total if there are more, "a, b or c
/// (the nearest of 9)". `all`: the command that lists all names; may be empty.
std::string nearest_list(std::string_view wrong, const std::vector<std::string>& names, const std::string& all = "");

/// True if `text` contains `word`, ignoring case.
bool mentions(std::string_view text, std::string_view word);

} // namespace isbesim::testbench
