// SPDX-License-Identifier: Apache-2.0
// Runs the workgroups of a compute program one after the other, in warps that share memory and meet at BAR. Functional
// only: no time passes.
#pragma once

#include <array>
#include <cstdint>

#include "models/isa/execution/executor.h"

namespace isbesim::isa {

/// A compute program and its environment. Everything that it points to must outlive the run.
struct grid {
    const program* code = nullptr;
    const constant_banks* constants = nullptr;
    memory_space* global = nullptr;
    texture::texture_unit* textures = nullptr;
    address_windows windows;
    std::array<std::uint32_t, 3> groups{1, 1, 1};
    std::array<std::uint32_t, 3> threads{1, 1, 1};     ///< of a workgroup
    std::uint32_t shared_bytes = 0;                    ///< of a workgroup
    std::uint32_t local_bytes = 0;                     ///< of a thread
    std::uint64_t most_steps = std::uint64_t{1} << 26; ///< warp instructions after which a warp counts as endless
};

/// Results of a grid.
struct grid_result {
    // Warp instructions that trapped. They changed nothing, and their warps continued.
    std::uint64_t count = 0;
    std::uint8_t first = 0; ///< HARDWARE.md E.5 number
    std::uint32_t address = 0;
    std::uint64_t stored = 0; ///< bytes that ST and STG stored
};

/// Runs the whole grid. Throws execution_error if a warp cannot continue; earlier writes stay.
grid_result run_grid(const grid& what);

} // namespace isbesim::isa
