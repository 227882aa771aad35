// SPDX-License-Identifier: Apache-2.0
// Stream-out of the last stage: which attributes to read back from its output space (the captured attributes or, with
// pe.consumer `written`, all that it writes, as the next fixed-function unit would) and how they become rows. With
// `rasteriser` these are read in two rounds: first the attributes that culling needs and those captured, then the rest
// of the kept primitives.
#pragma once

#include <array>
#include <vector>

#include "models/machine_config.h"
#include "models/pe/linking/connectivity.h"
#include "models/pe/linking/linking.h"
#include "models/pe/stream_out/culling.h"
#include "models/pe/stream_out/output_order.h"

namespace isbesim {

/// One output vertex in a buffer of one group of 32 vertices.
struct capture_record {
    const word* words = nullptr;
    unsigned lane = 0;
};

class capture_plan {
public:
    capture_plan(const capture_list& capture, const linked_stage& last, const isbe_config& config,
                 consumer_rule consumer);

    /// True with pe.consumer rasteriser: the second round follows culling.
    bool culls() const { return culls_; }
    cull_places places(unsigned groups) const;
    /// Adds the reads of the second round, of the vertices in `kept`, into `buffer`, which is resized.
    void add_late_reads(std::vector<run_read>& reads, const space_layout& space, const std::vector<lane_mask>& kept,
                        std::vector<word>& buffer) const;

    /// Words of a buffer for the attributes to read, for `groups` groups of 32 vertices.
    std::size_t buffer_words(unsigned groups) const { return attributes_.size() * groups * warp_lanes; }
    /// Adds the attribute reads of vertices 32 * group + lane. `buffer` has room for `groups` groups.
    void add_reads(std::vector<run_read>& reads, const space_layout& space, unsigned group, lane_mask lanes,
                   unsigned groups, word* buffer) const;
    /// Appends a row for each of these output vertices, with the capture columns of `stream`.
    void append(stream_output::stream& rows, unsigned stream, const std::vector<unsigned>& vertices, unsigned groups,
                const word* buffer) const;

    /// Appends one row to stream 0: columns that this plan stores come from `record`, the others from `vertex`, which
    /// the plan `under` of the same capture list has read.
    void append_over(const capture_plan& under, stream_output::stream& rows, capture_record record,
                     capture_record vertex) const;

    /// For a stage whose output vertices are those of a batch: resizes `buffer` and adds the reads. Returns false if
    /// there is nothing to read.
    bool add_reads_of_batch(std::vector<run_read>& reads, const space_layout& space, const batch& vertices,
                            std::vector<word>& buffer) const;
    /// Appends the primitives of that batch to stream 0, without adjacency vertices.
    void append_batch(stream_output& output, const batch& vertices, const std::vector<word>& buffer) const;

private:
    /// A captured address that the last stage does not output has the default value that an ALD of it would read.
    struct column {
        bool stored = false;
        unsigned index = 0; ///< in attributes_
        word value = 0;
    };
    /// Writes `count` rows of a stream to `to`, one for each of the output vertices `vertices`.
    void fill(unsigned stream, const unsigned* vertices, std::size_t count, unsigned groups, const word* buffer,
              word* to) const;

    std::vector<unsigned> attributes_; ///< ids, each once
    std::vector<unsigned> late_;       ///< ids read in the second round
    bool culls_;
    std::array<std::vector<column>, 4> columns_;
    bool skew_;
};

/// Stream-out of a mesh stage: which attributes are read (the captured attributes or, with pe.consumer `written`, all
/// in the layout of the workgroup), which of them belong to vertices and which to primitives, and how both become rows.
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
