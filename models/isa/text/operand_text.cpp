// SPDX-License-Identifier: Apache-2.0
#include "models/isa/text/operand_text.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "models/isa/execution/half_bits.h"
#include "models/isa/special_register.h"
#include "models/isa/text/text.h"
#include "tlm/float_bits.h"

namespace isbesim::isa {

namespace {

/// `prefix` with a number below `limit`, or with `last`, which stands for `limit` itself.
std::uint8_t read_numbered(cursor& at, const std::string& prefix, unsigned limit, char last, const char* what)
{
    const std::size_t start = at.start();
    const std::string word(at.word());
    if (word == prefix + last) return static_cast<std::uint8_t>(limit);
    const std::string highest = prefix + std::to_string(limit - 1);
    if (word.rfind(prefix, 0) == 0 && word.size() > prefix.size() && word.size() <= highest.size() &&
        word.find_first_not_of("0123456789", prefix.size()) == std::string::npos)
        if (const auto number = std::stoul(word.substr(prefix.size())); number < limit)
            return static_cast<std::uint8_t>(number);
    at.expected(std::string("a ") + what + " (" + prefix + "0 to " + highest + " or " + prefix + last + ")", start);
}

std::uint8_t read_register(cursor& at)
{
    return read_numbered(at, "R", register_zero, 'Z', "register");
}

std::uint8_t read_uniform(cursor& at, architecture arch)
{
    const auto number = read_numbered(at, "UR", uniform_count(arch), 'Z', "uniform register");
    return number == uniform_count(arch) ? uniform_zero : number;
}

/// The offset of a constant must be a multiple of the unit that its field counts.
void check_offset(cursor& at, const operand_spec& spec, std::uint32_t offset, std::size_t start)
{
    if (offset % (1U << spec.shift) != 0)
        at.fail("the constant offset must be a multiple of " + std::to_string(1U << spec.shift), start);
}

/// cx[UR4][0x10]
void read_bindless(cursor& at, architecture arch, const operand_spec& spec, operand& value)
{
    const std::size_t start = at.start();
    if (at.word() != "cx") at.expected("a constant such as cx[UR4][0x10]", start);
    value.kind = operand::source::bindless;
    at.expect('[', "before the uniform register");
    value.index = read_uniform(at, arch);
    at.expect(']', "after the uniform register");
    at.expect('[', "before the constant offset");
    const std::size_t offset = at.start();
    value.value = static_cast<std::uint32_t>(at.integer(0, 0xffff, "a constant offset"));
    check_offset(at, spec, value.value, offset);
    at.expect(']', "after the constant offset");
}

std::uint32_t narrow(std::int64_t value)
{
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value));
}

/// A signed immediate; also accepts the same bits written as an unsigned 32-bit number, and with `either_sign` as an
/// unsigned number of `bits` bits.
std::uint32_t read_signed(cursor& at, unsigned bits, const char* what, bool either_sign = false)
{
    const std::size_t start = at.start();
    const std::int64_t limit = std::int64_t{1} << (bits - 1);
    std::int64_t value = at.integer(-(std::int64_t{1} << 31), 0xffffffff, what);
    if (value > 0x7fffffff) value -= std::int64_t{1} << 32;
    const std::int64_t above = either_sign ? 2 * limit : limit;
    if (value < -limit || value >= above)
        at.fail(std::string(what) + " does not fit, expected " + std::to_string(-limit) + " to " +
                    std::to_string(above - 1),
                start);
    return narrow(value < limit ? value : value - 2 * limit);
}

/// A decimal float or double; 0x... is its bit pattern.
std::uint64_t read_real(cursor& at, bool wide)
{
    const std::size_t start = at.start();
    const bool minus = at.accept('-');
    if (!minus) at.accept('+');
    const std::size_t digits = at.position();
    std::string text(at.word("."));
    for (const char* suffix : {".NEG", ".ABS"}) {
        const std::size_t tail = text.find(suffix);
        if (tail == std::string::npos) continue;
        text.resize(tail);
        at.rewind(digits + tail);
    }
    if (!text.empty() && (text.back() == 'e' || text.back() == 'E') && text.rfind("0x", 0) != 0 &&
        (at.here() == '-' || at.here() == '+')) {
        text += at.here();
        at.accept(at.here());
        text += at.word();
    }
    std::uint64_t bits = 0;
    char* end = nullptr;
    if (text == "INF") {
        bits = wide ? 0x7ff0000000000000ULL : 0x7f800000U;
    } else if (text == "QNAN") {
        bits = wide ? 0x7ff8000000000000ULL : 0x7fc00000U;
    } else if (text.rfind("0x", 0) == 0) {
        bits = std::strtoull(text.c_str(), &end, 16);
    } else if (!text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0) {
        bits = wide ? to_bits(std::strtod(text.c_str(), &end)) : to_bits(std::strtof(text.c_str(), &end));
    } else {
        at.fail("expected a number, found " + (text.empty() ? at.found() : "'" + text + "'"), start);
    }
    if (end != nullptr && *end != '\0') at.fail("expected a number, found '" + text + "'", start);
    return minus ? bits ^ (wide ? 1ULL << 63 : 1ULL << 31) : bits;
}

