// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stages/geometry_step.h"

#include <algorithm>

namespace isbesim {

geometry_step::geometry_step(const step_parts& parts, unsigned level)
    : geometry_warp_step(parts, level),
      plan_(linked_.program->header.output_topology, config_.gs_slot_order, pipeline_.geometry.first_provokes)
{
}

word geometry_step::vertex_number(const warp_task& task, unsigned lane, unsigned slot) const
{
    return gs_slot_index(config_.gs_slot_order, slot, lane, task.context.geometry);
}

bool geometry_step::read_back(warp_task& task, isbe_access& isbe)
{
    auto& left = left_[task];
    switch (task.round++) {
    case 0: {
        const auto maximum = task.context.geometry.max_vertices;
        for (unsigned lane = 0; lane < task.threads; ++lane) {
            auto& count = task.completion.vertex_count[lane];
            count = static_cast<std::uint16_t>(std::min<unsigned>(count, maximum));
            if ((task.completion.lost >> lane & 1U) != 0) count = 0;
            if (((task.completion.lost | task.completion.stale) >> lane & 1U) != 0) ++lost_threads_;
        }
        read_tokens(task, left, isbe);
        return !left.tokens.empty();
    }
    case 1:
        return read_vertices(task, left, isbe);
    default:
        return false;
    }
}

// Reads every token up to that of the last emitted vertex. The output MAP starts with the count word.
void geometry_step::read_tokens(const warp_task& task, left_behind& left, isbe_access& isbe) const
{
    unsigned tokens = 0;
    for (unsigned lane = 0; lane < task.threads; ++lane)
        if (const unsigned count = task.completion.vertex_count[lane]; count != 0)
            tokens = std::max(tokens, vertex_number(task, lane, count - 1) + 1);
    const auto words = (tokens + 3) / 4;
    const auto base = task.context.output.map_base + gs_token_offset(0);
    left.tokens.assign((words + warp_lanes - 1) / warp_lanes * warp_lanes, 0);
    for (unsigned first = 0; first < words; first += warp_lanes)
        isbe.read({base + first * 4, 4}, first_lanes(words - first), left.tokens.data() + first);
}

const emission_plan& geometry_step::plan_of(const warp_task& task, const left_behind& left)
{
    const auto groups = (task.context.output.vertex_count + warp_lanes - 1) / warp_lanes;
    plan_.find({task.context.geometry, task.completion.vertex_count, &left.tokens, groups});
    return plan_;
}

// Reads the captured attributes of the vertices that were emitted to an enabled stream.
bool geometry_step::read_vertices(const warp_task& task, const left_behind& left, isbe_access& isbe)
{
    const auto& plan = plan_of(task, left);
    const auto& emitted = plan.emitted();
    const auto groups = static_cast<unsigned>(emitted.size());
    auto& captured = parts_[task].captured;
    captured.resize(plan.any_emitted() ? capture_.buffer_words(groups) : 0);
    reads_.clear();
    for (unsigned group = 0; group < groups; ++group)
        if (emitted[group] != 0)
            capture_.add_reads(reads_, task.context.output, group, emitted[group], groups, captured.data());
    isbe.read_all(reads_);
    return !captured.empty();
}

void geometry_step::finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host&)
{
    const auto& left = left_[task];
    word primitives = 0;
    if (!left.tokens.empty()) {
        const auto& plan = plan_of(task, left);
        const auto groups = static_cast<unsigned>(plan.emitted().size());
        for (unsigned s = 0; s < output.streams.size(); ++s) {
            if (plan.rows(s).empty()) continue;
            output.streams[s].primitive_vertices = plan.primitive_vertices();
            capture_.append(output.streams[s], s, plan.rows(s), groups, parts_[task].captured.data());
        }
        primitives = plan.primitives();
    }
    write_count(task, primitives, isbe);
}

void geometry_step::add_to(pe_draw_counters& counters) const
{
    geometry_warp_step::add_to(counters);
    counters.lost_threads += lost_threads_;
}

} // namespace isbesim
