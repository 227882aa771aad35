// SPDX-License-Identifier: Apache-2.0
// "-" is standard input or output: commands in a pipe do what they do with files.
#include <cstdlib>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "test_paths.h"
#include "tests/testbench/process.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

using options = std::vector<std::string>;

class standard_streams : public testing::Test {
protected:
    /// With `input` on standard input, from a file or through a pipe.
    process_result fed(const std::string& input, const options& words) const
    {
        process_place place;
        place.input = folder_.write("input", input);
        return run_isbesim(words, place);
    }
    std::string through_a_pipe(const std::string& input, const std::string& words) const
    {
        const auto command = "cat " + folder_.write("input", input) + " | " ISBESIM_BINARY_DIR "/isbesim " + words +
                             " >" + folder_.path("output");
        EXPECT_EQ(std::system(command.c_str()), 0);
        return temporary_folder::read(folder_.path("output"));
    }

    temporary_folder folder_;
};

TEST_F(standard_streams, asm_and_disasm_are_inverse_in_a_pipe)
{
    for (const auto& [name, arch] : {std::pair<std::string, const char*>{"gs_conditional/gs", "sm50"},
                                     {"vs_sixteen_vectors/vs", "sm50"},
                                     {"sm75_vs_loop/vs", "sm86"}}) {
        const auto binary = temporary_folder::read(samples + name + ".code.bin");
        const auto text = fed(binary, {"disasm", "-", "--arch", arch});
        ASSERT_EQ(text.status, 0) << text.err;
        EXPECT_EQ(text.out, run_isbesim({"disasm", samples + name + ".code.bin", "--arch", arch}).out);
        const auto back = fed(text.out, {"asm", "-", "--arch", arch, "--out", "-"});
        ASSERT_EQ(back.status, 0) << back.err;
        EXPECT_EQ(back.out, binary) << name;
        EXPECT_EQ(through_a_pipe(text.out, std::string("asm - --out - --arch ") + arch), binary);
        ASSERT_EQ(fed(text.out, {"asm", "-", "--arch", arch, "--out", folder_.path("x.bin")}).status, 0);
        EXPECT_EQ(temporary_folder::read(folder_.path("x.bin")), binary);
    }
    EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(standard_streams, headers)
{
    const auto header = temporary_folder::read(samples + "gs_pass/gs.sph.bin");
    EXPECT_EQ(fed(header, {"disasm", "-", "--sph"}).out, run_isbesim({"disasm", samples + "gs_pass/gs.sph.bin"}).out);
    const std::string text = "OUT[0..3], GENERIC[0]\n";
    const auto packed = fed(text, {"pack", "-", "--emit", "sph", "--out", "-"});
    ASSERT_EQ(packed.status, 0) << packed.err;
    EXPECT_EQ(packed.out.size(), 80U);
    EXPECT_NE(fed(packed.out, {"disasm", "-", "--sph"}).out.find("0x80..0xbc"), std::string::npos);
}

TEST_F(standard_streams, pack_takes_either_stage_from_it)
{
    const std::string text = "OUT[0..3], GENERIC[0]\n";
    const auto file = folder_.write("own.tgsi", text);
    const auto expected = run_isbesim({"pack", file}).out;
    ASSERT_NE(expected, "");
    EXPECT_EQ(fed(text, {"pack", "-"}).out, expected);
    EXPECT_EQ(fed(text, {"pack", "-", "--out", "-"}).out, expected);
    const std::string next = "IN[0..3], GENERIC[0]\n";
    const auto next_file = folder_.write("next.tgsi", next);
    const auto both = run_isbesim({"pack", file, "--next", next_file}).out;
    ASSERT_NE(both, "");
    EXPECT_EQ(fed(text, {"pack", "-", "--next", next_file}).out, both);
    EXPECT_EQ(fed(next, {"pack", file, "--next", "-"}).out, both);
    const auto scenario = fed(text, {"pack", "-", "--emit", "scenario", "--out", folder_.path("draw")});
    ASSERT_EQ(scenario.status, 0) << scenario.err;
    EXPECT_EQ(run_isbesim({"run", folder_.path("draw/scenario.json"), "--quiet", "--out", folder_.path("o")}).status,
              0);
}

TEST_F(standard_streams, errors_name_standard_input)
{
    const auto error = [&](const std::string& input, const options& words) {
        const auto result = fed(input, words);
        EXPECT_EQ(result.status, 2);
        EXPECT_EQ(result.out, "");
        return result.last_error();
    };
    EXPECT_NE(error("MOV R1, RZ ;\n  MOVE R1 ;\n", {"asm", "-", "--arch", "sm50", "--out", "-"})
                  .find("isbesim: error: standard-input:2:3: "),
              std::string::npos);
    EXPECT_NE(error("", {"disasm", "-", "--arch", "sm50"}).find("standard-input:1:1: "), std::string::npos);
    EXPECT_NE(error("short", {"disasm", "-", "--sph"}).find("standard-input:1:1: "), std::string::npos);
    EXPECT_NE(error("OUT[0], POSTION\n", {"pack", "-"}).find("standard-input:1:"), std::string::npos);
    EXPECT_NE(error("OUT[0], POSITION\n", {"pack", "-", "--next", "-"}).find("command-line:1:3: --next is -"),
              std::string::npos);
    EXPECT_NE(error("OUT[0], POSITION\n", {"pack", "-", "--emit", "scenario", "--out", "-"}).find("expected a folder"),
              std::string::npos);
    // A folder or nothing at all in its place.
    process_place place;
    place.input = folder_.path("");
    EXPECT_NE(run_isbesim({"pack", "-"}, place).last_error().find("standard-input:1:1: cannot be read"),
              std::string::npos);
}

TEST_F(standard_streams, a_terminal_gets_no_binary)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(master, 0);
    ASSERT_EQ(grantpt(master) | unlockpt(master), 0);
    const std::string terminal = ptsname(master);
    const int slave = open(terminal.c_str(), O_RDWR | O_NOCTTY);
    const auto source = folder_.write("x.sass", "EXIT ;\n");
    const auto text = folder_.write("x.tgsi", "OUT[0], POSITION\n");
    for (const auto& words : {options{"asm", source, "--arch", "sm50", "--out", "-"},
                              options{"pack", text, "--emit", "sph", "--out", "-"}}) {
        folder_.write("err", "");
        const auto child = start_isbesim(words, terminal, folder_.path("err"));
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(WEXITSTATUS(status), 2);
        EXPECT_NE(temporary_folder::read(folder_.path("err")).find("binary is nothing for a terminal"),
                  std::string::npos);
    }
    // Text is shown there.
    const auto child = start_isbesim({"pack", text, "--out", "-"}, terminal, "/dev/null");
    int status = 1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    char first = 0;
    EXPECT_EQ(read(master, &first, 1), 1);
    EXPECT_EQ(first, '{');
    close(slave);
    close(master);
}

TEST_F(standard_streams, full_disk_of_a_stream_is_3)
{
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
    const auto command =
        "echo 'EXIT ;' | " ISBESIM_BINARY_DIR "/isbesim asm - --arch sm50 --out - >/dev/full 2>" + folder_.path("err");
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 3);
}

} // namespace
} // namespace isbesim::testbench