std::uint32_t read_short_real(cursor& at, const operand_spec& spec)
{
    const std::size_t start = at.start();
    const bool wide = spec.form == form::real_double;
    const std::uint64_t bits = read_real(at, wide);
    const unsigned dropped = (wide ? 64 : 32) - spec.bits.width();
    if ((bits & ((std::uint64_t{1} << dropped) - 1)) != 0)
        at.fail("the number needs more bits than the " + std::to_string(spec.bits.width()) + " of this immediate",
                start);
    return static_cast<std::uint32_t>(wide ? bits >> 32 : bits);
}

std::uint32_t read_half(cursor& at)
{
    const std::size_t start = at.start();
    const std::uint64_t bits = read_real(at, true);
    const double wanted = to_double(static_cast<word>(bits), static_cast<word>(bits >> 32));
    const word half = double_to_half(wanted);
    if (wanted == wanted && half_to_double(half) != wanted) at.fail("no half float has this value", start);
    return half;
}

/// .X4, .X8 or .X16 of an address register.
std::uint8_t read_scale(cursor& at)
{
    at.expect('.', "before the scale");
    const std::size_t start = at.position();
    const auto name = at.word();
    for (unsigned part = 1; part < 4; ++part)
        if (name == "X" + std::to_string(2U << part)) return static_cast<std::uint8_t>(part);
    at.fail("expected .X4, .X8 or .X16", start);
}

/// R4.64+UR2, R4.U32+UR2, R4+UR2, UR2: a uniform register and the address to which it is added.
void read_sum(cursor& at, architecture arch, const operand_spec& spec, operand& value)
{
    if (at.peek() == 'R' && spec.base.exists()) {
        value.index = read_register(at);
        const bool sized = spec.extent == extent::by_part;
        if (at.here() == '.' && !sized && spec.part.exists()) {
            value.part = read_scale(at);
        } else if (at.here() == '.' && sized) {
            at.accept('.');
            const std::size_t start = at.position();
            const auto size = at.word();
            if (size != "64" && size != "U32") at.fail("expected .64 or .U32", start);
            value.part = size == "64" ? 1 : 0;
        }
        at.expect('+', "before the uniform register");
    }
    value.uniform = read_uniform(at, arch);
}

/// Without a register it has no sign.
std::uint32_t read_constant_offset(cursor& at, const operand_spec& spec, const operand& value)
{
    const bool alone = value.index == register_zero && (!spec.uniform.exists() || value.uniform == uniform_zero);
    const auto offset = at.integer(alone ? 0 : -0x8000, 0xffff, "a constant offset");
    return narrow(alone || spec.bits.width() > 16 ? offset : static_cast<std::int16_t>(offset));
}

/// Inside the brackets: register, offset or both. Leaves the cursor after the bracket.
void read_address(cursor& at, architecture arch, const operand_spec& spec, operand& value)
{
    at.expect('[', "to open the address");
    const std::size_t start = at.start();
    value.kind = operand::source::reg;
    const bool sum = spec.uniform.exists();
    if (sum && !spec.base.exists() && at.peek() != 'U')
        value.uniform = uniform_zero;
    else if (sum)
        read_sum(at, arch, spec, value);
    if (!sum && at.peek() == 'R') value.index = read_register(at);
    if (!sum && spec.part.exists() && at.here() == '.') value.part = read_scale(at);
    const bool with_register = at.position() != start;
    const bool plus = with_register && at.accept('+');
    if (!with_register || plus || at.peek() == '-') {
        if (!spec.bits.exists()) at.fail("expected ']': this address takes no offset");
        const unsigned bits = spec.bits.width() + spec.shift;
        const std::size_t offset = at.start();
        if (spec.form == form::attribute && value.index == register_zero)
            value.value = narrow(at.integer(0, last_attribute_byte, "an attribute address"));
        else if (spec.form == form::constant_index)
            value.value = read_constant_offset(at, spec, value);
        else
            value.value = read_signed(at, bits, "the address offset");
        if ((value.value & ((1U << spec.shift) - 1)) != 0)
            at.fail("the offset must be a multiple of " + std::to_string(1U << spec.shift), offset);
    }
    at.expect(']', "to close the address");
}

