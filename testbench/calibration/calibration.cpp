// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/calibration.h"

#include <algorithm>
#include <deque>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/timing/grant_scheduler.h"
#include "testbench/calibration/pass_table.h"

namespace isbesim::testbench {
namespace {

constexpr std::size_t finalists = 8;

unsigned nearest_in(value_range range, unsigned target)
{
    return std::clamp(target, range.low, range.high);
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

/// Plays the observed requests into the timed model and counts the cycles that differ.
class model_player {
public:
    model_player(const observed_traffic& traffic, const isbe_config& machine)
        : traffic_(traffic), core_(machine), scheduler_(core_), ports_(traffic.ports())
    {
    }

    std::uint64_t play()
    {
        warp_result ignored;
        for (const auto& bind : traffic_.earlier_binds()) core_.execute(bind, ignored);
        for (const auto& seen : traffic_.operations()) ++ports_[seen.port].left;
        traffic_.visit([&](std::size_t number, const warp_op& op, const operation_answer&) {
            auto& port = ports_[traffic_.operations()[number].port];
            port.coming.push_back({op, {}, number});
            --port.left;
            while (ready()) step();
        });
        while (next_cycle() < never) step();
        for (const auto& port : ports_) differences_ += port.coming.size(); // delayed by responses that never came
        return differences_;
    }

private:
    static constexpr auto never = observed_operation::never;

    struct operation {
        warp_op op;
        warp_result result;
        std::size_t number;
    };
    struct port_state {
        std::size_t left = 0;           ///< operations not read yet
        std::deque<operation> coming;   ///< operations not accepted yet
        std::deque<operation> accepted; ///< operations whose response was not transferred yet
        std::uint64_t free = 0;         ///< first free cycle of the request channel
        std::uint64_t transfer = never; ///< of the response on the channel
        std::uint64_t request_cycle(const observed_traffic& traffic) const
        {
            return std::max(traffic.operations()[coming.front().number].request, free);
        }
    };

    /// True if the first event is known: no unread operation can precede it.
    bool ready() const
    {
        return std::all_of(ports_.begin(), ports_.end(),
                           [](const port_state& p) { return p.left == 0 || !p.coming.empty(); }) &&
               next_cycle() < never;
    }

    std::uint64_t next_cycle() const
    {
        auto cycle = never;
        for (unsigned p = 0; p < ports_.size(); ++p) {
            const auto& port = ports_[p];
            if (!port.coming.empty())
                cycle = std::min(cycle, std::max(port.request_cycle(traffic_), scheduler_.next_accept(p)));
            cycle = std::min({cycle, port.transfer, scheduler_.next_response(p)});
        }
        return std::min(cycle, never);
    }

    void step()
    {
        const auto now = next_cycle();
        scheduler_.advance_to(now);
        for (unsigned p = 0; p < ports_.size(); ++p) {
            respond(p, now);
            accept(p, now);
        }
    }

    void respond(unsigned p, std::uint64_t now)
    {
        auto& port = ports_[p];
        if (port.transfer == never && scheduler_.response(p, now) != nullptr) {
            const auto& seen = traffic_.operations()[port.accepted.front().number];
            if (seen.response < never && seen.response != now) ++differences_;
            // Transferred with the observed delay; an unobserved transfer never happens.
            port.transfer = seen.transfer >= never ? never - 1 : now + (seen.transfer - seen.response);
        }
        if (port.transfer != now) return;
        scheduler_.transfer(p, now);
        port.accepted.pop_front();
        port.transfer = never;
    }

    void accept(unsigned p, std::uint64_t now)
    {
        auto& port = ports_[p];
        if (port.coming.empty() || port.request_cycle(traffic_) > now || !scheduler_.can_accept(p, now)) return;
        port.accepted.push_back(port.coming.front());
        port.coming.pop_front();
        port.free = now + 1;
        auto& taken = port.accepted.back();
        const auto& seen = traffic_.operations()[taken.number];
        if (seen.accept != now) ++differences_;
        port_operation target;
        target.op = &taken.op;
        target.result = &taken.result;
        target.begin = std::min(seen.request, now);
        target.accept = now;
        scheduler_.accept(p, target);
    }

    const observed_traffic& traffic_;
    isbe_core core_;
    grant_scheduler scheduler_;
    std::vector<port_state> ports_;
    std::uint64_t differences_ = 0;
};

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

std::uint64_t count_model_differences(const observed_traffic& traffic, const isbe_config& machine)
{
    return model_player(traffic, machine).play();
}

} // namespace isbesim::testbench
