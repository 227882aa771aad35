#include "testbench/scenario/draw_warnings.h"

#include <iterator>

#include "models/attribute/attribute_map.h"
#include "models/isa/tables/table.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace {

unsigned modifier(const isa::instruction& from, isa::mod id)
{
    return from.modifiers[static_cast<std::size_t>(id)];
}

/// Logical attributes that ALD or AST instructions of a program name.
struct accesses {
    attribute_set fixed;  ///< by an address without a register
    bool indexed = false; ///< some by an address in a register, any attribute
};

accesses accesses_of(const isa::program& program, opcode wanted)
{
    accesses found;
    for (const auto& each : program.code) {
        if (each.issue.latency != isa::latency_class::attribute || each.issue.attribute_opcode != wanted) continue;
        if (wanted == opcode::ald && modifier(each, isa::mod::output_space) != 0) continue;
        const auto form = static_cast<address_form>(modifier(each, isa::mod::patch));
        if (form == address_form::patch) continue;
        const auto& address = each.at(isa::slot::address);
        if (form == address_form::phys || address.index != isa::register_zero) {
            found.indexed = true;
            continue;
        }
        const unsigned words = modifier(each, isa::mod::size) + 1;
        const unsigned aligned = words == 1 ? 4 : words == 2 ? 8 : 16; // the size drops low address bits
        const unsigned first = address.value / aligned * aligned / 4;
        for (unsigned id = first; id < first + words && id < mapped_attribute_ids; ++id) found.fixed.insert(id);
    }
    return found;
}

attribute_set without(const attribute_set& from, const attribute_set& what)
{
    attribute_set rest = from;
    for (unsigned id = 0; id < mapped_attribute_ids; ++id)
        if (what.contains(id)) rest.erase(id);
    return rest;
}

} // namespace

attribute_set missing_inputs(const draw_call& draw)
{
    const auto& [first, program] = *draw.stages.begin();
    if (draw.topology == topology::mesh) return {};
    const auto loads = accesses_of(program.program, opcode::ald);
    const auto read = loads.indexed ? program.header.imap : program.header.imap & loads.fixed;
    auto missing = without(read, generated_inputs(first));
    for (const auto& [address, source] : draw.attributes) {
        for (unsigned id = address / 4; id < address / 4 + source.components; ++id) {
            for (unsigned component = 0; component < 4; ++component) missing.erase(id / 4 * 4 + component);
        }
    }
    return missing;
}

attribute_set loads_beside_map(const stage_program& program)
{
    return without(accesses_of(program.program, opcode::ald).fixed, program.header.imap);
}

attribute_set stores_beside_map(const stage_program& program, const attribute_set& per_primitive)
{
    return without(accesses_of(program.program, opcode::ast).fixed, program.header.omap | per_primitive);
}

attribute_set unwritten_captures(const draw_call& draw, unsigned stream)
{
    const auto last = std::prev(draw.stages.end());
    auto written = last->second.header.omap;
    if (last->second.header.geometry_passthrough && last != draw.stages.begin())
        written = written | std::prev(last)->second.header.omap;
    for (const auto address : draw.mesh.per_primitive) written.insert(address / 4);
    attribute_set captured;
    for (const auto address : draw.capture[stream])
        if (address / 4 < mapped_attribute_ids) captured.insert(address / 4);
    return without(captured, written);
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

} // namespace isbesim::testbench
