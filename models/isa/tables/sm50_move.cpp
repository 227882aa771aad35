// SPDX-License-Identifier: Apache-2.0
// SM50 rows: moves, predicates, conversions, control flow, jumps and calls to absolute and computed addresses.
#include "models/isa/tables/sm50_rows.h"

namespace isbesim::isa::sm50 {
namespace {

void add_shuffle_rows(rows& out)
{
    const modifier_spec mode = {mod::function, {30, 2}, values::shuffle};
    const operand_spec valid = predicate_result(slot::pd, 48);
    const operand_spec lane = source_b(), lane_number = immediate(source_b(), form::unsigned_word, {20, 5});
    const operand_spec bounds = source_c(), bound_number = immediate(source_c(), form::unsigned_word, {34, 13});

    add(out, 0xef10'0000'0000'0000, variable_row("SHFL", run::shfl, {mode}, {valid, dest(), source_a(), lane, bounds}));
    add(out, 0xef10'0000'1000'0000,
        variable_row("SHFL", run::shfl, {mode}, {valid, dest(), source_a(), lane_number, bounds}));
    add(out, 0xef10'0000'2000'0000,
        variable_row("SHFL", run::shfl, {mode}, {valid, dest(), source_a(), lane, bound_number}));
    add(out, 0xef10'0000'3000'0000,
        variable_row("SHFL", run::shfl, {mode}, {valid, dest(), source_a(), lane_number, bound_number}));
}

} // namespace

void add_move_rows(rows& out)
{
    // The lanes of a quad to move, not printed if all: manual gradients (GM107LoweringPass) move one lane at a time.
    const operand_spec lanes = optional(small(slot::c, {39, 4}), 15), lanes_32i = in_field(lanes, {12, 4});
    add(out, {0x5c98, 0x4c98, 0x3898, form::integer}, alu_row("MOV", run::mov, {}, {dest(), source_b(), lanes}));
    add(out, 0x0100'0000'0000'0000,
        alu_row("MOV32I", run::mov, {}, {dest(), immediate(source_b(), form::unsigned_word, immediate_32), lanes_32i}));
    add(out, {0x5ca0, 0x4ca0, 0x38a0, form::integer},
        alu_row("SEL", run::sel, {}, {dest(), source_a(), source_b(), condition()}));

    const operand_spec first = predicate_source(slot::pa, 12, 15), second = predicate_source(slot::pb, 29, 32);
    const modifier_spec combine_next = {mod::combine_next, {45, 2}, values::combine};
    add(out, 0x5090'0000'0000'0000,
        alu_row("PSETP", run::psetp, {combine(24), combine_next},
                {predicate_result(slot::pd, 3), predicate_result(slot::pq, 0), first, second, condition()}));
    add(out, 0x5088'0000'0000'0000,
        alu_row("PSET", run::pset, {boolean_float(44), combine(24), combine_next},
                {dest(47), first, second, condition()}));
    add(out, 0x50a0'0000'0000'0000,
        reading_codes(
            alu_row("CSETP", run::csetp, {{mod::compare, {8, 5}, values::code_tests}, combine(45)},
                    {predicate_result(slot::pd, 3), predicate_result(slot::pq, 0), literal("CC"), condition()})));
    add(out, 0x50d8'0000'0000'0000,
        alu_row("VOTE", run::vote, {{mod::function, {48, 2}, values::vote}},
                {dest(), predicate_result(slot::pd, 45), condition()}));
    add_shuffle_rows(out);
    add(out, 0x50f8'0000'0000'0000,
        alu_row("FSWZADD", run::fswzadd, {rounding(39), ftz(44), {mod::c_mode, {38, 1}, values::no_divergence}},
                {dest(47), source_a(), source_b(), small(slot::extra, {28, 8}, form::quad_signs_swapped)}));

    // Bit 40 would select the condition codes, and the mask has more bits than there are predicates.
    const operand_spec mask = small(slot::b, {20, 8});
    const encoding codes_and_mask = {0x017f'f000'0000, 0};
    add(out, 0x38e8'0000'0000'0000,
        meaning(codes_and_mask, reading_predicates(alu_row("P2R", run::p2r, {{mod::c_mode, {41, 2}, values::byte}},
                                                           {dest(), literal("PR"), source_a(), mask}))));
    add(out, 0x38f0'0000'0000'0000,
        meaning(codes_and_mask,
                writing_predicates(alu_row("R2P", run::r2p, {}, {literal("PR"), part_of(source_a(), {41, 2}), mask}))));

    add(out, 0x50c8'0000'0000'0000,
        alu_row("CS2R", run::s2r, {}, {dest(), small(slot::extra, {20, 8}, form::special)}));
    add(out, 0xf0c8'0000'0000'0000,
        variable_row("S2R", run::s2r, {}, {dest(), small(slot::extra, {20, 8}, form::special)}));
}

void add_conversion_rows(rows& out)
{
    const operand_spec to = dest(47, extent::by_to_type);
    const auto source_part = [](field part) {
        operand_spec spec = part_of(source_b(45, 49), part);
        spec.extent = extent::by_from_type;
        return spec;
    };
    const modifier_spec to_float = {mod::to_type, {8, 2}, values::float_type};
    const modifier_spec to_integer = {mod::to_type, {8, 2, 12, 1}, values::integer_type};
    const modifier_spec from_integer = {mod::from_type, {10, 2, 13, 1}, values::integer_type};

    // Only half floats have parts.
    const auto add_from_float = [&](choices types, field part) {
        const modifier_spec from_float = {mod::from_type, {10, 2}, types};
        add(out, {0x5ca8, 0x4ca8, 0x38a8, form::real},
            variable_row(
                "F2F", run::f2f,
                {ftz(44), to_float, from_float, {mod::round, {39, 2, 42, 1}, values::round_float}, saturate(50)},
                {to, source_part(part)}));
        add(out, {0x5cb0, 0x4cb0, 0x38b0, form::real},
            variable_row("F2I", run::f2i, {ftz(44), to_integer, from_float, rounding_integer(39)},
                         {to, source_part(part)}));
    };
    add_from_float(values::half_float, {41, 1});
    add_from_float(values::full_float, {});
    const encoding part = {std::uint64_t{3} << 41, 0}; // even for an immediate, which has no parts
    add(out, {0x5cb8, 0x4cb8, 0x38b8, form::integer},
        meaning(part,
                variable_row("I2F", run::i2f, {to_float, from_integer, rounding(39)}, {to, source_part({41, 2})})));
    add(out, {0x5ce0, 0x4ce0, 0x38e0, form::integer},
        meaning(part,
                variable_row("I2I", run::i2i, {to_integer, from_integer, saturate(50)}, {to, source_part({41, 2})})));
}

void add_flow_rows(rows& out)
{
    // The trigger, condition and immediate of NOP do nothing; an all-zero word is the padding that compilers leave.
    const encoding unread = {0x0000'000f'fff0'3f00, 0};
    add(out, 0x50b0'0000'0000'0f00, ignoring(unread, alu_row("NOP", run::nop, {}, {})));
    add(out, 0, meaning({~std::uint64_t{0}, 0}, unguarded(alu_row("NOP", run::nop, {}, {}))));
    add(out, 0xf0a8'1800'0000'0000,
        meaning({std::uint64_t{3} << 35, 0}, // .RED
                control_row("BAR", run::barrier, {{mod::function, {32, 3}, values::barrier}},
                            {small(slot::a, {8, 8}), optional(small(slot::b, {20, 12})), optional(condition())})));

    // The form of Mesa's NAK: the number in a register, and no count.
    add(out, 0xf0a8'0000'0000'0000,
        meaning({std::uint64_t{3} << 35, 0},
                control_row("BAR", run::barrier, {{mod::function, {32, 3}, values::barrier}},
                            {source_a(), optional(condition())})));
    // The form of nouveau: RZ also as the count, which means all threads.
    add(out, 0xf0a8'0000'0ff0'0000,
        meaning({std::uint64_t{3} << 35, 0},
                control_row("BAR", run::barrier, {{mod::function, {32, 3}, values::barrier}},
                            {source_a(), literal("RZ"), optional(condition())})));

    const operand_spec target = small(slot::extra, {20, 24}, form::target);
    const std::vector<modifier_spec> branches = {{mod::function, {7, 1}, values::uniform},
                                                 {mod::test, {6, 1}, values::limit}};
    static constexpr choice keep_count[] = {{0, "", false}, {1, "KEEPREFCOUNT"}};
    add_with_target(out, 0xe240'0000'0000'0000, leaving_row("BRA", run::bra, branches, {code_test(), target}));
    add(out, 0xe300'0000'0000'0000,
        leaving_row("EXIT", run::exit, {{mod::function, {5, 1}, keep_count}}, {code_test()}));
    add(out, 0xe320'0000'0000'0000, leaving_row("RET", run::ret, {}, {code_test()}));
    add(out, 0xe330'0000'0000'0000, control_row("KIL", run::needs_fragment, {}, {code_test()}));
    add(out, 0xe340'0000'0000'0000, leaving_row("BRK", run::brk, {}, {code_test()}));
    add(out, 0xe350'0000'0000'0000, leaving_row("CONT", run::cont, {}, {code_test()}));
    add(out, 0xf0f8'0000'0000'0000, leaving_row("SYNC", run::sync, {}, {code_test()}));

    // Instructions that push on the divergence stack have no guard.
    static constexpr choice no_increment[] = {{0, "NOINC"}, {1, "", false}};
    const modifier_spec increment = {mod::function, {6, 1}, no_increment};
    const auto pushes = [&](const char* name, execute_function execute) {
        constexpr encoding always = {0x7'000f, 0}; // guard and condition, which NAK fills in
        return ignoring(always, unguarded(control_row(name, execute, {}, {target})));
    };
    add_with_target(out, 0xe290'0000'0000'0000, pushes("SSY", run::ssy));
    add_with_target(out, 0xe2a0'0000'0000'0000, pushes("PBK", run::pbk));
    add_with_target(out, 0xe2b0'0000'0000'0000, pushes("PCNT", run::pcnt));
    add_with_target(out, 0xe260'0000'0000'0000, unguarded(control_row("CAL", run::cal, {increment}, {target})));
    add_with_target(out, 0xe270'0000'0000'0000, unguarded(control_row("PRET", run::pret, {increment}, {target})));
}

void add_call_rows(rows& out)
{
    static constexpr choice no_increment[] = {{0, "NOINC"}, {1, "", false}};
    const modifier_spec uniform = {mod::function, {7, 1}, values::uniform}, limit = {mod::test, {6, 1}, values::limit};
    const operand_spec place = small(slot::extra, {20, 32});
    const operand_spec index = register_source(slot::a, reg_8);
    const auto offset = [](field bits) { return optional(after_blank(small(slot::extra, bits, form::integer))); };

    add_with_target(
        out, 0xe220'0000'0000'0000,
        unguarded(control_row("JCAL", run::call_absolute, {{mod::function, {6, 1}, no_increment}}, {place})));
    add_with_target(out, 0xe210'0000'0000'0000, leaving_row("JMP", run::jump, {uniform, limit}, {code_test(), place}));
    add(out, 0xe200'0000'0000'0000,
        leaving_row("JMX", run::jump_indexed, {limit}, {code_test(), index, offset({20, 32})}));
    add(out, 0xe250'0000'0000'0000,
        leaving_row("BRX", run::branch_indexed, {limit}, {code_test(), index, offset({20, 24})}));
    const operand_spec table = in_bank(address(form::constant_index, reg_8, {20, 16}), {36, 5});
    add(out, 0xe200'0000'0000'0020, leaving_row("JMX", run::needs_constant_target, {limit}, {code_test(), table}));
    add(out, 0xe250'0000'0000'0020, leaving_row("BRX", run::needs_constant_target, {limit}, {code_test(), table}));

    const operand_spec target = small(slot::extra, {20, 24}, form::target);
    add_with_target(out, 0xe280'0000'0000'0000, unguarded(control_row("PLONGJMP", run::needs_long_jump, {}, {target})));
    add(out, 0xe310'0000'0000'0000, leaving_row("LONGJMP", run::needs_long_jump, {}, {code_test()}));
    add(out, 0xe370'0000'0000'0000, unguarded(control_row("SAM", run::set_active_mask, {}, {})));
    add(out, 0xe380'0000'0000'0000, unguarded(control_row("RAM", run::restore_active_mask, {}, {})));
    add(out, 0xe3a0'0000'0000'00c0,
        meaning({0x1ff, 0},
                unguarded(control_row("BPT.TRAP", run::needs_debugger, {}, {small(slot::extra, {20, 20})}))));
}

} // namespace isbesim::isa::sm50
