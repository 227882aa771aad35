// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stream_out/output_order.h"

#include <string>

#include <gtest/gtest.h>

namespace isbesim {
namespace {

struct text_sink : vertex_sink {
    std::string text;
    void vertex(unsigned stream, std::uint64_t primitive, unsigned vertex, const word* values,
                std::size_t count) override
    {
        text += std::to_string(stream) + "/" + std::to_string(primitive) + "/" + std::to_string(vertex);
        for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "=" : ",") + std::to_string(values[i]);
        text += " ";
    }
};

struct output_order_test : testing::Test {
    text_sink sink;
    capture_list capture;
    output_order_test() { capture[0] = {0x70}; }

    static void fill(output_order& order, output_order::ticket place, unsigned stream, std::vector<word> words,
                     unsigned per_primitive)
    {
        auto& rows = order.output(place).streams[stream];
        rows.primitive_vertices = per_primitive;
        rows.vertices = words.size();
        rows.words = std::move(words);
    }
};

TEST_F(output_order_test, OUT_12_later_places_wait_for_earlier_ones)
{
    output_order order(sink, capture);
    const auto a = order.append();
    const auto b = order.append();
    const auto c = order.append();
    fill(order, a, 0, {1, 2}, 2);
    fill(order, b, 0, {3, 4}, 2);
    fill(order, c, 0, {5}, 1);
    order.complete(c);
    EXPECT_EQ(sink.text, "");
    order.complete(a);
    EXPECT_EQ(sink.text, "0/0/0=1 0/0/1=2 ");
    EXPECT_EQ(order.waiting(), 2U);
    order.complete(b);
    EXPECT_EQ(sink.text, "0/0/0=1 0/0/1=2 0/1/0=3 0/1/1=4 0/2/0=5 ");
    EXPECT_TRUE(order.empty());
}

TEST_F(output_order_test, OUT_12_a_place_expands_where_it_stands)
{
    output_order order(sink, capture);
    const auto a = order.append();
    const auto b = order.append();
    fill(order, b, 0, {9}, 1);
    order.complete(b);
    const auto first = order.insert_before(a);
    const auto second = order.insert_before(a);
    order.complete(a);
    fill(order, second, 0, {8}, 1);
    order.complete(second);
    EXPECT_EQ(sink.text, "");
    fill(order, first, 0, {7}, 1);
    order.complete(first);
    EXPECT_EQ(sink.text, "0/0/0=7 0/1/0=8 0/2/0=9 ");
}

TEST_F(output_order_test, OUT_05_streams_without_capture_are_counted_only)
{
    output_order order(sink, capture);
    const auto a = order.append();
    auto& rows = order.output(a).streams[2];
    rows.primitive_vertices = 3;
    rows.vertices = 6;
    order.complete(a);
    EXPECT_EQ(sink.text, "");
    EXPECT_EQ(order.primitives(2), 2U);
    EXPECT_EQ(order.vertices(2), 6U);
    EXPECT_EQ(order.primitives(0), 0U);
}

} // namespace
} // namespace isbesim
