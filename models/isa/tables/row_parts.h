// SPDX-License-Identifier: Apache-2.0
// The vocabulary of both instruction tables: rows and operands, each of them a new value.
//
// One expression describes a row completely. Functions that change a row or an operand take it by value and return the
// changed value, so that no row can inherit from the previous row.
#pragma once

#include <utility>
#include <vector>

#include "models/isa/tables/modifiers.h"
#include "models/isa/tables/table.h"

namespace isbesim::isa {

/// A function that returns its argument with this value of the member.
template <typename owner, typename type>
constexpr auto setting(type owner::*member, type value)
{
    return [member, value](owner changed) {
        changed.*member = value;
        return changed;
    };
}

/// The same, with the value as the second argument.
template <typename owner, typename type>
constexpr auto changing(type owner::*member)
{
    return [member](owner changed, type value) {
        changed.*member = value;
        return changed;
    };
}

opcode_row make_row(latency_class latency, const char* mnemonic, execute_function execute,
                    std::vector<modifier_spec> modifiers, std::vector<operand_spec> operands);

template <latency_class latency>
opcode_row row_of(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
                  std::vector<operand_spec> operands)
{
    return make_row(latency, mnemonic, execute, std::move(modifiers), std::move(operands));
}

/// Rows of each latency class. `execute` null: known to the tools, not to the executor. Only fixed-latency arithmetic
/// prints reuse flags.
inline constexpr auto alu_row = row_of<latency_class::alu>;
inline constexpr auto variable_row = row_of<latency_class::variable>;
inline constexpr auto memory_row = row_of<latency_class::memory>;
inline constexpr auto global_row = row_of<latency_class::global>;
/// Executor and result registers follow from the traits.
opcode_row texture_row(const char* mnemonic, const texture_traits& traits, std::vector<modifier_spec> modifiers,
                       std::vector<operand_spec> operands);
opcode_row surface_row(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
                       std::vector<operand_spec> operands);
inline constexpr auto control_row = row_of<latency_class::control>;
/// A control_row after which lanes that take it do not run the next instruction.
opcode_row leaving_row(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
                       std::vector<operand_spec> operands);
/// `operation`: requested from the ISBE.
opcode_row attribute_row(isbesim::opcode operation, const char* mnemonic, execute_function execute,
                         std::vector<modifier_spec> modifiers, std::vector<operand_spec> operands);

inline constexpr auto with_reuse = setting(&opcode_row::shows_reuse, true);
inline constexpr auto unguarded = setting(&opcode_row::guarded, false);
opcode_row ignoring(encoding bits, opcode_row row);
opcode_row meaning(encoding bits, opcode_row row); ///< bits of modifiers that the row lacks
inline constexpr auto long_form = setting(&opcode_row::long_form, true);
inline constexpr auto storing = setting(&opcode_row::stores, true);            ///< it writes global memory or images
inline constexpr auto reading_codes = setting(&opcode_row::reads_codes, true); ///< SM50 condition codes
inline constexpr auto reading_predicates = setting(
    &opcode_row::packed, packed_predicates::read); ///< those of P0 to P6 in the mask of slot b; all without a mask
inline constexpr auto writing_predicates = setting(&opcode_row::packed, packed_predicates::written);

operand_spec register_source(slot where, field bits, extent wide = extent::one);
operand_spec register_result(field bits, extent wide = extent::one);

operand_spec predicate_result(slot where, unsigned low);
operand_spec predicate_source(slot where, unsigned low, unsigned not_bit);
operand_spec small(slot where, field bits, form kind = form::unsigned_word);
operand_spec literal(const char* text);
operand_spec address(form kind, field base, field offset);

inline constexpr auto pair = setting(&operand_spec::extent, extent::two); ///< two registers: a double
inline constexpr auto inverted = changing(&operand_spec::invert);
inline constexpr auto part_of = changing(&operand_spec::part); ///< half or byte selection
inline constexpr auto aligned = setting(&operand_spec::aligned, true);
operand_spec optional(operand_spec spec);                     ///< RZ or PT is left out
operand_spec optional(operand_spec spec, std::uint8_t usual); ///< this number is left out
inline constexpr auto either_sign =
    setting(&operand_spec::either_sign, true); ///< all its bits may be written without a sign
inline constexpr auto after_blank = setting(&operand_spec::after_blank, true);
operand_spec named(slot where, field bits, name_list names);
inline constexpr auto reversed =
    setting(&operand_spec::reversed, true); ///< a predicate whose field holds 7 minus its number
inline constexpr auto without_reuse = setting(&operand_spec::reuse, no_bit);
inline constexpr auto shifted = changing(&operand_spec::shift);
inline constexpr auto in_bank = changing(&operand_spec::bank);
inline constexpr auto in_slot = changing(&operand_spec::where);
inline constexpr auto in_field = changing(&operand_spec::bits);
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
