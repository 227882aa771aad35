// SPDX-License-Identifier: Apache-2.0
// The zero register, the state after a launch, and a program before a library.
#include <gtest/gtest.h>

#include "models/memory/global_memory.h"
#include "tests/isa/access_size.h"
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

// Shuffles against PTX ISA's account, tests of condition codes over all that four codes can hold, and quads.

TEST(lane_rules, ISA_03_shuffles_take_five_bits_of_lane_and_limit)
{
    // PTX ISA, shfl: lane i reads from where, or from itself outside of its segment.
    const auto expected = [](const std::string& mode, unsigned i, unsigned b, unsigned c, bool& valid) {
        const unsigned step = b & 31U, clamp = c & 31U, segment = c >> 8 & 31U;
        const unsigned highest = (i & segment) | (clamp & ~segment), lowest = i & segment;
        int source = 0;
        if (mode == "UP")
            source = static_cast<int>(i) - static_cast<int>(step), valid = source >= static_cast<int>(highest);
        if (mode == "DOWN") source = static_cast<int>(i + step), valid = source <= static_cast<int>(highest);
        if (mode == "BFLY") source = static_cast<int>(i ^ step), valid = source <= static_cast<int>(highest);
        if (mode == "IDX")
            source = static_cast<int>(lowest | (step & ~segment)), valid = source <= static_cast<int>(highest);
        return valid ? static_cast<unsigned>(source) : i;
    };
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const std::string mode : {"IDX", "UP", "DOWN", "BFLY"})
            for (unsigned seed = 0; seed < 8; ++seed) {
                lab bench("SHFL." + mode + " P1, R10, R1, R2, R3;", arch);
                std::mt19937 random{seed};
                for (auto& w : bench[2]) w = static_cast<word>(random());
                for (unsigned i = 0; i < warp_lanes; ++i) {
                    bench[1][i] = 1000 + i;
                    const unsigned segments[] = {0x1f00, 0x1c03, 0x001f, 0x0000, 0x181f, 0x1007};
                    bench[3][i] = segments[seed % 6] | (static_cast<word>(random()) & 0xffffe000U);
                }
                bench.run();
                for (unsigned i = 0; i < warp_lanes; ++i) {
                    bool valid = false;
                    const unsigned source = expected(mode, i, bench[2][i], bench[3][i], valid);
                    EXPECT_EQ(bench[10][i], 1000 + source % 32) << mode << seed;
                    EXPECT_EQ(bench.warp.predicates[1] >> i & 1U, valid ? 1U : 0U) << mode << seed;
                }
            }
}

TEST(code_rules, ISA_03_all_tests_of_all_codes)
{
    // Each finds the bits of its place: less 1, equal 2, greater 4, unordered 8.
    const char* const comparisons[] = {"F",   "LT",  "EQ",  "LE",  "GT",  "NE",  "GE",  "NUM",
                                       "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T"};
    const std::pair<const char*, bool (*)(bool zero, bool sign, bool carry, bool overflow)> others[] = {
        {"OFF", [](bool, bool, bool, bool o) { return !o; }},
        {"LO", [](bool, bool, bool c, bool) { return !c; }},
        {"SFF", [](bool, bool s, bool, bool) { return !s; }},
        {"LS", [](bool z, bool, bool c, bool) { return z || !c; }},
        {"HI", [](bool z, bool, bool c, bool) { return !z && c; }},
        {"SFT", [](bool, bool s, bool, bool) { return s; }},
        {"HS", [](bool, bool, bool c, bool) { return c; }},
        {"OFT", [](bool, bool, bool, bool o) { return o; }}};
    for (unsigned k = 0; k < 24; ++k) {
        const std::string name = k < 16 ? comparisons[k] : others[k - 16].first;
        lab bench("CSETP." + name + ".XOR P0, P1, CC, P2; EXIT CC." + name + "; MOV32I R3, 0x1;");
        bench.warp.condition = {0xaaaaaaaaU, 0xccccccccU, 0xf0f0f0f0U, 0xff00ff00U};
        bench.warp.predicates[2] = 0xffff0000U;
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const bool z = (i & 1U) != 0, s = (i & 2U) != 0, c = (i & 4U) != 0, o = (i & 8U) != 0, other = i >= 16;
            // Zero and sign together mean NaN.
            const unsigned what = z && s ? 8U : z ? 2U : s != o ? 1U : 4U;
            const bool expected = k < 16 ? (k & what) != 0 : others[k - 16].second(z, s, c, o);
            EXPECT_EQ(bench.warp.predicates[0] >> i & 1U, expected != other ? 1U : 0U) << name << " " << i;
            EXPECT_EQ(bench.warp.predicates[1] >> i & 1U, expected == other ? 1U : 0U) << name << " " << i;
            EXPECT_EQ(bench[3][i], expected ? 0U : 1U) << name << " " << i;
        }
    }
    for (const char* name : {"CSM_TA", "CSM_MX", "RGT", "RLE"}) {
        EXPECT_THROW(lab(std::string("CSETP.") + name + ".AND P0, PT, CC, PT;").run(), execution_error) << name;
        EXPECT_THROW(lab(std::string("EXIT CC.") + name + ";").run(), execution_error) << name;
    }
}

TEST(code_rules, ISA_03_quads_of_every_lane)
{
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        lab bench("SAM; NOP; RAM; NOP; SSY 0x28; RAM;", 1U << lane);
        bench.issue();
        EXPECT_EQ(bench.warp.active, 0xfU << lane / 4 * 4) << lane;
        EXPECT_EQ(bench.warp.live, 1U << lane);
        bench.issue();
        bench.issue();
        EXPECT_EQ(bench.warp.active, 1U << lane);
        EXPECT_TRUE(bench.warp.stack.empty());
        EXPECT_THROW(bench.run(), execution_error) << "RAM in an SSY";
    }
}

