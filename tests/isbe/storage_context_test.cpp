// SPDX-License-Identifier: Apache-2.0
// The storage's debug access, and descriptors that are rejected or cut (micro-architecture sections 3 and 4.7). The
// tests with the oracle cover the rest.
#include <stdexcept>

#include <gtest/gtest.h>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/functional/lanes.h"
#include "tests/support/error_text.h"

namespace isbesim::test {
namespace {

TEST(storage, debug_access_obeys_enables_and_the_end)
{
    storage s(8);
    const std::uint8_t source[] = {1, 2, 3, 4, 5, 6};
    const std::uint8_t enables[] = {0xff, 0};
    s.write(1, 0, ~0U, true);
    EXPECT_EQ(s.write_bytes(2, source, 6, enables, 2), 6U);
    std::uint8_t to[8] = {};
    EXPECT_EQ(s.read_bytes(0, to, 8), 8U);
    const std::uint8_t expected[] = {0, 0, 1, 0, 3, 0, 5, 0};
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(to[i], expected[i]);
    EXPECT_FALSE(s.overwritten(1));
    EXPECT_EQ(s.write_bytes(1022, source, 6), 2U);
    EXPECT_EQ(s.read_bytes(1022, to, 8), 2U);
    EXPECT_EQ(to[1], 2);
    EXPECT_EQ(s.read_bytes(1024, to, 1), 0U);
    EXPECT_EQ(s.read_bytes(~std::uint64_t{0}, to, 8), 0U);
}

TEST(storage, debug_access_without_enables_is_of_every_byte)
{
    storage s(1);
    const std::uint8_t source[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const std::uint8_t none[] = {0};
    std::uint8_t to[8] = {};
    EXPECT_EQ(s.write_bytes(0, source, 3, nullptr, 2), 3U); // a length without bytes, and bytes without a length
    EXPECT_EQ(s.write_bytes(3, source + 3, 5, none, 0), 5U);
    EXPECT_EQ(s.read_bytes(0, to, 4, none, 0), 4U);
    EXPECT_EQ(s.read_bytes(4, to + 4, 3, nullptr, 1), 3U);
    const std::uint8_t expected[] = {1, 2, 3, 4, 5, 6, 7, 0}; // and no byte more than requested
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
            const std::uint8_t source[9] = {};
            s.write_bytes(first, source, count);
            for (word w = 0; w < 8; ++w)
                EXPECT_EQ(s.overwritten(w), 4 * w + 3 < first || 4 * w >= first + count) << first << " " << count;
        }
}

// With any index, and at both ends of the storage.
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

TEST(context, values_are_cut_to_their_field)
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

TEST(context, error_names_the_region)
{
    constexpr word storage_bytes = 4096;
    const auto error = [](auto change) {
        context c;
        c.stage = stage::vertex;
        change(c);
        return error_text<std::invalid_argument>([&] { check_context(c, storage_bytes); });
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
    EXPECT_EQ(error([](context& c) { c.stage = stage::none, c.input.patch_words = 256; }), ""); // never checked
}

} // namespace
} // namespace isbesim::test
