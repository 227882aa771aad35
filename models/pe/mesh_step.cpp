#include "models/pe/mesh_step.h"

#include <algorithm>

#include "models/pe/connectivity.h"
#include "models/pe/linking.h"
#include "models/pe/workgroup.h"

namespace isbesim {

mesh_step::mesh_step(const linked_pipeline& pipeline, const capture_list& capture, const isbe_config& config,
                     unsigned level)
    : later_step(stage::mesh, level),
      pipeline_(pipeline),
      linked_(pipeline.stages[level]),
      capture_(capture, pipeline.workgroups.layout, config, pipeline.consumer),
      config_(config),
      corners_(vertices_per_mesh_primitive(pipeline.mesh.output))
{
}

void mesh_step::start(warp_task& parent, task_host& host)
{
    host.follow(parent, *this);
}

task_lines mesh_step::lines(const warp_task&) const
{
    return {0, workgroup_lines(pipeline_.workgroups.mesh)};
}

void mesh_step::prepare(warp_task& task, isbe_access& isbe, task_host& host)
{
    const auto& needs = pipeline_.workgroups.mesh;
    const auto spaces = place_workgroup(needs, task.output_lines.first);
    task.threads = needs.threads;
    set_up(task, linked_, spaces.input, spaces.output);
    task.context.shared_spaces = needs.shared;
    // A program that sets no count makes no primitives.
    isbe.write({task.context.output.map_base, 4}, first_lanes(1), {});
    if (level() == 0) {
        write_vertex_id(task, isbe);
        return;
    }
    write_payload(task, isbe);
    if (task.first_thread + 1 < task.work->grid.workgroups) host.repeat(task).first_thread = task.first_thread + 1;
}

void mesh_step::write_payload(const warp_task& task, isbe_access& isbe)
{
    scratch_ = task.work->grid.payload;
    scratch_[grid_word::index] = task.first_thread;
    write_words(isbe, task.context.input.attr_base, scratch_.data(), static_cast<unsigned>(scratch_.size()));
}

// The count, then the indices, then the attributes of what they name.
bool mesh_step::read_back(warp_task& task, isbe_access& isbe)
{
    switch (task.round++) {
    case 0:
        task.tokens.resize(warp_lanes);
        isbe.read({task.context.output.map_base, 4}, first_lanes(1), task.tokens.data());
        return true;
    case 1:
        take_count(task);
        if (task.primitives != 0) read_indices(task, isbe);
        return task.primitives != 0;
    case 2:
        task.captured.resize(capture_.buffer_words());
        return !task.captured.empty() && read_attributes(task, isbe);
    default:
        return false;
    }
}

void mesh_step::take_count(warp_task& task)
{
    const auto count = count_in_map(task.tokens[0], config_);
    task.primitives = std::min(count, pipeline_.mesh.max_primitives);
    if (count > pipeline_.mesh.max_primitives) ++lints_.cut_counts;
}

void mesh_step::read_indices(warp_task& task, isbe_access& isbe) const
{
    const auto words = (task.primitives * corners_ + 3) / 4;
    const auto base = task.context.output.map_base + count_bytes;
    task.tokens.resize((words + warp_lanes - 1) / warp_lanes * warp_lanes);
    for (unsigned first = 0; first < words; first += warp_lanes)
        isbe.read({base + first * 4, 4}, first_lanes(words - first), task.tokens.data() + first);
}

unsigned mesh_step::index(const warp_task& task, unsigned primitive, unsigned corner) const
{
    const auto at = primitive * corners_ + corner;
    return task.tokens[at / 4] >> (at % 4 * 8) & 0xffU;
}

bool mesh_step::is_good(const warp_task& task, unsigned primitive) const
{
    for (unsigned i = 0; i < corners_; ++i)
        if (index(task, primitive, i) >= pipeline_.mesh.max_vertices) return false;
    return true;
}

/// False when no primitive is good.
bool mesh_step::read_attributes(warp_task& task, isbe_access& isbe) const
{
    const auto base = task.context.output.attr_base;
    task.emitted.assign((most_mesh_vertices + warp_lanes - 1) / warp_lanes, 0);
    auto any = false;
    for (unsigned p = 0; p < task.primitives; ++p) {
        if (!is_good(task, p)) continue;
        any = true;
        for (unsigned i = 0; i < corners_; ++i) {
            const auto v = index(task, p, i);
            task.emitted[v / warp_lanes] |= lane_mask{1} << v % warp_lanes;
        }
    }
    if (!any) return false;
    for (unsigned group = 0; group < task.emitted.size(); ++group)
        if (task.emitted[group] != 0)
            capture_.read_vertices(isbe, base, group, task.emitted[group], task.captured.data());
    for (unsigned first = 0; first < task.primitives; first += warp_lanes)
        capture_.read_primitives(isbe, base, first / warp_lanes, first_lanes(task.primitives - first),
                                 task.captured.data());
    return true;
}

void mesh_step::finish(warp_task& task, isbe_access&, stream_output& output, task_host&)
{
    auto& rows = output.streams[0];
    rows.primitive_vertices = corners_;
    for (unsigned p = 0; p < task.primitives; ++p) {
        if (!is_good(task, p)) {
            ++lints_.dropped_primitives;
            continue;
        }
        for (unsigned i = 0; i < corners_; ++i) capture_.append(rows, 0, index(task, p, i), p, task.captured.data());
    }
}

} // namespace isbesim
