// SPDX-License-Identifier: Apache-2.0
// The 3D class: draws and their state, constants, reports, conditional rendering.
#include "testbench/gl/channel/three_d_engine.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "testbench/gl/chip/surface.h"
#include "tests/gl/push_buffer.h"

namespace isbesim::gl {
namespace {

using source = vertex_run::source;
constexpr std::uint32_t place = test_channel::place;
constexpr std::uint32_t begin = 0x1618, end = 0x1614, arrays = 0xd74, elements = 0x17dc, next_instance = 1U << 26;

push_buffer& draw_arrays(push_buffer& push, std::uint32_t first, std::uint32_t count, std::uint32_t flags = 0)
{
    return push.method(begin, {4 | flags}).method(arrays, {first, count}).immediate(end, 0);
}

/// Methods of the stream and the draws that they make.
struct stream_row {
    const char* name;
    push_buffer push;
    draw_list draws;
};

void PrintTo(const stream_row& row, std::ostream* out)
{
    *out << row.name;
}

push_buffer drawn_arrays(std::initializer_list<std::uint32_t> flags)
{
    push_buffer push;
    for (const auto each : flags) draw_arrays(push, 2, 6, each);
    return push;
}

const stream_row stream_rows[] = {
    {"instances_of_one_draw_join",
     drawn_arrays({0, next_instance, next_instance, 0}), // the last is another draw
     {{4, 0, 3, {{source::arrays, 2, 6, {}}}}, {4, 0, 1, {{source::arrays, 2, 6, {}}}}}},
    {"inline_indices_of_all_widths_join",
     push_buffer()
         .method(begin, {0})
         .method(0x15e8, {70000})
         .repeat(0x15f0, {0x00020001})
         .repeat(0x1304, {0x06050403})
         .immediate(end, 0),
     {{0, 0, 1, {{source::inline_indices, 0, 7, {70000, 1, 2, 3, 4, 5, 6}}}}}},
    {"runs_keep_their_order",
     push_buffer()
         .method(begin, {5})
         .method(elements, {1, 4})
         .method(0x15e8, {9})
         .method(arrays, {20, 2})
         .immediate(end, 0),
     {{5, 0, 1, {{source::index_buffer, 1, 4, {}}, {source::inline_indices, 0, 1, {9}}, {source::arrays, 20, 2, {}}}}}},
    {"streamed_out_vertices_are_drawn", // eight bytes of 107 are not vertices
     push_buffer()
         .method(begin, {0})
         .immediate(0x13a4, 8)
         .immediate(0x1318, 20)
         .method(0x123c, {107})
         .immediate(end, 0),
     {{0, 0, 1, {{source::arrays, 0, 4, {}}}}}},
};

class draw_streams : public testing::TestWithParam<stream_row> {};

TEST_P(draw_streams, become_draws)
{
    test_channel channel;
    channel.submit(GetParam().push);
    EXPECT_EQ(channel.target.draws, GetParam().draws);
    std::uint64_t vertices = 0;
    for (const auto& draw : GetParam().draws) vertices += draw.count() * draw.instances;
    EXPECT_EQ(channel.counts.draws, GetParam().draws.size());
    EXPECT_EQ(channel.counts.vertices, vertices);
}

INSTANTIATE_TEST_SUITE_P(all, draw_streams, testing::ValuesIn(stream_rows),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(three_d_engine, one_begin_draws_the_instances_of_a_method)
{
    constexpr std::uint32_t all_instances = 1U << 31, same_instance = 1U << 27;
    test_channel channel;
    push_buffer push;
    draw_arrays(push, 2, 6);
    for (const auto instances : {3U, 0U, 2U}) {
        push.method(0x220, {instances});
        draw_arrays(push, 2, 6, all_instances);
    }
    draw_arrays(push, 2, 6, next_instance);
    draw_arrays(push, 2, 6, same_instance);
    draw_arrays(push, 2, 6, 1U << 29); // a piece of a draw
    channel.submit(push);
    std::vector<std::pair<unsigned, unsigned>> drawn;
    for (const auto& draw : channel.target.draws) drawn.emplace_back(draw.first_instance, draw.instances);
    EXPECT_EQ(drawn, (std::vector<std::pair<unsigned, unsigned>>{{0, 1}, {0, 3}, {0, 2}, {1, 1}, {1, 1}}));
    EXPECT_EQ(channel.counts.refused.at("draws in pieces"), 1U);
}

TEST(three_d_engine, state_change_ends_the_pending_instances)
{
    test_channel channel;
    push_buffer push;
    draw_arrays(push, 0, 3);
    push.immediate(0xdcc, 5);
    draw_arrays(push, 0, 3, next_instance);
    channel.submit(push);
    ASSERT_EQ(channel.target.draws.size(), 2U);
    EXPECT_EQ(channel.target.states[0].at(0xdcc), 0U);
    EXPECT_EQ(channel.target.states[1].at(0xdcc), 5U);
    EXPECT_EQ(channel.target.draws[1].first_instance, 1U);
}

TEST(three_d_engine, upload_to_another_class_follows_the_draw)
{
    test_channel channel;
    push_buffer push;
    draw_arrays(push, 0, 3);
    push.method(0x188, {0, place}, push_buffer::upload_subchannel);
    const auto words = push.words;
    channel.processor.words(words.data(), words.size());
    EXPECT_EQ(channel.target.draws.size(), 1U); // before the submission ends
}

TEST(three_d_engine, draws_are_separated_where_the_program_commands_a_wait)
{
    const auto is_separated = [](const std::function<void(push_buffer&)>& between) {
        test_channel channel;
        channel.submit(push_buffer().method(0x1b00, {0, place}));
        channel.target.separated.clear();
        push_buffer push;
        draw_arrays(push, 0, 3);
        between(push);
        draw_arrays(push, 3, 3);
        channel.submit(push);
        const auto& found = channel.target.separated;
        return std::find(found.begin(), found.end(), 1U) != found.end();
    };
    for (const std::uint32_t waits : {0x110U, 0x21cU, 0x1144U, 0x1330U, 0x1334U, 0x1338U}) // WAIT_FOR_IDLE and the like
        EXPECT_TRUE(is_separated([&](push_buffer& push) { push.immediate(waits, 0x11); })) << waits;
    for (const std::uint32_t report : {0x10000000U, 0x10000002U, 0x0000f002U, 0x02800002U}) // semaphores, times, counts
        EXPECT_TRUE(is_separated([&](push_buffer& push) { push.method(0x1b0c, {report}); })) << report;
    EXPECT_TRUE(is_separated([](push_buffer& push) { push.method(0x10, {0, place, 1, 2}); })); // the host's semaphore
    EXPECT_TRUE(is_separated([](push_buffer& push) { push.method(0x180, {4}, push_buffer::upload_subchannel); }));
    // Neither state nor invalidations that do not wait.
    for (const std::uint32_t state : {0x1434U, 0xdccU, 0xda4U, 0x1288U, 0x1424U, 0x1428U})
        EXPECT_FALSE(is_separated([&](push_buffer& push) { push.immediate(state, 1); })) << state;
    EXPECT_FALSE(is_separated([](push_buffer&) {}));
}

TEST(three_d_engine, constants_are_written_and_bound)
{
    test_channel channel;
    channel.submit(push_buffer()
                       .method(0x2380, {0x100, 0, place})
                       .once(0x238c, {8, 11, 22, 33})
                       .method(0x2410 + 0x20 * 3, {0x51})
                       .method(0x2380, {0x200, 0, place + 0x1000})
                       .method(0x2410 + 0x20 * 3, {0x50})
                       .method(0x2410, {0x11})
                       .method(begin, {0})
                       .method(arrays, {0, 1})
                       .immediate(end, 0));
    EXPECT_EQ(channel.peek_words(place + 4, 4), (word_list{0, 11, 22, 33}));
    ASSERT_EQ(channel.target.states.size(), 1U);
    const auto& state = channel.target.states[0];
    EXPECT_FALSE(state.constants[3][5].valid);
    EXPECT_TRUE(state.constants[0][1].valid);
    EXPECT_EQ(state.constants[0][1].address, place + 0x1000);
    EXPECT_EQ(state.constants[0][1].bytes, 0x200U);
}

TEST(three_d_engine, reports_have_four_forms)
{
    test_channel channel;
    channel.target.counter = 0x100000007;
    channel.target.time = 0x300000005;
    const auto ask = [&](std::uint32_t address, std::uint32_t what) {
        channel.submit(push_buffer().method(0x1b00, {0, address, 42, what}));
    };
    ask(place, 0x1000f010); // one word: the payload
    EXPECT_EQ(channel.peek_words(place, 2), (word_list{42, 0}));
    EXPECT_TRUE(channel.target.asked.empty());
    ask(place + 0x10, 0x05805002 | 2 << 5); // 64 bits: primitives written of stream 2
    EXPECT_EQ(channel.target.asked.back(), std::make_pair(report_kind::stream_out_written, 2U));
    EXPECT_EQ(channel.peek_words(place + 0x10, 2), (word_list{7, 1}));
    ask(place + 0x20, 0x0d005002 | 1 << 5); // 32 bits after the payload: offset of buffer 1
    EXPECT_EQ(channel.target.asked.back(), std::make_pair(report_kind::stream_out_offset, 1U));
    EXPECT_EQ(channel.peek_words(place + 0x20, 4), (word_list{42, 7, 5, 3})); // 3 and 5: a time stamp
    ask(place + 0x30, 0x1d005002 | 3 << 5);                                   // one word: offset of buffer 3
    EXPECT_EQ(channel.target.asked.back(), std::make_pair(report_kind::stream_out_offset, 3U));
    EXPECT_EQ(channel.peek_words(place + 0x30, 2), (word_list{7, 0}));
    ask(place + 0x40, 0x1000f011); // waits for what has been done
    EXPECT_EQ(channel.peek(place + 0x40), 0U);
}

TEST(three_d_engine, a_report_is_cleared_by_a_number_of_its_own)
{
    test_channel channel;
    for (const std::uint32_t which : {0x12U, 0x1aU, 0x02U, 0x11U})
        channel.submit(push_buffer().method(0x1530, {which}));
    EXPECT_EQ(channel.target.cleared,
              (std::vector<report_kind>{report_kind::vertices, report_kind::geometry_invocations,
                                        report_kind::stream_out_needed}));
}

TEST(three_d_engine, a_fence_passes_with_its_submission_where_it_ends_that)
{
    test_channel channel;
    const auto fence = [](std::uint32_t value) { return push_buffer().method(0x1b00, {0, place, value, 0x1000f010}); };
    channel.submit(fence(1));
    EXPECT_EQ(channel.peek(place), 1U);
    channel.submit(fence(2).method(0x1b00, {0}));
    channel.submit(push_buffer().method(0x1b00, {0}));
    channel.submit(fence(3).method(0x180, {4, 1}, push_buffer::upload_subchannel));
    EXPECT_EQ(channel.peek(place), 1U);
    EXPECT_EQ(channel.fences.words(place - 4, 8), (std::vector<std::uint32_t>{0, 3})); // the GPU sees it
    channel.submit(push_buffer().method(0x1b00, {0, place + 0x10, 4, 0x1000f010}));
    EXPECT_EQ(channel.peek(place), 3U);
    EXPECT_EQ(channel.peek(place + 0x10), 4U);
    // A longer report takes the place of one that is held.
    channel.submit(fence(5).method(0x1b00, {0, place, 6, 0x0d005002}));
    EXPECT_TRUE(channel.fences.empty());
    EXPECT_EQ(channel.peek(place), 6U);
}

/// A colour target in lines: address, bytes of a line, lines, format; and what a clear is limited to.
push_buffer cleared_target(std::uint32_t format, std::uint32_t pitch, std::uint32_t lines)
{
    push_buffer push;
    push.method(0x121c, {0x1})                                            // one target, the first
        .method(0x800, {0, place, pitch, lines, format, 0x1000, 1, 0, 0}) // in lines
        .method(0xff4, {0xffffU << 16, 0xffffU << 16});                   // all of the surface
    return push;
}
constexpr std::uint32_t all_channels = 0xf << 2;

/// glClearBufferData and its kind: drivers fill buffers so (GL 4.3, 6.2.1).
TEST(three_d_engine, clear_fills_the_selected_part_of_a_target_in_lines)
{
    test_channel channel;
    for (unsigned i = 0; i < 16; ++i) channel.poke(place + 4 * i, 0xaaaaaaaa);
    auto push = cleared_target(0xe4, 16, 3); // words, four in a line
    push.method(0xd80, {5, 6, 7, 8}).immediate(0x19d0, all_channels);
    channel.submit(push);
    EXPECT_EQ(channel.peek_words(place, 12), word_list(12, 5));
    EXPECT_EQ(channel.peek(place + 48), 0xaaaaaaaaU);

    auto part = cleared_target(0xe4, 16, 3); // from column 1 on, lines 1 and 2, by the rectangle
    part.method(0xd80, {9}).method(0x10f8, {1U << 4}).method(0xd6c, {4U << 16 | 1, 3U << 16 | 1});
    part.immediate(0x19d0, all_channels);
    channel.submit(part);
    EXPECT_EQ(channel.peek_words(place, 12), (word_list{5, 5, 5, 5, 5, 9, 9, 9, 5, 9, 9, 9}));
    EXPECT_TRUE(channel.counts.skipped.empty());
}

TEST(three_d_engine, a_clear_leaves_channels_that_it_does_not_name)
{
    test_channel channel;
    channel.poke(place, 0xaaaaaaaa);
    auto push = cleared_target(0xd9, 4, 1); // four bytes, unsigned integers
    push.method(0xd80, {1, 2, 3, 4}).immediate(0x19d0, 0x5 << 2);
    channel.submit(push);
    EXPECT_EQ(channel.peek(place), 0xaa03aa01U);
}

/// A target of 32 by 16 pixels in blocks of two GOBs, in three layers 4096 bytes apart.
push_buffer image_target(std::uint32_t format, std::uint32_t width = 32, std::uint32_t control = 0)
{
    push_buffer push;
    push.method(0x121c, {0x1})
        .method(0x800, {0, place, width, 16, format, 0x10 | control, 3, 0x400, 0})
        .method(0xff4, {0xffffU << 16, 0xffffU << 16});
    return push;
}

TEST(three_d_engine, clear_fills_the_selected_part_of_an_image_in_blocks)
{
    const surface image{place, false, 0, 128, 16, 1, 0};
    struct {
        push_buffer limit;
        std::uint32_t x, y, x_end, y_end, layer;
    } const rows[] = {
        {push_buffer(), 0, 0, 32, 16, 0},
        {push_buffer().method(0x10f8, {1U << 4}).method(0xd6c, {20U << 16 | 3, 12U << 16 | 5}), 3, 5, 20, 12, 0},
        {push_buffer().method(0x10f8, {1U << 8}).method(0xe00, {1, 9U << 16 | 7, 11U << 16 | 1}), 7, 1, 9, 11, 0},
        {push_buffer().method(0x10f8, {1U << 8}).method(0xe00, {0, 9U << 16 | 7, 11U << 16 | 1}), 0, 0, 32, 16, 2},
        {push_buffer().method(0x10f8, {1U << 12}).method(0xc00, {4U << 16 | 2, 3U << 16 | 1}), 2, 1, 6, 4, 1},
        {push_buffer().method(0xff4, {10U << 16 | 1, 8U << 16 | 2}), 1, 2, 11, 10, 0},
        {push_buffer().method(0x820, {1}), 0, 0, 32, 16, 1}, // the first layer
        {push_buffer().method(0x15d0, {3}).method(0xff4, {4U << 16 | 1, 4U << 16 | 2}), 4, 4, 20, 12,
         0}, // 4 x 2 samples
    };
    for (const auto& row : rows) {
        test_channel channel;
        auto push = image_target(0xe4);
        push.words.insert(push.words.end(), row.limit.words.begin(), row.limit.words.end());
        const bool is_first = &row == &rows[6];
        push.method(0xd80, {5}).method(0x19d0, {all_channels | (is_first ? 0 : row.layer) << 10});
        channel.submit(push);
        for (std::uint32_t layer = 0; layer < 3; ++layer)
            for (std::uint32_t y = 0; y < 16; ++y)
                for (std::uint32_t x = 0; x < 32; ++x) {
                    const bool is_in = layer == row.layer && x >= row.x && x < row.x_end && y >= row.y && y < row.y_end;
                    ASSERT_EQ(channel.peek(image.address_of(4 * x, y) + 4096 * layer), is_in ? 5U : 0U)
                        << &row - rows << ": " << x << " " << y << " " << layer;
                }
        EXPECT_TRUE(channel.counts.skipped.empty() && channel.counts.refused.empty());
    }
}

TEST(three_d_engine, clear_of_a_solid_image_fills_a_slice)
{
    test_channel channel;
    constexpr std::uint32_t has_depth = 1U << 16, two_deep = 1U << 8;
    channel.submit(
        image_target(0xe4, 32, has_depth | two_deep).method(0xd80, {7}).method(0x19d0, {all_channels | 1U << 10}));
    const surface image{place, false, 0, 128, 16, 1, 1};
    EXPECT_EQ(channel.peek(image.address_of(4, 3, 0)), 0U);
    EXPECT_EQ(channel.peek(image.address_of(4, 3, 1)), 7U);
    EXPECT_EQ(channel.peek(image.address_of(4, 3, 2)), 0U);
}

/// The words of the first pixels, by the class headers' names of formats.
TEST(three_d_engine, clears_encode_values_in_the_format_of_the_target)
{
    struct {
        std::uint32_t format;
        std::initializer_list<std::uint32_t> values;
        word_list words;
    } const rows[] = {
        {0xd5, {0x3f800000, 0, 0x3f000000, 0x3f800000}, {0xff8000ff}},         // A8B8G8R8: 1, 0, 0.5, 1
        {0xcf, {0x3f800000, 0, 0x3f000000, 0x3f800000}, {0xffff0080}},         // A8R8G8B8
        {0xd6, {0x3e5d0a8b, 0x3f800000, 0, 0x3f000000}, {0x8000ff80}},         // sRGB: 0.21586 is 128, alpha linear
        {0xd7, {0xbf800000, 0x3f800000, 0, 0xc0000000}, {0x81007f81}},         // snorm
        {0xca, {0x3f800000, 0xc0000000, 0x3f000000, 0}, {0xc0003c00, 0x3800}}, // halves
        {0xe0, {0x3f800000, 0x3f800000, 0x3f800000}, {0x781e03c0}},            // 11, 11 and 10 bits: 15 << 6 or 5
        {0xd9, {1, 2, 300, 4}, {0x04ff0201}},                                  // bytes
        {0xc1, {0xffffffff, 2, 3, 4}, {0xffffffff, 2, 3, 4}},                  // four words
        {0xe8, {0x3f800000, 0, 0x3f800000}, {0xf81ff81f}},                     // R5G6B5, two pixels
        {0xf3, {0x3f000000}, {0x80808080}},                                    // R8, four pixels
    };
    for (const auto& row : rows) {
        test_channel channel;
        channel.submit(image_target(row.format).method(0xd80, row.values).immediate(0x19d0, all_channels));
        EXPECT_EQ(channel.peek_words(place, row.words.size()), row.words) << std::hex << row.format;
    }
}

TEST(three_d_engine, clears_of_depth_and_stencil_leave_each_other)
{
    constexpr std::uint32_t one = 0x3f800000, old = 0x11223344;
    struct {
        std::uint32_t format, what, depth;
        word_list words;
        std::uint32_t control = 0;
    } const rows[] = {
        {0x13, 1, one, {0xffffffff, 0xffffffff}},
        {0x13, 2, one, {old, old}}, // Z16 has no stencil
        {0x14, 1, one, {0xffffff44, 0xffffff44}},
        {0x14, 2, one, {0x112233a5, 0x112233a5}}, // Z24S8
        {0x14, 3, 0x3f000000, {0x800000a5, 0x800000a5}},
        {0x16, 1, one, {0x11ffffff, 0x11ffffff}}, // S8Z24
        {0x16, 2, one, {0xa5223344, 0xa5223344}},
        {0x16, 2, one, {0x15223344, 0x15223344}, 1}, // by the mask
        {0x0a, 3, 0x40000000, {0x40000000, 0x40000000}},
        {0x17, 2, one, {0xa5a5a5a5, 0xa5a5a5a5}},
        {0x19, 1, one, {one, 0x44}},
        {0x19, 2, one, {old, 0xa5}}, // ZF32_X24S8
    };
    for (const auto& row : rows) {
        test_channel channel;
        for (unsigned i = 0; i < 8; ++i) channel.poke(place + 4 * i, old);
        push_buffer push;
        push.method(0xfe0, {0, place, row.format, 0, 0}).method(0x1228, {64, 8, 1U << 16 | 1}).method(0x1538, {1});
        push.method(0xff4, {0xffffU << 16, 0xffffU << 16}).method(0x10f8, {row.control}).method(0x139c, {0x0f});
        push.method(0xd90, {row.depth}).method(0xda0, {0xa5}).immediate(0x19d0, row.what);
        channel.submit(push);
        EXPECT_EQ(channel.peek_words(place, 2), row.words) << std::hex << row.format << " " << row.what;
    }
}

/// Blackwell's bit 8 of the format: the stencil of S8Z24 and ZF32_X24S8 has its own image of bytes.
TEST(three_d_engine, clears_find_stencil_in_its_own_target)
{
    constexpr std::uint32_t stencil = place + 0x1000, one = 0x3f800000;
    struct {
        std::uint32_t format, what, depth_word, stencil_word;
    } const rows[] = {{0x116, 1, 0x00ffffff, 0},
                      {0x116, 2, 0, 0xa5a5a5a5},
                      {0x119, 3, one, 0xa5a5a5a5},
                      {0x117, 3, 0, 0xa5a5a5a5},
                      {0x113, 3, 0xffffffff, 0xa5a5a5a5}};
    for (const auto& row : rows) {
        test_channel channel;
        push_buffer push;
        push.method(0xfe0, {0, place, row.format, 0, 0}).method(0x1228, {16, 8, 1U << 16 | 1}).method(0x1538, {1});
        push.method(0xf00, {0, stencil, 0, 0}).method(0x120c, {64, 8});
        push.method(0xff4, {0xffffU << 16, 0xffffU << 16}).method(0xd90, {one}).method(0xda0, {0xa5});
        channel.submit(push.immediate(0x19d0, row.what));
        EXPECT_EQ(channel.peek(place), row.depth_word) << std::hex << row.format;
        EXPECT_EQ(channel.peek(stencil), row.stencil_word) << std::hex << row.format;
    }
}

TEST(three_d_engine, clears_that_are_left_out_are_named)
{
    test_channel channel;
    channel.memory.allocate(std::uint64_t{1} << 29, 0); // where the test has its images
    channel.submit(image_target(0x99).method(0x19d0, {all_channels}).method(0x1538, {0}).immediate(0x19d0, 3));
    EXPECT_EQ(channel.counts.skipped.count("clears of format 99"), 1U);
    EXPECT_EQ(channel.counts.skipped.size(), 1U); // without a target there is nothing to clear
    EXPECT_TRUE(channel.memory.is_undrawn({place, 1}));
    channel.submit(image_target(0xe4).immediate(0x19d0, all_channels));
    EXPECT_FALSE(channel.memory.is_undrawn({place, 2048})); // a layer
    EXPECT_TRUE(channel.memory.is_undrawn({place + 2048, 1}));
}

TEST(three_d_engine, report_follows_the_pending_draw)
{
    test_channel channel;
    push_buffer push;
    draw_arrays(push, 0, 3);
    push.method(0x1b00, {0, place, 1, 0x05805002});
    channel.processor.words(push.words.data(), push.words.size());
    EXPECT_EQ(channel.target.draws.size(), 1U);
    ASSERT_EQ(channel.target.asked.size(), 1U);
}

class conditional_rendering : public testing::TestWithParam<std::tuple<unsigned, std::uint32_t, std::uint32_t, bool>> {
};

TEST_P(conditional_rendering, hides_draws)
{
    const auto [mode, first, second, drawn] = GetParam();
    test_channel channel;
    constexpr std::uint32_t sequence = 5; // in front of a 32-bit value, and no part of it
    channel.poke(place, sequence);
    channel.poke(place + 4, first);
    channel.poke(place + 16, sequence);
    channel.poke(place + 16 + 4, second);
    push_buffer push;
    push.method(0x1550, {0, place, mode});
    draw_arrays(push, 0, 3);
    channel.submit(push);
    EXPECT_EQ(channel.target.draws.size(), drawn ? 1U : 0U);
    EXPECT_EQ(channel.counts.hidden, drawn ? 0U : 1U);
}

INSTANTIATE_TEST_SUITE_P(modes, conditional_rendering,
                         testing::Values(std::make_tuple(0U, 1U, 1U, false), std::make_tuple(1U, 0U, 1U, true),
                                         std::make_tuple(2U, 0U, 1U, false), std::make_tuple(2U, 3U, 1U, true),
                                         std::make_tuple(3U, 3U, 3U, true), std::make_tuple(3U, 3U, 1U, false),
                                         std::make_tuple(4U, 3U, 3U, false), std::make_tuple(4U, 3U, 1U, true)));

TEST(three_d_engine, a_draw_may_come_in_four_words)
{
    test_channel channel("tu102");
    push_buffer push;
    push.method(0x260, {0x204, 3}).method(0x270, {10, 6}); // triangles, all instances
    push.method(0x260, {0x200, 2}).method(0x268, {20, 5}); // points of the index buffer
    push.method(0x260, {0x204, 0}).method(0x270, {10, 6}); // no instance
    push.method(0x260, {0x204, 1}).method(0x270, {10, 0}); // no vertex
    push.method(0x260, {4}).method(0x270, {0, 3});         // an instance, and the next
    push.method(0x260, {0x24}).method(0x270, {0, 3}).method(0x1644, {0});
    push.method(0x1948, {1}).method(0x1970, {0xe}).method(0x260, {0x204, 1}).method(0x270, {0, 4});
    push.method(0x1434, {7, 8}).method(0x260, {0xc04}).method(0x270, {0, 3}); // without bases
    push.method(0x260, {0x284, 1}).method(0x270, {0, 3});                     // in pieces
    channel.submit(push);
    ASSERT_EQ(channel.target.draws, (draw_list{{4, 0, 3, {{source::arrays, 10, 6, {}}}},
                                               {0, 0, 2, {{source::index_buffer, 20, 5, {}}}},
                                               {4, 0, 2, {{source::arrays, 0, 3, {}}}},
                                               {0xe, 0, 1, {{source::arrays, 0, 4, {}}}},
                                               {0xe, 0, 1, {{source::arrays, 0, 3, {}}}}}));
    EXPECT_EQ(channel.target.states[4].at(0x1434), 0U);
    EXPECT_EQ(channel.target.states[4].at(0x1438), 0U);
    EXPECT_EQ(channel.counts.refused.at("draws in pieces"), 1U);
}

TEST(three_d_engine, the_offset_of_stream_out_is_passed_on)
{
    test_channel channel;
    channel.submit(push_buffer().method(0x3a0, {1, 0, place, 0x400, 0x80}));
    EXPECT_EQ(channel.target.offsets, (std::vector<std::pair<unsigned, std::uint32_t>>{{1, 0x80}}));
}

} // namespace
} // namespace isbesim::gl
