// SPDX-License-Identifier: Apache-2.0
// The relay between a simulation and the writer of its records in another thread. Also runs under the thread sanitizer
// (.ci/sanitized).
#include "testbench/analysis/event_relay.h"

#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace isbesim::testbench {
namespace {

/// Keeps the records that arrive, and the receiving thread.
class kept_records : public run_listener {
public:
    void transaction(const transaction_event& event) override { keep(transactions, event.begin); }
    void warp(const warp_event& event) override { keep(warps, event.number); }
    void level(const level_event&) override
    {
        ++levels;
        if (levels == fails_at) throw std::runtime_error("no room");
    }

    std::vector<std::uint64_t> transactions;
    std::vector<std::uint64_t> warps;
    unsigned levels = 0;
    unsigned fails_at = 0;
    std::thread::id thread;

private:
    void keep(std::vector<std::uint64_t>& all, std::uint64_t number)
    {
        all.push_back(number);
        thread = std::this_thread::get_id();
    }
};

TEST(event_relay, delivers_every_record_once_and_those_of_a_kind_in_order)
{
    constexpr std::uint64_t records = 30000; // several blocks, the last of which is not full
    kept_records kept;
    {
        event_relay relay(kept);
        for (std::uint64_t i = 0; i < records; ++i) {
            transaction_event transaction;
            transaction.begin = i;
            relay.transaction(transaction);
            if (i % 3 != 0) continue;
            warp_event warp;
            warp.number = i;
            relay.warp(warp);
        }
        relay.finish();
    }
    ASSERT_EQ(kept.transactions.size(), records);
    for (std::uint64_t i = 0; i < records; ++i) ASSERT_EQ(kept.transactions[i], i);
    ASSERT_EQ(kept.warps.size(), records / 3);
    for (std::uint64_t i = 0; i < records / 3; ++i) ASSERT_EQ(kept.warps[i], 3 * i);
    EXPECT_NE(kept.thread, std::this_thread::get_id());
}

TEST(event_relay, end_rethrows_the_listeners_error_and_delivery_stops)
{
    kept_records kept;
    kept.fails_at = 2;
    event_relay relay(kept);
    for (unsigned i = 0; i < 20000; ++i) relay.level({});
    EXPECT_THROW(relay.finish(), std::runtime_error);
    EXPECT_EQ(kept.levels, 2U);
}

TEST(event_relay, ends_without_finish_too)
{
    kept_records kept;
    {
        event_relay relay(kept);
        for (std::uint64_t i = 0; i < 5000; ++i) relay.warp({});
    }
    EXPECT_LE(kept.warps.size(), 5000U);
    event_relay unused(kept);
}

} // namespace
} // namespace isbesim::testbench
