// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/chip_account.h"

#include <algorithm>

#include "testbench/report/cycle_stacks.h"

namespace isbesim::testbench {

reorder_account account_of_reorder(const std::vector<std::uint64_t>& done)
{
    reorder_account account;
    account.batches = done.size();
    std::vector<std::uint64_t> left; // cycle in which each batch leaves
    left.reserve(done.size());
    std::uint64_t last = 0;
    for (const auto at : done) {
        last = std::max(last, at);
        left.push_back(last);
        account.waited += last - at;
        account.longest = std::max(account.longest, last - at);
    }
    // A batch that leaves in the cycle of its completion does not wait.
    std::vector<std::uint64_t> begin = done; // of waiting; the ends are already in order
    std::sort(begin.begin(), begin.end());
    std::size_t ended = 0;
    for (std::size_t begun = 0; begun < begin.size(); ++begun) {
        while (ended < left.size() && left[ended] <= begin[begun]) ++ended;
        const auto waiting = begun + 1 > ended ? begun + 1 - ended : 0;
        account.depth = std::max<std::uint64_t>(account.depth, waiting);
    }
    return account;
}

std::vector<cycle_stack> added_up(const std::vector<tpc_account>& tpcs, std::uint64_t cycles)
{
    std::vector<cycle_stack> all;
    for (const auto& tpc : tpcs) {
        for (const auto& from : tpc.stacks) {
            const auto name = "chip." + kind_of(from.resource);
            auto to = std::find_if(all.begin(), all.end(), [&](const auto& known) { return known.resource == name; });
            if (to == all.end()) {
                to = all.insert(all.end(), from);
                to->resource = name;
                to->cycles = 0;
                for (auto& part : to->parts) part.cycles = 0;
                to->parts.push_back({"ended", 0});
            }
            for (std::size_t i = 0; i < from.parts.size(); ++i) to->parts[i].cycles += from.parts[i].cycles;
            to->parts.back().cycles += cycles - from.cycles;
            to->cycles += cycles;
        }
    }
    return all;
}

} // namespace isbesim::testbench
