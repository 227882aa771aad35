// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "models/attribute/attribute_map.h"
#include "models/isbe/rules/attribute_tests.h"
#include "models/pe/linking/connectivity.h"
#include "models/pe/stages/pipeline_steps.h"
#include "models/pe/tasks/work.h"

namespace isbesim {
namespace {

/// A stage whose warps each output a batch of vertices (VSa, VSb, TS) to the next stage or, after the last stage, to
/// stream-out.
class batch_step : public later_step {
public:
    /// `next`: the next stage, or null.
    batch_step(const step_parts& parts, unsigned level, later_step* next);

    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;
    bool hands_over() const override { return next_ != nullptr; }

private:
    struct part {
        std::vector<word> captured; ///< in the last stage
        std::vector<word> late;     ///< the rest of what a rasteriser keeps
        std::vector<lane_mask> kept;
        std::uint64_t culled = 0;
        std::vector<word> marked; ///< in any other stage
    };
    /// Queues a rasteriser's reads of the primitives that it keeps; false: no reads are needed.
    bool read_kept(const warp_task& task, part& left, isbe_access& isbe);

    const capture_plan& capture_;
    later_step* next_;
    per_task<part> parts_;
    std::vector<run_read> reads_; ///< of the warp that is being read back
};

batch_step::batch_step(const step_parts& parts, unsigned level, later_step* next)
    : later_step(parts, level), capture_(parts.capture), next_(next)
{
}

bool batch_step::read_back(warp_task& task, isbe_access& isbe)
{
    auto& left = parts_[task];
    const auto round = task.round++;
    if (next_ != nullptr) {
        if (round == 0) return read_marked(task, isbe, left.marked);
        write_marked(task, isbe, left.marked);
        return false;
    }
    if (round == 0) {
        left.culled = 0;
        reads_.clear();
        if (capture_.add_reads_of_batch(reads_, task.context.output, task.result->vertices, left.captured)) {
            isbe.read_all(reads_);
            return true;
        }
        ++task.round;
    }
    return round < 2 && capture_.culls() && read_kept(task, left, isbe);
}

bool batch_step::read_kept(const warp_task& task, part& left, isbe_access& isbe)
{
    const auto& vertices = task.result->vertices;
    const auto k = vertices.primitive_vertices;
    const auto core = core_corners_of(k);
    const auto places = capture_.places(1);
    cull_counts dropped;
    left.kept.assign(1, 0);
    std::array<unsigned, max_primitive_vertices> corners{};
    for (unsigned p = 0; p < vertices.primitive_count(); ++p) {
        for (unsigned i = 0; i < core.count; ++i) corners[i] = vertices.corners[p * k + core.first + i * core.step];
        cull_.sort(corners.data(), core.count, left.captured.data(), places, dropped, left.kept);
    }
    left.culled = add_culled(dropped);
    reads_.clear();
    capture_.add_late_reads(reads_, task.context.output, left.kept, left.late);
    if (reads_.empty()) return false;
    isbe.read_all(reads_);
    return true;
}

void batch_step::finish(warp_task& task, isbe_access&, stream_output& output, task_host& host)
{
    if (next_ != nullptr) return next_->start(task, host);
    capture_.append_batch(output, task.result->vertices, parts_[task].captured);
    output.vertices = task.result->vertices.vertex_count;
    output.culled = parts_[task].culled;
}

/// The vertex stages: one thread per unique vertex of a batch. The first reads the data of vertex fetch; VSb after VSa
/// reads VSa's output for the same vertices (HARDWARE.md E.4), and generated ids that VSa does not write.
class vertex_step final : public batch_step {
public:
    /// VSa or VSb, whichever is at `level`.
    vertex_step(const step_parts& parts, unsigned level, later_step* next)
        : batch_step(parts, level, next),
          fetch_(parts.fetch),
          generated_(parts.draw, level == 0 ? generated_for_second(parts.pipeline) : attribute_set{})
    {
    }

