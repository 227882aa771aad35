// SPDX-License-Identifier: Apache-2.0
// Special registers on both architectures, the zero register, what a launch resets, and a program before a library.
#include <gtest/gtest.h>

#include "tests/isa/lab.h"
#include "tests/support/error_text.h"

namespace isbesim::isa {
namespace {

constexpr auto turing = architecture::sm75;

TEST(register_rules, ISA_03_writes_to_the_zero_register_go_nowhere)
{
    lab bench("MOV RZ, R0; MOV R1, RZ;");
    bench.warp.registers.resize(255, words{});
    bench.fill(0, {7, 7});
    EXPECT_EQ(bench.run()[1][0], 0U);
}

TEST(register_rules, ISA_03_every_special_register)
{
    for (const auto arch : {architecture::sm50, turing}) {
        const std::vector<std::pair<const char*, word (*)(unsigned)>> rows = {
            {"SR_LANEID", [](unsigned i) { return i; }},
            {"SR_PRIM_TYPE", [](unsigned i) { return 100 + i; }},
            {"SR_INVOCATION_ID", [](unsigned i) { return 200 + i; }},
            {"SR_INVOCATION_INFO", [](unsigned i) { return 300 + i; }},
            {"SR_TID", [](unsigned i) { return 400 + i; }},
            {"SR_TID.X", [](unsigned i) { return 400 + i; }},
            {"SR_TID.Y", [](unsigned) { return 0U; }},
            {"SR_TID.Z", [](unsigned) { return 0U; }},
            {"SR_CTAID.X", [](unsigned) { return 0U; }},
            {"SR_CTAID.Y", [](unsigned) { return 0U; }},
            {"SR_CTAID.Z", [](unsigned) { return 0U; }},
            {"SR_THREAD_KILL", [](unsigned) { return 0U; }},
            {"SR_Y_DIRECTION", [](unsigned) { return 0x3f800000U; }},
            {"SR_EQMASK", [](unsigned i) { return static_cast<word>(std::uint64_t{1} << i); }},
            {"SR_LTMASK", [](unsigned i) { return static_cast<word>((std::uint64_t{1} << i) - 1); }},
            {"SR_LEMASK", [](unsigned i) { return static_cast<word>((std::uint64_t{2} << i) - 1); }},
            {"SR_GTMASK", [](unsigned i) { return static_cast<word>(~std::uint64_t{0} << (i + 1)); }},
            {"SR_GEMASK", [](unsigned i) { return static_cast<word>(~std::uint64_t{0} << i); }},
            {"SR_CLOCKLO", [](unsigned) { return 0x89abcdefU; }},
            {"SR_CLOCKHI", [](unsigned) { return 0x1234567U; }},
        };
        for (const auto& [name, expected] : rows) {
            std::string text =
                "S2R R1, " + std::string(name) + "; CS2R" + (arch == turing ? ".32" : "") + " R2, " + name + ";";
            if (arch == turing) text += "@!P0 EXIT; S2UR UR5, " + std::string(name) + ";";
            lab bench(text, arch);
            bench.warp.predicates[0] = ~lane_mask{7}; // lane 3 is the first one that all share the value of
            bench.warp.uniform[5] = 5;
            auto& special = bench.warp.special;
            for (unsigned i = 0; i < warp_lanes; ++i) {
                special.prim_type[i] = 100 + i;
                special.invocation_id[i] = 200 + i;
                special.invocation_info[i] = 300 + i;
                special.thread_id[i] = 400 + i;
            }
            bench.warp.clock = 0x0123'4567'89ab'cdefULL;
            bench.fill(1, {5, 5});
            bench.run();
            for (unsigned i = 0; i < warp_lanes; ++i) {
                EXPECT_EQ(bench[1][i], expected(i)) << name;
                EXPECT_EQ(bench[2][i], expected(i)) << name;
            }
            EXPECT_EQ(bench.warp.uniform[5], arch == turing ? expected(3) : 5U) << name;
        }
    }
    // Two words at once on SM75: the register and the next one.
    lab pair("CS2R R2, SR_TID.X; CS2R R4, SRZ; CS2R RZ, SR_CLOCKLO;", turing);
    pair.warp.special.thread_id.fill(7);
    for (unsigned r = 2; r < 6; ++r) pair.fill(r, 1);
    pair.run();
    EXPECT_EQ(pair[2][0], 7U);
    EXPECT_EQ(pair[3][0] | pair[4][0] | pair[5][0], 0U);
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
