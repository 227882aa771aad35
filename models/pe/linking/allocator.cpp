// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/allocator.h"

#include <algorithm>

namespace isbesim {

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
    const auto from = output ? line_area::side::start : line_area::side::end;
    if (const auto own = areas_[level].allocate(count, from)) return own;
    return areas_.back().allocate(count, from);
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
