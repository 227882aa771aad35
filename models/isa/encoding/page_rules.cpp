// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/isa/encoding/codec.h"
#include "models/isa/operand_registers.h"
#include "tlm/hex.h"

namespace isbesim::isa {

namespace {

bool is_attribute_row(const opcode_row& row, opcode one, opcode other)
{
    return row.latency == latency_class::attribute && (row.attribute_opcode == one || row.attribute_opcode == other);
}

bool is_access(const instruction& i)
{
    return is_attribute_row(*i.row, opcode::ald, opcode::ast);
}
bool is_out(const instruction& i)
{
    return is_attribute_row(*i.row, opcode::out, opcode::out);
}
bool is_raw_access(const instruction& i)
{
    return is_attribute_row(*i.row, opcode::isberd, opcode::isbewr);
}
address_form form_of_access(const instruction& i)
{
    return static_cast<address_form>(i.modifier(mod::patch));
}
bool has_register(const instruction& i)
{
    return i.at(slot::address).index != register_zero;
}
/// The multiple to which an attribute address is rounded down (HARDWARE.md B.4).
unsigned address_alignment(const instruction& i)
{
    const unsigned words = i.modifier(mod::size) + 1;
    return words == 1 ? 4 : words == 2 ? 8 : 16;
}

/// Rules of attribute instructions. The text follows the mnemonic.
struct attribute_rule {
    const char* kind;
    slot where;
    bool (*broken)(const instruction& i, architecture arch);
    const char* text;
};
constexpr const char* illegal = "illegal_encoding";
constexpr const char* misaligned =
    "with an address that is not a multiple of its size (12 and 16 bytes: of 16): the hardware drops the low bits";
constexpr attribute_rule attribute_rules[] = {
    {illegal, slot::address,
     [](const instruction& i, architecture) {
         return is_access(i) && form_of_access(i) == address_form::phys && i.at(slot::address).value != 0;
     },
     "with a physical address in a register needs the immediate 0 (or .P): ILLEGAL_INSTR_ENCODING"},
    {illegal, slot::address,
     [](const instruction& i, architecture) {
         return is_access(i) && form_of_access(i) == address_form::phys && i.modifier(mod::size) != 0;
     },
     "with a physical address takes no vector: ILLEGAL_INSTR_ENCODING unless sm.allow_phys_vector"},
    {illegal, slot::address,
     [](const instruction& i, architecture arch) {
         return arch != architecture::sm50 && is_access(i) && form_of_access(i) == address_form::logical &&
                has_register(i);
     },
     "with an address in a register needs .PHYS or .P: ILLEGAL_INSTR_ENCODING"},
    {illegal, slot::a,
     [](const instruction& i, architecture arch) {
         return arch == architecture::sm50 && is_out(i) && i.modifier(mod::out_type) == 0;
     },
     "of type 0 is ILLEGAL_INSTR_ENCODING before Volta"},
    {illegal, slot::address,
     [](const instruction& i, architecture arch) {
         return arch == architecture::sm50 && is_raw_access(i) && i.modifier(mod::region) != 0;
     },
     "of a region other than MAP is ILLEGAL_INSTR_ENCODING before Turing"},
    {"cut_stream", slot::b,
     [](const instruction& i, architecture) {
         const auto& stream = i.at(slot::b);
         return is_out(i) && static_cast<out_type>(i.modifier(mod::out_type)) == out_type::cut &&
                !((stream.kind == operand::source::reg && stream.index == register_zero) ||
                  stream.kind == operand::source::none);
     },
     ".CUT needs RZ as its stream: another operand is ignored"},
    {"skew_ignored", slot::address,
     [](const instruction& i, architecture) {
         return is_raw_access(i) && i.modifier(mod::skew) != 0 &&
                static_cast<region>(i.modifier(mod::region)) != region::attr;
     },
     "with .SKEW: it has no effect on the MAP, PATCH and PRIM regions"},
    {"misaligned_address", slot::address,
     [](const instruction& i, architecture) {
         return is_access(i) && !has_register(i) && i.at(slot::address).value % address_alignment(i) != 0;
     },
     misaligned},
    {"misaligned_address", slot::extra,
     [](const instruction& i, architecture) {
         return is_attribute_row(*i.row, opcode::al2p, opcode::al2p) && i.at(slot::a).index == register_zero &&
                i.at(slot::extra).value % address_alignment(i) != 0;
     },
     misaligned},
};

void add_vector_rules(const instruction& decoded, architecture arch, const operand_spec& spec,
                      std::vector<broken_rule>& broken)
{
    const operand& value = decoded.at(spec.where);
    const bool bank = spec.form == form::bindless, uniform = bank || spec.form == form::uniform;
    if (value.kind != (bank ? operand::source::bindless : uniform ? operand::source::uniform : operand::source::reg))
        return;
    if (!uniform && spec.form != form::gpr && !spec.base.exists()) return;
    const unsigned end = uniform ? uniform_count(arch) : register_zero; ///< the first that does not exist
    const unsigned words = bank ? 2 : words_of(decoded, spec.extent);
    if (value.index == (uniform ? uniform_zero : register_zero) || words < 2) return;
    const std::string prefix = uniform ? "UR" : "R";
    const std::string what = std::string(decoded.row->mnemonic) + " of " + std::to_string(words) + " words with " +
                             prefix + std::to_string(value.index) + ": ";
    const auto named = [&](unsigned first) {
        return prefix + std::to_string(first) + " to " + prefix + std::to_string(std::min(first + words, end) - 1);
    };
    const unsigned multiple = words == 2 ? 2 : 4;
    unsigned first = value.index;
    if (first % multiple != 0) {
        if (spec.aligned) first -= first % multiple;
        broken.push_back({"misaligned_register", spec.where,
                          what +
                              (spec.aligned ? "the hardware drops the low bits of the register, it takes "
                                            : "the hardware takes vectors from multiples of " +
                                                  std::to_string(multiple) + " only, the model takes ") +
                              named(first)});
    }
    if (first + words - 1 >= end)
        broken.push_back({"vector_beyond_registers", spec.where,
                          what + prefix + std::to_string(end) +
                              " does not exist, so the vector has no register for its last " +
                              (first + words - end == 1 ? "word" : std::to_string(first + words - end) + " words")});
}

} // namespace

std::vector<broken_rule> broken_rules(const instruction& decoded, architecture arch)
{
    std::vector<broken_rule> broken;
    for (const auto& rule : attribute_rules)
        if (rule.broken(decoded, arch))
            broken.push_back({rule.kind, rule.where,
                              std::string(decoded.row->mnemonic) + (rule.text[0] == '.' ? "" : " ") + rule.text});
    for (const auto& spec : decoded.row->operands)
        if (spec.form != form::literal) add_vector_rules(decoded, arch, spec, broken);
    return broken;
}

void warn_of_broken_rules(program& code)
{
    for (const auto& each : code.code)
        for (auto& rule : broken_rules(each, code.arch))
            code.warnings.push_back({0, 0, each.address, std::move(rule.text), rule.kind});
}

} // namespace isbesim::isa
