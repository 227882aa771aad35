// SPDX-License-Identifier: Apache-2.0
// What the tokens of a geometry warp come to: the output vertices to be read, and which of them, in which order, are
// the rows of each stream.
//
// Nearly all warps of a draw leave the same tokens, and the plan of one holds for the next that has the
// same ones: comparing them is much less work.
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
    unsigned groups = 0;              ///< of 32 output vertices that the warp has room for
};

class emission_plan {
public:
    emission_plan(output_topology kind, gs_slot_order order, bool first_provokes = false)
        : kind_(kind), order_(order), first_provokes_(first_provokes)
    {
    }

    /// Works out what follows from `left`, unless it did so last time.
    void find(const warp_tokens& left);

    /// The vertices that were emitted to an enabled stream: masks of groups of 32.
    const std::vector<lane_mask>& emitted() const { return emitted_; }
    bool any_emitted() const { return any_emitted_; }
    /// Numbers of the output vertices of a stream's primitives, one primitive after the other.
    const std::vector<unsigned>& rows(unsigned stream) const { return rows_[stream]; }
    /// On all streams.
    word primitives() const { return primitives_; }
    /// Vertices of each of them.
    unsigned primitive_vertices() const { return vertices_per_output_primitive(kind_); }

private:
    bool known(const warp_tokens& left) const;
    void collect(const warp_tokens& left);

    output_topology kind_;
    gs_slot_order order_;
    bool first_provokes_;
    // What it was worked out from.
    bool found_ = false;
    word max_vertices_ = 0;
    per_lane<std::uint16_t> counts_{};
    word threads_ = 0;
    std::vector<word> tokens_;

    std::vector<lane_mask> emitted_;
    bool any_emitted_ = false;
    std::array<std::vector<unsigned>, 4> rows_;
    word primitives_ = 0;
};

} // namespace isbesim
