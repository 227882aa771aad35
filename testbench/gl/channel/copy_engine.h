// SPDX-License-Identifier: Apache-2.0
// The copy engine: copies lines and rectangles of linear memory and of images in blocks.
#pragma once

#include <array>

#include "testbench/gl/channel/engine.h"

namespace isbesim::gl {

class copy_engine : public engine {
public:
    explicit copy_engine(const channel_parts& parts) : parts_(parts) {}
    void method(std::uint32_t number, std::uint32_t value) override;

private:
    std::uint32_t at(std::uint32_t number) const { return registers_[number / 4]; }
    std::uint64_t address_at(std::uint32_t number) const { return (std::uint64_t{at(number)} << 32) | at(number + 4); }
    void launch(std::uint32_t what);
    /// Copies lines of pixels; each component is any component of the source or a constant.
    void rearrange(std::uint32_t what);

    channel_parts parts_;
    std::array<std::uint32_t, 0x800 / 4> registers_{};
};

} // namespace isbesim::gl
