// SPDX-License-Identifier: Apache-2.0
// The patches of a batch on their way through the tessellation generator: one patch at a time, cut into batches of at
// most 32 domain points, which are the vertices that one TS warp evaluates. Batches are made one by one as they are
// needed: a whole batch of patches can have a hundred thousand points. A warp works on one patch, so that its view can
// be limited to that patch (patch_view, connectivity.h).
#pragma once

#include <array>

#include "models/pe/front_end/batches.h"
#include "models/pe/tessellation/tessellator.h"

namespace isbesim {

/// What the lanes of a TS warp evaluate.
struct domain_points {
    unsigned patch = 0; ///< index in the batch of patches
    per_lane<word> u{}; ///< floats
    per_lane<word> v{};
};

/// Converts levels to their words in the patch space, and back.
std::array<word, level_words> words_of(const tessellation_levels& levels);
tessellation_levels levels_of(const std::array<word, level_words>& words);

class patch_points {
public:
    /// Starts over with the patches of `source`, which must live until the last call of next() or more().
    void reset(const batch& source);
    void set_levels(unsigned patch, const tessellation_levels& levels) { levels_[patch] = levels; }

    /// Fills the next batch of vertices and primitives within `limits`. Returns false if nothing is left.
    bool next(tessellator& generator, const batch_limits& limits, unsigned primitive_vertices, batch& vertices,
              domain_points& points);
    /// True if next() has another batch.
    bool more(tessellator& generator);

private:
    const batch* source_ = nullptr;
    std::array<tessellation_levels, warp_lanes> levels_;
    unsigned next_patch_ = 0; ///< to be tessellated after `current_`
    tessellated_patch current_;
    std::size_t position_ = 0;       ///< next entry of current_.vertices
    std::vector<std::uint8_t> lane_; ///< by point of `current_`: its lane in the batch being made
};

} // namespace isbesim
