// SPDX-License-Identifier: Apache-2.0
// The zero register, the state after a launch, and a program before a library.
#include <gtest/gtest.h>

#include "tests/isa/lab.h"
#include "tests/support/error_text.h"

namespace isbesim::isa {
namespace {

TEST(register_rules, ISA_03_writes_to_the_zero_register_go_nowhere)
{
    lab bench("MOV RZ, R0; MOV R1, RZ;");
    bench.warp.registers.resize(255, words{});
    bench.fill(0, {7, 7});
    EXPECT_EQ(bench.run()[1][0], 0U);
}

TEST(attribute, OUT_07_final_out_of_a_program_without_registers)
{
    lab bench("NOP;");
    bench.warp.registers.clear();
    bench.op.handle.fill(88);
    make_final_out(bench.warp, 0xf0U, bench.op);
    EXPECT_EQ(bench.op.handle, words{});
}

TEST(path_rules, ISA_03_the_library_does_not_follow_the_program) // it follows in the list, but not in memory
{
    lab bench("NOP;");
    bench.code.code.pop_back();
    attach_library(bench.code, assemble("MOV32I R0, 0x0; EXIT;", architecture::sm50), 0x7fd60);
    const auto error = error_text<execution_error>([&] { bench.run(); });
    EXPECT_NE(error.find("the program runs past its end, expected EXIT before"), std::string::npos) << error;
}

TEST(path_rules, ISA_03_a_launch_forgets_everything)
{
    lab bench("SSY 0x8; BRA 0x10; NOP; MOV32I R1, 0x5;", all_lanes, 8);
    bench.warp.pc = 0x10;
    bench.warp.predicates.fill(0x55U);
    bench.warp.condition.fill(0x66U);
    bench.warp.barriers.fill(0x77U);
    bench.warp.stack.push_back({divergence_entry::kind::ssy, 8, 1});
    bench.warp.local[1].fill(9);
    bench.fill(3, 4);
    bench.warp.launch(bench.code, 0xff0U, 5);
    EXPECT_EQ(bench.warp.pc, 0U);
    EXPECT_EQ(bench.warp.active, 0xff0U);
    EXPECT_EQ(bench.warp.live, 0xff0U);
    EXPECT_TRUE(bench.warp.stack.empty());
    for (unsigned p = 0; p < 7; ++p) EXPECT_EQ(bench.warp.predicates[p], 0U);
    EXPECT_EQ(bench.warp.predicates[7], all_lanes);
    for (const auto each : bench.warp.condition) EXPECT_EQ(each, 0U);
    for (const auto each : bench.warp.barriers) EXPECT_EQ(each, 0U);
    EXPECT_EQ(bench[3][4], 0U);
    ASSERT_EQ(bench.warp.local.size(), 2U) << "whole words";
    EXPECT_EQ(bench.warp.local[1][7], 0U);
    EXPECT_EQ(warp_state{}.clock, 0U);
    EXPECT_TRUE(warp_state{}.finished());
    EXPECT_EQ(warp_state{}.active, 0U);
    EXPECT_EQ(warp_state{}.pc, 0U);
    EXPECT_EQ(step{}.lanes, 0U);
}

} // namespace
} // namespace isbesim::isa
