// SPDX-License-Identifier: Apache-2.0
// The queue in front of the port, without any program.
#include "models/sm/attribute_unit.h"

#include <gtest/gtest.h>

#include "models/isbe/timing/isbe_at.h"
#include "tests/sm/silent_isbe.h"

namespace isbesim {
namespace {

class unit_bench : public attribute_unit::client {
public:
    explicit unit_bench(unsigned depth) : unit("unit", settings(depth), clock, style, *this) {}

    void attribute_accepted(const attribute_operation&) override { accepted.push_back(clock.now()); }
    void attribute_responded(const attribute_operation& operation, const warp_result& result) override
    {
        responded.push_back({operation.warp, result});
    }
    static sm_config settings(unsigned depth)
    {
        sm_config config;
        config.attribute_queue_depth = depth;
        return config;
    }
    void submit(unsigned warp)
    {
        attribute_operation& operation = unit.prepare();
        operation.op = {};
        operation.warp = warp;
        unit.submit(clock.now());
    }

    static constexpr auto style = warp_initiator::style::approximately_timed;
    cycle_clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
    attribute_unit unit;
    std::vector<std::uint64_t> accepted;
    std::vector<std::pair<unsigned, warp_result>> responded;
};

TEST(attribute_unit, a_place_freed_in_a_cycle_counts_from_the_next)
{
    unit_bench bench(2);
    silent_isbe isbe("isbe", 1);
    bench.unit.socket().bind(isbe.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);

    bench.submit(0);
    EXPECT_FALSE(bench.unit.full(0));
    bench.submit(1);
    EXPECT_TRUE(bench.unit.full(0));
    sc_core::sc_start(bench.clock.period());
    bench.unit.send(); // the silent ISBE takes the first one and no other
    EXPECT_EQ(bench.accepted, (std::vector<std::uint64_t>{1}));
    EXPECT_TRUE(bench.unit.full(1));
    EXPECT_FALSE(bench.unit.full(2));
    EXPECT_EQ(bench.unit.queued(), 1U);
    bench.submit(2);
    sc_core::sc_start(10 * bench.clock.period());
    EXPECT_TRUE(bench.unit.full(bench.clock.now()));
    EXPECT_TRUE(bench.responded.empty());
}

} // namespace
} // namespace isbesim
