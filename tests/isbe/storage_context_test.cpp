// SPDX-License-Identifier: Apache-2.0
// The storage's raw access and the context descriptor's 64 words (micro-architecture sections 3 and 4.7).
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "models/isbe/execution/isbe_core.h"
#include "tests/isbe/core_bench.h"

namespace isbesim::test {
namespace {

TEST(storage, starts_as_zero_and_is_little_endian)
{
    storage s(8);
    EXPECT_EQ(s.bytes(), 1024U);
    for (word w = 0; w < s.words(); ++w) ASSERT_EQ(s.read(w), 0U);
    s.write(3, 0x04030201U, ~0U, false);
    for (unsigned b = 0; b < 4; ++b) EXPECT_EQ(s.data()[12 + b], b + 1);
}

TEST(storage, byte_masks_keep_the_other_bytes)
{
    storage s(8);
    s.write(0, 0xaabbccddU, ~0U, false);
    s.write(0, 0x11223344U, 0x00ff00ffU, true);
    EXPECT_EQ(s.read(0), 0xaa22cc44U);
    EXPECT_TRUE(s.overwritten(0));
    EXPECT_FALSE(s.overwritten(1));
}

TEST(storage, debug_access_obeys_enables_and_the_end)
{
    storage s(8);
    const std::uint8_t from[] = {1, 2, 3, 4, 5, 6};
    const std::uint8_t enables[] = {0xff, 0};
    s.write(1, 0, ~0U, true);
    EXPECT_EQ(s.write_bytes(2, from, 6, enables, 2), 6U);
    std::uint8_t to[8] = {};
    EXPECT_EQ(s.read_bytes(0, to, 8), 8U);
    const std::uint8_t expected[] = {0, 0, 1, 0, 3, 0, 5, 0};
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(to[i], expected[i]);
    EXPECT_FALSE(s.overwritten(1));
    EXPECT_EQ(s.write_bytes(1022, from, 6), 2U);
    EXPECT_EQ(s.read_bytes(1022, to, 8), 2U);
    EXPECT_EQ(to[1], 2);
    EXPECT_EQ(s.read_bytes(1024, to, 1), 0U);
    EXPECT_EQ(s.read_bytes(~std::uint64_t{0}, to, 8), 0U);
}

TEST(storage, debug_access_without_enables_is_of_every_byte)
{
    storage s(1);
    const std::uint8_t from[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const std::uint8_t none[] = {0};
    std::uint8_t to[8] = {};
    EXPECT_EQ(s.write_bytes(0, from, 3, nullptr, 2), 3U); // a length without bytes, and bytes without a length
    EXPECT_EQ(s.write_bytes(3, from + 3, 5, none, 0), 5U);
    EXPECT_EQ(s.read_bytes(0, to, 4, none, 0), 4U);
    EXPECT_EQ(s.read_bytes(4, to + 4, 3, nullptr, 1), 3U);
    const std::uint8_t expected[] = {1, 2, 3, 4, 5, 6, 7, 0}; // and not one byte more than was asked for
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(to[i], expected[i]) << i;
    EXPECT_EQ(s.read(1), 0x08070605U);
    EXPECT_EQ(s.read(2), 0U);
}

TEST(storage, debug_writes_clear_the_bit_of_the_words_that_they_touch)
{
    for (unsigned first = 0; first < 12; ++first)
        for (unsigned count = 1; count < 9; ++count) {
            storage s(1);
            for (word w = 0; w < 8; ++w) s.write(w, 0, ~0U, true);
            const std::uint8_t from[9] = {};
            s.write_bytes(first, from, count);
            for (word w = 0; w < 8; ++w)
                EXPECT_EQ(s.overwritten(w), 4 * w + 3 < first || 4 * w >= first + count) << first << " " << count;
        }
}

// Runs, scattered words, parts and bytes, each on a storage of its own: the bit is set and cleared for the lanes of the
// mask, whatever was before.
TEST(storage, the_bit_of_a_word_follows_the_last_write)
{
    constexpr lane_mask some = 0x80000001U | 0x3600U;
    per_lane<word> turned{}, bytes{}, words{};
    for (unsigned i = 0; i < warp_lanes; ++i) {
        turned[i] = 31 - i;
        words[i] = 64 + 31 - i;
        bytes[i] = 4 * words[i] + i % 4;
    }
    for (const bool before : {false, true})
        for (const bool now : {false, true})
            for (unsigned way = 0; way < 4; ++way) {
                storage s(8);
                if (before)
                    for (word w = 0; w < s.words(); ++w) s.write(w, 0, ~0U, true);
                if (way == 0) s.write_run(64, some, lane_numbers, now);
                if (way == 1) s.scatter(64, turned, some, lane_numbers, now);
                if (way == 2) s.scatter_parts(words, some, lane_numbers, lane_masks(some), true, now);
                if (way == 3) s.scatter_bytes(bytes, some, lane_numbers, now);
                for (word w = 0; w < s.words(); ++w) {
                    const auto lane = way == 0 ? w % 32 : 31 - w % 32;
                    const bool touched = w / 32 == 2 && (some >> lane & 1U) != 0;
                    EXPECT_EQ(s.overwritten(w), touched ? now : before) << w << " way " << way;
                }
                if (way != 0) {
                    const lane_mask others = before ? ~some : 0;
                    EXPECT_EQ(s.overwritten(64, turned, all_lanes), others | (now ? some : 0)) << way;
                    EXPECT_EQ(s.overwritten(64, turned, 1), now ? 1U : 0U) << way;
                }
            }
}

// Whatever their index is, and at both ends of the storage.
TEST(storage, lanes_outside_the_mask_reach_nothing)
{
    constexpr lane_mask some = 0x0f0f1248U;
    for (const word base : {word{0}, word{32}}) {
        per_lane<word> index;
        for (unsigned i = 0; i < warp_lanes; ++i) index[i] = (some >> i & 1U) != 0 ? 31 - i : 0xdeadbeefU + i;
        storage s(2);
        for (word w = 0; w < s.words(); ++w) s.write(w, ~w, ~0U, w % 2 != 0);
        s.scatter(base, index, some, lane_numbers, true);
        for (word w = 0; w < s.words(); ++w) {
            const word lane = 31 - w % 32;
            const bool touched = w / 32 == base / 32 && (some >> lane & 1U) != 0;
            EXPECT_EQ(s.read(w), touched ? lane : ~w) << w;
            EXPECT_EQ(s.overwritten(w), touched || w % 2 != 0) << w;
        }
        EXPECT_EQ(s.overwritten(base, index, some), some);
        EXPECT_EQ(s.overwritten(base, index, some & 0xffU), some & 0xffU);
    }
}

TEST(storage, debug_reads_obey_enables)
{
    storage s(1);
    s.write(0, 0x04030201U, ~0U, false);
    const std::uint8_t enables[] = {0, 0xff};
    std::uint8_t to[4] = {9, 9, 9, 9};
    EXPECT_EQ(s.read_bytes(0, to, 4, enables, 2), 4U);
    const std::uint8_t expected[] = {9, 2, 9, 4};
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(to[i], expected[i]);
}

TEST(context, an_empty_one_is_all_zeros)
{
    warp_op op;
    for (auto& d : op.data) d.fill(0xffffffffU);
    pack_context(context{}, op);
    for (unsigned i = 0; i < context_words; ++i) EXPECT_EQ(op.data[i / 32][i % 32], 0U) << i;
    EXPECT_EQ(op.data[2][0], 0xffffffffU); // past the descriptor
}

TEST(context, what_does_not_fit_its_field_is_cut)
{
    context c;
    c.stage = static_cast<stage>(0x12);
    c.geometry = {0x54321, 0x47, 0x8c};
    warp_op op;
    pack_context(c, op);
    EXPECT_EQ(op.data[0][0], 2U);
    EXPECT_EQ(op.data[0][1], 0x4321U);
    EXPECT_EQ(op.data[0][2], 7U);
    EXPECT_EQ(op.data[0][3], 0xcU);
    op.data[0][3] = 0xfff5;
    EXPECT_EQ(unpack_context(op).geometry.stream_mask, 5U);
}

TEST(context, word_positions_of_the_table)
{
    context c;
    c.stage = stage::geometry;
    c.fast_geometry = true;
    c.shared_spaces = true;
    c.geometry = {0x1234, 21, 0xa};
    word next = 0x80;
    for (space_layout* s : {&c.input, &c.output})
        for (word* field : {&s->attr_base, &s->attr_bytes, &s->vertex_count, &s->map_base, &s->map_bytes, &s->prim_base,
                            &s->prim_bytes, &s->patch_base, &s->patch_words, &s->patch_count})
            *field = next++;
    c.input.allocated.insert(239);
    c.input.enabled.insert(33);
    c.output.allocated.insert(0);
    c.output.enabled.insert(64);
    c.primitive[6] = 0xcd;
    warp_op op;
    for (auto& d : op.data) d.fill(0xffffffffU); // whatever was there
    pack_context(c, op);
    const auto w = [&](unsigned i) { return op.data[i / 32][i % 32]; };
    EXPECT_EQ(w(0), 0x35U);
    EXPECT_EQ(w(1), 0x1234U);
    EXPECT_EQ(w(2), 21U);
    EXPECT_EQ(w(3), 0xaU);
    for (unsigned i = 4; i <= 23; ++i) EXPECT_EQ(w(i), 0x80U + i - 4) << "in the order of the table";
    EXPECT_EQ(w(24 + 7), 1U << 15);
    EXPECT_EQ(w(32 + 1), 2U);
    EXPECT_EQ(w(40), 1U);
    EXPECT_EQ(w(48 + 2), 1U);
    EXPECT_EQ(w(57), 0xcd0000U);
    EXPECT_EQ(w(56), 0U);
}

TEST(context, packing_an_unpacked_descriptor_gives_its_named_bits)
{
    std::mt19937 random(1);
    for (unsigned n = 0; n < 100; ++n) {
        warp_op op;
        for (unsigned i = 0; i < context_words; ++i) op.data[i / 32][i % 32] = static_cast<word>(random());
        warp_op again;
        pack_context(unpack_context(op), again);
        for (unsigned i = 0; i < context_words; ++i) {
            word named = ~0U;
            if (i < 4) named = std::array<word, 4>{0x3f, 0xffff, 0x3f, 0xf}[i];
            if (i == 31 || i == 39 || i == 47 || i == 55) named = 0xffff; // ids 240..255 do not exist
            ASSERT_EQ(again.data[i / 32][i % 32], op.data[i / 32][i % 32] & named) << i;
        }
    }
}

TEST(context, a_descriptor_that_leaves_the_storage_is_refused)
{
    const auto refused = [](auto change) {
        auto c = simple_context(stage::vertex, addresses({0x70}));
        change(c);
        core_bench bench;
        try {
            bench.bind(c);
        } catch (const std::invalid_argument&) {
            return bench.core.context_at(0).stage == stage::none;
        }
        return false;
    };
    EXPECT_FALSE(refused([](context&) {}));
    EXPECT_TRUE(refused([](context& c) { c.input.attr_bytes = 1024 * 128 + 1; }));
    EXPECT_TRUE(refused([](context& c) { c.input.attr_base = 0x44; }));
    EXPECT_TRUE(refused([](context& c) { c.output.map_base = 0xfffffffcU; }));
    EXPECT_TRUE(refused([](context& c) { c.output.prim_base = 2; }));
    EXPECT_TRUE(refused([](context& c) { c.input.patch_count = 257; }));
    EXPECT_TRUE(refused([](context& c) { c.input.patch_base = 1024 * 128 - 4; }));
    EXPECT_TRUE(refused([](context& c) { c.input.vertex_count = 65536; }));
    EXPECT_TRUE(refused([](context& c) { c.geometry.thread_count = 33; }));
}

TEST(context, the_error_names_what_does_not_fit)
{
    constexpr word storage_bytes = 4096;
    const auto error = [](auto change) -> std::string {
        context c;
        c.stage = stage::vertex;
        change(c);
        try {
            check_context(c, storage_bytes);
        } catch (const std::invalid_argument& refused) {
            return refused.what();
        }
        return "";
    };
    const std::string input = "context descriptor, input space: ", output = "context descriptor, output space: ";
    EXPECT_EQ(error([](context&) {}), "");
    EXPECT_EQ(error([](context& c) { c.stage = static_cast<stage>(8); }), "context descriptor, stage: above 7");
    EXPECT_EQ(error([](context& c) { c.geometry.thread_count = 32; }), "");
    EXPECT_EQ(error([](context& c) { c.geometry.thread_count = 33; }),
              "context descriptor, geometry: thread_count is above 32");
    EXPECT_EQ(error([](context& c) { c.input.vertex_count = 65535; }), "");
    EXPECT_EQ(error([](context& c) { c.output.vertex_count = 65536; }), output + "vertex_count is above 65535");
    EXPECT_EQ(error([](context& c) { c.input.patch_words = 255; }), "");
    EXPECT_EQ(error([](context& c) { c.input.patch_words = 256; }), input + "patch_words is above 255");
    EXPECT_EQ(error([](context& c) { c.output.patch_count = 256; }), "");
    EXPECT_EQ(error([](context& c) { c.output.patch_count = 257; }), output + "patch_count is above 256");
    EXPECT_EQ(error([](context& c) { c.input.attr_base = 64, c.input.attr_bytes = 1; }),
              input + "attr_base is not a multiple of 128");
    EXPECT_EQ(error([](context& c) { c.input.attr_base = 128, c.input.attr_bytes = storage_bytes - 128; }), "");
    EXPECT_EQ(error([](context& c) { c.input.attr_base = 128, c.input.attr_bytes = storage_bytes - 127; }),
              input + "the ATTR region is not inside the storage");
    const auto words = "region is not inside the storage or not word aligned";
    EXPECT_EQ(error([](context& c) { c.output.map_base = 4, c.output.map_bytes = storage_bytes - 4; }), "");
    EXPECT_EQ(error([](context& c) { c.output.map_base = 4, c.output.map_bytes = storage_bytes - 3; }),
              output + "the MAP " + words);
    EXPECT_EQ(error([](context& c) { c.input.prim_base = 2, c.input.prim_bytes = 1; }), input + "the PRIM " + words);
    const auto patch = [&](word base, word size, word count) {
        return error(
            [&](context& c) { c.output.patch_base = base, c.output.patch_words = size, c.output.patch_count = count; });
    };
    EXPECT_EQ(patch(96, 100, 10), "");
    EXPECT_EQ(patch(100, 100, 10), output + "the PATCH " + words);
    EXPECT_EQ(patch(94, 100, 10), output + "the PATCH " + words);
    // A region of size 0 does not exist: its base may be anything.
    EXPECT_EQ(error([](context& c) {
                  for (space_layout* s : {&c.input, &c.output})
                      for (word* base : {&s->attr_base, &s->map_base, &s->prim_base, &s->patch_base})
                          *base = 0xfffffff3U;
              }),
              "");
    EXPECT_EQ(patch(0xfffffff3U, 100, 0), "");
    EXPECT_EQ(patch(0xfffffff3U, 0, 10), "");
    EXPECT_EQ(error([](context& c) { c.stage = stage::none, c.input.patch_words = 256; }), ""); // never looked at
}

} // namespace
} // namespace isbesim::test
