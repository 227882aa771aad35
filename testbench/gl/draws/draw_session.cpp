// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/draw_session.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

#include "models/sm/warnings/trap_codes.h"
#include "testbench/gl/channel/render_target.h"
#include "testbench/gl/channel/three_d_methods.h"
#include "testbench/gl/draws/dispatch.h"
#include "testbench/gl/draws/draw_programs.h"
#include "tlm/hex.h"

namespace isbesim::gl {

void draw_session::draw(const three_d_state& state, const drawn_vertices& vertices)
{
    // The channel has already counted this draw.
    if (!parts_.range.draws.contains(parts_.counts.draws - 1) || !parts_.range.frames.contains(parts_.counts.frames)) {
        ++parts_.counts.skipped["draws outside --draws and --frames"];
        note_pixels(state);
        return;
    }
    try {
        const auto known = builder_.program_count();
        auto built = builder_.build(state, vertices);
        built.record_bytes = record.bytes;
        parts_.counts.programs += builder_.program_count() - known;
        if (parts_.listener != nullptr) tell(built);
        if (parts_.executor == nullptr) return;
        const auto facts = facts_of(state, built);
        const auto streams_out = std::any_of(built.capture.begin(), built.capture.end(),
                                             [](const auto& columns) { return !columns.empty(); });
        if (built.memory == nullptr && !streams_out) {
            begin(built, facts);
        } else {
            separate();
            if (streams_out) parts_.memory.carry_out_fills(); // they come before the vertices
            ended(facts, parts_.executor->run({built, builder_.programs(), {}}, parts_.memory, builder_.stream_out(),
                                              position_));
        }
    } catch (const draw_refused& reason) {
        ++parts_.counts.refused[reason.what()];
    }
    if (builder_.fragments_store(state)) ++parts_.counts.skipped[fragments_store];
    note_pixels(state);
}

void draw_session::begin(draw_call& draw, const counted_draw& facts)
{
    const auto joins = [&] {
        return group_->facts.rasterizes == facts.rasterizes && parts_.executor->overlaps() &&
               group_->draws.add(draw, builder_.programs(), record);
    };
    if (group_ == nullptr || !joins()) {
        separate();
        group_ = std::make_shared<counted_group>();
        group_->facts = facts;
        group_->draws.add(draw, builder_.programs(), record);
    }
    group_->vertices.push_back(facts.vertices);
}

void draw_session::separate()
{
    if (group_ == nullptr) return;
    const auto begin = [this](const std::shared_ptr<counted_group>& group, const draw_call& call,
                              const draw_executor::end_of_draw& ended) {
        parts_.executor->begin({call, group->draws.programs(), {}}, parts_.memory, ended);
    };
    const auto group = std::exchange(group_, nullptr);
    begin(group, group->draws.call(), [this, group, begin](const draw_result& result) {
        const auto& vertices = group->vertices;
        auto facts = group->facts;
        if (result.done || vertices.size() == 1) {
            facts.vertices = std::accumulate(vertices.begin(), vertices.end(), std::uint64_t{0});
            ended(facts, result, vertices.size());
            return;
        }
        for (std::size_t i = 0; i < vertices.size(); ++i) { // those that can run do
            facts.vertices = vertices[i];
            begin(group, group->draws.one(i), [this, facts](const draw_result& one) { ended(facts, one); });
        }
    });
}

draw_session::counted_draw draw_session::facts_of(const three_d_state& state, const draw_call& draw) const
{
    const auto has = [&](stage which) { return draw.stages.count(which) != 0; };
    return {builder_.vertices() * draw.instance_count, draw.topology == topology::mesh, has(stage::tess_init),
            has(stage::geometry), state.at(three_d::rasterizer_enable) != 0};
}

void draw_session::ended(const counted_draw& draw, const draw_result& result, std::uint64_t draws)
{
    if (!result.done) {
        ++parts_.counts.refused[result.text.data()];
        return;
    }
    if (result.traps != 0) parts_.counts.trapped[result.trap.data()] += result.traps;
    parts_.counts.executed += draws;
    if (result.read_undrawn) ++parts_.counts.skipped[images_sampled];
    count(draw, result);
}

void draw_session::settle()
{
    separate();
    if (parts_.executor != nullptr) parts_.executor->settle();
}

void draw_session::dispatch(const three_d_state& state, const launch_descriptor& what)
{
    settle();
    if (parts_.executor == nullptr) {
        ++parts_.counts.skipped["dispatches, where nothing is run"];
        return;
    }
    try {
        const auto known = builder_.program_count();
        const auto ran = run_dispatch(state, what, parts_.chip, parts_.memory, builder_.sources());
        parts_.counts.programs += builder_.program_count() - known;
        if (ran.count != 0)
            parts_.counts
                .trapped[std::string(trap_code::name_of(ran.first)) + " in a compute program at " + hex(ran.address)] +=
                ran.count;
        ++parts_.counts.dispatched;
        transfer(ran.stored); // drivers copy by dispatches, too
        if (what.signals) ++parts_.counts.skipped["semaphores and further launches that a dispatch ends with"];
    } catch (const draw_refused& reason) {
        ++parts_.counts.refused[reason.what()];
    }
    parts_.memory.empty_holes();
    if (parts_.memory.take_undrawn_was_read()) ++parts_.counts.skipped[images_dispatched];
}

void draw_session::note_pixels(const three_d_state& state)
{
    if (!program_source::has_fragments(state)) return;
    const auto note = [&](const render_target& target) {
        if (target.code != 0) parts_.memory.set_undrawn(target.memory());
    };
    constexpr unsigned most_targets = 8;
    for (unsigned i = 0; i < most_targets; ++i) note(colour_target(state, i));
    const auto on = [&](std::uint32_t method) { return (state.at(method) & 1) != 0; };
    if ((on(three_d::depth_test) && on(three_d::depth_write)) || on(three_d::stencil_test)) note(depth_target(state));
    if (on(three_d::stencil_test)) note(stencil_target(state));
}

void draw_session::tell(const draw_call& draw)
{
    std::vector<memory_extent> memory;
    if (draw.memory != nullptr)
        for (const auto address : reach_) memory.push_back(parts_.memory.extent(address));
    try {
        parts_.listener->draw({draw, builder_.programs(), memory});
    } catch (const draw_refused& reason) {
        ++parts_.counts.refused[reason.what()];
    }
}

void draw_session::count(const counted_draw& draw, const draw_result& result)
{
    const auto add = [&](report_kind kind, std::uint64_t value) { counters_[static_cast<unsigned>(kind)] += value; };
    const auto invocations_of = [&](stage which) { return result.invocations[static_cast<unsigned>(which)]; };
    std::uint64_t streamed = 0;
    for (unsigned i = 0; i < 4; ++i) {
        generated_[i] += result.primitives_out[i];
        streamed += result.primitives_out[i];
    }
    if (!draw.is_mesh) {
        add(report_kind::vertices, draw.vertices);
        add(report_kind::primitives, result.primitives_in);
    }
    add(report_kind::vertex_invocations, invocations_of(stage::vertex));
    // Patches, not the threads that run for them.
    if (draw.has_control) add(report_kind::control_invocations, result.primitives_in);
    add(report_kind::evaluation_invocations, invocations_of(stage::tess));
    add(report_kind::geometry_invocations, invocations_of(stage::geometry));
    if (draw.has_geometry) add(report_kind::geometry_primitives, streamed);
    if (!draw.rasterizes) return;
    // Without a clipper and a rasteriser everything passes, and all primitives count as visible.
    add(report_kind::clipper_in, result.primitives_out[0]);
    add(report_kind::clipper_out, result.primitives_out[0]);
    add(report_kind::samples, result.primitives_out[0]);
}

std::uint64_t draw_session::report(report_kind kind, unsigned stream_or_buffer)
{
    settle();
    const auto index = stream_or_buffer & 3;
    switch (kind) {
    case report_kind::primitives_generated:
        return generated_[index];
    case report_kind::stream_out_written:
        return position_.written[index];
    case report_kind::stream_out_needed:
        return position_.needed[index];
    case report_kind::stream_out_overflow:
        return position_.needed[index] - position_.written[index];
    case report_kind::any_stream_out_overflow: {
        std::uint64_t sum = 0;
        for (unsigned i = 0; i < 4; ++i) sum += position_.needed[i] - position_.written[i];
        return sum;
    }
    case report_kind::stream_out_offset:
        return position_.offset[index];
    case report_kind::samples:
    case report_kind::fragment_invocations:
        ++parts_.counts.skipped[pixels_counted];
        return counters_[static_cast<unsigned>(kind)];
    default:
        return counters_[static_cast<unsigned>(kind) & 0x1f];
    }
}

void draw_session::clear(report_kind kind)
{
    settle();
    if (kind == report_kind::primitives_generated)
        generated_.fill(0);
    else if (kind == report_kind::stream_out_written)
        position_.written.fill(0);
    else if (kind == report_kind::stream_out_needed)
        position_.needed.fill(0);
    else
        counters_[static_cast<unsigned>(kind)] = 0;
}

void draw_session::transfer(std::uint64_t bytes)
{
    separate();
    if (parts_.executor != nullptr) parts_.executor->transfer(bytes);
}

std::uint64_t draw_session::nanoseconds()
{
    settle();
    const auto simulated = parts_.executor != nullptr ? parts_.executor->nanoseconds() : std::nullopt;
    if (simulated) return *simulated;
    // The clock of the driver's PTIMER parameter.
    return static_cast<std::uint64_t>(
        std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

void draw_session::set_stream_out_offset(unsigned buffer, std::uint32_t offset)
{
    if (buffer < position_.offset.size()) position_.offset[buffer] = offset;
}

} // namespace isbesim::gl
