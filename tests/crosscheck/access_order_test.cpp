// SPDX-License-Identifier: Apache-2.0
// What an operation depends on: the words that touched_words names are the ones that count, and any order that keeps
// streams and dependencies gives every operation the answer that the original order gave it.
#include "testbench/crosscheck/traces/access_order.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/access/touched_words.h"
#include "models/isbe/execution/isbe_core.h"
#include "testbench/crosscheck/traffic/operation_answer.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "tests/crosscheck/small_machine.h"
#include "tests/isbe/random_operation.h"
#include "tests/support/warp_operations.h"

namespace isbesim::testbench {
namespace {

/// Crosscheck traffic of both ports in turn, then denser random operations.
std::vector<warp_op> operations(const isbe_config& config, unsigned seed, unsigned count)
{
    std::vector<warp_op> ops;
    random_traffic traffic(config, seed, count);
    traffic_item item;
    for (unsigned i = 0; i < count; ++i)
        if (traffic.next(i % 2, item)) ops.push_back(item.op);
    test::random_source more(config, seed);
    for (unsigned i = 0; i < count; ++i) ops.push_back(i % 16 == 0 ? more.bind() : more.operation());
    return ops;
}

TEST(touched_words, are_all_that_an_operation_changes_and_looks_at)
{
    const auto config = small_machine();
    isbe_core core(config);
    isbe_core other(config);
    touched_words touched(config);
    const word words = config.lines * 32;
    std::vector<bool> named(words);
    warp_result result;
    warp_result other_result;
    unsigned stores = 0;
    unsigned loads = 0;
    for (const auto& op : operations(config, 3, 1500)) {
        std::fill(named.begin(), named.end(), false);
        const bool flat = is_raw(op.op) && op.region == region::physical;
        if (op.op != opcode::bind && (flat || op.context < config.contexts)) {
            touched.find(op, flat ? context{} : core.context_at(op.context));
            touched.for_each([&](word index) { named[index] = true; });
            ++(touched.store() ? stores : loads);
        }
        // All others are turned around before and after: nothing may notice.
        const auto turn = [&] {
            for (word i = 0; i < words; ++i)
                if (!named[i])
                    other.storage().write(i, ~other.storage().read(i), ~word{0}, !other.storage().overwritten(i));
        };
        std::vector<std::pair<word, bool>> before;
        for (word i = 0; i < words; ++i) before.emplace_back(core.storage().read(i), core.storage().overwritten(i));
        core.execute(op, result);
        turn();
        other.execute(op, other_result);
        turn();
        ASSERT_EQ(answer_of(op, result), answer_of(op, other_result));
        for (word i = 0; i < words; ++i) {
            const std::pair<word, bool> now{core.storage().read(i), core.storage().overwritten(i)};
            ASSERT_TRUE(now == before[i] || (named[i] && touched.store())) << i;
            ASSERT_EQ(now.first, other.storage().read(i));
            ASSERT_EQ(now.second, other.storage().overwritten(i));
        }
    }
    EXPECT_GT(stores, 300U);
    EXPECT_GT(loads, 300U);
}

struct traced {
    warp_op op;
    unsigned stream = 0;
    dependency_list after;
    operation_answer answer;
};

std::vector<traced> trace_of(const isbe_config& config, unsigned seed, unsigned streams)
{
    std::mt19937 random(seed);
    std::vector<traced> trace;
    isbe_core core(config);
    access_order order(config);
    warp_result result;
    for (const auto& op : operations(config, seed, 3000)) {
        traced t{op, static_cast<unsigned>(random() % streams), {}, {}};
        core.execute(op, result);
        t.answer = answer_of(op, result);
        order.next(t.stream, op, t.after);
        trace.push_back(t);
    }
    return trace;
}

/// Operations whose answers change when the trace is carried out in a random order that keeps streams, the window, and
/// `dependencies` if wanted.
unsigned changed_answers(const isbe_config& config, const std::vector<traced>& trace, unsigned seed, bool dependencies)
{
    std::mt19937 random(seed);
    isbe_core core(config);
    warp_result result;
    std::vector<bool> done(trace.size());
    std::vector<std::size_t> candidates;
    unsigned changed = 0;
    std::size_t oldest = 0;
    for (std::size_t left = trace.size(); left != 0; --left) {
        candidates.clear();
        std::vector<bool> stream_waits(max_streams);
        while (done[oldest]) ++oldest;
        for (auto n = oldest; n < trace.size() && n < oldest + 200; ++n) {
            if (done[n] || stream_waits[trace[n].stream]) continue;
            stream_waits[trace[n].stream] = true; // the next one of its stream
            const auto& after = trace[n].after;
            const bool free = std::all_of(after.distance.begin(), after.distance.begin() + after.count,
                                          [&](unsigned distance) { return done[n - distance]; });
            if (free || !dependencies) candidates.push_back(n);
        }
        const auto n = candidates[random() % candidates.size()]; // the oldest one is always among them
        core.execute(trace[n].op, result);
        changed += answer_of(trace[n].op, result) != trace[n].answer ? 1 : 0;
        done[n] = true;
    }
    return changed;
}

TEST(access_order, any_order_that_keeps_streams_and_dependencies_gives_the_same_answers)
{
    const auto config = small_machine();
    for (const unsigned streams : {2U, 5U, max_streams}) {
        const auto trace = trace_of(config, streams, streams);
        for (unsigned seed = 0; seed < 4; ++seed) {
            EXPECT_EQ(changed_answers(config, trace, seed, true), 0U) << streams;
            EXPECT_GT(changed_answers(config, trace, seed, false), 100U) << streams; // and they are needed
        }
    }
}

warp_op store(word line)
{
    return test::make_isbewr(region::physical, 4, test::counting(128 * line, 4), {});
}
warp_op load(word line)
{
    return test::make_isberd(space::output, region::physical, 4, test::counting(128 * line, 4));
}

class dependencies : public testing::Test {
protected:
    std::vector<unsigned> next(unsigned stream, const warp_op& op)
    {
        dependency_list after;
        order_.next(stream, op, after);
        return {after.distance.begin(), after.distance.begin() + after.count};
    }
    using list = std::vector<unsigned>;

