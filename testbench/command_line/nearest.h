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

} // namespace isbesim::testbench
