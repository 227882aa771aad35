// SPDX-License-Identifier: Apache-2.0
// Local, shared and global memory of all sizes at all places, byte by byte, also through the windows of generic
// addresses; lanes that take no part neither trap nor change anything.
#include <gtest/gtest.h>

#include "models/memory/global_memory.h"
#include "tests/isa/access_size.h"
#include "tests/isa/lab.h"
#include "tests/support/error_text.h"

namespace isbesim::isa {
namespace {

/// Lanes that take no part have addresses outside of everything.
void set_addresses(lab& bench, unsigned bytes, unsigned limit, unsigned base)
{
    for (unsigned i = 0; i < warp_lanes; ++i)
        bench[0][i] = in_some(i) ? base + (i * 7 * bytes) % (limit - bytes + 1) / bytes * bytes : 0xfffffff1U;
}

constexpr unsigned local_bytes = 64;
constexpr word local_window = 0xff00'0000, shared_window = 0xfe00'0000; // HARDWARE.md B.4

/// The suffix of LD and ST for a space ("L", "S", "G", "G.E", ".E").
std::string access_name(const std::string& space, const access_size& size, architecture arch)
{
    const bool ordered = arch == architecture::sm75 && space != "L" && space != "S";
    return space + size.name + (ordered ? ".SYS" : "");
}

TEST(memory_rules, ISA_03_local_memory_of_every_size_and_place)
{
    for (const auto& [space, window] : {std::pair{"L", word{0}}, std::pair{".E", local_window}})
        for (const auto& [size, arch] : on_both()) {
            const std::string name = access_name(space, size, arch);
            const unsigned first = window + 0x10;
            lab bench("@P0 LD" + name + " R8, [R0+-0x10]; @P0 ST" + name + " [R0+-0x10], R12;", all_lanes, local_bytes,
                      arch);
            std::mt19937 random{size.bytes};
            std::vector<std::vector<std::uint8_t>> memory(warp_lanes, std::vector<std::uint8_t>(local_bytes));
            for (unsigned i = 0; i < warp_lanes; ++i)
                for (unsigned k = 0; k < local_bytes; ++k) {
                    memory[i][k] = static_cast<std::uint8_t>(random());
                    bench.warp.local[k / 4][i] |= word{memory[i][k]} << (8 * (k % 4));
                }
            for (unsigned r = 8; r < 18; ++r) bench[r] = awkward_words(random);
            set_addresses(bench, size.bytes, local_bytes, first);
            bench.warp.predicates[0] = some;
            const auto before = bench.warp.registers;
            bench.run();
            ASSERT_EQ(bench.last.kind, step_kind::exited) << name;
            for (unsigned i = 0; i < warp_lanes; ++i) {
                const unsigned offset = before[0][i] - first, count = std::max(1U, size.bytes / 4);
                for (unsigned k = 0; k < 8; ++k)
                    EXPECT_EQ(bench[8 + k][i],
                              in_some(i) && k < count ? loaded(memory[i], offset, size, k) : before[8 + k][i])
                        << name << " word " << k;
                for (unsigned k = 0; in_some(i) && k < count; ++k)
                    stored(memory[i], offset, size, k, before[12 + k][i]);
                for (unsigned k = 0; k < local_bytes; ++k)
                    EXPECT_EQ(bench.warp.local[k / 4][i] >> (8 * (k % 4)) & 0xffU, memory[i][k]) << name << " " << k;
            }
        }
}

TEST(memory_rules, ISA_03_local_traps_of_lanes_that_take_part)
{
    // One lane at a time, the first one and the last one too.
    for (const unsigned lane : {0U, 13U, 31U})
        for (const word address : {word{local_bytes - 4}, word{local_bytes}, word{2}, ~word{3}}) {
            lab bench("@P0 STL [R0], R1;", all_lanes, local_bytes);
            bench.fill(0, 1); // misaligned in the other lanes
            bench[0][lane] = address;
            bench.fill(1, 5);
            bench.warp.predicates[0] = 1U << lane;
            bench.run();
            const bool fine = address == local_bytes - 4;
            EXPECT_EQ(bench.last.kind, fine ? step_kind::exited : step_kind::trap);
            EXPECT_EQ(bench.last.trap, fine ? 0 : address == 2 ? 0x0f : 0x0e);
            EXPECT_EQ(bench.warp.local[local_bytes / 4 - 1][lane], fine ? 5U : 0U);
        }
}

constexpr std::uint64_t base = 0x2'fedc'0000;
constexpr unsigned global_bytes = 256;

/// Buffers at `base` and, for addresses of 32 bits, at the lower half of it; shared memory as large.
struct memories : lab {
    memories(const std::string& text, architecture arch, lane_mask lanes = all_lanes) : lab(text, lanes, 0, arch)
    {
        std::mt19937 random{1};
        for (unsigned k = 0; k < global_bytes; ++k) bytes.push_back(static_cast<std::uint8_t>(random()));
        memory.add(base, bytes);
        memory.add(static_cast<word>(base), bytes);
        warp.global = &memory;
        warp.shared = bytes;
        warp.predicates[0] = some;
        for (unsigned r = 8; r < 28; ++r) (*this)[r] = awkward_words(random);
    }
    std::vector<std::uint8_t> bytes;
    global_memory memory;
};

TEST(memory_rules, ISA_03_global_and_shared_memory_of_every_size)
{
    struct reached {
        const char* space;
        word low, high; ///< of the address of its first byte
    };
    constexpr word low_half = static_cast<word>(base), high_half = base >> 32;
    for (const reached& to : {reached{"G.E", low_half, high_half}, reached{"G", low_half, 0x66}, reached{"S", 0, 0x66},
                              reached{".E", low_half, high_half}, reached{".E", shared_window, 0}})
        for (const auto& [size, arch] : on_both()) {
            const std::string name = access_name(to.space, size, arch);
            memories bench("@P0 LD" + name + " R8, [R0+-0x10]; @P0 ST" + name + " [R0+-0x10], R12;", arch);
            for (unsigned i = 0; i < warp_lanes; ++i) {
                bench[0][i] = to.low + 0x10 + i * 8 / size.bytes * size.bytes;
                if (!in_some(i)) bench[0][i] = 0x77777777U;
                bench[1][i] = in_some(i) ? to.high : 0x55U;
            }
            const auto before = bench.warp.registers;
            auto memory = bench.bytes;
            bench.run();
            ASSERT_EQ(bench.last.kind, step_kind::exited) << name;
            const unsigned count = std::max(1U, size.bytes / 4);
            const auto place = [&](unsigned i) { return before[0][i] - to.low - 0x10; };
            for (unsigned i = 0; i < warp_lanes; ++i)
                for (unsigned k = 0; k < 8; ++k)
                    EXPECT_EQ(bench[8 + k][i],
                              in_some(i) && k < count ? loaded(memory, place(i), size, k) : before[8 + k][i])
                        << name;
            for (unsigned i = 0; i < warp_lanes; ++i)
                for (unsigned k = 0; in_some(i) && k < count; ++k) stored(memory, place(i), size, k, before[12 + k][i]);
            const std::uint8_t* const now = to.low != low_half     ? bench.warp.shared.data()
                                            : to.high == high_half ? bench.memory.find(base, 1)
                                                                   : bench.memory.find(low_half, 1);
            for (unsigned k = 0; k < global_bytes; ++k) EXPECT_EQ(now[k], memory[k]) << name << " byte " << k;
        }
}

TEST(memory_rules, ISA_03_shared_addresses_scale_by_four_eight_and_sixteen)
{
    for (const auto& [name, shift] :
         {std::pair{"", 0U}, std::pair{".X4", 2U}, std::pair{".X8", 3U}, std::pair{".X16", 4U}}) {
        memories bench("LDS.U8 R8, [R0" + std::string(name) + "+0x1];", architecture::sm75);
        for (unsigned i = 0; i < warp_lanes; ++i) bench[0][i] = i % 15;
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[8][i], bench.bytes[(i % 15 << shift) + 1]) << name;
    }
}

TEST(memory_rules, ISA_03_the_zero_register_is_as_wide_as_the_access)
{
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const std::string space : {"L", "S", "G"}) {
            const std::string sys = space == "G" && arch == architecture::sm75 ? ".SYS" : "";
            memories bench("ST" + space + ".128" + sys + " [R0], RZ; LD" + space + ".128" + sys + " RZ, [R0]; LD" +
                               space + ".64" + sys + " R2, [R0+0x8];",
                           arch);
            bench.warp.local.assign(4, words{});
            for (auto& each : bench.warp.local) each.fill(5);
            bench.fill(0, space == "G" ? static_cast<word>(base) : 0);
            bench.fill(2, {1, 1});
            bench.run();
            EXPECT_EQ(bench.last.kind, step_kind::exited) << space;
            EXPECT_EQ(bench[2][31] | bench[3][31], 0U) << space;
        }
    memories quads("LDG.E.U.128 R4, [R0+0x10];", architecture::sm50);
    quads.fill_pair(0, base);
    quads.run();
    for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(quads[4 + k][3], loaded(quads.bytes, 16, {".U.128", 16, false}, k));
}

// Buffers, calls of the library, and atomics on global memory.

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

TEST(global, ISA_03_global_atomics_ignore_windows)
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
