// SPDX-License-Identifier: Apache-2.0
// SM50 rows: jumps and calls to absolute and computed addresses, and control flow that these stages do not use.
#include "models/isa/tables/sm50_rows.h"

namespace isbesim::isa::sm50 {

void add_call_rows(rows& out)
{
    static constexpr choice no_increment[] = {{0, "NOINC"}, {1, "", false}};
    const modifier_spec uniform = {mod::function, {7, 1}, say::uniform}, limit = {mod::test, {6, 1}, say::limit};
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
