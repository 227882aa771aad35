// SPDX-License-Identifier: Apache-2.0
// How an rtl_block is driven: resp_ready does not wait for resp_valid, and a response is taken only when it was said to
// be.
#include "testbench/rtl/rtl_clock.h"

#include <memory>

#include <gtest/gtest.h>

namespace isbesim::testbench {
namespace {

struct seen {
    bool valid = false;
    bool ready = false;
    unsigned early = 0; ///< cycles in which it was ready without a response
    unsigned late = 0;  ///< cycles in which it was not
};

/// One port, always ready for a request; shows a response on the test's request.
class open_block : public rtl_block {
public:
    explicit open_block(seen& pins, bool clocked_when_idle = false) : pins_(pins), always_(clocked_when_idle) {}
    void set_reset(bool) override {}
    void offer(unsigned, const warp_op&) override {}
    void withdraw(unsigned) override {}
    void set_response_ready(unsigned, bool ready) override { pins_.ready = ready; }
    bool request_ready(unsigned) const override { return true; }
    bool response_valid(unsigned) const override { return pins_.valid; }
    void read_response(unsigned, warp_result&) const override {}
    void clock_before_start() override {}
    void clock(std::uint64_t) override
    {
        if (!pins_.valid) ++(pins_.ready ? pins_.early : pins_.late);
    }
    bool clocked_when_idle() const override { return always_; }

private:
    seen& pins_;
    bool always_;
};

struct silent_listener : rtl_clock::listener {
    void request_transferred(unsigned, std::uint64_t) override {}
    void response_was_valid(unsigned, std::uint64_t, bool) override {}
    void block_failed(std::uint64_t, const std::string&) override {}
};

TEST(rtl_clock, ready_rises_before_valid_and_falls_again)
{
    seen pins;
    silent_listener owner;
    rtl_clock clock(std::make_unique<open_block>(pins), 1, owner);
    clock.offer(0, warp_op{});
    clock.advance_to(100);
    EXPECT_GT(pins.early, 20U);
    EXPECT_GT(pins.late, 20U);
}

TEST(rtl_clock, an_idle_block_is_clocked_if_it_asks_for_it)
{
    for (const bool always : {false, true}) {
        seen pins;
        silent_listener owner;
        rtl_clock clock(std::make_unique<open_block>(pins, always), 1, owner);
        clock.begin_at(50);
        clock.advance_to(1050);
        EXPECT_EQ(pins.early + pins.late, always ? 1000U : 0U);
        EXPECT_EQ(clock.cycle(), 1050U);
        EXPECT_FALSE(clock.hung());
    }
}

TEST(rtl_clock, a_response_that_is_there_waits_until_it_is_taken)
{
    seen pins;
    silent_listener owner;
    rtl_clock clock(std::make_unique<open_block>(pins), 1, owner);
    clock.offer(0, warp_op{});
    pins.valid = true;
    for (std::uint64_t cycle = 1; cycle < 40; ++cycle) {
        clock.advance_to(cycle);
        ASSERT_FALSE(pins.ready) << cycle;
    }
    clock.take_response(0);
    clock.advance_to(40);
    EXPECT_TRUE(pins.ready);
    EXPECT_TRUE(clock.idle());
}

} // namespace
} // namespace isbesim::testbench
