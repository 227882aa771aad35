// SPDX-License-Identifier: Apache-2.0
// The PE module between function_sm and the timed ISBE.
#include "models/pe/pe.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "models/isa/text/text.h"
#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "models/sm/sm.h"
#include "tests/pe/draws.h"
#include "tests/pe/functional_pipeline.h"
#include "tests/pe/pe_machine.h"
#include "tests/pe/shaders.h"

namespace isbesim {
namespace {

using namespace test;

class pe_module : public testing::TestWithParam<warp_initiator::style> {};
INSTANTIATE_TEST_SUITE_P(style, pe_module, both_styles(), testing::PrintToStringParamName());

constexpr auto vertex_index = static_cast<unsigned>(stage::vertex);
constexpr auto geometry_index = static_cast<unsigned>(stage::geometry);

const auto copy_triangles = copying(3);

TEST_P(pe_module, PIPE_01_vertex_draw)
{
    const auto draw = vertex_draw(topology::triangle_strip, 500);
    machine m(draw, {}, GetParam(), copy_triangles);
    m.run();
    EXPECT_EQ(m.sink.rows.size(), 498U * 3);
    EXPECT_EQ(m.sink.rows, rows_without_time(draw, copy_triangles));
    EXPECT_EQ(m.pe.draw_counters().primitives_in, 498U);
    EXPECT_EQ(m.pe.draw_counters().primitives_out[0], 498U);
    EXPECT_EQ(m.pe.draw_counters().vertices_out[0], 498U * 3);
    EXPECT_EQ(m.total().batches, 17U); // 30 triangles each, but for the last
    EXPECT_EQ(m.total().invocations[vertex_index], 16U * 32 + 20);
    EXPECT_EQ(m.total().warps[vertex_index], 17U);
}

TEST_P(pe_module, PIPE_01_vertex_and_geometry_draw_on_several_sms)
{
    const auto draw = triangles_through_geometry(500);
    machine_config config;
    config.sm_count = 3;
    machine m(draw, config, GetParam(), copy_triangles);
    m.run();
    EXPECT_EQ(m.sink.rows, rows_without_time(draw, copy_triangles));
    const auto total = m.total();
    EXPECT_EQ(total.invocations[geometry_index], 498U);
    EXPECT_EQ(total.batches, 17U);
    for (unsigned i = 0; i < 3; ++i) EXPECT_GE(m.pe.site_counters(i).batches, 5U); // round robin
    EXPECT_EQ(total.lines.level(), 0U);
}

TEST_P(pe_module, OUT_12_output_stays_in_order_when_batches_finish_in_any_order)
{
    auto draw = triangles_through_geometry(400);
    draw.instance_count = 2;
    unsigned calls = 0;
    machine_config config;
    config.sm_count = 2;
    machine m(draw, config, GetParam(), with_delays(copy_triangles, calls));
    m.run();
    EXPECT_EQ(m.sink.rows, rows_without_time(draw, copy_triangles));
}

/// A unit before or after the stages that is so slow that it determines the time.
struct slow_unit {
    const char* name;
    bool geometry;
    double chip_config::*chip_rate;
    double pe_config::*pe_rate;
    double rate;
    unsigned items;
};
constexpr unsigned shaded = 16 * 32 + 20;
const slow_unit slow_units[] = {
    {"vertices", false, nullptr, &pe_config::vertices_per_cycle, 0.1, shaded},
    {"geometry_vertices", true, nullptr, &pe_config::vertices_per_cycle, 0.1, 498 * 3},
    {"primitives", false, &chip_config::gpc_primitives_per_cycle, nullptr, 0.07, 498},
    {"geometry_primitives", true, &chip_config::gpc_primitives_per_cycle, nullptr, 0.07, 498},
    {"setups", false, &chip_config::gpc_setups_per_cycle, nullptr, 0.07, 498},
    {"geometry_threads", true, nullptr, &pe_config::geometry_threads_per_cycle, 0.0625, 498}};

class pe_units : public testing::TestWithParam<slow_unit> {};
INSTANTIATE_TEST_SUITE_P(unit, pe_units, testing::ValuesIn(slow_units),
                         [](const auto& unit) { return std::string(unit.param.name); });

TEST_P(pe_units, take_items_by_rate)
{
    const auto& unit = GetParam();
    const auto draw = unit.geometry ? triangles_through_geometry(500) : vertex_draw(topology::triangle_strip, 500);
    machine_config config;
    if (unit.chip_rate != nullptr) config.chip.*unit.chip_rate = unit.rate;
    if (unit.pe_rate != nullptr) config.pe.*unit.pe_rate = unit.rate;
    machine m(draw, config, warp_initiator::style::approximately_timed, copy_triangles);
    m.run();
    EXPECT_EQ(m.sink.rows, rows_without_time(draw, copy_triangles));
    EXPECT_GE(static_cast<double>(m.pe.done_cycle()), unit.items / unit.rate);
    EXPECT_LE(static_cast<double>(m.pe.done_cycle()), unit.items / unit.rate + 1000);
    EXPECT_EQ(m.total().lines.level(), 0U);
}

TEST_P(pe_module, outputs_keep_their_lines_until_they_have_left)
{
    const auto draw = vertex_draw(topology::triangle_strip, 500); // 17 batches of 30 triangles, the last of 18
    machine_config config;
    config.isbe.lines = link_pipeline(draw, config).first_stage_lines; // for one batch
    config.chip.gpc_primitives_per_cycle = 0.05;
    machine m(draw, config, GetParam(), copy_triangles);
    m.run();
    EXPECT_EQ(m.sink.rows, rows_without_time(draw, copy_triangles));
    EXPECT_GE(m.total().stalls[stall_reason::isbe_full], 16U * 30 * 20);
}

// A machine whose ISBE holds one batch at a time: the next one waits and the report counts it.
TEST_P(pe_module, PIPE_07_a_batch_that_does_not_fit_waits)
{
    const auto draw = triangles_through_geometry(300);
    machine_config config;
    config.isbe.lines = link_pipeline(draw, config).first_stage_lines + link_pipeline(draw, config).stage_lines[0];
    machine m(draw, config, GetParam(), copy_triangles, 500);
    m.run();
    EXPECT_EQ(m.sink.rows, rows_without_time(draw, copy_triangles));
    EXPECT_EQ(m.sms[0]->resident_peak(), 1U);
    // Every batch but the first waits while the one before it spends 500 cycles in each stage.
    const auto total = m.total();
    EXPECT_GE(total.stalls[stall_reason::isbe_full], (total.batches - 1) * 1000);
    EXPECT_LE(total.stalls[stall_reason::isbe_full], m.pe.done_cycle());
    EXPECT_LE(total.lines.peak(), config.isbe.lines);
}

TEST_P(pe_module, PIPE_07_plenty_of_lines_means_no_waiting)
{
    const auto draw = triangles_through_geometry(300);
    machine_config config;
    config.isbe.lines = 8192;
    machine m(draw, config, GetParam(), copy_triangles, 500);
    m.run();
    EXPECT_EQ(m.total().stalls[stall_reason::isbe_full], 0U);
    EXPECT_GT(m.sms[0]->resident_peak(), 1U);
}

TEST_P(pe_module, PIPE_07_tight_machines_never_deadlock)
{
    auto draw = triangles_through_geometry(300);
    draw.stages[stage::geometry].header.threads_per_input_primitive = 4;
    machine_config config;
    config.pe.gs_output_vertices = 24; // 8 threads: 15 warps per batch
    const auto pipeline = link_pipeline(draw, config);
    config.isbe.lines = 2 * pipeline.first_stage_lines + pipeline.stage_lines[0] + 1;
    config.sm.warps = 2;
    machine m(draw, config, GetParam(), copy_triangles, 50);
    m.run();
    EXPECT_EQ(m.sink.rows.size(), 298U * 4 * 3);
    EXPECT_GT(m.total().stalls[stall_reason::isbe_full], 0U);
    EXPECT_EQ(m.total().lines.level(), 0U);
}

TEST_P(pe_module, PIPE_07_warp_slots_limit_resident_warps)
{
    const auto draw = vertex_draw(topology::points, 640);
    machine_config config;
    config.sm.warps = 3;
    machine m(draw, config, GetParam(), copy_triangles, 300);
    m.run();
    EXPECT_EQ(m.sms[0]->resident_peak(), 3U);
    EXPECT_GT(m.total().stalls[stall_reason::warp_slot], 0U);
    EXPECT_EQ(m.total().stalls[stall_reason::isbe_full], 0U);
    EXPECT_EQ(m.total().stalls[stall_reason::lines_and_slot], 0U);
}

/// Room for one batch and a slot for one warp: more of either alone leaves the next one where it is.
TEST_P(pe_module, PIPE_07_a_warp_that_lacks_lines_and_a_slot_lacks_both)
{
    const auto draw = vertex_draw(topology::points, 640);
    machine_config config;
    config.sm.warps = 1;
    config.isbe.lines = link_pipeline(draw, config).first_stage_lines;
    machine m(draw, config, GetParam(), copy_triangles, 300);
    m.run();
    const auto total = m.total();
    EXPECT_GE(total.stalls[stall_reason::lines_and_slot], (total.batches - 1) * 300);
    EXPECT_EQ(total.stalls[stall_reason::warp_slot], 0U); // lines are given back last
}

TEST_P(pe_module, PIPE_10_watermarks_pause_the_first_stage)
{
    const auto draw = vertex_draw(topology::points, 640);
    machine_config config;
    config.pe.low_watermark = 2;
    config.pe.high_watermark = 4;
    machine m(draw, config, GetParam(), copy_triangles, 300);
    m.run();
    EXPECT_EQ(m.sink.rows, rows_without_time(draw, copy_triangles));
    EXPECT_EQ(m.sms[0]->resident_peak(), 5U); // one more than the mark: then it pauses
    const auto total = m.total();
    EXPECT_EQ(total.stalls[stall_reason::isbe_full], 0U);
    EXPECT_GT(total.stalls[stall_reason::warp_slot], 300U);
}

TEST_P(pe_module, PIPE_10_a_low_watermark_of_0_empties_the_sm)
{
    const auto draw = triangles_through_geometry(300);
    machine_config config;
    config.pe.low_watermark = 0;
    config.pe.high_watermark = 1;
    machine m(draw, config, GetParam(), copy_triangles, 100);
    m.run();
    EXPECT_EQ(m.sink.rows, rows_without_time(draw, copy_triangles));
}

/// Room for one warp of each stage and a few lines more.
class pe_with_buffers : public testing::TestWithParam<std::tuple<warp_initiator::style, buffer_rule, unsigned>> {};
INSTANTIATE_TEST_SUITE_P(tight, pe_with_buffers,
                         testing::Combine(both_styles(), testing::Values(buffer_rule::alpha_beta, buffer_rule::unified),
                                          testing::Values(0U, 1U, 5U, 20U)));

TEST_P(pe_with_buffers, PIPE_10_no_size_starves_a_stage)
{
    const auto [style, rule, more] = GetParam();
    auto draw = triangles_through_geometry(300);
    draw.stages[stage::geometry].header.threads_per_input_primitive = 4;
    machine_config config;
    config.pe.buffers = rule;
    config.pe.gs_output_vertices = 24; // 8 threads: 15 warps per batch
    const auto pipeline = link_pipeline(draw, config);
    config.isbe.lines = pipeline.first_stage_lines + pipeline.stage_lines[0] + more;
    config.sm.warps = more == 5 ? 1 : 16;
    machine m(draw, config, style, copy_triangles, 50);
    m.run();
    EXPECT_EQ(m.sink.rows, rows_without_time(draw, copy_triangles));
    EXPECT_EQ(m.total().lines.level(), 0U);
    EXPECT_LE(m.total().lines.peak(), config.isbe.lines);
}

TEST_P(pe_module, PIPE_10_limits_on_outputs_in_flight)
{
    const auto draw = triangles_through_geometry(300);
    machine_config config;
    config.pe.in_flight.vertex = 1;
    machine m(draw, config, GetParam(), copy_triangles, 500);
    m.run();
    EXPECT_EQ(m.sink.rows, rows_without_time(draw, copy_triangles));
    EXPECT_EQ(m.sms[0]->resident_peak(), 1U); // the next vertex warp starts when the geometry warp has read the last
    EXPECT_GE(m.pe.done_cycle(), m.total().batches * 1000);
}

TEST_P(pe_module, PIPE_02_an_empty_draw_is_done_at_once)
{
    machine m(vertex_draw(topology::points, 0), {}, GetParam(), copy_triangles);
    m.run();
    EXPECT_EQ(m.pe.done_cycle(), 0U);
    EXPECT_TRUE(m.sink.rows.empty());
}

/// Values of the second batch, which stores nothing and runs in the lines of the first.
std::vector<row> rows_of_a_lazy_second_batch(warp_initiator::style style, bool poison)
{
    const auto draw = vertex_draw(topology::points, 64);
    machine_config config;
    config.pe.poison = poison;
    config.isbe.lines = 9; // 4 of input, 4 of output and one of its MAP: room for one batch
    unsigned calls = 0;
    machine m(draw, config, style,
              {{stage::vertex, [&](shader_warp& w) { return calls++ == 0 ? copy_vertex(w) : warp_completion{}; }}});
    m.run();
    EXPECT_EQ(m.sink.rows.size(), 64U);
    return {m.sink.rows.begin() + 32, m.sink.rows.end()};
}

TEST_P(pe_module, ALD_07_unwritten_attributes_hold_values_of_an_earlier_occupant)
{
    for (const auto& r : rows_of_a_lazy_second_batch(GetParam(), false)) {
        const auto v = static_cast<word>(r.primitive) - 32;
        EXPECT_EQ(r.values, (std::vector<word>{4 * v, 4 * v + 1, 4 * v + 2, 4 * v + 3}));
    }
}

TEST_P(pe_module, ALD_07_poison_marks_freed_space)
{
    // Lines 0 to 3 are the output: word number = line * 32 + lane.
    for (const auto& r : rows_of_a_lazy_second_batch(GetParam(), true)) {
        const auto v = static_cast<word>(r.primitive) - 32;
        for (word c = 0; c < 4; ++c) EXPECT_EQ(r.values[c], 0xdead0000U + c * 32 + v);
    }
}

TEST_P(pe_module, PIPE_01_same_cycles_every_time_and_fetching_costs_time)
{
    machine_config config;
    config.pe.fetch_bytes_per_cycle = 2;
    // 20 batches of 32 vertices of 16 bytes: 256 cycles each.
    machine m(vertex_draw(topology::points, 640), config, GetParam(), copy_triangles);
    m.run();
    EXPECT_EQ(m.pe.draw_counters().fetched_bytes, 640U * 16);
    EXPECT_GE(m.pe.done_cycle(), 20U * 256);
    EXPECT_LE(m.pe.done_cycle(), 20U * 256 + 500);
}

TEST_P(pe_module, PIPE_07_a_state_dump_for_the_watchdog)
{
    const auto draw = triangles_through_geometry(50);
    machine m(draw, {}, GetParam(), copy_triangles, 1000000);
    sc_core::sc_start(1, sc_core::SC_US);
    EXPECT_FALSE(m.pe.done());
    EXPECT_NE(m.pe.state_dump().find("vertex warp of primitive 0, instance 0, SM 0 runs in warp slot"),
              std::string::npos)
        << m.pe.state_dump();
}

TEST_P(pe_module, PIPE_07_state_dump_names_the_batchs_wait)
{
    machine_config config;
    config.isbe.lines = 9; // room for one batch, whose warp takes longer than the run
    machine m(vertex_draw(topology::points, 64), config, GetParam(), {{stage::vertex, copy_vertex}}, 1000000);
    sc_core::sc_start(1, sc_core::SC_US);
    EXPECT_FALSE(m.pe.done());
    const auto dump = m.pe.state_dump();
    EXPECT_NE(dump.find("vertex warp of primitive 32, instance 0 waits for 4 + 5 ISBE lines and a warp slot\n"),
              std::string::npos)
        << dump;
}

// PE, SM and ISBE together, with programs of the instruction set: the smallest complete machine.

constexpr const char* copy_program = R"(
    ALD.128 R0, a[0x80];
    AST.128 a[0x70], R0;
    EXIT;
)";

/// HARDWARE.md D.5 for vertices 0, 1, 2 of the input primitive; R12 is the geometry state, R0 at the end.
std::string copy_triangle_program()
{
    std::string text = R"(
        S2R R0, SR_INVOCATION_INFO;
        PRMT R8, R0, 0x4442, RZ;
        PRMT R9, R0, 0x4440, RZ;
        XMAD R1, R8, R9, RZ;
        MOV R12, RZ;
    )";
    for (unsigned v = 0; v < 3; ++v)
        text += R"(
            ISBERD R2, [R1];
            ALD.128 R4, a[0x70], R2;
            AST.128 a[0x70], R4, R12;
            OUT.EMIT R12, R12, RZ;
            IADD R1, R1, 0x1;
        )";
    return text + "MOV R0, R12;\nEXIT;\n";
}

