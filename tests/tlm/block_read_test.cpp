// SPDX-License-Identifier: Apache-2.0
// Reads in one payload against the same reads one by one, on a loosely timed ISBE: words, counters, and the cycles of
// their responses and of the next ones. With observers the ISBE executes only the first, the initiator the others.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/timing/isbe_lt.h"
#include "tlm/lt_initiator.h"
#include "tlm/protocol_checker.h"

namespace isbesim::test {
namespace {

struct answer {
    std::uint64_t tag, cycle;
    bool operator==(const answer& other) const { return tag == other.tag && cycle == other.cycle; }
};

struct asking final : warp_initiator::client {
    explicit asking(const std::string& name) : initiator((name + "_initiator").c_str(), clock, true, *this) {}
    cycle_clock clock = cycle_clock::from_ghz(1.0);
    lt_initiator initiator;
    std::vector<answer> answers;
    void response(std::uint64_t tag, const warp_op&, const warp_result&, const transaction_times& times) override
    {
        answers.push_back({tag, times.response});
    }
};

struct counting final : transaction_observer {
    unsigned granted_count = 0;
    void granted(std::uint64_t, unsigned, const warp_op&, const warp_result&, std::uint64_t,
                 const access_footprint&) override
    {
        ++granted_count;
    }
};

enum class how { block, watched_block, one_by_one };

struct outcome {
    std::vector<word> words;
    std::vector<answer> answers;
    std::uint64_t operations = 0, busy = 0, conflicts = 0, passes = 0;
    unsigned watched = 0;
};

class bench {
public:
    bench(const std::string& name, const std::vector<run_read>& runs, how way)
        : from_(name),
          isbe_((name + "_isbe").c_str(), config(), from_.clock),
          checker_((name + "_checker").c_str(), from_.clock),
          words_(runs.size() * warp_lanes)
    {
        from_.initiator.socket.bind(checker_.target);
        checker_.initiator.bind(isbe_.ports[1]);
        if (way == how::watched_block) isbe_.attach(watching_);
        for (word i = 0; i < isbe_.core().storage().words(); ++i) isbe_.core().storage().write(i, ~i, ~word{0}, false);
        block_.runs = runs;
        for (std::size_t i = 0; i < runs.size(); ++i) block_.runs[i].to = words_.data() + i * warp_lanes;
        make_read({64, 4, 1, nullptr}, from_.initiator.prepare());
        from_.initiator.send(1);
        if (way == how::one_by_one) {
            for (const auto& run : block_.runs) {
                make_read(run, from_.initiator.prepare());
                from_.initiator.send(2);
            }
        } else {
            from_.initiator.send(block_, 2);
        }
        make_read({68, 4, 1, nullptr}, from_.initiator.prepare());
        from_.initiator.send(3);
    }

    outcome found()
    {
        checker_.finish();
        EXPECT_EQ(checker_.violation_count(), 0U);
        outcome result;
        result.words = words_;
        for (const auto& each : from_.answers) // the last answer of a block counts
            if (!result.answers.empty() && result.answers.back().tag == each.tag)
                result.answers.back() = each;
            else
                result.answers.push_back(each);
        const auto timing = isbe_.timing(1);
        result.operations = timing.operations;
        result.busy = timing.busy_cycles;
        result.conflicts = timing.stalls[stall_reason::bank_conflict];
        result.passes = isbe_.core().counters().passes;
        result.watched = watching_.granted_count;
        return result;
    }

private:
    static isbe_config config()
    {
        isbe_config result;
        result.banks = 8;
        return result;
    }

    asking from_;
    isbe_lt isbe_;
    protocol_checker checker_;
    counting watching_;
    block_read block_;
    std::vector<word> words_;
};

void expect_same(const outcome& one, const outcome& other)
{
    EXPECT_EQ(one.answers, other.answers);
    EXPECT_EQ(one.operations, other.operations);
    EXPECT_EQ(one.busy, other.busy);
    EXPECT_EQ(one.conflicts, other.conflicts);
    EXPECT_EQ(one.passes, other.passes);
}

// Consecutive words, and a read that the ISBE does not accept as such: then all go one by one.
TEST(block_read, is_its_reads_one_after_the_other)
{
    const std::vector<run_read> in_rows{{0, 4, all_lanes, nullptr}, {132, 4, 0xf0f, nullptr}, {256, 4, 1, nullptr}};
    auto scattered = in_rows;
    scattered.push_back({512, 32, all_lanes, nullptr});
    const std::vector<std::vector<run_read>> both{in_rows, scattered};
    std::vector<std::unique_ptr<bench>> benches;
    for (const auto& runs : both)
        for (const auto way : {how::one_by_one, how::block, how::watched_block})
            benches.push_back(std::make_unique<bench>("bench" + std::to_string(benches.size()), runs, way));
    sc_core::sc_start();
    for (std::size_t k = 0; k < both.size(); ++k) {
        const auto& runs = both[k];
        const auto expected = benches[3 * k]->found(), block = benches[3 * k + 1]->found(),
                   watched = benches[3 * k + 2]->found();
        expect_same(block, expected);
        expect_same(watched, expected);
        EXPECT_EQ(watched.words, block.words);
        EXPECT_EQ(watched.watched, runs.size() + 2);
        for (std::size_t i = 0; i < runs.size(); ++i)
            for (unsigned lane = 0; lane < warp_lanes; ++lane) {
                const auto there = (runs[i].lanes >> lane & 1U) != 0;
                EXPECT_EQ(block.words[i * warp_lanes + lane],
                          there ? ~((runs[i].address + lane * runs[i].stride) / 4) : 0);
            }
    }
}

} // namespace
} // namespace isbesim::test
