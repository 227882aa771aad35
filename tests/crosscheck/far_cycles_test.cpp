// SPDX-License-Identifier: Apache-2.0
// Cycles beyond 2^32 and times beyond 2^53 picoseconds, where a double no longer tells one from the next: an operation
// there takes exactly what it takes at the start of a run. 1 GHz, so a cycle is 1000 ps.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "testbench/crosscheck/traffic_run.h"
#include "testbench/rtl/rtl_parameters.h"

namespace isbesim::testbench {
namespace {

/// One AL2P at a time on port 0, each long after the one before.
class far_traffic : public traffic_source {
public:
    static constexpr std::uint64_t starts[] = {
        0,
        (std::uint64_t{1} << 31) - 2,
        (std::uint64_t{1} << 32) - 3, // the response is on the other side
        (std::uint64_t{1} << 33) + 1,
        (std::uint64_t{1} << 53) / 1000 - 2, // time passes 2^53 ps meanwhile
        (std::uint64_t{1} << 53) + 1,
    };
    const traffic_item* draw(unsigned port) override
    {
        if (port != 0 || next_ == std::size(starts)) return nullptr;
        item_.op.op = opcode::isberd;
        item_.op.region = region::physical;
        item_.op.size = 4;
        item_.earliest = starts[next_++];
        return &item_;
    }

private:
    traffic_item item_;
    std::size_t next_ = 0;
};

class far_cycles : public testing::TestWithParam<const char*> {};

TEST_P(far_cycles, latency_is_that_of_the_first_cycles)
{
    traffic_request request;
    request.config = rtl_configuration_of("small");
    request.backend = GetParam();
    far_traffic source;
    const auto outcome = run_traffic(request, source);
    EXPECT_EQ(outcome.mismatch_report, "");
    EXPECT_FALSE(outcome.stuck);
    ASSERT_EQ(outcome.transactions, std::size(far_traffic::starts));
    // Section 5.5: 1 + P + L on an idle block, all 32 lanes read one word in one pass.
    const auto latency = 1 + 1 + request.config.pipeline_latency;
    const auto& measured = outcome.latency[static_cast<unsigned>(opcode::isberd)];
    EXPECT_EQ(measured.min(), latency);
    EXPECT_EQ(measured.max(), latency);
    EXPECT_EQ(outcome.cycles, far_traffic::starts[std::size(far_traffic::starts) - 1] + latency);
}

INSTANTIATE_TEST_SUITE_P(on, far_cycles, testing::Values("at", "rtl", "lockstep", "lt"),
                         [](const auto& one) { return std::string(one.param); });

} // namespace
} // namespace isbesim::testbench
