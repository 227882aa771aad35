// SPDX-License-Identifier: Apache-2.0
// Constants of every size at every place: of banks, and behind handles.
#include <gtest/gtest.h>

#include "models/memory/global_memory.h"
#include "tests/isa/access_size.h"
#include "tests/isa/lab.h"
#include "tests/isa/some_lanes.h"

namespace isbesim::isa {
namespace {

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
    /// What a load of one place finds; 0 past the end.
    word expected(std::size_t at, const access_size& size, unsigned k) const
    {
        return at + 4 * k < handle_bytes ? loaded(bytes, at, size, k) : 0;
    }

    std::vector<std::uint8_t> bytes;
    global_memory memory;
};

TEST(constant_rules, ISA_03_handles_of_every_size_and_place)
{
    for (const auto& size : sizes) {
        if (size.bytes == 16) continue; // LDC has no such size
        const std::string name = size.name;
        for (unsigned at = 0; at < handle_bytes + 16; at += size.bytes) {
            handle_lab bench("ULDC" + name + " UR10, cx[UR4][" + std::to_string(at) + "];");
            bench.run();
            const unsigned count = std::max(1U, size.bytes / 4);
            for (unsigned k = 0; k < 3; ++k)
                EXPECT_EQ(bench.warp.uniform[10 + k], k < count ? bench.expected(at, size, k) : 0x500aU + k)
                    << name << " at " << at << ", word " << k;
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
