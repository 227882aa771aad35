// SPDX-License-Identifier: Apache-2.0
// Writes data words of the push buffer to memory: methods 0x180 to 0x1b4 of P2MF, compute and 3D.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "testbench/gl/channel/engine.h"

namespace isbesim::gl {

class inline_upload {
public:
    explicit inline_upload(const channel_parts& parts) : parts_(parts) {}

    static bool has(std::uint32_t number) { return number >= first_method && number <= last_method; }
    void method(std::uint32_t number, std::uint32_t value);

private:
    static constexpr std::uint32_t first_method = 0x180;
    static constexpr std::uint32_t last_method = 0x1b4;

    std::uint32_t at(std::uint32_t number) const { return registers_[(number - first_method) / 4]; }
    void begin(std::uint32_t launch);
    void write();

    channel_parts parts_;
    std::array<std::uint32_t, (last_method - first_method) / 4 + 1> registers_{};
    bool linear_ = true;
    std::uint64_t expected_ = 0; ///< bytes
    std::vector<std::uint8_t> data_;
};

} // namespace isbesim::gl
