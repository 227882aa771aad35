// SPDX-License-Identifier: Apache-2.0
// The relay between a simulation and the writer of its records in another thread. Also runs under the thread sanitizer
// (.ci/sanitized).
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/analysis/event_relay.h"
#include "testbench/scenario/vertex_relay.h"

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

// The relay between a simulation and the writer of its vertices in another thread. Also runs under the thread sanitizer
// (.ci/sanitized).

struct row {
    unsigned stream;
    std::uint64_t primitive;
    unsigned vertex;
    std::vector<word> values;
    bool operator==(const row& other) const
    {
        return std::tie(stream, primitive, vertex, values) ==
               std::tie(other.stream, other.primitive, other.vertex, other.values);
    }
};

/// The received vertices; outlives the output, which belongs to the relay.
struct kept_rows {
    std::vector<row> rows;
    std::thread::id thread;
    unsigned finished = 0;
    std::size_t fails_at = ~std::size_t{0};
};

class keeper : public vertex_output {
public:
    explicit keeper(kept_rows& kept) : kept_(kept) {}
    void vertex(unsigned stream, std::uint64_t primitive, unsigned vertex, const word* values,
                std::size_t count) override
    {
        kept_.rows.push_back({stream, primitive, vertex, {values, values + count}});
        kept_.thread = std::this_thread::get_id();
        if (kept_.rows.size() == kept_.fails_at) throw std::runtime_error("no room");
    }
    void finish() override { ++kept_.finished; }
    std::uint64_t rows() const override { return kept_.rows.size(); }

private:
    kept_rows& kept_;
};

/// Vertices of every kind: one by one and by primitives, of several streams, without values.
void send(vertex_output& to)
{
    word next = 1;
    std::uint64_t primitives[2] = {};
    for (unsigned i = 0; i < 12000; ++i) {
        const unsigned stream = i % 2;
        const std::size_t count = i % 7;
        const unsigned vertices = 1 + i % 3, complete = i % 5;
        std::vector<word> values(count * vertices * complete);
        for (auto& value : values) value = next++;
        to.primitives(stream, primitives[stream], vertices, values.data(), count, std::uint64_t{vertices} * complete);
        primitives[stream] += complete;
        for (unsigned v = 0; v < i % 4; ++v) {
            const std::vector<word> one(count, next++);
            to.vertex(stream, primitives[stream], v, one.data(), count);
        }
        ++primitives[stream];
    }
}

TEST(vertex_relay, every_vertex_comes_once_and_in_order)
{
    kept_rows direct, relayed;
    keeper reference(direct);
    send(reference);
    vertex_relay relay(std::make_unique<keeper>(relayed));
    send(relay);
    relay.finish();
    ASSERT_EQ(relay.rows(), direct.rows.size());
    ASSERT_EQ(relayed.rows.size(), direct.rows.size());
    for (std::size_t i = 0; i < direct.rows.size(); ++i) ASSERT_EQ(relayed.rows[i], direct.rows[i]) << i;
    EXPECT_NE(relayed.thread, std::this_thread::get_id());
    EXPECT_EQ(relayed.finished, 1U);
}

TEST(vertex_relay, end_rethrows_the_outputs_error_and_delivery_stops)
{
    kept_rows kept;
    kept.fails_at = 3;
    vertex_relay relay(std::make_unique<keeper>(kept));
    send(relay);
    EXPECT_THROW(relay.finish(), std::runtime_error);
    EXPECT_EQ(kept.rows.size(), 3U);
    EXPECT_EQ(kept.finished, 0U);
}

TEST(vertex_relay, ends_without_finish_too)
{
    kept_rows kept;
    {
        vertex_relay relay(std::make_unique<keeper>(kept));
        send(relay);
    }
    EXPECT_EQ(kept.finished, 0U);
    const vertex_relay unused(std::make_unique<keeper>(kept));
}

} // namespace
} // namespace isbesim::testbench
