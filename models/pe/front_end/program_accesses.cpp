// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/program_accesses.h"

#include "models/isa/opcode_row.h"
#include "models/isa/tables/table.h"
#include "tlm/hex.h"

namespace isbesim {

namespace {

/// `in_space`: the space that .O of ALD selects; AST has no such choice.
attribute_accesses accesses_of(const isa::program& program, opcode wanted, space in_space)
{
    attribute_accesses found;
    for (const auto& each : program.code) {
        if (each.issue.latency != isa::latency_class::attribute || each.issue.attribute_opcode != wanted) continue;
        if (wanted == opcode::ald && (each.modifier(isa::mod::output_space) != 0) != (in_space == space::output))
            continue;
        const auto form = static_cast<address_form>(each.modifier(isa::mod::patch));
        if (form == address_form::patch) continue;
        const auto& address = each.at(isa::slot::address);
        if (form == address_form::phys || address.index != isa::register_zero) {
            found.indexed = true;
            continue;
        }
        const unsigned words = each.modifier(isa::mod::size) + 1;
        const unsigned aligned = words == 1 ? 4 : words == 2 ? 8 : 16; // the size clears low address bits
        const unsigned first = address.value / aligned * aligned / 4;
        for (unsigned id = first; id < first + words && id < mapped_attribute_ids; ++id) found.fixed.insert(id);
    }
    return found;
}

} // namespace

attribute_accesses loads_of(const isa::program& program, space space)
{
    return accesses_of(program, opcode::ald, space);
}

attribute_accesses stores_of(const isa::program& program)
{
    return accesses_of(program, opcode::ast, space::output);
}

void constant_accesses::add(unsigned bank, unsigned offset, unsigned words)
{
    for (unsigned i = 0; i < words; ++i) words_[bank].insert(offset + 4 * i);
}

bool constant_accesses::reads(unsigned bank, std::uint64_t offset, std::uint64_t bytes) const
{
    if (indexed_.count(bank) != 0) return true;
    const auto known = words_.find(bank);
    if (known == words_.end()) return false;
    const auto next = known->second.lower_bound(offset);
    return next != known->second.end() && *next < offset + bytes;
}

std::string constant_accesses::range_of(unsigned bank) const
{
    std::string name = "c[" + hex(bank) + "]";
    if (indexed_.count(bank) != 0) return name;
    const auto known = words_.find(bank);
    return known == words_.end()
               ? ""
               : name + "[" + hex(*known->second.begin()) + ".." + hex(*known->second.rbegin() + 4) + "]";
}

constant_accesses constants_of(const isa::program& program)
{
    constant_accesses found;
    for (const auto& each : program.code) {
        const bool is_double = each.row->latency == isa::latency_class::variable;
        for (const auto& spec : each.row->operands) {
            const auto& operand = each.at(spec.where);
            // A double's operand has no size of its own, so each of variable latency may have two words.
            if (operand.kind == isa::operand::source::constant)
                found.add(operand.bank, operand.value, is_double ? 2 : 1);
            if (spec.form != isa::form::constant_index) continue;
            const bool fixed = operand.index == isa::register_zero &&
                               (operand.uniform == isa::no_uniform || operand.uniform == isa::uniform_zero);
            constexpr unsigned size_of_64 = 5, size_of_128 = 6; // LDC's sizes
            const auto size = each.modifier(isa::mod::size);
            if (fixed)
                found.add(operand.bank, operand.value & ~3U, size == size_of_128 ? 4 : size == size_of_64 ? 2 : 1);
            else
                found.add_indexed(operand.bank);
        }
    }
    return found;
}

attribute_set without(const attribute_set& all, const attribute_set& what)
{
    attribute_set rest = all;
    for (unsigned id = 0; id < mapped_attribute_ids; ++id)
        if (what.contains(id)) rest.erase(id);
    return rest;
}

std::string address_list(const attribute_set& attributes)
{
    std::string text;
    for (unsigned id = 0; id < mapped_attribute_ids; ++id) {
        if (!attributes.contains(id) || (id > 0 && attributes.contains(id - 1))) continue;
        unsigned last = id;
        while (last + 1 < mapped_attribute_ids && attributes.contains(last + 1)) ++last;
        text += (text.empty() ? "" : ", ") + hex(id * 4, 2);
        if (last > id) text += " to " + hex(last * 4, 2);
    }
    return text;
}

} // namespace isbesim
