// SPDX-License-Identifier: Apache-2.0
// Global and shared memory, atomics, jumps and calls to addresses.
#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "models/memory/global_memory.h"
#include "tests/isa/lab.h"
#include "tests/support/error_text.h"

namespace isbesim::isa {
namespace {

constexpr std::uint64_t base = 0x1'2345'0000;

/// A lab with 256 bytes of global memory at `base`, whose address is in R0 and R1, and the lane's number in R2.
struct memory_lab : lab {
    explicit memory_lab(const std::string& text, architecture arch = architecture::sm50, lane_mask lanes = all_lanes)
        : lab(text, lanes, 0, arch)
    {
        memory.add(base, std::vector<std::uint8_t>(256));
        warp.global = &memory;
        warp.shared.assign(256, 0);
        fill_pair(0, base);
        for (unsigned i = 0; i < warp_lanes; ++i) (*this)[2][i] = i;
    }

    word at(std::uint64_t offset)
    {
        word value = 0;
        std::memcpy(&value, memory.find(base + offset, 4), 4);
        return value;
    }
    void put(std::uint64_t offset, std::uint64_t value) { std::memcpy(memory.find(base + offset, 8), &value, 8); }

    global_memory memory;
};

TEST(global, ISA_03_buffers_neither_touch_nor_wrap)
{
    global_memory memory;
    memory.add(0x100, std::vector<std::uint8_t>(16));
    EXPECT_THROW(memory.add(0x10f, buffer_bytes(1)), std::invalid_argument);
    EXPECT_THROW(memory.add(0xf8, std::vector<std::uint8_t>(9)), std::invalid_argument);
    EXPECT_THROW(memory.add(~std::uint64_t{0}, buffer_bytes(2)), std::invalid_argument);
    EXPECT_THROW(memory.add(0x200, buffer_bytes(0)), std::invalid_argument);
    memory.add(0x110, std::vector<std::uint8_t>{7});
    EXPECT_NE(memory.find(0x10f, 1), nullptr);
    EXPECT_EQ(memory.find(0x10f, 2), nullptr); // one byte in each
    EXPECT_EQ(*memory.find(0x110, 1), 7);
    EXPECT_EQ(memory.find(0xff, 1), nullptr);
}

TEST(global, ISA_03_outside_and_misaligned_are_traps_that_change_nothing)
{
    const auto trap_of = [](const std::string& text) {
        memory_lab bench(text);
        bench.fill(4, 0x55);
        bench.run();
        EXPECT_EQ(bench.last.kind, step_kind::trap) << text;
        EXPECT_EQ(bench[4][0], 0x55U) << text;
        for (unsigned i = 0; i < 256; i += 4) EXPECT_EQ(bench.at(i), 0U) << text;
        return bench.last.trap;
    };
    EXPECT_EQ(trap_of("LDG.E R4, [R0+0x100];"), 0x0e);
    EXPECT_EQ(trap_of("LDG.E R4, [R0+-0x4];"), 0x0e);
    EXPECT_EQ(trap_of("LDG R4, [R0];"), 0x0e); // 32 bits of the address
    EXPECT_EQ(trap_of("STG.E.64 [R0+0x4], R4;"), 0x0f);
    EXPECT_EQ(trap_of("ATOM.E.ADD R4, [R0+0x2], R2;"), 0x0f);
    EXPECT_EQ(trap_of("LDS R4, [0x100];"), 0x0e);
    EXPECT_EQ(trap_of("ISCADD R6, R2, R0, 0x4; MOV R7, R1; STG.E [R6], R4;"), 0x0e); // the last lanes only
}

TEST(global, ISA_03_atomics_see_the_lanes_in_order)
{
    for (const architecture arch : {architecture::sm50, architecture::sm75}) {
        const bool old = arch == architecture::sm50;
        memory_lab bench(old ? "ATOM.E.ADD R4, [R0], R2; ATOM.E.EXCH R5, [R0+0x8], R2; RED.E.ADD [R0+0x10], R2;"
                               "ATOMS.ADD R6, [0x20], R2;"
                             : "ATOMG.E.ADD.STRONG.GPU PT, R4, [R0], R2; ATOM.E.EXCH.STRONG.GPU P0, R5, [R0+0x8], R2;"
                               "RED.E.ADD.STRONG.GPU [R0+0x10], R2; ATOMS.ADD R6, [0x20], R2;",
                         arch);
        bench.put(8, 77);
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            EXPECT_EQ(bench[4][i], i * (i - 1) / 2);
            EXPECT_EQ(bench[5][i], i == 0 ? 77 : i - 1);
            EXPECT_EQ(bench[6][i], i * (i - 1) / 2);
        }
        EXPECT_EQ(bench.at(0), 496U);
        EXPECT_EQ(bench.at(8), 31U);
        EXPECT_EQ(bench.at(0x10), 496U);
        EXPECT_EQ(bench.warp.shared[0x20] | bench.warp.shared[0x21] << 8, 496);
    }
}

TEST(global, ISA_03_shared_memory_of_sm50)
{
    memory_lab bench("STS [0x10], R2; LDS.U.32 R4, [0x10]; ATOMS.CAS.64 R6, [0x18], R8, R10;");
    bench.fill(2, 0x77);
    bench.fill(10, {0x5, 0x6});
    bench.run();
    EXPECT_EQ(bench[4][1], 0x77U);
    EXPECT_EQ(bench[6][0], 0U);
    EXPECT_EQ(bench[6][1], 0x5U) << "lane 1 finds what lane 0 has put";
    EXPECT_EQ(bench[7][1], 0x6U);
}

TEST(global, ISA_03_absolute_calls_run_the_drivers_routines)
{
    for (const char* call : {"JCAL 0x7fd60;", "JCAL.NOINC 0x7fd60;"}) {
        lab bench(std::string(call) + " IADD R2, R1, 0x1;");
        bench.fill(0, 5);
        attach_library(bench.code,
                       assemble("BRA skip; MOV32I R0, 0x0; skip: IADD R1, R0, R0; RET;", architecture::sm50), 0x7fd60);
        bench.code.register_count = 64;
        bench.run();
        EXPECT_EQ(bench[2][7], 11U) << call;
    }
    lab nowhere("NOP; JCAL 0x7fd60;");
    EXPECT_NE(error_text<execution_error>([&] {
                  nowhere.run();
              }).find("address 0x0010: JCAL goes to address 0x7fd60, where nothing is"),
              std::string::npos);
    EXPECT_THROW(attach_library(nowhere.code, assemble("RET;", architecture::sm50), 0x8), std::invalid_argument);
}

TEST(global, ISA_03_computed_branches_send_each_lane_to_its_place)
{
    // Three places of one instruction and an EXIT each; lanes choose by their number modulo 4.
    lab bench("BRX R4 0x0; NOP; NOP; MOV32I R2, 0x1; EXIT; NOP; MOV32I R2, 0x2; EXIT; NOP;");
    for (unsigned i = 0; i < warp_lanes; ++i) bench[4][i] = i % 2 == 0 ? 0x18U : 0x38U; // to 0x28 and 0x48
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[2][i], i % 2 == 0 ? 1U : 2U);

