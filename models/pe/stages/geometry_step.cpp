#include "models/pe/stages/geometry_step.h"

#include <algorithm>

#include "models/pe/stream_out/collection.h"

namespace isbesim {

namespace {

gs_token token_of(const std::vector<word>& tokens, unsigned number)
{
    return decode_gs_token(static_cast<std::uint8_t>(tokens[number / 4] >> (number % 4 * 8)));
}

} // namespace

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
            if ((task.completion.lost >> lane & 1U) == 0) continue;
            count = 0;
            ++lost_threads_;
        }
        left.emitted.clear();
        read_tokens(task, left, isbe);
        return !left.tokens.empty();
    }
    case 1:
        return read_vertices(task, left, isbe);
    default:
        return false;
    }
}

// Every token up to the last vertex that anybody emitted. The output MAP starts with the count word.
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

// The captured attributes of the vertices that were emitted to an enabled stream.
bool geometry_step::read_vertices(const warp_task& task, left_behind& left, isbe_access& isbe)
{
    const auto groups = (task.context.output.vertex_count + warp_lanes - 1) / warp_lanes;
    left.emitted.assign(groups, 0);
    for (unsigned lane = 0; lane < task.threads; ++lane)
        for (unsigned slot = 0; slot < task.completion.vertex_count[lane]; ++slot) {
            const auto number = vertex_number(task, lane, slot);
            if (token_of(left.tokens, number).enabled)
                left.emitted[number / warp_lanes] |= lane_mask{1} << number % warp_lanes;
        }
    const auto any = std::any_of(left.emitted.begin(), left.emitted.end(), [](lane_mask lanes) { return lanes != 0; });
    auto& captured = parts_[task].captured;
    captured.resize(any ? capture_.buffer_words(groups) : 0);
    for (unsigned group = 0; group < groups; ++group)
        if (left.emitted[group] != 0)
            capture_.read(isbe, task.context.output, group, left.emitted[group], groups, captured.data());
    return !captured.empty();
}

void geometry_step::finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host&)
{
    const auto& left = left_[task];
    const auto* const captured = parts_[task].captured.data();
    word primitives = 0;
    const auto groups = static_cast<unsigned>(left.emitted.size());
    const auto kind = linked_.program->header.output_topology;
    output_primitive found;
    for (unsigned lane = 0; lane < task.threads; ++lane) {
        strip_collector strip(kind);
        for (unsigned slot = 0; slot < task.completion.vertex_count[lane]; ++slot) {
            const auto number = vertex_number(task, lane, slot);
            const auto here = token_of(left.tokens, number);
            if (!here.vertex || !strip.add(here, number, found)) continue;
            ++primitives;
            auto& rows = output.streams[found.stream];
            rows.primitive_vertices = found.count;
            for (unsigned i = 0; i < found.count; ++i)
                capture_.append(rows, found.stream, found.vertex[i], groups, captured);
        }
    }
    write_count(task, primitives, isbe);
}

void geometry_step::add_to(pe_draw_counters& counters) const
{
    geometry_warp_step::add_to(counters);
    counters.lost_threads += lost_threads_;
}

} // namespace isbesim
