#include "models/pe/geometry_step.h"

#include <algorithm>

#include "models/pe/collection.h"

namespace isbesim {

word geometry_step::vertex_number(const warp_task& task, unsigned lane, unsigned slot) const
{
    return gs_slot_index(config_.gs_slot_order, slot, lane, task.context.geometry);
}

gs_token geometry_step::token(const warp_task& task, unsigned number) const
{
    return decode_gs_token(static_cast<std::uint8_t>(task.tokens[number / 4] >> (number % 4 * 8)));
}

bool geometry_step::read_back(warp_task& task, isbe_access& isbe)
{
    if (task.round == 0) {
        const auto maximum = task.context.geometry.max_vertices;
        for (unsigned lane = 0; lane < task.threads; ++lane) {
            auto& count = task.completion.vertex_count[lane];
            count = static_cast<std::uint16_t>(std::min<unsigned>(count, maximum));
            if ((task.completion.lost >> lane & 1U) == 0) continue;
            count = 0;
            ++lost_threads_;
        }
        read_tokens(task, isbe);
    } else if (task.round == 1) {
        read_vertices(task, isbe);
    } else {
        return false;
    }
    ++task.round;
    return task.round == 1 ? !task.tokens.empty() : !task.captured.empty();
}

// Every token up to the last vertex that anybody emitted. The output MAP starts with the count word.
void geometry_step::read_tokens(warp_task& task, isbe_access& isbe) const
{
    unsigned tokens = 0;
    for (unsigned lane = 0; lane < task.threads; ++lane)
        if (const unsigned count = task.completion.vertex_count[lane]; count != 0)
            tokens = std::max(tokens, vertex_number(task, lane, count - 1) + 1);
    const auto words = (tokens + 3) / 4;
    const auto base = task.context.output.map_base + gs_token_offset(0);
    task.tokens.assign((words + warp_lanes - 1) / warp_lanes * warp_lanes, 0);
    for (unsigned first = 0; first < words; first += warp_lanes)
        isbe.read({base + first * 4, 4}, first_lanes(words - first), task.tokens.data() + first);
}

// The captured attributes of the vertices that were emitted to an enabled stream.
void geometry_step::read_vertices(warp_task& task, isbe_access& isbe) const
{
    const auto groups = (task.context.output.vertex_count + warp_lanes - 1) / warp_lanes;
    task.emitted.assign(groups, 0);
    for (unsigned lane = 0; lane < task.threads; ++lane)
        for (unsigned slot = 0; slot < task.completion.vertex_count[lane]; ++slot) {
            const auto number = vertex_number(task, lane, slot);
            if (token(task, number).enabled) task.emitted[number / warp_lanes] |= lane_mask{1} << number % warp_lanes;
        }
    const auto any = std::any_of(task.emitted.begin(), task.emitted.end(), [](lane_mask lanes) { return lanes != 0; });
    task.captured.resize(any ? capture_.buffer_words(groups) : 0);
    for (unsigned group = 0; group < groups; ++group)
        if (task.emitted[group] != 0)
            capture_.read(isbe, task.context.output, group, task.emitted[group], groups, task.captured.data());
}

void geometry_step::finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host&)
{
    word primitives = 0;
    const auto groups = static_cast<unsigned>(task.emitted.size());
    const auto kind = linked_.program->header.output_topology;
    output_primitive found;
    for (unsigned lane = 0; lane < task.threads; ++lane) {
        strip_collector strip(kind);
        for (unsigned slot = 0; slot < task.completion.vertex_count[lane]; ++slot) {
            const auto number = vertex_number(task, lane, slot);
            const auto here = token(task, number);
            if (!here.vertex || !strip.add(here, number, found)) continue;
            ++primitives;
            auto& rows = output.streams[found.stream];
            rows.primitive_vertices = found.count;
            for (unsigned i = 0; i < found.count; ++i)
                capture_.append(rows, found.stream, found.vertex[i], groups, task.captured.data());
        }
    }
    write_count(task, primitives, isbe);
}

} // namespace isbesim
