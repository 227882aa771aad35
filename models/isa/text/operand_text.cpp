// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "models/isa/execution/half_bits.h"
#include "models/isa/special_register.h"
#include "models/isa/text/statement.h"
#include "models/isa/text/text.h"
#include "tlm/float_bits.h"

namespace isbesim::isa {

namespace {

/// `prefix` with a number below `limit`, or with `last`, which stands for `limit` itself.
std::uint8_t read_numbered(cursor& input, const std::string& prefix, unsigned limit, char last, const char* what)
{
    const std::size_t start = input.start();
    const std::string word(input.word());
    if (word == prefix + last) return static_cast<std::uint8_t>(limit);
    const std::string highest = prefix + std::to_string(limit - 1);
    if (word.rfind(prefix, 0) == 0 && word.size() > prefix.size() && word.size() <= highest.size() &&
        word.find_first_not_of("0123456789", prefix.size()) == std::string::npos)
        if (const auto number = std::stoul(word.substr(prefix.size())); number < limit)
            return static_cast<std::uint8_t>(number);
    input.expected(std::string("a ") + what + " (" + prefix + "0 to " + highest + " or " + prefix + last + ")", start);
}

std::uint8_t read_register(cursor& input)
{
    return read_numbered(input, "R", register_zero, 'Z', "register");
}

std::uint8_t read_uniform(cursor& input, architecture arch)
{
    const auto number = read_numbered(input, "UR", uniform_count(arch), 'Z', "uniform register");
    return number == uniform_count(arch) ? uniform_zero : number;
}

/// The offset of a constant must be a multiple of the unit that its field counts.
void check_offset(cursor& input, const operand_spec& spec, std::uint32_t offset, std::size_t start)
{
    if (offset % (1U << spec.shift) != 0)
        input.fail("the constant offset must be a multiple of " + std::to_string(1U << spec.shift), start);
}

/// cx[UR4][0x10]
void read_bindless(cursor& input, architecture arch, const operand_spec& spec, operand& value)
{
    const std::size_t start = input.start();
    if (input.word() != "cx") input.expected("a constant such as cx[UR4][0x10]", start);
    value.kind = operand::source::bindless;
    input.expect('[', "before the uniform register");
    value.index = read_uniform(input, arch);
    input.expect(']', "after the uniform register");
    input.expect('[', "before the constant offset");
    const std::size_t offset = input.start();
    value.value = static_cast<std::uint32_t>(input.integer(0, 0xffff, "a constant offset"));
    check_offset(input, spec, value.value, offset);
    input.expect(']', "after the constant offset");
}

std::uint32_t narrow(std::int64_t value)
{
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value));
}

/// A signed immediate; also accepts the same bits written as an unsigned 32-bit number, and with `either_sign` as an
/// unsigned number of `bits` bits.
std::uint32_t read_signed(cursor& input, unsigned bits, const char* what, bool either_sign = false)
{
    const std::size_t start = input.start();
    const std::int64_t limit = std::int64_t{1} << (bits - 1);
    std::int64_t value = input.integer(-(std::int64_t{1} << 31), 0xffffffff, what);
    if (value > 0x7fffffff) value -= std::int64_t{1} << 32;
    const std::int64_t above = either_sign ? 2 * limit : limit;
    if (value < -limit || value >= above)
        input.fail(std::string(what) + " does not fit, expected " + std::to_string(-limit) + " to " +
                       std::to_string(above - 1),
                   start);
    return narrow(value < limit ? value : value - 2 * limit);
}

