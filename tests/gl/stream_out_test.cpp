// SPDX-License-Identifier: Apache-2.0
// Streamed-out vertices: layout, room, whole primitives, several buffers and streams.
#include "testbench/gl/draws/stream_out.h"

#include <cstring>

#include <gtest/gtest.h>

#include "tests/gl/push_buffer.h"

namespace isbesim::gl {
namespace {

constexpr std::uint64_t output = test_channel::place;
constexpr unsigned skip = stream_out_buffer::no_attribute;

TEST(stream_out_layout, follows_the_registers)
{
    three_d_state state;
    state.at(0x380) = 1;
    state.at(0x388) = 0x20000000;
    state.at(0x38c) = 0x400;
    state.at(0x700) = 2;
    state.at(0x704) = 6;
    state.at(0x708) = 24;
    state.at(0x2800) = 0x20ff1d1c; // position x, y, nothing, generic 0 x
    state.at(0x2804) = 0x0000f01c; // position x again, nothing
    EXPECT_FALSE(stream_out_layout_of(state)[0].enabled);
    state.at(0x744) = 1;
    const auto layout = stream_out_layout_of(state);
    ASSERT_TRUE(layout[0].enabled);
    EXPECT_FALSE(layout[1].enabled);
    EXPECT_EQ(layout[0].stream, 2U);
    EXPECT_EQ(layout[0].address, output);
    EXPECT_EQ(layout[0].bytes, 0x400U);
    EXPECT_EQ(layout[0].stride, 24U);
    EXPECT_EQ(layout[0].attributes, (std::vector<unsigned>{0x70, 0x74, skip, 0x80, 0x70, skip}));
    const auto columns = captured_columns(layout);
    EXPECT_EQ(columns[2], (std::vector<unsigned>{0x70, 0x74, 0x80}));
    EXPECT_TRUE(columns[0].empty());
}

TEST(stream_out_layout, a_stream_without_attributes_has_a_column_all_the_same)
{
    stream_out_layout layout;
    layout[0].enabled = true;
    layout[0].stream = 1;
    EXPECT_EQ(captured_columns(layout)[1].size(), 1U);
}

class stream_out : public testing::Test {
protected:
    void add(unsigned buffer, unsigned stream, std::uint32_t bytes, std::vector<unsigned> attributes)
    {
        const auto stride = 4 * static_cast<std::uint32_t>(attributes.size());
        layout_[buffer] = {true, stream, output + 0x1000 * buffer, bytes, stride, std::move(attributes)};
    }
    /// Lines of stream `stream`: vertex v of primitive p has 100 p + 10 v + column.
    void lines(unsigned stream, unsigned count)
    {
        const auto columns = captured_columns(layout_);
        stream_out_writer writer(memory_, layout_, columns, position_);
        for (unsigned p = 0; p < count; ++p)
            for (unsigned v = 0; v < 2; ++v) {
                std::vector<word> row(columns[stream].size());
                for (unsigned c = 0; c < row.size(); ++c) row[c] = 100 * p + 10 * v + c;
                writer.vertex(stream, p, v, row.data(), row.size());
            }
        writer.finish();
    }
    /// The first words of a buffer.
    std::vector<word> peek(unsigned buffer, std::size_t count) const
    {
        std::vector<word> words(count);
        std::memcpy(words.data(), memory_.at(output + 0x1000 * buffer, 4 * count), 4 * count);
        return words;
    }

    gpu_memory memory_{std::uint64_t{1} << 32};
    stream_out_layout layout_;
    stream_out_position position_;
};

TEST_F(stream_out, rows_follow_each_other_and_gaps_stay)
{
    add(0, 0, 0x100, {0x70, skip, 0x74});
    const std::uint32_t before = 0x55;
    std::memcpy(memory_.at(output + 4, 4), &before, 4);
    lines(0, 2);
    EXPECT_EQ(peek(0, 12), (std::vector<word>{0, 0x55, 1, 10, 0, 11, 100, 0, 101, 110, 0, 111}));
    EXPECT_EQ(position_.offset[0], 48U);
    EXPECT_EQ(position_.written[0], 2U);
}

TEST_F(stream_out, the_next_draw_goes_on)
{
    add(0, 0, 0x100, {0x70});
    position_.offset[0] = 8;
    lines(0, 1);
    lines(0, 1);
    EXPECT_EQ(peek(0, 6), (std::vector<word>{0, 0, 0, 10, 0, 10}));
    EXPECT_EQ(position_.offset[0], 24U);
}

TEST_F(stream_out, a_primitive_without_room_in_one_buffer_is_in_none)
{
    add(0, 0, 0x100, {0x70});
    add(1, 0, 12, {0x74}); // room for one line and a half
    lines(0, 3);
    EXPECT_EQ(position_.written[0], 1U);
    EXPECT_EQ(position_.needed[0], 3U);
    EXPECT_EQ(position_.offset, (std::array<std::uint32_t, 4>{8, 8}));
    EXPECT_EQ(peek(0, 3), (std::vector<word>{0, 10, 0}));
    EXPECT_EQ(peek(1, 3), (std::vector<word>{1, 11, 0}));
}

TEST_F(stream_out, rows_are_no_longer_than_the_stride)
{
    add(0, 0, 0x100, {0x70, 0x74});
    layout_[0].stride = 4;
    lines(0, 2);
    EXPECT_EQ(peek(0, 5), (std::vector<word>{0, 10, 100, 110, 0}));
}

TEST_F(stream_out, primitives_of_one_number_in_two_streams_are_two)
{
    add(0, 0, 0x100, {0x70});
    add(1, 1, 0x100, {0x70});
    const auto columns = captured_columns(layout_);
    stream_out_writer writer(memory_, layout_, columns, position_);
    for (const word value : {5U, 6U}) writer.vertex(value - 5, 0, 0, &value, 1);
    writer.finish();
    EXPECT_EQ(peek(0, 1), std::vector<word>{5});
    EXPECT_EQ(peek(1, 1), std::vector<word>{6});
    EXPECT_EQ(position_.written, (std::array<std::uint64_t, 4>{1, 1}));
}

TEST_F(stream_out, streams_have_buffers_and_counts_of_their_own)
{
    add(0, 0, 0x100, {0x70});
    add(2, 3, 8, {0x80});
    lines(3, 2);
    EXPECT_EQ(position_.written[3], 1U);
    EXPECT_EQ(position_.needed[3], 2U);
    EXPECT_EQ(position_.needed[0], 0U);
    EXPECT_EQ(peek(2, 2), (std::vector<word>{0, 10}));
    EXPECT_EQ(position_.offset[0], 0U);
}

} // namespace
} // namespace isbesim::gl
