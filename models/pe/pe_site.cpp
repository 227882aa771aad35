// SPDX-License-Identifier: Apache-2.0
#include "models/pe/pe_site.h"

#include <algorithm>

namespace isbesim {

void wait_meter::update(std::uint64_t now, missing_space next)
{
    if (cause) {
        cycles[*cause] += now - since;
        all[*cause] += now - since;
        total += now - since;
    }
    cause = next;
    since = now;
}

pe_site::pe_site(unsigned number, const pe_site_parts& parts, client& owner)
    : waiting(parts.buffers.stages.size()),
      number_(number),
      clock_(parts.clock),
      owner_(owner),
      poison_(parts.config.pe.poison),
      allocator_(parts.buffers),
      // A context slot is also an SM warp slot, so the smaller number is the limit.
      slots_(std::min(parts.config.sm.warps, parts.config.isbe.contexts), parts.config.sm.schedulers),
      low_watermark_(parts.config.pe.low_watermark),
      high_watermark_(parts.config.pe.high_watermark),
      port_("isbe_port" + std::to_string(number), parts.style, parts.clock, *this),
      launcher_(("launch_port" + std::to_string(number)).c_str(), parts.clock, *this)
{
}

void pe_site::divide(const buffer_plan& plan)
{
    allocator_ = line_allocator(plan);
    waiting.resize(plan.stages.size());
}

void pe_site::rewind()
{
    slots_.rewind();
    paused_ = false;
}

bool pe_site::pauses() const
{
    const auto warps = slots_.taken();
    return warps > high_watermark_ || (paused_ && warps > low_watermark_);
}

missing_space pe_site::place(warp_task& task)
{
    const auto needs = task.step->lines(task);
    const auto level = task.step->level();
    const auto lines = allocator_.allocate(needs, level);
    const bool has_slot = slots_.free() != 0 && !(level == 0 && pauses());
    if (!lines) return has_slot ? stall_reason::isbe_full : stall_reason::lines_and_slot;
    if (level == 0 && slots_.free() != 0) paused_ = !has_slot;
    if (!has_slot) {
        allocator_.take_back(*lines);
        return stall_reason::warp_slot;
    }
    task.input_lines = lines->input;
    task.output_lines = lines->output;
    task.launch.context = slots_.take();
    const auto now = clock_.now();
    counters_.lines.set(now, allocator_.lines_used());
    if (observer_ != nullptr) {
        const auto stage = task.step->stage();
        if (lines->input.count != 0) observer_->allocated(number_, stage, space::input, lines->input, now);
        if (lines->output.count != 0) observer_->allocated(number_, stage, space::output, lines->output, now);
    }
    return std::nullopt;
}

void pe_site::release_lines(extent& lines)
{
    if (lines.count == 0) return;
    if (poison_) {
        // Queued on the port before any access of a later owner of these lines.
        per_lane<word> pattern;
        for (auto line = lines.first; line < lines.first + lines.count; ++line) {
            for (unsigned i = 0; i < warp_lanes; ++i) pattern[i] = 0xdead0000U | ((line * warp_lanes + i) & 0xffffU);
            port_.write({line * line_bytes, 4}, all_lanes, pattern);
        }
    }
    allocator_.release(lines);
    if (observer_ != nullptr) observer_->released(number_, lines, clock_.now());
    lines = {};
    counters_.lines.set(clock_.now(), allocator_.lines_used());
}

void pe_site::book(wait_meter& waited)
{
    if (waited.total == 0) return;
    for (std::size_t r = 0; r < stall_reason_count; ++r) counters_.stalls.values[r] += waited.cycles.values[r];
    if (observer_ != nullptr) observer_->waited(number_, waited.cycles, clock_.now());
    waited.cycles = {};
    waited.total = 0;
}

void pe_site::launch(warp_task& task, const cause& because)
{
    const auto stage = static_cast<unsigned>(task.launch.stage);
    ++counters_.warps[stage];
    counters_.invocations[stage] += task.threads;
    launcher_.launch(task.launch, task.index, because);
}

warp_slots::warp_slots(unsigned count, unsigned schedulers) : count_(count), schedulers_(schedulers)
{
    for (auto slot = count; slot-- > 0;)
        schedulers_[slot % schedulers].free.push_back(static_cast<std::uint16_t>(slot));
}

std::uint16_t warp_slots::take()
{
    scheduler_slots* best = nullptr;
    for (auto& each : schedulers_)
        if (!each.free.empty() && (best == nullptr || each.taken < best->taken)) best = &each;
    const auto slot = best->free.back();
    best->free.pop_back();
    ++best->taken;
    ++taken_;
    return slot;
}

void warp_slots::rewind()
{
    for (auto& each : schedulers_) std::sort(each.free.rbegin(), each.free.rend());
}

void warp_slots::give_back(std::uint16_t slot)
{
    auto& its = schedulers_[slot % schedulers_.size()];
    its.free.push_back(slot);
    --its.taken;
    --taken_;
}

} // namespace isbesim