isa::program assembled(const std::string& text)
{
    isa::assemble_options options;
    options.auto_schedule = true;
    return isa::assemble(text, isa::architecture::sm50, options);
}

class programs : public testing::TestWithParam<warp_initiator::style> {
protected:
    void run(const draw_call& draw, const machine_config& config)
    {
        const auto clock = cycle_clock::from_ghz(config.clock_ghz);
        isbesim::pe pe("pe", {config, clock, GetParam(), draw, sink});
        std::vector<std::unique_ptr<sm>> sms;
        std::vector<std::unique_ptr<isbe_module>> isbes;
        for (unsigned i = 0; i < config.sm_count; ++i) {
            const auto number = std::to_string(i);
            sms.push_back(std::make_unique<sm>(("sm" + number).c_str(), config.sm, clock, GetParam()));
            if (GetParam() == warp_initiator::style::loosely_timed)
                isbes.push_back(std::make_unique<isbe_lt>(("isbe" + number).c_str(), config.isbe, clock));
            else
                isbes.push_back(std::make_unique<isbe_at>(("isbe" + number).c_str(), config.isbe, clock));
            pe.launch_socket(i).bind(sms[i]->launch);
            sms[i]->isbe.bind(isbes[i]->ports[0]);
            pe.isbe_socket(i).bind(isbes[i]->ports[1]);
        }
        sc_core::sc_start();
        EXPECT_TRUE(pe.done()) << pe.state_dump();
        for (unsigned i = 0; i < config.sm_count; ++i) threads += pe.site_counters(i).invocations[5];
        cycles = pe.done_cycle();
    }

    row_sink sink;
    std::uint64_t threads = 0; ///< of the geometry stage
    std::uint64_t cycles = 0;
};

INSTANTIATE_TEST_SUITE_P(style, programs, both_styles(), testing::PrintToStringParamName());

TEST_P(programs, PIPE_01_vertex_and_geometry_programs_on_two_sms)
{
    auto draw = triangles_through_geometry(200);
    draw.stages[stage::vertex].program = assembled(copy_program);
    draw.stages[stage::geometry].program = assembled(copy_triangle_program());
    machine_config config;
    config.sm_count = 2;
    run(draw, config);
    EXPECT_EQ(sink.rows, rows_of(assemble(draw)));
    EXPECT_EQ(threads, 198U);
    EXPECT_GT(cycles, 0U);
}

} // namespace
} // namespace isbesim
