// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/wait_tracker.h"

#include <algorithm>
#include <utility>

namespace isbesim::testbench {

namespace {

constexpr unsigned pe_tasks = (max_streams - first_pe_stream) / 2; ///< with streams of their own

wait_set::entry response_of(operation_queue queue, std::uint64_t number, std::int64_t gap = 0)
{
    return {awaited_event::response, queue, number, gap};
}

std::uint64_t first_access(const pe_act& act, operation_queue queue)
{
    return queue == operation_queue::pe_reads ? act.reads : act.writes;
}

wait_set& element(std::vector<wait_set>& sets, std::uint32_t index)
{
    if (index >= sets.size()) sets.resize(index + std::size_t{1});
    return sets[index];
}

} // namespace

wait_tracker::wait_tracker(const sm_config& config)
    : read_release_latency_(config.read_release_latency),
      queue_depth_(config.attribute_queue_depth),
      warps_(config.warps),
      ended_(config.warps),
      bound_(config.warps),
      now_(wait_set::from_start()),
      doing_(now_)
{
}

// ---- SM -------------------------------------------------------------------------------------------------------------

// The PE launches in the cycle of the BIND's response.
void wait_tracker::launched(const warp_launch& launch, std::uint64_t)
{
    auto& state = warps_[launch.context];
    state = {};
    state.now.add(response_of(operation_queue::pe_writes, bound_[launch.context]));
}

void wait_tracker::issued(const issue_event& issue)
{
    auto& state = warps_[issue.slot];
    state.now.delay(state.stall);
    const auto& control = issue.instruction->control;
    for (unsigned i = 0; i < scoreboards::count; ++i) {
        if ((control.wait_mask >> i & 1U) == 0) continue;
        state.now.add(state.released[i]);
        state.released[i].clear();
    }
    state.stall = std::max<unsigned>(1, control.stall);
    if (issue.ready == never_cycle) return; // submitted() follows
    release(state, control.write_barrier, state.now, static_cast<std::int64_t>(issue.ready - issue.cycle));
    release(state, control.read_barrier, state.now, issue.attribute ? 1 : read_release_latency_);
}

void wait_tracker::submitted(const attribute_operation& operation)
{
    auto& state = warps_[operation.warp];
    const auto number = submitted_++;
    const bool final = operation.instruction == nullptr;
    if (final) state.now.delay(state.stall).add(state.token);
    auto& entry = known({operation_queue::sm, number});
    entry.number = number;
    entry.due = operation.issued + 1;
    entry.waits = std::move(state.now);
    entry.waits.delay(1);
    state.now = wait_set({awaited_event::due, operation_queue::sm, number, -1});

    const auto response = response_of(operation_queue::sm, number, 1);
    state.answered = wait_set(response);
    if (final) return;
    if (operation.op.op == opcode::out) state.token = state.answered;
    const auto& control = operation.instruction->control;
    release(state, control.write_barrier, state.answered, 0);
    if (is_store(operation.op.op))
        release(state, control.read_barrier, wait_set({awaited_event::accept, operation_queue::sm, number, 0}),
                read_release_latency_);
    else
        release(state, control.read_barrier, state.now, read_release_latency_);
}

void wait_tracker::completed(unsigned slot, const warp_completion&, std::uint64_t)
{
    auto& state = warps_[slot];
    ended_[slot] = std::move(state.answered);
    ended_[slot].add(state.now, 1);
}

void wait_tracker::release(warp& state, std::uint8_t scoreboard, const wait_set& when, std::int64_t delay)
{
    if (scoreboard < scoreboards::count) state.released[scoreboard].add(when, delay);
}

// ---- PE -------------------------------------------------------------------------------------------------------------

void wait_tracker::happens(wait_set event)
{
    now_ = std::move(event);
    doing_ = now_;
}

void wait_tracker::fetched()
{
    happens(fetched_);
}

void wait_tracker::answered(unsigned sm, std::uint32_t task)
{
    happens(sm == 0 ? element(fenced_, task) : wait_set());
}

void wait_tracker::ended(unsigned sm, unsigned slot)
{
    happens(sm == 0 ? ended_[slot] : wait_set());
}

void wait_tracker::fetches(std::uint64_t cycles)
{
    fetched_ = now_;
    fetched_.delay(static_cast<std::int64_t>(cycles));
}

void wait_tracker::created(std::uint32_t task)
{
    element(created_, task) = now_;
}

void wait_tracker::begins(std::uint32_t task)
{
    doing_ = element(created_, task);
    doing_.add(now_);
}

void wait_tracker::acts(const pe_act& what)
{
    if (what.sm == 0) acts_.push({what, doing_});
}

void wait_tracker::fenced(unsigned sm, std::uint32_t task, bool reads, std::uint64_t last)
{
    if (sm != 0) return;
    element(fenced_, task) =
        wait_set(response_of(reads ? operation_queue::pe_reads : operation_queue::pe_writes, last));
}

const wait_tracker::waiting_act& wait_tracker::act_of(operation_queue which, std::uint64_t number)
{
    auto oldest = never_cycle;
    for (const auto each : {operation_queue::pe_writes, operation_queue::pe_reads}) {
        const auto next = each == which ? number : queue(each).carried_out;
        auto& current = act_number_[static_cast<std::size_t>(each)];
        while (current + 1 - first_act_ < acts_.size() &&
               first_access(acts_[current + 1 - first_act_].what, each) <= next)
            ++current;
        oldest = std::min(oldest, current);
    }
    for (; first_act_ < oldest; ++first_act_) acts_.pop();
    return acts_[act_number_[static_cast<std::size_t>(which)] - first_act_];
}

// ---- trace ----------------------------------------------------------------------------------------------------------

wait_tracker::place wait_tracker::carried_out(std::uint64_t number, trace_record& record)
{
    const bool is_pe = record.op.op == opcode::bind || (is_raw(record.op.op) && record.op.region == region::physical);
    const auto which = !is_pe                           ? operation_queue::sm
                       : record.op.op == opcode::isberd ? operation_queue::pe_reads
                                                        : operation_queue::pe_writes;
    const place here{which, queue(which).carried_out++};
    auto& entry = known(here);
    wait_set waits;
    std::optional<wait_set::entry> freed_place;
    if (!is_pe) {
        record.stream = static_cast<std::uint8_t>(1 + streams_[record.op.context]);
        waits = std::move(entry.waits);
    } else {
        const auto& current = act_of(which, here.number);
        record.stream = static_cast<std::uint8_t>(first_pe_stream + 2 * (current.what.task % pe_tasks) +
                                                  (which == operation_queue::pe_reads ? 1U : 0U));
        entry.due = current.what.cycle;
        if (here.number == first_access(current.what, which))
            waits = current.waits;
        else
            waits.add({awaited_event::due, which, here.number - 1, 0});
        if (record.op.op == opcode::bind) {
            bound_[record.op.context] = here.number;
            streams_.rename(record.op.context);
        }
    }
    entry.number = here.number;
    entry.record = number;
    entry.accept = record.accept;
    entry.response = 0;
    // A freed place in the attribute queue can be used in the next cycle; the operation is on the port one cycle later.
    if (!is_pe && here.number >= queue_depth_) {
        const auto& freed = known({which, here.number - queue_depth_});
        if (freed.accept + 2 <= entry.due) freed_place = wait_set::entry{awaited_event::accept, which, freed.number, 2};
    }
    resolve(waits, freed_place, number, entry.due, record.waits);
    return here;
}

std::optional<wait_tracker::dated_wait> wait_tracker::find(const wait_set::entry& entry, std::uint64_t number,
                                                           std::uint64_t due) const
{
    dated_wait found{0, {0, entry.event, 0}};
    if (entry.event != awaited_event::start) {
        const auto& other = known({entry.queue, entry.number});
        if (other.number != entry.number || number - other.record >= trace_window) return {};
        found.entry.distance = static_cast<std::uint16_t>(number - other.record);
        found.cycle = entry.event == awaited_event::due      ? other.due
                      : entry.event == awaited_event::accept ? other.accept
                                                             : other.response;
    }
    if (found.cycle > due) return {};
    found.entry.gap = std::min(static_cast<std::uint64_t>(std::max<std::int64_t>(entry.gap, 0)), due - found.cycle);
    return found;
}

void wait_tracker::resolve(const wait_set& waits, const std::optional<wait_set::entry>& freed, std::uint64_t number,
                           std::uint64_t due, wait_list& list)
{
    std::vector<dated_wait> events;
    for (const auto& each : waits.entries())
        if (const auto found = find(each, number, due)) events.push_back(*found);
    const auto end = [](const dated_wait& event) { return event.cycle + event.entry.gap; };
    std::sort(events.begin(), events.end(), [&](const dated_wait& a, const dated_wait& b) { return end(a) > end(b); });
    if (events.empty()) events.push_back({0, {}});
    if (const auto freed_event = freed ? find(*freed, number, due) : std::nullopt;
        freed_event && end(*freed_event) > end(events.front()))
        events.insert(events.begin(), *freed_event);
    events.front().entry.gap = due - events.front().cycle;
    list.count = static_cast<unsigned>(std::min<std::size_t>(events.size(), wait_list::most));
    for (unsigned i = 0; i < list.count; ++i) list.entries[i] = events[i].entry;
}

} // namespace isbesim::testbench
