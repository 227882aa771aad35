// SPDX-License-Identifier: Apache-2.0
// The primitives that a rasteriser drops, by the values in the ISBE: it reads positions and clip distances first, and
// the other attributes only of the vertices of primitives that it keeps (pe.consumer rasteriser).
#pragma once

#include <array>
#include <vector>

#include "models/pe/front_end/draw.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// The attributes that culling reads: position, clip distances.
inline constexpr unsigned cull_attributes = 12;
/// Their ids, in the order of cull_places.
std::array<unsigned, cull_attributes> cull_attribute_ids();
/// Place of vertex 0 of each in a buffer; not_written: the stage does not output it.
using cull_places = std::array<std::size_t, cull_attributes>;
inline constexpr std::size_t not_written = SIZE_MAX;

using cull_counts = enum_array<last_cull_reason, std::uint64_t>;

class culling {
public:
    explicit culling(const cull_settings& settings) : settings_(settings) {}

    /// The reason to drop a primitive of `k` vertices of the buffer; empty: it is kept. *Choice*: a triangle has no
    /// area if the determinant of its x, y, w is 0 in double precision or two of its vertices are equal there; its side
    /// is the determinant's sign. Without a written position nothing is dropped.
    std::optional<cull_reason> reason(const unsigned* vertices, unsigned k, const word* buffer,
                                      const cull_places& places) const;

    /// Counts a primitive's reason, or marks its vertices in `kept` and returns true; neither if all are beyond a clip
    /// distance.
    bool sort(const unsigned* vertices, unsigned k, const word* buffer, const cull_places& places, cull_counts& dropped,
              std::vector<lane_mask>& kept) const;

private:
    cull_settings settings_;
};

inline std::uint64_t sum_of(const cull_counts& counts)
{
    std::uint64_t sum = 0;
    for (const auto each : counts.values) sum += each;
    return sum;
}

} // namespace isbesim
