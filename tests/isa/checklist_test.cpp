// SPDX-License-Identifier: Apache-2.0
// models/isa/tables/CHECKLIST.md against the tables and the tests: nothing listed is missing, nothing is unlisted, and
// the test that a line names mentions its instruction.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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
    for (std::size_t at = body.find(instruction); at != std::string::npos; at = body.find(instruction, at + 1)) {
        const char before = at == 0 ? ' ' : body[at - 1], after = body[at + instruction.size()];
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

} // namespace
} // namespace isbesim::isa
