// SPDX-License-Identifier: Apache-2.0
#include "models/isa/execution/executor.h"

#include <cstdio>

#include "models/isa/execution/control.h"
#include "models/isa/execution/register_lanes.h"

namespace isbesim::isa {

namespace {

[[noreturn]] void fail(std::uint32_t address, const std::string& what)
{
    char place[32];
    std::snprintf(place, sizeof place, "address 0x%04x: ", address);
    throw execution_error(place + what);
}

lane_mask guard_lanes(const warp_state& warp, const instruction& now)
{
    const lane_mask value = now.row->uniform              ? warp.uniform_predicates[now.guard]
                            : now.guard == predicate_true ? all_lanes
                                                          : warp.predicates[now.guard];
    return warp.active & (now.guard_not ? ~value : value);
}

/// SM50: BRA CC.NEU and the like.
lane_mask code_lanes(const warp_state& warp, const instruction& now)
{
    if (now.issue.code_test == issue_info{}.code_test) return all_lanes;
    bool known = false;
    const lane_mask passed = lanes_by_codes(warp, now.issue.code_test, known);
    if (!known) fail(now.address, std::string(now.row->mnemonic) + ": this test of condition codes has no emitter");
    return passed;
}

} // namespace

void refuse(const machine& m, const std::string& why)
{
    fail(m.now.address, std::string(m.now.row->mnemonic) + " " + why);
}

void unsupported(const machine& m, const char* what)
{
    fail(m.now.address, std::string(m.now.row->mnemonic) + ": " + what + " is not supported");
}

void warp_state::launch(const program& program, lane_mask lanes, std::size_t local_bytes)
{
    code = &program;
    pc = 0;
    located_pc = UINT64_MAX;
    active = live = lanes;
    stack.clear();
    barriers = {};
    registers.assign(program.register_count, words{});
    predicates = {};
    predicates[predicate_true] = all_lanes;
    condition = {};
    uniform = {};
    uniform_predicates = {};
    uniform_predicates[predicate_true] = all_lanes;
    local.assign((local_bytes + 3) / 4, words{});
}

step execute(warp_state& warp, warp_op& op, const execution_rules& rules)
{
    const program& code = *warp.code;
    const std::size_t index = warp.locate();
    if (index == program::npos) fail(warp.pc, "the program runs past its end, expected EXIT before");
    const instruction& now = code.code[index];
    if (now.row->execute == nullptr) fail(now.address, std::string(now.row->mnemonic) + " is not supported");

    step result;
    result.lanes = guard_lanes(warp, now) & code_lanes(warp, now);
    warp.pc = code.address_of(index + 1);
    if (index + 1 < code.code.size() && index + 1 != code.library_index) { // the next instruction follows
        warp.located = index + 1;
        warp.located_pc = warp.pc;
    }
    if (result.lanes != 0) {
        machine m{warp, now, result.lanes, op, rules, result};
        now.row->execute(m);
    }
    // A single path, the usual case, remains the running path.
    const bool one_path = warp.stack.empty() && warp.active != 0;
    if (code.arch != architecture::sm50 && !one_path && !choose_path(warp))
        fail(now.address, "the lanes left wait for each other at barriers");
    return result;
}

} // namespace isbesim::isa
