// SPDX-License-Identifier: Apache-2.0
// Traffic that a thread generates ahead equals its source's, wherever chunks end. Also run under the thread sanitizer
// (.ci/sanitized).
#include "testbench/crosscheck/traffic/prepared_traffic.h"

#include <vector>

#include <gtest/gtest.h>

#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "tests/crosscheck/same_item.h"

namespace isbesim::testbench {
namespace {

class prepared_items : public testing::TestWithParam<unsigned> {};

TEST_P(prepared_items, equal_their_source_when_ports_draw_unevenly)
{
    const isbe_config config;
    random_traffic expected(config, 5, GetParam());
    random_traffic source(config, 5, GetParam());
    prepared_traffic prepared(source, config.ports);
    // Port 1 gets three items for each item of port 0, which continues alone after port 1's last.
    std::vector<bool> over(config.ports, false);
    for (unsigned turn = 0; !over[0] || !over[1]; ++turn) {
        const unsigned port = turn % 4 == 0 ? 0 : 1;
        const auto* const expected_item = expected.draw(port);
        const auto* const drawn = prepared.draw(port);
        ASSERT_EQ(drawn == nullptr, expected_item == nullptr) << turn;
        over[port] = over[port] || drawn == nullptr;
        ASSERT_TRUE(drawn == nullptr || same_item(*drawn, *expected_item)) << turn;
    }
    EXPECT_EQ(prepared.draw(0), nullptr); // repeated draws at the end
    EXPECT_EQ(prepared.draw(1), nullptr);
}

// Numbers of items: so few that one port gets none; around whole chunks of 512 items on each port; many.
INSTANTIATE_TEST_SUITE_P(prepared_traffic, prepared_items,
                         testing::Values(1U, 2U, 1022U, 1023U, 1024U, 1025U, 2048U, 2050U, 20'000U),
                         testing::PrintToStringParamName());

TEST(prepared_traffic, an_item_stays_valid_until_the_next_draw_from_its_port)
{
    const isbe_config config;
    random_traffic expected(config, 8, 20'000);
    random_traffic source(config, 8, 20'000);
    prepared_traffic prepared(source, config.ports);
    traffic_item expected_item;
    ASSERT_TRUE(expected.next(0, expected_item));
    const auto* const drawn = prepared.draw(0);
    while (prepared.draw(1) != nullptr) {}
    EXPECT_TRUE(same_item(*drawn, expected_item));
    // The same for the last item of a chunk.
    for (unsigned i = 1; i < 512; ++i) ASSERT_TRUE(expected.next(0, expected_item));
    const traffic_item* last = nullptr;
    for (unsigned i = 1; i < 512; ++i) last = prepared.draw(0);
    EXPECT_TRUE(same_item(*last, expected_item));
}

TEST(prepared_traffic, can_end_at_any_time)
{
    const isbe_config config;
    for (const unsigned drawn : {0U, 1U, 600U}) {
        random_traffic source(config, 1, 1'000'000);
        prepared_traffic prepared(source, config.ports);
        for (unsigned i = 0; i < drawn; ++i) EXPECT_NE(prepared.draw(0), nullptr);
    }
}

} // namespace
} // namespace isbesim::testbench