void read_constant(cursor& at, architecture arch, const operand_spec& spec, operand& value)
{
    if (!at.accept('c')) at.expected("a constant such as c[0x0][0x10]", at.start());
    at.expect('[', "before the constant bank");
    value.bank = static_cast<std::uint8_t>(at.integer(0, 31, "a constant bank"));
    at.expect(']', "after the constant bank");
    if (spec.form == form::constant_index) {
        read_address(at, arch, spec, value);
        return;
    }
    value.kind = operand::source::constant;
    at.expect('[', "before the constant offset");
    const std::size_t start = at.start();
    value.value = narrow(at.integer(0, 0x10000 - (1 << spec.shift), "a constant offset"));
    check_offset(at, spec, value.value, start);
    at.expect(']', "after the constant offset");
}

std::uint32_t read_target(cursor& at, architecture arch, const operand_spec& spec, const instruction& result,
                          const label_map* labels)
{
    const std::size_t start = at.start();
    if (std::isdigit(static_cast<unsigned char>(at.peek())) == 0 && at.peek() != '-') {
        const auto name = at.word(".$");
        if (name.empty()) at.fail("expected a branch target, found " + at.found());
        if (labels == nullptr) return result.address;
        const auto found = labels->find(name);
        if (found == labels->end()) at.fail("label '" + std::string(name) + "' is not defined", start);
        return found->second;
    }
    const std::int64_t reach = std::int64_t{1} << (spec.bits.width() + spec.shift - 1);
    const auto value = at.integer(0, 0xffffffff, "a branch target");
    const std::int64_t distance = value - result.address - instruction_bytes(arch);
    if (distance < -reach || distance >= reach || distance != static_cast<std::int32_t>(distance))
        at.fail("the branch target is too far away", start);
    if (distance % (std::int64_t{1} << spec.shift) != 0)
        at.fail("the branch target must be a multiple of " + std::to_string(1U << spec.shift), start);
    return narrow(value);
}

std::uint32_t read_special(cursor& at)
{
    const std::size_t start = at.start();
    const int id = special_register_id(std::string(at.word(".")));
    if (id < 0) at.fail("expected a special register such as SR_LANEID", start);
    return static_cast<std::uint32_t>(id);
}

std::uint32_t read_quad_signs(cursor& at)
{
    const std::size_t start = at.start();
    const std::string word(at.word());
    std::uint32_t value = 0;
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const auto* const found = std::find(std::begin(quad_sign_names), std::end(quad_sign_names),
                                            word.size() == 8 ? word.substr(2 * lane, 2) : std::string());
        if (found == std::end(quad_sign_names)) at.fail("expected four of PP, PN, NP and ZP, such as PPPNPPPN", start);
        value = value << 2 | static_cast<std::uint32_t>(found - std::begin(quad_sign_names));
    }
    return value;
}

void read_literal(cursor& at, const operand_spec& spec)
{
    const std::size_t start = at.start();
    if (at.word() != spec.text) at.fail(std::string("expected ") + spec.text, start);
}

std::uint32_t read_barrier(cursor& at, const operand_spec& spec)
{
    const std::size_t start = at.start();
    const std::string word(at.word());
    const unsigned count = 1U << spec.bits.width();
    if (word.size() < 2 || word.size() > 3 || word[0] != 'B' ||
        word.find_first_not_of("0123456789", 1) != std::string::npos || std::stoul(word.substr(1)) >= count)
        at.fail("expected a convergence barrier (B0 to B" + std::to_string(count - 1) + ")", start);
    return static_cast<std::uint32_t>(std::stoul(word.substr(1)));
}

std::uint32_t read_named(cursor& at, const operand_spec& spec)
{
    const std::size_t start = at.start();
    const auto word = at.word(spec.form == form::code_test ? "." : "");
    for (std::size_t value = 0; value < spec.names.count; ++value)
        if (spec.names[value] != nullptr && word == spec.names[value]) return static_cast<std::uint32_t>(value);
    at.rewind(start);
    std::string known;
    for (std::size_t value = 0; value < spec.names.count; ++value)
        if (spec.names[value] != nullptr) known += std::string(known.empty() ? "" : ", ") + spec.names[value];
    if (std::isdigit(static_cast<unsigned char>(at.here())) == 0 || word.substr(0, 2) != "0x")
        at.fail("expected one of " + known + ", found " + at.found());
    return narrow(at.integer(0, (std::int64_t{1} << spec.bits.width()) - 1, "a number"));
}

