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
    : waiting(parts.reserves.size() + 1),
      number_(number),
      clock_(parts.clock),
      owner_(owner),
      poison_(parts.config.pe.poison),
      allocator_(parts.config.isbe.lines, parts.config.pe.allocation_policy, parts.reserves),
      port_("isbe_port" + std::to_string(number), parts.style, parts.clock, *this),
      launcher_(("launch_port" + std::to_string(number)).c_str(), parts.clock, *this)
{
    // A context slot is an SM warp slot, so the smaller number counts.
    const auto slots = std::min(parts.config.sm.warps, parts.config.isbe.contexts);
    for (unsigned slot = slots; slot-- > 0;) slots_.push_back(static_cast<std::uint16_t>(slot));
}

missing_space pe_site::place(warp_task& task)
{
    const auto needs = task.step->lines(task);
    const auto input = allocator_.allocate(needs.input, task.step->level());
    if (!input) return stall_reason::isbe_full;
    const auto output = allocator_.allocate(needs.output, task.step->level());
    if (!output || slots_.empty()) {
        if (output) allocator_.release(*output);
        allocator_.release(*input);
        return output ? stall_reason::warp_slot : stall_reason::isbe_full;
    }
    task.input_lines = *input;
    task.output_lines = *output;
    task.launch.context = slots_.back();
    slots_.pop_back();
    const auto now = clock_.now();
    counters_.lines.set(now, allocator_.lines_used());
    if (observer_ != nullptr) {
        const auto stage = task.step->stage();
        if (input->count != 0) observer_->allocated(number_, stage, space::input, *input, now);
        if (output->count != 0) observer_->allocated(number_, stage, space::output, *output, now);
    }
    return std::nullopt;
}

void pe_site::release_lines(extent& lines)
{
    if (lines.count == 0) return;
    if (poison_) {
        // Queued on the port before anything that a later owner of these lines could do.
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

void pe_site::launch(warp_task& task)
{
    const auto stage = static_cast<unsigned>(task.launch.stage);
    ++counters_.warps[stage];
    counters_.invocations[stage] += task.threads;
    launcher_.launch(task.launch, task.index);
}

} // namespace isbesim
