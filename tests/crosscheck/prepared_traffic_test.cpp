// SPDX-License-Identifier: Apache-2.0
// Traffic that a thread generates ahead is the traffic, wherever chunks end. Also run under the thread sanitizer
// (.ci/sanitized).
#include "testbench/crosscheck/traffic/prepared_traffic.h"

#include <vector>

#include <gtest/gtest.h>

#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "tests/crosscheck/same_item.h"

namespace isbesim::testbench {
namespace {

class prepared_traffic_of : public testing::TestWithParam<unsigned> {};

TEST_P(prepared_traffic_of, so_many_items_is_the_same_for_ports_that_draw_unevenly)
{
    const isbe_config config;
    random_traffic expected(config, 5, GetParam());
    random_traffic source(config, 5, GetParam());
    prepared_traffic prepared(source, config.ports);
    // Port 1 gets three items for each one of port 0, which goes on alone afterwards.
    std::vector<bool> over(config.ports, false);
    for (unsigned turn = 0; !over[0] || !over[1]; ++turn) {
        const unsigned port = turn % 4 == 0 ? 0 : 1;
        const auto* const expected_item = expected.draw(port);
        const auto* const drawn = prepared.draw(port);
        ASSERT_EQ(drawn == nullptr, expected_item == nullptr) << turn;
        over[port] = over[port] || drawn == nullptr;
        ASSERT_TRUE(drawn == nullptr || same_item(*drawn, *expected_item)) << turn;
    }
    EXPECT_EQ(prepared.draw(0), nullptr); // and again
    EXPECT_EQ(prepared.draw(1), nullptr);
}

// Around whole chunks of 512 items on each port, none at all on one of them, and many.
INSTANTIATE_TEST_SUITE_P(prepared_traffic, prepared_traffic_of,
                         testing::Values(1U, 2U, 1022U, 1023U, 1024U, 1025U, 2048U, 2050U, 20'000U),
                         testing::PrintToStringParamName());

TEST(prepared_traffic, an_item_stays_until_its_port_is_drawn_from_again)
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
    // As the last item of a chunk.
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
