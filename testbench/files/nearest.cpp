// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/nearest.h"

#include <algorithm>
#include <cctype>

namespace isbesim::testbench {

namespace {

std::string lower_case(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char each) { return std::tolower(each); });
    return lower;
}

} // namespace

std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), next(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            next[j] = std::min({last[j] + 1, next[j - 1] + 1, last[j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                next[j] = std::min(next[j], before[j - 2] + 1);
            }
        }
        before.swap(last);
        last.swap(next);
    }
    return last[b.size()];
}

std::vector<std::string> nearest_names(std::string_view wrong, const std::vector<std::string>& names)
{
    struct candidate {
        std::size_t distance;
        const std::string* name;
    };
    const auto typed = lower_case(wrong.substr(0, 48));   // longer than all names
    const auto last = typed.substr(typed.rfind('.') + 1); // the whole, if it has no dot
    std::vector<candidate> candidates;
    for (const auto& each : names) {
        const auto name = lower_case(each);
        std::size_t distance = edit_distance(typed, name);
        const auto dot = name.rfind('.');
        if (dot != std::string::npos) {
            distance = std::min(distance, edit_distance(typed, std::string_view(name).substr(dot + 1)) + 1);
        }
        if (last.size() >= 3 && name.find(last) != std::string::npos)
            distance = std::min<std::size_t>(distance, last == typed ? 1 : 2);
        candidates.push_back({distance, &each});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const candidate& a, const candidate& b) { return a.distance < b.distance; });
    std::vector<std::string> result;
    for (const auto& c : candidates) {
        if (result.size() == 3) break;
        // Names further than twice the best distance do not help.
        if (!result.empty() && c.distance > 2 * candidates.front().distance + 1) break;
        result.push_back(*c.name);
    }
    return result;
}

std::string name_list(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
        text += names[i];
    }
    return text;
}

std::string nearest_list(std::string_view wrong, const std::vector<std::string>& names, const std::string& all)
{
    const auto near = nearest_names(wrong, names);
    if (near.size() == names.size()) return name_list(near);
    return name_list(near) +
           (all.empty() ? " (the nearest of " + std::to_string(names.size()) + ")" : " (" + all + " lists all)");
}

bool mentions(std::string_view text, std::string_view word)
{
    return lower_case(text).find(lower_case(word)) != std::string::npos;
}

} // namespace isbesim::testbench
