// SPDX-License-Identifier: Apache-2.0
// The geometry output state, word by word (micro-architecture section 4.6); conformance rows cover OUT in a draw.
#include "models/isbe/functional/gs_state.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/isbe/core_bench.h"

namespace isbesim::test {
namespace {

constexpr unsigned output_map = 0x10800;

context geometry_context(unsigned maximum, unsigned threads)
{
    auto c = simple_context(stage::geometry, ids({0x70, 0x80}), 256);
    c.input.attr_bytes = 0;
    c.output.attr_bytes = 2 * 128 * 8;
    c.geometry.max_vertices = maximum;
    c.geometry.thread_count = threads;
    c.geometry.stream_mask = 0xf;
    return c;
}

// A single geometry thread: OUT and AST on one lane.
class thread {
public:
    thread(core_bench& bench, unsigned lane) : bench_(bench), lane_(lane) {}
    std::uint16_t out(out_type type, word stream = 0)
    {
        warp_op op;
        op.op = opcode::out;
        op.type = type;
        op.lanes = lane_mask{1} << lane_;
        op.address.fill(stream);
        op.handle.fill(state);
        bench_.run(op);
        state = bench_.result.data[0][lane_];
        return bench_.result.status[lane_];
    }
    std::uint16_t store(unsigned address, word value)
    {
        auto op = on_lane(ast(address, 1, [value](unsigned, unsigned) { return value; }), lane_);
        op.handle.fill(state);
        return bench_.run(op).status[lane_];
    }

    word state = 0;

private:
    core_bench& bench_;
    unsigned lane_;
};

struct geometry_case {
    explicit geometry_case(const context& value, const isbe_config& config = {}) : bench(config) { bench.bind(value); }
    thread lane(unsigned i) { return {bench, i}; }
    core_bench bench;
};

constexpr std::uint16_t ok = lane_status::ok;

TEST(gs_state, fields_of_a_word)
{
    gs_state blank;
    EXPECT_EQ(encode_gs_state(blank), 0U);
    gs_state some = decode_gs_state(0);
    EXPECT_EQ(some.slot, 0U);
    EXPECT_FALSE(some.stream_valid);
    some = decode_gs_state(0x76961234U);
    EXPECT_EQ(some.slot, 0x1234U);
    EXPECT_EQ(some.last_stream, 2U);
    EXPECT_TRUE(some.stream_valid);
    EXPECT_EQ(some.strip, 9U);
    EXPECT_EQ(encode_gs_state(some), 0x76961234U);
    geometry_output geometry;
    geometry.max_vertices = 10;
    geometry.thread_count = 20;
    EXPECT_EQ(gs_slot_index(gs_slot_order::interleaved, 3, 5, geometry), 65U);
    EXPECT_EQ(gs_slot_index(gs_slot_order::blocked, 3, 5, geometry), 53U);
    word index = 3;
    EXPECT_EQ(gs_token_offset(index), 7U);
    gs_token token;
    EXPECT_EQ(token.stream, 0U);
    gs_step step;
    EXPECT_EQ(step.bad_state | step.overflow | step.writes, 0U);
}

/// Section 4.6: 0x80 | cut << 6 | mask << 5 | stream; the other bits have no meaning.
TEST(gs_state, token_has_vertex_cut_mask_and_stream)
{
    for (unsigned value = 0; value < 256; ++value) {
        const auto token = decode_gs_token(static_cast<std::uint8_t>(value));
        EXPECT_EQ(token.vertex, value / 128 % 2 == 1) << value;
        EXPECT_EQ(token.cut, value / 64 % 2 == 1) << value;
        EXPECT_EQ(token.enabled, value / 32 % 2 == 1) << value;
        EXPECT_EQ(token.stream, value % 4) << value;
    }
}

// Each of the 2^24 payloads has exactly one valid checksum, that of the formula.
TEST(gs_state, OUT_06_every_single_bit_error_is_found)
{
    geometry_case g(geometry_context(1000, 1));
    auto t = g.lane(0);
    std::mt19937 random(3);
    for (unsigned n = 0; n < 200; ++n) {
        const auto type = random() % 4 == 0 ? out_type::cut : out_type::emit;
        ASSERT_EQ(t.out(type, static_cast<word>(random())), ok);
        ASSERT_TRUE(gs_state_valid(t.state, 1000));
        for (unsigned b = 0; b < 32; ++b) ASSERT_FALSE(gs_state_valid(t.state ^ (1U << b), 1000)) << n << " bit " << b;
    }
}

// AST-07: with any value in the state register, a thread reaches only the bytes of its own slots.
TEST(gs_state, AST_07_corrupted_states_never_reach_another_thread)
{
    std::mt19937 random(11);
    for (unsigned round = 0; round < 40; ++round) {
        isbe_config config;
        config.gs_slot_order = round % 2 == 0 ? gs_slot_order::interleaved : gs_slot_order::blocked;
        const unsigned maximum = 1 + static_cast<unsigned>(random() % 7);
        const unsigned threads = 1 + static_cast<unsigned>(random() % 32);
        geometry_case g(geometry_context(maximum, threads), config);
        std::vector<bool> vertex_allowed(0x2000);
        std::vector<bool> token_allowed(0x2000);
        const unsigned lane = static_cast<unsigned>(random() % 32);
        for (unsigned k = 0; lane < threads && k < maximum; ++k) {
            const unsigned index = round % 2 == 0 ? k * threads + lane : lane * maximum + k;
            vertex_allowed[index] = token_allowed[index] = true;
        }
        auto t = g.lane(lane);
        for (unsigned n = 0; n < 300; ++n) {
            gs_state forged;
            forged.slot = static_cast<word>(random() % (random() % 4 == 0 ? 65536 : maximum + 2));
            forged.last_stream = static_cast<word>(random() % 4);
            forged.stream_valid = random() % 4 != 0;
            forged.strip = static_cast<word>(random() % 16);
            t.state = random() % 3 == 0 ? static_cast<word>(random()) : encode_gs_state(forged);
            t.store(random() % 2 == 0 ? 0x70 : 0x80, 0xffffffffU);
            t.out(static_cast<out_type>(random() % 4), static_cast<word>(random()));
        }
        for (unsigned b = 0; b < 0x20000; ++b) {
            if (g.bench.byte(b) == 0) continue;
            if (b >= output_map) {
                ASSERT_GE(b, output_map + 4) << round;
                ASSERT_TRUE(token_allowed.at(b - output_map - 4)) << round;
            } else {
                ASSERT_GE(b, 0x8000U);
                const unsigned word_index = (b - 0x8000) / 4; // two attributes: lines alternate
                ASSERT_TRUE(vertex_allowed.at(word_index / 64 * 32 + word_index % 32)) << round;
            }
        }
    }
}

} // namespace
} // namespace isbesim::test
