// SPDX-License-Identifier: Apache-2.0
// Reads the descriptor of a compute launch, in the formats of NVIDIA's published headers of queue metadata: 256 bytes
// (1.7 of Maxwell, 2.1 of Pascal, 2.2 and 2.3 of Volta and Turing, 3.0 of Ampere), on Blackwell 384 of 512 (5.0).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/isa/program.h"
#include "testbench/gl/channel/three_d_state.h"

namespace isbesim::gl {

struct launch_descriptor {
    static constexpr std::uint64_t bytes(isa::architecture arch)
    {
        return arch >= isa::architecture::sm120 ? 384 : 256;
    }

    std::array<std::uint32_t, 3> groups{}, threads{}; ///< x, y, z
    std::uint64_t program = 0;
    bool program_is_offset = false; ///< `program` is relative to CODE_ADDRESS
    std::uint32_t shared_bytes = 0; ///< of a workgroup
    std::uint32_t local_bytes = 0;  ///< of a thread
    std::array<constant_binding, 8> constants{};
    bool signals = false; ///< at its end it releases semaphores or starts another launch

    bool empty() const { return groups[0] == 0 || groups[1] == 0 || groups[2] == 0; }
};

/// Returns none for an unknown format.
std::optional<launch_descriptor> read_launch(const std::uint8_t* bytes, isa::architecture arch);

} // namespace isbesim::gl
