// SPDX-License-Identifier: Apache-2.0
// What a compute launch names: 256 bytes of memory, in the formats of NVIDIA's published headers of queue metadata
// (Maxwell's 1.7, Pascal's 2.1, Volta's and Turing's 2.2 and 2.3, Ampere's 3.0).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "testbench/gl/channel/three_d_state.h"

namespace isbesim::gl {

struct launch_descriptor {
    static constexpr std::uint64_t bytes = 256;

    std::array<std::uint32_t, 3> groups{}, threads{}; ///< x, y, z
    std::uint64_t program = 0;
    bool program_is_offset = false; ///< from CODE_ADDRESS
    std::uint32_t shared_bytes = 0; ///< of a workgroup
    std::uint32_t local_bytes = 0;  ///< of a thread
    std::array<constant_binding, 8> constants{};
    bool signals = false; ///< it releases semaphores or starts another launch when it ends

    bool empty() const { return groups[0] == 0 || groups[1] == 0 || groups[2] == 0; }
};

/// None: a format that is not known.
std::optional<launch_descriptor> read_launch(const std::uint8_t* bytes);

} // namespace isbesim::gl
