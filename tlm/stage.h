// SPDX-License-Identifier: Apache-2.0
// Names for all layers: pipeline stages of warps and shader types of program headers.
#pragma once

#include <cstdint>

namespace isbesim {

/// Pipeline stage of a warp; the values are those in descriptor word 0.
enum class stage : std::uint8_t {
    none = 0,
    vertex_a = 1,  ///< VSa, vertex cull before fetch
    vertex = 2,    ///< VSb
    tess_init = 3, ///< TI
    tess = 4,      ///< TS
    geometry = 5,
    task = 6,
    mesh = 7,
};

inline constexpr unsigned stage_count = static_cast<unsigned>(stage::mesh) + 1;

/// ShaderType values of the header.
enum class shader_type : std::uint8_t { vertex = 1, tess_init = 2, tess = 3, geometry = 4, pixel = 5 };

} // namespace isbesim
