// SPDX-License-Identifier: Apache-2.0
// Hazard information and automatic scheduling.
#include "models/isa/schedule.h"

#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "models/isa/tables/table.h"
#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

instruction one(const std::string& text)
{
    return assemble(text, architecture::sm50).code.at(0);
}

bool reads(const instruction& reader, unsigned index)
{
    for (const auto range : reader.issue.reads)
        if (index >= range.first && index < unsigned{range.first} + range.count) return true;
    return false;
}

TEST(schedule, ISA_04_issue_information_names_registers_and_predicates)
{
    const instruction fma = one("@!P2 FFMA R7, R1, R2, R3;");
    EXPECT_EQ(fma.issue.latency, latency_class::alu);
    EXPECT_EQ(fma.issue.writes[0].first, 7);
    EXPECT_EQ(fma.issue.writes[0].count, 1);
    EXPECT_TRUE(reads(fma, 1) && reads(fma, 2) && reads(fma, 3));
    EXPECT_FALSE(reads(fma, 7));
    EXPECT_EQ(fma.issue.predicate_reads, 1U << 2);

    const instruction compare = one("FSETP.LT.AND P0, P5, R1, RZ, !P4;");
    EXPECT_EQ(compare.issue.predicate_writes, 1U << 0 | 1U << 5);
    EXPECT_EQ(compare.issue.predicate_reads, 1U << 4);
    EXPECT_EQ(compare.issue.writes[0].count, 0);
    EXPECT_FALSE(reads(compare, register_zero));

    const instruction store = one("AST.96 a[0x80], R6, R9;");
    EXPECT_EQ(store.issue.latency, latency_class::attribute);
    EXPECT_EQ(store.issue.attribute_opcode, opcode::ast);
    EXPECT_TRUE(reads(store, 4) && reads(store, 6) && reads(store, 9));
    EXPECT_FALSE(reads(store, 7));

    const instruction wide = one("DFMA R8, R2, R4, R6;");
    EXPECT_EQ(wide.issue.writes[0].count, 2);
    EXPECT_TRUE(reads(wide, 3) && reads(wide, 7));
    EXPECT_EQ(wide.issue.latency, latency_class::variable);

    const instruction long_form = one("FFMA32I R3, R7, 0.1, R3;");
    EXPECT_TRUE(reads(long_form, 3));

    EXPECT_EQ(one("IADD R0.CC, R1, R2;").issue.predicate_writes, 0x80);
    EXPECT_EQ(one("IADD.X R0, R1, R2;").issue.predicate_reads, 0x80);
    EXPECT_EQ(one("LDL.64 R4, [R1];").issue.writes[0].count, 2);
    EXPECT_EQ(one("F2F.F64.F32 R4, R1;").issue.writes[0].count, 2);
}

TEST(schedule, ISA_04_register_count_is_the_highest_used_plus_one)
{
    EXPECT_EQ(assemble("ALD.128 R9, a[0x80]; EXIT;", architecture::sm50).register_count, 12U); // R8..R11
    EXPECT_EQ(assemble("EXIT;", architecture::sm50).register_count, 1U);
}

/// Walks straight-line code and counts uses of results that nothing waited for.
unsigned unsafe_uses(const program& code)
{
    unsigned found = 0;
    struct state {
        int ready = 0;      ///< cycle of a fixed-latency result
        int scoreboard = 7; ///< or the scoreboard that guards it
        int readers = 7;    ///< scoreboard of a pending read
    };
    std::array<state, 256> registers{};
    int now = 0;
    for (const auto& each : code.code) {
        const control& c = each.control;
        for (auto& r : registers) {
            if (r.scoreboard != 7 && (c.wait_mask >> r.scoreboard & 1) != 0) r.scoreboard = 7;
            if (r.readers != 7 && (c.wait_mask >> r.readers & 1) != 0) r.readers = 7;
        }
        const auto use = [&](register_range range, bool write) {
            for (unsigned k = 0; k < range.count; ++k) {
                state& r = registers[range.first + k];
                if (r.ready > now || r.scoreboard != 7 || (write && r.readers != 7)) ++found;
            }
        };
        for (const auto range : each.issue.reads) use(range, false);
        for (const auto range : each.issue.writes) use(range, true);
        const bool fixed = each.issue.latency == latency_class::alu;
        for (const auto range : each.issue.writes)
            for (unsigned k = 0; k < range.count; ++k) {
                state& r = registers[range.first + k];
                if (fixed) r.ready = now + 6;
                if (!fixed) r.scoreboard = c.write_barrier;
                if (!fixed && c.write_barrier == 7) ++found;
            }
        for (const auto range : each.issue.reads)
            for (unsigned k = 0; k < range.count && !fixed; ++k) registers[range.first + k].readers = c.read_barrier;
        now += c.stall;
    }
    return found;
}

