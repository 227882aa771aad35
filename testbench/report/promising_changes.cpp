// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/promising_changes.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "testbench/report/cycle_stacks.h"
#include "testbench/what_if/changed_keys.h"

namespace isbesim::testbench {

namespace {

/// True if the change gives more of these lines without more isbe.lines.
bool moves_to(const machine_change& change, std::string_view lines_key)
{
    return std::any_of(change.steps.begin(), change.steps.end(), [&](const auto& step) {
        return lines_key == "isbe.lines" ? step.to < step.from : step.key == lines_key && step.to > step.from;
    });
}

bool moves_lines(const machine_change& change)
{
    const auto& key = change.steps.front().key;
    return key == buffer_keys[0] || key == buffer_keys[1];
}

class judge {
public:
    judge(const std::vector<cycle_stack>& stacks, const std::vector<path_part>& path) : stacks_(stacks)
    {
        double all = 0;
        for (const auto& part : path) all += static_cast<double>(part.cycles);
        for (const auto& part : path) path_[part.reason] += static_cast<double>(part.cycles) / std::max(all, 1.0);
    }

    /// Share of the run's cycles that the change may save.
    double saving(const machine_change& change) const
    {
        const auto& step = change.steps.front();
        const auto& all = changed_keys();
        const auto row = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.key == step.key; });
        if (row == all.end() || !(step.is_better() || moves_lines(change))) return 0;
        double share = 0;
        for (const auto reason : row->path)
            if (const auto found = path_.find(reason); found != path_.end()) share += found->second;
        for (const auto& stack : stacks_)
            for (const auto& part : row->stacks)
                if (!moves_lines(change) || moves_to(change, stack.lines_key))
                    share = std::max(share, share_of(stack, part));
        constexpr double share_saved_by_doubling = 0.5;
        return share * (step.is_latency ? 1 - static_cast<double>(step.to) / static_cast<double>(step.from)
                                        : share_saved_by_doubling);
    }

private:
    static double share_of(const cycle_stack& stack, const part_of_stack& part)
    {
        if (stack.cycles == 0 || kind_of(stack.resource).find(part.first) == std::string::npos) return 0;
        std::uint64_t cycles = *part.second == 0 ? stack.busy() : 0;
        for (const auto& each : stack.parts)
            if (std::string_view(each.name) == part.second) cycles = each.cycles;
        return static_cast<double>(cycles) / static_cast<double>(stack.cycles);
    }

    const std::vector<cycle_stack>& stacks_;
    std::map<path_reason, double> path_;
};

} // namespace

std::vector<std::size_t> promising_changes(const std::vector<machine_change>& changes,
                                           const std::vector<cycle_stack>& stacks, const std::vector<path_part>& path,
                                           std::size_t most)
{
    const judge judge(stacks, path);
    std::vector<double> savings;
    std::vector<std::size_t> order;
    constexpr double worth_a_rerun = 0.01;
    for (const auto& change : changes) {
        savings.push_back(judge.saving(change));
        if (savings.back() >= worth_a_rerun) order.push_back(savings.size() - 1);
    }
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return savings[a] > savings[b]; });
    order.resize(std::min(order.size(), most));
    return order;
}

std::size_t reruns_beside(std::uint64_t sm_cycles, unsigned tpcs)
{
    // 20,000 cycles take as long as the start of the program and its reports, a million about a second.
    if (sm_cycles > 1'000'000) return 0;
    if (sm_cycles > 200'000) return 2;
    return sm_cycles > 20'000 || tpcs > 1 ? 4 : 6; // each TPC of a chip is a process
}

} // namespace isbesim::testbench
