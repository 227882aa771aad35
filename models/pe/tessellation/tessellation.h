// SPDX-License-Identifier: Apache-2.0
// Tessellation settings of a draw: the state of the fixed-function generator between TI and TS.
#pragma once

#include <array>
#include <cstdint>

namespace isbesim {

enum class tess_domain : std::uint8_t { isolines, triangles, quads };
enum class tess_spacing : std::uint8_t { equal, fractional_odd, fractional_even };
enum class tess_output : std::uint8_t { points, lines, triangles_cw, triangles_ccw };

/// Levels of one patch, in the order of the LOD slots of the patch space (HARDWARE.md A.3). Outer level i belongs to
/// the edge that OpenGL numbers i: u = 0, v = 0, u = 1, v = 1 of a quad; u = 0, v = 0, w = 0 of a triangle. Those of
/// isolines are the number of lines and the segments per line. A domain ignores the levels that it does not use.
struct tessellation_levels {
    std::array<float, 4> outer{1, 1, 1, 1};
    std::array<float, 2> inner{1, 1};

    bool operator==(const tessellation_levels& other) const { return outer == other.outer && inner == other.inner; }
};

/// 32-bit words of the levels at the start of a patch: four outer levels, two inner levels.
inline constexpr unsigned level_words = 6;

struct tessellation_state {
    tess_domain domain = tess_domain::triangles;
    tess_spacing spacing = tess_spacing::equal;
    tess_output output = tess_output::triangles_ccw;
    tessellation_levels defaults; ///< used without a TI stage (conformance ALD-15)

    bool operator==(const tessellation_state& other) const
    {
        return domain == other.domain && spacing == other.spacing && output == other.output &&
               defaults == other.defaults;
    }
};

/// Vertices per primitive that the generator makes.
constexpr unsigned vertices_per_tessellated_primitive(tess_output output)
{
    return output == tess_output::points ? 1 : output == tess_output::lines ? 2 : 3;
}

} // namespace isbesim
