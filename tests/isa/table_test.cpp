// SPDX-License-Identifier: Apache-2.0
// Facts about rows that no literal word of page_words_test.cpp and no vendor's listing shows.
#include "models/isa/tables/table.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isa/tables/row_parts.h"

namespace isbesim::isa {
namespace {

constexpr architecture all_architectures[] = {architecture::sm50, architecture::sm75, architecture::sm86,
                                              architecture::sm89, architecture::sm120};

/// Instructions of each latency class, on both architectures or on one; all others are of class alu.
const struct {
    latency_class latency;
    const char *both, *sm50, *sm75;
} latencies[] = {
    {latency_class::variable, "DADD DFMA DMUL DSETP F2F F2I FLO I2F I2I MUFU POPC S2R SHFL",
     "DMNMX DSET IMAD IMUL IMUL32I", "BREV FCHK FRND I2IP MATCH.ALL MATCH.ANY R2UR S2UR"},
    {latency_class::memory, "ATOMS CCTL CCTL.IVALL CCTLL IPA LDC LDL LDS STL STS", "ATOMS.CAS ATOMS.CAS.64 LDS.U", ""},
    {latency_class::global, "ATOM LD LDG RED ST STG", "", "ATOMG"},
    {latency_class::texture, "SUATOM.D SULD.D SULD.P SURED.D SUST.D SUST.P TEX TLD TLD4 TMML TXD TXQ",
     "SUATOM.P SURED.P TEXS TEXS.DC TEXS.LL TEXS.LL.DC TEXS.LZ TEXS.LZ.DC TLD4S TLDS.LL TLDS.LL.AOFFI TLDS.LZ "
     "TLDS.LZ.AOFFI TLDS.LZ.MS TXQ.B",
     ""},
    {latency_class::attribute, "AL2P ALD AST ISBERD OUT", "", "ISBEWR OUT.FINAL"},
    {latency_class::control, "BAR BPT.TRAP BRA BRX EXIT JMP JMX",
     "BRK CAL CONT JCAL KIL LONGJMP PBK PCNT PLONGJMP PRET RAM RET SAM SSY SYNC",
     "BMOV.32 BMOV.32.CLEAR BREAK BSSY BSYNC CALL.ABS CALL.REL KILL NANOSLEEP RET.ABS RET.REL WARPSYNC YIELD"},
};

TEST(table, ISA_02_every_row_has_its_latency_class)
{
    for (const architecture arch : all_architectures)
        for (const auto& each : latencies) {
            std::istringstream names(std::string(each.both) + ' ' +
                                     (arch == architecture::sm50 ? each.sm50 : each.sm75));
            if (arch > architecture::sm75 && each.latency == latency_class::variable) names.str(names.str() + " REDUX");
            std::set<std::string> expected, found;
            for (std::string name; names >> name;) expected.insert(name);
            if (arch == architecture::sm120) expected.erase("R2UR"); // of fixed latency there
            if (arch == architecture::sm120 && each.latency == latency_class::memory) expected.insert("LDCU");
            for (const auto& row : instruction_table(arch))
                if (row.latency == each.latency) found.insert(row.mnemonic);
            EXPECT_EQ(found, expected) << "architecture " << static_cast<int>(arch) << ", class "
                                       << static_cast<int>(each.latency);
        }
}

TEST(table, ISA_02_attribute_rows_match_their_names)
{
    const std::pair<const char*, isbesim::opcode> operations[] = {
        {"ALD", opcode::ald},       {"AST", opcode::ast}, {"AL2P", opcode::al2p},    {"ISBERD", opcode::isberd},
        {"ISBEWR", opcode::isbewr}, {"OUT", opcode::out}, {"OUT.FINAL", opcode::out}};
    for (const architecture arch : all_architectures)
        for (const auto& row : instruction_table(arch)) {
            if (row.latency != latency_class::attribute) continue;
            const auto named = std::find_if(std::begin(operations), std::end(operations), [&](const auto& operation) {
                return std::string(operation.first) == row.mnemonic;
            });
            ASSERT_NE(named, std::end(operations)) << row.mnemonic;
            EXPECT_EQ(row.attribute_opcode, named->second) << row.mnemonic;
        }
}

/// A row of a field of 8 bits at 0 and of the operand that is given; mistakes in writing a table.
TEST(table, rows_that_contradict_themselves_are_refused)
{
    const auto append = [](const encoding& opcode, const operand_spec& second) {
        std::vector<opcode_row> rows;
        append_row(rows, architecture::sm50, opcode,
                   control_row("SOME", nullptr, {}, {small(slot::a, {0, 8}), second}));
        EXPECT_EQ(rows.size(), 1U);
    };
    const encoding opcode{0x1234'0000'0000'0000, 0};
    append(opcode, small(slot::b, {8, 8}));
    EXPECT_THROW(append(opcode, small(slot::b, {7, 8})), std::logic_error) << "bit 7 is in both fields";
    EXPECT_THROW(append({opcode[0] | 0x80, 0}, small(slot::b, {8, 8})), std::logic_error) << "bit 7 is in the first";

    const auto row = control_row("SOME", nullptr, {}, {small(slot::a, {0, 8})});
    EXPECT_EQ(operand_at(row, slot::a).bits.width(), 8U);
    EXPECT_THROW(operand_at(row, slot::b), std::logic_error);
    EXPECT_THROW(with_operand(row, small(slot::b, {8, 8})), std::logic_error);
}

} // namespace
} // namespace isbesim::isa