/// A decimal float or double; 0x... is its bit pattern.
std::uint64_t read_real(cursor& input, bool wide)
{
    const std::size_t start = input.start();
    const bool minus = input.accept('-');
    if (!minus) input.accept('+');
    const std::size_t digits = input.position();
    std::string text(input.word("."));
    for (const char* suffix : {".NEG", ".ABS"}) {
        const std::size_t tail = text.find(suffix);
        if (tail == std::string::npos) continue;
        text.resize(tail);
        input.rewind(digits + tail);
    }
    if (!text.empty() && (text.back() == 'e' || text.back() == 'E') && text.rfind("0x", 0) != 0 &&
        (input.here() == '-' || input.here() == '+')) {
        text += input.here();
        input.accept(input.here());
        text += input.word();
    }
    const std::uint64_t infinity = wide ? 0x7ff0000000000000ULL : 0x7f800000U;
    std::uint64_t bits = 0;
    char* end = nullptr;
    const bool bitwise = text.rfind("0x", 0) == 0;
    if (text == "INF") {
        bits = infinity;
    } else if (text == "QNAN") {
        bits = wide ? 0x7ff8000000000000ULL : 0x7fc00000U;
    } else if (bitwise) {
        bits = std::strtoull(text.c_str(), &end, 16);
    } else if (!text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0) {
        bits = wide ? to_bits(std::strtod(text.c_str(), &end)) : to_bits(std::strtof(text.c_str(), &end));
    } else {
        input.fail("expected a number, found " + (text.empty() ? input.found() : "'" + text + "'"), start);
    }
    if (end != nullptr && *end != '\0') input.fail("expected a number, found '" + text + "'", start);
    const auto has_digit = text.substr(0, text.find_first_of("eE")).find_first_of("123456789") != std::string::npos;
    if (end != nullptr && !bitwise && (bits == infinity || (bits == 0 && has_digit)))
        input.fail("'" + text + "' is outside the range of a " + (wide ? "64" : "32") +
                       "-bit float, expected a number within it, or its bits such as 0x0",
                   digits);
    return minus ? bits ^ (wide ? 1ULL << 63 : 1ULL << 31) : bits;
}

std::uint32_t read_short_real(cursor& input, const operand_spec& spec)
{
    const std::size_t start = input.start();
    const bool wide = spec.form == form::real_double;
    const std::uint64_t bits = read_real(input, wide);
    const unsigned dropped = (wide ? 64 : 32) - spec.bits.width();
    if ((bits & ((std::uint64_t{1} << dropped) - 1)) != 0)
        input.fail("the number needs more bits than the " + std::to_string(spec.bits.width()) + " of this immediate",
                   start);
    return static_cast<std::uint32_t>(wide ? bits >> 32 : bits);
}

std::uint32_t read_half(cursor& input)
{
    const std::size_t start = input.start();
    const std::uint64_t bits = read_real(input, true);
    const double exact = to_double(static_cast<word>(bits), static_cast<word>(bits >> 32));
    const word half = double_to_half(exact);
    if (exact == exact && half_to_double(half) != exact) input.fail("no half float has this value", start);
    return half;
}

/// .X4, .X8 or .X16 of an address register.
std::uint8_t read_scale(cursor& input)
{
    input.expect('.', "before the scale");
    const std::size_t start = input.position();
    const auto name = input.word();
    for (unsigned part = 1; part < 4; ++part)
        if (name == "X" + std::to_string(2U << part)) return static_cast<std::uint8_t>(part);
    input.fail("expected .X4, .X8 or .X16", start);
}

/// R4.64+UR2, R4.U32+UR2, R4+UR2, UR2: a uniform register and the address to which it is added.
void read_sum(cursor& input, architecture arch, const operand_spec& spec, operand& value)
{
    if (input.peek() == 'R' && spec.base.exists()) {
        value.index = read_register(input);
        const bool sized = spec.extent == extent::by_part;
        if (input.here() == '.' && !sized && spec.part.exists()) {
            value.part = read_scale(input);
        } else if (input.here() == '.' && sized) {
            input.accept('.');
            const std::size_t start = input.position();
            const auto size = input.word();
            if (size != "64" && size != "U32") input.fail("expected .64 or .U32", start);
            value.part = size == "64" ? 1 : 0;
        }
        input.expect('+', "before the uniform register");
    }
    value.uniform = read_uniform(input, arch);
}

