// SPDX-License-Identifier: Apache-2.0
// The part of the process's memory that a draw reaches: allocated addresses, tables of textures, windows.
#include <cstring>

#include <gtest/gtest.h>

#include "models/texture/texture_unit.h"
#include "testbench/gl/draws/draw_programs.h"
#include "tests/gl/sample_draw.h"

namespace isbesim::gl {
namespace {

TEST(gpu_memory, programs_reach_buffers_and_nothing_between_them)
{
    gpu_memory memory(std::uint64_t{1} << 32);
    const auto first = memory.allocate(10, 0);
    const auto second = memory.allocate(3 * gpu_memory::page, 0);
    EXPECT_EQ(memory.region(first).data, memory.at(first, 1));
    EXPECT_EQ(memory.region(first + 9).bytes, gpu_memory::page);
    EXPECT_EQ(memory.region(second + 0x2345).address, second);
    EXPECT_EQ(memory.find(first + gpu_memory::page, 1), nullptr);
    EXPECT_EQ(memory.find(second - 1, 1), nullptr);
    EXPECT_EQ(memory.find(second + 3 * gpu_memory::page - 2, 4), nullptr);
    EXPECT_EQ(memory.find(0, 1), nullptr);
    memory.release(first, 10);
    EXPECT_EQ(memory.find(first, 1), nullptr);
    EXPECT_NE(memory.find(second, 1), nullptr);
}

TEST(gpu_memory, nothing_lies_where_generic_addresses_are_local_or_shared)
{
    gpu_memory memory(std::uint64_t{1} << 33);
    const std::uint64_t bytes = gpu_memory::windows - gpu_memory::first_address - 2 * gpu_memory::page;
    EXPECT_EQ(memory.allocate(bytes, 0), gpu_memory::first_address);
    EXPECT_EQ(memory.allocate(gpu_memory::page, 0), gpu_memory::windows_end);
}

TEST(gpu_memory, reading_unwritten_pixels_is_noticed)
{
    constexpr auto page = gpu_memory::page;
    gpu_memory memory(std::uint64_t{1} << 32);
    const auto image = memory.allocate(4 * page, 0);
    const auto other = memory.allocate(page, 0);
    const auto is_noticed = [&](std::uint64_t address) {
        memory.find(address, 4);
        return memory.take_undrawn_was_read();
    };
    memory.set_undrawn({image + page, 2 * page});
    memory.set_undrawn({image + page + 16, page});
    memory.set_undrawn({0, page}); // unused
    EXPECT_FALSE(is_noticed(other));
    EXPECT_FALSE(is_noticed(image));
    EXPECT_TRUE(is_noticed(image + page));
    EXPECT_TRUE(is_noticed(image + 3 * page - 4));
    EXPECT_FALSE(is_noticed(image + 3 * page));
    memory.set_drawn({image + page + 8, page});
    EXPECT_TRUE(is_noticed(image + page + 4));
    EXPECT_FALSE(is_noticed(image + page + 8));
    EXPECT_FALSE(is_noticed(image + 2 * page + 4));
    EXPECT_TRUE(is_noticed(image + 2 * page + 8));
    memory.set_undrawn({other, 100 * page}); // not past the end of its buffer
    memory.release(image, 4 * page);
    EXPECT_EQ(memory.allocate(4 * page, 0), image);
    EXPECT_FALSE(is_noticed(image + page));
    EXPECT_TRUE(is_noticed(other));
}

TEST(gpu_memory, fills_of_hidden_buffers_wait_for_an_access)
{
    gpu_memory memory(std::uint64_t{1} << 32);
    const auto written = [&](std::uint64_t address) { return !memory.extent(address).touched.empty(); };
    const auto hidden = memory.allocate(2 * gpu_memory::page, 0, true);
    const auto mapped = memory.allocate(gpu_memory::page, 0);
    EXPECT_TRUE(memory.fill(fill_of(hidden, 1)));
    EXPECT_TRUE(memory.fill(fill_of(mapped, 2)));
    EXPECT_FALSE(written(hidden));
    EXPECT_TRUE(written(mapped));
    *memory.at(hidden + gpu_memory::page, 1) = 9; // elsewhere
    EXPECT_EQ(memory.extent(hidden).touched.front().address, hidden + gpu_memory::page);
    // A part later, then all but some bits: in that order, with what a program writes between them.
    auto part = fill_of(hidden, 4);
    part.x = {16, 32};
    memory.fill(part);
    EXPECT_EQ(*memory.find(hidden, 1), 1);
    EXPECT_EQ(*memory.at(hidden + 32, 1), 4); // byte 16 of the first line
    *memory.at(hidden + 1, 1) = 0x70;
    auto masked = fill_of(hidden, 8);
    masked.kept.fill(0xf0);
    memory.fill(masked);
    EXPECT_EQ(*memory.at(hidden + 1, 1), 0x78);
    EXPECT_EQ(*memory.at(hidden + 32, 1), 8);
    // Releasing a buffer drops the updates for which it waited.
    memory.fill(fill_of(hidden, 5));
    memory.release(hidden, 2 * gpu_memory::page);
    EXPECT_EQ(memory.allocate(2 * gpu_memory::page, 0, true), hidden);
    EXPECT_EQ(*memory.at(hidden, 1), 0);
    memory.fill(fill_of(hidden, 6));
    memory.carry_out_fills();
    EXPECT_TRUE(written(hidden));
}

TEST(gpu_memory, fills_reach_every_address_of_their_bytes)
{
    constexpr auto page = gpu_memory::page;
    gpu_memory storage(std::uint64_t{1} << 32);
    gpu_memory first(storage, std::uint64_t{1} << 34), second(storage, std::uint64_t{1} << 34);
    const auto place = storage.allocate(2 * page, 0, true);
    constexpr std::uint64_t here = 0x100000000, there = 0x200000000, hole = 0x180000000;
    ASSERT_EQ(first.map(here, {2 * page, place, {}}), 0);
    ASSERT_EQ(second.map(there, {page, place + page, {}}), 0);
    ASSERT_EQ(second.map(there + page, {page, place, {}}), 0);
    first.fill(fill_of(here + page, 3));
    EXPECT_EQ(*second.at(there, 1), 3);
    first.fill(fill_of(here, 4));
    EXPECT_EQ(*second.find(there + page + 8, 1), 4);
    second.fill(fill_of(there + page - 256, 5)); // from one buffer's end to the next
    EXPECT_EQ(*first.at(here, 1), 5);
    EXPECT_EQ(*first.at(here + 2 * page - 1, 1), 5);
    ASSERT_EQ(first.map(hole, {page, memory_range::hole, {}}), 0);
    EXPECT_FALSE(first.fill(fill_of(hole, 6)));
}

/// Every order of clears of parts gives what the parts give in that order.
TEST(gpu_memory, waiting_fills_keep_their_order)
{
    gpu_memory memory(std::uint64_t{1} << 32);
    const auto waiting = memory.allocate(gpu_memory::page, 0, true);
    const auto at_once = memory.allocate(gpu_memory::page, 0);
    std::uint32_t random = 1;
    const auto below = [&](std::uint32_t limit) {
        random = random * 1664525 + 1013904223;
        return (random >> 16) % limit;
    };
    const auto clear = [&](std::uint64_t address, const image_fill& like) {
        auto fill = like;
        fill.where.address = address;
        memory.fill(fill);
    };
    for (unsigned round = 0; round < 400; ++round) {
        for (unsigned i = 0; i < 6; ++i) {
            auto fill = fill_of(0, static_cast<std::uint8_t>(round + i));
            const auto kind = below(4);
            fill.where.height = 32;
            fill.y = {below(8) * 4, 32};
            if (kind != 0) fill.y = {0, 32};
            if (kind == 1) fill.x = {below(4) * 16, 64};
            if (kind == 2) fill.kept.fill(0xf0), fill.bits.fill(static_cast<std::uint8_t>(i));
            clear(waiting, fill);
            clear(at_once, fill);
        }
        const auto one = below(2048);
        ASSERT_EQ(*memory.at(waiting + one, 1), *memory.at(at_once + one, 1)) << round;
    }
    ASSERT_EQ(std::memcmp(memory.at(waiting, 2048), memory.at(at_once, 2048), 2048), 0);
}

class draw_memory : public testing::Test {
protected:
    draw_call build(const std::string& code)
    {
        sample_.upload_vertex_code(code);
        draw_call draw;
        draw.stages[stage::vertex].program = isa::assemble(code, isa::architecture::sm50);
        draw.stages[stage::geometry].program = isa::assemble("EXIT ;", isa::architecture::sm50);
        add_memory(sample_.state, sample_.memory, draw);
        return draw;
    }