    void start(warp_task& parent, task_host& host) override
    {
        auto& task = host.spawn(parent, *this);
        task.shares = linked_.shares();
        host.make_result(task).vertices = parent.result->vertices;
    }
    task_lines lines(const warp_task& task) const override
    {
        if (task.shares) return {};
        const auto& vertices = task.work->vertices;
        const auto output = output_needs(vertices);
        if (!is_first()) return {0, space_lines(output, config_.skew, room(vertices))};
        const auto input = vertex_input_needs(linked_, vertices.vertex_count);
        if (linked_.shares()) return {0, shared_space_lines(input, output, config_.skew, room(vertices))};
        return {space_lines(input, config_.skew), space_lines(output, config_.skew, room(vertices))};
    }
    void prepare(warp_task& task, isbe_access& isbe, task_host&) override
    {
        const auto& vertices = task.work->vertices;
        task.threads = vertices.vertex_count;
        const auto spaces = place(task);
        set_up(task, spaces.input, spaces.output);
        auto& context = task.context;
        if (!is_first()) // of generated ids (micro-architecture section 4.2)
            for (unsigned lane = 0; lane < warp_lanes; ++lane)
                context.primitive[lane] = static_cast<std::uint8_t>(lane);
        if (is_first()) fill(fetch_, vertices, context.input, isbe);
        write_output(vertices, context.output, isbe);
        task.result->space.layout = as_input(context.output);
    }

private:
    bool is_first() const { return level() == 0; }
    space_needs output_needs(const batch& vertices) const
    {
        return vertex_output_needs(pipeline_, linked_, vertices.vertex_count, vertices.primitive_count());
    }
    space_pair place(const warp_task& task) const
    {
        const auto& vertices = task.work->vertices;
        const auto output = output_needs(vertices);
        const auto skew = config_.skew;
        const auto& left = task.work->space.layout; // by VSa
        if (task.shares) return {left, place_over(left, output, skew)};
        const auto line = task.output_lines.first;
        if (!is_first()) return {left, place_space(output, line, skew, room(vertices))};
        const auto input = vertex_input_needs(linked_, task.threads);
        if (linked_.shares()) return place_shared_spaces(input, output, line, skew, room(vertices));
        return {place_space(input, task.input_lines.first, skew), place_space(output, line, skew, room(vertices))};
    }
    void fill(const vertex_fetch& source, const batch& vertices, const space_layout& space, isbe_access& isbe) const
    {
        per_lane<word> values{};
        for (const auto& component : source.components()) {
            source.read(component, vertices, values);
            const auto id = component.attribute;
            const auto run = space.allocated.contains(id)
                                 ? attribute_run(space, id, 0, config_.skew)
                                 : component_run{space.prim_base + rules::prim_offset<word>(0, id), 4};
            isbe.write(run, first_lanes(vertices.vertex_count), values);
        }
    }
    /// Even without a TI stage, TS reads the draw's levels from the patch space (conformance ALD-15).
    void write_levels(const space_layout& space, isbe_access& isbe)
    {
        const auto words = words_of(pipeline_.tess.state.defaults);
        scratch_.clear();
        for (unsigned p = 0; p < space.patch_count; ++p) scratch_.insert(scratch_.end(), words.begin(), words.end());
        write_words(isbe, space.patch_base, scratch_.data(), static_cast<unsigned>(scratch_.size()));
    }
    /// Writes data that must be in the output before the program runs, whether or not it is read.
    void write_output(const batch& vertices, const space_layout& output, isbe_access& isbe)
    {
        fill(generated_, vertices, output, isbe);
        auto connected = output;
        if (linked_.stage == stage::vertex_a) connected.prim_bytes = 0; // has vertex ids at most
        write_connectivity(vertices, connected, isbe, scratch_, map_stride_of(pipeline_, linked_), config_);
        if (output.patch_count != 0) write_levels(output, isbe);
    }

