// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/program_accesses.h"

#include "models/isa/tables/table.h"
#include "tlm/hex.h"

namespace isbesim {

namespace {

unsigned modifier(const isa::instruction& from, isa::mod id)
{
    return from.modifiers[static_cast<std::size_t>(id)];
}

/// `in_space`: the space that .O of ALD selects; AST has no such choice.
attribute_accesses accesses_of(const isa::program& program, opcode wanted, space in_space)
{
    attribute_accesses found;
    for (const auto& each : program.code) {
        if (each.issue.latency != isa::latency_class::attribute || each.issue.attribute_opcode != wanted) continue;
        if (wanted == opcode::ald && (modifier(each, isa::mod::output_space) != 0) != (in_space == space::output))
            continue;
        const auto form = static_cast<address_form>(modifier(each, isa::mod::patch));
        if (form == address_form::patch) continue;
        const auto& address = each.at(isa::slot::address);
        if (form == address_form::phys || address.index != isa::register_zero) {
            found.indexed = true;
            continue;
        }
        const unsigned words = modifier(each, isa::mod::size) + 1;
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

attribute_set without(const attribute_set& from, const attribute_set& what)
{
    attribute_set rest = from;
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
