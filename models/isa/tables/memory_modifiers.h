// SPDX-License-Identifier: Apache-2.0
// Values of modifiers of memory, atomic, texture and surface instructions, as printed, for all architectures.
#pragma once

#include "models/isa/tables/modifiers.h"

namespace isbesim::isa::values {

inline constexpr choice global_cache[] = {{0, "", false}, {1, "CG"}, {2, "CI"}, {3, "CV"}};
inline constexpr choice global_size[] = {{0, "U8"},        {1, "S8"}, {2, "U16"}, {3, "S16"},
                                         {4, "32", false}, {5, "64"}, {6, "128"}, {7, "U.128"}};
inline constexpr choice uncached_size[] = {{0, "U8"}, {1, "S8"}, {2, "U16"}, {3, "S16"},
                                           {4, "32"}, {5, "64"}, {6, "128"}};
inline constexpr choice atomic[] = {{0, "ADD"}, {1, "MIN"}, {2, "MAX"}, {3, "INC"}, {4, "DEC"},
                                    {5, "AND"}, {6, "OR"},  {7, "XOR"}, {8, "EXCH"}};
inline constexpr choice atomic_type_sm50[] = {{0, "U32", false}, {1, "S32"},  {2, "U64"},
                                              {3, "F32.FTZ.RN"}, {4, "U128"}, {5, "S64"}};
inline constexpr choice atomic_type_sm75[] = {{0, "U32", false}, {1, "S32"}, {2, "64"},    {3, "F32.FTZ.RN"},
                                              {4, "F16x2.RN"},   {5, "S64"}, {6, "F64.RN"}};
// SM90 and later have an opcode each for integers and float numbers.
inline constexpr choice atomic_integer_sm90[] = {{0, "U32", false}, {1, "S32"}, {2, "64"}, {3, "S64", true, 5}};
inline constexpr choice atomic_float_sm90[] = {
    {0, "F16x2.RN", true, 4}, {9, "F32.FTZ.RN", true, 3}, {15, "F64.RN", true, 6}};
inline constexpr choice shared_type_sm50[] = {{0, "U32", false}, {1, "S32"}, {2, "U64"}, {3, "S64"}};
inline constexpr choice shared_type_sm75[] = {{0, "U32", false}, {1, "S32"}, {2, "64"}};
// Types of compare and swap, with the numbers of U32 and U64 in the lists above.
inline constexpr choice swap_type_bit[] = {{0, "", false}, {1, "64"}};
inline constexpr choice swap_type[] = {{0, "", false}, {1, "S32"}, {2, "64"}};
inline constexpr choice shared_swap[] = {{0, "CAS"}, {1, "CAST"}, {3, "CAST.SPIN"}};
inline constexpr choice cache_space[] = {{0, "", false}, {1, "U"}, {2, "C"}, {3, "I"}, {4, "CRS"}};
inline constexpr choice cache_action[] = {{0, "QRY1"}, {1, "PF1"}, {2, "PF1.5"}, {3, "PF2"},
                                          {4, "WB"},   {5, "IV"},  {7, "RS"},    {9, "RSLB"}};
inline constexpr choice cache_action_sm75[] = {{0, "PF1"}, {1, "PF2"},    {2, "WB"},    {3, "IV"},
                                               {5, "RS"},  {6, "IVALLP"}, {7, "WBALL"}, {8, "WBALLP"}};
inline constexpr choice invalidate[] = {{0, "", false}, {1, "IVALLD"}, {2, "IVALLT"}, {3, "IVALLTD"}};

// SM80 and later: order and scope in one field.
inline constexpr choice ordered_scope[] = {{0, "", false},   {4, "CONSTANT"},   {5, "STRONG.CTA"},
                                           {6, "STRONG.SM"}, {7, "STRONG.GPU"}, {10, "STRONG.SYS"}};
inline constexpr choice load_order[] = {{0, "CONSTANT"}, {1, "", false}, {2, "STRONG"}, {3, "MMIO"}};
inline constexpr choice store_order[] = {{1, "", false}, {2, "STRONG"}, {3, "MMIO"}};
inline constexpr choice atomic_order[] = {{1, "", false}, {2, "STRONG"}};
inline constexpr choice scope[] = {{0, "CTA"}, {1, "SM"}, {2, "GPU"}, {3, "SYS"}};
inline constexpr choice eviction[] = {{0, "EF"}, {1, "", false}, {2, "EL"}, {3, "LU"}, {4, "EU"}, {5, "NA"}};
inline constexpr choice fence[] = {{0, "SC"}, {1, "ALL"}, {2, "", false}, {3, "MMIO"}};
inline constexpr choice fence_scope[] = {{0, "CTA"}, {1, "SM"}, {2, "GPU"}, {3, "SYS"}, {5, "VC"}};

inline constexpr choice level[] = {{0, "", false}, {1, "LZ"}, {2, "LB"}, {3, "LL"}, {6, "LBA"}, {7, "LLA"}};
inline constexpr choice fetch_level[] = {{1, "LZ"}, {3, "LL"}};
inline constexpr choice fetch_level_bit[] = {{0, "LZ"}, {1, "LL"}};
inline constexpr choice component[] = {{0, "R"}, {1, "G"}, {2, "B"}, {3, "A"}};
inline constexpr choice one_offset[] = {{0, "", false}, {1, "AOFFI"}};
inline constexpr choice gather_offsets[] = {{0, "", false}, {1, "AOFFI"}, {2, "PTP"}};
inline constexpr choice compare_depth[] = {{0, "", false}, {1, "DC"}};
inline constexpr choice samples[] = {{0, "", false}, {1, "MS"}};
inline constexpr choice clip[] = {{0, "", false}, {1, "CL"}};
inline constexpr choice no_derivative[] = {{0, "", false}, {1, "NDV"}};
inline constexpr choice scalar[] = {{0, "", false}, {1, "SCR"}};
inline constexpr choice bindless[] = {{1, "B"}};

inline constexpr choice surface[] = {{0, "1D"}, {1, "1D_BUFFER"}, {2, "1D_ARRAY"},
                                     {3, "2D"}, {4, "2D_ARRAY"},  {5, "3D"}};
inline constexpr choice byte_address[] = {{0, "", false}, {1, "BA"}};
inline constexpr choice surface_mask[] = {{1, "R"},    {2, "G"},   {3, "RG"},   {4, "B"},    {5, "RB"},
                                          {6, "GB"},   {7, "RGB"}, {8, "A"},    {9, "RA"},   {10, "GA"},
                                          {11, "RGA"}, {12, "BA"}, {13, "RBA"}, {14, "GBA"}, {15, "", false}};
inline constexpr choice clamp[] = {{0, "IGN"}, {1, "", false}, {2, "TRAP"}};
inline constexpr choice surface_type[] = {{0, "U32", false}, {1, "S32"}, {2, "U64"}, {3, "F32.FTZ.RN"}, {5, "S64"}};

// Names of operands.
inline constexpr const char* texture_shape[] = {"1D",       "2D",       "3D",       "CUBE",
                                                "ARRAY_1D", "ARRAY_2D", "ARRAY_3D", "ARRAY_CUBE"};
inline constexpr const char* scoreboard[] = {"SB0", "SB1", "SB2", "SB3", "SB4", "SB5"};

} // namespace isbesim::isa::values

namespace isbesim::isa::modifiers {

inline constexpr modifier_kind size_global = {mod::size, 3, values::global_size};
inline constexpr modifier_kind eviction = {mod::eviction, 3, values::eviction};
inline constexpr modifier_kind scope = {mod::scope, 2, values::scope};
inline constexpr modifier_kind atomic = {mod::function, 4, values::atomic};
inline constexpr modifier_kind no_dependency = {mod::dependency, 1, values::nodep};
inline constexpr modifier_kind no_derivative = {mod::derivative, 1, values::no_derivative};
inline constexpr modifier_kind compare_depth = {mod::shadow, 1, values::compare_depth};
inline constexpr modifier_kind one_offset = {mod::offsets, 1, values::one_offset};
inline constexpr modifier_kind gather_offsets = {mod::offsets, 2, values::gather_offsets};

} // namespace isbesim::isa::modifiers
