// SPDX-License-Identifier: Apache-2.0
// Draws on a machine in a process of its own, on shared memory.
#include <gtest/gtest.h>

#include "testbench/chip/chip_run.h"
#include "testbench/gl/draws/draw_session.h"
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
    /// `ended`: begins the draw instead of running it.
    draw_result run_program(const std::string& code, const std::vector<std::uint64_t>& addresses,
                            machine_executor& executor, const draw_executor::end_of_draw& ended = {})
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
        if (!ended)
            return executor.run({draw, builder.programs(), {}}, sample_.memory, stream_out_layout_of(sample_.state),
                                position);
        executor.begin({draw, builder.programs(), {}}, sample_.memory, ended);
        return {};
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

TEST_F(shared_memory, stores_of_programs_are_in_memory_after_the_draw)
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
    const auto after_page = store({buffer + gpu_memory::page});
    ASSERT_TRUE(after_page.done) << after_page.text.data();
    EXPECT_EQ(after_page.traps, 1U);
    EXPECT_EQ(std::string(after_page.trap.data()), "OOR_ADDR in a program of stage vertex at 0x10");
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

TEST_F(shared_memory, released_memory_traps_in_the_next_draw)
{
    const auto buffer = sample_.memory.allocate(gpu_memory::page, 0);
    ASSERT_EQ(store({buffer}).traps, 0U);
    sample_.memory.release(buffer, gpu_memory::page);
    EXPECT_EQ(store({buffer, buffer}).traps, 1U); // of a warp
}

TEST_F(shared_memory, failed_draw_is_followed_by_a_new_process)
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

TEST_F(shared_memory, begun_draws_end_in_order_with_the_results_of_each_alone)
{
    const auto& backend = *testbench::find_isbe_backend("at");
    constexpr unsigned draws = 150;
    const auto code_of = [](unsigned i) { return i % 40 == 7 ? "NOP ;" : i % 2 == 0 ? "EXIT ;" : "NOP ; EXIT ;"; };
    for (const unsigned jobs : {1U, 3U}) {
        machine_executor many(machine_config(), backend, sm_timing::by_cycle, jobs);
        std::vector<draw_result> results;
        for (unsigned i = 0; i < draws; ++i)
            run_program(code_of(i), std::vector<std::uint64_t>(1 + i), many,
                        [&](const draw_result& result) { results.push_back(result); });
        many.settle();
        ASSERT_EQ(results.size(), draws);
        std::uint64_t cycles = 0;
        for (unsigned i = 0; i < draws; ++i) {
            const auto alone = run_program(code_of(i), std::vector<std::uint64_t>(1 + i));
            EXPECT_EQ(results[i].done, alone.done) << i; // the program runs off its end in some
            EXPECT_EQ(results[i].cycles, alone.cycles) << i;
            EXPECT_EQ(results[i].invocations, alone.invocations) << i;
            EXPECT_EQ(results[i].done, code_of(i) != std::string("NOP ;")) << i;
            cycles += alone.cycles;
        }
        EXPECT_EQ(many.nanoseconds(), cycles);
        EXPECT_LE(many.processes(), jobs + draws / 40 + 1);
    }
}

TEST_F(shared_memory, the_same_draw_takes_the_same_cycles_again)
{
    const auto buffer = sample_.memory.allocate(gpu_memory::page, 0);
    const auto first = store({buffer});
    const auto second = store({buffer});
    EXPECT_GT(first.cycles, 0U);
    EXPECT_EQ(first.cycles, second.cycles);
}

/// The state that a draw changes.
struct left_by_draw {
    draw_result result;
    stream_out_position position;
    std::vector<word> memory;
};

struct chip_row {
    const char* name;
    chip_config chip;
};

/// Without it a test's name has the bytes of its parameter.
void PrintTo(const chip_row& row, std::ostream* out)
{
    *out << row.name;
}

chip_config chip_of(unsigned gpcs, unsigned tpcs, unsigned deal_batches = 1, deal_order order = deal_order::gpcs_first,
                    unsigned rate = 0)
{
    chip_config chip;
    chip.gpcs = gpcs;
    chip.tpcs = tpcs;
    chip.deal_batches = deal_batches;
    chip.deal_order = order;
    chip.primitives_per_cycle = rate;
    return chip;
}

/// Units with rates on all ways to and from the TPCs.
chip_config rated_chip()
{
    auto chip = chip_of(2, 3);
    chip.draw_cycles = 20;
    chip.record_bytes_per_cycle = 3;
    chip.instance_cycles = 2.5;
    chip.gpc_primitives_per_cycle = 0.125;
    chip.gpc_setups_per_cycle = 0.1;
    return chip;
}