/// Without a register it has no sign.
std::uint32_t read_constant_offset(cursor& input, const operand_spec& spec, const operand& value)
{
    const bool alone = value.index == register_zero && (!spec.uniform.exists() || value.uniform == uniform_zero);
    const auto offset = input.integer(alone ? 0 : -0x8000, 0xffff, "a constant offset");
    return narrow(alone || spec.bits.width() > 16 ? offset : static_cast<std::int16_t>(offset));
}

/// Inside the brackets: register, offset or both. Leaves the cursor after the bracket.
void read_address(cursor& input, architecture arch, const operand_spec& spec, operand& value)
{
    input.expect('[', "to open the address");
    const std::size_t start = input.start();
    value.kind = operand::source::reg;
    const bool sum = spec.uniform.exists();
    if (sum && !spec.base.exists() && input.peek() != 'U')
        value.uniform = uniform_zero;
    else if (sum)
        read_sum(input, arch, spec, value);
    if (!sum && input.peek() == 'R') value.index = read_register(input);
    if (!sum && spec.part.exists() && input.here() == '.') value.part = read_scale(input);
    const bool with_register = input.position() != start;
    const bool plus = with_register && input.accept('+');
    if (!with_register || plus || input.peek() == '-') {
        if (!spec.bits.exists()) input.fail("expected ']': this address takes no offset");
        const unsigned bits = spec.bits.width() + spec.shift;
        const std::size_t offset = input.start();
        if (spec.form == form::attribute && value.index == register_zero)
            value.value = narrow(input.integer(0, last_attribute_byte, "an attribute address"));
        else if (spec.form == form::constant_index)
            value.value = read_constant_offset(input, spec, value);
        else
            value.value = read_signed(input, bits, "the address offset");
        if ((value.value & ((1U << spec.shift) - 1)) != 0)
            input.fail("the offset must be a multiple of " + std::to_string(1U << spec.shift), offset);
    }
    input.expect(']', "to close the address");
}

void read_constant(cursor& input, architecture arch, const operand_spec& spec, operand& value)
{
    if (!input.accept('c')) input.expected("a constant such as c[0x0][0x10]", input.start());
    input.expect('[', "before the constant bank");
    value.bank = static_cast<std::uint8_t>(input.integer(0, 31, "a constant bank"));
    input.expect(']', "after the constant bank");
    if (spec.form == form::constant_index) {
        read_address(input, arch, spec, value);
        return;
    }
    value.kind = operand::source::constant;
    input.expect('[', "before the constant offset");
    const std::size_t start = input.start();
    value.value = narrow(input.integer(0, 0x10000 - (1 << spec.shift), "a constant offset"));
    check_offset(input, spec, value.value, start);
    input.expect(']', "after the constant offset");
}

std::uint32_t read_target(cursor& input, architecture arch, const operand_spec& spec, const instruction& result,
                          const label_map* labels)
{
    const std::size_t start = input.start();
    if (std::isdigit(static_cast<unsigned char>(input.peek())) == 0 && input.peek() != '-') {
        const auto name = input.word(".$");
        if (name.empty()) input.fail("expected a branch target, found " + input.found());
        if (labels == nullptr) return result.address;
        const auto found = labels->find(name);
        if (found == labels->end()) input.fail("label '" + std::string(name) + "' is not defined", start);
        return found->second;
    }
    const std::int64_t reach = std::int64_t{1} << (spec.bits.width() + spec.shift - 1);
    const auto value = input.integer(0, 0xffffffff, "a branch target");
    const std::int64_t distance = value - result.address - instruction_bytes(arch);
    if (distance < -reach || distance >= reach || distance != static_cast<std::int32_t>(distance))
        input.fail("the branch target is too far away", start);
    if (distance % (std::int64_t{1} << spec.shift) != 0)
        input.fail("the branch target must be a multiple of " + std::to_string(1U << spec.shift), start);
    return narrow(value);
}

