#include "models/pe/pe_joins.h"

#include <algorithm>

#include "models/pe/draw_run.h"

namespace isbesim {

namespace {

unsigned slots_of(const machine_config& config)
{
    return std::min(config.sm.warps, config.isbe.contexts);
}

} // namespace

std::uint64_t fetch_cycles(std::uint64_t bytes, unsigned bytes_per_cycle)
{
    return std::max<std::uint64_t>((bytes + bytes_per_cycle - 1) / bytes_per_cycle, 1);
}

pe_joins::pe_joins(const other_machines& machines) : machines_(machines), rooms_(machines.own.sm_count)
{
    for (auto& site : rooms_)
        for (auto& room : site)
            for (const auto& other : machines_.others) room.slots.keep(slots_of(other));
}

void pe_joins::fetched(const cause& event, std::uint64_t bytes, std::uint64_t cycles)
{
    for (unsigned i = 0; i < machines_.others.size(); ++i)
        cause_join::delay(event, i,
                          static_cast<std::int32_t>(fetch_cycles(bytes, machines_.others[i].pe.fetch_bytes_per_cycle)) -
                              static_cast<std::int32_t>(cycles));
    fetched_ = event;
}

// It needs both: its vertices, and that the one before it has gone.
cause pe_joins::pending(const cause& now)
{
    auto event = now.then(now.cycle(), path_reason::none);
    cause_join join(event);
    if (std::max(fetched_.cycle(), left_.cycle()) != now.cycle()) join.on(now, now.cycle(), path_reason::none);
    join.on(fetched_, fetched_.cycle(), path_reason::none);
    join.on(left_, left_.cycle(), path_reason::none);
    return event;
}

void pe_joins::begins(const cause& event, const cause& now, const warp_task& task, missing_space missing, unsigned used)
{
    const auto stages = static_cast<unsigned>(task.work->run->pipeline.stages.size());
    const auto level = task.step->level();
    const auto& since = ready_[task];
    const auto lines = task.input_lines.count + task.output_lines.count;
    const auto twin = event.place().twin;
    auto& site = rooms_[task.site];
    for (const auto half : {0U, 1U + twin}) {
        if (site[half].begun.size() <= level) site[half].begun.resize(level + std::size_t{1});
        site[half].lines_taken += lines;
    }
    {
        cause_join join(event);
        join.on(since, since.cycle(), path_reason::none);
        for (unsigned i = 0; i < machines_.others.size(); ++i) {
            const auto& other = machines_.others[i];
            if (other.sm_count < machines_.own.sm_count) join.not_known(i); // who meets whom there
            // What is left to allocate when stages share is not known, only what is enough for all of them.
            if (other.isbe.lines < machines_.own.isbe.lines && used > other.isbe.lines / stages) join.not_known(i);
            if (other.unordered) continue;
            const auto doubles = machines_.doubles_sms(other);
            const auto& room = site[machines_.half(other, twin)];
            const auto more_slots = slots_of(other) > slots_of(machines_.own);
            const auto more_lines = other.isbe.lines > machines_.own.isbe.lines;
            const auto waits = missing == stall_reason::warp_slot   ? !more_slots && !doubles
                               : missing == stall_reason::isbe_full ? !more_lines && !doubles
                                                                    : true;
            if (waits) join.on(i, now, now.cycle(), path_reason::none);
            if (!waits || doubles) join.frees(i);
            if (const auto& last = room.begun[level]; last) join.on(i, last, last.cycle(), path_reason::none);
            join.on_room(i, room.slots, room.launches, slots_of(other), 0, path_reason::warp_slot);
            if (other.isbe.lines < machines_.own.isbe.lines)
                on_lines(join, i, room, other.isbe.lines);
            else if (missing == stall_reason::isbe_full && !waits)
                on_lines(join, i, room, more_lines ? std::uint64_t{2} * used : used);
        }
    }
    for (const auto half : {0U, 1U + twin}) {
        ++site[half].launches;
        site[half].begun[level] = event;
    }
}

/// It waits until all that was taken so far fits into `lines`.
void pe_joins::on_lines(cause_join& join, unsigned machine, const room_account& room, std::uint64_t lines)
{
    if (room.lines_taken <= lines) return;
    const auto needed = room.lines_taken - lines;
    if (needed > room.lines_given) join.not_known(machine);
    for (std::size_t i = 0; i < room.releases.size(); ++i) {
        const auto& each = room.releases[i];
        if (each.lines < needed && i + 1 < room.releases.size()) continue;
        join.on(machine, each.event, each.event.cycle(), path_reason::isbe_lines);
        return;
    }
}

void pe_joins::slot_released(unsigned site, const cause& event)
{
    for (const auto half : {0U, 1U + event.place().twin}) rooms_[site][half].slots.push(event);
}

void pe_joins::lines_released(unsigned site, const cause& event, unsigned lines)
{
    for (const auto half : {0U, 1U + event.place().twin}) {
        auto& room = rooms_[site][half];
        room.lines_given += lines;
        room.releases.push({room.lines_given, event});
        // More than an ISBE holds has been given back since: nobody can wait for that.
        while (room.lines_given - room.releases.front().lines > 2 * machines_.own.isbe.lines) {
            room.releases.front() = {};
            room.releases.pop();
        }
    }
}

void pe_joins::ended(const cause& event)
{
    const auto before = std::move(ended_);
    ended_ = event.then(event.cycle(), path_reason::none);
    cause_join join(ended_);
    join.on(event, event.cycle(), path_reason::none);
    join.on(before, before.cycle(), path_reason::none);
}

void pe_joins::all_ended(const cause& event, const cause& because) const
{
    cause_join join(event);
    join.on(because, because.cycle(), path_reason::none);
    join.on(ended_, ended_.cycle(), path_reason::none);
}

} // namespace isbesim
