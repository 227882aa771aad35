// SPDX-License-Identifier: Apache-2.0
// Vertex fetch: the words that a first-stage warp finds in its input space.
#pragma once

#include <vector>

#include "models/attribute/attribute_set.h"
#include "models/memory/memory_path.h"
#include "models/pe/front_end/batches.h"
#include "models/pe/front_end/draw.h"

namespace isbesim {

/// Knows the source of every attribute that a linked first stage reads. The draw must outlive this.
class vertex_fetch {
public:
    /// `attributes`: the first stage's input set, a subset of supplied_attributes(draw).
    vertex_fetch(const draw_call& draw, const attribute_set& attributes);

    /// One 32-bit component of the vertex record.
    struct component {
        unsigned attribute = 0;                   ///< id
        const attribute_source* source = nullptr; ///< null: generated, VERTEX_ID or INSTANCE_ID
        unsigned offset = 0;                      ///< words inside an element
    };
    const std::vector<component>& components() const { return components_; }

    /// The component's value for every vertex of the batch, by lane.
    void read(const component& which, const batch& vertices, per_lane<word>& values) const;

    /// Bytes that the fetch of a batch moves: fetched components of its unique vertices, per-instance components once,
    /// and the indices.
    std::uint64_t bytes(const batch& vertices) const;
    /// Adds the memory that this fetch reads. *Choice*: data without an address begins at 2^40, indices at 2^41.
    void touch(const batch& vertices, sector_list& touched) const;

private:
    /// The bytes of an element that the stage reads.
    struct span {
        const attribute_source* source;
        std::uint64_t address; ///< of the first element's
        unsigned stride;
        unsigned bytes;
    };

    std::vector<component> components_;
    std::vector<span> spans_;     ///< by source
    unsigned index_bytes_;        ///< 0: none are fetched
    std::uint64_t first_, count_; ///< indices of an instance
    unsigned per_vertex_ = 0;     ///< fetched components per vertex
    unsigned per_instance_ = 0;   ///< fetched components per instance
};

} // namespace isbesim
