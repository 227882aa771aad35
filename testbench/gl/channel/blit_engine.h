// The 2D class: copies of rectangles.
#pragma once

#include <array>

#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/surface.h"

namespace isbesim::gl {

class blit_engine : public engine {
public:
    explicit blit_engine(const channel_parts& parts) : parts_(parts) {}
    void method(std::uint32_t number, std::uint32_t value) override;

private:
    std::uint32_t at(std::uint32_t number) const { return registers_[number / 4]; }
    surface surface_at(std::uint32_t number, unsigned pixel_bytes) const;
    void blit();

    channel_parts parts_;
    std::array<std::uint32_t, 0xc00 / 4> registers_{};
};

} // namespace isbesim::gl
