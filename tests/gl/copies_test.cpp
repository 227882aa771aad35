// SPDX-License-Identifier: Apache-2.0
// Uploads, copies and blits: where their bytes go, in lines and in blocks.
#include <set>

#include <gtest/gtest.h>

#include "testbench/gl/chip/surface.h"
#include "tests/gl/push_buffer.h"

namespace isbesim::gl {
namespace {

constexpr std::uint32_t image_place = test_channel::place;

surface blocks(std::uint32_t row_bytes, std::uint32_t height, unsigned block_height, unsigned block_depth = 0)
{
    return {image_place, false, 0, row_bytes, height, block_height, block_depth};
}

TEST(surface, bytes_in_a_gob_follow_the_tables)
{
    // envytools, "GOB layout" of Fermi: 16-byte pieces.
    const auto image = blocks(128, 16, 1);
    const auto texel_offset = [&](std::uint32_t x, std::uint32_t y) { return image.address_of(x, y) - image_place; };
    EXPECT_EQ(texel_offset(15, 0), 15U);
    EXPECT_EQ(texel_offset(0, 1), 16U);
    EXPECT_EQ(texel_offset(16, 0), 32U);
    EXPECT_EQ(texel_offset(0, 2), 64U);
    EXPECT_EQ(texel_offset(32, 0), 256U);
    EXPECT_EQ(texel_offset(0, 8), 512U);   // the next GOB of the block
    EXPECT_EQ(texel_offset(64, 0), 1024U); // the next block
}

TEST(surface, every_byte_of_an_image_has_a_place_of_its_own)
{
    const auto image = blocks(192, 40, 1, 1);
    std::set<std::uint64_t> places;
    for (std::uint32_t z = 0; z < 4; ++z)
        for (std::uint32_t y = 0; y < 48; ++y)
            for (std::uint32_t x = 0; x < 192; ++x) places.insert(image.address_of(x, y, z));
    EXPECT_EQ(places.size(), 192U * 48 * 4);
    EXPECT_EQ(*places.rbegin() - image_place, 192U * 48 * 4 - 1); // whole blocks, no gaps
}

TEST(inline_upload, writes_words_and_remembers_the_length)
{
    test_channel channel;
    channel.submit(push_buffer()
                       .method(0x188, {0, image_place}, push_buffer::upload_subchannel)
                       .method(0x180, {10, 1}, push_buffer::upload_subchannel)
                       .once(0x1b0, {0x1001, 0x11111111, 0x22222222, 0x33333333}, push_buffer::upload_subchannel));
    EXPECT_EQ(channel.peek_words(image_place + 4, 2), (word_list{0x22222222, 0x3333})); // ten bytes, not twelve
    EXPECT_EQ(channel.journal.length_at(image_place), 10U);
}

TEST(inline_upload, each_line_begins_with_a_word_and_is_no_program)
{
    test_channel channel;
    channel.submit(
        push_buffer()
            .method(0x188, {0, image_place, 8}, push_buffer::upload_subchannel)
            .method(0x180, {6, 2}, push_buffer::upload_subchannel)
            .once(0x1b0, {0x1001, 0x11111111, 0x22222222, 0x33333333, 0x44444444}, push_buffer::upload_subchannel));
    EXPECT_EQ(channel.peek_words(image_place + 4, 3), (word_list{0x2222, 0x33333333, 0x4444}));
    EXPECT_EQ(channel.journal.length_at(image_place), 0U); // an upload in lines is an image
}

TEST(upload_journal, joins_full_pieces_and_drops_overwritten_ones)
{
    upload_journal journal;
    constexpr std::uint64_t full = 2046 * 4;
    journal.uploaded(0x1000, full);
    journal.uploaded(0x1000 + full, 100);
    journal.uploaded(0x1000 + full + 100, 50);
    EXPECT_EQ(journal.length_at(0x1000), full + 100);
    journal.uploaded(0x1000 + full + 50, 8);
    EXPECT_EQ(journal.length_at(0x1000), full);
    EXPECT_EQ(journal.length_at(0x1004), 0U);
    EXPECT_EQ(journal.start_around(0x1004), 0x1000U);
    EXPECT_EQ(journal.start_around(0x1000 + full), 0U);
    journal.uploaded(0x1000 + full, 100);
    EXPECT_EQ(journal.start_around(0x1000 + full + 99), 0x1000U);
    EXPECT_EQ(journal.start_around(0x1000 + full + 100), 0x1000U + full + 100); // after a piece that was not full
    EXPECT_EQ(journal.start_around(0x1000 + full + 150), 0U);
}

TEST(copy_engine, copies_a_line)
{
    test_channel channel;
    channel.poke(image_place, 0x12345678);
    channel.submit(push_buffer()
                       .method(0x400, {0, image_place, 0, image_place + 0x1000}, push_buffer::copy_subchannel)
                       .method(0x418, {3}, push_buffer::copy_subchannel)
                       .immediate(0x300, 0x186, push_buffer::copy_subchannel));
    EXPECT_EQ(channel.peek(image_place + 0x1000), 0x345678U);
    EXPECT_EQ(channel.target.transferred, 3U);
    EXPECT_TRUE(channel.counts.skipped.empty());
}

TEST(copy_engine, linear_to_blocks_and_back_is_the_same)
{
    test_channel channel;
    constexpr std::uint32_t tiled = image_place + 0x10000, again = image_place + 0x20000;
    constexpr std::uint32_t width = 40, height = 20, pixel = 4, x = 3, y = 5; // a rectangle inside 64 x 32 pixels
    for (std::uint32_t i = 0; i < width * height; ++i) channel.poke(image_place + 4 * i, i + 1);
    const auto copy = [&](std::uint32_t source, std::uint32_t target, std::uint32_t block_at, std::uint32_t what) {
        channel.submit(push_buffer()
                           .method(0x708, {0x03303210}, push_buffer::copy_subchannel)
                           .method(block_at, {0x1010, 64, 32, 1, 0, y << 16 | x}, push_buffer::copy_subchannel)
                           .method(0x400, {0, source, 0, target, width * pixel, width * pixel, width, height},
                                   push_buffer::copy_subchannel)
                           .immediate(0x300, what, push_buffer::copy_subchannel));
    };
    copy(image_place, tiled, 0x70c, 0x686);
    surface image = blocks(64 * pixel, 32, 1);
    image.address = tiled;
    EXPECT_EQ(channel.peek(image.address_of(x * pixel, y)), 1U);
    EXPECT_EQ(channel.peek(image.address_of((x + 39) * pixel, y + 19)), width * height);
    EXPECT_TRUE(channel.counts.skipped.empty());
    channel.memory.allocate(std::uint64_t{1} << 29, 0); // where the test has its images
    channel.memory.set_undrawn({tiled + 0x100, 16});
    copy(tiled, again, 0x728, 0x706);
    for (std::uint32_t i = 0; i < width * height; ++i) EXPECT_EQ(channel.peek(again + 4 * i), i + 1);
    EXPECT_EQ(channel.counts.skipped[images_read_back], 1U);
    EXPECT_EQ(channel.target.transferred, 2 * width * height * pixel);
}

/// Depth of pixels with stencil in the fourth byte: from a rectangle of an image in blocks to lines, and back beside
/// the old stencil. The origins are those of C1B5 on, then packed.
TEST(copy_engine, components_of_images_in_blocks_change_places)
{
    const auto use = push_buffer::copy_subchannel;
    constexpr std::uint32_t lines = image_place + 0x10000, nowhere = 6, x = 5, y = 3;
    surface image = blocks(64, 16, 1);
    image.address = image_place;
    for (const bool packed : {false, true}) {
        test_channel channel;
        for (std::uint32_t i = 0; i < 8; ++i) {
            channel.poke(image.address_of(4 * (x + i % 4), y + i / 4), 0x55000000 | (i + 1) * 0x10101);
            channel.poke(lines + 4 * i, 0xee000000);
        }
        const auto copy = [&](std::uint32_t block_at, std::uint32_t source, std::uint32_t target, std::uint32_t what) {
            push_buffer push;
            push.method(0x708, {0x03300210 | nowhere << 12}, use).method(block_at, {0x1010, 16, 16, 1, 0}, use);
            if (packed)
                push.method(block_at + 20, {y << 16 | x}, use);
            else
                push.method(block_at == 0x70c ? 0x74c : 0x744, {x, y}, use);
            channel.submit(push.method(0x400, {0, source, 0, target, 16, 16, 4, 2}, use).immediate(0x300, what, use));
        };
        copy(0x728, image_place, lines, 0x706);
        for (std::uint32_t i = 0; i < 8; ++i) {
            EXPECT_EQ(channel.peek(lines + 4 * i), 0xee000000 | (i + 1) * 0x10101);
            channel.poke(lines + 4 * i, i);
        }
        copy(0x70c, lines, image_place, 0x686);
        for (std::uint32_t i = 0; i < 8; ++i)
            EXPECT_EQ(channel.peek(image.address_of(4 * (x + i % 4), y + i / 4)), 0x55000000 | i);
        EXPECT_TRUE(channel.counts.skipped.empty() && channel.counts.refused.empty());
        EXPECT_EQ(channel.target.transferred, 2U * 8 * 4);
    }
}

/// Some of these pixels lie in two pieces of a GOB, which do not follow each other.
TEST(copy_engine, pixels_of_three_bytes_change_components_in_lines_only)
{
    const auto use = push_buffer::copy_subchannel;
    constexpr std::uint32_t to = image_place + 0x10000;
    for (const auto launch : {0x786U, 0x686U, 0x706U}) {
        test_channel channel;
        channel.poke(image_place, 0x04030201);
        channel.poke(image_place + 4, 0x08070605);
        channel.submit(push_buffer()
                           .method(0x708, {0x02200012, 0x1010, 48, 16, 1, 0}, use)
                           .method(0x728, {0x1010, 48, 16, 1, 0}, use)
                           .method(0x400, {0, image_place, 0, to, 64, 64, 8, 2}, use)
                           .immediate(0x300, launch, use));
        const bool in_lines = launch == 0x786;
        EXPECT_EQ(channel.peek(to), in_lines ? 0x06010203U : 0U) << launch;
        EXPECT_EQ(channel.target.transferred, in_lines ? 2U * 8 * 3 : 0U) << launch;
        EXPECT_EQ(channel.counts.skipped.size(), in_lines ? 0U : 1U) << launch;
    }
}

TEST(copy_engine, constants_fill_lines)
{
    test_channel channel;
    const auto use = push_buffer::copy_subchannel;
    for (unsigned i = 0; i < 16; ++i) channel.poke(image_place + 4 * i, 0xeeeeeeee);
    // Pixels of two components of 16 bits, the second constant first; two lines of three, no source.
    channel.submit(push_buffer()
                       .method(0x700, {0x11112222, 0x33334444, 0x01010045}, use)
                       .method(0x400, {0, 0, 0, image_place, 0, 16, 3, 2}, use)
                       .immediate(0x300, 0x786, use));
    for (unsigned line = 0; line < 2; ++line)
        EXPECT_EQ(channel.peek_words(image_place + 16 * line, 4),
                  (word_list{0x22224444, 0x22224444, 0x22224444, 0xeeeeeeee}));
    EXPECT_EQ(channel.target.transferred, 2U * 3 * 4);
    EXPECT_TRUE(channel.counts.refused.empty());
    channel.submit(push_buffer().method(0x408, {0xff, 0}, use).immediate(0x300, 0x786, use));
    EXPECT_EQ(channel.counts.refused.size(), 1U);
}

TEST(copy_engine, an_address_outside_is_refused)
{
    test_channel channel;
    channel.submit(push_buffer()
                       .method(0x400, {0xff, 0, 0, image_place}, push_buffer::copy_subchannel)
                       .method(0x418, {16}, push_buffer::copy_subchannel)
                       .immediate(0x300, 0x186, push_buffer::copy_subchannel));
    EXPECT_EQ(channel.counts.refused.size(), 1U);
    EXPECT_EQ(channel.target.transferred, 0U);
}

// Class headers, A0B5: LAUNCH_DMA 4:3 is 1 for one word, 2 for four; 1:0 is 0 without data, 1 or 2 with; 19 reduces.
TEST(copy_engine, semaphores_release_a_payload_or_a_payload_and_the_time)
{
    test_channel channel;
    const auto use = push_buffer::copy_subchannel;
    constexpr std::uint32_t semaphore = image_place + 0x2000, copied = image_place + 0x1000;
    constexpr std::uint32_t old = 0xeeeeeeee, one_word = 1U << 3, four_words = 2U << 3, reduces = 1U << 19;
    channel.target.time = 0x0000000500000007;
    channel.poke(image_place, 0x12345678);
    struct row {
        std::uint32_t launch;
        word_list words;
        std::uint32_t copied;
    };
    for (const auto& [launch, words, word_copied] :
         {row{one_word, {9, old, old, old}, old}, row{four_words, {9, 0, 7, 5}, old},
          row{0x182 | one_word, {9, old, old, old}, 0x12345678}, row{0x181 | four_words, {9, 0, 7, 5}, 0x12345678},
          row{0x182, {old, old, old, old}, 0x12345678}, row{reduces | one_word, {old, old, old, old}, old}}) {
        for (unsigned i = 0; i < 4; ++i) channel.poke(semaphore + 4 * i, old);
        channel.poke(copied, old);
        channel.submit(push_buffer()
                           .method(0x240, {0, semaphore, 9}, use)
                           .method(0x400, {0, image_place, 0, copied}, use)
                           .method(0x418, {4}, use)
                           .method(0x300, {launch}, use));
        EXPECT_EQ(channel.peek_words(semaphore, 4), words) << launch;
        EXPECT_EQ(channel.peek(copied), word_copied) << launch;
    }
    EXPECT_EQ(channel.counts.skipped.size(), 1U); // the reduction
    channel.submit(push_buffer().method(0x240, {0xff, 0, 9}, use).method(0x300, {one_word}, use));
    EXPECT_EQ(channel.counts.refused.size(), 1U);
}

push_buffer blit(std::uint32_t scale)
{
    push_buffer push;
    const auto use = push_buffer::blit_subchannel;
    push.method(0x200, {0xcf, 1, 0, 1, 0, 64, 16, 4, 0, image_place + 0x1000}, use); // 32-bit pixels, 16 x 4
    push.method(0x230, {0xcf, 1, 0, 1, 0, 32, 8, 4, 0, image_place}, use);
    push.method(0x8b0, {2, 1, 3, 2, 0, scale, 0, scale, 0, 1, 0, 1}, use); // to (2, 1), 3 x 2, from (1, 1)
    return push;
}

TEST(blit_engine, copies_a_rectangle)
{
    test_channel channel;
    for (std::uint32_t i = 0; i < 32; ++i) channel.poke(image_place + 4 * i, i);
    channel.submit(blit(1));
    EXPECT_EQ(channel.peek(image_place + 0x1000 + 64 + 8), 9U);
    EXPECT_EQ(channel.peek(image_place + 0x1000 + 128 + 16), 19U);
    EXPECT_EQ(channel.peek(image_place + 0x1000 + 64 + 20), 0U);
    EXPECT_TRUE(channel.counts.skipped.empty());
}

TEST(blit_engine, scaling_copy_is_reported)
{
    test_channel channel;
    channel.submit(blit(2));
    EXPECT_EQ(channel.counts.skipped.size(), 1U);
}

/// A blit of 2 x 1 pixels between lines of 64 bytes.
push_buffer conversion(std::uint32_t target, std::uint32_t source)
{
    push_buffer push;
    const auto use = push_buffer::blit_subchannel;
    push.method(0x200, {target, 1, 0, 1, 0, 64, 16, 4, 0, image_place + 0x1000}, use);
    push.method(0x230, {source, 1, 0, 1, 0, 64, 16, 4, 0, image_place}, use);
    push.method(0x8b0, {0, 0, 2, 1, 0, 1, 0, 1, 0, 0, 0, 0}, use);
    return push;
}

TEST(blit_engine, converts_pixels_where_the_formats_differ)
{
    const auto converted = [](std::uint32_t target, std::uint32_t source, const word_list& pixels) {
        test_channel channel;
        for (std::uint32_t i = 0; i < pixels.size(); ++i) channel.poke(image_place + 4 * i, pixels[i]);
        channel.submit(conversion(target, source));
        EXPECT_TRUE(channel.counts.skipped.empty());
        return channel.peek_words(image_place + 0x1000, 3);
    };
    // Red, green, blue and alpha change places; what the source does not have is 0, and 1 for alpha.
    EXPECT_EQ(converted(0xd5, 0xcf, {0x44112233, 0x88556677}), (word_list{0x44332211, 0x88776655, 0}));
    EXPECT_EQ(converted(0xd6, 0xd0, {0x44112233, 0x88556677}), (word_list{0x44332211, 0x88776655, 0}));
    EXPECT_EQ(converted(0xcf, 0xf9, {0x00332211, 0xff776655}), (word_list{0xff112233, 0xff556677, 0}));
    EXPECT_EQ(converted(0xd5, 0xf3, {0x0000beef}), (word_list{0xff0000ef, 0xff0000be, 0}));
    EXPECT_EQ(converted(0xd5, 0xf7, {0x0000beef}), (word_list{0xef000000, 0xbe000000, 0}));
    // Floats to halves: 1, -2, 0.5, 65504.
    EXPECT_EQ(converted(0xca, 0xc0, {0x3f800000, 0xc0000000, 0x3f000000, 0x477fe000}),
              (word_list{0xc0003c00, 0x7bff3800, 0}));
    // Five and six bits to eight: 31 of 31, 21 of 63, 0.
    EXPECT_EQ(converted(0xcf, 0xe8, {0xf800U | 21U << 5}), (word_list{0xffff5500, 0xff000000, 0}));
}

TEST(blit_engine, unsupported_copies_are_reported)
{
    test_channel channel;
    const auto use = push_buffer::blit_subchannel;
    channel.poke(image_place, 0x44112233);
    channel.submit(conversion(0xd6, 0xcf)); // to the curve of sRGB
    channel.submit(conversion(0x1c, 0x1c)); // no format of ours
    channel.submit(push_buffer().method(0x2ac, {4}, use));
    channel.submit(conversion(0xd5, 0xd5)); // a raster operation
    EXPECT_EQ(channel.counts.skipped["2D blits that scale or mix"], 3U);
    EXPECT_EQ(channel.peek(image_place + 0x1000), 0U);
}

TEST(blit_engine, a_clip_rectangle_cuts_the_target)
{
    test_channel channel;
    for (std::uint32_t i = 0; i < 32; ++i) channel.poke(image_place + 4 * i, i);
    channel.submit(push_buffer().method(0x280, {3, 2, 1, 9, 1}, push_buffer::blit_subchannel));
    channel.submit(blit(1));
    // The clip rectangle leaves only (3, 2) of the pixels (2, 1) to (4, 2).
    EXPECT_EQ(channel.peek(image_place + 0x1000 + 2 * 64 + 3 * 4), 18U);
    for (const std::uint32_t place : {64U + 8, 64U + 12, 64U + 16, 128U + 8, 128U + 16})
        EXPECT_EQ(channel.peek(image_place + 0x1000 + place), 0U);
}

} // namespace
} // namespace isbesim::gl
