// SPDX-License-Identifier: Apache-2.0
// Shorthand for writing rows of SM75, SM86 and SM120: 128-bit words, whose bits 11:9 determine the kind of the second
// source field.
#pragma once

#include <utility>
#include <vector>

#include "models/isa/execution/semantics.h"
#include "models/isa/tables/modifiers.h"
#include "models/isa/tables/row_parts.h"

namespace isbesim::isa::sm75 {

using namespace modifiers;
using rows = std::vector<opcode_row>;

void add_attribute_rows(rows& out, architecture arch); ///< the addresses of ISBERD and ISBEWR differ (HARDWARE.md B.2)
void add_move_rows(rows& out);
void add_float_rows(rows& out);
void add_integer_rows(rows& out, architecture arch);
void add_bit_rows(rows& out);
void add_half_rows(rows& out);
void add_memory_rows(rows& out, architecture arch);
void add_conversion_rows(rows& out);
void add_flow_rows(rows& out, architecture arch);
void add_call_rows(rows& out);
void add_global_rows(rows& out, architecture arch);
void add_texture_rows(rows& out, architecture arch);
void add_uniform_rows(rows& out, architecture arch);
void add_ampere_half_rows(rows& out);
void add_ampere_uniform_rows(rows& out);
void add_ampere_rows(rows& out, architecture arch); ///< rows that SM86 and later add to SM75
/// Takes away the forms that SM120 lacks: only loads take constants from banks.
void remove_constant_forms(rows& out);

/// The distance of a branch.
field branch_field(architecture arch);
/// The uniform register of an address: for loads, and for instructions with data in the second place. Before SM120 the
/// bits above have other meanings.
field uniform_of_load(architecture arch);
field uniform_of_store(architecture arch);

/// The modifiers, then memory order and scope, then the rest: SM75 has `values` and a scope in separate fields.
std::vector<modifier_spec> ordered(architecture arch, std::vector<modifier_spec> modifiers, choices values,
                                   const std::vector<modifier_spec>& rest = {});

// Operand fields.
inline constexpr field reg_d = {16, 8}, reg_first = {24, 8}, reg_second = {32, 8}, reg_third = {64, 8};
inline constexpr field immediate_field = {32, 32};

/// The modifiers of a source; their bits follow from its place in the word.
enum class signs : std::uint8_t { none, negate, negate_absolute, invert };

/// The register fields of the three sources: bits 31:24, 39:32 and 71:64, each with its own modifier bits.
enum class place : std::uint8_t { first, second, third };

operand_spec dest(extent wide = extent::one);
operand_spec source(slot where, place at, signs has = signs::none, extent wide = extent::one);
inline operand_spec first(signs has = signs::none)
{
    return source(slot::a, place::first, has);
}
inline operand_spec second(signs has = signs::none)
{
    return source(slot::b, place::second, has);
}
inline operand_spec third(signs has = signs::none)
{
    return source(slot::c, place::third, has);
}

/// The same source with the reuse flag of a third source: a summand has this flag at every place of its register.
operand_spec as_third(operand_spec source);

/// The predicate with which comparisons combine, or which selects: bits 89:87, inverted by bit 90.
operand_spec condition();
/// The value of these bits for an instruction without this operand: PT.
inline constexpr std::uint64_t condition_true = 0x0380'0000;

/// Adds one row for the upper and lower half of the bits that no field covers.
void add(rows& out, std::uint64_t high, std::uint64_t low, opcode_row row);

/// Bit 91: the instruction uses uniform registers.
inline constexpr std::uint64_t uniform_bit = std::uint64_t{1} << (91 - 64);

/// The forms of one instruction; `opcode` are bits 8:0. `row.operands` describes the register form.
struct forms {
    unsigned opcode;
    form immediate_form;
    std::uint64_t high = 0;  ///< fixed bits of the upper half
    slot replaced = slot::b; ///< the source that becomes immediate or constant
};

/// Adds rows with a register (0x200), an immediate (0x800), a constant (0xa00, with bit 91 a bindless constant) or a
/// uniform register (0xc00) as the second source.
void add_two_source(rows& out, const forms& opcodes, const opcode_row& row);
/// The same, and with an immediate (0x400), a constant (0x600) or a uniform register (0xe00) as the third source, and
/// the second source in the place of the third.
void add_three_source(rows& out, const forms& opcodes, const opcode_row& row);
/// Adds the rows of add_three_source that add_two_source lacks.
void add_third_forms(rows& out, const forms& opcodes, const opcode_row& row);
/// Adds rows with a register as the second source (0x200), and the other kinds with the opcodes of a third source.
void add_summand(rows& out, const forms& opcodes, const opcode_row& row);

/// The same row on uniform registers and predicates: all lanes at once. Sources are registers or an immediate.
opcode_row on_uniform(const opcode_row& row, const char* mnemonic);
void add_uniform_two_source(rows& out, const forms& opcodes, const opcode_row& row);
void add_uniform_three_source(rows& out, const forms& opcodes, const opcode_row& row);

/// The source in the second place, as a uniform register or as c[UR][offset].
operand_spec in_uniform_register(operand_spec source);
operand_spec in_bindless_constant(operand_spec source);

} // namespace isbesim::isa::sm75
