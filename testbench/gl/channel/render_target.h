// SPDX-License-Identifier: Apache-2.0
// Targets of pixels, as the registers of the 3D class describe them.
#pragma once

#include <cstdint>

#include "testbench/gl/channel/pixel_format.h"
#include "testbench/gl/channel/three_d_state.h"
#include "testbench/gl/chip/surface.h"

namespace isbesim::gl {

struct render_target {
    std::uint32_t code = 0;               ///< of the format; 0: there is no target
    const pixel_format* format = nullptr; ///< null: unknown
    surface where;                        ///< layer 0 of an array
    std::uint32_t width = 0;              ///< samples, not pixels
    std::uint32_t first_layer = 0, layers = 1;
    bool has_slices = false; ///< layers of a 3D image
    std::uint64_t layer_bytes = 0;

    /// A layer, counted from the first one, as an image of its own, and its layer in that.
    surface image_of(std::uint32_t layer) const;
    std::uint32_t slice_of(std::uint32_t layer) const { return has_slices ? first_layer + layer : 0; }
    /// The memory of all layers; up to the end if the format is unknown.
    byte_range memory() const;
};

/// The colour target with a number (SET_CT_SELECT), and the target of depth and stencil, or of depth alone where
/// stencil has a target of its own.
render_target colour_target(const three_d_state& state, std::uint32_t number);
render_target depth_target(const three_d_state& state);
render_target stencil_target(const three_d_state& state);

} // namespace isbesim::gl