// Constants of every size at every place: in banks, and by handle.

TEST(constant_rules, ISA_03_constants_of_every_size_and_mode)
{
    for (const auto& size : sizes) {
        if (size.bytes == 16) continue; // LDC has no such size
        const std::string name = size.name;
        lab bench("@P0 LDC" + name + " R8, c[0x2][R0+0x8]; @P0 LDC.IS" + name + " R12, c[0x1][R1+0x8]; @P0 LDC.ISL" +
                  name + " R16, c[0x1][R1+0x8]; @P0 LDC.IL" + name + " R20, c[0x2][R0+0x8];");
        std::mt19937 random{size.bytes};
        std::vector<std::uint8_t> bytes;
        for (unsigned k = 0; k < 0x9000 / 4; ++k) {
            const auto value = static_cast<word>(random());
            bench.constants[2].push_back(value);
            for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(value >> shift));
        }
        for (unsigned i = 0; i < warp_lanes; ++i) {
            bench[0][i] = (i % 2 != 0 ? 0x8000U : 0) + i * 3 * size.bytes;
            bench[1][i] = 0x10000U + bench[0][i]; // the next bank
        }
        bench.warp.predicates[0] = some;
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i)
            for (unsigned k = 0; k < 4; ++k)
                for (unsigned first = 8; first < 24; first += 4) {
                    const bool written = in_some(i) && k < std::max(1U, size.bytes / 4);
                    EXPECT_EQ(bench[first + k][i], written ? loaded(bytes, bench[0][i] + 8, size, k) : 0U)
                        << name << " R" << first + k;
                }
    }
}

// A handle: address / 16 in 45 bits, size / 16 in the 19 above (NVK's nvk_bindless_cbuf). Both are odd here, and the
// address has its highest bit; there is memory past the end, too.
constexpr std::uint64_t handle_address = 0x1'a5c3'9e71'6b30;
constexpr unsigned handle_bytes = 5 * 16;
constexpr std::uint64_t handle = handle_address / 16 | std::uint64_t{handle_bytes / 16} << 45;

/// UR4 and UR5 hold the handle. Lanes of P0 are `some`.
struct handle_lab : lab {
    explicit handle_lab(const std::string& text) : lab(text, architecture::sm75)
    {
        std::mt19937 random{5};
        for (unsigned k = 0; k < handle_bytes + 32; ++k) bytes.push_back(static_cast<std::uint8_t>(random() | 1U));
        memory.add(handle_address, bytes);
        warp.global = &memory;
        for (unsigned r = 0; r < warp.uniform.size(); ++r) warp.uniform[r] = 0x5000 + r;
        warp.uniform[4] = static_cast<word>(handle);
        warp.uniform[5] = static_cast<word>(handle >> 32);
        warp.predicates[0] = some;
    }
    /// The value at a place; 0 past the end.
    word expected(std::size_t offset, const access_size& size, unsigned k) const
    {
        return offset + 4 * k < handle_bytes ? loaded(bytes, offset, size, k) : 0;
    }

    std::vector<std::uint8_t> bytes;
    global_memory memory;
};

TEST(constant_rules, ISA_03_handles_of_every_size_and_place)
{
    for (const auto& size : sizes) {
        if (size.bytes == 16) continue; // LDC has no such size
        const std::string name = size.name;
        for (unsigned offset = 0; offset < handle_bytes + 16; offset += size.bytes) {
            handle_lab bench("ULDC" + name + " UR10, cx[UR4][" + std::to_string(offset) + "];");
            bench.run();
            const unsigned count = std::max(1U, size.bytes / 4);
            for (unsigned k = 0; k < 3; ++k)
                EXPECT_EQ(bench.warp.uniform[10 + k], k < count ? bench.expected(offset, size, k) : 0x500aU + k)
                    << name << " at " << offset << ", word " << k;
        }
        handle_lab lanes("@P0 LDC" + name + " R8, cx[UR4][0x8], R0;");
        for (unsigned i = 0; i < warp_lanes; ++i) lanes[0][i] = i % (handle_bytes / size.bytes) * size.bytes;
        lanes.run();
        for (unsigned i = 0; i < warp_lanes; ++i)
            for (unsigned k = 0; k < 3; ++k) {
                const bool written = in_some(i) && k < std::max(1U, size.bytes / 4);
                EXPECT_EQ(lanes[8 + k][i], written ? lanes.expected(lanes[0][i] + 8, size, k) : 0U) << name;
            }
    }
}

TEST(constant_rules, ISA_03_handles_of_memory_that_is_not_there_read_zero)
{
    const auto read = [](std::uint64_t address, bool with_memory) {
        handle_lab bench("ULDC UR10, cx[UR4][0xc]; LDC R8, cx[UR4][0xc], RZ;");
        bench.warp.uniform[4] = static_cast<word>(address / 16);
        bench.warp.uniform[5] = static_cast<word>((address / 16 | std::uint64_t{1} << 45) >> 32);
        if (!with_memory) bench.warp.global = nullptr;
        bench.fill(8, 1);
        bench.run();
        EXPECT_EQ(bench.warp.uniform[10], bench[8][3]);
        return bench[8][3];
    };
    EXPECT_NE(read(handle_address, true), 0U);
    EXPECT_NE(read(handle_address + handle_bytes + 16, true), 0U) << "the last word of all";
    EXPECT_EQ(read(handle_address, false), 0U);
    EXPECT_EQ(read(0x1000, true), 0U);
}

} // namespace
} // namespace isbesim::isa
