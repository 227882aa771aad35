// SPDX-License-Identifier: Apache-2.0
// The patches of a batch on their way through the tessellation generator: one patch at a time, cut into batches of at
// most 32 domain points, which are the vertices that one TS warp evaluates. Batches are made when there is a place for
// one: the points of a whole batch of patches could be a hundred thousand. A warp works on one patch, so that it can be
// given a view of that patch alone (patch_view, connectivity.h).
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

/// The levels as they stand in the patch space, and back.
std::array<word, level_words> words_of(const tessellation_levels& levels);
tessellation_levels levels_of(const std::array<word, level_words>& words);

class patch_points {
public:
    /// Starts over with the patches of `source`, which must live as long as this is asked for more.
    void reset(const batch& source);
    void set_levels(unsigned patch, const tessellation_levels& levels) { levels_[patch] = levels; }

    /// Fills the next batch of vertices and primitives within `limits`. False when there is nothing left.
    bool next(tessellator& generator, const batch_limits& limits, unsigned primitive_vertices, batch& vertices,
              domain_points& points);
    /// Something is left.
    bool more(tessellator& generator);

private:
    const batch* source_ = nullptr;
    std::array<tessellation_levels, warp_lanes> levels_;
    unsigned next_patch_ = 0; ///< to be tessellated when nothing is left of `current_`
    tessellated_patch current_;
    std::size_t position_ = 0;       ///< next entry of current_.vertices
    std::vector<std::uint8_t> lane_; ///< of the points of `current_` in the batch that is being made
};

} // namespace isbesim
