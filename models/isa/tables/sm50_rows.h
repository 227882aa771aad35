// SPDX-License-Identifier: Apache-2.0
// Shorthand for writing SM50 rows: the places of operands, and the register / constant / immediate forms of an opcode.
#pragma once

#include <utility>
#include <vector>

#include "models/isa/execution/semantics.h"
#include "models/isa/tables/modifiers.h"
#include "models/isa/tables/row_parts.h"

namespace isbesim::isa::sm50 {

using namespace modifiers;
using rows = std::vector<opcode_row>;

void add_float_rows(rows& out);
void add_double_rows(rows& out);
void add_integer_rows(rows& out);
void add_bit_rows(rows& out);
void add_move_rows(rows& out);
void add_conversion_rows(rows& out);
void add_memory_rows(rows& out);
void add_attribute_rows(rows& out);
void add_flow_rows(rows& out);
void add_call_rows(rows& out);
void add_global_rows(rows& out);
void add_texture_rows(rows& out);

// Operand fields.
inline constexpr field reg_0 = {0, 8}, reg_8 = {8, 8}, reg_20 = {20, 8}, reg_28 = {28, 8}, reg_39 = {39, 8};
inline constexpr field immediate_20 = {20, 19, 56, 1}, immediate_32 = {20, 32};

operand_spec dest(std::uint8_t cc = no_bit, extent wide = extent::one);

/// The registers in bits 15:8, 27:20 and 46:39, with the bits that negate them and take their absolute value.
operand_spec source_a(std::uint8_t negate = no_bit, std::uint8_t absolute = no_bit);
operand_spec source_b(std::uint8_t negate = no_bit, std::uint8_t absolute = no_bit);
operand_spec source_c(std::uint8_t negate = no_bit, std::uint8_t absolute = no_bit);

/// The predicate with which comparisons combine, or which selects: bits 41:39, inverted by bit 42.
operand_spec condition();

/// CC.NEU: the test of condition codes in bits 4:0. Not printed if it always holds.
operand_spec code_test();
/// The value of code_test that always holds.
inline constexpr std::uint8_t codes_do_not_matter = 15;

/// A second source in the field of the third, which comes from a constant bank.
operand_spec in_place_of_c(operand_spec b);

/// The same source from a constant bank, c[bank at 34][word offset at 20].
operand_spec constant(operand_spec source);
/// The same source as an immediate of the given form and field.
operand_spec immediate(operand_spec source, form kind, field bits = immediate_20);

/// Adds one row. `opcode` is the whole 64-bit pattern of the bits that no field covers.
void add(rows& out, std::uint64_t opcode, opcode_row row);

/// Adds the row, and a row for a target in a constant bank (bit 5).
void add_with_target(rows& out, std::uint64_t opcode, const opcode_row& row);

/// Opcodes of the forms of one instruction (upper 16 bits); 0 = the form does not exist.
struct forms {
    unsigned reg;
    unsigned constant;
    unsigned immediate;
    form immediate_form;
    unsigned constant_c = 0; ///< c from the constant bank, b in the field of c
};

/// Adds the row once per form; `row.operands` describes the register form.
void add(rows& out, const forms& opcodes, const opcode_row& row);

} // namespace isbesim::isa::sm50