TEST(schedule, ISA_04_auto_schedule_waits_for_everything_used)
{
    const std::string text = R"(
        S2R R0, SR_INVOCATION_INFO;  ISBERD R1, [R0];  ALD.128 R4, a[0x80], R1;  ALD.64 R8, a[0x90], R1;
        ALD R10, a[0xa0], R1; ALD R11, a[0xb0], R1; ALD R12, a[0xc0], R1; ALD R13, a[0xd0], R1; ALD R14, a[0xe0], R1;
        FADD R4, R4, R8;  FADD R4, R4, R9;  FMUL R5, R4, R10;  MUFU.RCP R5, R5;  IMUL R6, R5, R11;
        AST.128 a[0x70], R4;  MOV32I R4, 0x0;  LDC R7, c[0x0][R4];  OUT.EMIT R0, RZ, RZ;  AST a[0x80], R7, R0;
        OUT.CUT R0, R0, RZ;  EXIT;)";
    assemble_options options;
    options.auto_schedule = true;
    EXPECT_EQ(unsafe_uses(assemble(text, architecture::sm50, options)), 0U);
    EXPECT_GT(unsafe_uses(assemble(text, architecture::sm50)), 20U) << "nothing waits there: every use must be found";
}

TEST(schedule, ISA_04_both_destinations_of_a_texture_instruction_are_waited_for)
{
    // R0 and R4 are its results; FADD takes the second one, MOV32I overwrites it.
    for (const char* text : {"TLD4S.R R4, R0, R8, R9, 0x10; FADD R12, R4, R5; EXIT;",
                             "TLD4S.R R4, R0, R8, R9, 0x10; MOV32I R4, 0x1; EXIT;"}) {
        const instruction fetch = one(text);
        EXPECT_EQ(fetch.issue.writes[0].first, 4);
        EXPECT_EQ(fetch.issue.writes[1].first, 0);
        const program code = assemble(text, architecture::sm50, {true});
        const unsigned barrier = code.code[0].control.write_barrier;
        ASSERT_LT(barrier, 6U);
        EXPECT_NE(code.code[1].control.wait_mask & 1U << barrier, 0) << text;
        EXPECT_EQ(unsafe_uses(code), 0U) << text;
    }
    EXPECT_EQ(assemble("TLD4S.R R20, R0, R8, R9, 0x10; EXIT;", architecture::sm50).register_count, 22U);
}

TEST(schedule, ISA_04_auto_schedule_waits_before_branch_targets)
{
    assemble_options options;
    options.auto_schedule = true;
    const program code = assemble("ALD R1, a[0x80]; MOV32I R2, 0x1; loop: FADD R3, R1, R2; BRA loop; EXIT;",
                                  architecture::sm50, options);
    EXPECT_NE(code.code[2].control.wait_mask & (1U << code.code[0].control.write_barrier), 0);
    EXPECT_GE(code.code[1].control.stall, 6); // R2 is ready also after the jump
    EXPECT_GE(code.code[2].control.stall, 6); // and R3 before the loop goes round
}

/// R2UR's result reaches a constant bank after 16 cycles, a stall is 15 at most.
TEST(schedule, ISA_04_inserted_waits_keep_the_targets_of_branches)
{
    const std::string text = R"(
        MOV R1, 0x1; @P0 BRA load; loop: R2UR UR4, R1; load: LDC R3, cx[UR4][0x0];
        @P1 BRA loop; @P2 BRA 0x0; R2UR UR6, R3; BRA end; R2UR UR7, R3; LDCU UR5, c[0x0][UR7]; end: EXIT;)";
    const program barrier = assemble(text, architecture::sm120), longer = assemble(text, architecture::sm120, {true});
    const auto targets = [](const program& code) {
        std::vector<std::string> found;
        for (const auto& each : code.code)
            if (std::string_view(each.row->mnemonic) == "BRA") {
                const auto target = code.index_of(each.at(slot::extra).value);
                found.push_back(target == program::npos ? "none" : instruction_text(code.code[target]));
            }
        return found;
    };
    EXPECT_EQ(targets(longer), targets(barrier));
    EXPECT_EQ(targets(decode_program(encode_program(longer), architecture::sm120)), targets(barrier));
    EXPECT_EQ(targets(barrier)[0], "LDC R3, cx[UR4][0x0]");
    EXPECT_EQ(longer.code.size(), barrier.code.size() + 3);
    for (std::size_t i = 1; i < longer.code.size(); ++i) {
        if (std::string_view(longer.code[i].row->mnemonic) != "NOP") continue;
        EXPECT_EQ(longer.code[i - 1].control.stall, 15);
        EXPECT_EQ(longer.code[i].control.stall, 1);
    }
}

} // namespace
} // namespace isbesim::isa
