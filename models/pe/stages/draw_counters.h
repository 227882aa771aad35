// SPDX-License-Identifier: Apache-2.0
// Counters of the PE for a whole draw.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/pe/front_end/mesh.h"

namespace isbesim {

static_assert(static_cast<unsigned>(stage::mesh) + 1 == stage_count, "counters by stage");

struct pe_draw_counters {
    std::uint64_t primitives_in = 0; ///< assembled
    std::uint64_t fetched_bytes = 0;
    std::array<std::uint64_t, 4> primitives_out{}; ///< by stream, captured or not
    std::array<std::uint64_t, 4> vertices_out{};
    /// Geometry threads whose final state was invalid or older than their last OUT (OUT-07).
    std::uint64_t lost_threads = 0;
    workgroup_warnings workgroups; ///< of task and mesh stages
    /// By stage, warps whose output has lines of its own although header bit 25 is set (linking.h).
    std::array<std::uint64_t, stage_count> own_lines{};

    /// Calls change(count, the same count of `other`) for every count of work done; counts for warnings are left out.
    template <typename Change>
    void for_each_count(const pe_draw_counters& other, const Change& change)
    {
        change(primitives_in, other.primitives_in);
        change(fetched_bytes, other.fetched_bytes);
        for (std::size_t s = 0; s < primitives_out.size(); ++s) {
            change(primitives_out[s], other.primitives_out[s]);
            change(vertices_out[s], other.vertices_out[s]);
        }
        change(lost_threads, other.lost_threads);
    }
};

template <typename Counters>
struct statistic;
/// The figures that reports show of these counters.
std::vector<statistic<pe_draw_counters>> pe_draw_statistics();

} // namespace isbesim
