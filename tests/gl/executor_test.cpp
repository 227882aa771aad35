// SPDX-License-Identifier: Apache-2.0
// Draws on a machine in a process of its own, on the memory that everybody shares.
#include <gtest/gtest.h>

#include "testbench/gl/draws/draw_builder.h"
#include "testbench/gl/execution/machine_executor.h"
#include "tests/gl/sample_draw.h"

namespace isbesim::gl {
namespace {

class shared_memory : public testing::Test {
protected:
    /// One point for each address; the program at it stores the word that follows the address in attribute 0.
    draw_result store(const std::vector<std::uint64_t>& addresses)
    {
        return run_program("ALD.128 R0, a[0x80] &wr=0 ; STG.E [R0], R2 &req=0x01 &rd=0 ; EXIT &req=0x01 ;", addresses);
    }
    draw_result run_program(const std::string& code, const std::vector<std::uint64_t>& addresses)
    {
        return run_program(code, addresses, executor_);
    }
    draw_result run_program(const std::string& code, const std::vector<std::uint64_t>& addresses,
                            machine_executor& executor)
    {
        sample_.upload_vertex_code(code);
        for (std::uint32_t i = 0; i < addresses.size(); ++i) {
            sample_.poke(sample_draw::vertices + 16 * i, static_cast<std::uint32_t>(addresses[i]));
            sample_.poke(sample_draw::vertices + 16 * i + 4, static_cast<std::uint32_t>(addresses[i] >> 32));
            sample_.poke(sample_draw::vertices + 16 * i + 8, 0x1000 + i);
        }
        drawn_vertices drawn;
        drawn.runs.push_back({vertex_run::source::arrays, 0, static_cast<std::uint32_t>(addresses.size()), {}});
        draw_builder builder(*find_chip("gm107"), sample_.memory, sample_.journal);
        const auto draw = builder.build(sample_.state, drawn);
        stream_out_position position;
        return executor.run({draw, builder.programs(), {}}, sample_.memory, stream_out_layout_of(sample_.state),
                            position);
    }
    std::uint32_t peek(std::uint64_t address)
    {
        std::uint32_t value = 0;
        std::memcpy(&value, sample_.memory.at(address, 4), 4);
        return value;
    }

    sample_draw sample_;
    machine_executor executor_{machine_config(), *testbench::find_isbe_backend("at")};
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

TEST_F(shared_memory, the_time_is_that_of_all_draws_by_the_machines_clock)
{
    machine_config config;
    config.clock_ghz = 1.7;
    machine_executor timed(config, *testbench::find_isbe_backend("at"));
    EXPECT_EQ(timed.nanoseconds(), 0U);
    std::uint64_t cycles = 0;
    for (const unsigned vertices : {1U, 100U, 7U}) {
        cycles += run_program("EXIT ;", std::vector<std::uint64_t>(vertices), timed).cycles;
        EXPECT_EQ(timed.nanoseconds(), cycles * 10 / 17);
    }
    EXPECT_GT(cycles, 0U);
    timed.transfer(1000);
    EXPECT_EQ(timed.nanoseconds(), cycles * 10 / 17); // by default the copy engine takes no time
    config.chip.copy_bytes_per_cycle = 64;
    machine_executor copying(config, *testbench::find_isbe_backend("at"));
    for (const unsigned bytes : {1000U, 64U, 0U, 1U}) copying.transfer(bytes);
    EXPECT_EQ(copying.nanoseconds(), (16 + 1 + 0 + 1) * 10 / 17U);
    EXPECT_FALSE(machine_executor(config, *testbench::find_isbe_backend("at"), sm_timing::by_warp).nanoseconds());
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

TEST_F(shared_memory, draws_follow_each_other_in_one_process)
{
    // The second buffer, and what the first one holds, came after the process was started.
    const auto first = sample_.memory.allocate(gpu_memory::page, 0);
    ASSERT_TRUE(store({first}).done);
    const auto second = sample_.memory.allocate(gpu_memory::page, 0);
    const auto result = store({second, first + 4});
    ASSERT_TRUE(result.done) << result.text.data();
    EXPECT_EQ(result.traps, 0U);
    EXPECT_EQ(result.invocations[static_cast<unsigned>(stage::vertex)], 2U);
    EXPECT_EQ(peek(first), 0x1000U);
    EXPECT_EQ(peek(first + 4), 0x1001U);
    EXPECT_EQ(peek(second), 0x1000U);
    EXPECT_EQ(executor_.processes(), 1U);
}

TEST_F(shared_memory, what_was_given_back_traps_in_the_next_draw)
{
    const auto buffer = sample_.memory.allocate(gpu_memory::page, 0);
    ASSERT_EQ(store({buffer}).traps, 0U);
    sample_.memory.release(buffer, gpu_memory::page);
    EXPECT_EQ(store({buffer, buffer}).traps, 1U); // of a warp
}

TEST_F(shared_memory, after_a_draw_that_can_not_go_on_there_is_another_process)
{
    const auto buffer = sample_.memory.allocate(gpu_memory::page, 0);
    ASSERT_TRUE(store({buffer}).done);
    const auto failed = run_program("NOP ;", {buffer}); // it runs off its end
    EXPECT_FALSE(failed.done);
    EXPECT_NE(std::string(failed.text.data()).find("runs past its end"), std::string::npos) << failed.text.data();
    const auto good = store({buffer + 4});
    ASSERT_TRUE(good.done) << good.text.data();
    EXPECT_EQ(peek(buffer + 4), 0x1000U);
    EXPECT_EQ(executor_.processes(), 2U);
}

TEST_F(shared_memory, the_same_draw_takes_the_same_cycles_again)
{
    const auto buffer = sample_.memory.allocate(gpu_memory::page, 0);
    const auto first = store({buffer});
    const auto second = store({buffer});
    EXPECT_GT(first.cycles, 0U);
    EXPECT_EQ(first.cycles, second.cycles);
}

} // namespace
} // namespace isbesim::gl
