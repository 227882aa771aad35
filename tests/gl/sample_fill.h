// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbench/gl/chip/image_fill.h"

namespace isbesim::gl {

/// A clear to a byte of a layer of 64 bytes by 8 lines.
inline image_fill fill_of(std::uint64_t address, std::uint8_t byte)
{
    image_fill fill;
    fill.where = {address, false, 0, 64, 8, 0, 0};
    fill.x = {0, 64};
    fill.y = {0, 8};
    fill.bits.fill(byte);
    return fill;
}

} // namespace isbesim::gl
