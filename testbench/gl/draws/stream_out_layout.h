// SPDX-License-Identifier: Apache-2.0
// Attributes that stream-out writes, and their places.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/pe/front_end/draw.h"
#include "testbench/gl/channel/three_d_state.h"

namespace isbesim::gl {

struct stream_out_buffer {
    static constexpr unsigned no_attribute = 0xffffffffU;

    bool enabled = false;
    unsigned stream = 0;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0, stride = 0;
    std::vector<unsigned> attributes; ///< by word of the vertex; no_attribute: not written
};

using stream_out_layout = std::array<stream_out_buffer, 4>;

/// All buffers are disabled if stream-out is.
stream_out_layout stream_out_layout_of(const three_d_state& state);

/// Columns for the draw: for each stream, the attributes of its buffers, once each.
capture_list captured_columns(const stream_out_layout& layout);

} // namespace isbesim::gl
