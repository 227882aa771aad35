// SPDX-License-Identifier: Apache-2.0
// SM75 rows: conversions. Conversions from or to 64 bits have separate opcodes.
#include <utility>

#include "models/isa/tables/sm75_rows.h"

namespace isbesim::isa::sm75 {

namespace {

constexpr auto both = signs::negate_absolute, none = signs::none;
constexpr field to_bits = {75, 2}, from_bits = {84, 2}, signed_to_bits = {75, 2, 72, 1},
                signed_from_bits = {84, 2, 74, 1};
/// The half or byte of the source, for types that are narrower than a register.
constexpr field no_part = {}, half = {60, 1}, byte = {60, 2};

modifier_spec to_type(field bits, choices values)
{
    return {mod::to_type, bits, values};
}
modifier_spec from_type(field bits, choices values)
{
    return {mod::from_type, bits, values};
}

void add_conversion(rows& out, const forms& opcodes, const char* mnemonic, execute_function execute, signs sign,
                    const std::vector<modifier_spec>& modifiers, field part = no_part)
{
    const operand_spec converted = part_of(source(slot::b, place::second, sign, extent::by_from_type), part);
    add_two_source(out, opcodes, variable_row(mnemonic, execute, modifiers, {dest(extent::by_to_type), converted}));
}

void add_float_conversions(rows& out)
{
    add_conversion(
        out, {0x104, form::real}, "F2F", run::f2f, both,
        {ftz(80), to_type(to_bits, values::narrow_float), from_type(from_bits, values::half_float), rounding(78)},
        half);
    add_conversion(
        out, {0x104, form::real}, "F2F", run::f2f, both,
        {ftz(80), to_type(to_bits, values::narrow_float), from_type(from_bits, values::single_float), rounding(78)});
    add_conversion(
        out, {0x110, form::real}, "F2F", run::f2f, both,
        {ftz(80), to_type(to_bits, values::wide_float), from_type(from_bits, values::half_float), rounding(78)}, half);
    add_conversion(
        out, {0x110, form::real}, "F2F", run::f2f, both,
        {ftz(80), to_type(to_bits, values::wide_float), from_type(from_bits, values::full_float), rounding(78)});
    add_conversion(
        out, {0x110, form::real_double}, "F2F", run::f2f, both,
        {ftz(80), to_type(to_bits, values::narrow_float), from_type(from_bits, values::wide_float), rounding(78)});

    // Source and result have the same type, named once.
    add_conversion(out, {0x107, form::real}, "FRND", run::frnd, both,
                   {ftz(80), to_type(to_bits, values::single_default), from_type(from_bits, values::single_default),
                    rounding_integer(78)});
    add_conversion(out, {0x107, form::real}, "FRND", run::frnd, both,
                   {ftz(80), to_type(to_bits, values::half_float), from_type(from_bits, values::half_default),
                    rounding_integer(78)},
                   half);
    add_conversion(out, {0x113, form::real_double}, "FRND", run::frnd, both,
                   {ftz(80), to_type(to_bits, values::wide_float), from_type(from_bits, values::wide_default),
                    rounding_integer(78)});
}

void add_integer_conversions(rows& out)
{
    static constexpr choice nan_to_zero[] = {{0, "", false}, {1, "NTZ"}};
    const modifier_spec ntz = {mod::test, {77, 1}, nan_to_zero};
    const auto to_integer = [&](const forms& opcodes, choices result_types, choices source_types, field part) {
        add_conversion(out, opcodes, "F2I", run::f2i, both,
                       {ftz(80), to_type(signed_to_bits, result_types), from_type(from_bits, source_types),
                        rounding_integer(78), ntz},
                       part);
    };
    for (const auto& [opcode, types] :
         {std::pair{0x105U, choices(values::narrow_integer)}, {0x111U, values::wide_integer}}) {
        to_integer({opcode, form::real}, types, values::half_float, half);
        to_integer({opcode, form::real}, types, values::single_default, no_part);
    }
    to_integer({0x111, form::real_double}, values::any_integer, values::wide_float, no_part);

    const auto from_integer = [&](unsigned opcode, choices result_types) {
        const modifier_spec type = to_type(to_bits, result_types);
        add_conversion(out, {opcode, form::integer}, "I2F", run::i2f, none,
                       {type, from_type(signed_from_bits, values::word_integer), rounding(78)});
        add_conversion(out, {opcode, form::integer}, "I2F", run::i2f, none,
                       {type, from_type(signed_from_bits, values::short_integer), rounding(78)}, half);
        add_conversion(out, {opcode, form::integer}, "I2F", run::i2f, none,
                       {type, from_type(signed_from_bits, values::byte_integer), rounding(78)}, byte);
    };
    from_integer(0x106, values::narrow_float_source);
    from_integer(0x112, values::wide_float);
    add_conversion(
        out, {0x112, form::integer}, "I2F", run::i2f, none,
        {to_type(to_bits, values::any_float), from_type(signed_from_bits, values::wide_integer), rounding(78)});
}

/// Words to narrower types: one word in a register, or two bytes below the low 16 bits of a third source, shifted up.
void add_narrowing(rows& out)
{
    static constexpr choice one[] = {{0, "U8.S32.SAT"}, {1, "S8.S32.SAT"}, {2, "U16.S32.SAT"}, {3, "S16.S32.SAT"}};
    static constexpr choice packed[] = {{0, "U8.S32.SAT"}, {1, "S8.S32.SAT"}};
    add_two_source(out, {0x038, form::integer},
                   variable_row("I2I", run::i2i_narrow, {{mod::to_type, {76, 2}, one}}, {dest(), second()}));
    add_two_source(
        out, {0x039, form::integer},
        variable_row("I2IP", run::i2ip, {{mod::to_type, {76, 2}, packed}}, {dest(), first(), second(), third()}));
}

} // namespace

void add_conversion_rows(rows& out)
{
    add_float_conversions(out);
    add_integer_conversions(out);
    add_narrowing(out);
}

} // namespace isbesim::isa::sm75
