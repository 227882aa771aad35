// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/pe/front_end/mesh.h"
#include "models/pe/linking/connectivity.h"
#include "models/pe/linking/spaces.h"
#include "models/pe/stages/pipeline_steps.h"
#include "models/pe/stream_out/capture.h"
#include "models/pe/tasks/work.h"
#include "tlm/rounded_up.h"

namespace isbesim {
namespace {

/// The task stage: one warp per workgroup of the draw. The grid of mesh workgroups and the payload, which it leaves at
/// the start of its shared memory, go to each of these workgroups (HARDWARE.md D.6).
///
/// *Choice*: the PE reads that part once and writes it, with the workgroup's index in word 0, into the input of each
/// mesh workgroup; the task's lines are released after that read.
class task_step final : public stage_step {
public:
    /// `next`: the mesh stage.
    task_step(const step_parts& parts, unsigned level, later_step* next) : stage_step(parts, level), next_(*next) {}

    task_lines lines(const warp_task&) const override { return {0, workgroup_lines(pipeline_.task.needs)}; }
    /// Writes an empty grid, which stays if the program emits no mesh workgroups. In shared spaces the index must come
    /// last, because it is in the same line as the grid.
    void prepare(warp_task& task, isbe_access& isbe, task_host&) override
    {
        const auto& needs = pipeline_.task.needs;
        const auto spaces = place_workgroup(needs, task.output_lines.first);
        task.threads = needs.threads;
        set_up(task, spaces.input, spaces.output);
        task.context.shared_spaces = needs.shared;
        isbe.write({task.context.output.attr_base, 4}, first_lanes(grid_word::count), {});
        write_vertex_id(task, isbe);
    }
    /// Reads the first line, which holds the grid, then the rest of the payload if there is a mesh workgroup to read
    /// it.
    bool read_back(warp_task& task, isbe_access& isbe) override
    {
        auto& grid = task.result->grid;
        const auto base = task.context.output.attr_base;
        const auto lines = pipeline_.task.settings.output_lines;
        if (task.round == 0) {
            grid.payload.resize(std::size_t{lines} * warp_lanes);
            isbe.read({base, 4}, all_lanes, grid.payload.data());
        } else if (task.round == 1) {
            take_grid(grid);
            if (grid.workgroups == 0 || lines == 1) return false;
            for (unsigned line = 1; line < lines; ++line)
                isbe.read({base + line * line_bytes, 4}, all_lanes,
                          grid.payload.data() + std::size_t{line} * warp_lanes);
        } else {
            return false;
        }
        ++task.round;
        return true;
    }
    void finish(warp_task& task, isbe_access&, stream_output&, task_host& host) override
    {
        if (task.result->grid.workgroups != 0) next_.start(task, host);
    }
    void add_to(pe_draw_counters& counters) const override
    {
        stage_step::add_to(counters);
        counters.losses[draw_loss::workgroups_above_maximum] += workgroups_lost_;
        counters.losses[draw_loss::uneven_grids] += uneven_grids_;
    }

private:
    void take_grid(workgroup_grid& grid)
    {
        const auto* words = grid.payload.data();
        const auto total = words[grid_word::total];
        grid.workgroups = std::min(total, most_grid_workgroups);
        workgroups_lost_ += total - grid.workgroups;
        // Modulo 2^32, as the program computes it.
        if (total != words[grid_word::x] * words[grid_word::y] * words[grid_word::z]) ++uneven_grids_;
    }

    later_step& next_;
    std::uint64_t workgroups_lost_ = 0;
    std::uint64_t uneven_grids_ = 0;
};

/// The mesh stage: one warp per workgroup, of the draw or of a task's grid. The PE reads the primitive count and the
/// indices that the warp left in the output MAP, then the captured attributes, and streams the primitives out in the
/// order of their indices (HARDWARE.md D.4, D.6). The warps of a grid are created one by one, each after the previous
/// warp has got its space, because a task can launch millions.
class mesh_step final : public later_step {
public:
    mesh_step(const step_parts& parts, unsigned level)
        : later_step(parts, level),
          capture_(parts.draw.capture, parts.pipeline.mesh.layout, parts.config, parts.pipeline.consumer),
          corners_(vertices_per_mesh_primitive(parts.pipeline.mesh.settings.output))
    {
    }

