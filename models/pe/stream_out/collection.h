// SPDX-License-Identifier: Apache-2.0
// Geometry output collection: tokens that OUT left -> strips -> points, lines and triangles per stream (conformance
// OUT-02, 04, 05, 11, 12; HARDWARE.md E13, E14).
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/attribute/sph.h"
#include "models/isbe/functional/gs_state.h"

namespace isbesim {

/// Vertex numbers of one output primitive, in transform feedback order.
struct output_primitive {
    unsigned stream = 0;
    unsigned count = 0;
    std::array<unsigned, 3> vertex{};
};

/// Takes the vertices of one geometry thread in emission order and yields primitives. A strip ends at a cut and where
/// the stream changes, even if one of the two streams is disabled. An incomplete primitive is discarded, and a disabled
/// stream yields nothing. To keep the winding, odd triangles of a strip have the order (i + 1, i, i + 2), or, if the
/// first vertex is the provoking one, (i, i + 2, i + 1).
class strip_collector {
public:
    explicit strip_collector(output_topology kind, bool first_provokes = false)
        : kind_(kind), swapped_(first_provokes ? 1 : 0), size_(vertices_per_output_primitive(kind))
    {
    }

    /// Adds vertex number `vertex` with its token. Returns true if it completes a primitive, which is then in `result`.
    bool add(const gs_token& token, unsigned vertex, output_primitive& result)
    {
        if (token.stream != stream_) end();
        stream_ = token.stream;
        enabled_ = token.enabled;
        older_[0] = older_[1];
        older_[1] = older_[2];
        older_[2] = vertex;
        ++strip_;
        const auto complete = token.enabled && size_ != 0 && strip_ >= size_;
        if (complete) {
            result.stream = stream_;
            result.count = size_;
            for (unsigned i = 0; i < size_; ++i) result.vertex[i] = older_[3 - size_ + i];
            if (kind_ == output_topology::triangle_strip && strip_ % 2 == 0)
                std::swap(result.vertex[swapped_], result.vertex[swapped_ + 1]);
        }
        if (token.cut) end();
        return complete;
    }

    /// Ends the strip.
    void end()
    {
        if (strip_ < size_ && enabled_) dropped_ += strip_;
        strip_ = 0;
    }
    /// Vertices of ended strips on enabled streams that were too short for a primitive.
    unsigned dropped() const { return dropped_; }

private:
    output_topology kind_;
    unsigned swapped_; ///< an odd triangle swaps this vertex with the next one
    unsigned size_;
    unsigned stream_ = 0;
    bool enabled_ = false;
    unsigned strip_ = 0; ///< vertices of the current strip
    unsigned dropped_ = 0;
    std::array<unsigned, 3> older_{};
};

/// The tokens that a warp has left.
struct warp_tokens {
    geometry_output geometry;
    per_lane<std::uint16_t> counts{}; ///< vertices that each lane emitted; 0 beyond geometry.thread_count
    const std::vector<word>* tokens;  ///< bytes, four per word, up to the last vertex of any lane
    unsigned groups = 0;              ///< groups of 32 output vertices that the warp has room for
};

/// Evaluates the tokens of a geometry warp: which output vertices to read, and which of them are the rows of each
/// stream, in which order.
///
/// Nearly all warps of a draw leave the same tokens, so a plan is reused if the next warp has the same tokens:
/// comparing them is much less work.
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