/// Draws of sessions on chips: what they leave is what one TPC leaves, their cycles are those of a run of the chip.
class session_chip : public testing::TestWithParam<chip_row> {
protected:
    static constexpr std::uint32_t room = 0x40000; ///< bytes of the buffer

    session_chip() : buffer_(sample_.memory.allocate(room, 0)) {}

    /// The chip may be slower than one TPC without limits.
    static bool is_limited() { return GetParam().chip.primitives_per_cycle != 0 || GetParam().chip.draw_cycles != 0; }
    machine_config machine() const
    {
        machine_config config;
        config.chip = GetParam().chip;
        config.pe.batch_vertices = 8;
        if (config.chip.gpc_primitives_per_cycle != 0) {
            config.memory.model = memory_rule::hierarchy;
            config.memory.dram_bytes_per_cycle = 1.5;
            config.pe.vertices_per_cycle = 0.3;
        }
        return config;
    }
    draw_call build(std::uint32_t primitive, std::uint32_t vertices, std::uint32_t instances)
    {
        drawn_vertices drawn;
        drawn.primitive = primitive;
        drawn.instances = instances;
        drawn.runs.push_back({vertex_run::source::arrays, 0, vertices, {}});
        auto draw = builder_.build(sample_.state, drawn);
        draw.capture = captured_columns(layout_);
        return draw;
    }
    left_by_draw run(const draw_call& draw, machine_executor& executor)
    {
        std::memset(sample_.memory.at(buffer_, room), 0, room);
        left_by_draw left;
        left.result = executor.run({draw, builder_.programs(), {}}, sample_.memory, layout_, left.position);
        left.memory.resize(room / 4);
        std::memcpy(left.memory.data(), sample_.memory.at(buffer_, room), room);
        return left;
    }
    static void expect_same(const left_by_draw& one, const left_by_draw& other)
    {
        ASSERT_TRUE(other.result.done) << other.result.text.data();
        EXPECT_EQ(one.memory, other.memory);
        EXPECT_EQ(one.position.offset, other.position.offset);
        EXPECT_EQ(one.position.written, other.position.written);
        EXPECT_EQ(one.position.needed, other.position.needed);
        EXPECT_EQ(one.result.primitives_in, other.result.primitives_in);
        EXPECT_EQ(one.result.primitives_out, other.result.primitives_out);
        EXPECT_EQ(one.result.vertices_out, other.result.vertices_out);
        EXPECT_EQ(one.result.invocations, other.result.invocations);
        EXPECT_EQ(one.result.traps, other.result.traps);
        EXPECT_EQ(one.result.trap, other.result.trap);
    }
    /// Cycles of the same draw by isbesim run.
    static std::uint64_t cycles_of_run(const draw_call& draw, const machine_config& config)
    {
        testbench::vertex_count vertices;
        testbench::tpc_watch watch;
        return testbench::run_on_chip({config,
                                       *testbench::find_isbe_backend("at"),
                                       draw,
                                       {},
                                       vertices,
                                       false,
                                       {},
                                       false,
                                       testbench::path_recording::off,
                                       sm_timing::by_cycle,
                                       2,
                                       "",
                                       watch,
                                       [](std::size_t) {}})
            .outcome.cycles;
    }

    sample_draw sample_{true};
    draw_builder builder_{*find_chip("gm107"), sample_.memory, sample_.journal};
    std::uint64_t buffer_;
    stream_out_layout layout_;
};

