// SPDX-License-Identifier: Apache-2.0
// Successive draws of a capture on one machine: the vertices are those that each gives alone.
#include <deque>

#include <gtest/gtest.h>

#include "testbench/gl/frame/draw_sequence.h"
#include "tests/gl/sample_capture.h"

namespace isbesim::gl {
namespace {

class collecting_sink final : public vertex_sink {
public:
    void vertex(unsigned stream, std::uint64_t primitive, unsigned vertex, const word* values,
                std::size_t count) override
    {
        rows.push_back({stream, static_cast<word>(primitive), vertex});
        rows.back().insert(rows.back().end(), values, values + count);
    }
    std::vector<std::vector<word>> rows;
};

class captured_sequence : public testing::TestWithParam<draw_rule> {
protected:
    captured_sequence() { sample_.write(folder_.path("a.capture"), 6); }

    sample_capture sample_{4};
    testbench::temporary_folder folder_;
};
INSTANTIATE_TEST_SUITE_P(rule, captured_sequence, testing::Values(draw_rule::overlap, draw_rule::drain),
                         [](const auto& chosen) { return chosen.param == draw_rule::overlap ? "overlap" : "drain"; });

TEST_P(captured_sequence, PIPE_12_each_draw_streams_out_as_it_does_alone)
{
    machine_config config;
    config.pe.draws = GetParam();
    capture_reader capture(folder_.path("a.capture"));
    const auto& backend = *testbench::find_isbe_backend("at");
    std::deque<collecting_sink> sinks(6);
    const auto sink_of = [&](std::size_t place) -> vertex_sink& { return sinks[place]; };
    const std::vector<std::size_t> alone{3}, all{0, 1, 2, 3, 4, 5};
    // In a process of its own: this one has one machine.
    const auto single = run_sequence_in_process(draws_of(capture, alone), 1, {config, backend});
    ASSERT_EQ(single.draws.size(), 1U);
    const auto result = draw_sequence(draws_of(capture, all), all.size(), {config, backend}).run(sink_of);
    EXPECT_EQ(result.problem, "");
    ASSERT_EQ(result.draws.size(), 6U);
    EXPECT_EQ(sinks[0].rows.size(), 12U); // two instances of a strip of four
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(sinks[i].rows, sinks[0].rows) << i;
        const auto& span = result.draws[i];
        if (GetParam() == draw_rule::drain) {
            EXPECT_EQ(span.end - span.begin, single.draws[0].end);
            EXPECT_EQ(span.begin, i == 0 ? 0 : result.draws[i - 1].end);
        } else if (i > 0) {
            EXPECT_LT(span.begin, result.draws[i - 1].end);
        }
    }
}

TEST(captured_sequence_process, agrees_with_the_sequence)
{
    const sample_capture sample(4);
    const testbench::temporary_folder folder;
    sample.write(folder.path("a.capture"), 3);
    capture_reader capture(folder.path("a.capture"));
    const auto& backend = *testbench::find_isbe_backend("lt");
    const std::vector<std::size_t> all{0, 1, 2};
    const machine_config config;
    const auto there = run_sequence_in_process(draws_of(capture, all), all.size(), {config, backend});
    collecting_sink sink;
    const auto here =
        draw_sequence(draws_of(capture, all), all.size(), {config, backend}).run([&](std::size_t) -> vertex_sink& {
            return sink;
        });
    ASSERT_EQ(there.draws.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(there.draws[i].begin, here.draws[i].begin);
        EXPECT_EQ(there.draws[i].end, here.draws[i].end);
    }
}

TEST(captured_sequence_process, a_draw_that_does_not_fit_is_a_problem)
{
    const sample_capture sample(4);
    const testbench::temporary_folder folder;
    sample.write(folder.path("a.capture"), 2);
    capture_reader capture(folder.path("a.capture"));
    machine_config config;
    config.isbe.lines = 2;
    const std::vector<std::size_t> both{0, 1};
    const auto result =
        run_sequence_in_process(draws_of(capture, both), 2, {config, *testbench::find_isbe_backend("at")});
    EXPECT_TRUE(result.draws.empty());
    EXPECT_NE(result.problem, "");
}

} // namespace
} // namespace isbesim::gl
