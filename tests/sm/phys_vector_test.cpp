// SPDX-License-Identifier: Apache-2.0
// Vector accesses by .PHYS under allow_phys_vector (ALD-17, HARDWARE.md E.6 row 1): component c is attribute id + c,
// which is looked up by itself. Expected values: the layout of D.2 and the default values of A.4, written out.
#include <gtest/gtest.h>

#include "tests/sm/sm_bench.h"

namespace isbesim {
namespace {

constexpr word output_attributes = 16384; // as geometry_context() and vertex_context() place them
constexpr word one = 0x3f800000U;
constexpr word untouched = 0x77777777U;

/// R4 to R7 are `first` and the numbers that follow.
std::string four_constants(unsigned first)
{
    std::string text;
    for (unsigned i = 0; i < 4; ++i)
        text += "MOV32I R" + std::to_string(4 + i) + ", " + std::to_string(first + i) + " ;\n";
    return text;
}

sm_config allowed()
{
    sm_config config;
    config.allow_phys_vector = true;
    return config;
}

class phys_vector : public testing::TestWithParam<backend> {
protected:
    sm_bench& bench() { return bench_; }

    void run(const context& value, isbesim::stage stage, const std::string& text)
    {
        bench_.bind(0, value);
        bench_.run(bench_.scheduled_program(text), stage, 0, all_lanes, 0, value.fast_geometry);
        EXPECT_EQ(bench_.counters().trap_count, 0U);
    }
    /// Attribute of rank r, vertex v of the input space holds 0x1000 * (r + 1) + v.
    void fill_input(unsigned n)
    {
        for (unsigned rank = 0; rank < n; ++rank)
            for (unsigned v = 0; v < 32; ++v) bench_.poke(rank * 128 + 4 * v, 0x1000 * (rank + 1) + v);
    }
    void fill_output(unsigned words)
    {
        for (unsigned i = 0; i < words; ++i) bench_.poke(output_attributes + 4 * i, untouched);
    }
    word output(unsigned rank, unsigned vertex) { return bench_.peek(output_attributes + rank * 128 + 4 * vertex); }

    /// Loads a vector from `address` into R4 and up, 0x77777777 before, and gives what lane `lane` has in R4..R7 then:
    /// a store sends them, which nothing enables.
    std::vector<word> load(const context& value, isbesim::stage stage, const char* address, unsigned size,
                           unsigned lane, const std::string& side = "I")
    {
        const std::string bits = std::to_string(32 * size);
        std::string text = "MOV32I R4, 0x77777777 ;\nMOV32I R5, 0x77777777 ;\nMOV32I R6, 0x77777777 ;\n"
                           "MOV32I R7, 0x77777777 ?stall=6 ;\nMOV R9, RZ ;\n";
        if (stage != stage::vertex) text += "S2R R9, SR_LANEID ;\n";
        text += "AL2P." + side + " R1, RZ, " + address + " ;\nALD." + side + ".PHYS." + bits + " R4, a[R1]" +
                (stage != stage::vertex ? ", R9" : "") +
                " ;\nMOV R20, R4 ;\nMOV R21, R5 ;\nMOV R22, R6 ;\nMOV R23, R7 ;\n" +
                "MOV R0, RZ ;\nAST.128 a[0x0], R20" + (stage == stage::geometry ? ", R0" : "") + " ;\nEXIT ;\n";
        run(value, stage, text);
        std::vector<word> registers;
        const auto stores = sent(opcode::ast);
        for (const auto& data : stores.back().op.data) registers.push_back(data[lane]);
        return registers;
    }

