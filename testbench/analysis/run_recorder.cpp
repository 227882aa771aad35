// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/run_recorder.h"

#include <algorithm>

namespace isbesim::testbench {

void run_recorder::watch(simulated_system& system, warp_initiator::style style)
{
    system_ = &system;
    const auto& config = system.config();
    const bool transfers = style == warp_initiator::style::approximately_timed;
    for (unsigned i = 0; i < system.sm_count(); ++i) {
        sites_.push_back(
            std::make_unique<site_recorder>(hub_, site_facts{i, config.isbe.ports, config.sm.warps, transfers}));
        system.isbe(i).attach(*sites_.back());
        system.sm(i).attach(*sites_.back());
    }
    system.pe().attach(*this);
}

void run_recorder::watch(isbe_module& isbe, unsigned ports, warp_initiator::style style)
{
    const bool transfers = style == warp_initiator::style::approximately_timed;
    sites_.push_back(std::make_unique<site_recorder>(hub_, site_facts{0, ports, 0, transfers}));
    isbe.attach(*sites_.back());
}

void run_recorder::batch_formed(unsigned primitives, unsigned vertices, std::uint64_t bytes, std::uint64_t cycle,
                                std::uint64_t fetched)
{
    const batch_event event{batches_++, primitives, vertices, bytes, cycle, fetched};
    for (auto* listener : hub_.listeners()) listener->batch(event);
}

void run_recorder::allocated(unsigned sm, isbesim::stage stage, isbesim::space role, const extent& lines,
                             std::uint64_t cycle)
{
    spaces_.push_back({sm, stage, role, lines, cycle, no_value, hub_.next_order(), no_value});
    lines_ += lines.count;
    lines_peak_ = std::max(lines_peak_, lines_);
    hub_.level({level_kind::lines, sm, cycle, lines.count});
}

void run_recorder::released(unsigned sm, const extent& lines, std::uint64_t cycle)
{
    const auto found = std::find_if(spaces_.begin(), spaces_.end(), [&](const space_event& space) {
        return space.sm == sm && space.lines.first == lines.first;
    });
    if (found == spaces_.end()) return;
    found->released = cycle;
    found->release_order = hub_.next_order();
    lines_ -= found->lines.count;
    hub_.level({level_kind::lines, sm, cycle, -static_cast<std::int64_t>(found->lines.count)});
    for (auto* listener : hub_.listeners()) listener->space(*found);
    *found = spaces_.back();
    spaces_.pop_back();
}

void run_recorder::waited(unsigned sm, const stall_cycles& cycles, std::uint64_t cycle)
{
    for (auto* listener : hub_.listeners()) listener->wait({sm, cycle, cycles});
}

void run_recorder::streamed_out(const passed_output& what, std::uint64_t cycle)
{
    for (auto* listener : hub_.listeners()) listener->output({what, cycle});
}

void run_recorder::finish()
{
    // Grants and stalls up to now are computed on request.
    for (unsigned i = 0; system_ != nullptr && i < system_->sm_count(); ++i) {
        system_->counters(i);
        system_->sm(i).counters();
    }
    for (auto& site : sites_) site->finish();
    for (const auto& space : spaces_)
        for (auto* listener : hub_.listeners()) listener->space(space);
    spaces_.clear();
}

} // namespace isbesim::testbench
