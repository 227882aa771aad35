// SM50 rows: local and constant memory, attributes, and what only the tools know (texture, global memory).
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

void add_texture_rows(rows& out)
{
    struct target {
        unsigned code;
        const char* mnemonic;
        const char* shape;
    };
    static constexpr target targets[] = {{0, "TEXS.LZ", "1D"}, {1, "TEXS", "2D"},    {2, "TEXS.LZ", "2D"},
                                         {3, "TEXS.LL", "2D"}, {12, "TEXS", "CUBE"}, {13, "TEXS.LL", "CUBE"}};
    const operand_spec second = in_slot(register_result(reg_28), slot::c);
    for (const auto& shape : targets)
        for (const auto& texels : say::texel_mask)
            add(out, 0xd800'0000'0000'0000 | std::uint64_t{shape.code} << 53 | std::uint64_t{texels.value} << 50,
                memory_row(shape.mnemonic, nullptr, {{mod::function, {49, 1}, say::nodep}},
                           {second, dest(), source_a(), source_b(), small(slot::extra, {36, 13}), literal(shape.shape),
                            literal(texels.name)}));
}

} // namespace

void add_memory_rows(rows& out)
{
    const operand_spec loaded = dest(no_bit, extent::by_memory_size);

    add(out, 0xef40'0000'0000'0000,
        memory_row("LDL", run::ldl, {{mod::cache, {44, 2}, say::load_cache}, size_memory(48)},
                   {loaded, address(form::memory, {20, 24})}));
    add(out, 0xef50'0000'0000'0000,
        memory_row("STL", run::stl, {{mod::cache, {44, 2}, say::store_cache}, size_memory(48)},
                   {address(form::memory, {20, 24}), data(extent::by_memory_size)}));
    add(out, 0xef90'0000'0000'0000,
        memory_row("LDC", run::ldc, {{mod::cache, {44, 2}, say::constant_mode}, size_memory(48)},
                   {loaded, in_bank(address(form::constant_index, {20, 16}), {36, 5})}));

    // Vertex, tessellation and geometry programs may carry these, but nothing here gives them a memory to work on.
    add(out, 0xebf8'0000'0000'0000,
        memory_row("RED", nullptr,
                   {wide(48), {mod::function, {23, 3}, say::reduction}, {mod::to_type, {20, 3}, say::reduction_type}},
                   {address(form::memory, {28, 20}), data()}));
    add(out, 0xef60'0000'0000'0000,
        memory_row("CCTL", nullptr, {wide(52), {mod::function, {0, 4}, say::cache_control}},
                   {shifted(address(form::memory, {22, 30}), 2)}));
    add_texture_rows(out);
}

void add_attribute_rows(rows& out)
{
    const modifier_spec patch = {mod::patch, {31, 1}, say::patch};
    const encoding either_space = {std::uint64_t{1} << 32, 0}; // 0 from one compiler, 1 from another

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
    add(out, {0xfbe0, 0xebe0, 0xf6e0, form::integer},
        attribute_row(opcode::out, "OUT", run::out, {{mod::out_type, {39, 2}, say::out_type}},
                      {dest(), source_a(), source_b()}));
}

} // namespace isbesim::isa::sm50