    sample_draw sample_;
};

TEST_F(draw_memory, is_given_to_draws_whose_programs_use_it)
{
    const auto plain = build("ALD R0, a[0x80] ; EXIT ;");
    EXPECT_EQ(plain.memory, nullptr);
    EXPECT_EQ(plain.stages.at(stage::vertex).textures, nullptr);
    sample_.state.at(0x77c) = 0xab000000;
    const auto loading = build("LDG.E R0, [R2] ; EXIT ;");
    EXPECT_EQ(loading.memory.get(), &sample_.memory);
    EXPECT_EQ(loading.stages.at(stage::geometry).windows.local, 0xab000000U);
    EXPECT_EQ(loading.stages.at(stage::vertex).textures, nullptr);
}

TEST_F(draw_memory, textures_are_at_the_registers_addresses)
{
    sample_.state.at(0x1574) = 2;
    sample_.state.at(0x1578) = 0x1000;
    sample_.state.at(0x157c) = 2047;
    sample_.state.at(0x155c) = 3;
    sample_.state.at(0x1560) = 0x2000;
    sample_.state.at(0x1564) = 99;
    sample_.state.at(0x2608) = 15;
    const auto draw = build("TEXS R1, R0, R2, R3, 0x8, 2D, RGBA ; EXIT ;");
    EXPECT_EQ(draw.memory.get(), &sample_.memory);
    ASSERT_NE(draw.stages.at(stage::vertex).textures, nullptr);
    EXPECT_EQ(draw.stages.at(stage::vertex).textures, draw.stages.at(stage::geometry).textures);
    const auto& where = draw.stages.at(stage::vertex).textures->where();
    EXPECT_EQ(where.headers, 0x200001000U);
    EXPECT_EQ(where.header_count, 2048U);
    EXPECT_EQ(where.samplers, 0x300002000U);
    EXPECT_EQ(where.sampler_count, 100U);
    EXPECT_EQ(where.handle_bank, 15U);
}

} // namespace
} // namespace isbesim::gl