INSTANTIATE_TEST_SUITE_P(chips, session_chip,
                         testing::Values(chip_row{"six", chip_of(2, 3)},
                                         chip_row{"rows", chip_of(2, 2, 3, deal_order::tpcs_first)},
                                         chip_row{"limited", chip_of(3, 1, 2, deal_order::gpcs_first, 1)},
                                         chip_row{"rated", rated_chip()}),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

TEST_P(session_chip, gives_the_results_of_one_tpc_in_the_cycles_of_a_run)
{
    constexpr std::uint32_t points = 0, strip = 5;
    auto one_config = machine();
    one_config.chip = {};
    const auto& backend = *testbench::find_isbe_backend("at");
    machine_executor one(one_config, backend);
    machine_executor alone(machine(), backend), three(machine(), backend, sm_timing::by_cycle, 3);
    machine_executor loose(machine(), *testbench::find_isbe_backend("lt"), sm_timing::by_warp, 3);
    auto& buffer = layout_[1];
    buffer = {true, 0, buffer_, room, 20, {0x70, 0x74, stream_out_buffer::no_attribute, 0x7c, 0x80}};
    std::uint64_t cycles = 0;
    for (const auto& [primitive, vertices, instances, bytes] : {std::array<std::uint32_t, 4>{strip, 5, 1, room},
                                                                {strip, 90, 1, room},
                                                                {strip, 1200, 2, room},
                                                                {strip, 2, 1, room},
                                                                {strip, 300, 1, 0x1234},
                                                                {points, 300, 3, room}}) {
        SCOPED_TRACE(vertices);
        sample_.state.at(0x2100) = primitive == strip ? 0x41 : 0x40; // the geometry program is for triangles
        buffer.bytes = bytes;
        const auto draw = build(primitive, vertices, instances);
        const auto expected = run(draw, one), left = run(draw, alone);
        expect_same(expected, left);
        expect_same(expected, run(draw, loose));
        const auto shared = run(draw, three);
        expect_same(expected, shared);
        EXPECT_EQ(left.result.cycles, cycles_of_run(draw, machine()));
        EXPECT_EQ(left.result.cycles, shared.result.cycles);
        cycles += left.result.cycles;
        if (vertices >= 90 && !is_limited()) { // the TPCs share the work
            EXPECT_LT(left.result.cycles, expected.result.cycles);
        }
    }
    EXPECT_EQ(alone.nanoseconds(), cycles);
    EXPECT_EQ(three.nanoseconds(), cycles);
    EXPECT_EQ(alone.processes(), 1U);
    EXPECT_LE(three.processes(), 3U);
}

/// Consecutive draws of a session.
struct draw_row {
    std::uint32_t primitive, vertices, draws;
    std::uint32_t rest;   ///< vertices of one more draw
    std::uint32_t stride; ///< from the record of a draw to the next; 0: no records
    std::uint32_t apart;  ///< draws from one wait to the next; 0: no wait
    bool indexed;
};

TEST_P(session_chip, overlaps_draws_as_a_run_does)
{
    constexpr std::uint32_t points = 0, triangles = 4, strip = 5, all = 3000;
    for (std::uint32_t i = 0; i < all; ++i) sample_.poke(sample_draw::indices + 4 * i, i / 3 * 3 + 2 - i % 3);
    auto& state = sample_.state;
    state.at(0x17cc) = sample_draw::indices;
    state.at(0x17d4) = sample_draw::indices + 4 * all - 1;
    state.at(0x17d8) = 2;
    const auto& backend = *testbench::find_isbe_backend("at");
    auto one_config = machine();
    one_config.chip = {};
    one_config.pe.draws = draw_rule::drain;
    machine_executor one(one_config, backend), alone(machine(), backend);
    machine_executor three(machine(), backend, sm_timing::by_cycle, 3);
    for (const auto& row : {draw_row{triangles, 3, 20, 0, 0, 0, false}, draw_row{triangles, 3, 20, 0, 16, 7, false},
                            draw_row{triangles, 6, 12, 3, 32, 0, true}, draw_row{strip, 22, 12, 4, 0, 0, false},
                            draw_row{strip, 30, 9, 0, 0, 2, true}, draw_row{points, 1, 9, 0, 20, 1, false}}) {
        SCOPED_TRACE(std::to_string(row.primitive) + " " + std::to_string(row.vertices));
        state.at(0x2100) = row.primitive == points ? 0x40 : 0x41;
        const auto source = row.indexed ? vertex_run::source::index_buffer : vertex_run::source::arrays;
        const auto drawn_from = [&](std::uint32_t first, std::uint32_t count) {
            drawn_vertices drawn;
            drawn.primitive = row.primitive;
            drawn.runs.push_back({source, first, count, {}});
            return drawn;
        };
        const auto total = row.draws * row.vertices + row.rest;
        const auto counts_of = [&](machine_executor& executor) {
            tally counts;
            draw_session session(
                {*find_chip("gm107"), sample_.memory, sample_.journal, counts, &executor, nullptr, {}});
            for (std::uint32_t first = 0; first < total; first += row.vertices) {
                if (row.stride != 0) session.record = {0x1000 + row.stride * counts.draws, 16, 0};
                if (row.apart != 0 && counts.draws % row.apart == 0) session.separate();
                ++counts.draws;
                session.draw(state, drawn_from(first, std::min(row.vertices, total - first)));
            }
            std::vector<std::uint64_t> found;
            for (const auto kind : {report_kind::vertices, report_kind::primitives, report_kind::vertex_invocations,
                                    report_kind::geometry_invocations, report_kind::geometry_primitives,
                                    report_kind::clipper_in, report_kind::primitives_generated})
                found.push_back(session.report(kind, 0));
            EXPECT_TRUE(counts.refused.empty());
            EXPECT_EQ(counts.executed, counts.draws);
            return found;
        };
        const auto expected = counts_of(one);
        const auto before = *alone.nanoseconds(), before_three = *three.nanoseconds();
        EXPECT_EQ(counts_of(alone), expected);
        EXPECT_EQ(counts_of(three), expected);
        EXPECT_EQ(expected.front(), total);
        const auto cycles = *alone.nanoseconds() - before;
        EXPECT_EQ(*three.nanoseconds() - before_three, cycles);
        // The same draws of a scenario, up to each wait, and each by itself.
        const auto run_cycles = [&](std::uint32_t up_to_wait) {
            std::uint64_t sum = 0;
            for (std::uint32_t first = 0; first < total; first += up_to_wait) {
                auto draw = builder_.build(state, drawn_from(first, std::min(up_to_wait, total - first)));
                draw.vertices_per_draw = row.vertices;
                // A single record ends with its words.
                draw.record_bytes = row.stride != 0 && draw.draws() == 1 ? 16 : row.stride;
                sum += cycles_of_run(draw, machine());
            }
            return sum;
        };
        EXPECT_EQ(cycles, run_cycles(row.apart == 0 ? total : row.apart * row.vertices));
        EXPECT_LE(cycles, run_cycles(row.vertices)); // a wait after each draw
    }
}

/// Keeps the draws that run; some fail.
class kept_draws : public draw_executor {
public:
    draw_result run(const built_draw& draw, gpu_memory&, const stream_out_layout&, stream_out_position&) override
    {
        calls.push_back(draw.call);
        draw_result result;
        result.done = draw.call.first_vertex > bad || bad >= draw.call.first_vertex + draw.call.vertex_count;
        return result;
    }
    bool overlaps() const override { return overlap; }
    void transfer(std::uint64_t) override {}
    std::optional<std::uint64_t> nanoseconds() const override { return {}; }

    std::vector<draw_call> calls;
    std::uint64_t bad = ~std::uint64_t{0}; ///< a vertex whose draw fails
    bool overlap = true;
};

class overlapping_draws : public testing::Test {
protected:
    overlapping_draws()
    {
        sample_.upload_vertex_code("MOV R1, c[0x3][0x8] ; EXIT ;");
        sample_.state.constants[0][3] = {constants_, 256, true};
    }
    void draw(std::uint32_t first, std::uint32_t count = 3, std::uint32_t primitive = 4, std::uint32_t instances = 1)
    {
        drawn_vertices drawn;
        drawn.primitive = primitive;
        drawn.instances = instances;
        drawn.runs.push_back({from_, first, count, {first, first + 1, first + 2}});
        ++counts_.draws;
        session_.draw(sample_.state, drawn);
    }
    /// Draws of three draws that overlap, with a change before the second.
    std::vector<std::uint64_t> after(const std::function<void()>& change)
    {
        executor_.calls.clear();
        draw(0);
        change();
        draw(3);
        draw(6);
        session_.settle();
        std::vector<std::uint64_t> draws;
        for (const auto& call : executor_.calls) draws.push_back(call.draws());
        return draws;
    }

    sample_draw sample_;
    std::uint64_t constants_ = sample_.memory.allocate(gpu_memory::page, 0);
    vertex_run::source from_ = vertex_run::source::arrays;
    kept_draws executor_;
    tally counts_;
    draw_session session_{{*find_chip("gm107"), sample_.memory, sample_.journal, counts_, &executor_, nullptr, {}}};
};

/// A clear of a hidden buffer waits; the vertices that a draw streams out there come after it, also if only a part of
/// the draw's buffer is in memory, as of sparse ones.
TEST_F(overlapping_draws, waiting_clears_come_before_streamed_out_vertices)
{
    auto& state = sample_.state;
    for (const auto bytes : {64U, 0xffffffffU}) {
        const auto hidden = sample_.memory.allocate(gpu_memory::page, 0, true);
        const auto is_done = [&] { return !sample_.memory.extent(hidden).touched.empty(); };
        sample_.memory.fill(fill_of(hidden, 1));
        state.at(0x744) = 0;
        draw(0);
        session_.settle();
        EXPECT_FALSE(is_done());
        state.at(0x744) = 1; // a buffer of one word for each vertex
        state.at(0x380) = 1;
        state.at(0x384) = static_cast<std::uint32_t>(hidden >> 32);
        state.at(0x388) = static_cast<std::uint32_t>(hidden);
        state.at(0x38c) = bytes;
        state.at(0x704) = 1;
        state.at(0x708) = 4;
        state.at(0x2800) = 0x1c;
        draw(0);
        EXPECT_TRUE(is_done()) << bytes;
    }
}

TEST_F(overlapping_draws, have_the_same_state)
{
    using list = std::vector<std::uint64_t>;
    const list joined{3}, apart{1, 2};
    auto& state = sample_.state;
    EXPECT_EQ(after([] {}), joined);
    EXPECT_EQ(after([&] { sample_.poke(constants_ + 0x80, 7); }), joined); // which the program does not read
    EXPECT_EQ(after([&] { sample_.poke(constants_ + 8, 7); }), apart);
    EXPECT_EQ(after([&] { session_.separate(); }), apart);
    EXPECT_EQ(after([&] { session_.transfer(4); }), apart);
    EXPECT_EQ(after([&] { session_.report(report_kind::vertices, 0); }), apart);
    EXPECT_EQ(after([&] { session_.nanoseconds(); }), apart);
    EXPECT_EQ(after([&] { state.at(0x1920) = 0x405, state.at(0x1918) = 1; }), apart); // culls back faces
    EXPECT_EQ(after([&] { state.at(0x37c) = 1; }), apart);                            // is rasterised
    EXPECT_EQ(after([&] { state.at(0x1c08) += 16; }), apart);                         // attributes are elsewhere
    EXPECT_EQ(after([&] { state.at(0x1c08) -= 16, state.at(0x1c00) ^= 32; }), apart);
    EXPECT_EQ(after([&] { draw(3, 3, 4, 2); }), (list{1, 1, 2}));
    EXPECT_EQ(after([&] { draw(3, 3, 5); }), (list{1, 1, 2}));
    EXPECT_EQ(after([&] { draw(3, 6); }), (list{1, 1, 2}));
    EXPECT_EQ(after([&] { draw(3, 2); }), (list{2, 2})); // a shorter draw is the last
    session_.record = {0x1000, 16, 0};
    EXPECT_EQ(after([&] { session_.record.address += 24; }), (list{2, 1})); // the third has the record of the second
    EXPECT_EQ(executor_.calls[0].record_bytes, 24U);
    EXPECT_EQ(executor_.calls[1].record_bytes, 16U);
    EXPECT_EQ(after([&] { session_.record = {0x9000000, 16, 1}; }), (list{2, 1})); // of another call
    EXPECT_EQ(executor_.calls[0].record_bytes, 16U);
    EXPECT_EQ(after([&] { session_.record.address += 1 << 20; }), (list{1, 1, 1})); // too far
    sample_.upload_vertex_code("MOV R0, RZ ; LDC R1, c[0x3][R0] &wr=0 ; EXIT &req=0x01 ;");
    session_.record = {};
    EXPECT_EQ(after([&] { sample_.poke(constants_ + 0x80, 8); }), apart); // the program may read any
    executor_.overlap = false;
    EXPECT_EQ(after([] {}), (list{1, 1, 1}));
}

TEST_F(overlapping_draws, have_indices_of_one_size)
{
    auto& state = sample_.state;
    state.at(0x17cc) = sample_draw::indices;
    state.at(0x17d4) = sample_draw::indices + 0xff;
    // Indices of 1, 2 and 4 bytes, and none in memory.
    constexpr std::array sizes{1U, 2U, 4U, 0U};
    using source = vertex_run::source;
    const auto set = [&](std::uint32_t format) {
        from_ = sizes[format] == 0 ? source::inline_indices : source::index_buffer;
        state.at(0x17d8) = format % 3;
        for (std::uint32_t i = 0; i < 9; ++i)
            std::memcpy(sample_.memory.at(sample_draw::indices + sizes[format] * i, 4), &i, sizes[format]);
    };
    for (std::uint32_t before = 0; before < 4; ++before)
        for (std::uint32_t then = 0; then < 4; ++then) {
            SCOPED_TRACE(std::to_string(before) + " " + std::to_string(then));
            set(before);
            EXPECT_EQ(after([&] { set(then); }),
                      (before == then ? std::vector<std::uint64_t>{3} : std::vector<std::uint64_t>{1, 2}));
            EXPECT_EQ(executor_.calls.back().index_bytes, sizes[then]);
        }
}

TEST_F(overlapping_draws, fail_one_by_one)
{
    executor_.bad = 7;
    for (std::uint32_t i = 0; i < 5; ++i) draw(3 * i);
    EXPECT_EQ(session_.report(report_kind::vertices, 0), 12U);
    EXPECT_EQ(executor_.calls.size(), 6U);
    EXPECT_EQ(counts_.executed, 4U);
    EXPECT_EQ(counts_.refused.size(), 1U);
    EXPECT_EQ(counts_.refused.begin()->second, 1U);
}

TEST_P(session_chip, stores_equal_those_of_one_tpc)
{
    // Each vertex takes a number from a counter and stores it at its own place.
    sample_.state.at(0x2100) = 0x40;
    sample_.upload_vertex_code("ALD.128 R0, a[0x80] &wr=0 ; MOV32I R4, 0x1 ?stall=6 ;"
                               "ATOM.E.ADD R5, [R0], R4 &req=0x01 &wr=0 ; STG.E [R2], R5 &req=0x01 &rd=0 ;"
                               "EXIT &req=0x01 ;");
    auto one_config = machine();
    one_config.chip = {};
    const auto& backend = *testbench::find_isbe_backend("at");
    machine_executor one(one_config, backend), alone(machine(), backend);
    machine_executor three(machine(), backend, sm_timing::by_cycle, 3);
    for (const std::uint32_t vertices : {3U, 100U, 900U}) {
        SCOPED_TRACE(vertices);
        for (std::uint32_t i = 0; i < vertices; ++i) {
            const auto place = buffer_ + 16 + 4 * std::uint64_t{i};
            const std::uint64_t words[] = {buffer_, i == 2 ? place + 2 : place}; // a store of vertex 2 traps
            std::memcpy(sample_.memory.at(sample_draw::vertices + 16 * i, 16), words, 16);
        }
        const auto draw = build(0, vertices, 1);
        const auto expected = run(draw, one), left = run(draw, alone), shared = run(draw, three);
        EXPECT_EQ(expected.memory[0], vertices);
        EXPECT_EQ(expected.result.traps, 1U);
        expect_same(expected, left);
        expect_same(expected, shared);
        EXPECT_EQ(left.result.cycles, shared.result.cycles);
        if (vertices > 8 * GetParam().chip.all_tpcs() && !is_limited()) {
            EXPECT_LT(left.result.cycles, expected.result.cycles);
        }
    }
}

TEST_P(session_chip, recovers_from_draws_that_fail)
{
    sample_.state.at(0x2100) = 0x40;
    layout_[0] = {true, 0, buffer_, room, 4, {0x80}};
    for (const unsigned jobs : {1U, 3U}) {
        machine_executor executor(machine(), *testbench::find_isbe_backend("at"), sm_timing::by_cycle, jobs);
        const auto streams_out = [&] {
            sample_.upload_vertex_code(
                "ALD.128 R0, a[0x80] &wr=0 ; AST.128 a[0x80], R0 &req=0x01 &rd=0 ; EXIT &req=0x01 ;");
            return run(build(0, 1500, 1), executor);
        };
        const auto expected = streams_out();
        ASSERT_TRUE(expected.result.done);
        EXPECT_EQ(expected.position.written[0], 1500U);
        EXPECT_EQ(expected.memory[1], 1004U); // the second vertex
        sample_.upload_vertex_code("NOP ;");  // runs off its end
        const auto failed = run(build(0, 1500, 1), executor);
        EXPECT_FALSE(failed.result.done);
        EXPECT_NE(std::string(failed.result.text.data()).find("runs past its end"), std::string::npos)
            << failed.result.text.data();
        EXPECT_EQ(failed.position.needed, stream_out_position().needed);
        expect_same(expected, streams_out());
        // A program that stores, in a draw that does not begin.
        sample_.upload_vertex_code("ALD.128 R0, a[0x80] &wr=0 ; STG.E [R0], R2 &req=0x01 &rd=0 ; EXIT &req=0x01 ;");
        auto invalid = build(0, 3, 1);
        invalid.capture[0] = {3};
        EXPECT_FALSE(run(invalid, executor).result.done);
        expect_same(expected, streams_out());
    }
}

} // namespace
} // namespace isbesim::gl
