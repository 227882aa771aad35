// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/calibration.h"

#include <algorithm>

#include "testbench/calibration/model_check.h"
#include "testbench/calibration/pass_table.h"

namespace isbesim::testbench {

namespace {

constexpr std::size_t finalists = 8;

unsigned nearest_in(value_range range, unsigned wanted)
{
    return std::clamp(wanted, range.low, range.high);
}

/// Number of keys that decide about passes and differ between two machines.
int different_keys(const isbe_config& a, const isbe_config& b)
{
    return (a.access != b.access) + (a.banks != b.banks) + (a.bank_map != b.bank_map) + (a.skew != b.skew) +
           (a.gs_slot_order != b.gs_slot_order);
}

std::array<unsigned, latency_classes> latencies_of(const isbe_config& config)
{
    return {config.pipeline_latency, config.write_latency, config.al2p_latency, config.out_latency};
}

void set_latencies(isbe_config& config, const std::array<unsigned, latency_classes>& latency)
{
    config.pipeline_latency = latency[static_cast<unsigned>(latency_class::load)];
    config.write_latency = latency[static_cast<unsigned>(latency_class::store)];
    config.al2p_latency = latency[static_cast<unsigned>(latency_class::al2p)];
    config.out_latency = latency[static_cast<unsigned>(latency_class::out)];
}

bool same_range(const value_range& a, const value_range& b)
{
    return a.low == b.low && a.high == b.high;
}

bool same_ranges(const explanation& a, const exact_fit& b)
{
    return same_range(a.request_depth, b.request_depth) &&
           std::equal(a.latency.begin(), a.latency.end(), b.latency.begin(), same_range);
}

grant_rule rule_of(const isbe_config& config)
{
    return {config.arbitration == arbitration_rule::fixed_priority, config.response_queue_depth};
}

/// Two arbitrations; with one port they are the same machine, so both explain it.
constexpr std::array<arbitration_rule, 2> arbitrations{arbitration_rule::round_robin, arbitration_rule::fixed_priority};

class calibrator {
public:
    calibrator(const observed_traffic& traffic, const isbe_config& base, const std::vector<pass_group>& groups)
        : base_(base), groups_(groups), fit_(traffic)
    {
    }

    /// Adds all explanations by a group.
    void explain(const pass_group& group, std::vector<explanation>& found) const
    {
        if (group.contradictions != 0) return;
        for (const auto arbitration : arbitrations) {
            const bool fixed = arbitration == arbitration_rule::fixed_priority;
            const auto enough = fit_.enough_response_depth(group.passes, fixed);
            bool joins = false; // the previous depth has the same ranges
            for (unsigned depth = 1; depth <= enough; ++depth) {
                const auto fit = fit_.fit_exactly(group.passes, {fixed, depth});
                joins = joins && fit.fits && same_ranges(found.back(), fit);
                if (fit.fits && !joins)
                    found.push_back({group.machines, arbitration, {depth, depth}, fit.request_depth, fit.latency});
                joins = fit.fits;
                if (joins) found.back().response_depth.high = depth == enough ? response_depth_limits.high : depth;
            }
        }
    }

    /// Among all explanations, the machine with the fewest keys that differ from the base.
    isbe_config choose(const std::vector<explanation>& explanations, isbe_config machine) const
    {
        int least = 1000;
        auto chosen = machine;
        for (const auto& each : explanations)
            for (const auto& rules : each.machines) {
                auto one = rules;
                one.arbitration = each.arbitration;
                one.response_queue_depth = nearest_in(each.response_depth, base_.response_queue_depth);
                one.request_queue_depth = nearest_in(each.request_depth, base_.request_queue_depth);
                auto latency = latencies_of(base_);
                for (unsigned kind = 0; kind < latency_classes; ++kind)
                    latency[kind] = nearest_in(each.latency[kind], latency[kind]);
                set_latencies(one, latency);
                const auto own = latencies_of(base_);
                int differ = different_keys(one, base_) + (one.arbitration != base_.arbitration) +
                             (one.response_queue_depth != base_.response_queue_depth) +
                             (one.request_queue_depth != base_.request_queue_depth);
                for (unsigned kind = 0; kind < latency_classes; ++kind) differ += latency[kind] != own[kind];
                if (differ >= least) continue;
                least = differ;
                chosen = one;
            }
        return chosen;
    }

