// SPDX-License-Identifier: Apache-2.0
// Stream-out of the last stage: which attributes to read back from its output space (the captured attributes or, with
// pe.consumer `written`, all that it writes, as the next fixed-function unit would) and how they become rows. With
// `rasteriser` these are read in two rounds: first the attributes that culling needs and those captured, then the rest
// of the kept primitives.
#pragma once

#include <array>
#include <vector>

#include "models/machine_config.h"
#include "models/pe/linking/isbe_access.h"
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

} // namespace isbesim
