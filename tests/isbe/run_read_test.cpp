// SPDX-License-Identifier: Apache-2.0
// isbe_core::read() of a run of words against an operation that reads the same: words, passes and every counter.
#include <cstring>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/access/touched_words.h"
#include "models/isbe/execution/isbe_core.h"
#include "tests/isbe/core_bench.h"
#include "tests/isbe/random_operation.h"

namespace isbesim::test {
namespace {

constexpr word left_alone = 0x5a5a5a5aU;

void fill_with_numbers(isbe_core& core)
{
    for (word i = 0; i < core.storage().words(); ++i) core.storage().write(i, i * 0x01010101U, ~word{0}, false);
}

TEST(run_read, equals_the_operation)
{
    isbe_config own;
    own.lines = 128;
    std::vector<isbe_config> configs(6, own);
    configs[1].banks = 8;
    configs[2].banks = 16;
    configs[3].access = access_rule::line;
    configs[4].bank_map = bank_map::rotate;
    configs[5].bank_map = bank_map::exclusive_or;
    configs[5].banks = 16;
    for (const auto& config : configs) {
        isbe_core read_by_run(config), executed(config);
        fill_with_numbers(read_by_run);
        fill_with_numbers(executed);
        random_source random(config, 7);
        for (unsigned n = 0; n < 3000; ++n) {
            per_lane<word> here, there;
            here.fill(left_alone);
            there.fill(left_alone);
            // Sometimes beyond the end, at an odd byte or not consecutive.
            run_read run;
            run.address = random.number(config.lines * line_bytes + 64) & ~word{random.chance(90) ? 3U : 0U};
            run.stride = random.chance(95) ? 4 : 8;
            run.lanes = random.chance(50) ? all_lanes : random.number(~word{0}) & random.number(~word{0});
            run.to = there.data();
            warp_op op;
            make_read(run, op);
            warp_result result;
            if (run.lanes == 0) {
                EXPECT_FALSE(read_by_run.can_read(run));
                continue;
            }
            const auto possible = read_by_run.can_read(run);
            EXPECT_FALSE(possible && (run.stride != 4 || run.address % 4 != 0));
            if (!possible) continue;
            executed.execute(op, result);
            ASSERT_TRUE(finish_read(run, result)) << run.address;
            run.to = here.data();
            ASSERT_EQ(read_by_run.read(run), result.passes) << run.address;
            ASSERT_EQ(here, there);
            ASSERT_EQ(std::memcmp(&read_by_run.counters(), &executed.counters(), sizeof(isbe_counters)), 0);
        }
        EXPECT_GT(executed.counters().accesses, 2000U);
    }
}

TEST(run_read, ends_with_the_storage)
{
    isbe_config config;
    config.lines = 4;
    const isbe_core core(config);
    word to[warp_lanes];
    EXPECT_TRUE(core.can_read({3 * line_bytes, 4, all_lanes, to}));
    EXPECT_FALSE(core.can_read({3 * line_bytes + 4, 4, all_lanes, to}));
    EXPECT_TRUE(core.can_read({3 * line_bytes + 4, 4, all_lanes >> 1U, to}));
    EXPECT_FALSE(core.can_read({4 * line_bytes, 4, 1, to}));
    EXPECT_FALSE(core.can_read({0xfffffffcU, 4, 3, to}));
}

// The words that an operation touches; for OUT exactly the words that it changes.

std::set<word> named_by(const touched_words& touched)
{
    std::set<word> words;
    touched.for_each([&](word index) { words.insert(index); });
    return words;
}

TEST(touched_words, of_OUT_are_those_that_it_changes)
{
    constexpr word never_a_token = 0x11111111U; // no token equals any byte of it
    isbe_config config;
    config.lines = 32;
    random_source random(config, 3);
    isbe_core core(config);
    touched_words touched(config);
    const auto words = static_cast<word>(core.storage().words());
    unsigned tokens = 0;
    for (unsigned n = 0; n < 3000; ++n) {
        warp_result result;
        auto op = n % 20 == 0 ? random.bind() : random.operation();
        if (op.op == opcode::bind) {
            auto c = unpack_context(op);
            c.stage = stage::geometry;
            c.fast_geometry = false;
            op.context = 0;
            pack_context(c, op);
            core.execute(op, result);
            continue;
        }
        op.op = opcode::out;
        op.context = 0;
        for (word w = 0; w < words; ++w) core.storage().write(w, never_a_token, ~0U, false);
        touched.find(op, core.context_at(0));
        core.execute(op, result);
        std::set<word> changed;
        for (word w = 0; w < words; ++w)
            if (core.storage().read(w) != never_a_token) changed.insert(w);
        ASSERT_EQ(named_by(touched), changed) << n;
        ASSERT_TRUE(touched.store());
        tokens += static_cast<unsigned>(changed.size());
    }
    EXPECT_GT(tokens, 1000U);
}

TEST(touched_words, earlier_words_are_forgotten)
{
    core_bench bench;
    bench.bind(simple_context(stage::vertex, ids({0x70})));
    touched_words touched{isbe_config{}};
    warp_op op;
    op.op = opcode::isberd;
    op.region = region::physical;
    op.size = 4;
    op.lanes = 1;
    touched.find(op, bench.core.context_at(0));
    EXPECT_EQ(named_by(touched), std::set<word>{0});
    EXPECT_FALSE(touched.store());
    op.op = opcode::bind;
    touched.find(op, bench.core.context_at(0));
    EXPECT_EQ(named_by(touched), std::set<word>{});
    op.op = opcode::isbewr;
    touched.find(op, bench.core.context_at(0));
    EXPECT_TRUE(touched.store());
    op.op = opcode::out; // of a vertex stage: an error
    touched.find(op, bench.core.context_at(0));
    EXPECT_EQ(named_by(touched), std::set<word>{});
}

} // namespace
} // namespace isbesim::test
