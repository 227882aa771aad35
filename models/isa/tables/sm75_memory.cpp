// SPDX-License-Identifier: Apache-2.0
// Rows of SM75, SM86 and SM120: attributes, memory, moves, control flow, and instructions that only the tools know.
#include "models/isa/tables/memory_modifiers.h"
#include "models/isa/tables/sm75_rows.h"

namespace isbesim::isa::sm75 {

namespace {

operand_spec address(form kind, field offset)
{
    operand_spec spec = isa::address(kind, reg_first, offset);
    spec.zero_as_number = kind == form::attribute;
    return spec;
}

operand_spec data(extent wide = extent::one)
{
    return register_source(slot::a, reg_second, wide);
}

/// Vertex handle or geometry state.
operand_spec handle(field bits)
{
    return optional(register_source(slot::b, bits));
}

/// OUT.FINAL prints only its state. Compilers leave R0 or RZ in the stream's field; the rows for other registers, and
/// for text that names all operands, come after.
void add_out_rows(rows& out)
{
    const std::vector<operand_spec> all = {dest(), source(slot::a, place::first), source(slot::b, place::second)};
    const opcode_row final_state =
        attribute_row(opcode::out, "OUT.FINAL", run::out, {}, {source(slot::a, place::first)});

    add(out, 0, 0x00'00ff'0324, final_state);
    add(out, 0, 0xff'00ff'0324, final_state);
    add_two_source(out, {0x124, form::integer}, long_form(attribute_row(opcode::out, "OUT.FINAL", run::out, {}, all)));
    add_two_source(out, {0x124, form::integer},
                   attribute_row(opcode::out, "OUT", run::out, {{mod::out_type, {78, 2}, values::out_step}}, all));
}

} // namespace

void add_attribute_rows(rows& out, architecture arch)
{
    // Ten bits address everything; the eleventh is the sign, which AL2P and .P offsets also have on SM50.
    const field offset = {40, 11};
    // SM75 has no offset here: the register holds the whole address.
    const bool has_offset = arch != architecture::sm75;
    const field raw_offset = has_offset ? field{40, 16} : field{};
    const encoding later_offset = {has_offset ? 0 : std::uint64_t{0xffff} << 40, 0};
    const modifier_spec patch = {mod::patch, {76, 2}, values::patch};

    add(out, 0, 0x321,
        attribute_row(opcode::ald, "ALD", run::ald, {output_space(79), patch, size_words(74)},
                      {aligned(dest(extent::by_words)), address(form::attribute, offset), handle(reg_second)}));
    add(out, 0, 0x322,
        attribute_row(opcode::ast, "AST", run::ast, {patch, size_words(74)},
                      {address(form::attribute, offset), aligned(data(extent::by_words)), handle(reg_third)}));
    add(out, 0, 0x920,
        attribute_row(opcode::al2p, "AL2P", run::al2p, {output_space(79), size_words(74)},
                      {dest(), source(slot::a, place::first), small(slot::extra, offset, form::integer)}));
    add(out, 0, 0x923,
        meaning(later_offset, attribute_row(opcode::isberd, "ISBERD", run::isberd,
                                            {output_space(79), region(76), skew(78), size_raw(74)},
                                            {dest(), address(form::memory, raw_offset)})));
    add(out, 0, 0x927,
        meaning(later_offset, attribute_row(opcode::isbewr, "ISBEWR", run::isbewr,
                                            {output_space(79), region(76), skew(78), size_raw(74)},
                                            {address(form::memory, raw_offset), data()})));
    // The printed order is a choice: no listing of the vendor shows it.
    static constexpr choice interpolation[] = {{0, "PASS"}, {1, "CONSTANT"}, {2, "STATE"}};
    operand_spec place = isa::address(form::attribute, {}, {64, 8});
    place.zero_as_number = true;
    add(out, 0, 0x326,
        memory_row("IPA", run::interpolate,
                   {{mod::function, {78, 2}, interpolation}, {mod::c_mode, {76, 2}, values::interpolated_at}},
                   {optional(predicate_result(slot::pd, 81)), dest(), shifted(place, 2),
                    optional(register_source(slot::b, reg_second))}));
    add_out_rows(out);
}

void add_memory_rows(rows& out, architecture arch)
{
    const field offset = {40, 24};

    const auto load = [&](const operand_spec& source) {
        return memory_row("LDL", run::ldl, {eviction(84), size_memory(73)}, {dest(extent::by_memory_size), source});
    };
    const auto store = [&](const operand_spec& to) {
        return memory_row("STL", run::stl, {eviction(84), size_memory(73)}, {to, data(extent::by_memory_size)});
    };
    const operand_spec where = address(form::memory, offset);
    add(out, 0, 0x983, load(where));
    add(out, uniform_bit, 0x983, load(plus_uniform(where, uniform_of_load(arch))));
    add(out, 0, 0x387, store(where));
    add(out, uniform_bit, 0x987, store(plus_uniform(where, uniform_of_store(arch))));
    add(out, 0, 0xb82,
        memory_row("LDC", run::ldc, {{mod::cache, {78, 2}, values::constant_mode}, size_memory(73)},
                   {dest(extent::by_memory_size), in_bank(address(form::constant_index, {38, 16}), {54, 5})}));
}

void add_move_rows(rows& out)
{
    const operand_spec special = small(slot::extra, {72, 8}, form::special);

    // The lanes of a quad to move, not printed if all: manual gradients (GM107LoweringPass) move one lane at a time.
    const operand_spec lanes = optional(small(slot::c, {72, 4}), 15);
    add_two_source(out, {0x002, form::unsigned_word},
                   alu_row("MOV", run::mov, {}, {dest(), source(slot::b, place::second), lanes}));
    add(out, 0, 0x805, alu_row("CS2R.32", run::s2r, {}, {dest(), special}));
    add(out, 0x1'0000, 0x805, alu_row("CS2R", run::cs2r, {}, {pair(dest()), special}));
    add(out, 0, 0x919, variable_row("S2R", run::s2r, {}, {dest(), special}));
}

void add_flow_rows(rows& out, architecture arch)
{
    const auto target = [](field bits) { return shifted(small(slot::extra, bits, form::target), 2); };
    const operand_spec taken = optional(condition());
    const operand_spec barrier = small(slot::a, {16, 4}, form::barrier);

    add(out, 0, 0x918, alu_row("NOP", run::nop, {}, {}));
    // The lanes that are expected to agree. .CONV and .DIV come before code for lanes that have not met again.
    static constexpr choice agreement[] = {{0, "", false}, {1, "U"}, {2, "DIV"}, {3, "CONV"}};
    add(out, 0, 0x947,
        leaving_row("BRA", run::branch, {{mod::test, {32, 2}, agreement}}, {taken, target(branch_field(arch))}));
    add(out, 0, 0x94d, meaning({0, 0x30'0000}, leaving_row("EXIT", run::leave, {}, {taken}))); // .KEEPREFCOUNT
    add(out, condition_true, 0x945, control_row("BSSY", run::bssy, {}, {barrier, target({34, 30})}));
    add(out, condition_true, 0x941, control_row("BSYNC", run::bsync, {}, {barrier}));
    add(out, 0, 0x942, control_row("BREAK", run::break_barrier, {}, {taken, barrier}));
    const std::vector<modifier_spec> meets = {{mod::function, {77, 2}, values::bar},
                                              {mod::cache, {80, 1}, values::defer_blocking}};
    add(out, 0, 0xb1d, control_row("BAR", run::bar, meets, {small(slot::a, {54, 4})}));
    // The form of nouveau: a register that is number and count, RZ, which means all threads.
    add(out, condition_true, 0xff'0000'031d, control_row("BAR", run::bar, meets, {literal("RZ"), literal("RZ")}));
    add(out, condition_true, 0x948, control_row("WARPSYNC", run::warpsync, {}, {small(slot::b, immediate_field)}));
}

void add_ampere_rows(rows& out, architecture arch)
{
    // A branch of all lanes by a shared predicate.
    operand_spec taken = predicate_source(slot::ps, 24, 27);
    taken.form = form::uniform_predicate;
    static constexpr choice by_all[] = {{1, "U"}};
    add(out, uniform_bit | condition_true, 0x547,
        leaving_row("BRA", run::branch, {{mod::test, {32, 2}, by_all}},
                    {taken, shifted(small(slot::extra, branch_field(arch), form::target), 2)}));
    add_ampere_half_rows(out);
    add_ampere_uniform_rows(out);
}

} // namespace isbesim::isa::sm75
