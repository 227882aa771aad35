// SPDX-License-Identifier: Apache-2.0
// Stream-out of a mesh stage: which attributes are read (the captured attributes or, with pe.consumer `written`, all in
// the layout of the workgroup), which of them belong to vertices and which to primitives, and how both become rows.
#pragma once

#include <array>
#include <vector>

#include "models/machine_config.h"
#include "models/pe/linking/isbe_access.h"
#include "models/pe/stream_out/culling.h"
#include "models/pe/stream_out/output_order.h"

namespace isbesim {

class mesh_capture {
public:
    mesh_capture(const capture_list& capture, const mesh_layout& layout, const isbe_config& config,
                 consumer_rule consumer);

    /// Words of a buffer for the attributes to read of a workgroup.
    std::size_t buffer_words() const;
    /// Reads the attributes of the vertices (primitives) 32 * group + lane.
    void read_vertices(isbe_access& isbe, word attr_base, unsigned group, lane_mask lanes, word* buffer) const;
    void read_primitives(isbe_access& isbe, word attr_base, unsigned group, lane_mask lanes, word* buffer) const;
    /// True with pe.consumer rasteriser: the rest is read after culling.
    bool culls() const { return culls_; }
    cull_places places() const;
    /// Whether the program has given the primitive up: its viewport mask is written and 0.
    bool given_up(unsigned primitive, const word* buffer) const;
    /// Reads the rest of the attributes, of the kept lanes of each group of vertices and of primitives, into `buffer`,
    /// which is resized. Returns false if there is nothing to read.
    bool read_late(isbe_access& isbe, word attr_base, const std::vector<lane_mask>& vertices,
                   const std::vector<lane_mask>& primitives, std::vector<word>& buffer) const;

    /// Appends one row with the columns of `stream` for a vertex of a primitive.
    void append(stream_output::stream& rows, unsigned stream, unsigned vertex, unsigned primitive,
                const word* buffer) const;

private:
    /// An address that the stage does not output has the default value that an ALD of it would read.
    struct column {
        enum class kind : std::uint8_t { constant, vertex, primitive } what = kind::constant;
        std::size_t place = 0; ///< in the buffer, of vertex (primitive) 0
        word value = 0;
    };
    /// Attribute ids, each once, in the order of their places.
    struct part {
        std::vector<unsigned> attributes;
        unsigned groups = 0; ///< of 32 vertices or primitives
        std::size_t place_of(unsigned attribute);
        std::size_t words() const { return attributes.size() * groups * warp_lanes; }
    };

    mesh_layout layout_;
    part vertices_;
    part primitives_;                                       ///< after the vertices in the buffer
    std::vector<unsigned> late_vertices_, late_primitives_; ///< ids
    bool culls_;
    std::array<std::vector<column>, 4> columns_;
};

} // namespace isbesim
