// SPDX-License-Identifier: Apache-2.0
// Vertex batches: primitives in API order are grouped so that one warp shades the vertices of a batch, each vertex
// once (conformance PIPE-09, HARDWARE.md F.1).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/machine_config.h"
#include "models/memory/memory_path.h"
#include "models/pe/front_end/assembly.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Primitives of one instance of one draw and the unique vertices that they use; lane = position in `vertex`.
struct batch {
    std::uint32_t instance = 0;
    std::uint32_t draw = 0;            ///< of consecutive draws
    std::uint32_t first_primitive = 0; ///< PRIMITIVE_ID of primitive 0; the next ids are consecutive
    unsigned primitive_vertices = 0;   ///< k: vertices per primitive
    unsigned vertex_count = 0;
    std::array<std::uint32_t, warp_lanes> vertex{}; ///< vertex id per lane
    std::vector<std::uint8_t> corners;              ///< lane of vertex i of primitive p at p * k + i: the input MAP
    std::vector<std::uint32_t> ids;                 ///< PRIMITIVE_ID of each primitive, if not consecutive
    std::uint64_t first_position = 0;               ///< stream positions that other batches have read
    std::uint64_t positions = 0;                    ///< stream positions read for this batch
    std::uint64_t restarts = 0;                     ///< restart indices among them

    unsigned tpcs = 1;         ///< with a memory_path: TPCs that get a batch in the same turn
    std::uint64_t arrival = 0; ///< at its TPC, in ticks from the start of the draw
    // With a memory_path:
    memory_path::fetched fetched;
    bool requested = false;  ///< the fetch unit has requested its data,
    std::uint64_t ready = 0; ///< which arrives in this cycle

    std::uint32_t id_of(unsigned p) const { return ids.empty() ? first_primitive + p : ids[p]; }
    unsigned primitive_count() const
    {
        return primitive_vertices == 0 ? 0 : static_cast<unsigned>(corners.size()) / primitive_vertices;
    }
};

/// Corners of a primitive of k vertices, without its adjacency vertices (OpenGL 4.6 core, 10.1.12 and 10.1.13): first,
/// first + step, ...
struct core_corners {
    unsigned first = 0;
    unsigned step = 1;
    unsigned count = 0;
};
constexpr core_corners core_corners_of(unsigned k)
{
    return k == 4 ? core_corners{1, 1, 2} : k == 6 ? core_corners{0, 2, 3} : core_corners{0, 1, k};
}

/// INVOCATION_INFO and the descriptor have 8 bits for the primitive in its batch.
inline constexpr unsigned max_batch_primitives = 256;

/// Limits of a batch, from the configuration: `vertices` unique vertices and `primitives` primitives, but always at
/// least one primitive.
struct batch_limits {
    unsigned vertices = warp_lanes;
    unsigned primitives = 1;
};
/// `most`: the most primitives that the next stage can take at once.
batch_limits limits_of_batch(const pe_config& config, unsigned primitive_vertices,
                             unsigned most = max_batch_primitives);
/// The most primitives that a batch of this draw may hold: one workgroup; with a TI stage, as many patches as one warp
/// has threads for. A patch to which TI adds vertices is alone: its last threads have no vertex of their own in the MAP
/// and must not find that of another patch there.
unsigned most_primitives(const draw_call& draw);
/// TI threads per patch; 1 without a TI stage.
unsigned threads_per_patch(const draw_call& draw);

/// Generator of a draw's batches. A batch ends before the primitive that would exceed a limit, and with its instance
/// and draw.
class batch_former {
public:
    batch_former(const draw_call& draw, const batch_limits& limits);

    /// Fills `result`, reusing its storage; false at the end of the draw.
    bool next(batch& result);
    /// Counts the records and indices read since the last batch; at the end of the draw, those after the last batch.
    void count(batch& result);

private:
    bool add(batch& result) const;

    primitive_assembly assembly_;
    batch_limits limits_;
    primitive ahead_; ///< the first primitive of the next batch
    bool has_ahead_;
    std::uint64_t positions_ = 0;
    std::uint64_t restarts_ = 0;
};

} // namespace isbesim