    std::vector<seen_transaction> sent(opcode op)
    {
        std::vector<seen_transaction> found;
        for (const auto& each : bench_.transactions)
            if (each.op.op == op) found.push_back(each);
        return found;
    }

private:
    sm_bench bench_{GetParam(), allowed()};
};
INSTANTIATE_TEST_SUITE_P(on, phys_vector, testing::Values(backend::lt, backend::at), testing::PrintToStringParamName());

using registers = std::vector<word>;

TEST_P(phys_vector, ALD_17_loads_across_holes)
{
    const context c = vertex_context({0x80, 0x90});
    fill_input(2);
    EXPECT_EQ(load(c, stage::vertex, "0x80", 2, 9), (registers{0x1009, 0, untouched, untouched}))
        << "0x90 is not what follows 0x80";
    EXPECT_EQ(sent(opcode::ald).size(), 2U) << "a scalar load for each component";
    EXPECT_EQ(bench().counters().instructions[static_cast<unsigned>(opcode::ald)], 1U);
    EXPECT_EQ(load(c, stage::vertex, "0x80", 4, 9), (registers{0x1009, 0, 0, one})) << "0x8c is a .w";
    EXPECT_EQ(load(c, stage::vertex, "0x84", 4, 31), (registers{0, 0, one, 0x201f})) << "0x84, 0x88, 0x8c, 0x90";
    EXPECT_EQ(load(c, stage::vertex, "0x8c", 3, 0), (registers{one, 0x2000, 0, untouched}));
}

TEST_P(phys_vector, ALD_17_each_component_has_its_own_enabled_bit)
{
    context c = vertex_context({0x80, 0x84, 0x88, 0x8c});
    c.input.enabled = {};
    for (const unsigned address : {0x84U, 0x8cU}) c.input.enabled.insert(address / 4);
    fill_input(4);
    EXPECT_EQ(load(c, stage::vertex, "0x80", 4, 5), (registers{0, 0x2005, 0, 0x4005}));
    EXPECT_EQ(load(c, stage::vertex, "0x84", 2, 5), (registers{0x2005, 0, untouched, untouched}));
}

TEST_P(phys_vector, ALD_17_into_and_out_of_PRIMITIVE_ID)
{
    // 0x60 is per primitive, its neighbours per vertex (A.5). Handles are the lanes, lane i works on primitive i / 4.
    context c = geometry_context({0x5c, 0x60, 0x64, 0x68}, 1);
    c.input.prim_base = 8192;
    c.input.prim_bytes = 32;
    for (unsigned lane = 0; lane < 32; ++lane) c.primitive[lane] = static_cast<std::uint8_t>(lane / 4);
    fill_input(4);
    for (unsigned p = 0; p < 8; ++p) bench().poke(8192 + 4 * p, 0x500 + p);
    EXPECT_EQ(load(c, stage::geometry, "0x5c", 4, 22), (registers{0x1016, 0x505, 0x3016, 0x4016}));
    EXPECT_EQ(load(c, stage::geometry, "0x60", 2, 22), (registers{0x505, 0x3016, untouched, untouched}));
    c.input.enabled.erase(0x60 / 4);
    EXPECT_EQ(load(c, stage::geometry, "0x5c", 2, 22), (registers{0x1016, 0, untouched, untouched}));
}

TEST_P(phys_vector, ALD_17_at_the_end_of_the_map_and_of_the_addresses)
{
    const context c = vertex_context({0x80, 0x3bc}); // the last one that a map can hold
    fill_input(2);
    EXPECT_EQ(load(c, stage::vertex, "0x3bc", 2, 7), (registers{0x2007, 0, untouched, untouched}));
    EXPECT_EQ(load(c, stage::vertex, "0x3fc", 4, 7), (registers{0, 0, 0, 0}));
    // Ids 255, 256, 257, 258: beyond 255 there is no attribute, and no wrap to id 0.
    const auto loads = sent(opcode::ald);
    ASSERT_EQ(loads.size(), 2U + 4);
    EXPECT_EQ(loads[2].result.status[3], lane_status::defaulted);
    for (unsigned i = 3; i < 6; ++i) EXPECT_EQ(loads[i].result.status[3], lane_status::out_of_range);
}

TEST_P(phys_vector, ALD_17_own_output)
{
    const context c = vertex_context({0x80, 0x90});
    for (unsigned v = 0; v < 32; ++v) {
        bench().poke(output_attributes + 4 * v, 0x100 + v);
        bench().poke(output_attributes + 128 + 4 * v, 0x200 + v);
    }
    EXPECT_EQ(load(c, stage::vertex, "0x84", 4, 12, "O"), (registers{0, 0, one, 0x20c}));
}

// Lanes 0..7 have a result of AL2P.I, 8..15 one of AL2P.O, 16..23 an untranslated address, 24..31 one that is
// out of range, 4 below the first one.
const char* const mixed_lanes = "S2R R9, SR_LANEID ;\n"
                                "MOV32I R4, 0x77777777 ;\nMOV32I R5, 0x77777777 ;\n"
                                "ISETP.LT.AND P0, PT, R9, 0x8, PT ;\nISETP.LT.AND P1, PT, R9, 0x10, PT ;\n"
                                "ISETP.LT.AND P2, PT, R9, 0x18, PT ;\n"
                                "AL2P.{side} R1, RZ, -0x4 ;\n"
                                "@P2 MOV32I R1, 0x80 ;\n"
                                "@P1 AL2P.{other} R1, RZ, 0x80 ;\n"
                                "@P0 AL2P.{side} R1, RZ, 0x80 ;\n";

std::string with_sides(std::string text, const std::string& side, const std::string& other)
{
    const auto replace = [&](const std::string& what, const std::string& by) {
        for (auto at = text.find(what); at != std::string::npos; at = text.find(what))
            text.replace(at, what.size(), by);
    };
    replace("{side}", side);
    replace("{other}", other);
    return text;
}

TEST_P(phys_vector, ALD_17_AL2P_03_lanes_without_a_result_do_no_harm_in_any_component)
{
    // 0x00 and 0x04 are enabled too: a component must not end up there.
    const context c = vertex_context({0x00, 0x04, 0x80, 0x84});
    fill_input(4);
    run(c, stage::vertex,
        with_sides(mixed_lanes, "I", "O") + "ALD.PHYS.64 R4, a[R1] ;\nAST.64 a[0x80], R4 ;\nEXIT ;\n");
    for (unsigned lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(output(2, lane), lane < 8 ? 0x3000 + lane : 0) << lane;
        EXPECT_EQ(output(3, lane), lane < 8 ? 0x4000 + lane : 0) << lane;
    }
    const auto warnings = bench().counters().warnings.warnings();
    ASSERT_EQ(warnings.size(), 2U);
    EXPECT_EQ(warnings[0].kind, warning_kind::attribute_range) << "lanes 24 to 31";
    EXPECT_EQ(warnings[1].kind, warning_kind::not_al2p);
    for (const auto& each : warnings) EXPECT_EQ(each.count, 1U) << "one instruction";
}

TEST_P(phys_vector, ALD_17_AL2P_03_stores_of_such_lanes_are_dropped)
{
    const context c = vertex_context({0x00, 0x04, 0x80, 0x84});
    fill_output(4 * 32);
    run(c, stage::vertex,
        with_sides(mixed_lanes, "O", "I") + "MOV32I R4, 0x44 ;\nMOV R5, R9 ;\nAST.PHYS.64 a[R1], R4 ;\nEXIT ;\n");
    for (unsigned lane = 0; lane < 32; ++lane) {
        for (const unsigned rank : {0U, 1U}) EXPECT_EQ(output(rank, lane), untouched);
        EXPECT_EQ(output(2, lane), lane < 8 ? 0x44 : untouched) << lane;
        EXPECT_EQ(output(3, lane), lane < 8 ? lane : untouched) << lane;
    }
}

TEST_P(phys_vector, ALD_17_stores_across_holes)
{
    const context c = vertex_context({0x80, 0x90});
    fill_output(64);
    run(c, stage::vertex,
        four_constants(0x14) + "AL2P.O R1, RZ, 0x84 ;\nAL2P.O R2, RZ, 0x80 ;\nAST.PHYS.64 a[R2], R4 ;\nEXIT ;\n");
    for (unsigned v = 0; v < 32; ++v) {
        EXPECT_EQ(output(0, v), 0x14U);
        EXPECT_EQ(output(1, v), untouched) << "0x90 is not what follows 0x80";
    }
    EXPECT_EQ(bench().core().counters().discarded_bmap, 32U);
    run(c, stage::vertex, four_constants(0x24) + "AL2P.O R1, RZ, 0x84 ;\nAST.PHYS.128 a[R1], R4 ;\nEXIT ;\n");
    for (unsigned v = 0; v < 32; ++v) {
        EXPECT_EQ(output(0, v), 0x14U);
        EXPECT_EQ(output(1, v), 0x27U);
    }
}

// Two vertices a thread. Of 0x80, 0x84, 0x8c and 0x90 all but 0x84 are enabled.
TEST_P(phys_vector, ALD_17_stores_with_a_geometry_state)
{
    context c = geometry_context({0x80, 0x84, 0x8c, 0x90}, 2);
    c.output.enabled.erase(0x84 / 4);
    fill_output(4 * 64);
    run(c, stage::geometry,
        four_constants(0x14) +
            "MOV R0, RZ ;\nAL2P.O R1, RZ, 0x80 ;\nAL2P.O R2, RZ, 0x88 ;\n"
            "AST.PHYS.128 a[R1], R4, R0 ;\nOUT.EMIT R0, R0, RZ ;\nAST.PHYS.96 a[R2], R4, R0 ;\nOUT.EMIT R0, R0, RZ ;\n"
            "AST.PHYS.128 a[R1], R4, R0 ;\nEXIT ;\n");
    for (unsigned lane = 0; lane < 32; ++lane) {
        // Vertices 0..31 are slot 0 of the threads, 32..63 slot 1; four lines to each 32.
        EXPECT_EQ(output(0, lane), 0x14U);
        EXPECT_EQ(output(1, lane), untouched);
        EXPECT_EQ(output(2, lane), 0x17U);
        EXPECT_EQ(output(3, lane), untouched) << "0x90 is not of 0x80..0x8c";
        EXPECT_EQ(output(4, lane), untouched);
        EXPECT_EQ(output(5, lane), untouched);
        EXPECT_EQ(output(6, lane), 0x15U) << "0x88, 0x8c, 0x90";
        EXPECT_EQ(output(7, lane), 0x16U);
    }
    EXPECT_EQ(bench().core().counters().discarded_gs_overflow, 4U * 32) << "a third vertex: each component of it";
    EXPECT_EQ(bench().completions.at(0).completion.vertex_count[17], 2U);
    EXPECT_EQ(bench().completions.at(0).completion.lost, 0U);
}

TEST_P(phys_vector, ALD_17_stores_of_a_fast_geometry_program)
{
    context c = geometry_context({0x80, 0x90}, 1);
    c.fast_geometry = true;
    fill_output(64);
    run(c, stage::geometry,
        four_constants(0x14) + "MOV32I R0, 0x1234 ;\nAL2P.O R1, RZ, 0x84 ;\nAST.PHYS.128 a[R1], R4, R0 ;\nEXIT ;\n");
    for (unsigned v = 0; v < 32; ++v) {
        EXPECT_EQ(output(0, v), untouched);
        EXPECT_EQ(output(1, v), 0x17U);
    }
    EXPECT_EQ(bench().core().counters().discarded_bmap, 3U * 32);
}

} // namespace
} // namespace isbesim
