// SPDX-License-Identifier: Apache-2.0
// Wrong input that isbesim refuses. Each file of refusals/ holds groups of cases:
//   == GROUP
//   $ WORDS of the command
//   FILE: its text
//   CASE: what stands for <input> in the command and the files => the whole error, or its begin and ...
// In words and texts $samples is the folder of the scenarios, '' the empty one, \s a space in a word, \n the end of a
// line and \x7f a byte of a file.
#include <fstream>
#include <regex>

#include <boost/algorithm/string/replace.hpp>
#include <gtest/gtest.h>

#include "test_paths.h"
#include "tests/testbench/process.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

struct refusal_case {
    std::string name, command, input, error;
    std::vector<std::pair<std::string, std::string>> files;
};

void PrintTo(const refusal_case& each, std::ostream* out)
{
    *out << each.command << " of " << each.input;
}

std::vector<refusal_case> refusal_cases()
{
    const std::regex is_group("== (.*)"), is_command("\\$ (.*)"), is_case("(\\w+): ?(.*) => (.*)"),
        is_file("([\\w./]+): (.*)");
    std::vector<refusal_case> cases;
    for (const auto& file : std::filesystem::directory_iterator(ISBESIM_SOURCE_DIR "/tests/testbench/refusals")) {
        std::ifstream lines(file.path());
        std::string group;
        refusal_case next;
        for (std::string line; std::getline(lines, line);) {
            std::smatch part;
            if (std::regex_match(line, part, is_group)) {
                group = part[1];
                next.files.clear();
            } else if (std::regex_match(line, part, is_command)) {
                next.command = part[1];
            } else if (std::regex_match(line, part, is_case)) {
                cases.push_back({group + "_" + part[1].str(), next.command, part[2], part[3], next.files});
            } else if (std::regex_match(line, part, is_file)) {
                next.files.emplace_back(part[1], part[2] == "''" ? "" : part[2].str());
            } else if (!line.empty() && line[0] != '#') {
                throw std::runtime_error(file.path().string() + ": no case: " + line);
            }
        }
    }
    return cases;
}

class refusal : public testing::TestWithParam<refusal_case> {
protected:
    static std::string filled(std::string text)
    {
        boost::replace_all(text, "<input>", GetParam().input);
        boost::replace_all(text, "$samples/", samples);
        return text;
    }
    static words command()
    {
        words result;
        std::istringstream text(filled(GetParam().command));
        for (std::string word; text >> word;) {
            boost::replace_all(word, "\\s", " ");
            result.push_back(word == "''" ? "" : word);
        }
        return result;
    }
    std::size_t file_count() const
    {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::recursive_directory_iterator(folder_.path("")), {}));
    }

    temporary_folder folder_;
};

TEST_P(refusal, has_one_error_and_no_output)
{
    for (const auto& [name, text] : GetParam().files) {
        auto content = filled(text);
        boost::replace_all(content, "\\n", "\n");
        for (std::size_t place = 0; (place = content.find("\\x")) != content.npos;)
            content.replace(place, 4, 1, static_cast<char>(std::stoi(content.substr(place + 2, 2), nullptr, 16)));
        std::filesystem::create_directories(std::filesystem::path(folder_.path(name)).parent_path());
        folder_.write(name, content);
    }
    const auto before = file_count();
    const auto result = run_isbesim(command(), {folder_.path("")});
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_EQ(result.out, "");
    const auto expected = "isbesim: error: " + filled(GetParam().error);
    const auto open = expected.size() - 3;
    if (expected.substr(open) == "...")
        EXPECT_EQ(result.last_error().substr(0, open), expected.substr(0, open));
    else
        EXPECT_EQ(result.last_error(), expected);
    EXPECT_TRUE(
        std::regex_match(result.last_error(), std::regex("isbesim: error: [^:]+:[0-9]+:[0-9]+: .*expected .*")));
    EXPECT_EQ(file_count(), before);
}

INSTANTIATE_TEST_SUITE_P(, refusal, testing::ValuesIn(refusal_cases()),
                         [](const auto& each) { return each.param.name; });

} // namespace
} // namespace isbesim::testbench
