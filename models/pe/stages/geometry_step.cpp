// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/pe/stages/geometry_warp_step.h"
#include "models/pe/stages/pipeline_steps.h"
#include "models/pe/stream_out/emission_plan.h"

namespace isbesim {

namespace {

/// The geometry stage with output state: a thread emits vertices and cuts strips with OUT, which writes a token for
/// each vertex into the output MAP.
///
/// After collecting the warp, the PE writes a count in front of the tokens, over anything that a program wrote there:
/// the number of complete primitives that the tokens make on all enabled streams. The geometry stage is the last, so
/// only debug reads of the storage see this count. A token is an ordinary byte of the MAP: if a program overwrites the
/// token of an emitted vertex with ISBEWR, the PE collects the new value.
class geometry_step final : public geometry_warp_step {
public:
    geometry_step(const step_parts& parts, unsigned level)
        : geometry_warp_step(parts, level),
          plan_(linked_.program->header.output_topology, config_.gs_slot_order, pipeline_.geometry.first_provokes)
    {
    }

    bool read_back(warp_task& task, isbe_access& isbe) override
    {
        auto& left = left_[task];
        switch (task.round++) {
        case 0: {
            left.culled = 0;
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
            if (read_vertices(task, left, isbe)) return true;
            ++task.round;
            return read_kept(task, left, isbe);
        case 2:
            return read_kept(task, left, isbe);
        default:
            return false;
        }
    }
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host&) override
    {
        const auto& left = left_[task];
        word primitives = 0;
        output.vertices = 0;
        output.culled = left.culled;
        if (!left.tokens.empty()) {
            const auto& plan = plan_of(task, left);
            const auto groups = static_cast<unsigned>(plan.emitted().size());
            for (unsigned s = 0; s < output.streams.size(); ++s) {
                if (plan.rows(s).empty()) continue;
                output.streams[s].primitive_vertices = plan.primitive_vertices();
                capture_.append(output.streams[s], s, plan.rows(s), groups, parts_[task].captured.data());
            }
            primitives = plan.primitives();
            off_stream_ += plan.off_stream();
            short_strips_ += plan.short_strips();
            for (const auto lanes : plan.emitted()) output.vertices += static_cast<unsigned>(__builtin_popcount(lanes));
        }
        write_count(task, primitives, isbe);
    }
    void add_to(pe_draw_counters& counters) const override
    {
        geometry_warp_step::add_to(counters);
        counters.lost_threads += lost_threads_;
        counters.losses[draw_loss::vertices_off_stream] += off_stream_;
        counters.losses[draw_loss::short_strip_vertices] += short_strips_;
    }

private:
    struct left_behind {
        std::vector<word> tokens; ///< token bytes, four per word; empty if no vertex was emitted
        std::vector<word> late;   ///< the rest of what a rasteriser keeps
        std::vector<lane_mask> kept;
        std::uint64_t culled = 0;
    };

    /// Reads every token up to that of the last emitted vertex. The output MAP starts with the count word.
    void read_tokens(const warp_task& task, left_behind& left, isbe_access& isbe) const
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
    /// Returns false if there is nothing to read.
    /// Reads the captured attributes of the vertices that were emitted to an enabled stream.
    bool read_vertices(const warp_task& task, const left_behind& left, isbe_access& isbe)
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
    /// Reads the rest of the vertices of stream 0 that a rasteriser keeps; false if there is nothing to read.
    bool read_kept(const warp_task& task, left_behind& left, isbe_access& isbe)
    {
        if (!capture_.culls()) return false;
        const auto& plan = plan_of(task, left);
        const auto& rows = plan.rows(0);
        const auto k = plan.primitive_vertices();
        const auto groups = static_cast<unsigned>(plan.emitted().size());
        const auto places = capture_.places(groups);
        cull_counts dropped;
        left.kept.assign(groups, 0);
        for (std::size_t row = 0; row < rows.size(); row += k)
            cull_.sort(rows.data() + row, k, parts_[task].captured.data(), places, dropped, left.kept);
        left.culled = add_culled(dropped);
        reads_.clear();
        capture_.add_late_reads(reads_, task.context.output, left.kept, left.late);
        isbe.read_all(reads_);
        return !reads_.empty();
    }
    /// Valid until the next call.
    const emission_plan& plan_of(const warp_task& task, const left_behind& left)
    {
        const auto groups = (task.context.output.vertex_count + warp_lanes - 1) / warp_lanes;
        plan_.find({task.context.geometry, task.completion.vertex_count, &left.tokens, groups});
        return plan_;
    }
    word vertex_number(const warp_task& task, unsigned lane, unsigned slot) const
    {
        return gs_slot_index(config_.gs_slot_order, slot, lane, task.context.geometry);
    }

    per_task<left_behind> left_;
    emission_plan plan_; ///< of the last plan_of()
    std::uint64_t lost_threads_ = 0;
    std::uint64_t off_stream_ = 0;   ///< vertices
    std::uint64_t short_strips_ = 0; ///< vertices of them
};

} // namespace

made_step make_geometry_step(const step_parts& parts, unsigned level, later_step*)
{
    return std::make_unique<geometry_step>(parts, level);
}

} // namespace isbesim
