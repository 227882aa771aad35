// SM75 / SM86 rows: attributes, memory, moves, conversions, control flow, and what only the tools know.
#include "models/isa/sm75_rows.h"

// clang-format off
namespace isbesim::isa::sm75 {

namespace {

operand_spec address(form kind, field offset)
{
    operand_spec spec = isa::address(kind, reg_first, offset);
    spec.zero_as_number = kind == form::attribute;
    return spec;
}

operand_spec data(extent wide)
{
    return register_source(slot::a, reg_second, wide);
}

/// Vertex handle or geometry state.
operand_spec handle(field bits)
{
    return register_source(slot::b, bits, extent::one, true);
}

} // namespace

void add_attribute_rows(rows& out, architecture arch)
{
    opcode_row row;
    row.latency = latency_class::attribute;
    // Ten bits address everything; the eleventh is the sign that AL2P and .P offsets have on SM50 too.
    const field offset = {40, 11};
    const modifier_spec io = {mod::output_space, {79, 1}, say::output};
    const modifier_spec patch = {mod::patch, {76, 2}, say::patch};
    const modifier_spec size = {mod::size, {74, 2}, say::words};

    row.mnemonic = "ALD";
    row.execute = run::ald;
    row.attribute_opcode = isbesim::opcode::ald;
    row.modifiers = {io, patch, size};
    row.operands = {dest(extent::by_words), address(form::attribute, offset), handle(reg_second)};
    row.operands[0].aligned = true;
    add(out, 0, 0x321, row);

    row.mnemonic = "AST";
    row.execute = run::ast;
    row.attribute_opcode = isbesim::opcode::ast;
    row.modifiers = {patch, size};
    row.operands = {address(form::attribute, offset), data(extent::by_words), handle(reg_third)};
    row.operands[1].aligned = true;
    add(out, 0, 0x322, row);

    row.mnemonic = "AL2P";
    row.execute = run::al2p;
    row.attribute_opcode = isbesim::opcode::al2p;
    row.modifiers = {io, size};
    row.operands = {dest(), source(slot::a, place::first), small(slot::extra, offset, form::integer)};
    add(out, 0, 0x920, row);

    // SM75 has no offset here: the address is all in the register.
    const field raw_offset = arch == architecture::sm86 ? field{40, 16} : field{};
    row.mnemonic = "ISBERD";
    row.execute = run::isberd;
    row.attribute_opcode = isbesim::opcode::isberd;
    row.modifiers = {io, {mod::region, {76, 2}, say::region}, {mod::skew, {78, 1}, say::skew}, {mod::size, {74, 2}, say::raw_size}};
    row.operands = {dest(), address(form::memory, raw_offset)};
    add(out, 0, 0x923, row);

    row.mnemonic = "ISBEWR";
    row.execute = run::isbewr;
    row.attribute_opcode = isbesim::opcode::isbewr;
    row.operands = {address(form::memory, raw_offset), data(extent::one)};
    add(out, 0, 0x927, row);

    // OUT.FINAL shows only its state. Compilers leave R0 or RZ in the stream's field; the rows for other registers, and
    // for text that names all of them, come after.
    row.execute = run::out;
    row.attribute_opcode = isbesim::opcode::out;
    row.modifiers = {};
    row.mnemonic = "OUT.FINAL";
    row.operands = {source(slot::a, place::first)};
    add(out, 0, 0x00'00ff'0324, row);
    add(out, 0, 0xff'00ff'0324, row);
    row.long_form = true;
    row.operands = {dest(), source(slot::a, place::first), source(slot::b, place::second)};
    add_two_source(out, {0x124, form::integer}, row);
    row.long_form = false;
    row.mnemonic = "OUT";
    row.modifiers = {{mod::out_type, {78, 2}, say::out_step}};
    add_two_source(out, {0x124, form::integer}, row);
}

void add_memory_rows(rows& out)
{
    opcode_row row;
    row.latency = latency_class::memory;
    const modifier_spec size = {mod::size, {73, 3}, say::memory_size};
    const field offset = {40, 24};
    constexpr std::uint64_t usual_cache = 0x10'0000;

    row.mnemonic = "LDL";
    row.execute = run::ldl;
    row.modifiers = {size};
    row.operands = {dest(extent::by_memory_size), address(form::memory, offset)};
    add(out, usual_cache, 0x983, row);

    row.mnemonic = "STL";
    row.execute = run::stl;
    row.operands = {address(form::memory, offset), data(extent::by_memory_size)};
    add(out, usual_cache, 0x387, row);

    row.mnemonic = "LDC";
    row.execute = run::ldc;
    row.modifiers = {{mod::cache, {78, 2}, say::constant_mode}, size};
    row.operands = {dest(extent::by_memory_size), address(form::constant_index, {38, 16})};
    row.operands[1].bank = {54, 5};
    add(out, 0, 0xb82, row);

    // Vertex, tessellation and geometry programs may carry these, but nothing here gives them a memory to work on.
    row.execute = nullptr;
    row.modifiers = {};
    row.mnemonic = "RED.E.ADD.STRONG.SYS";
    row.operands = {address(form::memory, offset), data(extent::one)};
    add(out, 0x11'6100, 0x98e, row);

    row.mnemonic = "CCTL.E.RS";
    row.operands = {address(form::memory, offset)};
    add(out, 0x280'0100, 0x98f, row);

    row.mnemonic = "TEX.LZ";
    operand_spec second = register_result(reg_third);
    second.where = slot::c;
    row.operands = {second, dest(), source(slot::a, place::first), small(slot::b, {54, 5}), small(slot::address, {40, 14}), literal("2D")};
    add(out, 0x9e'0f00, 0x2000'00ff'0000'0b60, row);
}

void add_move_rows(rows& out)
{
    opcode_row row;
    row.latency = latency_class::alu;

    // The four-bit lane mask of MOV is always written as all ones.
    row.mnemonic = "MOV";
    row.execute = run::mov;
    row.operands = {dest(), source(slot::b, place::second)};
    add_two_source(out, {0x002, form::unsigned_word, 0xf00}, row);

    row.execute = run::s2r;
    row.operands = {dest(), small(slot::extra, {72, 8}, form::special)};
    row.mnemonic = "CS2R.32";
    add(out, 0, 0x805, row);
    row.latency = latency_class::variable;
    row.mnemonic = "S2R";
    add(out, 0, 0x919, row);
}

void add_conversion_rows(rows& out)
{
    opcode_row row;
    row.latency = latency_class::variable;
    const modifier_spec ftz = {mod::flush, {80, 1}, say::ftz}, round = {mod::round, {78, 2}, say::round}, to_integral = {mod::round, {78, 2}, say::round_integer};
    const field to = {75, 2}, from = {84, 2}, signed_to = {75, 2, 72, 1}, signed_from = {84, 2, 74, 1};
    const operand_spec result = dest(extent::by_to_type);
    const operand_spec value = source(slot::b, place::second, signs::negate_absolute, extent::by_from_type);
    const operand_spec number = source(slot::b, place::second, signs::none, extent::by_from_type);
    const auto convert = [&](unsigned opcode, form kind, const operand_spec& from_where, std::vector<modifier_spec> modifiers) {
        row.modifiers = std::move(modifiers);
        row.operands = {result, from_where};
        add_two_source(out, {opcode, kind}, row);
    };

    row.mnemonic = "F2F";
    row.execute = run::f2f;
    convert(0x104, form::real, value, {ftz, {mod::to_type, to, say::narrow_float}, {mod::from_type, from, say::narrow_float}, round});
    convert(0x110, form::real, value, {ftz, {mod::to_type, to, say::wide_float}, {mod::from_type, from, say::float_type}, round});
    convert(0x110, form::real_double, value, {ftz, {mod::to_type, to, say::narrow_float}, {mod::from_type, from, say::wide_float}, round});

    row.mnemonic = "F2I";
    row.execute = run::f2i;
    convert(0x105, form::real, value, {ftz, {mod::to_type, signed_to, say::narrow_integer}, {mod::from_type, from, say::narrow_float_source}, to_integral});
    convert(0x111, form::real_double, value, {ftz, {mod::to_type, signed_to, say::any_integer}, {mod::from_type, from, say::wide_float}, to_integral});
    convert(0x111, form::real, value, {ftz, {mod::to_type, signed_to, say::wide_integer}, {mod::from_type, from, say::narrow_float_source}, to_integral});

    row.mnemonic = "I2F";
    row.execute = run::i2f;
    convert(0x106, form::integer, number, {{mod::to_type, to, say::narrow_float_source}, {mod::from_type, signed_from, say::narrow_integer}, round});
    convert(0x112, form::integer, number, {{mod::to_type, to, say::wide_float}, {mod::from_type, signed_from, say::any_integer}, round});
    convert(0x112, form::integer, number, {{mod::to_type, to, say::narrow_float_source}, {mod::from_type, signed_from, say::wide_integer}, round});

    row.mnemonic = "FRND";
    row.execute = run::frnd;
    convert(0x107, form::real, value, {ftz, {mod::to_type, to, say::narrow_float_source}, {mod::from_type, from, say::narrow_float_source}, to_integral});
}

void add_flow_rows(rows& out)
{
    opcode_row row;
    row.latency = latency_class::control;

    row.mnemonic = "NOP";
    row.execute = run::nop;
    row.latency = latency_class::alu;
    add(out, 0, 0x918, row);

    row.latency = latency_class::control;
    operand_spec target = small(slot::extra, {34, 48}, form::target);
    target.shift = 2;
    operand_spec taken = condition();
    taken.optional = true;

    row.mnemonic = "BRA";
    row.execute = run::branch;
    row.operands = {taken, target};
    add(out, 0, 0x947, row);

    row.mnemonic = "EXIT";
    row.execute = run::leave;
    row.operands = {};
    add(out, condition_true, 0x94d, row);

    const operand_spec barrier = small(slot::a, {16, 4}, form::barrier);
    row.mnemonic = "BSSY";
    row.execute = run::bssy;
    target.bits = {34, 30};
    row.operands = {barrier, target};
    add(out, condition_true, 0x945, row);
    row.mnemonic = "BSYNC";
    row.execute = run::bsync;
    row.operands = {barrier};
    add(out, condition_true, 0x941, row);
    row.mnemonic = "BREAK";
    row.execute = run::break_barrier;
    row.operands = {taken, barrier};
    add(out, 0, 0x942, row);
    row.mnemonic = "BAR";
    row.execute = run::bar;
    row.modifiers = {{mod::function, {77, 2}, say::bar}, {mod::cache, {80, 1}, say::defer_blocking}};
    row.operands = {small(slot::a, {54, 4})};
    add(out, 0, 0xb1d, row);
    row.modifiers = {};
    row.mnemonic = "WARPSYNC";
    row.execute = run::warpsync;
    row.operands = {small(slot::b, immediate_field)};
    add(out, condition_true, 0x948, row);
}

} // namespace isbesim::isa::sm75
// clang-format on
