// SPDX-License-Identifier: Apache-2.0
// Instructions whose rules other tests look at on the other architecture: each executes on every one that has it.
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

TEST(attribute, OUT_07_final_out_of_a_program_without_registers)
{
    lab bench("NOP;");
    bench.warp.registers.clear();
    bench.op.handle.fill(88);
    make_final_out(bench.warp, 0xf0U, bench.op);
    EXPECT_EQ(bench.op.handle, words{});
}

} // namespace
} // namespace isbesim::isa
