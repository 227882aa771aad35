// SPDX-License-Identifier: Apache-2.0
// A reset in the middle of an operation (section 2): what the passes before it wrote stays, and nothing else does.
#include <gtest/gtest.h>

#include "tests/rtl/bench.h"

namespace rtl {
namespace {

constexpr unsigned banks = 32; // of configuration `machine`
constexpr unsigned value = 0x600d0000;

/// Lane i writes to row i of bank 0: it is served by pass i.
request one_bank()
{
    request r = bench::physical(op::isbewr, 0);
    r.output = true;
    r.address = per_lane([](unsigned i) { return i * banks * 4; });
    for (unsigned i = 0; i < lane_count; ++i) r.data[i] = value + i;
    return r;
}

/// Accepted in cycle a, granted in a+1, pass i in a+2+i: the reset comes in the cycle of pass `passes`.
void reset_after(bench& b, unsigned passes)
{
    b.dut().offer(0, one_bank());
    ASSERT_TRUE(b.dut().req_ready(0));
    b.dut().step();
    b.dut().withdraw(0);
    for (unsigned cycle = 0; cycle < 1 + passes; ++cycle) b.dut().step();
    b.dut().reset();
}

TEST(reset, the_passes_before_it_have_written_and_no_other)
{
    for (const unsigned passes : {0U, 1U, 13U, 31U}) {
        bench b(make_machine());
        reset_after(b, passes);
        for (unsigned i = 0; i < lane_count; ++i)
            EXPECT_EQ(b.peek_word(i * banks * 4), i < passes ? value + i : 0) << passes << " " << i;
    }
}

TEST(reset, contexts_are_gone_and_nothing_responds)
{
    bench b(make_machine());
    b.bind(1, six_attributes(stage::vsb));
    request load = ald(0x70);
    load.context = 1;
    EXPECT_EQ(b.run(load).error, 0U);
    reset_after(b, 5);
    EXPECT_EQ(b.run(load).error, error_combination);
    for (unsigned cycle = 0; cycle < 100; ++cycle) {
        EXPECT_FALSE(b.dut().resp_valid(0));
        b.dut().step();
    }
}

} // namespace
} // namespace rtl
