// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/draw_collector.h"

#include <utility>

#include "testbench/gl/channel/three_d_methods.h"

namespace isbesim::gl {

bool draw_collector::is_part_of_draw(std::uint32_t method)
{
    switch (method) {
    case three_d::begin:
    case three_d::end:
    case three_d::instance_count:
    case three_d::draw_control:
    case three_d::draw_instances:
    case three_d::draw_indices:
    case three_d::draw_indices + 4:
    case three_d::draw_arrays:
    case three_d::draw_arrays + 4:
    case three_d::arrays_first:
    case three_d::arrays_count:
    case three_d::index_first:
    case three_d::index_count:
    case three_d::inline_index_8:
    case three_d::inline_index_16:
    case three_d::inline_index_32:
    case three_d::stream_out_base:
    case three_d::stream_out_stride:
    case three_d::stream_out_bytes:
        return true;
    default:
        return false;
    }
}

void draw_collector::begin(std::uint32_t value, std::uint32_t instances)
{
    if ((value & three_d::next_instance) != 0)
        ++instance_;
    else if ((value & three_d::same_instance) == 0)
        instance_ = 0;
    current_ = {};
    if ((value & three_d::all_instances) != 0) current_.instances = instances;
    current_.primitive = value & 0xffff;
    current_.first_instance = instance_;
    inside_ = true;
}

void draw_collector::add(vertex_run run)
{
    if (inside_ && run.count != 0) current_.runs.push_back(std::move(run));
}

void draw_collector::add_index(std::uint32_t index)
{
    if (!inside_) return;
    auto& runs = current_.runs;
    if (runs.empty() || runs.back().from != vertex_run::source::inline_indices)
        runs.push_back({vertex_run::source::inline_indices, 0, 0, {}});
    runs.back().indices.push_back(index);
    ++runs.back().count;
}

bool draw_collector::end(drawn_vertices& finished)
{
    if (!inside_) return false;
    inside_ = false;
    if (waits_ && current_.instances == 1 && instance_ == waiting_.first_instance + waiting_.instances &&
        current_.primitive == waiting_.primitive && current_.runs == waiting_.runs) {
        ++waiting_.instances;
        return false;
    }
    const auto was_waiting = take(finished);
    waiting_ = std::move(current_);
    waits_ = !waiting_.runs.empty() && waiting_.instances != 0;
    return was_waiting;
}

bool draw_collector::take(drawn_vertices& finished)
{
    if (!waits_) return false;
    waits_ = false;
    finished = std::move(waiting_);
    return true;
}

} // namespace isbesim::gl
