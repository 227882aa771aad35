// SPDX-License-Identifier: Apache-2.0
// Warp error numbers, HARDWARE.md E.5.
#pragma once

#include <cstdint>

namespace isbesim::trap_code {

inline constexpr std::uint8_t illegal_instr_encoding = 0x09;
inline constexpr std::uint8_t illegal_sph_instr_combo = 0x0a;
inline constexpr std::uint8_t oor_addr = 0x0e;
inline constexpr std::uint8_t geometry_sm_error = 0x13;

inline constexpr std::uint8_t misaligned_addr = 0x0f;

/// The kernel's name of an error.
constexpr const char* name_of(std::uint8_t code)
{
    switch (code) {
    case illegal_instr_encoding:
        return "ILLEGAL_INSTR_ENCODING";
    case illegal_sph_instr_combo:
        return "ILLEGAL_SPH_INSTR_COMBO";
    case oor_addr:
        return "OOR_ADDR";
    case misaligned_addr:
        return "MISALIGNED_ADDR";
    case geometry_sm_error:
        return "GEOMETRY_SM_ERROR";
    default:
        return "unnamed";
    }
}

} // namespace isbesim::trap_code
