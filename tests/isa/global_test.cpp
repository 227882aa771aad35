// SPDX-License-Identifier: Apache-2.0
// Buffers, calls of the library, and atomics on global memory.
#include <gtest/gtest.h>

#include "models/memory/global_memory.h"
#include "tests/isa/lab.h"
#include "tests/support/error_text.h"

namespace isbesim::isa {
namespace {

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

TEST(global, ISA_03_global_atomics_know_no_windows)
{
    lab bench("ATOMG.E.ADD.STRONG.GPU PT, R8, [R4], R2;", architecture::sm75);
    global_memory memory;
    memory.add(bench.warp.windows.local, std::vector<std::uint8_t>(4));
    bench.warp.global = &memory;
    bench.fill_pair(4, bench.warp.windows.local);
    bench.fill(2, 3);
    EXPECT_EQ(bench.run()[8][31], 93U);
}

} // namespace
} // namespace isbesim::isa
