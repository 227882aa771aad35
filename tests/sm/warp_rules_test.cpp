// SPDX-License-Identifier: Apache-2.0
// The pieces of the SM that need no simulation: scoreboards, hazards, warnings, counters.
#include <gtest/gtest.h>

#include "models/attribute/al2p.h"
#include "models/isa/execution/executor.h"
#include "models/isa/text/text.h"
#include "models/isbe/functional/names.h"
#include "models/sm/scoreboards.h"
#include "models/sm/sm_counters.h"
#include "models/sm/warnings/trap_codes.h"
#include "models/sm/warnings/warning_table.h"

namespace isbesim {
namespace {

TEST(scoreboards, the_mask_waits_for_the_last_of_all_holders)
{
    scoreboards boards;
    boards.hold_until(0, 10);
    boards.hold_until(0, 7);
    boards.hold_until(5, 12);
    EXPECT_EQ(boards.free_at(0x00), 0U);
    EXPECT_EQ(boards.free_at(0x01), 10U);
    EXPECT_EQ(boards.free_at(0x20), 12U);
    EXPECT_EQ(boards.free_at(0x21), 12U);
    boards.hold(0);
    boards.hold(0);
    EXPECT_EQ(boards.free_at(0x01), never_cycle);
    boards.release(0, 20);
    EXPECT_EQ(boards.free_at(0x01), never_cycle) << "one of two is released";
    boards.release(0, 19);
    EXPECT_EQ(boards.free_at(0x01), 20U);
    boards.hold(scoreboards::none);
    EXPECT_EQ(boards.free_at(0x3f), 20U);
}

isa::issue_info reading(std::uint8_t first, std::uint8_t count)
{
    isa::issue_info info;
    info.reads[0] = {first, count};
    return info;
}

isa::issue_info writing(std::uint8_t first, std::uint8_t count)
{
    isa::issue_info info;
    info.writes[0] = {first, count};
    return info;
}

TEST(register_hazards, ISA_04_a_second_destination_is_watched_too)
{
    isa::issue_info both = writing(0, 2);
    both.writes[1] = {8, 2};
    register_hazards hazards;
    hazards.reset();
    hazards.set_ready(both, 20);
    EXPECT_EQ(hazards.check(reading(9, 1), 19, 25, false), 9U);
    EXPECT_EQ(hazards.check(reading(1, 1), 19, 25, false), 1U);
    EXPECT_EQ(hazards.check(reading(2, 6), 19, 25, false), register_hazards::none);
    // And it is checked when it overwrites.
    isa::issue_info later = writing(30, 1);
    later.writes[1] = {8, 1};
    EXPECT_EQ(hazards.check(later, 10, 15, false), 8U);
}

TEST(register_hazards, ISA_04_a_result_is_not_ready_at_n_minus_1_and_ready_at_n)
{
    register_hazards hazards;
    hazards.reset();
    hazards.set_ready(writing(4, 4), 20);
    for (unsigned reg = 4; reg < 8; ++reg) {
        EXPECT_EQ(hazards.check(reading(static_cast<std::uint8_t>(reg), 1), 19, 25, false), reg);
        EXPECT_EQ(hazards.check(reading(static_cast<std::uint8_t>(reg), 1), 20, 26, false), register_hazards::none);
    }
    EXPECT_EQ(hazards.check(reading(3, 1), 0, 6, false), register_hazards::none);
    EXPECT_EQ(hazards.check(reading(8, 1), 0, 6, false), register_hazards::none);
    EXPECT_EQ(hazards.check(reading(4, 1), 19, 25, true), register_hazards::none) << "no lane reads";
}

/// A path's lanes do not wait for what the lanes of another path, before it, have written; where both meet they do.
TEST(register_hazards, ISA_04_each_path_has_lanes_of_its_own)
{
    constexpr std::uint32_t one = 0x0000ffff, other = 0xffff0000;
    const auto found = [&](isa::issue_info writes, isa::issue_info reads, std::uint32_t path) {
        writes.pipe = reads.pipe = isa::pipe::alu;
        register_hazards hazards;
        hazards.reset();
        hazards.set_path(one);
        hazards.issued(writes, 10);
        hazards.set_path(path);
        return hazards.check(reads, 12, 16, false);
    };
    for (const auto& use : {reading(4, 1), writing(4, 1)}) {
        EXPECT_EQ(found(writing(4, 1), use, other), register_hazards::none);
        EXPECT_EQ(found(writing(4, 1), use, ~0U), found(writing(4, 1), use, one));
    }
    EXPECT_EQ(found(writing(4, 1), reading(4, 1), one), 4U);
    isa::issue_info uniform, reads_uniform;
    uniform.uniform_writes = reads_uniform.uniform_reads[0] = {0, 1};
    EXPECT_EQ(found(uniform, reads_uniform, other), found(uniform, reads_uniform, one)) << "all lanes' register";
}

TEST(register_hazards, ISA_04_overwriting_is_a_hazard_only_when_the_older_result_lands_later)
{
    register_hazards hazards;
    hazards.reset();
    hazards.set_ready(writing(4, 1), 20);
    EXPECT_EQ(hazards.check(writing(4, 1), 10, 16, false), 4U);
    EXPECT_EQ(hazards.check(writing(4, 1), 15, 21, false), register_hazards::none);
    hazards.set_ready(writing(4, 1), never_cycle);
    EXPECT_EQ(hazards.check(writing(4, 1), 1000, 1006, false), 4U);
}

TEST(register_hazards, ISA_04_predicates_are_checked_even_when_they_turn_all_lanes_off)
{
    register_hazards hazards;
    hazards.reset();
    isa::issue_info set;
    set.predicate_writes = 1U << 3;
    hazards.set_ready(set, 13);
    isa::issue_info use;
    use.predicate_reads = 1U << 3;
    EXPECT_EQ(hazards.check(use, 12, 18, true), register_hazards::predicate_base + 3);
    EXPECT_EQ(hazards.check(use, 13, 19, true), register_hazards::none);
}

TEST(warning_table, occurrences_at_one_place_share_a_line)
{
    warning_table warnings;
    for (unsigned i = 0; i < 1000; ++i) warnings.add(warning_kind::register_hazard, stage::geometry, 0x48, 7, 100 + i);
    warnings.add(warning_kind::register_hazard, stage::geometry, 0x48, 8, 0);
    ASSERT_EQ(warnings.warnings().size(), 2U);
    EXPECT_EQ(warnings.warnings()[0].count, 1000U);
    EXPECT_EQ(warnings.warnings()[0].first_cycle, 100U);
    const std::string text = describe(warnings.warnings()[0]);
    EXPECT_NE(text.find("geometry 0x0048"), std::string::npos) << text;
    EXPECT_NE(text.find("R7"), std::string::npos) << text;
}

TEST(warning_table, every_kind_has_a_word_and_a_line)
{
    const std::pair<warning_kind, std::array<const char*, 2>> kinds[] = {
        {warning_kind::register_hazard, {"register_hazard", "P1 is used or overwritten before its result is ready"}},
        {warning_kind::missing_handle, {"missing_handle", "ALD without a vertex handle register reads vertex 0"}},
        {warning_kind::missing_state, {"missing_state", "AST without the geometry state register"}},
        {warning_kind::cut_stream, {"cut_stream", "OUT.CUT with a stream operand other than RZ"}},
        {warning_kind::skew_ignored, {"skew_ignored", ".SKEW has no effect on the MAP, PATCH and PRIM regions"}},
        {warning_kind::not_al2p, {"not_al2p", "the register of a .PHYS access is not an AL2P result"}},
        {warning_kind::overwritten, {"overwritten", "input attribute read after an output"}},
        {warning_kind::handle_range, {"handle_range", "vertex handle beyond the vertex count"}},
        {warning_kind::gs_state, {"gs_state", "geometry state register holds a value that OUT did not produce"}},
        {warning_kind::isbe_range, {"isbe_range", "ISBERD or ISBEWR outside its region"}},
        {warning_kind::stale_state, {"stale_state", "the thread ends with a geometry state older than its last OUT"}},
        {warning_kind::patch_range, {"patch_range", "patch attribute beyond the patch"}},
        {warning_kind::diverged_bar, {"diverged_bar", "BAR by a part of the warp's lanes"}},
        {warning_kind::attribute_range, {"attribute_range", "attribute address outside 0 to 0x3fc"}},
        {warning_kind::beyond_maximum, {"beyond_maximum", "OUT or AST beyond the maximum of vertices"}},
        {warning_kind::write_conflict, {"write_conflict", "lanes store different values to one place"}},
        {warning_kind::no_output, {"no_output", "a store by a result of AL2P names an attribute"}},
    };
    warning_table warnings;
    for (const auto& [kind, words] : kinds)
        warnings.add(kind, stage::tess_init, 0x10, register_hazards::predicate_base + 1, 0);
    ASSERT_EQ(warnings.warnings().size(), std::size(kinds));
    for (std::size_t i = 0; i < std::size(kinds); ++i) {
        const auto& [kind, words] = kinds[i];
        EXPECT_STREQ(kind_name(kind), words[0]);
        const auto line = describe(warnings.warnings()[i]);
        EXPECT_EQ(line.rfind(std::string(name_of(stage::tess_init)) + " 0x0010: " + words[1], 0), 0U) << line;
    }
}

TEST(traps, have_the_kernels_names)
{
    EXPECT_STREQ(trap_code::name_of(trap_code::illegal_instr_encoding), "ILLEGAL_INSTR_ENCODING");
    EXPECT_STREQ(trap_code::name_of(trap_code::illegal_sph_instr_combo), "ILLEGAL_SPH_INSTR_COMBO");
    EXPECT_STREQ(trap_code::name_of(trap_code::oor_addr), "OOR_ADDR");
    EXPECT_STREQ(trap_code::name_of(trap_code::misaligned_addr), "MISALIGNED_ADDR");
    EXPECT_STREQ(trap_code::name_of(trap_code::geometry_sm_error), "GEOMETRY_SM_ERROR");
    EXPECT_STREQ(trap_code::name_of(0xff), "unnamed");
}

word al2p(unsigned address, space where)
{
    al2p_result result;
    result.id = static_cast<std::uint8_t>(address / 4);
    result.space = where;
    result.enabled = true;
    result.per_primitive = address == 0x60 && where == space::input;
    return encode_al2p(result);
}

/// Whether the instruction, issued in `where` with R3 as given, is reported as one without vertex handle.
bool lacks_handle(const char* text, stage where, word even_lanes = 0, word odd_lanes = 0)
{
    const isa::program code = isa::assemble(text, isa::architecture::sm50);
    isa::warp_state warp;
    warp.launch(code, all_lanes, 0);
    warp.stage = where;
    warp.registers.resize(16);
    for (unsigned i = 0; i < warp_lanes; ++i) warp.registers[3][i] = i % 2 == 0 ? even_lanes : odd_lanes;
    warp_op op;
    const auto step = isa::execute(warp, op, {true});
    warning_table warnings;
    warnings_of_operation(warnings, where, where == stage::geometry, 0, code.code[0], op, step.components);
    for (const auto& each : warnings.warnings()) EXPECT_EQ(each.kind, warning_kind::missing_handle) << text;
    return !warnings.warnings().empty();
}

// HARDWARE.md E.4, E.6 row 23; A.5: PRIMITIVE_ID of the input is the primitive's. Vectors are aligned by E.2.
TEST(operation_warnings, ALD_12_loads_that_need_a_handle)
{
    for (const auto where : {stage::tess_init, stage::tess, stage::geometry}) {
        for (const char* text :
             {"ALD R4, a[0x80];", "ALD R4, a[0x80], RZ;", "ALD.64 R4, a[0x60];", "ALD.96 R4, a[0x60];",
              "ALD.128 R4, a[0x60];", "ALD.128 R4, a[0x6c];", "ALD R4, a[0x5c];", "ALD R4, a[0x64];"})
            EXPECT_TRUE(lacks_handle(text, where)) << text;
        for (const char* text :
             {"ALD R4, a[0x60];", "ALD R4, a[0x63];", "ALD R4, a[0x80], R2;", "ALD.128 R4, a[0x60], R2;",
              "ALD.P R4, a[0x20];", "ALD.P R4, a[R3+0x20];", "ALD.PHYS R4, a[R3], R2;"})
            EXPECT_FALSE(lacks_handle(text, where)) << text;
        const word primitive = al2p(0x60, space::input), generic = al2p(0x80, space::input);
        EXPECT_FALSE(lacks_handle("ALD.PHYS R4, a[R3];", where, primitive, primitive));
        EXPECT_TRUE(lacks_handle("ALD.PHYS R4, a[R3];", where, generic, generic));
        EXPECT_TRUE(lacks_handle("ALD.PHYS R4, a[R3];", where, primitive, generic)) << "in some lanes";
        EXPECT_TRUE(lacks_handle("ALD.PHYS.64 R4, a[R3];", where, primitive, primitive)) << "and what comes after it";
    }
    for (const auto where : {stage::tess_init, stage::tess}) {
        EXPECT_TRUE(lacks_handle("ALD.O R4, a[0x80];", where));
        EXPECT_TRUE(lacks_handle("ALD.O R4, a[0x60];", where)) << "an output is kept by vertex";
        EXPECT_TRUE(lacks_handle("ALD.O.64 R4, a[0x2f0];", where));
        EXPECT_TRUE(lacks_handle("ALD.O.PHYS R4, a[R3];", where, al2p(0x60, space::output), al2p(0x60, space::output)));
        EXPECT_FALSE(lacks_handle("ALD.O R4, a[0x80], R2;", where));
        EXPECT_FALSE(lacks_handle("ALD.O.P R4, a[0x20];", where));
    }
    for (const auto where : {stage::vertex, stage::vertex_a})
        for (const char* text : {"ALD R4, a[0x80];", "ALD.O R4, a[0x80];", "ALD.PHYS R4, a[R3];"})
            EXPECT_FALSE(lacks_handle(text, where)) << text;
}

TEST(warning_table, memory_is_bounded)
{
    warning_table warnings;
    for (unsigned pc = 0; pc < 5000; ++pc) warnings.add(warning_kind::not_al2p, stage::vertex, pc, 0, pc);
    EXPECT_EQ(warnings.warnings().size(), warning_table::limit);
    EXPECT_EQ(warnings.beyond_limit(), 5000 - warning_table::limit);
}

TEST(sm_counters, keeps_the_first_traps_and_counts_all)
{
    sm_counters counters;
    counters.add_trap({0x0e, stage::geometry, 2, 1, 0x10, 3});
    for (unsigned i = 0; i < 2 * sm_counters::trap_limit; ++i) counters.add_trap({0x09, stage::vertex, 0, 1, 0x8, i});
    EXPECT_EQ(counters.trap_count, 2 * sm_counters::trap_limit + 1);
    EXPECT_EQ(counters.traps.size(), sm_counters::trap_limit);
    EXPECT_EQ(counters.traps[0].code, 0x0e);
}

TEST(warning_table, merge_adds_counts_of_one_place)
{
    warning_table first;
    warning_table second;
    second.add(warning_kind::overwritten, stage::vertex, 8, 0, 5);
    first.add(warning_kind::overwritten, stage::vertex, 8, 0, 1);
    first.merge(second);
    ASSERT_EQ(first.warnings().size(), 1U);
    EXPECT_EQ(first.warnings()[0].count, 2U);
}

} // namespace
} // namespace isbesim