    /// The nearest machine if no machine explains everything.
    isbe_config nearest(isbe_config machine) const
    {
        auto least_contradictions = groups_.front().contradictions;
        for (const auto& group : groups_) least_contradictions = std::min(least_contradictions, group.contradictions);
        std::vector<cell> cells;
        for (const auto& group : groups_) {
            if (group.contradictions != least_contradictions) continue;
            for (const auto arbitration : arbitrations) {
                const bool fixed = arbitration == arbitration_rule::fixed_priority;
                const auto enough = fit_.enough_response_depth(group.passes, fixed);
                for (unsigned depth = 1; depth <= enough; ++depth) {
                    const bool plenty = depth == enough;
                    const grant_rule rule{fixed, depth};
                    cells.push_back(
                        {fit_.fit_nearest(group.passes, rule, operations_for_ranking).error,
                         &group,
                         {fixed, plenty ? nearest_in({depth, response_depth_limits.high}, base_.response_queue_depth)
                                        : depth}});
                }
            }
        }
        const auto last = cells.begin() + static_cast<std::ptrdiff_t>(std::min(finalists, cells.size()));
        std::stable_sort(cells.begin(), cells.end(), [](const cell& a, const cell& b) { return a.error < b.error; });
        for (auto each = cells.begin(); each != last; ++each)
            each->error = fit_.fit_nearest(each->group->passes, each->rule, ~std::uint64_t{0}).error;
        const auto best =
            *std::min_element(cells.begin(), last, [](const cell& a, const cell& b) { return a.error < b.error; });
        const auto& machines = best.group->machines;
        machine = *std::min_element(machines.begin(), machines.end(), [&](const auto& a, const auto& b) {
            return different_keys(a, base_) < different_keys(b, base_);
        });
        machine.arbitration =
            best.rule.fixed_priority ? arbitration_rule::fixed_priority : arbitration_rule::round_robin;
        machine.response_queue_depth = best.rule.response_depth;
        machine.request_queue_depth = fit_.nearest_request_depth(best.group->passes, best.rule);
        set_latencies(machine, fit_.fit_nearest(best.group->passes, best.rule, ~std::uint64_t{0}).latency);
        return machine;
    }

    scheduled_cycles predict(const isbe_config& machine, const pass_group& group) const
    {
        return fit_.predict(group.passes, rule_of(machine), latencies_of(machine), machine.request_queue_depth);
    }

private:
    struct cell {
        std::uint64_t error;
        const pass_group* group;
        grant_rule rule;
    };

    isbe_config base_;
    const std::vector<pass_group>& groups_;
    timing_fit fit_;
};

const pass_group& group_of(const std::vector<pass_group>& groups, const isbe_config& machine)
{
    for (const auto& group : groups)
        for (const auto& each : group.machines)
            if (different_keys(each, machine) == 0) return group;
    return groups.front(); // not reached: every machine is in a group
}

/// Calibrates with the storage and context slots of `sized`.
calibration_result calibrate_sized(const observed_traffic& traffic, const isbe_config& sized, bool as_seen)
{
    const auto groups = make_pass_groups(traffic, sized, as_seen);
    const calibrator search(traffic, sized, groups);
    calibration_result result;
    for (const auto& group : groups) search.explain(group, result.explanations);
    result.found = result.explained() ? search.choose(result.explanations, sized) : search.nearest(sized);
    const auto& group = group_of(groups, result.found);
    result.predicted = search.predict(result.found, group);
    result.contradicted_passes = group.contradictions;
    return result;
}

} // namespace

calibration_result calibrate(const observed_traffic& traffic, const isbe_config& base)
{
    auto sized = base;
    sized.ports = traffic.ports();
    const auto size = find_size_bounds(traffic);
    if (!size.contexts.empty()) sized.contexts = nearest_in(size.contexts, base.contexts);
    std::vector<unsigned> lines;
    const auto nearest = size.lines.empty() ? size.lines.low : nearest_in(size.lines, base.lines);
    for (const auto count : {nearest, size.lines.low, size.lines.empty() ? size.lines.low : size.lines.high})
        if (std::find(lines.begin(), lines.end(), count) == lines.end()) lines.push_back(count);
    calibration_result best;
    for (const bool as_seen : {false, true}) {
        if (best.explained() || (as_seen && traffic.unbound().empty())) break;
        for (const auto count : lines) {
            sized.lines = count;
            auto result = calibrate_sized(traffic, sized, as_seen);
            if (count != lines.front() && !result.explained() && result.contradicted_passes >= best.contradicted_passes)
                continue;
            best = std::move(result);
            best.passes_as_seen = as_seen;
            if (best.explained()) break;
        }
    }
    best.size = size;
    if (best.explained() && !best.passes_as_seen) best.model_differences = count_model_differences(traffic, best.found);
    return best;
}

} // namespace isbesim::testbench
