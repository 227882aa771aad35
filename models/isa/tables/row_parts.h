// SPDX-License-Identifier: Apache-2.0
// The vocabulary of both instruction tables: rows and operands, each of them a new value.
//
// One expression describes a row completely. Functions that change a row or an operand take it by value and return the
// changed value, so that no row can inherit from the previous row.
#pragma once

#include <vector>

#include "models/isa/tables/modifiers.h"
#include "models/isa/tables/table.h"

namespace isbesim::isa {

/// Rows of each latency class. `execute` null: known to the tools, not to the executor. Only fixed-latency arithmetic
/// prints reuse flags.
opcode_row alu_row(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
                   std::vector<operand_spec> operands);
opcode_row variable_row(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
                        std::vector<operand_spec> operands);
opcode_row memory_row(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
                      std::vector<operand_spec> operands);
opcode_row global_row(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
                      std::vector<operand_spec> operands);
/// Executor and result registers follow from the traits.
opcode_row texture_row(const char* mnemonic, const texture_traits& traits, std::vector<modifier_spec> modifiers,
                       std::vector<operand_spec> operands);
opcode_row surface_row(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
                       std::vector<operand_spec> operands);
opcode_row control_row(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
                       std::vector<operand_spec> operands);
/// A control_row after which lanes that take it do not run the next instruction.
opcode_row leaving_row(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
                       std::vector<operand_spec> operands);
/// `operation`: requested from the ISBE.
opcode_row attribute_row(isbesim::opcode operation, const char* mnemonic, execute_function execute,
                         std::vector<modifier_spec> modifiers, std::vector<operand_spec> operands);

opcode_row with_reuse(opcode_row row);
opcode_row unguarded(opcode_row row);
opcode_row ignoring(encoding bits, opcode_row row);
opcode_row meaning(encoding bits, opcode_row row); ///< bits of modifiers that the row lacks
opcode_row long_form(opcode_row row);
opcode_row storing(opcode_row row);            ///< it writes global memory or images
opcode_row reading_codes(opcode_row row);      ///< SM50 condition codes
opcode_row reading_predicates(opcode_row row); ///< those of P0 to P6 in the mask of slot b; all without a mask
opcode_row writing_predicates(opcode_row row);

operand_spec register_source(slot where, field bits, extent wide = extent::one);
operand_spec register_result(field bits, extent wide = extent::one);

operand_spec predicate_result(slot where, unsigned low);
operand_spec predicate_source(slot where, unsigned low, unsigned not_bit);
operand_spec small(slot where, field bits, form kind = form::unsigned_word);
operand_spec literal(const char* text);
operand_spec address(form kind, field base, field offset);

operand_spec pair(operand_spec spec); ///< two registers: a double
operand_spec inverted(operand_spec spec, std::uint8_t bit);
operand_spec part_of(operand_spec spec, field part); ///< half or byte selection
operand_spec aligned(operand_spec spec);
operand_spec optional(operand_spec spec);                     ///< RZ or PT is left out
operand_spec optional(operand_spec spec, std::uint8_t usual); ///< this number is left out
operand_spec either_sign(operand_spec spec);                  ///< all its bits may be written without a sign
operand_spec after_blank(operand_spec spec);
operand_spec named(slot where, field bits, name_list names);
operand_spec reversed(operand_spec spec); ///< a predicate whose field holds 7 minus its number
operand_spec without_reuse(operand_spec spec);
operand_spec shifted(operand_spec spec, std::uint8_t shift);
operand_spec in_bank(operand_spec spec, field bank);
operand_spec in_slot(operand_spec spec, slot where);
operand_spec in_field(operand_spec spec, field bits);
/// The register that another operand's field names.
operand_spec same_register(operand_spec spec, field bits);
/// The registers after those of the operand in that field, for a value of the same size.
operand_spec following(operand_spec spec, field bits);
/// An address whose register is a pair with .E, scaled where `scale` exists.
operand_spec wide_address(operand_spec spec, field scale = {});
/// The same address plus a uniform register, to whose size .E then applies: the vector register is a pair if `is_pair`
/// is set, and has no size if that field does not exist (local and shared memory).
operand_spec plus_uniform(operand_spec spec, field uniform, field is_pair = {});

/// The operand of a slot. Throws std::logic_error if the row has no such operand.
const operand_spec& operand_at(const opcode_row& row, slot where);
/// The row with its operand of the same slot replaced. Throws as above.
opcode_row with_operand(opcode_row row, const operand_spec& operand);

} // namespace isbesim::isa
