// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "models/pe/stages/geometry_warp_step.h"
#include "models/pe/stages/pipeline_steps.h"

namespace isbesim {

namespace {

/// The geometry stage without output state (fast GS, HARDWARE.md E.4): every thread outputs one vertex, OUT does
/// nothing, and a thread can neither drop its vertex nor name a stream.
///
/// With a passthrough header (SPH bit 24), that vertex holds per-primitive attributes: the output primitive is the
/// input primitive, the attributes in the program's OMAP are the same in all its vertices, and the other attributes are
/// those of each vertex from the previous stage (the model's choice, after GL_NV_geometry_shader_passthrough; the
/// public text only names the bit).
class fast_geometry_step final : public geometry_warp_step {
public:
    fast_geometry_step(const step_parts& parts, unsigned level)
        : geometry_warp_step(parts, level),
          inherited_(parts.draw.capture, parts.pipeline.stages[level - 1], parts.config, parts.pipeline.consumer)
    {
    }

    /// Reads the vertices of the threads, and for passthrough those of the batch.
    bool read_back(warp_task& task, isbe_access& isbe) override
    {
        if (task.round != 0) return false;
        ++task.round;
        auto& captured = parts_[task].captured;
        const auto own = capture_.buffer_words(1);
        const auto& vertices = task.work->vertices;
        captured.resize(own + (pipeline_.geometry.passthrough ? inherited_.buffer_words(1) : 0));
        reads_.clear();
        capture_.add_reads(reads_, task.context.output, 0, first_lanes(task.threads), 1, captured.data());
        if (pipeline_.geometry.passthrough)
            inherited_.add_reads(reads_, task.work->space.layout, 0, first_lanes(vertices.vertex_count), 1,
                                 captured.data() + own);
        isbe.read_all(reads_);
        return !captured.empty();
    }
    void finish(warp_task& task, isbe_access&, stream_output& output, task_host&) override
    {
        auto& rows = output.streams[0];
        output.culled = 0;
        const auto* const captured = parts_[task].captured.data();
        if (pipeline_.geometry.passthrough) {
            output.vertices = task.work->vertices.vertex_count;
            for (unsigned lane = 0; lane < task.threads; ++lane) pass_on(task, lane, captured, rows);
            return;
        }
        output.vertices = task.threads;
        rows.primitive_vertices = 1;
        if ((task.context.geometry.stream_mask & 1U) == 0) {
            off_stream_ += task.threads;
            return;
        }
        lanes_.resize(task.threads);
        std::iota(lanes_.begin(), lanes_.end(), 0U);
        capture_.append(rows, 0, lanes_, 1, captured);
    }
    void add_to(pe_draw_counters& counters) const override
    {
        geometry_warp_step::add_to(counters);
        counters.losses[draw_loss::vertices_off_stream] += off_stream_;
    }

private:
    void pass_on(const warp_task& task, unsigned lane, const word* captured, stream_output::stream& rows) const
    {
        const auto& vertices = task.work->vertices;
        const auto k = vertices.primitive_vertices;
        const auto core = core_corners_of(k);
        const auto* corners = vertices.corners.data() + task.context.primitive[lane] * k;
        rows.primitive_vertices = core.count;
        for (unsigned i = 0; i < core.count; ++i)
            capture_.append_over(inherited_, rows, {captured, lane},
                                 {captured + capture_.buffer_words(1), corners[core.first + i * core.step]});
    }

    capture_plan inherited_; ///< the same list for the previous stage; for passthrough
    std::vector<unsigned> lanes_;
    std::uint64_t off_stream_ = 0;
};

} // namespace

made_step make_fast_geometry_step(const step_parts& parts, unsigned level, later_step*)
{
    return std::make_unique<fast_geometry_step>(parts, level);
}

} // namespace isbesim
