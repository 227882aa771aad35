// SPDX-License-Identifier: Apache-2.0
// A foreign initiator against the ISBE: simple sockets, payloads of its own, loosely timed with temporal
// decoupling and approximately timed with every manner of ending a response; plain accesses and warp operations.
#include "testbench/examples/foreign/foreign_initiator.h"

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "tests/support/warp_operations.h"
#include "tlm/process_guard.h"
#include "tlm/protocol_checker.h"

namespace foreign {

void PrintTo(manner how, std::ostream* out)
{
    *out << (how == manner::loosely_timed ? "blocking" : "four_phases");
}

} // namespace foreign

namespace isbesim::test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

using ::foreign::foreign_initiator;
using ::foreign::manner;
using ::foreign::own_payload;

class initiator_of_others : public testing::TestWithParam<std::tuple<manner, std::string>> {
protected:
    void with(std::function<void(foreign_initiator&)> body)
    {
        const auto& [how, isbe] = GetParam();
        const cycle_clock clock(sc_time(1, SC_NS));
        std::unique_ptr<isbe_module> target;
        if (isbe == "lt")
            target = std::make_unique<isbe_lt>("isbe", isbe_config{}, clock);
        else
            target = std::make_unique<isbe_at>("isbe", isbe_config{}, clock);
        foreign_initiator initiator("initiator", how, std::move(body));
        protocol_checker checker("checker", clock);
        initiator.socket.bind(checker.target);
        checker.initiator.bind(target->ports[0]);
        start_simulation();
        EXPECT_TRUE(initiator.ran());
        ahead = initiator.ahead();
        checker.finish();
        EXPECT_GT(checker.transactions(), 0U);
        for (const auto& violation : checker.violations()) ADD_FAILURE() << violation.describe();
    }
    sc_time ahead;
};
INSTANTIATE_TEST_SUITE_P(on, initiator_of_others,
                         testing::Combine(testing::Values(manner::loosely_timed, manner::approximately_timed),
                                          testing::Values(std::string("lt"), std::string("at"))),
                         [](const auto& chosen) {
                             return testing::PrintToString(std::get<0>(chosen.param)) + "_" + std::get<1>(chosen.param);
                         });

std::vector<unsigned char> bytes_of(const per_lane<word>& words)
{
    std::vector<unsigned char> bytes;
    for (const word value : words)
        for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<unsigned char>(value >> (8 * i)));
    return bytes;
}

// A program by hand: plain words in, BIND, load, store, plain words out (placed by HARDWARE.md D.2).
TEST_P(initiator_of_others, mixes_plain_accesses_and_warp_operations)
{
    const auto attributes = ids({0x80, 0x84});
    const context bound = make_context(stage::vertex, attributes, attributes);
    with([&](foreign_initiator& initiator) {
        for (unsigned rank = 0; rank < 2; ++rank)
            initiator.write(bound.input.attr_base + skewed(2, rank, 0), bytes_of(counting(1000 * rank + 7, 3)));
        warp_op bind;
        bind.op = opcode::bind;
        pack_context(bound, bind);
        initiator.operation(bind);
        initiator.finish();

        const auto& loaded = initiator.operation(make_ald(0x80, 2));
        const auto& stored = initiator.operation(make_ast(0x80, 2, 0x5000));
        initiator.finish();
        EXPECT_EQ(loaded.extension.result.data[0], counting(7, 3));
        EXPECT_EQ(loaded.extension.result.data[1], counting(1007, 3));
        EXPECT_EQ(stored.extension.result.error, op_error::none);

        const auto& first = initiator.read(bound.output.attr_base + skewed(2, 0, 0), 128);
        const auto& second = initiator.read(bound.output.attr_base + skewed(2, 1, 0), 128);
        initiator.finish();
        EXPECT_EQ(first.data, bytes_of(counting(0x5000)));
        EXPECT_EQ(second.data, bytes_of(counting(0x5100)));
    });
}

// Far more than the queues hold and than one quantum is long.
TEST_P(initiator_of_others, a_long_stream_keeps_its_order)
{
    with([&](foreign_initiator& initiator) {
        std::vector<const own_payload*> reads;
        for (unsigned i = 0; i < 50; ++i) {
            initiator.write(4 * (i % 3), bytes_of(all_lanes_have(i)));
            if (i % 2 == 0) initiator.operation(make_isbewr(region::physical, 4, counting(0x400, 4), counting(i)));
            reads.push_back(&initiator.read(4 * (i % 3), 128));
        }
        initiator.finish();
        for (unsigned i = 0; i < 50; ++i) EXPECT_EQ(reads[i]->data, bytes_of(all_lanes_have(i))) << i;
    });
    // The approximately timed ISBE waits inside the call, to which the delay was annotated.
    const bool decoupled = std::get<0>(GetParam()) == manner::loosely_timed && std::get<1>(GetParam()) == "lt";
    EXPECT_EQ(ahead > sc_time(15, SC_NS), decoupled) << ahead;
}

} // namespace
} // namespace isbesim::test
