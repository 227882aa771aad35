// SPDX-License-Identifier: Apache-2.0
// Programs whose vertex and geometry stages use textures, images, buffers and counters, by Mesa's driver on the model
// and by its processor's own: they capture the same, and captures of their draws run without them.
#include <sstream>

#include "tests/gl/gl_session.h"

namespace isbesim::testbench {
namespace {

/// Programs of tests/gl/memory_program.py: a vertex a line, the words that were captured.
class gl_memory : public gl_driver, public testing::WithParamInterface<const char*> {
protected:
    words program(const words& front) const
    {
        words result = front;
        for (const auto* word : {"/usr/bin/python3", ISBESIM_SOURCE_DIR "/tests/gl/memory_program.py", GetParam()})
            result.emplace_back(word);
        return result;
    }
    /// The results of the same programs on llvmpipe.
    std::string reference() const
    {
        const auto result = run({"--quiet"}, program({"/usr/bin/env", "LIBGL_ALWAYS_SOFTWARE=1"}));
        EXPECT_EQ(result.status, 0) << result.err;
        return result.out;
    }
};

TEST_P(gl_memory, captures_equal_llvmpipes)
{
    const auto expected = reference();
    ASSERT_GT(expected.size(), 100U);
    for (const std::string chip : {"gm107", "tu102"})
        for (const auto& how : {words{"lt"}, words{"at"}, words{"at", "--config", chip + "_chip"},
                                words{"lt", "--config", chip + "_chip", "--jobs", "3"}}) {
            const auto result = run(words{"--chip", chip, "--execute"} + how, program({}));
            EXPECT_EQ(result.status, 0) << result.err;
            EXPECT_EQ(result.out, expected) << chip << " " << how.front() << how.size() << "\n" << result.err;
            EXPECT_EQ(result.err.find(": ", result.err.find('\n')), std::string::npos) << result.err;
        }
}

/// The words of a table of vertices, a vertex a line, as the program prints them.
std::string words_of_table(const std::string& csv)
{
    std::istringstream lines(csv);
    std::string line;
    std::string result;
    std::getline(lines, line); // names of the columns
    while (std::getline(lines, line)) {
        std::string row;
        for (auto start = line.find(",0x"); start != std::string::npos; start = line.find(",0x", start + 1))
            row += (row.empty() ? "" : " ") + line.substr(start + 3, 8);
        result += row + "\n";
    }
    return result;
}

TEST_P(gl_memory, its_capture_runs_without_the_program)
{
    for (const std::string chip : {"gm107", "tu102"}) {
        const auto capture = folder_.path(chip);
        auto captured = program({});
        captured.emplace_back("captured");
        const auto live = run({"--quiet", "--chip", chip, "--capture", capture}, captured);
        ASSERT_EQ(live.status, 0) << live.err;
        const auto out = folder_.path(chip + ".out");
        const auto replay = run_isbesim({"run", capture, "--out", out});
        ASSERT_EQ(replay.status, 0) << replay.err;
        std::string replayed;
        const auto folder = [&](unsigned draw) { return out + "/draws/" + std::to_string(10000 + draw).substr(1); };
        for (unsigned i = 0; fs::exists(folder(i)); ++i)
            replayed += words_of_table(temporary_folder::read(folder(i) + "/vertices.csv"));
        EXPECT_EQ(replayed, live.out) << chip;
    }
}

INSTANTIATE_TEST_SUITE_P(all, gl_memory,
                         testing::Values("texture", "levels", "layers", "converted", "texels", "storage", "image",
                                         "shadow", "counter", "cleared", "depths"),
                         [](const auto& each) { return std::string(each.param); });

TEST_F(gl_driver, textures_of_an_absent_fragment_stage_are_reported)
{
    const auto result = run({}, {"/usr/bin/python3", ISBESIM_SOURCE_DIR "/tests/gl/memory_program.py", "uploaded"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.err.find("skipped: 1 x draws that read images, which nothing has drawn\n"), std::string::npos)
        << result.err;
}

} // namespace
} // namespace isbesim::testbench
