// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/rules/attribute_tests.h"
#include "models/pe/linking/connectivity.h"
#include "models/pe/stages/batch_step.h"
#include "models/pe/stages/pipeline_steps.h"

namespace isbesim {

namespace {

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

} // namespace

made_step make_vertex_step(const step_parts& parts, unsigned level, later_step* next)
{
    return std::make_unique<vertex_step>(parts, level, next);
}

} // namespace isbesim