    lab turing("CALL.REL.NOINC 0x30; IADD3 R2, R2, 0x1, RZ; EXIT; MOV R2, 0x10; RET.REL.NODEC R4 0x0;",
               architecture::sm75);
    turing.fill(4, 0x10);
    turing.run();
    EXPECT_EQ(turing[2][9], 0x11U);
}

TEST(global, ISA_03_jumps_go_to_absolute_addresses)
{
    lab old("JMP 0x18; MOV32I R2, 0x1; MOV32I R3, 0x3; JMX R4 0x20; MOV32I R2, 0x2; MOV32I R5, 0x5;");
    old.fill(4, 0x18); // 0x38
    old.run();
    EXPECT_EQ(old[2][0], 0U);
    EXPECT_EQ(old[3][0], 3U);
    EXPECT_EQ(old[5][0], 5U);

    lab turing("JMP 0x20; MOV R2, 0x1; CALL.ABS.NOINC 0x60; JMX R4 0x40; MOV R2, 0x2; EXIT;"
               "MOV R3, 0x3; RET.ABS.NODEC R6 0x10;",
               architecture::sm75);
    turing.fill(4, 0x10); // 0x50
    turing.fill(6, 0x20); // 0x30
    turing.run();
    EXPECT_EQ(turing[2][0], 0U);
    EXPECT_EQ(turing[3][31], 3U);
    EXPECT_THROW(lab("JMP 0x1000;").run(), execution_error);
    EXPECT_THROW(lab("CALL.ABS.NOINC 0x1000;", architecture::sm75).run(), execution_error);
}

