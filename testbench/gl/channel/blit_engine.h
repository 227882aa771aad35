// SPDX-License-Identifier: Apache-2.0
// The 2D class: copies of rectangles.
#pragma once

#include <array>

#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/pixel_format.h"
#include "testbench/gl/channel/surface.h"

namespace isbesim::gl {

class blit_engine : public engine {
public:
    explicit blit_engine(const channel_parts& parts);
    void method(std::uint32_t number, std::uint32_t value) override;

private:
    /// In pixels.
    struct rectangle {
        std::uint32_t to_x, to_y, from_x, from_y, width, height;
    };

    std::uint32_t at(std::uint32_t number) const { return registers_[number / 4]; }
    surface surface_at(std::uint32_t number, unsigned pixel_bytes) const;
    /// A surface in lines has a single layer.
    std::uint32_t layer(std::uint32_t number) const { return at(number + 4) != 0 ? 0 : at(number + 0x10); }
    rectangle clipped() const;
    /// Returns false for an address outside the memory.
    bool convert(const pixel_format& to_format, const pixel_format& from_format, const rectangle& what);
    void blit();

    channel_parts parts_;
    std::array<std::uint32_t, 0xc00 / 4> registers_{};
};

} // namespace isbesim::gl
