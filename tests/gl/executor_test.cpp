// Draws in processes of their own, on the memory that everybody shares.
#include <gtest/gtest.h>

#include "testbench/gl/draws/draw_builder.h"
#include "testbench/gl/draws/process_executor.h"
#include "tests/gl/sample_draw.h"

namespace isbesim::gl {
namespace {

class shared_memory : public testing::Test {
protected:
    /// One point for each address; the program at it stores the word that follows the address in attribute 0.
    draw_result store(const std::vector<std::uint64_t>& addresses)
    {
        sample_.upload_vertex_code("ALD.128 R0, a[0x80] &wr=0 ; STG.E [R0], R2 &req=0x01 &rd=0 ; EXIT &req=0x01 ;");
        for (std::uint32_t i = 0; i < addresses.size(); ++i) {
            sample_.poke(sample_draw::vertices + 16 * i, static_cast<std::uint32_t>(addresses[i]));
            sample_.poke(sample_draw::vertices + 16 * i + 4, static_cast<std::uint32_t>(addresses[i] >> 32));
            sample_.poke(sample_draw::vertices + 16 * i + 8, 0x1000 + i);
        }
        drawn_vertices drawn;
        drawn.runs.push_back({vertex_run::source::arrays, 0, static_cast<std::uint32_t>(addresses.size()), {}});
        draw_builder builder(*find_chip("gm107"), sample_.memory, sample_.journal);
        const auto draw = builder.build(sample_.state, drawn);
        process_executor executor(machine_config(), *testbench::find_isbe_backend("lt"));
        stream_out_position position;
        return executor.run(draw, sample_.memory, stream_out_layout_of(sample_.state), position);
    }
    std::uint32_t peek(std::uint64_t address)
    {
        std::uint32_t value = 0;
        std::memcpy(&value, sample_.memory.at(address, 4), 4);
        return value;
    }

    sample_draw sample_;
};

TEST_F(shared_memory, what_programs_store_is_there_after_the_draw)
{
    const auto buffer = sample_.memory.allocate(gpu_memory::page, 0);
    const auto result = store({buffer + 8, buffer, buffer + 4});
    ASSERT_TRUE(result.done) << result.text.data();
    EXPECT_EQ(result.traps, 0U);
    EXPECT_EQ(peek(buffer), 0x1001U);
    EXPECT_EQ(peek(buffer + 4), 0x1002U);
    EXPECT_EQ(peek(buffer + 8), 0x1000U);
}

TEST_F(shared_memory, addresses_outside_of_buffers_trap_and_the_draw_goes_on)
{
    const auto buffer = sample_.memory.allocate(gpu_memory::page, 0);
    const auto behind = store({buffer + gpu_memory::page});
    ASSERT_TRUE(behind.done) << behind.text.data();
    EXPECT_EQ(behind.traps, 1U);
    EXPECT_EQ(std::string(behind.trap.data()), "OOR_ADDR in a program of stage vertex at 0x10");
    EXPECT_EQ(peek(buffer + gpu_memory::page), 0U);
    const auto crooked = store({buffer + 2});
    EXPECT_EQ(std::string(crooked.trap.data()), "MISALIGNED_ADDR in a program of stage vertex at 0x10");
    EXPECT_EQ(peek(buffer), 0U);
}

} // namespace
} // namespace isbesim::gl
