// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/promising_changes.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "models/pipe_names.h"
#include "testbench/report/cycle_stacks.h"

namespace isbesim::testbench {

namespace {

using part_of_stack = std::pair<std::string, const char*>; ///< kind of resource and part; "": all work

/// The cycles that a key has to do with: on the critical path, added up, or in a resource, the largest of these.
struct key_cycles {
    std::string key;
    std::vector<path_reason> path;
    std::vector<part_of_stack> stacks;
};

std::vector<key_cycles> with_pipes(std::vector<key_cycles> all)
{
    for (const std::string name : pipe_names) all.push_back({"sm." + name + "_lanes", {}, {{name + "_pipe", ""}}});
    return all;
}

const std::vector<key_cycles>& cycles_of_keys()
{
    using reason = path_reason;
    static const std::vector<part_of_stack> lines = {{"waiting.", "isbe_full"}, {"waiting.", "lines_and_slot"}};
    static const std::vector<part_of_stack> slots = {{"waiting.", "warp_slot"}, {"waiting.", "lines_and_slot"}};
    static const std::vector<part_of_stack> machine = {
        {"pass_engine", ""},       {"scheduler", ""},         {"pass_engine", "responses_full"},
        {"waiting.", "isbe_full"}, {"waiting.", "warp_slot"}, {"waiting.", "lines_and_slot"}};
    static const std::vector<key_cycles> table = with_pipes({
        {"isbe.pipeline_latency", {reason::pipeline_latency}, {}},
        {"isbe.write_latency", {reason::write_latency}, {}},
        {"isbe.al2p_latency", {reason::al2p_latency}, {}},
        {"isbe.out_latency", {reason::out_latency}, {}},
        {"sm.alu_latency", {reason::alu_latency}, {}},
        {"sm.variable_latency", {reason::variable_latency}, {}},
        {"sm.memory_latency", {reason::memory_latency}, {}},
        {"sm.global_latency", {reason::global_latency}, {}},
        {"sm.texture_latency", {reason::texture_latency}, {}},
        {"sm.read_release_latency", {reason::read_release}, {}},
        {"pe.fetch_bytes_per_cycle", {reason::fetch}, {{"fetch", ""}}},
        {"isbe.banks", {reason::passes, reason::bank_conflict}, {{"pass_engine", ""}}},
        {"isbe.ports",
         {reason::request_channel, reason::response_channel, reason::consumer, reason::grant, reason::request_queue,
          reason::responses_full},
         {}},
        {"isbe.request_queue_depth", {reason::request_queue, reason::grant}, {{"pass_engine", "grant"}}},
        {"isbe.response_queue_depth", {reason::responses_full}, {{"pass_engine", "responses_full"}}},
        {"sm.attribute_queue_depth", {reason::attribute_queue}, {{"scheduler", "attribute_queue"}}},
        {"isbe.lines", {}, lines},
        {"pe.alpha_lines", {}, lines},
        {"pe.beta_lines", {}, lines},
        {"isbe.contexts", {}, slots},
        {"warps_per_sm", {}, slots},
        {"schedulers_per_sm", {reason::issue_slot}, {{"scheduler", ""}}},
        {"sm_count", {}, machine},
        {"chip.tpcs", {}, machine}, // as many as by chip.gpcs
        {"chip.primitives_per_cycle", {reason::front_end}, {}},
        {"chip.gpc_primitives_per_cycle", {reason::back_end}, {{"raster", ""}}},
        {"chip.gpc_setups_per_cycle", {reason::back_end}, {{"setup", ""}}},
        {"chip.draw_cycles", {reason::front_end}, {}},
        {"chip.record_bytes_per_cycle", {reason::front_end}, {}},
        {"chip.instance_cycles", {reason::front_end}, {}},
        {"chip.restart_cycles", {reason::front_end}, {}},
        {"pe.vertices_per_cycle", {reason::back_end}, {{"viewport", ""}}},
        {"pe.geometry_threads_per_cycle", {reason::geometry_threads}, {{"geometry_threads", ""}}},
        {"memory.dram_bytes_per_cycle", {}, {{"dram", ""}}},
        {"memory.dram_latency", {reason::global_memory}, {}},
        {"memory.l2_latency", {reason::global_memory}, {}},
    });
    return table;
}

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
        const auto& all = cycles_of_keys();
        const auto row = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.key == step.key; });
        if (row == all.end() || !(step.is_better() || moves_lines(change))) return 0;
        double share = 0;
        for (const auto reason : row->path)
            if (const auto found = path_.find(reason); found != path_.end()) share += found->second;
        for (const auto& stack : stacks_)
            for (const auto& part : row->stacks)
                if (!moves_lines(change) || moves_to(change, stack.lines_key))
                    share = std::max(share, share_of(stack, part));
        constexpr double of_twice_the_size = 0.5;
        return share * (step.is_latency ? 1 - static_cast<double>(step.to) / static_cast<double>(step.from)
                                        : of_twice_the_size);
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