    void start(warp_task& parent, task_host& host) override { parts_[host.spawn(parent, *this)].workgroup = 0; }
    task_lines lines(const warp_task&) const override { return {0, workgroup_lines(pipeline_.mesh.needs)}; }
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override
    {
        const auto& needs = pipeline_.mesh.needs;
        const auto spaces = place_workgroup(needs, task.output_lines.first);
        task.threads = needs.threads;
        set_up(task, spaces.input, spaces.output);
        task.context.shared_spaces = needs.shared;
        // A program that sets no count makes no primitives.
        isbe.write({task.context.output.map_base, 4}, first_lanes(1), {});
        if (level() == 0) {
            write_vertex_id(task, isbe);
            return;
        }
        write_payload(task, isbe);
        const auto next = parts_[task].workgroup + 1;
        if (next < task.work->grid.workgroups) parts_[host.respawn(task)].workgroup = next;
    }
    /// Reads the count, then the indices, then the attributes of the vertices and primitives.
    bool read_back(warp_task& task, isbe_access& isbe) override
    {
        auto& state = parts_[task];
        switch (task.round++) {
        case 0:
            state.culled = 0;
            state.indices.resize(warp_lanes);
            isbe.read({task.context.output.map_base, 4}, first_lanes(1), state.indices.data());
            return true;
        case 1:
            take_count(state);
            state.used.assign((most_mesh_vertices + warp_lanes - 1) / warp_lanes, 0);
            if (state.primitives != 0) read_indices(task, state, isbe);
            return state.primitives != 0;
        case 2:
            state.captured.resize(capture_.buffer_words());
            if (!find_used(state)) return false;
            if (!state.captured.empty()) return read_attributes(task, state, isbe);
            ++task.round;
            return read_kept(task, state, isbe);
        case 3:
            return read_kept(task, state, isbe);
        default:
            return false;
        }
    }
    void finish(warp_task& task, isbe_access&, stream_output& output, task_host&) override
    {
        const auto& state = parts_[task];
        auto& rows = output.streams[0];
        rows.primitive_vertices = corners_;
        output.vertices = 0;
        output.culled = state.culled;
        for (const auto lanes : state.used) output.vertices += static_cast<unsigned>(__builtin_popcount(lanes));
        for (unsigned p = 0; p < state.primitives; ++p) {
            if (!is_good(state, p)) {
                ++without_vertex_;
                continue;
            }
            for (unsigned i = 0; i < corners_; ++i)
                capture_.append(rows, 0, index(state, p, i), p, state.captured.data());
        }
    }
    void add_to(pe_draw_counters& counters) const override
    {
        stage_step::add_to(counters);
        counters.losses[draw_loss::mesh_primitives_above_maximum] += above_maximum_;
        counters.losses[draw_loss::mesh_primitives_without_vertex] += without_vertex_;
    }

private:
    struct part {
        unsigned workgroup = 0;      ///< index in the task's grid
        unsigned primitives = 0;     ///< primitives that the warp left
        std::vector<word> indices;   ///< index bytes, four per word; the count before they are read
        std::vector<lane_mask> used; ///< vertices used, per group of 32 output vertices
        std::vector<word> captured;
        std::vector<word> late; ///< the rest of what a rasteriser keeps
        std::vector<lane_mask> kept, kept_primitives;
        std::uint64_t culled = 0;
    };

