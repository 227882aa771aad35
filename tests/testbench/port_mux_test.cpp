// SPDX-License-Identifier: Apache-2.0
#include "testbench/system/port_mux.h"

#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/timing/isbe_at.h"
#include "tlm/at_initiator.h"
#include "tlm/protocol_checker.h"

namespace isbesim::testbench {
namespace {

struct log : warp_initiator::client {
    std::vector<std::uint64_t> accepts;
    std::vector<std::uint64_t> tags;
    void response(std::uint64_t tag, const warp_op&, const warp_result&, const transaction_times& times) override
    {
        tags.push_back(tag);
        accepts.push_back(times.accept);
    }
};

/// Two initiators, a checker on each of the three connections, one AT port.
struct bench {
    cycle_clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
    isbe_config config;
    log logs[2];
    at_initiator first{"first", clock, 8, logs[0]};
    at_initiator second{"second", clock, 8, logs[1]};
    port_mux mux{"mux", clock};
    protocol_checker checkers[3] = {{"checker0", clock}, {"checker1", clock}, {"checker2", clock}};
    isbe_at isbe;

    static isbe_config one_port(isbe_config config)
    {
        config.ports = 1;
        return config;
    }
    explicit bench(const isbe_config& with = {}) : config(one_port(with)), isbe("isbe", config, clock)
    {
        first.socket.bind(checkers[0].target);
        checkers[0].initiator.bind(mux.from[0]);
        second.socket.bind(checkers[1].target);
        checkers[1].initiator.bind(mux.from[1]);
        mux.to.bind(checkers[2].target);
        checkers[2].initiator.bind(isbe.ports[0]);
    }
    void send(warp_initiator& initiator, unsigned count)
    {
        for (unsigned i = 0; i < count; ++i) {
            initiator.prepare().op = opcode::al2p;
            initiator.send(i);
        }
    }
    void run()
    {
        sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
        for (auto& checker : checkers) {
            checker.finish();
            EXPECT_EQ(checker.violation_count(), 0U);
        }
    }
};

TEST(port_mux, two_initiators_take_turns_cycle_by_cycle)
{
    bench b;
    b.send(b.first, 3);
    b.send(b.second, 3);
    b.run();
    EXPECT_EQ(b.logs[0].accepts, (std::vector<std::uint64_t>{0, 2, 4}));
    EXPECT_EQ(b.logs[1].accepts, (std::vector<std::uint64_t>{1, 3, 5}));
    EXPECT_EQ(b.logs[0].tags, (std::vector<std::uint64_t>{0, 1, 2}));
    EXPECT_EQ(b.logs[1].tags, (std::vector<std::uint64_t>{0, 1, 2}));
    EXPECT_EQ(b.mux.waited_cycles(1), 3U); // each of its requests met a transfer in its first cycle
}

TEST(port_mux, one_alone_pays_nothing)
{
    bench b;
    b.send(b.second, 4);
    b.run();
    EXPECT_EQ(b.logs[1].accepts, (std::vector<std::uint64_t>{0, 1, 2, 3}));
    EXPECT_EQ(b.mux.waited_cycles(0) + b.mux.waited_cycles(1), 0U);
}

TEST(port_mux, back_pressure_reaches_both)
{
    isbe_config config;
    config.request_queue_depth = 1;
    config.response_queue_depth = 1;
    bench b(config);
    b.send(b.first, 4);
    b.send(b.second, 4);
    b.run();
    EXPECT_EQ(b.logs[0].tags.size(), 4U);
    EXPECT_EQ(b.logs[1].tags.size(), 4U);
    for (std::size_t i = 0; i + 1 < 4; ++i) {
        EXPECT_LT(b.logs[0].accepts[i], b.logs[1].accepts[i]);
        EXPECT_LT(b.logs[1].accepts[i], b.logs[0].accepts[i + 1]);
    }
}

} // namespace
} // namespace isbesim::testbench
