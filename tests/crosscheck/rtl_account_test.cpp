// SPDX-License-Identifier: Apache-2.0
// The account of the RTL's cycles, which lasts as long as its responses keep to the rules of the page.
#include "testbench/rtl/rtl_account.h"

#include <memory>

#include <gtest/gtest.h>

namespace isbesim::testbench {
namespace {

class rtl_cycle_account : public testing::Test {
protected:
    rtl_cycle_account()
    {
        op_.op = opcode::isberd;
        op_.region = region::physical;
        op_.size = 4;
        op_.lanes = 1;
        result_.passes = 1;
    }
    /// An operation on the idle port 0, accepted in `cycle`.
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
    /// Cycles from accept to response by section 5: grant in the next one, a pass, the pipeline.
    std::uint64_t answer_delay_ = 1 + 1 + config_.pipeline_latency;
    warp_op op_{};
    warp_result result_{};
};

TEST_F(rtl_cycle_account, counts_cycles_of_a_response_in_time)
{
    answer(accepted(5), 5 + answer_delay_);
    ASSERT_TRUE(account_->follows_page(100));
    const auto stacks = account_->stacks(100);
    ASSERT_EQ(stacks.size(), 1 + config_.ports);
    EXPECT_EQ(stacks[0].resource, "pass_engine");
    EXPECT_EQ(stacks[0].busy(), 1U);
    EXPECT_EQ(account_->counters(0).stalls[stall_reason::queue_full], 2U);
    EXPECT_EQ(account_->counters(0).stalls[stall_reason::response], 3U);
}

TEST_F(rtl_cycle_account, ends_with_an_early_or_late_response)
{
    for (const int difference : {-5, -1, 1, 7}) {
        account_ = std::make_unique<rtl_account>(config_);
        answer(accepted(5), 5 + answer_delay_);
        answer(accepted(50), 50 + answer_delay_ + static_cast<std::uint64_t>(difference));
        EXPECT_FALSE(account_->follows_page(100)) << difference;
        EXPECT_TRUE(account_->stacks(100).empty());
        answer(accepted(200), 200 + answer_delay_);
        // Operations are still counted.
        EXPECT_EQ(account_->functional_counters(300).accesses, 3U) << difference;
        EXPECT_EQ(account_->counters(0).operations, 3U);
        EXPECT_EQ(account_->counters(0).busy_cycles, 3U);
        EXPECT_EQ(account_->counters(0).stalls[stall_reason::queue_full], 6U);
        EXPECT_EQ(account_->counters(0).stalls[stall_reason::response], 9U);
    }
}

TEST_F(rtl_cycle_account, ends_with_a_missing_response)
{
    accepted(5);
    EXPECT_TRUE(account_->follows_page(5 + answer_delay_));
    EXPECT_FALSE(account_->follows_page(5 + answer_delay_ + 1));
}

} // namespace
} // namespace isbesim::testbench
