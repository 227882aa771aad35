// SPDX-License-Identifier: Apache-2.0
// Files of cases: programs with a state before and after them.
//
//   [SUITE.NAME] STATE                    a test; its cases follow, each from the start of a line
//   {STATE} PROGRAM => STATE              a case; parts left out are those of the case before
//
// A STATE is a list of words and of NAME=VALUE. Lines that begin with a blank continue the one before; # is a comment.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace isbesim {

struct case_item {
    std::string name, value; ///< NAME=VALUE, or a word alone
};

inline std::vector<case_item> case_items(const std::string& state)
{
    std::vector<case_item> result;
    std::istringstream parts(state);
    for (std::string part; parts >> part;) {
        const auto end = part.find('=');
        result.push_back({part.substr(0, end), end == part.npos ? "" : part.substr(end + 1)});
    }
    return result;
}

/// The program first, then each action (=> has none, =x> the action x) with what follows it.
struct case_stage {
    std::string action, text;
};

inline std::vector<case_stage> case_stages(const std::string& text)
{
    std::vector<case_stage> result(1);
    std::istringstream words(text);
    for (std::string each; words >> each;)
        if (each.size() >= 2 && each.front() == '=' && each.back() == '>')
            result.push_back({each.substr(1, each.size() - 2), ""});
        else
            result.back().text += (result.back().text.empty() ? "" : " ") + each;
    return result;
}

/// `text`: [{STATE}] PROGRAM =ACTION> STATE ...
struct text_case {
    std::string place, header, text;

    std::string own() const { return text[0] == '{' ? text.substr(1, text.find('}') - 1) : ""; }
    /// The text after its state.
    std::string rest() const { return text[0] == '{' ? text.substr(text.find('}') + 1) : text; }
};

/// A "[SUITE.NAME] STATE" and the cases below it.
struct case_group {
    std::string suite, name, header, file;
    int line;
    std::vector<text_case> cases;
};

inline void read_case_file(const std::filesystem::path& path, std::vector<case_group>& groups)
{
    static const std::regex heading(R"(\[(\w+)\.(\w+)\]\s*(.*))");
    std::ifstream file(path);
    std::smatch title;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.empty() || line[0] == '#') continue;
        if (std::regex_match(line, title, heading)) {
            groups.push_back({title[1], title[2], title[3], path.string(), number, {}});
            continue;
        }
        auto& group = groups.back();
        if (line[0] == ' ')
            (group.cases.empty() ? group.header : group.cases.back().text) +=
                " " + line.substr(line.find_first_not_of(' '));
        else
            group.cases.push_back({path.filename().string() + ":" + std::to_string(number), group.header, line});
    }
}

/// Those of all .txt files of a folder.
inline std::vector<case_group> case_groups(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".txt") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<case_group> groups;
    for (const auto& path : paths) read_case_file(path, groups);
    for (auto& group : groups)
        for (std::size_t k = 1; k < group.cases.size(); ++k) { // parts left out are those of the case before
            std::string& text = group.cases[k].text;
            const std::string before = group.cases[k - 1].rest();
            if (text[0] == '{' && text.find('}') == text.size() - 1)
                text += " " + before;
            else if (case_stages(text).size() == 1)
                text += before.substr(before.find(" ="));
        }
    return groups;
}

/// Checks the cases of a group, all of them.
class case_group_test : public testing::Test {
public:
    using check_case = void (*)(const text_case& each);

    case_group_test(std::vector<text_case> cases, check_case check) : cases_(std::move(cases)), check_(check) {}
    void TestBody() override
    {
        for (const auto& each : cases_) try {
                check_(each);
            } catch (const std::exception& error) {
                ADD_FAILURE() << each.place << ": " << each.text << "\n  error: " << error.what();
            }
    }

private:
    std::vector<text_case> cases_;
    check_case check_;
};

/// A test for each group of the folder's files.
inline bool register_case_groups(const std::filesystem::path& folder, case_group_test::check_case check)
{
    for (const auto& group : case_groups(folder))
        testing::RegisterTest(
            group.suite.c_str(), group.name.c_str(), nullptr, nullptr, group.file.c_str(), group.line,
            [cases = group.cases, check]() -> testing::Test* { return new case_group_test(cases, check); });
    return true;
}

} // namespace isbesim
