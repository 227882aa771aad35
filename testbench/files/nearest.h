// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the known names that are nearest to a misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isbesim::testbench {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Up to three names, nearest first; ties keep the order of `names`. A name that contains the wrong one, or only
/// lacks its prefix ("lines" for "isbe.lines"), counts as near.
std::vector<std::string> nearest_names(std::string_view wrong, const std::vector<std::string>& names);

/// "a", "a or b", "a, b or c".
std::string name_list(const std::vector<std::string>& names);

/// The nearest names, which were expected instead of the wrong name, and that there are more where these are not all of
/// them: "a, b or c (the nearest of 9)". `all` is what lists the others, if there is something.
std::string nearest_list(std::string_view wrong, const std::vector<std::string>& names, const std::string& all = "");

/// Whether `text` has `word` in it, capital letters or not.
bool mentions(std::string_view text, std::string_view word);

} // namespace isbesim::testbench
