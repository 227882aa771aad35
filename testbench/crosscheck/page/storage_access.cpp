// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/page/storage_access.h"

#include <algorithm>

namespace isbesim::testbench {

namespace {

constexpr word line_words = 32;

word bank_of(word w, const isbe_config& config)
{
    const word line = w / line_words;
    const word placed = config.bank_map == bank_map::rotate         ? w + line
                        : config.bank_map == bank_map::exclusive_or ? w ^ line
                                                                    : w;
    return placed % config.banks;
}

} // namespace

bool access_list::empty() const
{
    return std::all_of(counts_.begin(), counts_.end(), [](unsigned n) { return n == 0; });
}

unsigned access_list::passes_of(unsigned component, const isbe_config& config) const
{
    std::array<word, warp_lanes> units{}; // what a pass serves one of: words, or lines
    const bool by_line = config.access == access_rule::line;
    const auto count = counts_[component];
    for (unsigned i = 0; i < count; ++i) units[i] = accesses_[component][i].index / (by_line ? line_words : 1);
    std::sort(units.begin(), units.begin() + count);
    const auto end = std::unique(units.begin(), units.begin() + count);
    if (by_line) return static_cast<unsigned>(end - units.begin());
    std::array<unsigned, 32> of_bank{};
    for (auto* unit = units.begin(); unit != end; ++unit) ++of_bank[bank_of(*unit, config)];
    return *std::max_element(of_bank.begin(), of_bank.end());
}

unsigned access_list::passes(const isbe_config& config, bool& several) const
{
    unsigned all = 0;
    several = false;
    for (unsigned c = 0; c < max_components; ++c) {
        if (counts_[c] == 0) continue;
        const auto passes = passes_of(c, config);
        several = several || passes > 1;
        all += passes;
    }
    return std::max(all, 1U);
}

bool access_list::component_skipped() const
{
    for (unsigned c = 1; c < max_components; ++c)
        if (counts_[c] != 0 && counts_[c - 1] == 0) return true;
    return false;
}

bool access_list::same_word() const
{
    for (unsigned c = 0; c < max_components; ++c)
        for (unsigned i = 1; i < counts_[c]; ++i)
            for (unsigned j = 0; j < i; ++j)
                if (accesses_[c][i].index == accesses_[c][j].index) return true;
    return false;
}

access_list::writers access_list::written(lane_winner winner) const
{
    writers found;
    for (unsigned c = 0; c < max_components; ++c)
        for (unsigned i = 0; i < counts_[c]; ++i) {
            const auto& a = accesses_[c][i];
            for (unsigned j = 0; j < i; ++j) {
                const auto& b = accesses_[c][j];
                if (a.index != b.index) continue;
                if ((a.bytes & b.bytes) == 0) {
                    found.share = true;
                    continue;
                }
                const bool a_loses = (a.lane < b.lane) == (winner == lane_winner::highest);
                found.losers |= lane_mask{1} << (a_loses ? a.lane : b.lane);
            }
            for (unsigned earlier = 0; earlier < c; ++earlier)
                for (unsigned j = 0; j < counts_[earlier]; ++j)
                    found.overwrite = found.overwrite || (accesses_[earlier][j].index == a.index &&
                                                          (accesses_[earlier][j].bytes & a.bytes) != 0);
        }
    return found;
}

} // namespace isbesim::testbench
