// SPDX-License-Identifier: Apache-2.0
// SM50 rows: local and constant memory, attributes.
#include "models/isa/tables/sm50_rows.h"

namespace isbesim::isa::sm50 {

namespace {

operand_spec address(form kind, field offset)
{
    return isa::address(kind, reg_8, offset);
}

operand_spec data(extent wide = extent::one)
{
    return register_source(slot::a, reg_0, wide);
}

/// Vertex handle or geometry state.
operand_spec handle()
{
    return optional(register_source(slot::b, reg_39));
}

} // namespace

void add_memory_rows(rows& out)
{
    const operand_spec loaded = dest(no_bit, extent::by_memory_size);

    add(out, 0xef40'0000'0000'0000,
        memory_row("LDL", run::ldl, {{mod::cache, {44, 2}, values::load_cache}, size_memory(48)},
                   {loaded, address(form::memory, {20, 24})}));
    add(out, 0xef50'0000'0000'0000,
        memory_row("STL", run::stl, {{mod::cache, {44, 2}, values::store_cache}, size_memory(48)},
                   {address(form::memory, {20, 24}), data(extent::by_memory_size)}));
    add(out, 0xef90'0000'0000'0000,
        memory_row("LDC", run::ldc, {{mod::cache, {44, 2}, values::constant_mode}, size_memory(48)},
                   {loaded, in_bank(address(form::constant_index, {20, 16}), {36, 5})}));
}

void add_attribute_rows(rows& out)
{
    const modifier_spec patch = {mod::patch, {31, 1}, values::patch};
    const encoding either_space = {std::uint64_t{1} << 32, 0}; // compilers differ: 0 or 1

    add(out, 0xefd8'0000'0000'0000,
        attribute_row(opcode::ald, "ALD", run::ald, {output_space(32), patch, size_words(47)},
                      {aligned(dest(no_bit, extent::by_words)), address(form::attribute, {20, 11}), handle()}));
    add(out, 0xeff0'0000'0000'0000,
        ignoring(either_space,
                 attribute_row(opcode::ast, "AST", run::ast, {patch, size_words(47)},
                               {address(form::attribute, {20, 11}), aligned(data(extent::by_words)), handle()})));
    add(out, 0xefa0'0000'0000'0000,
        attribute_row(opcode::al2p, "AL2P", run::al2p, {output_space(32), size_words(47)},
                      {optional(predicate_result(slot::pd, 44)), dest(), source_a(),
                       small(slot::extra, {20, 11}, form::integer)}));
    add(out, 0xefd0'0000'0000'0000,
        attribute_row(opcode::isberd, "ISBERD", run::isberd, {output_space(32), region(33), skew(31), size_raw(47)},
                      {dest(), address(form::memory, {})}));
    static constexpr choice interpolation[] = {{0, "PASS"}, {1, "", false}, {2, "CONSTANT"}, {3, "SC"}};
    const std::vector<modifier_spec> how = {
        {mod::function, {54, 2}, interpolation}, {mod::c_mode, {52, 2}, values::interpolated_at}, saturate(51)};
    static constexpr choice by_register[] = {{0, "IDX"}};
    std::vector<modifier_spec> how_indexed = how;
    how_indexed.insert(how_indexed.begin(), {mod::skew, {}, by_register});
    const auto interpolate = [&](std::uint64_t opcode, const std::vector<modifier_spec>& modifiers, field offset,
                                 const operand_spec& predicate) {
        add(out, opcode,
            memory_row("IPA", run::interpolate, modifiers,
                       {dest(), address(form::attribute, offset), optional(register_source(slot::b, reg_20)),
                        optional(register_source(slot::c, reg_39)), optional(predicate)}));
    };
    interpolate(0xe000'0000'0000'0000, how, {28, 10}, predicate_source(slot::ps, 47, 50));
    interpolate(0xe000'0040'0000'0000, how_indexed, {}, predicate_source(slot::ps, 47, 50));

    add(out, {0xfbe0, 0xebe0, 0xf6e0, form::integer},
        attribute_row(opcode::out, "OUT", run::out, {{mod::out_type, {39, 2}, values::out_type}},
                      {dest(), source_a(), either_sign(source_b())}));
}

} // namespace isbesim::isa::sm50
