// SPDX-License-Identifier: Apache-2.0
// models/isa/tables/CHECKLIST.md against the tables and the tests: nothing listed is missing, nothing is unlisted, and
// the test that a line names mentions its instruction.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isa/tables/row_parts.h"
#include "models/isa/tables/table.h"
#include "test_paths.h"

namespace isbesim::isa {
namespace {

namespace fs = std::filesystem;

struct line {
    std::string instruction, architectures, emitter, test;
};

std::string trimmed(const std::string& text)
{
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The lines of all tables whose last column is headed `heading`.
std::vector<line> checklist(const std::string& heading)
{
    std::ifstream page(fs::path(ISBESIM_SOURCE_DIR) / "models/isa/tables/CHECKLIST.md");
    std::vector<line> result;
    bool listing = false;
    for (std::string text; std::getline(page, text);) {
        std::vector<std::string> cells;
        std::istringstream cut(text);
        for (std::string cell; std::getline(cut, cell, '|');) cells.push_back(trimmed(cell));
        if (cells.size() != 5) {
            listing = false;
        } else if (cells[1] == "instruction") {
            listing = cells[4] == heading;
        } else if (listing && cells[1].find("---") == std::string::npos) {
            result.push_back({cells[1], cells[2], cells[3], cells[4]});
        }
    }
    return result;
}

/// The bodies of all tests here, by name.
std::multimap<std::string, std::string> tests()
{
    std::multimap<std::string, std::string> result;
    // "TEST(SUITE, NAME)" in sources, "[SUITE.NAME]" in cases
    static const std::regex heading(R"((?:TEST\(\w+, |\[\w+\.)(\w+)[\])].*)");
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ISBESIM_SOURCE_DIR) / "tests/isa")) {
        if (entry.is_directory() || entry.path().filename() == "checklist_test.cpp") continue;
        std::ifstream file(entry.path());
        std::string name, body;
        const auto finish = [&] {
            if (!name.empty()) result.emplace(name, body);
            body.clear();
        };
        for (std::string text; std::getline(file, text);) {
            std::smatch found;
            if (std::regex_match(text, found, heading)) {
                finish();
                name = found[1];
            }
            body += text + "\n";
        }
        finish();
    }
    return result;
}

bool mentions(const std::string& body, const std::string& instruction)
{
    for (std::size_t position = body.find(instruction); position != std::string::npos;
         position = body.find(instruction, position + 1)) {
        const char before = position == 0 ? ' ' : body[position - 1], after = body[position + instruction.size()];
        if (std::isalnum(static_cast<unsigned char>(before)) == 0 &&
            std::isalnum(static_cast<unsigned char>(after)) == 0)
            return true;
    }
    return false;
}

bool has_row(architecture arch, const std::string& mnemonic)
{
    const auto& table = instruction_table(arch);
    return std::any_of(table.begin(), table.end(), [&](const opcode_row& row) { return mnemonic == row.mnemonic; });
}

const std::pair<architecture, const char*> architectures[] = {{architecture::sm50, "sm50"},
                                                              {architecture::sm75, "sm75"}};

void expect_rows(const line& each)
{
    for (const auto& [arch, name] : architectures)
        EXPECT_EQ(has_row(arch, each.instruction), each.architectures.find(name) != std::string::npos)
            << each.instruction << " on " << name;
    EXPECT_FALSE(each.emitter.empty()) << each.instruction;
}

TEST(checklist, ISA_02_listed_instructions_exist_and_are_tested)
{
    const auto bodies = tests();
    const auto listed = checklist("test");
    EXPECT_GE(listed.size(), 130U);
    for (const auto& each : listed) {
        expect_rows(each);
        const auto [first, last] = bodies.equal_range(each.test);
        EXPECT_NE(first, last) << each.instruction << ": there is no test " << each.test;
        EXPECT_TRUE(std::any_of(first, last, [&](const auto& test) { return mentions(test.second, each.instruction); }))
            << each.test << " does not mention " << each.instruction;
    }
}

TEST(checklist, ISA_02_every_row_is_listed)
{
    auto listed = checklist("test");
    for (const auto& each : checklist("ends a run")) {
        expect_rows(each);
        EXPECT_FALSE(each.test.empty()) << each.instruction << " has no reason";
        listed.push_back(each);
    }
    for (const auto& [arch, name] : architectures)
        for (const auto& row : instruction_table(arch))
            EXPECT_EQ(std::count_if(listed.begin(), listed.end(),
                                    [&](const line& each) { return each.instruction == row.mnemonic; }),
                      1)
                << row.mnemonic << " of " << name;
}

// Facts about rows that no literal word of page_words_test.cpp and no vendor's listing shows.

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
