// SPDX-License-Identifier: Apache-2.0
// Successive draws on one PE: pe.draws.
#include "tests/pe/draws.h"

#include <algorithm>
#include <deque>

#include <gtest/gtest.h>

#include "models/attribute/bit_count.h"
#include "models/memory/global_memory.h"
#include "tests/pe/functional_pipeline.h"
#include "tests/pe/pe_machine.h"

namespace isbesim {
namespace {

using namespace test;

const auto copies = copying(3);

struct span {
    std::uint64_t begin, end;
    bool operator==(const span& other) const { return begin == other.begin && end == other.end; }
    std::uint64_t cycles() const { return end - begin; }
};

/// A machine, draws that are added to it, and what becomes of them.
class sequence : private draw_events {
public:
    explicit sequence(draw_rule rule, warp_initiator::style style = warp_initiator::style::approximately_timed,
                      unsigned sm_count = 1)
        : config_(with(rule, sm_count)), style_(style)
    {
    }
    /// To be run by the next run().
    void add(draw_call draw)
    {
        draws_.push_back(std::move(draw));
        sinks_.emplace_back();
        if (machine_)
            machine_->pe.add(draws_.back(), sinks_.back());
        else
            waiting_.push_back(draws_.size() - 1);
    }
    void run()
    {
        if (!machine_) {
            // The machine has its first draw from the beginning, in a sink of its own.
            machine_ = std::make_unique<machine>(draws_.front(), config_, style_, copies);
            machine_->pe.attach(static_cast<draw_events&>(*this));
            for (std::size_t i = 1; i < waiting_.size(); ++i)
                machine_->pe.add(draws_[waiting_[i]], sinks_[waiting_[i]]);
        }
        machine_->run();
    }
    const std::vector<row>& rows(std::size_t i) const { return i == 0 ? machine_->sink.rows : sinks_[i].rows; }
    isbesim::pe& pe() { return machine_->pe; }

    std::vector<span> spans;
    std::uint64_t begun = 0;

private:
    static machine_config with(draw_rule rule, unsigned sm_count)
    {
        machine_config config;
        config.pe.draws = rule;
        config.sm_count = sm_count;
        return config;
    }
    void draw_begins(const draw_call&) override { ++begun; }
    void draw_ended(const draw_run& run) override { spans.push_back({run.begin, run.end}); }

