// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cmath>
#include <cstdio>

#include "models/isa/execution/half_bits.h"
#include "models/isa/special_register.h"
#include "models/isa/tables/table.h"
#include "models/isa/text/statement.h"
#include "models/isa/text/text.h"
#include "tlm/float_bits.h"
#include "tlm/hex.h"

namespace isbesim::isa {

namespace {

template <typename... Arguments>
std::string format(const char* pattern, Arguments... arguments)
{
    char text[96];
    std::snprintf(text, sizeof text, pattern, arguments...);
    return text;
}

/// nvdisasm prints 20 significant digits, exponents only for values beyond 32-bit integers, and a blank after
/// infinities and NaN.
std::string real_text(double value)
{
    if (std::isnan(value)) return std::signbit(value) ? "-QNAN " : "+QNAN ";
    if (std::isinf(value)) return value < 0 ? "-INF " : "+INF ";
    return format(std::fabs(value) < 2147483648.0 ? "%.20g" : "%.20e", value);
}

std::string float_text(std::uint32_t bits)
{
    return real_text(static_cast<double>(to_float(bits)));
}

std::string double_text(std::uint32_t high_word)
{
    return real_text(to_double(0, high_word));
}

std::string register_name(std::uint8_t index)
{
    return index == register_zero ? "RZ" : format("R%u", unsigned{index});
}

std::string uniform_name(std::uint8_t index)
{
    return index == uniform_zero ? "URZ" : format("UR%u", unsigned{index});
}

/// [R4.64+UR2+0x10], [R4.U32+UR2], [R4+UR2]; a register that is RZ is left out.
std::string sum_text(const operand_spec& spec, const operand& value)
{
    if (!spec.base.exists() && value.uniform == uniform_zero) return hex(value.value);
    std::string text;
    if (value.index != register_zero || (spec.extent == extent::by_part && value.part != 0)) {
        text = register_name(value.index);
        if (spec.extent == extent::by_part)
            text += value.part != 0 ? ".64" : ".U32";
        else if (value.part != 0)
            text += format(".X%u", 2U << unsigned{value.part});
        text += "+";
    }
    text += uniform_name(value.uniform);
    return value.value == 0 ? text : text + "+" + signed_hex(static_cast<std::int32_t>(value.value));
}

std::string address_text(const operand_spec& spec, const operand& value)
{
    if (spec.uniform.exists()) return sum_text(spec, value);
    if (value.index == register_zero)
        return value.value == 0 && !spec.zero_as_number ? "RZ" : signed_hex(static_cast<std::int32_t>(value.value));
    // In shared memory of SM75 and later, the register counts units of 4, 8 or 16 bytes.
    const std::string base =
        register_name(value.index) + (value.part == 0 ? "" : format(".X%u", 2U << unsigned{value.part}));
    return value.value == 0 ? base : base + "+" + signed_hex(static_cast<std::int32_t>(value.value));
}

/// The highest number comes first.
std::string scoreboards_text(std::uint32_t set)
{
    std::string text;
    for (unsigned i = 32; i-- > 0;)
        if (((set >> i) & 1U) != 0) text += (text.empty() ? "" : ",") + std::to_string(i);
    return "{" + text + "}";
}

/// The first lane, in the upper bits, comes first.
std::string quad_signs_text(std::uint32_t value)
{
    std::string text;
    for (unsigned lane = 0; lane < 4; ++lane) text += quad_sign_names[value >> (6 - 2 * lane) & 3U];
    return text;
}

std::string bare_operand(const operand_spec& spec, const operand& value)
{
    switch (spec.form) {
    case form::gpr:
        return register_name(value.index);
    case form::uniform:
        return uniform_name(value.index);
    case form::bindless:
        return "cx[" + uniform_name(value.index) + "][" + hex(value.value) + "]";
    case form::constant:
        // nvdisasm puts a blank into constants if the instruction could select a part of them.
        return "c[" + hex(value.bank) + (spec.part.exists() ? "] [" : "][") + hex(value.value) + "]";
    case form::integer:
        return signed_hex(static_cast<std::int32_t>(value.value));
    case form::unsigned_word:
    case form::target:
        return hex(value.value);
    case form::real:
        return float_text(value.value);
    case form::real_double:
        return double_text(value.value);
    case form::predicate:
        return value.index == predicate_true ? "PT" : format("P%u", unsigned{value.index});
    case form::uniform_predicate:
        return value.index == predicate_true ? "UPT" : format("UP%u", unsigned{value.index});
    case form::memory:
        return "[" + address_text(spec, value) + "]";
    case form::attribute:
        return "a[" + address_text(spec, value) + "]";
    case form::constant_index:
        return "c[" + hex(value.bank) + "][" + address_text(spec, value) + "]";
    case form::special:
        return special_register_name(value.value);
    case form::barrier:
        return format("B%u", unsigned{value.value});
    case form::named:
    case form::code_test:
        return spec.names[value.value] != nullptr ? spec.names[value.value] : hex(value.value);
    case form::scoreboard_set:
        return scoreboards_text(value.value);
    case form::literal:
        return spec.text;
    case form::half_pair:
        return real_text(half_to_double(value.value >> 16)) + ", " + real_text(half_to_double(value.value & 0xffffU));
    case form::quad_signs:
    case form::quad_signs_swapped:
        break;
    }
    return quad_signs_text(value.value);
}

std::string operand_text(const instruction& shown, const operand_spec& spec)
{
    const operand& value = shown.at(spec.where);
    std::string text = bare_operand(spec, value);
    if (spec.form == form::literal) return text;
    // nvdisasm prints the closing bar of the first of two half sources before the name of the half.
    const bool bars_first = spec.halves && spec.where == slot::a && value.absolute;
    const bool reused =
        spec.reuse != no_bit && shown.row->shows_reuse && ((shown.control.reuse >> spec.reuse) & 1U) != 0;
    if (bars_first) text = "|" + text + "|";
    if (reused && spec.halves && !value.absolute) text += ".reuse";
    if (value.part != 0 && spec.form != form::memory) text += "." + part_name(shown, spec, value.part);
    if (spec.cc != no_bit && shown.modifier(mod::write_cc) != 0) text += ".CC";
    if (is_immediate(spec.form)) {
        // The sign of the number and the negation of the source are different bits.
        if (value.absolute) text += " .ABS";
        if (value.negate) text += " .NEG";
        return value.invert ? "~" + text : text;
    }
    if (value.absolute && !bars_first) text = "|" + text + "|";
    if (reused && (!spec.halves || value.absolute)) text += ".reuse";
    if (value.invert) text = (is_predicate(spec.form) ? "!" : "~") + text;
    if (value.negate) text = "-" + text;
    return text;
}

} // namespace

bool is_default(const operand_spec& spec, const operand& value)
{
    if (!spec.optional) return false;
    switch (spec.form) {
    case form::gpr:
        return value.index == register_zero;
    case form::uniform:
        return value.index == uniform_zero;
    case form::predicate:
    case form::uniform_predicate:
        return value.index == predicate_true && !value.invert;
    default:
        return value.value == spec.usual;
    }
}

std::string part_name(const instruction& shown, const operand_spec& spec, unsigned part)
{
    if (spec.halves) {
        constexpr const char* selections[] = {"H1_H0", "F32", "H0_H0", "H1_H1"};
        return selections[part & 3U];
    }
    // Two bits count bytes; a 16-bit type can only start at an even byte.
    const bool sixteen = (shown.modifier(mod::from_type) & 3U) == 1;
    if (spec.part.width() == 1 || (sixteen && part == 2)) return "H1";
    return format("B%u", part);
}

std::string instruction_text(const instruction& shown)
{
    std::string text;
    if (shown.guard != predicate_true || shown.guard_not) {
        text = std::string(shown.guard_not ? "@!" : "@") + (shown.row->uniform ? "UP" : "P");
        text += shown.guard == predicate_true ? "T " : format("%u ", unsigned{shown.guard});
    }
    text += shown.row->mnemonic;
    for (const auto& modifier : shown.row->modifiers)
        for (const auto& value : modifier.values)
            if (value.shown && value.value == shown.modifier(modifier.id)) text.append(".").append(value.name);
    const char* separator = " ";
    for (const auto& spec : shown.row->operands) {
        if (is_default(spec, shown.at(spec.where))) continue;
        text += (spec.after_blank ? " " : separator) + operand_text(shown, spec);
        separator = ", ";
    }
    if (text.back() == ' ') text.pop_back();
    return text;
}

std::string control_text(const control& scheduling)
{
    constexpr unsigned none = 7;
    std::string text;
    if (scheduling.wait_mask != 0) text += format("&req=0x%02x ", unsigned{scheduling.wait_mask});
    if (scheduling.read_barrier != none) text += format("&rd=%u ", unsigned{scheduling.read_barrier});
    if (scheduling.write_barrier != none) text += format("&wr=%u ", unsigned{scheduling.write_barrier});
    text += format("?stall=%u", unsigned{scheduling.stall});
    if (scheduling.yield) text += " ?yield";
    return text;
}

std::string disassemble(const program& code)
{
    std::string text;
    for (const auto& each : code.code) {
        const std::string shown = instruction_text(each);
        std::string line = format("/*%04" PRIx32 "*/ ", each.address) + shown + " " + control_text(each.control);

        // Bits that the text does not determine are printed as numbers.
        instruction again;
        bool same = false;
        try {
            again = parse_instruction(shown, code.arch, each.address);
            same = again.word == each.word;
        } catch (const program_error&) {
        }
        const unsigned flags = same ? again.control.reuse : 0U;
        if (flags != each.control.reuse) line += format(" ?reuse=0x%x", unsigned{each.control.reuse});
        if (!same && code.arch == architecture::sm50) line += format(" ?word=0x%" PRIx64, each.word[0]);
        if (!same && code.arch != architecture::sm50)
            line += format(" ?word=0x%" PRIx64 "%016" PRIx64, each.word[1], each.word[0]);
        text += line + " ;\n";
    }
    // nvdisasm fills the last bundle; `?pad` marks that the file ends before these.
    for (std::size_t i = code.code.size(); code.arch == architecture::sm50 && i % 3 != 0; ++i)
        text += format("/*%04" PRIx32 "*/ NOP ?pad ;\n", code.address_of(i));
    return text;
}

} // namespace isbesim::isa
