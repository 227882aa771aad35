// SPDX-License-Identifier: Apache-2.0
// Moves, guards, predicates, special registers on both architectures, predicates in a register, and the zero register.
#include <gtest/gtest.h>

#include "tests/isa/lab.h"

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

} // namespace
} // namespace isbesim::isa
