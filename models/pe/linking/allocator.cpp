// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/allocator.h"

#include <algorithm>
#include <stdexcept>

namespace isbesim {

line_area::line_area(unsigned first, unsigned lines, allocation_rule rule) : first_(first), lines_(lines), rule_(rule)
{
    if (lines != 0) gaps_.push_back({first, lines});
}

std::optional<extent> line_area::allocate(unsigned count, side preferred)
{
    const auto gaps = gaps_.size();
    auto best = gaps;
    for (std::size_t i = 0; i < gaps; ++i) {
        const auto g = preferred == side::start ? i : gaps - 1 - i;
        if (gaps_[g].count < count || (best != gaps && gaps_[g].count >= gaps_[best].count)) continue;
        best = g;
        if (rule_ == allocation_rule::first_fit) break;
    }
    if (best == gaps) return std::nullopt;
    auto& gap = gaps_[best];
    gap.count -= count;
    const extent space{preferred == side::start ? gap.first : gap.first + gap.count, count};
    if (preferred == side::start) gap.first += count;
    if (gap.count == 0) gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(best));
    return space;
}

void line_area::release(const extent& space)
{
    if (!holds(space)) throw std::logic_error("released lines that were not allocated");
    const auto after = std::lower_bound(gaps_.begin(), gaps_.end(), space,
                                        [](const extent& a, const extent& b) { return a.first < b.first; });
    const auto touches_after = after != gaps_.end() && space.first + space.count == after->first;
    const auto touches_before = after != gaps_.begin() && (after - 1)->first + (after - 1)->count == space.first;
    if (touches_before && touches_after) {
        (after - 1)->count += space.count + after->count;
        gaps_.erase(after);
    } else if (touches_before) {
        (after - 1)->count += space.count;
    } else if (touches_after) {
        after->first = space.first;
        after->count += space.count;
    } else {
        gaps_.insert(after, space);
    }
}

std::optional<extent> line_ring::allocate(unsigned count)
{
    if (count > lines_) return std::nullopt;
    auto next = first_;
    if (!entries_.empty()) {
        const auto oldest = entries_.front().space.first;
        const auto& newest = entries_.back().space;
        next = newest.first + newest.count;
        // The free lines are one run after the newest space, or two: to the end and from the start to the oldest.
        const auto wrapped = newest.first < oldest;
        if (!wrapped && next + count > first_ + lines_) {
            next = first_;
            if (next + count > oldest) return std::nullopt;
        } else if (wrapped && next + count > oldest) {
            return std::nullopt;
        }
    }
    entries_.push_back({{next, count}, false});
    return entries_.back().space;
}

void line_ring::release(const extent& space)
{
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const entry& e) {
        return !e.released && e.space.first == space.first && e.space.count == space.count;
    });
    if (found == entries_.end()) throw std::logic_error("released lines that were not allocated");
    found->released = true;
    while (!entries_.empty() && entries_.front().released) entries_.pop_front();
}

line_allocator::line_allocator(const buffer_plan& plan) : plan_(plan), outputs_(plan.stages.size()), owners_(plan.lines)
{
    unsigned end = 0;
    for (const auto& share : plan.stages) {
        if (plan.rule == buffer_rule::alpha_beta)
            rings_.emplace_back(share.first, share.lines);
        else
            areas_.emplace_back(share.first, share.lines, plan.policy);
        end = std::max(end, share.first + share.lines);
    }
    for (const auto& share : plan.stages) rings_.emplace_back(0, share.inputs);
    if (plan.rule == buffer_rule::unified) areas_.emplace_back(end, plan.lines - end, plan.policy);
}

line_ring& line_allocator::ring(unsigned level, bool output)
{
    const bool apart = !output && plan_.stages[level].inputs != 0;
    return rings_[apart ? plan_.stages.size() + level : level];
}

// Outputs stay longer than inputs; taken from opposite sides, they do not fragment each other's lines.
std::optional<extent> line_allocator::place(unsigned count, unsigned level, bool output)
{
    if (count == 0) return extent{};
    if (plan_.rule == buffer_rule::alpha_beta) return ring(level, output).allocate(count);
    const auto preferred = output ? line_area::side::start : line_area::side::end;
    if (const auto own = areas_[level].allocate(count, preferred)) return own;
    return areas_.back().allocate(count, preferred);
}

/// Undoes place().
void line_allocator::displace(const extent& space, unsigned level, bool output)
{
    if (space.count == 0) return;
    if (plan_.rule == buffer_rule::alpha_beta)
        ring(level, output).take_back();
    else
        (areas_[level].holds(space) ? areas_[level] : areas_.back()).release(space);
}

void line_allocator::book(const extent& space, unsigned level, bool output)
{
    if (space.count == 0) return;
    owners_[space.first] = {level, output};
    if (output) ++outputs_[level];
    used_ += space.count;
    peak_ = std::max(peak_, used_);
}

void line_allocator::strike(const extent& space)
{
    const auto& was = owners_.at(space.first);
    if (was.output) --outputs_[was.level];
    used_ -= space.count;
}

std::optional<warp_lines> line_allocator::allocate(const task_lines& needs, unsigned level)
{
    const auto limit = plan_.stages[level].outputs;
    if (needs.output != 0 && limit != 0 && outputs_[level] >= limit) return std::nullopt;
    const auto input = place(needs.input, level, false);
    if (!input) return std::nullopt;
    const auto output = place(needs.output, level, true);
    if (!output) {
        displace(*input, level, false);
        return std::nullopt;
    }
    book(*input, level, false);
    book(*output, level, true);
    return warp_lines{*input, *output};
}

void line_allocator::take_back(const warp_lines& lines)
{
    for (const auto& space : {lines.output, lines.input}) {
        if (space.count == 0) continue;
        const auto& was = owners_.at(space.first);
        displace(space, was.level, was.output);
        strike(space);
    }
}

void line_allocator::release(const extent& space)
{
    if (space.count == 0) return;
    const auto& was = owners_.at(space.first);
    if (plan_.rule == buffer_rule::alpha_beta)
        ring(was.level, was.output).release(space);
    else
        displace(space, was.level, was.output);
    strike(space);
}

} // namespace isbesim
