// SPDX-License-Identifier: Apache-2.0
// The part of the process's memory that a draw reaches: allocated addresses, tables of textures, windows.
#include "testbench/gl/draws/draw_memory.h"

#include <gtest/gtest.h>

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
    gpu_memory memory(std::uint64_t{1} << 32);
    const auto image = memory.allocate(2 * gpu_memory::page, 0);
    const auto other = memory.allocate(gpu_memory::page, 0);
    memory.set_undrawn(image + gpu_memory::page);
    memory.set_undrawn(image + gpu_memory::page + 16);
    memory.set_undrawn(0); // unused
    memory.find(other, 4);
    memory.find(image, 4);
    EXPECT_FALSE(memory.take_undrawn_was_read());
    memory.find(image + gpu_memory::page, 4);
    EXPECT_TRUE(memory.take_undrawn_was_read());
    memory.release(image, 2 * gpu_memory::page);
    memory.set_undrawn(other + 8);
    EXPECT_FALSE(memory.take_undrawn_was_read());
    EXPECT_EQ(memory.allocate(2 * gpu_memory::page, 0), image);
    memory.find(image + gpu_memory::page, 4);
    EXPECT_FALSE(memory.take_undrawn_was_read());
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
