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

struct code_row {
    std::uint8_t code;
    const char* name; ///< the kernel's
    const char* meaning;
};
inline constexpr code_row code_rows[] = {
    {illegal_instr_encoding, "ILLEGAL_INSTR_ENCODING", "an encoding that the hardware does not execute"},
    {illegal_sph_instr_combo, "ILLEGAL_SPH_INSTR_COMBO", "an instruction that the stage or its header does not allow"},
    {oor_addr, "OOR_ADDR", "an address out of range"},
    {misaligned_addr, "MISALIGNED_ADDR", "an address that is not a multiple of the access's size"},
    {geometry_sm_error, "GEOMETRY_SM_ERROR", "a geometry state that OUT did not produce"},
};

constexpr code_row row_of(std::uint8_t code)
{
    for (const auto& row : code_rows)
        if (row.code == code) return row;
    return {code, "unnamed", "an unknown error"};
}
constexpr const char* name_of(std::uint8_t code)
{
    return row_of(code).name;
}

} // namespace isbesim::trap_code
