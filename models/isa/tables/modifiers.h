// SPDX-License-Identifier: Apache-2.0
// Values of modifiers, as printed, and the modifiers that many rows have. Shared by the rows of all architectures.
#pragma once

#include <iterator>

#include "models/isa/opcode_row.h"

namespace isbesim::isa::values {

inline constexpr choice words[] = {{0, "32", false}, {1, "64"}, {2, "96"}, {3, "128"}};
inline constexpr choice output[] = {{0, "I", false}, {1, "O"}};
inline constexpr choice patch[] = {{0, "", false}, {1, "P"}, {2, "PHYS"}}; // PHYS is implied by the operands
inline constexpr choice region[] = {{0, "MAP", false}, {1, "PATCH"}, {2, "PRIM"}, {3, "ATTR"}};
inline constexpr choice skew[] = {{0, "", false}, {1, "SKEW"}};
inline constexpr choice raw_size[] = {{0, "U8", false}, {1, "U16"}, {2, "32"}};
inline constexpr choice out_type[] = {{0, "", false}, {0, "INVALID"}, {1, "EMIT"}, {2, "CUT"}, {3, "EMIT_THEN_CUT"}};
inline constexpr choice memory_size[] = {{0, "U8"},        {1, "S8"}, {2, "U16"}, {3, "S16"},
                                         {4, "32", false}, {5, "64"}, {6, "128"}};
inline constexpr choice load_cache[] = {{0, "", false}, {1, "LU"}, {2, "CI"}, {3, "CV"}};
inline constexpr choice store_cache[] = {{0, "", false}, {1, "CG"}, {2, "CS"}, {3, "WT"}};
inline constexpr choice constant_mode[] = {{0, "", false}, {1, "IL"}, {2, "IS"}, {3, "ISL"}};

inline constexpr choice ftz[] = {{0, "", false}, {1, "FTZ"}};
inline constexpr choice fmz[] = {{0, "", false}, {1, "FTZ"}, {2, "FMZ"}};
inline constexpr choice round[] = {{0, "RN", false}, {1, "RM"}, {2, "RP"}, {3, "RZ"}};
inline constexpr choice round_integer[] = {{0, "", false}, {1, "FLOOR"}, {2, "CEIL"}, {3, "TRUNC"}};
inline constexpr choice round_float[] = {{0, "", false}, {1, "RM"},    {2, "RP"},   {3, "RZ"},
                                         {4, "ROUND"},   {5, "FLOOR"}, {6, "CEIL"}, {7, "TRUNC"}};
inline constexpr choice scale[] = {{0, "", false}, {1, "D2"}, {2, "D4"}, {3, "D8"}, {4, "M8"}, {5, "M4"}, {6, "M2"}};
inline constexpr choice sat[] = {{0, "", false}, {1, "SAT"}};
inline constexpr choice x[] = {{0, "", false}, {1, "X"}};
inline constexpr choice bf[] = {{0, "", false}, {1, "BF"}};
inline constexpr choice wide[] = {{0, "", false}, {1, "E"}};
inline constexpr choice uniform[] = {{0, "", false}, {1, "U"}};
inline constexpr choice limit[] = {{0, "", false}, {1, "LMT"}};
inline constexpr choice wrap[] = {{0, "", false}, {1, "W"}};
inline constexpr choice byte[] = {{0, "B0", false}, {1, "B1"}, {2, "B2"}, {3, "B3"}};
inline constexpr choice match_size[] = {{0, "32", false}, {1, "U64"}};
inline constexpr choice no_divergence[] = {{0, "", false}, {1, "NDV"}};
inline constexpr choice brev[] = {{0, "", false}, {1, "BREV"}};
inline constexpr choice hi[] = {{0, "", false}, {1, "HI"}};
inline constexpr choice find_shift[] = {{0, "", false}, {1, "SH"}};
inline constexpr choice psl[] = {{0, "", false}, {1, "PSL"}};
inline constexpr choice mrg[] = {{0, "", false}, {1, "MRG"}};
inline constexpr choice nodep[] = {{0, "", false}, {1, "NODEP"}};
inline constexpr choice scale_bias_4[] = {{4, "", false}, {1, "D8"}, {2, "D4"}, {3, "D2"},
                                          {5, "M2"},      {6, "M4"}, {7, "M8"}};

inline constexpr choice compare_float[] = {{0, "F"},    {1, "LT"},   {2, "EQ"},   {3, "LE"},  {4, "GT"},   {5, "NE"},
                                           {6, "GE"},   {7, "NUM"},  {8, "NAN"},  {9, "LTU"}, {10, "EQU"}, {11, "LEU"},
                                           {12, "GTU"}, {13, "NEU"}, {14, "GEU"}, {15, "T"}};
inline constexpr choice code_tests[] = {
    {0, "F"},        {1, "LT"},       {2, "EQ"},   {3, "LE"},      {4, "GT"},      {5, "NE"},      {6, "GE"},
    {7, "NUM"},      {8, "NAN"},      {9, "LTU"},  {10, "EQU"},    {11, "LEU"},    {12, "GTU"},    {13, "NEU"},
    {14, "GEU"},     {15, "T"},       {16, "OFF"}, {17, "LO"},     {18, "SFF"},    {19, "LS"},     {20, "HI"},
    {21, "SFT"},     {22, "HS"},      {23, "OFT"}, {24, "CSM_TA"}, {25, "CSM_TR"}, {26, "CSM_MX"}, {27, "FCSM_TA"},
    {28, "FCSM_TR"}, {29, "FCSM_MX"}, {30, "RLE"}, {31, "RGT"}};
inline constexpr choice minmax[] = {{0, "MIN"}, {15, "MAX"}};
inline constexpr choice compare_integer[] = {{0, "F"},  {1, "LT"}, {2, "EQ"}, {3, "LE"},
                                             {4, "GT"}, {5, "NE"}, {6, "GE"}, {7, "T"}};
inline constexpr choice combine[] = {{0, "AND"}, {1, "OR"}, {2, "XOR"}};
inline constexpr choice logic[] = {{0, "AND"}, {1, "OR"}, {2, "XOR"}, {3, "PASS_B"}};
inline constexpr choice logic_test[] = {{0, "", false}, {1, "T"}, {2, "Z"}, {3, "NZ"}};
inline constexpr choice sign[] = {{0, "U32"}, {1, "S32", false}};
inline constexpr choice two_signs[] = {{0, "U32.U32"}, {1, "S32.U32"}, {2, "U32.S32"}, {3, "", false}};
inline constexpr choice byte_signs[] = {{0, "U8.U8"}, {1, "S8.U8"}, {2, "U8.S8"}, {3, "S8.S8"}};
inline constexpr choice half_signs[] = {{0, "U16.U16", false}, {1, "S16.U16"}, {2, "U16.S16"}, {3, "S16.S16"}};
inline constexpr choice c_mode[] = {{0, "", false}, {1, "CLO"}, {2, "CHI"}, {3, "CSFU"}, {4, "CBCC"}};
inline constexpr choice c_mode_short[] = {{0, "", false}, {1, "CLO"}, {2, "CHI"}, {3, "CSFU"}};
inline constexpr choice minmax_part[] = {{0, "", false}, {1, "XLO"}, {2, "XMED"}, {3, "XHI"}};
inline constexpr choice permute[] = {{0, "", false}, {1, "F4E"}, {2, "B4E"}, {3, "RC8"},
                                     {4, "ECL"},     {5, "ECR"}, {6, "RC16"}};
inline constexpr choice funnel_type[] = {{0, "S64"}, {1, "U64"}, {2, "S32"}, {3, "U32"}};
inline constexpr choice out_step[] = {{1, "EMIT"}, {2, "CUT"}, {3, "EMIT_THEN_CUT"}};
inline constexpr choice shift_type[] = {{0, "", false}, {2, "U64"}, {3, "S64"}};

inline constexpr choice float_type[] = {{1, "F16"}, {2, "F32"}, {3, "F64"}};
inline constexpr choice integer_type[] = {{0, "U8"}, {1, "U16"}, {2, "U32"}, {3, "U64"},
                                          {4, "S8"}, {5, "S16"}, {6, "S32"}, {7, "S64"}};
// SM75: conversions from or to 64 bits have separate opcodes, and the usual 32-bit type is not printed. Sources with
// parts, halves and bytes, have separate rows.
inline constexpr choice single_result[] = {{0, "", false}, {1, "F32"}};
inline constexpr choice half_float[] = {{1, "F16"}};
inline constexpr choice half_default[] = {{1, "F16", false}};
inline constexpr choice single_float[] = {{2, "F32"}};
inline constexpr choice single_default[] = {{2, "F32", false}};
inline constexpr choice full_float[] = {{2, "F32"}, {3, "F64"}};
inline constexpr choice any_float[] = {{1, "F16"}, {2, "F32", false}, {3, "F64"}};
inline constexpr choice narrow_float[] = {{1, "F16"}, {2, "F32"}};
inline constexpr choice narrow_float_source[] = {{1, "F16"}, {2, "F32", false}};
inline constexpr choice wide_float[] = {{3, "F64"}};
inline constexpr choice wide_default[] = {{3, "F64", false}};
inline constexpr choice narrow_integer[] = {{0, "U8"}, {1, "U16"}, {2, "U32"},
                                            {4, "S8"}, {5, "S16"}, {6, "S32", false}};
inline constexpr choice any_integer[] = {{0, "U8"}, {1, "U16"}, {2, "U32"},        {3, "U64"},
                                         {4, "S8"}, {5, "S16"}, {6, "S32", false}, {7, "S64"}};
inline constexpr choice byte_integer[] = {{0, "U8"}, {4, "S8"}};
inline constexpr choice short_integer[] = {{1, "U16"}, {5, "S16"}};
inline constexpr choice word_integer[] = {{2, "U32"}, {6, "S32", false}};
inline constexpr choice wide_integer[] = {{3, "U64"}, {7, "S64"}};
inline constexpr choice mufu[] = {{0, "COS"}, {1, "SIN"},    {2, "EX2"},    {3, "LG2"}, {4, "RCP"},
                                  {5, "RSQ"}, {6, "RCP64H"}, {7, "RSQ64H"}, {8, "SQRT"}};
inline constexpr choice mufu_tanh[] = {{0, "COS"}, {1, "SIN"},    {2, "EX2"},    {3, "LG2"},  {4, "RCP"},
                                       {5, "RSQ"}, {6, "RCP64H"}, {7, "RSQ64H"}, {8, "SQRT"}, {9, "TANH"}};
inline constexpr choice rro[] = {{0, "SINCOS"}, {1, "EX2"}};
inline constexpr choice shuffle[] = {{0, "IDX"}, {1, "UP"}, {2, "DOWN"}, {3, "BFLY"}};
inline constexpr choice vote[] = {{0, "ALL"}, {1, "ANY"}, {2, "EQ"}};
inline constexpr choice warp_reduction[] = {{0, "AND", false}, {1, "OR"},  {2, "XOR"},
                                            {3, "SUM"},        {4, "MIN"}, {5, "MAX"}};
inline constexpr choice warp_reduction_sign[] = {{0, "U32", false}, {1, "S32"}};
inline constexpr choice reduction[] = {{0, "ADD"}, {1, "MIN"}, {2, "MAX"}, {3, "INC"},
                                       {4, "DEC"}, {5, "AND"}, {6, "OR"},  {7, "XOR"}};
inline constexpr choice reduction_type[] = {{0, "U32", false}, {1, "S32"},  {2, "64"},
                                            {3, "F32.FTZ.RN"}, {4, "U128"}, {5, "S64"}};
inline constexpr choice cache_control[] = {{0, "QRY1"}, {1, "PF1"},   {2, "PF1_5"}, {3, "PF2"}, {4, "WB"},
                                           {5, "IV"},   {6, "IVALL"}, {7, "RS"},    {9, "RSLB"}};
inline constexpr choice barrier[] = {{0, "SYNC"}, {1, "ARV"}};
inline constexpr choice bar[] = {{0, "SYNC"}};
inline constexpr choice defer_blocking[] = {{0, "", false}, {1, "DEFER_BLOCKING"}};
inline constexpr choice interpolated_at[] = {{0, "", false}, {1, "CENTROID"}, {2, "OFFSET"}};
inline constexpr choice membar[] = {{0, "CTA"}, {1, "GL"}, {2, "SYS"}, {3, "VC"}};
inline constexpr choice texel_mask[] = {{0, "RGB"}, {1, "RGA"}, {2, "RBA"}, {3, "GBA"}, {4, "RGBA"}};

// The encoded values of these modifiers are the enumerators'.
static_assert(std::size(patch) == static_cast<std::size_t>(address_form::phys) + 1);
static_assert(std::size(region) == static_cast<std::size_t>(region::attr) + 1);
static_assert((std::end(out_type) - 1)->value == static_cast<std::size_t>(out_type::emit_then_cut));

} // namespace isbesim::isa::values

