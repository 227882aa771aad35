// SPDX-License-Identifier: Apache-2.0
// Where the RTL's cycles went, by the rules of the page as long as its responses keep to them.
#include "testbench/rtl/rtl_account.h"

#include <memory>

#include <gtest/gtest.h>

namespace isbesim::testbench {
namespace {

class account_of_rtl : public testing::Test {
protected:
    account_of_rtl()
    {
        op_.op = opcode::isberd;
        op_.region = region::physical;
        op_.size = 4;
        op_.lanes = 1;
        result_.passes = 1;
    }
    /// One on the idle port 0, accepted in a cycle.
    port_operation accepted(std::uint64_t cycle)
    {
        port_operation operation;
        operation.op = &op_;
        operation.result = &result_;
        operation.begin = cycle - 2;
        operation.accept = cycle;
        account_->accept(0, operation);
        return operation;
    }
    void answer(const port_operation& operation, std::uint64_t cycle)
    {
        account_->respond(0, operation, 0, cycle);
        account_->transfer(0, 3, cycle + 3);
    }

    isbe_config config_;
    std::unique_ptr<rtl_account> account_ = std::make_unique<rtl_account>(config_);
    /// Of section 5: grant in a + 1, P = 1 pass, L more.
    std::uint64_t answered_after_ = 1 + 1 + config_.pipeline_latency;
    warp_op op_{};
    warp_result result_{};
};

TEST_F(account_of_rtl, follows_the_page_that_the_pins_follow)
{
    answer(accepted(5), 5 + answered_after_);
    ASSERT_TRUE(account_->follows_page(100));
    const auto stacks = account_->stacks(100);
    ASSERT_EQ(stacks.size(), 1 + config_.ports);
    EXPECT_EQ(stacks[0].resource, "pass_engine");
    EXPECT_EQ(stacks[0].busy(), 1U);
    EXPECT_EQ(account_->counters(0).stalls[stall_reason::queue_full], 2U);
    EXPECT_EQ(account_->counters(0).stalls[stall_reason::response], 3U);
}

TEST_F(account_of_rtl, ends_with_a_response_in_another_cycle)
{
    for (const int difference : {-5, -1, 1, 7}) {
        account_ = std::make_unique<rtl_account>(config_);
        answer(accepted(5), 5 + answered_after_);
        answer(accepted(50), 50 + answered_after_ + static_cast<std::uint64_t>(difference));
        EXPECT_FALSE(account_->follows_page(100)) << difference;
        EXPECT_TRUE(account_->stacks(100).empty());
        answer(accepted(200), 200 + answered_after_);
        // What operations did is counted all the same.
        EXPECT_EQ(account_->functional_counters(300).accesses, 3U) << difference;
        EXPECT_EQ(account_->counters(0).operations, 3U);
        EXPECT_EQ(account_->counters(0).busy_cycles, 3U);
        EXPECT_EQ(account_->counters(0).stalls[stall_reason::queue_full], 6U);
        EXPECT_EQ(account_->counters(0).stalls[stall_reason::response], 9U);
    }
}

TEST_F(account_of_rtl, ends_with_a_response_that_does_not_come)
{
    accepted(5);
    EXPECT_TRUE(account_->follows_page(5 + answered_after_));
    EXPECT_FALSE(account_->follows_page(5 + answered_after_ + 1));
}

} // namespace
} // namespace isbesim::testbench
