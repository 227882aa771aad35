// Warp error numbers, HARDWARE.md E.5.
#pragma once

#include <cstdint>

namespace isbesim::trap_code {

inline constexpr std::uint8_t illegal_instr_encoding = 0x09;
inline constexpr std::uint8_t illegal_sph_instr_combo = 0x0a;
inline constexpr std::uint8_t oor_addr = 0x0e;
inline constexpr std::uint8_t geometry_sm_error = 0x13;

} // namespace isbesim::trap_code
