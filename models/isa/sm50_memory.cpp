// SM50 rows: local and constant memory, attributes, and what only the tools know (texture, global memory).
#include "models/isa/sm50_rows.h"

// clang-format off
namespace isbesim::isa::sm50 {

namespace {

operand_spec address(form kind, field offset)
{
    return isa::address(kind, reg_8, offset);
}

operand_spec data(extent wide)
{
    return register_source(slot::a, reg_0, wide);
}

/// Vertex handle or geometry state.
operand_spec handle()
{
    return register_source(slot::b, reg_39, extent::one, true);
}

void add_texture_rows(rows& out)
{
    struct target { unsigned code; const char* mnemonic; const char* shape; };
    static constexpr target targets[] = {{0, "TEXS.LZ", "1D"}, {1, "TEXS", "2D"}, {2, "TEXS.LZ", "2D"}, {3, "TEXS.LL", "2D"}, {12, "TEXS", "CUBE"}, {13, "TEXS.LL", "CUBE"}};
    opcode_row row;
    row.latency = latency_class::memory;
    row.shows_reuse = false;
    operand_spec second = register_result(reg_28);
    second.where = slot::c;
    row.modifiers = {{mod::function, {49, 1}, say::nodep}};
    for (const auto& shape : targets)
        for (const auto& texels : say::texel_mask) {
            row.mnemonic = shape.mnemonic;
            row.operands = {second, dest(), source_a(), source_b(), small(slot::extra, {36, 13}), literal(shape.shape), literal(texels.name)};
            add(out, 0xd800'0000'0000'0000 | std::uint64_t{shape.code} << 53 | std::uint64_t{texels.value} << 50, row);
        }
}

} // namespace

void add_memory_rows(rows& out)
{
    opcode_row row;
    row.latency = latency_class::memory;
    row.shows_reuse = false;
    const field size = {48, 3};

    row.mnemonic = "LDL";
    row.execute = run::ldl;
    row.modifiers = {{mod::cache, {44, 2}, say::load_cache}, {mod::size, size, say::memory_size}};
    row.operands = {dest(no_bit, extent::by_memory_size), address(form::memory, {20, 24})};
    add(out, 0xef40'0000'0000'0000, row);

    row.mnemonic = "STL";
    row.execute = run::stl;
    row.modifiers = {{mod::cache, {44, 2}, say::store_cache}, {mod::size, size, say::memory_size}};
    row.operands = {address(form::memory, {20, 24}), data(extent::by_memory_size)};
    add(out, 0xef50'0000'0000'0000, row);

    row.mnemonic = "LDC";
    row.execute = run::ldc;
    row.modifiers = {{mod::cache, {44, 2}, say::constant_mode}, {mod::size, size, say::memory_size}};
    row.operands = {dest(no_bit, extent::by_memory_size), address(form::constant_index, {20, 16})};
    row.operands[1].bank = {36, 5};
    add(out, 0xef90'0000'0000'0000, row);

    // Vertex, tessellation and geometry programs may carry these, but nothing here gives them a memory to work on.
    row.execute = nullptr;
    row.mnemonic = "RED";
    row.modifiers = {{mod::c_mode, {48, 1}, say::wide}, {mod::function, {23, 3}, say::reduction}, {mod::to_type, {20, 3}, say::reduction_type}};
    row.operands = {address(form::memory, {28, 20}), data(extent::one)};
    add(out, 0xebf8'0000'0000'0000, row);

    row.mnemonic = "CCTL";
    row.modifiers = {{mod::c_mode, {52, 1}, say::wide}, {mod::function, {0, 4}, say::cache_control}};
    row.operands = {address(form::memory, {22, 30})};
    row.operands[0].shift = 2;
    add(out, 0xef60'0000'0000'0000, row);

    add_texture_rows(out);
}

void add_attribute_rows(rows& out)
{
    opcode_row row;
    row.latency = latency_class::attribute;
    row.shows_reuse = false;
    const modifier_spec io = {mod::output_space, {32, 1}, say::output};
    const modifier_spec patch = {mod::patch, {31, 1}, say::patch};
    const modifier_spec size = {mod::size, {47, 2}, say::words};

    row.mnemonic = "ALD";
    row.execute = run::ald;
    row.attribute_opcode = isbesim::opcode::ald;
    row.modifiers = {io, patch, size};
    row.operands = {dest(no_bit, extent::by_words), address(form::attribute, {20, 11}), handle()};
    row.operands[0].aligned = true;
    add(out, 0xefd8'0000'0000'0000, row);

    // Bit 32 is written as 0 by one compiler and as 1 by another.
    row.mnemonic = "AST";
    row.execute = run::ast;
    row.attribute_opcode = isbesim::opcode::ast;
    row.modifiers = {patch, size};
    row.operands = {address(form::attribute, {20, 11}), data(extent::by_words), handle()};
    row.operands[1].aligned = true;
    row.ignored = {std::uint64_t{1} << 32, 0};
    add(out, 0xeff0'0000'0000'0000, row);
    row.ignored = {};

    row.mnemonic = "AL2P";
    row.execute = run::al2p;
    row.attribute_opcode = isbesim::opcode::al2p;
    row.modifiers = {io, size};
    row.operands = {predicate_result(slot::pd, 44, true), dest(), source_a(), small(slot::extra, {20, 11}, form::integer)};
    add(out, 0xefa0'0000'0000'0000, row);

    row.mnemonic = "ISBERD";
    row.execute = run::isberd;
    row.attribute_opcode = isbesim::opcode::isberd;
    row.modifiers = {io, {mod::region, {33, 2}, say::region}, {mod::skew, {31, 1}, say::skew}, {mod::size, {47, 2}, say::raw_size}};
    row.operands = {dest(), address(form::memory, {})};
    add(out, 0xefd0'0000'0000'0000, row);

    row.mnemonic = "OUT";
    row.execute = run::out;
    row.attribute_opcode = isbesim::opcode::out;
    row.modifiers = {{mod::out_type, {39, 2}, say::out_type}};
    row.operands = {dest(), source_a(), source_b()};
    add(out, {0xfbe0, 0xebe0, 0xf6e0, form::integer}, row);
}

} // namespace isbesim::isa::sm50
// clang-format on
