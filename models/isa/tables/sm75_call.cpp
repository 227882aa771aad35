// SPDX-License-Identifier: Apache-2.0
// SM75 rows: calls, returns, jumps to absolute and computed addresses, barrier registers, hints, fences and traps.
#include "models/isa/tables/memory_modifiers.h"
#include "models/isa/tables/sm75_rows.h"

namespace isbesim::isa::sm75 {

namespace {

void add_jump_rows(rows& out)
{
    static constexpr choice no_increment[] = {{0, "", false}, {1, "NOINC"}};
    static constexpr choice no_decrement[] = {{0, "", false}, {1, "NODEC"}};
    const modifier_spec calls = {mod::function, {86, 1}, no_increment},
                        returns = {mod::function, {86, 1}, no_decrement};

    const field distance = {34, 48};
    const operand_spec index = register_source(slot::a, reg_first);
    const operand_spec target = shifted(small(slot::extra, distance, form::target), 2);
    const operand_spec offset = after_blank(shifted(small(slot::extra, distance, form::integer), 2));
    const operand_spec address = small(slot::extra, immediate_field);

    add(out, condition_true, 0x944, control_row("CALL.REL", run::jump, {calls}, {target}));
    add(out, condition_true, 0x943, control_row("CALL.ABS", run::jump, {calls}, {address}));
    add(out, condition_true, 0x344, control_row("CALL.REL", run::jump_indexed, {calls}, {index, after_blank(target)}));
    add(out, condition_true, 0x343, control_row("CALL.ABS", run::jump_indexed, {calls}, {index}));
    add(out, condition_true, 0x950, leaving_row("RET.REL", run::jump_indexed, {returns}, {index, after_blank(target)}));
    add(out, condition_true | 0x20'0000, 0x950, leaving_row("RET.ABS", run::jump_indexed, {returns}, {index, offset}));
    add(out, condition_true, 0x949, leaving_row("BRX", run::branch_indexed, {}, {index, offset}));
    add(out, condition_true, 0x94c, leaving_row("JMX", run::jump_indexed, {}, {index, offset}));
    add(out, condition_true, 0x94a, leaving_row("JMP", run::jump, {}, {address}));
}

void add_barrier_register_rows(rows& out)
{
    const operand_spec barrier = small(slot::b, {24, 4}, form::barrier);
    add(out, 0x10'0000, 0x355, control_row("BMOV.32.CLEAR", run::clear_barrier, {}, {dest(), barrier}));
    add(out, 0, 0x355, control_row("BMOV.32", run::read_barrier, {}, {dest(), barrier}));
    add(out, 0, 0x356,
        meaning({0, 0x10'0000}, // .CLEAR
                control_row("BMOV.32", run::write_barrier, {}, {barrier, register_source(slot::a, reg_second)})));
}

/// Hints and fences. Paths merge by themselves here, and accesses happen in program order, so only WARPSYNC does
/// anything.
void add_hint_rows(rows& out)
{
    const operand_spec taken = optional(condition());
    static constexpr choice whole_warp[] = {{0, "", false}, {1, "WARP"}};
    const modifier_spec warp = {mod::function, {85, 1}, whole_warp};

    add(out, 0, 0x946, control_row("YIELD", run::nop, {}, {taken}));
    add(out, condition_true, 0x95d, control_row("NANOSLEEP", run::nop, {warp}, {small(slot::b, immediate_field)}));
    add(out, condition_true, 0x35d, control_row("NANOSLEEP", run::nop, {warp}, {register_source(slot::b, reg_second)}));
    add(out, condition_true, 0x348, control_row("WARPSYNC", run::warpsync, {}, {register_source(slot::b, reg_second)}));

    add(out, 0, 0x992,
        meaning({0, 0x100}, // .MMIO
                alu_row("MEMBAR", run::nop,
                        {{mod::order, {79, 2}, values::fence}, {mod::scope, {76, 3}, values::fence_scope}}, {})));
    add(out, 0, 0x9ab, alu_row("ERRBAR", run::nop, {}, {}));
    add(out, 0, 0x8000'0000'091a,
        alu_row("DEPBAR.LE", run::nop, {},
                {named(slot::a, {44, 3}, values::scoreboard), small(slot::extra, {38, 6}),
                 optional(small(slot::b, {32, 6}, form::scoreboard_set))}));
}

} // namespace

void add_call_rows(rows& out)
{
    add_jump_rows(out);
    add_barrier_register_rows(out);
    add_hint_rows(out);
    add(out, condition_true, 0x95b, control_row("KILL", run::needs_fragment, {}, {}));
    add(out, 0x30'0000, 0x95c, control_row("BPT.TRAP", run::needs_debugger, {}, {small(slot::extra, {34, 30})}));
}

} // namespace isbesim::isa::sm75