TEST(global, ISA_03_returns_go_where_pret_said)
{
    lab bench("PRET 0x30; MOV32I R2, 0x2; RET; MOV32I R2, 0x3; MOV32I R4, 0x4;");
    bench.run();
    EXPECT_EQ(bench[2][0], 2U);
    EXPECT_EQ(bench[4][0], 4U);
}

TEST(global, ISA_03_barrier_registers_hold_masks)
{
    lab bench("BSSY B3, 0x40; BMOV.32.CLEAR R4, B3; BMOV.32 R5, B3; BMOV.32 B3, R4; BSYNC B3; YIELD; NANOSLEEP 0x10;"
              "MEMBAR.SC.GPU; ERRBAR; DEPBAR.LE SB0, 0x0, {2,1};",
              0xff, 0, architecture::sm75);
    bench.run();
    EXPECT_EQ(bench[4][0], 0xffU);
    EXPECT_EQ(bench[5][0], 0U);

    lab old("DEPBAR {4,3}; DEPBAR.LE SB0, 0x0, {2,1}; MOV32I R2, 0x5;");
    old.run();
    EXPECT_EQ(old[2][31], 5U);
}

TEST(global, ISA_03_loads_of_lanes_without_the_predicate_give_zero)
{
    // Lanes from 4 on would trap.
    for (const auto& [arch, text] :
         {std::pair{architecture::sm50, "ISETP.LT.AND P3, PT, R2, 0x4, PT; MOV R6, -0x1; MOV R7, -0x1; "
                                        "LDG.E.64 R6, [R4], P3;"},
          std::pair{architecture::sm75, "ISETP.LT.AND P3, PT, R2, 0x4, PT; MOV R6, 0x1; MOV R7, 0x1; "
                                        "LDG.E.64.SYS R6, [R4], P3;"}}) {
        memory_lab bench(text, arch);
        for (unsigned i = 0; i < warp_lanes; ++i) bench.set_pair(4, i, base + (i < 4 ? 8 * i : 0x1000));
        for (unsigned i = 0; i < 4; ++i) bench.put(8 * i, 0x1000000'00000000ULL * (i + 1) + i + 1);
        bench.run();
        EXPECT_NE(bench.last.kind, step_kind::trap);
        for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[6][i], i < 4 ? i + 1 : 0U);
        EXPECT_EQ(bench[7][1], 0x2000000U);
        EXPECT_EQ(bench[7][9], 0U);
    }
}