    void write_payload(const warp_task& task, isbe_access& isbe)
    {
        scratch_ = task.work->grid.payload;
        scratch_[grid_word::index] = parts_[task].workgroup;
        write_words(isbe, task.context.input.attr_base, scratch_.data(), static_cast<unsigned>(scratch_.size()));
    }
    void take_count(part& state)
    {
        const auto count = count_in_map(state.indices[0], config_);
        state.primitives = std::min(count, pipeline_.mesh.settings.max_primitives);
        above_maximum_ += count - state.primitives;
    }
    void read_indices(const warp_task& task, part& state, isbe_access& isbe) const
    {
        const auto words = (state.primitives * corners_ + 3) / 4;
        const auto base = task.context.output.map_base + count_bytes;
        state.indices.resize(rounded_up(words, warp_lanes));
        for (unsigned first = 0; first < words; first += warp_lanes)
            isbe.read({base + first * 4, 4}, first_lanes(words - first), state.indices.data() + first);
    }
    /// Returns false if no primitive is good.
    bool find_used(part& state) const
    {
        auto any = false;
        for (unsigned p = 0; p < state.primitives; ++p) {
            if (!is_good(state, p)) continue;
            any = true;
            for (unsigned i = 0; i < corners_; ++i) {
                const auto v = index(state, p, i);
                state.used[v / warp_lanes] |= lane_mask{1} << v % warp_lanes;
            }
        }
        return any;
    }
    bool read_attributes(const warp_task& task, part& state, isbe_access& isbe) const
    {
        const auto base = task.context.output.attr_base;
        for (unsigned group = 0; group < state.used.size(); ++group)
            if (state.used[group] != 0)
                capture_.read_vertices(isbe, base, group, state.used[group], state.captured.data());
        for (unsigned first = 0; first < state.primitives; first += warp_lanes)
            capture_.read_primitives(isbe, base, first / warp_lanes, first_lanes(state.primitives - first),
                                     state.captured.data());
        return true;
    }
    bool read_kept(const warp_task& task, part& state, isbe_access& isbe)
    {
        if (!capture_.culls()) return false;
        const auto places = capture_.places();
        const auto* const values = state.captured.data();
        cull_counts dropped;
        state.kept.assign(state.used.size(), 0);
        state.kept_primitives.assign((state.primitives + warp_lanes - 1) / warp_lanes, 0);
        std::array<unsigned, 3> corners{};
        for (unsigned p = 0; p < state.primitives; ++p) {
            if (!is_good(state, p)) continue;
            for (unsigned i = 0; i < corners_; ++i) corners[i] = index(state, p, i);
            const auto before = sum_of(dropped);
            if (capture_.given_up(p, values))
                ++dropped[cull_reason::outside];
            else
                cull_.sort(corners.data(), corners_, values, places, dropped, state.kept);
            if (sum_of(dropped) == before) state.kept_primitives[p / warp_lanes] |= lane_mask{1} << p % warp_lanes;
        }
        state.culled = add_culled(dropped);
        return capture_.read_late(isbe, task.context.output.attr_base, state.kept, state.kept_primitives, state.late);
    }
    unsigned index(const part& state, unsigned primitive, unsigned corner) const
    {
        const auto position = primitive * corners_ + corner;
        return state.indices[position / 4] >> (position % 4 * 8) & 0xffU;
    }
    bool is_good(const part& state, unsigned primitive) const
    {
        for (unsigned i = 0; i < corners_; ++i)
            if (index(state, primitive, i) >= pipeline_.mesh.settings.max_vertices) return false;
        return true;
    }

    mesh_capture capture_;
    unsigned corners_; ///< vertices per primitive
    per_task<part> parts_;
    std::vector<word> scratch_;
    std::uint64_t above_maximum_ = 0;  ///< primitives lost
    std::uint64_t without_vertex_ = 0; ///< primitives lost
};

} // namespace

made_step make_task_step(const step_parts& parts, unsigned level, later_step* next)
{
    return std::make_unique<task_step>(parts, level, next);
}

made_step make_mesh_step(const step_parts& parts, unsigned level, later_step*)
{
    return std::make_unique<mesh_step>(parts, level);
}

} // namespace isbesim
