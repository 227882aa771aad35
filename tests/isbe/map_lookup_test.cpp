// SPDX-License-Identifier: Apache-2.0
// The maps asked for 32 addresses at once, against attribute_set lane by lane.
#include "models/isbe/access/map_lookup.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "models/attribute/al2p.h"
#include "tests/isbe/core_bench.h"
#include "tlm/byte_sum.h"

namespace isbesim::test {
namespace {

/// AL2P of one address that Ra and the immediate make up.
word translated(const space_layout& layout, space which, std::int32_t ra, std::int32_t immediate, unsigned size)
{
    warp_op op;
    op.op = opcode::al2p;
    op.space = which;
    op.size = static_cast<std::uint8_t>(size);
    op.immediate = immediate;
    op.address.fill(static_cast<word>(ra));
    op.lanes = 1U << 7;
    map_lookup found;
    found.find(op, layout);
    per_lane<word> results;
    translate_al2p(found, op, results);
    EXPECT_EQ(results[6], 0U); // inactive
    return results[7];
}

TEST(al2p, AL2P_01_layout_of_the_result)
{
    space_layout layout;
    layout.allocated = layout.enabled = addresses({0x60, 0x70, 0x74, 0x80});
    layout.enabled.erase(0x74 / 4);
    EXPECT_EQ(translated(layout, space::input, 0x80, 0, 1), 0xa2012003U);
    EXPECT_EQ(translated(layout, space::output, 0x70, 4, 1), 0xa2041d02U);
    EXPECT_EQ(translated(layout, space::input, 0, 0x60, 1), 0xa2091800U);
    EXPECT_EQ(translated(layout, space::input, 0, -1, 1), 0xa2020000U);
    EXPECT_EQ(translated(layout, space::output, 0x3ff, 1, 4), 0xa2060000U);
    EXPECT_EQ(translated(layout, space::input, 0x3fc, 0, 1), 0xa200ff04U);
}

TEST(al2p, sums_never_wrap)
{
    constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
    constexpr auto highest = std::numeric_limits<std::int32_t>::max();
    const space_layout layout;
    EXPECT_EQ(translated(layout, space::input, lowest, lowest, 1), 0xa2020000U); // 0 modulo 2^32
    EXPECT_EQ(translated(layout, space::input, highest, highest, 1), 0xa2020000U);
    EXPECT_EQ(translated(layout, space::input, highest, -highest, 1), 0xa2000000U);
}

TEST(map_lookup, every_lane_gets_what_the_sets_say)
{
    std::mt19937 random(3);
    for (unsigned n = 0; n < 2000; ++n) {
        space_layout layout;
        for (unsigned i = 0; i < attribute_set::words; ++i) {
            layout.allocated.set_bits(i, static_cast<std::uint32_t>(random()));
            layout.enabled.set_bits(i, static_cast<std::uint32_t>(random()));
        }
        warp_op op;
        op.op = opcode::ald;
        op.size = static_cast<std::uint8_t>(1 + n % 4);
        op.immediate = static_cast<std::int32_t>(random() % 0x500) - 0x80;
        for (auto& address : op.address)
            address = n % 3 == 0 ? static_cast<word>(random()) : static_cast<word>(random() % 0x500) - 0x100U;
        map_lookup found;
        found.find(op, layout);
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const auto sum = byte_sum(op, i);
            const bool inside = sum >= 0 && sum < 0x400;
            ASSERT_EQ((found.inside >> i & 1U) != 0, inside) << sum;
            ASSERT_LT(found.id[i], attribute_ids);
            if (!inside) continue;
            const auto unit = op.size == 1 ? 4 : op.size == 2 ? 8 : 16;
            const auto id = static_cast<unsigned>(sum / unit * unit / 4);
            ASSERT_EQ(found.id[i], id);
            ASSERT_EQ(found.rank[i], layout.allocated.rank(id));
            for (unsigned c = 0; c < op.size; ++c) {
                ASSERT_EQ((found.allocated[i] >> c & 1U) != 0, layout.allocated.contains(id + c));
                ASSERT_EQ((found.enabled[i] >> c & 1U) != 0,
                          layout.allocated.contains(id + c) && layout.enabled.contains(id + c));
            }
        }
    }
}

} // namespace
} // namespace isbesim::test
