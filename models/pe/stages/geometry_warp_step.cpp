// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stages/geometry_warp_step.h"

#include <algorithm>

#include "models/pe/linking/connectivity.h"

namespace isbesim {

geometry_warp_step::geometry_warp_step(const step_parts& parts, unsigned level)
    : later_step(parts, level), capture_(parts.capture)
{
}

void geometry_warp_step::start(warp_task& parent, task_host& host)
{
    const auto threads = parent.result->vertices.primitive_count() * pipeline_.geometry.instances;
    const auto share = linked_geometry::even_share(threads, pipeline_.geometry.threads);
    for (unsigned first = 0; first < threads; first += share) {
        auto& task = host.spawn(parent, *this);
        parts_[task].first_thread = first;
        task.threads = std::min(share, threads - first);
        task.shares = linked_.shares() && task.threads == threads;
    }
}

space_needs geometry_warp_step::output_needs(const warp_task& task) const
{
    return geometry_output_needs(pipeline_, linked_, task.threads);
}

task_lines geometry_warp_step::lines(const warp_task& task) const
{
    if (task.shares) return {};
    return {0, space_lines(output_needs(task), config_.skew)};
}

void geometry_warp_step::write_count(const warp_task& task, word count, isbe_access& isbe) const
{
    const auto word_there = count_in_map(count, config_);
    write_words(isbe, task.context.output.map_base, &word_there, 1);
}

void geometry_warp_step::write_vertices(const warp_task& task, isbe_access& isbe) const
{
    std::array<word, (count_bytes + warp_lanes) / 4> words{};
    words[0] = count_in_map(task.threads, config_);
    for (unsigned i = 0; i < task.threads; ++i) words[(count_bytes + i) / 4] |= i << (i % 4 * 8);
    write_words(isbe, task.context.output.map_base, words.data(), (count_bytes + task.threads + 3) / 4);
}

void geometry_warp_step::prepare(warp_task& task, isbe_access& isbe, task_host&)
{
    const auto& input = task.work->space.layout;
    const auto needs = output_needs(task);
    set_up(task, input,
           task.shares ? place_over(input, needs, config_.skew)
                       : place_space(needs, task.output_lines.first, config_.skew));
    if (pipeline_.geometry.fast)
        write_vertices(task, isbe);
    else
        write_count(task, 0, isbe);
    const auto& header = linked_.program->header;
    const auto maximum = pipeline_.geometry.fast ? 1 : header.max_output_vertex_count;
    task.context.geometry = {maximum, task.threads, static_cast<std::uint8_t>(header.stream_out_mask)};
    task.context.fast_geometry = pipeline_.geometry.fast;
    task.launch.fast_geometry = pipeline_.geometry.fast;

    const auto first = parts_[task].first_thread;
    auto& special = task.launch.special;
    for (unsigned lane = 0; lane < task.threads; ++lane) {
        const auto thread = first + lane;
        const auto primitive = thread / pipeline_.geometry.instances;
        task.context.primitive[lane] = static_cast<std::uint8_t>(primitive);
        special.invocation_info[lane] = primitive | pipeline_.geometry.primitive_vertices << 16;
        special.invocation_id[lane] = thread % pipeline_.geometry.instances;
    }
}

} // namespace isbesim