    const machine_config config_;
    warp_initiator::style style_;
    std::deque<draw_call> draws_;
    std::deque<row_sink> sinks_;
    std::vector<std::size_t> waiting_;
    std::unique_ptr<machine> machine_;
};

std::vector<row> alone(const draw_call& draw)
{
    return rows_without_time(draw, copies);
}

class draw_sequences : public testing::TestWithParam<warp_initiator::style> {};
INSTANTIATE_TEST_SUITE_P(style, draw_sequences, both_styles(), testing::PrintToStringParamName());

void expect_each_as_alone(sequence& draws, const std::vector<draw_call>& calls)
{
    for (const auto& call : calls) draws.add(call);
    draws.run();
    ASSERT_EQ(draws.spans.size(), calls.size());
    EXPECT_EQ(draws.begun, calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) EXPECT_EQ(draws.rows(i), alone(calls[i])) << i;
}

std::vector<draw_call> mixed_draws()
{
    return {vertex_draw(topology::triangle_strip, 300),
            triangles_through_geometry(200),
            triangles_through_geometry(150),
            vertex_draw(topology::triangles, 2), // nothing of it is a primitive
            vertex_draw(topology::points, 77),
            vertex_draw(topology::triangle_strip, 90)};
}

TEST_P(draw_sequences, PIPE_12_draws_stream_out_as_they_do_alone)
{
    sequence draws(draw_rule::overlap, GetParam(), 2);
    expect_each_as_alone(draws, mixed_draws());
}

TEST_P(draw_sequences, PIPE_12_so_do_draws_that_wait_for_each_other)
{
    sequence draws(draw_rule::drain, GetParam(), 2);
    expect_each_as_alone(draws, mixed_draws());
}

TEST(draw_sequence, PIPE_12_drained_draws_begin_when_the_one_before_has_left_and_take_as_long_as_alone)
{
    sequence draws(draw_rule::drain);
    for (int i = 0; i < 3; ++i) draws.add(triangles_through_geometry(200));
    draws.run();
    ASSERT_EQ(draws.spans.size(), 3U);
    EXPECT_EQ(draws.spans[0].begin, 0U);
    for (std::size_t i = 1; i < 3; ++i) {
        EXPECT_EQ(draws.spans[i].begin, draws.spans[i - 1].end);
        EXPECT_EQ(draws.spans[i].cycles(), draws.spans[0].cycles());
    }
    EXPECT_EQ(draws.pe().done_cycle(), draws.spans.back().end);
}

TEST(draw_sequence, PIPE_12_draws_that_divide_the_lines_alike_overlap)
{
    sequence draws(draw_rule::overlap);
    for (int i = 0; i < 3; ++i) draws.add(triangles_through_geometry(200));
    draws.run();
    ASSERT_EQ(draws.spans.size(), 3U);
    for (std::size_t i = 1; i < 3; ++i) {
        EXPECT_LT(draws.spans[i].begin, draws.spans[i - 1].end);
        EXPECT_GT(draws.spans[i].end, draws.spans[i - 1].end);
        EXPECT_EQ(draws.rows(i), alone(triangles_through_geometry(200)));
    }
    EXPECT_EQ(draws.pe().draw_counters().primitives_in, 198U); // of the last one alone
}

TEST(draw_sequence, PIPE_12_another_division_of_the_lines_or_memory_waits_for_an_empty_machine)
{
    sequence draws(draw_rule::overlap);
    draws.add(triangles_through_geometry(200));
    draws.add(vertex_draw(topology::triangle_strip, 200));
    auto reaching = vertex_draw(topology::triangle_strip, 200);
    reaching.memory = std::make_shared<global_memory>();
    draws.add(reaching);
    draws.add(vertex_draw(topology::triangle_strip, 200));
    draws.run();
    ASSERT_EQ(draws.spans.size(), 4U);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(draws.spans[i].begin, draws.spans[i - 1].end) << i;
}

TEST(draw_sequence, PIPE_12_vertices_leave_in_the_order_of_draws)
{
    // The third draw has one warp that is done before the longer warps of the second.
    struct ordered final : public vertex_sink {
        explicit ordered(std::vector<int>& all, int mark) : order(all), own(mark) {}
        void vertex(unsigned, std::uint64_t, unsigned, const word*, std::size_t) override { order.push_back(own); }
        std::vector<int>& order;
        int own;
    };
    std::vector<int> order;
    ordered second(order, 2), third(order, 3);
    const auto slow = vertex_draw(topology::triangle_strip, 200), quick = vertex_draw(topology::triangle_strip, 3);
    std::vector<unsigned> done; // vertices of warps in the order in which these end
    const auto longer = [&](shader_warp& warp) {
        const auto vertices = lane_bit_count(warp.launch.lanes);
        for (int i = 0; i < 50 && vertices > 3; ++i) warp.run(warp.operation(opcode::ald, 4, 0x80));
        auto result = copy_vertex(warp);
        done.push_back(vertices);
        return result;
    };
    machine m(slow, {}, warp_initiator::style::approximately_timed, {{stage::vertex, longer}});
    m.pe.add(slow, second);
    m.pe.add(quick, third);
    m.run();
    ASSERT_GT(done.back(), 3U) << "no warp of the third draw overtook one of the second";
    ASSERT_EQ(order.size(), 198U * 3 + 3);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(draw_sequence, PIPE_12_a_draw_that_comes_later_begins_two_cycles_after_the_last_one)
{
    sequence draws(draw_rule::overlap);
    draws.add(triangles_through_geometry(100));
    draws.run();
    draws.add(triangles_through_geometry(100));
    EXPECT_FALSE(draws.pe().done());
    draws.run();
    ASSERT_EQ(draws.spans.size(), 2U);
    EXPECT_EQ(draws.spans[1].begin, draws.spans[0].end + 2);
    EXPECT_EQ(draws.spans[1].cycles(), draws.spans[0].cycles());
    EXPECT_EQ(draws.rows(1), alone(triangles_through_geometry(100)));
}

TEST(draw_sequence, PIPE_12_a_draw_that_can_not_be_linked_changes_nothing)
{
    sequence draws(draw_rule::overlap);
    draws.add(triangles_through_geometry(100));
    draws.run();
    auto wrong = triangles_through_geometry(100);
    wrong.stages.erase(stage::vertex);
    EXPECT_THROW(draws.pe().add(wrong, *std::make_unique<row_sink>()), draw_error);
    EXPECT_TRUE(draws.pe().done());
    draws.add(triangles_through_geometry(100));
    draws.run();
    EXPECT_EQ(draws.spans.size(), 2U);
}

} // namespace
} // namespace isbesim
