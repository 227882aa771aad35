// SPDX-License-Identifier: Apache-2.0
// XC-02: what coverage finds out of all lanes at once is what a look at each lane finds.
#include "testbench/crosscheck/traffic/sampled_lanes.h"

#include <gtest/gtest.h>

#include "models/isbe/functional/gs_state.h"
#include "models/isbe/functional/lanes.h"
#include "testbench/crosscheck/traffic/random_traffic.h"

namespace isbesim::testbench {
namespace {

/// Calls `look` with random operations.
template <typename Look>
void for_each_operation(Look look)
{
    random_traffic traffic(isbe_config{}, 17, 20'000);
    random_numbers random(18);
    traffic_item item;
    for (unsigned port = 0; port < isbe_config{}.ports; ++port)
        while (traffic.next(port, item)) {
            warp_result result;
            if (random.chance(50))
                for (auto& status : result.status) status = static_cast<std::uint16_t>(random.bits() & random.bits());
            look(item.op, result);
        }
}

TEST(sampled_lanes, XC_02_status_of_any_lane)
{
    for_each_operation([](const warp_op&, const warp_result& result) {
        unsigned any = 0;
        for (const auto status : result.status) any |= status;
        EXPECT_EQ(any_status(result), any);
    });
}

TEST(sampled_lanes, XC_02_sums_beyond_32_bits)
{
    unsigned found = 0;
    for_each_operation([&](const warp_op& op, const warp_result&) {
        lane_mask expected = 0;
        for_each_lane(op.lanes, [&](unsigned lane) {
            const auto sum = std::int64_t{static_cast<std::int32_t>(op.address[lane])} + op.immediate;
            if (sum != static_cast<std::int32_t>(sum)) expected |= lane_mask{1} << lane;
        });
        EXPECT_EQ(wrapping_lanes(op), expected);
        found += expected != 0 ? 1 : 0;
    });
    EXPECT_GT(found, 100U);
}

TEST(sampled_lanes, XC_02_bytes_and_words)
{
    unsigned crossing = 0;
    unsigned same = 0;
    for_each_operation([&](const warp_op& op, const warp_result& result) {
        if (!is_raw(op.op) || op.lanes == 0) return;
        const auto back = op.op == opcode::isbewr && op.region == region::map ? op.size - 1U : 0U;
        const auto begin = [&](unsigned lane) { return op.address[lane] + static_cast<word>(op.immediate) - back; };
        raw_lanes expected;
        for_each_lane(op.lanes, [&](unsigned lane) {
            if ((result.status[lane] & lane_status::out_of_range) != 0) return;
            if (begin(lane) % 4 + op.size > 4) expected.crossing |= lane_mask{1} << lane;
            if (begin(lane) / 4 == begin(first_lane(op.lanes)) / 4) expected.same_word |= lane_mask{1} << lane;
        });
        const auto found = raw_lanes_of(op, result);
        EXPECT_EQ(found.crossing, expected.crossing);
        EXPECT_EQ(found.same_word, expected.same_word);
        crossing += expected.crossing != 0 ? 1 : 0;
        same += expected.same_word == op.lanes ? 1 : 0;
    });
    EXPECT_GT(crossing, 100U);
    EXPECT_GT(same, 100U);
}

TEST(sampled_lanes, XC_02_states)
{
    random_numbers random(19);
    state_lanes seen;
    for (unsigned round = 0; round < 2000; ++round) {
        const word maximum = random.chance(50) ? random.below(8) : random.below(0x10000);
        per_lane<word> states;
        for (auto& state : states) {
            const word slot = random.chance(30) ? maximum : random.below(2 * maximum + 2);
            const word fields =
                (slot & 0xffffU) | (random.bits() & 0x00f70000U) | (random.chance(10) ? rules::state_zero : 0U);
            state = fields | rules::state_checksum(fields) << 24;
            if (random.chance(10)) state ^= word{1} << random.below(32);
        }
        state_lanes expected;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            const auto bit = lane_mask{1} << lane;
            const auto fields = decode_gs_state(states[lane]);
            if (states[lane] >> 24 == rules::state_checksum(states[lane])) expected.checked |= bit;
            if ((states[lane] & rules::state_zero) != 0) expected.zero_bit |= bit;
            if (gs_state_valid(states[lane], maximum)) expected.valid |= bit;
            if (fields.slot > maximum) expected.beyond |= bit;
            if (fields.slot == maximum && fields.strip != 0) expected.at_maximum |= bit;
            if (fields.slot > 0x7ff) expected.long_slot |= bit;
        }
        const auto found = state_lanes_of(states, maximum);
        EXPECT_EQ(found.checked, expected.checked);
        EXPECT_EQ(found.zero_bit, expected.zero_bit);
        EXPECT_EQ(found.valid, expected.valid);
        EXPECT_EQ(found.beyond, expected.beyond);
        EXPECT_EQ(found.at_maximum, expected.at_maximum);
        EXPECT_EQ(found.long_slot, expected.long_slot);
        seen.valid |= found.valid;
        seen.at_maximum |= found.at_maximum;
    }
    EXPECT_EQ(seen.valid, all_lanes);
    EXPECT_EQ(seen.at_maximum, all_lanes);
}

} // namespace
} // namespace isbesim::testbench
