// SPDX-License-Identifier: Apache-2.0
// Cases that the other files of this folder do not reach, found by mutations (tests/mutation) that they did not notice.
#include "tests/conformance/isbe_fixture.h"

namespace isbesim::test {
namespace {

constexpr unsigned threads = 8;

context gs_context(unsigned maximum)
{
    context c = make_context(stage::geometry, {}, ids({0x80}));
    c.geometry.max_vertices = maximum;
    c.geometry.thread_count = threads;
    return c;
}

class rows : public isbe_conformance {};
ISBESIM_ON_EVERY_BACK_END(rows);

// The stream has two bits: 2 and 3 differ from 0 and 1 in the upper one (HARDWARE.md B.4, E14).
TEST_P(rows, OUT_01_every_stream_has_its_number_in_the_token)
{
    const context c = gs_context(4);
    bench().bind(0, c);
    per_lane<word> state{};
    constexpr word streams[] = {2, 3, 0xfffffffe, 0x7};
    for (unsigned slot = 0; slot < 4; ++slot) {
        warp_op op = make_out(out_type::emit, streams[slot], state);
        op.lanes = (1U << threads) - 1;
        state = run(op).data[0];
        for (unsigned lane = 0; lane < threads; ++lane) {
            EXPECT_EQ(state[lane] >> 16 & 3U, streams[slot] & 3U);
            // Valid, of an enabled stream, no cut (micro-architecture section 4.6); the slots lie side by side.
            const word token = bench().peek_bytes(c.output.map_base + 4 + slot * threads + lane, 1)[0];
            EXPECT_EQ(token, 0xa0U | (streams[slot] & 3U)) << slot;
        }
    }
}

// HARDWARE.md D.4: the count word comes first, and OUT does not write it.
TEST_P(rows, ISBE_06_tokens_follow_the_count)
{
    const context c = gs_context(4);
    bench().bind(0, c);
    bench().poke(c.output.map_base, 0x12345678);
    for (unsigned i = 4; i <= 4 * threads + 4; i += 4) bench().poke(c.output.map_base + i, 0);
    warp_op op = make_out(out_type::emit, 1, {});
    op.lanes = (1U << threads) - 1;
    run(op);
    EXPECT_EQ(bench().peek(c.output.map_base), 0x12345678U);
    EXPECT_EQ(bench().peek(c.output.map_base + 4), 0xa1a1a1a1U);
    EXPECT_EQ(bench().peek(c.output.map_base + 8), 0xa1a1a1a1U);
    EXPECT_EQ(bench().peek(c.output.map_base + 12), 0U);
}

/// The slot order with a thread's vertices side by side: after its last vertex comes the next thread's first.
class rows_blocked : public isbe_conformance {
protected:
    void SetUp() override { config() = alternative_isbe(); }
};
ISBESIM_ON_EVERY_BACK_END(rows_blocked);

TEST_P(rows_blocked, AST_07_a_full_thread_does_not_reach_the_next_ones_vertices)
{
    constexpr unsigned maximum = 3;
    const context c = gs_context(maximum);
    bench().bind(0, c);
    per_lane<word> full{};
    for (unsigned i = 0; i < maximum; ++i) {
        warp_op op = make_out(out_type::emit, 0, full);
        op.lanes = (1U << threads) - 1;
        full = run(op).data[0];
    }
    const auto before = image();
    warp_op store = make_ast(0x80, 1, 0x1000);
    store.handle = full;
    for (const bool one_lane : {false, true}) {
        store.lanes = one_lane ? 1U : (1U << threads) - 1;
        const warp_result r = run(store);
        for (unsigned lane = 0; lane < (one_lane ? 1 : threads); ++lane)
            EXPECT_EQ(r.status[lane], lane_status::gs_overflow) << lane;
        EXPECT_EQ(image(), before) << "vertex " << maximum << " is the first of thread 1";
    }
}

} // namespace
} // namespace isbesim::test