TEST(global, ISA_03_atomic_sums_of_pairs_of_halves)
{
    memory_lab bench("RED.E.ADD.F16x2.RN.STRONG.GPU [R0], R4; ATOMG.E.ADD.F16x2.RN.STRONG.GPU PT, R6, [R0+0x4], R4;",
                     architecture::sm75, 0x3);
    bench.fill(4, 0x3c00'0001); // 1 and the smallest denormal
    bench.put(0, 0x4000'03ff'4000'03ffULL);
    bench.run();
    EXPECT_EQ(bench.at(0), 0x4400'0401U); // 2 + 1 + 1, and denormals that become normal
    EXPECT_EQ(bench.at(4), 0x4400'0401U);
    EXPECT_EQ(bench[6][0], 0x4000'03ffU);
    EXPECT_EQ(bench[6][1], 0x4200'0400U);
    EXPECT_THROW(memory_lab("RED.E.MIN.F16x2.RN.STRONG.GPU [R0], R4;", architecture::sm75).run(), execution_error);
}

TEST(global, ISA_03_windows_of_generic_addresses_reach_local_and_shared_memory)
{
    for (const architecture arch : {architecture::sm50, architecture::sm75}) {
        const std::string order = arch == architecture::sm50 ? "" : ".STRONG.GPU";
        const std::string done = arch == architecture::sm50 ? "" : "PT, ";
        // R4 is in local memory, R6 in shared memory; R5 and R7 are 0.
        memory_lab bench("ST.E.64" + order + " [R4+0x8], R2; LD.E" + order + " R10, [R4+0xc]; LD.E.U8" + order +
                             " R11, [R4+0x8]; ATOM.E.ADD" + order + " " + done + "R12, [R6+0x10], R2; RED.E.ADD" +
                             order + " [R6+0x10], R3; LD.E" + order + " R13, [R6+0x10]; LD.E" + order + " R14, [R0];",
                         arch);
        bench.warp.local.assign(8, words{});
        bench.fill(3, {1, 0xff000000});
        bench.fill(6, 0xfe000000);
        bench.put(0, 0x77);
        bench.run();
        ASSERT_NE(bench.last.kind, step_kind::trap);
        for (unsigned i = 0; i < warp_lanes; ++i) {
            EXPECT_EQ(bench.warp.local[2][i], i); // each lane has its own
            EXPECT_EQ(bench[10][i], 1U);
            EXPECT_EQ(bench[11][i], i);
            EXPECT_EQ(bench[12][i], i * (i - 1) / 2); // in the order of the lanes
            EXPECT_EQ(bench[13][i], 496U + 32);
            EXPECT_EQ(bench[14][i], 0x77U);
        }
        EXPECT_EQ(bench.warp.shared[0x10], (496U + 32) & 0xffU);
    }
}

TEST(global, ISA_03_atomics_trap_where_a_lane_reaches_local_memory)
{
    for (const unsigned local_lane : {0U, 13U, 31U})
        for (const bool takes_part : {true, false}) {
            memory_lab bench("@P0 ATOM.E.ADD R8, [R4], R2;");
            bench.warp.local.assign(4, words{});
            for (unsigned i = 0; i < warp_lanes; ++i) bench.set_pair(4, i, i == local_lane ? 0xff000000U : base);
            bench.warp.predicates[0] = takes_part ? all_lanes : ~(1U << local_lane);
            bench.run();
            EXPECT_EQ(bench.last.kind, takes_part ? step_kind::trap : step_kind::exited) << local_lane;
            EXPECT_EQ(bench.at(0), takes_part ? 0U : 496 - local_lane);
        }
    // Instructions that name global memory know no windows.
    memory_lab global("ATOMG.E.ADD.STRONG.GPU PT, R8, [R4], R2;", architecture::sm75);
    global.memory.add(0xff000000, std::vector<std::uint8_t>(4));
    global.fill(4, 0xff000000);
    global.run();
    EXPECT_EQ(global.last.kind, step_kind::exited);
    EXPECT_EQ(global[8][31], 465U);
}

TEST(global, ISA_03_windows_end_and_belong_to_generic_accesses_only)
{
    const auto trap_of = [](const std::string& text, word low, std::size_t local_words = 4) {
        memory_lab bench(text);
        bench.warp.local.assign(local_words, words{});
        bench.fill(4, {low, 0});
        bench.run();
        return bench.last.kind == step_kind::trap ? bench.last.trap : 0;
    };
    EXPECT_EQ(trap_of("LD.E R8, [R4];", 0xff00000c), 0);
    EXPECT_EQ(trap_of("LD.E R8, [R4];", 0xff000010), 0x0e); // past local memory
    EXPECT_EQ(trap_of("LD.E.64 R8, [R4];", 0xff00000c), 0x0f);
    EXPECT_EQ(trap_of("LD.E R8, [R4];", 0xfe0000fc), 0);
    EXPECT_EQ(trap_of("ST.E [R4], R8;", 0xfe000100), 0x0e);           // past shared memory
    EXPECT_EQ(trap_of("LDG.E R8, [R4];", 0xff000000), 0x0e);          // global accesses know no windows
    EXPECT_EQ(trap_of("ATOM.E.ADD R8, [R4], R2;", 0xff000000), 0x0e); // no atomics on local memory
    // Elsewhere the windows move with what the draw says.
    memory_lab moved("LD.E R8, [R4];");
    moved.warp.windows = {0x3000000, 0x2000000};
    moved.warp.local.assign(1, words{});
    moved.warp.local[0].fill(9);
    moved.fill(4, 0x3000000);
    moved.run();
    EXPECT_EQ(moved[8][7], 9U);
}

} // namespace
} // namespace isbesim::isa
