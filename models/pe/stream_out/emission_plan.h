// SPDX-License-Identifier: Apache-2.0
// Evaluates the tokens of a geometry warp: which output vertices to read, and which of them are the rows of each
// stream, in which order.
//
// Nearly all warps of a draw leave the same tokens, so a plan is reused if the next warp has the same tokens: comparing
// them is much less work.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/isbe/functional/gs_state.h"
#include "models/pe/stream_out/collection.h"

namespace isbesim {

/// The tokens that a warp has left.
struct warp_tokens {
    geometry_output geometry;
    per_lane<std::uint16_t> counts{}; ///< vertices that each lane emitted; 0 beyond geometry.thread_count
    const std::vector<word>* tokens;  ///< bytes, four per word, up to the last vertex of any lane
    unsigned groups = 0;              ///< groups of 32 output vertices that the warp has room for
};

class emission_plan {
public:
    emission_plan(output_topology kind, gs_slot_order order, bool first_provokes = false)
        : kind_(kind), order_(order), first_provokes_(first_provokes)
    {
    }

    /// Evaluates `left`, unless it equals the tokens of the last evaluation.
    void find(const warp_tokens& left);

    /// The vertices that were emitted to an enabled stream, as masks of groups of 32.
    const std::vector<lane_mask>& emitted() const { return emitted_; }
    bool any_emitted() const { return any_emitted_; }
    /// Numbers of the output vertices of a stream, primitive by primitive.
    const std::vector<unsigned>& rows(unsigned stream) const { return rows_[stream]; }
    /// Number of primitives on all streams.
    word primitives() const { return primitives_; }
    /// Vertices on disabled streams, and those of strips that are too short for a primitive.
    unsigned off_stream() const { return off_stream_; }
    unsigned short_strips() const { return short_strips_; }
    /// Vertices of each primitive.
    unsigned primitive_vertices() const { return vertices_per_output_primitive(kind_); }

private:
    bool known(const warp_tokens& left) const;
    void collect(const warp_tokens& left);

    output_topology kind_;
    gs_slot_order order_;
    bool first_provokes_;
    // The input of the last evaluation.
    bool found_ = false;
    word max_vertices_ = 0;
    per_lane<std::uint16_t> counts_{};
    word threads_ = 0;
    std::vector<word> tokens_;

    std::vector<lane_mask> emitted_;
    bool any_emitted_ = false;
    std::array<std::vector<unsigned>, 4> rows_;
    word primitives_ = 0;
    unsigned off_stream_ = 0;
    unsigned short_strips_ = 0;
};

} // namespace isbesim