std::uint32_t read_special(cursor& input)
{
    const std::size_t start = input.start();
    const int id = special_register_id(std::string(input.word(".")));
    if (id < 0) input.fail("expected a special register such as SR_LANEID", start);
    return static_cast<std::uint32_t>(id);
}

std::uint32_t read_quad_signs(cursor& input)
{
    const std::size_t start = input.start();
    const std::string word(input.word());
    std::uint32_t value = 0;
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const auto* const found = std::find(std::begin(quad_sign_names), std::end(quad_sign_names),
                                            word.size() == 8 ? word.substr(2 * lane, 2) : std::string());
        if (found == std::end(quad_sign_names))
            input.fail("expected four of PP, PN, NP and ZP, such as PPPNPPPN", start);
        value = value << 2 | static_cast<std::uint32_t>(found - std::begin(quad_sign_names));
    }
    return value;
}

void read_literal(cursor& input, const operand_spec& spec)
{
    const std::size_t start = input.start();
    if (input.word() != spec.text) input.fail(std::string("expected ") + spec.text, start);
}

std::uint32_t read_barrier(cursor& input, const operand_spec& spec)
{
    const std::size_t start = input.start();
    const std::string word(input.word());
    const unsigned count = 1U << spec.bits.width();
    if (word.size() < 2 || word.size() > 3 || word[0] != 'B' ||
        word.find_first_not_of("0123456789", 1) != std::string::npos || std::stoul(word.substr(1)) >= count)
        input.fail("expected a convergence barrier (B0 to B" + std::to_string(count - 1) + ")", start);
    return static_cast<std::uint32_t>(std::stoul(word.substr(1)));
}

std::uint32_t read_named(cursor& input, const operand_spec& spec)
{
    const std::size_t start = input.start();
    const auto word = input.word(spec.form == form::code_test ? "." : "");
    for (std::size_t value = 0; value < spec.names.count; ++value)
        if (spec.names[value] != nullptr && word == spec.names[value]) return static_cast<std::uint32_t>(value);
    input.rewind(start);
    std::string known;
    for (std::size_t value = 0; value < spec.names.count; ++value)
        if (spec.names[value] != nullptr) known += std::string(known.empty() ? "" : ", ") + spec.names[value];
    if (std::isdigit(static_cast<unsigned char>(input.here())) == 0 || word.substr(0, 2) != "0x")
        input.fail("expected one of " + known + ", found " + input.found());
    return narrow(input.integer(0, (std::int64_t{1} << spec.bits.width()) - 1, "a number"));
}

/// {4,3,2}: scoreboards by number.
std::uint32_t read_scoreboards(cursor& input, const operand_spec& spec)
{
    std::uint32_t set = 0;
    input.expect('{', "before the scoreboards");
    if (input.accept('}')) return set;
    do set |= 1U << static_cast<unsigned>(input.integer(0, spec.bits.width() - 1, "a scoreboard"));
    while (input.accept(','));
    input.expect('}', "after the scoreboards");
    return set;
}