    const vertex_fetch& fetch_;
    vertex_fetch generated_; ///< VSa: the generated ids that VSb reads unless VSa writes them
    std::vector<word> scratch_;
};

/// The TS stage: one thread per domain point. Its warps are created one by one, each after the previous warp has got
/// its space, because a batch of patches can become thousands of warps.
class tess_step final : public batch_step {
public:
    tess_step(const step_parts& parts, unsigned level, later_step* next)
        : batch_step(parts, level, next), generator_(parts.pipeline.tess.state)
    {
    }

    void start(warp_task& parent, task_host& host) override
    {
        auto& source = *parent.result;
        if (!pipeline_.has(stage::tess_init)) {
            source.patches.reset(source.vertices);
            for (unsigned p = 0; p < source.vertices.primitive_count(); ++p)
                source.patches.set_levels(p, pipeline_.tess.state.defaults);
        }
        if (!make_next(source)) return;
        auto& task = host.spawn(parent, *this);
        task.shares = linked_.shares() && !source.patches.more(generator_);
        take_next(task, host);
    }
    task_lines lines(const warp_task& task) const override
    {
        if (task.shares) return {};
        return {0, space_lines(output_needs(task), config_.skew, room(task.result->vertices))};
    }
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override
    {
        const auto& patches = *task.work;
        const auto& result = *task.result;
        const auto needs = output_needs(task);
        set_up(task, patch_view(patches.space.layout, result.points.patch),
               task.shares ? place_over(patches.space.layout, needs, config_.skew)
                           : place_space(needs, task.output_lines.first, config_.skew, room(task.result->vertices)));
        const auto& context = task.context;
        write_connectivity(result.vertices, context.output, isbe, scratch_, result.vertices.primitive_vertices,
                           config_);
        task.result->space.layout = as_input(context.output);

        // TS finds its coordinate among its own outputs (HARDWARE.md A.2).
        const auto coordinate = [&](unsigned address, const per_lane<word>& values) {
            if (context.output.allocated.contains(address / 4))
                isbe.write(attribute_run(context.output, address / 4, 0, config_.skew), first_lanes(task.threads),
                           values);
        };
        coordinate(attribute_address::tess_eval_u, result.points.u);
        coordinate(attribute_address::tess_eval_v, result.points.v);

        const auto k = patches.vertices.primitive_vertices;
        for (unsigned lane = 0; lane < task.threads; ++lane) {
            task.launch.special.invocation_info[lane] = k << 16;
            task.launch.special.prim_type[lane] = k << 8;
        }

        if (make_next(*task.work)) take_next(host.respawn(task), host);
    }
    void add_to(pe_draw_counters& counters) const override
    {
        batch_step::add_to(counters);
        counters.losses[draw_loss::culled_patches] += generator_.culled();
    }

private:
    /// Returns false if nothing is left of the patches.
    bool make_next(batch_work& source)
    {
        return source.patches.next(generator_, pipeline_.tess.limits, pipeline_.tess.primitive_vertices, ahead_,
                                   ahead_points_);
    }
    void take_next(warp_task& task, task_host& host)
    {
        auto& result = host.make_result(task);
        std::swap(result.vertices, ahead_);
        result.points = ahead_points_;
        task.threads = result.vertices.vertex_count;
    }
    space_needs output_needs(const warp_task& task) const
    {
        const auto& result = task.result->vertices;
        return tess_output_needs(pipeline_, linked_, result.vertex_count, result.primitive_count());
    }

    tessellator generator_;
    batch ahead_; ///< the next batch, made before its task exists
    domain_points ahead_points_;
    std::vector<word> scratch_;
};

} // namespace

made_step make_vertex_step(const step_parts& parts, unsigned level, later_step* next)
{
    return std::make_unique<vertex_step>(parts, level, next);
}

made_step make_tess_step(const step_parts& parts, unsigned level, later_step* next)
{
    return std::make_unique<tess_step>(parts, level, next);
}

} // namespace isbesim
