// SPDX-License-Identifier: Apache-2.0
#include "models/isa/tables/row_parts.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/isa/execution/semantics.h"

namespace isbesim::isa {

namespace {

template <typename operands>
auto& find_operand(operands& list, slot where, const char* mnemonic)
{
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& spec) { return spec.where == where; });
    if (found == list.end()) throw std::logic_error(std::string(mnemonic) + ": no such operand");
    return *found;
}

} // namespace

opcode_row make_row(latency_class latency, const char* mnemonic, execute_function execute,
                    std::vector<modifier_spec> modifiers, std::vector<operand_spec> operands)
{
    opcode_row row;
    row.mnemonic = mnemonic;
    row.execute = execute;
    row.modifiers = std::move(modifiers);
    row.operands = std::move(operands);
    row.latency = latency;
    row.shows_reuse = latency == latency_class::alu;
    return row;
}

opcode_row texture_row(const char* mnemonic, const texture_traits& traits, std::vector<modifier_spec> modifiers,
                       std::vector<operand_spec> operands)
{
    execute_function execute = run::sample_texture;
    if (traits.kind == texture_kind::fetch) execute = run::fetch_texture;
    if (traits.kind == texture_kind::gather) execute = run::gather_texture;
    if (traits.kind == texture_kind::level) execute = run::query_level;
    if (traits.kind == texture_kind::query) execute = run::query_texture;
    opcode_row row = make_row(latency_class::texture, mnemonic, execute, std::move(modifiers), std::move(operands));
    row.texture = traits;
    return row;
}

opcode_row surface_row(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
                       std::vector<operand_spec> operands)
{
    opcode_row row = make_row(latency_class::texture, mnemonic, execute, std::move(modifiers), std::move(operands));
    row.texture.kind = texture_kind::surface;
    return row;
}

opcode_row leaving_row(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
                       std::vector<operand_spec> operands)
{
    opcode_row row = control_row(mnemonic, execute, std::move(modifiers), std::move(operands));
    row.leaves = true;
    return row;
}

opcode_row attribute_row(isbesim::opcode operation, const char* mnemonic, execute_function execute,
                         std::vector<modifier_spec> modifiers, std::vector<operand_spec> operands)
{
    opcode_row row = make_row(latency_class::attribute, mnemonic, execute, std::move(modifiers), std::move(operands));
    row.attribute_opcode = operation;
    return row;
}

opcode_row ignoring(encoding bits, opcode_row row)
{
    row.ignored = bits;
    return row;
}

opcode_row meaning(encoding bits, opcode_row row)
{
    row.meaning = bits;
    return row;
}

operand_spec register_source(slot where, field bits, extent wide)
{
    operand_spec spec;
    spec.where = where;
    spec.bits = bits;
    spec.extent = wide;
    return spec;
}

operand_spec register_result(field bits, extent wide)
{
    operand_spec spec = register_source(slot::d, bits, wide);
    spec.writes = true;
    return spec;
}

operand_spec predicate_result(slot where, unsigned low)
{
    operand_spec spec = small(where, {static_cast<std::uint8_t>(low), 3}, form::predicate);
    spec.writes = true;
    return spec;
}

operand_spec predicate_source(slot where, unsigned low, unsigned not_bit)
{
    operand_spec spec = small(where, {static_cast<std::uint8_t>(low), 3}, form::predicate);
    spec.invert = static_cast<std::uint8_t>(not_bit);
    return spec;
}

operand_spec small(slot where, field bits, form kind)
{
    operand_spec spec;
    spec.where = where;
    spec.form = kind;
    spec.bits = bits;
    return spec;
}

operand_spec literal(const char* text)
{
    operand_spec spec = small(slot::extra, {}, form::literal);
    spec.text = text;
    return spec;
}

operand_spec address(form kind, field base, field offset)
{
    operand_spec spec = small(slot::address, offset, kind);
    spec.base = base;
    return spec;
}

operand_spec optional(operand_spec spec)
{
    spec.optional = true;
    return spec;
}

operand_spec optional(operand_spec spec, std::uint8_t usual)
{
    spec.usual = usual;
    return optional(spec);
}

operand_spec named(slot where, field bits, name_list names)
{
    operand_spec spec = small(where, bits, form::named);
    spec.names = names;
    return spec;
}

operand_spec same_register(operand_spec spec, field bits)
{
    spec = without_reuse(in_field(spec, bits));
    spec.same_register = true;
    return spec;
}

operand_spec following(operand_spec spec, field bits)
{
    spec = same_register(spec, bits);
    spec.follows = true;
    return spec;
}

operand_spec wide_address(operand_spec spec, field scale)
{
    spec.extent = extent::by_address;
    spec.part = scale;
    return spec;
}

operand_spec plus_uniform(operand_spec spec, field uniform, field is_pair)
{
    spec.uniform = uniform;
    if (is_pair.exists()) {
        spec.extent = extent::by_part;
        spec.part = is_pair;
    }
    return spec;
}

const operand_spec& operand_at(const opcode_row& row, slot where)
{
    return find_operand(row.operands, where, row.mnemonic);
}

opcode_row with_operand(opcode_row row, const operand_spec& operand)
{
    find_operand(row.operands, operand.where, row.mnemonic) = operand;
    return row;
}

} // namespace isbesim::isa