    access_order order_{small_machine()};
};

TEST_F(dependencies, are_between_streams_and_where_one_writes)
{
    EXPECT_EQ(next(0, store(1)), list{});
    EXPECT_EQ(next(0, load(1)), list{});           // its own stream
    EXPECT_EQ(next(1, load(1)), list{2});          // read after write
    EXPECT_EQ(next(2, load(1)), list{3});          // not of the other reads
    EXPECT_EQ(next(1, load(2)), list{});           // other words
    EXPECT_EQ(next(3, store(1)), (list{2, 3, 4})); // write after all reads, and they are after the write
    EXPECT_EQ(next(0, store(1)), list{1});         // write after write; the readers were waited for
}

TEST_F(dependencies, already_implied_are_omitted)
{
    next(0, store(1));
    next(0, store(2));
    EXPECT_EQ(next(1, load(2)), list{1});
    EXPECT_EQ(next(1, load(1)), list{}); // the stream knows: store(1) came before store(2)
    EXPECT_EQ(next(2, store(3)), list{});
    EXPECT_EQ(next(2, store(2)), list{3}); // the load of 2, not the later one
    EXPECT_EQ(next(3, load(3)), list{2});
    EXPECT_EQ(next(3, load(2)), list{2});
}

TEST_F(dependencies, a_bind_and_the_uses_of_its_slot)
{
    warp_op bind;
    bind.op = opcode::bind;
    bind.context = 2;
    context c;
    c.stage = stage::vertex;
    pack_context(c, bind);
    warp_op use;
    use.op = opcode::al2p;
    use.context = 2;
    EXPECT_EQ(next(0, bind), list{});
    EXPECT_EQ(next(5, use), list{1});
    EXPECT_EQ(next(5, use), list{});
    use.context = 3;
    EXPECT_EQ(next(6, use), list{});
    use.context = 4; // there is no such slot: an error whatever happens
    EXPECT_EQ(next(6, use), list{});
    EXPECT_EQ(next(0, bind), list{3});
}

TEST_F(dependencies, none_at_the_distance_of_a_window)
{
    next(0, store(1));
    for (unsigned i = 2; i < trace_window; ++i) next(1, load(2));
    EXPECT_EQ(next(2, load(1)), list{trace_window - 1});
    next(0, store(3));
    for (unsigned i = 1; i < trace_window; ++i) next(1, load(2));
    EXPECT_EQ(next(2, load(3)), list{});
}

} // namespace
} // namespace isbesim::testbench
