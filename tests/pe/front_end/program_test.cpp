// SPDX-License-Identifier: Apache-2.0
// PE, SM and ISBE together, with programs of the instruction set: the smallest complete machine.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "models/isa/text/text.h"
#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "models/pe/pe.h"
#include "models/sm/sm.h"
#include "tests/pe/draws.h"
#include "tests/pe/shaders.h"
#include "tests/pe/styles.h"

namespace isbesim {
namespace {

using namespace test;

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
