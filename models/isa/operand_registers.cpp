// SPDX-License-Identifier: Apache-2.0
#include "models/isa/operand_registers.h"

#include <algorithm>

#include "models/isa/latency.h"
#include "models/isa/texture_form.h"

namespace isbesim::isa {

namespace {

unsigned words_of_type(unsigned type)
{
    return (type & 3U) == 3 ? 2 : 1;
}

register_range uniform_registers(const instruction& decoded, const operand_spec& spec)
{
    const bool added = spec.uniform.exists();
    const unsigned first = added ? decoded.at(spec.where).uniform : decoded.at(spec.where).index;
    const unsigned count = spec.form == form::bindless               ? 2
                           : added && spec.extent == extent::by_part ? words_of(decoded, extent::by_address)
                           : added                                   ? 1
                                                                     : words_of(decoded, spec.extent);
    const unsigned all =
        uniform_count(decoded.row->table == latency_table::blackwell ? architecture::sm120 : architecture::sm75);
    if (first >= all) return {};
    return {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(std::min(count, all - first))};
}

} // namespace

unsigned atomic_type(const instruction& decoded)
{
    const unsigned number = decoded.modifier(mod::to_type);
    for (const auto& each : decoded.row->modifiers) {
        if (each.id != mod::to_type) continue;
        for (const auto& value : each.values)
            if (value.value == number && value.means != as_encoded) return value.means;
    }
    return number;
}

unsigned words_of_atomic(unsigned type)
{
    return type == 2 || type == 5 || type == 6 ? 2 : 1;
}

unsigned words_of(const instruction& decoded, extent wide)
{
    switch (wide) {
    case extent::one:
        return 1;
    case extent::two:
        return 2;
    case extent::by_words:
        return decoded.modifier(mod::size) + 1;
    case extent::by_memory_size:
        return decoded.modifier(mod::size) >= 6 ? 4 : decoded.modifier(mod::size) == 5 ? 2 : 1;
    case extent::by_to_type:
        return words_of_type(decoded.modifier(mod::to_type));
    case extent::by_from_type:
        return words_of_type(decoded.modifier(mod::from_type));
    case extent::by_atomic_type:
        return words_of_atomic(atomic_type(decoded));
    case extent::two_atomics:
        return 2 * words_of_atomic(atomic_type(decoded));
    case extent::texture_first:
        return sources_of(form_of(decoded)).first;
    case extent::texture_second:
        return sources_of(form_of(decoded)).second;
    case extent::texture_low:
    case extent::texture_high: {
        const auto count = static_cast<unsigned>(__builtin_popcount(form_of(decoded).mask));
        const unsigned low = results_in_first(count, decoded.row->texture.pairs);
        return wide == extent::texture_low ? low : count - low;
    }
    case extent::by_surface:
        return surface_coordinates(decoded.modifier(mod::c_mode));
    case extent::by_mask:
        return static_cast<unsigned>(__builtin_popcount(decoded.modifier(mod::mask)));
    case extent::by_part:
        return decoded.at(slot::address).part + 1U;
    case extent::by_address:
        break;
    }
    return decoded.modifier(mod::c_mode) + 1;
}

register_range registers_of(const instruction& decoded, const operand_spec& spec)
{
    const operand& value = decoded.at(spec.where);
    if (value.kind != operand::source::reg || value.index == register_zero) return {};
    if (!spec.base.exists() && spec.form != form::gpr) return {};
    const unsigned words = words_of(decoded, spec.extent);
    if (words == 0) return {};
    unsigned first = value.index;
    if (spec.aligned) first &= words == 1 ? ~0U : words == 2 ? ~1U : ~3U;
    const unsigned last = first + words - 1;
    return {static_cast<std::uint8_t>(first),
            static_cast<std::uint8_t>(last < register_zero ? words : register_zero - first)};
}

void describe_issue(instruction& decoded)
{
    const auto is_pair = [](const register_range& range) { return range.count == 2; };
    const opcode_row& row = *decoded.row;
    constexpr std::uint8_t condition_codes = 1U << predicate_true;
    issue_info issue;
    issue.latency = row.latency;
    issue.pipe = row.pipe;
    issue.table = row.table;
    issue.attribute_opcode = row.attribute_opcode;
    const auto predicate = [](std::uint8_t index) {
        return static_cast<std::uint8_t>(index == predicate_true ? 0 : 1U << index);
    };
    if (row.guarded) issue.guard_reads = predicate(decoded.guard);
    (row.uniform ? issue.uniform_predicate_reads : issue.predicate_reads) |= issue.guard_reads;

    std::size_t reads = 0, writes = 0, uniform_reads = 0;
    for (const auto& spec : row.operands) {
        if (spec.form == form::literal) continue;
        if (is_predicate(spec.form)) {
            auto& mask = spec.form == form::predicate
                             ? (spec.writes ? issue.predicate_writes : issue.predicate_reads)
                             : (spec.writes ? issue.uniform_predicate_writes : issue.uniform_predicate_reads);
            mask |= predicate(decoded.at(spec.where).index);
            continue;
        }
        if (spec.form == form::uniform || spec.form == form::bindless || spec.uniform.exists())
            (spec.writes ? issue.uniform_writes : issue.uniform_reads[uniform_reads++]) =
                uniform_registers(decoded, spec);
        issue.bindless =
            issue.bindless || spec.form == form::bindless || (spec.form == form::constant_index && row.uniform);
        if (spec.form == form::code_test && decoded.at(spec.where).value != spec.usual) {
            issue.code_test = static_cast<std::uint8_t>(decoded.at(spec.where).value);
            issue.predicate_reads |= condition_codes;
        }
        const register_range range = registers_of(decoded, spec);
        if (range.count == 0) continue;
        if (!spec.writes && spec.where == slot::c) issue.sum_reads |= static_cast<std::uint8_t>(1U << reads);
        (spec.writes ? issue.writes[writes++] : issue.reads[reads++]) = range;
    }
    if (row.packed != packed_predicates::none) {
        const operand& mask = decoded.at(slot::b);
        const auto named = static_cast<std::uint8_t>(0x7fU & (mask.kind == operand::source::none ? 0x7fU : mask.value));
        (row.packed == packed_predicates::read ? issue.predicate_reads : issue.predicate_writes) |= named;
    }
    if (decoded.modifier(mod::write_cc) != 0) issue.predicate_writes |= condition_codes;
    const unsigned extended = decoded.modifier(mod::extended);
    if (row.reads_codes) issue.predicate_reads |= condition_codes;
    if (extended != 0 && extended != begins_chain) issue.predicate_reads |= condition_codes;
    issue.unit = unit_of(row, std::any_of(issue.reads.begin(), issue.reads.end(), is_pair) ||
                                  std::any_of(issue.writes.begin(), issue.writes.end(), is_pair));
    decoded.issue = issue;
}

} // namespace isbesim::isa
