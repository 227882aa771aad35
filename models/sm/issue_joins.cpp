#include "models/sm/issue_joins.h"

namespace isbesim {

issue_joins::issue_joins(const other_machines& machines) : machines_(machines), answers_(machines.own.sm.warps)
{
    groups_.emplace_back();
    groups_[0].schedulers = machines.own.sm.schedulers;
    groups_[0].last.resize(groups_[0].schedulers);
    for (unsigned slot = 0; slot < machines.own.sm.warps; ++slot)
        groups_[0].owners.push_back(slot % groups_[0].schedulers);
    for (const auto& other : machines_.others) {
        group_.push_back(group_of(other));
        for (auto& history : accepts_) history.keep(other.sm.attribute_queue_depth);
    }
}

unsigned issue_joins::group_of(const machine_config& other)
{
    const auto doubles = machines_.doubles_sms(other);
    for (unsigned i = 0; i < groups_.size(); ++i)
        if (groups_[i].schedulers == other.sm.schedulers && groups_[i].doubles == doubles) return i;
    const auto warps = machines_.own.sm.warps;
    scheduler_group group;
    group.schedulers = other.sm.schedulers;
    group.doubles = doubles;
    // Room for all warps, wherever they go.
    for (unsigned half = 0; half < (doubles ? 2U : 1U); ++half)
        group.slots.emplace_back(warps * group.schedulers, group.schedulers);
    group.last.resize(group.slots.size() * group.schedulers);
    group.owners.resize(warps);
    group.taken.resize(warps);
    groups_.push_back(std::move(group));
    return static_cast<unsigned>(groups_.size() - 1);
}

void issue_joins::launched(unsigned slot, path_place place)
{
    for (auto& group : groups_) {
        if (group.slots.empty()) continue;
        const unsigned half = group.doubles ? place.twin : 0;
        group.taken[slot] = group.slots[half].take();
        group.owners[slot] = half * group.schedulers + group.taken[slot] % group.schedulers;
    }
}

void issue_joins::completed(unsigned slot)
{
    answers_[slot] = {};
    for (auto& group : groups_)
        if (!group.slots.empty()) group.slots[group.owners[slot] / group.schedulers].give_back(group.taken[slot]);
}

void issue_joins::issued(const warp_slot& warp, unsigned slot, const cause& before)
{
    {
        cause_join join(warp.issued);
        join.on(before, warp.stall_until, warp.stall);
        const auto on = [&](const precondition& each) { join.on(each.from, each.at, each.reason); };
        if (warp.final_lanes != 0)
            on(warp.r0);
        else if (warp.next() != nullptr)
            warp.barriers.for_released(warp.next()->control.wait_mask, on);
        const auto queues = warp.needs_queue();
        for (unsigned i = 0; i < machines_.others.size(); ++i) {
            if (machines_.others[i].unordered) continue;
            const auto& group = groups_[group_[i]];
            const auto& other = group.last[group.owners[slot]];
            join.on(i, other, other.cycle() + 1, path_reason::issue_slot);
            const auto half = machines_.half(machines_.others[i], warp.place.twin);
            if (queues)
                join.on_room(i, accepts_[half], submits_[half], machines_.others[i].sm.attribute_queue_depth, 1,
                             path_reason::attribute_queue);
        }
    }
    for (auto& group : groups_) group.last[group.owners[slot]] = warp.issued;
}

void issue_joins::ended(const cause& event, const cause& because, const warp_slot& warp, unsigned slot) const
{
    cause_join join(event);
    for (const auto* each : {&because, &warp.issued, &answers_[slot]}) join.on(*each, each->cycle(), path_reason::none);
}

} // namespace isbesim
