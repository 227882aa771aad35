// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/batches.h"

#include <algorithm>

namespace isbesim {

unsigned threads_per_patch(const draw_call& draw)
{
    const auto tess_init = draw.stages.find(stage::tess_init);
    return tess_init == draw.stages.end() ? 1 : std::max(tess_init->second.header.threads_per_input_primitive, 1U);
}

unsigned most_primitives(const draw_call& draw)
{
    if (draw.topology == topology::mesh) return 1;
    if (draw.topology != topology::patches) return max_batch_primitives;
    const auto threads = threads_per_patch(draw);
    return threads > draw.patch_vertices ? 1 : warp_lanes / threads;
}

batch_limits limits_of_batch(const pe_config& config, unsigned primitive_vertices, unsigned most)
{
    const auto k = std::max(primitive_vertices, 1U);
    return {std::min(config.batch_vertices, warp_lanes), std::clamp(config.batch_indices / k, 1U, most)};
}

batch_former::batch_former(const draw_call& draw, const batch_limits& limits)
    : assembly_(draw), limits_(limits), has_ahead_(assembly_.next(ahead_))
{
}

// Adds `ahead_` to the batch unless that exceeds a limit. Only the vertices of this batch are compared: the vertex
// cache of the hardware is equally small, and a linear search of 32 ids compiles to a vector loop.
bool batch_former::add(batch& result) const
{
    const auto k = ahead_.count;
    std::array<std::uint8_t, max_primitive_vertices> lanes{};
    auto used = result.vertex_count;
    for (unsigned i = 0; i < k; ++i) {
        const auto begin = result.vertex.begin();
        const auto end = begin + used;
        const auto found = std::find(begin, end, ahead_.vertex[i]);
        if (found == end) {
            // A primitive with more vertices than the limit still gets a batch of its own; 32 lanes can hold it.
            if (used == warp_lanes || (used >= limits_.vertices && !result.corners.empty())) return false;
            result.vertex[used++] = ahead_.vertex[i];
        }
        lanes[i] = static_cast<std::uint8_t>(found - begin);
    }
    result.vertex_count = used;
    result.corners.insert(result.corners.end(), lanes.begin(), lanes.begin() + k);
    return true;
}

bool batch_former::next(batch& result)
{
    if (!has_ahead_) return false;
    result.instance = ahead_.instance;
    result.draw = ahead_.draw;
    result.first_primitive = ahead_.id;
    result.primitive_vertices = ahead_.count;
    result.vertex_count = 0;
    result.corners.clear();
    result.ids.clear();
    result.requested = false;
    unsigned primitives = 0;
    while (has_ahead_ && ahead_.instance == result.instance && ahead_.draw == result.draw &&
           primitives < limits_.primitives && add(result)) {
        ++primitives;
        has_ahead_ = assembly_.next(ahead_);
    }
    count(result);
    return true;
}

void batch_former::count(batch& result)
{
    result.first_position = positions_;
    result.positions = assembly_.positions_read() - positions_;
    result.restarts = assembly_.restarts_read() - restarts_;
    positions_ = assembly_.positions_read();
    restarts_ = assembly_.restarts_read();
}

} // namespace isbesim
