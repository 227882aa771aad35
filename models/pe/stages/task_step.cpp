// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/pe/front_end/mesh.h"
#include "models/pe/linking/workgroup.h"
#include "models/pe/stages/pipeline_steps.h"
#include "models/pe/stages/stage_step.h"

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

} // namespace

made_step make_task_step(const step_parts& parts, unsigned level, later_step* next)
{
    return std::make_unique<task_step>(parts, level, next);
}

} // namespace isbesim
