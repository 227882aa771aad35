// SPDX-License-Identifier: Apache-2.0
// The words that an operation touches; for OUT exactly the words that it changes.
#include "models/isbe/access/touched_words.h"

#include <set>

#include <gtest/gtest.h>

#include "tests/isbe/core_bench.h"
#include "tests/isbe/random_operation.h"

namespace isbesim::test {
namespace {

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