/// {4,3,2}: scoreboards by number.
std::uint32_t read_scoreboards(cursor& at, const operand_spec& spec)
{
    std::uint32_t set = 0;
    at.expect('{', "before the scoreboards");
    if (at.accept('}')) return set;
    do set |= 1U << static_cast<unsigned>(at.integer(0, spec.bits.width() - 1, "a scoreboard"));
    while (at.accept(','));
    at.expect('}', "after the scoreboards");
    return set;
}

void read_core(cursor& at, architecture arch, const operand_spec& spec, instruction& result, operand& value,
               const label_map* labels)
{
    value.kind = operand::source::immediate;
    switch (spec.form) {
    case form::gpr:
        value.kind = operand::source::reg;
        value.index = read_register(at);
        break;
    case form::uniform:
        value.kind = operand::source::uniform;
        value.index = read_uniform(at, arch);
        break;
    case form::bindless:
        read_bindless(at, arch, spec, value);
        break;
    case form::constant:
    case form::constant_index:
        read_constant(at, arch, spec, value);
        break;
    case form::integer:
        value.value = read_signed(at, spec.bits.width(), "an integer", spec.either_sign);
        break;
    case form::unsigned_word:
        value.value = narrow(at.integer(spec.bits.width() == 32 ? -(std::int64_t{1} << 31) : 0,
                                        (std::int64_t{1} << spec.bits.width()) - 1, "an integer"));
        break;
    case form::real:
    case form::real_double:
        value.value = read_short_real(at, spec);
        break;
    case form::predicate:
        value.kind = operand::source::predicate;
        value.index = read_predicate(at);
        break;
    case form::uniform_predicate:
        value.kind = operand::source::uniform_predicate;
        value.index = read_uniform_predicate(at);
        break;
    case form::memory:
        read_address(at, arch, spec, value);
        break;
    case form::attribute:
        if (!at.accept('a')) at.expected("an attribute address such as a[0x80]", at.start());
        read_address(at, arch, spec, value);
        break;
    case form::special:
        value.value = read_special(at);
        break;
    case form::target:
        value.value = read_target(at, arch, spec, result, labels);
        break;
    case form::barrier:
        value.value = read_barrier(at, spec);
        break;
    case form::half_pair:
        value.value = read_half(at) << 16;
        at.expect(',', "between the two halves");
        value.value |= read_half(at);
        break;
    case form::quad_signs:
    case form::quad_signs_swapped:
        value.value = read_quad_signs(at);
        break;
    case form::named:
    case form::code_test:
    case form::literal: // has no value to read
        value.value = read_named(at, spec);
        break;
    case form::scoreboard_set:
        value.value = read_scoreboards(at, spec);
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

void read_suffixes(cursor& at, const operand_spec& spec, instruction& result, operand& value)
{
    while ((is_immediate(spec.form) ? at.peek() : at.here()) == '.') {
        at.accept('.');
        const std::size_t start = at.position();
        const auto name = at.word();
        if (!apply_suffix(name, spec, result, value))
            at.fail("the operand takes no suffix '." + std::string(name) + "'", start);
    }
}

} // namespace

std::uint8_t read_predicate(cursor& at)
{
    return read_numbered(at, "P", predicate_true, 'T', "predicate");
}

std::uint8_t read_uniform_predicate(cursor& at)
{
    return read_numbered(at, "UP", predicate_true, 'T', "uniform predicate");
}

void read_operand(cursor& at, architecture arch, const operand_spec& spec, instruction& result, const label_map* labels)
{
    if (spec.form == form::literal) return read_literal(at, spec);
    operand& value = result.operands[static_cast<std::size_t>(spec.where)];
    const bool immediate = is_immediate(spec.form) || spec.form == form::target;
    // The sign of an immediate is part of the number.
    if (!immediate && spec.negate != no_bit) value.negate = at.accept('-');
    if (spec.invert != no_bit) value.invert = at.accept(is_predicate(spec.form) ? '!' : '~');
    const bool bars = !immediate && spec.absolute != no_bit && at.accept('|');
    value.absolute = bars;
    read_core(at, arch, spec, result, value, labels);
    read_suffixes(at, spec, result, value);
    if (bars) {
        at.expect('|', "to close the absolute value");
        read_suffixes(at, spec, result, value);
    }
}

} // namespace isbesim::isa