namespace isbesim::isa {

/// A modifier that is the same at every position: `ftz(44)` is .FTZ in bit 44.
struct modifier_kind {
    mod id;
    std::uint8_t bits;
    choices values;

    constexpr modifier_spec operator()(std::uint8_t low) const { return {id, {low, bits}, values}; }
    constexpr modifier_spec operator()(field where) const { return {id, where, values}; } ///< bits in two runs
};

namespace modifiers {

inline constexpr modifier_kind size_words = {mod::size, 2, values::words};
inline constexpr modifier_kind size_memory = {mod::size, 3, values::memory_size};
inline constexpr modifier_kind size_raw = {mod::size, 2, values::raw_size};
inline constexpr modifier_kind output_space = {mod::output_space, 1, values::output};
inline constexpr modifier_kind region = {mod::region, 2, values::region};
inline constexpr modifier_kind skew = {mod::skew, 1, values::skew};

inline constexpr modifier_kind ftz = {mod::flush, 1, values::ftz};
inline constexpr modifier_kind fmz = {mod::flush, 2, values::fmz};
inline constexpr modifier_kind rounding = {mod::round, 2, values::round};
inline constexpr modifier_kind rounding_integer = {mod::round, 2, values::round_integer};
inline constexpr modifier_kind saturate = {mod::saturate, 1, values::sat};
inline constexpr modifier_kind boolean_float = {mod::boolean_float, 1, values::bf};
inline constexpr modifier_kind compare_float = {mod::compare, 4, values::compare_float};

inline constexpr modifier_kind carry_in = {mod::extended, 1, values::x};
inline constexpr modifier_kind is_signed = {mod::is_signed, 1, values::sign};
inline constexpr modifier_kind both_signs = {mod::from_type, 2, values::two_signs};
inline constexpr modifier_kind high_part = {mod::high, 1, values::hi};
inline constexpr modifier_kind wrap = {mod::wrap, 1, values::wrap};
inline constexpr modifier_kind reverse = {mod::reverse, 1, values::brev};
inline constexpr modifier_kind compare_integer = {mod::compare, 3, values::compare_integer};
inline constexpr modifier_kind combine = {mod::combine, 2, values::combine};
inline constexpr modifier_kind wide = {mod::c_mode, 1, values::wide};

} // namespace modifiers
} // namespace isbesim::isa
