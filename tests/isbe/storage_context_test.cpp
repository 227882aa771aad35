// The storage's raw access and the context descriptor's 64 words (micro-architecture sections 3 and 4.7).
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "models/isbe/functional/isbe_core.h"
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

} // namespace
} // namespace isbesim::test
