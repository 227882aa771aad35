// SPDX-License-Identifier: Apache-2.0
// Instructions whose rules other tests look at on the other architecture: each executes on every one that has it.
#include <tuple>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"
#include "tests/support/error_text.h"

namespace isbesim::isa {
namespace {

constexpr auto turing = architecture::sm75;

TEST(covered_rules, ISA_03_minima_and_comparisons_of_sm75)
{
    lab bench("FMNMX R10, R1, -R2, P0; FMNMX.FTZ R11, |R3|, R1, PT; FSETP.GTU.AND P1, P2, R1, R2, P0;"
              "FSETP.LT.FTZ.XOR P3, P4, R3, R1, P0; LDC.64 R12, c[0x3][R4+0x8]; NOP;",
              turing);
    constexpr lane_mask some = 0x3355'0ff0U;
    bench.warp.predicates[0] = some;
    bench.constants[3] = {1, 2, 3, 4, 5, 6};
    for (unsigned i = 0; i < warp_lanes; ++i) {
        bench[1][i] = i % 5 == 4 ? 0x7fc00000U : to_bits(static_cast<float>(i) - 7.5F);
        bench[2][i] = to_bits(static_cast<float>(i % 3) - 1.0F);
        bench[3][i] = i % 2 == 0 ? 0x80000001U : 0x00000007U;
        bench[4][i] = i % 2 * 8;
    }
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const bool in = (some >> i & 1U) != 0, nan = i % 5 == 4;
        const float a = to_float(bench[1][i]), b = to_float(bench[2][i]);
        EXPECT_EQ(to_float(bench[10][i]), nan ? -b : in ? std::min(a, -b) : std::max(a, -b));
        EXPECT_EQ(bench[11][i], nan || a > 0 ? 0U : bench[1][i]); // a denormal is 0
        const auto expect = [&](unsigned predicate, bool yes) {
            EXPECT_EQ(bench.warp.predicates[predicate] >> i & 1U, yes ? 1U : 0U) << predicate << " " << i;
        };
        const bool greater = nan || a > b, less = !nan && a > 0;
        expect(1, greater && in);
        expect(2, !greater && in);
        expect(3, less != in);
        expect(4, !less != in);
        EXPECT_EQ(bench[12][i], i % 2 == 0 ? 3U : 5U);
        EXPECT_EQ(bench[13][i], i % 2 == 0 ? 4U : 6U);
    }
}

/// Issues one instruction and takes its operation.
warp_op issued_op(const std::string& text, architecture arch)
{
    lab bench(text, 0xffU, 0, arch);
    for (unsigned k = 0; k < 16; ++k)
        for (unsigned i = 0; i < warp_lanes; ++i) bench[k][i] = 1000 * k + i;
    bench.warp.stage = stage::geometry;
    const step done = bench.issue();
    EXPECT_EQ(done.kind, step_kind::attribute) << text;
    EXPECT_EQ(done.lanes, 0xffU) << text;
    return bench.op;
}

TEST(covered_rules, ISA_03_attribute_instructions_of_sm75)
{
    const warp_op store = issued_op("AST.64 a[0x84], R4, R3;", turing);
    EXPECT_EQ(std::tuple(store.op, store.space, store.size, store.immediate, store.handle[2], store.data[0][2],
                         store.data[1][2]),
              std::tuple(opcode::ast, space::output, 2, 0x84, 3002U, 4002U, 5002U));
    const warp_op place = issued_op("AL2P.O.64 R1, R2, -0x20;", turing);
    EXPECT_EQ(std::tuple(place.op, place.space, place.size, place.immediate, place.address[4]),
              std::tuple(opcode::al2p, space::output, 2, -32, 2004U));
    const warp_op emit = issued_op("OUT.EMIT_THEN_CUT R2, R1, 0x3;", turing);
    EXPECT_EQ(std::tuple(emit.op, emit.type, emit.handle[1], emit.address[1]),
              std::tuple(opcode::out, out_type::emit_then_cut, 1001U, 3U));
    const warp_op raw = issued_op("ISBEWR.O.PATCH.U16 [R2], R1;", turing);
    EXPECT_EQ(std::tuple(raw.op, raw.region, raw.size, raw.skew, raw.immediate, raw.address[1], raw.data[0][1]),
              std::tuple(opcode::isbewr, region::patch, 2, false, 0, 2001U, 1001U));
}

TEST(covered_rules, ISA_03_what_changes_nothing)
{
    const std::pair<architecture, const char*> programs[] = {
        {architecture::sm50, "NOP; DEPBAR {4,3}; DEPBAR.LE SB0, 0x0, {2,1}; MEMBAR.GL; CCTL.IVALL; CCTLL.IV [RZ];"
                             "CCTL.E.IV [R0];"},
        {turing,
         "NOP; DEPBAR.LE SB0, 0x0, {2,1}; MEMBAR.SC.GPU; ERRBAR; YIELD; NANOSLEEP 0x64; CCTL.IVALL; CCTLL.IV [RZ];"
         "CCTL.E.IV [R0];"}};
    for (const auto& [arch, text] : programs) {
        lab bench(text, all_lanes, 4, arch);
        for (unsigned r = 0; r < 64; ++r)
            for (unsigned i = 0; i < warp_lanes; ++i) bench[r][i] = r * 100 + i;
        bench.warp.predicates[3] = bench.warp.condition[2] = 0x1234U;
        const auto registers = bench.warp.registers;
        const auto predicates = bench.warp.predicates;
        const auto condition = bench.warp.condition;
        while (!bench.warp.finished()) {
            const auto next = bench.code.index_of(bench.warp.pc) + 1;
            const step done = bench.issue();
            if (bench.warp.finished()) break;
            EXPECT_EQ(done.kind, step_kind::done);
            EXPECT_EQ(bench.code.index_of(bench.warp.pc), next);
            EXPECT_EQ(bench.warp.active, all_lanes);
        }
        EXPECT_EQ(bench.warp.registers, registers);
        EXPECT_EQ(bench.warp.predicates, predicates);
        EXPECT_EQ(bench.warp.condition, condition);
    }
}

TEST(covered_rules, ISA_03_what_ends_a_run_says_why)
{
    const auto refusal = [](const std::string& text, architecture arch) {
        return error_text<execution_error>([&] { lab(text, arch).run(); });
    };
    const auto expect = [&](const std::string& text, architecture arch, const std::string& why) {
        EXPECT_NE(refusal(text, arch).find(why), std::string::npos) << text << ": " << refusal(text, arch);
    };
    expect("BPT.TRAP 0x1;", architecture::sm50, "BPT.TRAP stops for a debugger");
    expect("BPT.TRAP 0x1;", turing, "BPT.TRAP stops for a debugger");
    expect("KIL;", architecture::sm50, "KIL discards a fragment");
    expect("KILL;", turing, "KILL discards a fragment");
    expect("PLONGJMP 0x8;", architecture::sm50, "PLONGJMP belongs to long jumps");
    expect("LONGJMP;", architecture::sm50, "LONGJMP belongs to long jumps");
}

TEST(covered_rules, ISA_03_returns_of_sm75_go_back)
{
    // Called at 0x20 from 0x10, and the code after the RET never runs.
    for (const std::string ret : {"RET.ABS.NODEC R4 0x0;", "RET.REL.NODEC R4 0x0;"}) {
        lab bench("BRA 0x10; CALL.ABS.NOINC 0x30; EXIT; " + ret + " MOV R2, 0x5;", turing);
        bench.fill(4, 0x20);
        bench.run();
        EXPECT_EQ(bench[2][3], 0U) << ret;
    }
}

} // namespace
} // namespace isbesim::isa