void read_core(cursor& input, architecture arch, const operand_spec& spec, instruction& result, operand& value,
               const label_map* labels)
{
    value.kind = operand::source::immediate;
    switch (spec.form) {
    case form::gpr:
        value.kind = operand::source::reg;
        value.index = read_register(input);
        break;
    case form::uniform:
        value.kind = operand::source::uniform;
        value.index = read_uniform(input, arch);
        break;
    case form::bindless:
        read_bindless(input, arch, spec, value);
        break;
    case form::constant:
    case form::constant_index:
        read_constant(input, arch, spec, value);
        break;
    case form::integer:
        value.value = read_signed(input, spec.bits.width(), "an integer", spec.either_sign);
        break;
    case form::unsigned_word:
        value.value = narrow(input.integer(spec.bits.width() == 32 ? -(std::int64_t{1} << 31) : 0,
                                           (std::int64_t{1} << spec.bits.width()) - 1, "an integer"));
        break;
    case form::real:
    case form::real_double:
        value.value = read_short_real(input, spec);
        break;
    case form::predicate:
        value.kind = operand::source::predicate;
        value.index = read_predicate(input);
        break;
    case form::uniform_predicate:
        value.kind = operand::source::uniform_predicate;
        value.index = read_uniform_predicate(input);
        break;
    case form::memory:
        read_address(input, arch, spec, value);
        break;
    case form::attribute:
        if (!input.accept('a')) input.expected("an attribute address such as a[0x80]", input.start());
        read_address(input, arch, spec, value);
        break;
    case form::special:
        value.value = read_special(input);
        break;
    case form::target:
        value.value = read_target(input, arch, spec, result, labels);
        break;
    case form::barrier:
        value.value = read_barrier(input, spec);
        break;
    case form::half_pair:
        value.value = read_half(input) << 16;
        input.expect(',', "between the two halves");
        value.value |= read_half(input);
        break;
    case form::quad_signs:
    case form::quad_signs_swapped:
        value.value = read_quad_signs(input);
        break;
    case form::named:
    case form::code_test:
    case form::literal: // has no value to read
        value.value = read_named(input, spec);
        break;
    case form::scoreboard_set:
        value.value = read_scoreboards(input, spec);
        break;
    }
}

/// Applies a `.suffix` of an operand; false if the operand does not take it.
bool apply_suffix(std::string_view name, const operand_spec& spec, instruction& result, operand& value)
{
    if (name == "CC" && spec.cc != no_bit) {
        result.modifiers[static_cast<std::size_t>(mod::write_cc)] = 1;
        return true;
    }
    if (name == "reuse" && spec.reuse != no_bit && result.row->shows_reuse) {
        result.control.reuse = static_cast<std::uint8_t>(result.control.reuse | 1U << spec.reuse);
        return true;
    }
    if (name == "NEG" && is_immediate(spec.form) && spec.negate != no_bit) return value.negate = true;
    if (name == "ABS" && is_immediate(spec.form) && spec.absolute != no_bit) return value.absolute = true;
    if ((name == "H0" || name == "B0") && spec.part.exists()) return true;
    for (unsigned part = 1; part < 1U << spec.part.width(); ++part)
        if (part_name(result, spec, part) == name) {
            value.part = static_cast<std::uint8_t>(part);
            return true;
        }
    return false;
}

void read_suffixes(cursor& input, const operand_spec& spec, instruction& result, operand& value)
{
    while ((is_immediate(spec.form) ? input.peek() : input.here()) == '.') {
        input.accept('.');
        const std::size_t start = input.position();
        const auto name = input.word();
        if (!apply_suffix(name, spec, result, value))
            input.fail("the operand takes no suffix '." + std::string(name) + "'", start);
    }
}

} // namespace

std::uint8_t read_predicate(cursor& input)
{
    return read_numbered(input, "P", predicate_true, 'T', "predicate");
}

std::uint8_t read_uniform_predicate(cursor& input)
{
    return read_numbered(input, "UP", predicate_true, 'T', "uniform predicate");
}

void read_operand(cursor& input, architecture arch, const operand_spec& spec, instruction& result,
                  const label_map* labels)
{
    if (spec.form == form::literal) return read_literal(input, spec);
    operand& value = result.operands[static_cast<std::size_t>(spec.where)];
    const bool immediate = is_immediate(spec.form) || spec.form == form::target;
    // The sign of an immediate is part of the number.
    if (!immediate && spec.negate != no_bit) value.negate = input.accept('-');
    if (spec.invert != no_bit) value.invert = input.accept(is_predicate(spec.form) ? '!' : '~');
    const bool bars = !immediate && spec.absolute != no_bit && input.accept('|');
    value.absolute = bars;
    read_core(input, arch, spec, result, value, labels);
    read_suffixes(input, spec, result, value);
    if (bars) {
        input.expect('|', "to close the absolute value");
        read_suffixes(input, spec, result, value);
    }
}

} // namespace isbesim::isa
