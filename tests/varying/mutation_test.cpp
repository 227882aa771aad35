// SPDX-License-Identifier: Apache-2.0
// Broken texts: whatever is done to one, `pack` gives a result or one clear error with its place, in bounded time and
// memory. ISBESIM_MUTATIONS in the environment sets how many inputs are tried.
#include <cstdlib>
#include <ctime>
#include <sstream>

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/command_line/commands.h"
#include "testbench/files/input_error.h"
#include "tests/fuzz/mutator.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

const std::vector<std::string> tgsi_words = {
    "0", "1", "-1", "31", "127", "255", "256", "1023", "65535", "65536", "2147483647", "2147483648", "4294967295",
    "4294967296", "99999999999999999999", "0x10", "1e9", "007", "OUT", "IN", "SV", "TEMP", "ADDR", "CONST", "IMM",
    "ARRAY(1)", "COMPONENT_INDEX", "GEOM", "VERT", "TESS_CTRL", "TESS_EVAL", "GENERIC[", "[0..", "]", "(1)", "EMIT",
    "POSTION", "MOV", "UARL", ".xyzw", ", ", "[ADDR[0].x", "-|", "PRIMID", "INVOCATIONID", "PROPERTY",
    // Huge ranges.
    "\nDCL OUT[0..4294967295]\n", "\nDCL IN[0..65535]\n", "\nDCL TEMP[0..65535], ARRAY(7)\n",
    "\nDCL GENERIC[0..4294967295]\n", "\nDCL OUT[65535..65535], GENERIC[31]\n", "\nDCL SV[0..65535], INVOCATIONID\n",
    "\nDCL CONST[0..65535]\n", "\nDCL OUT[0..65535], GENERIC[]\n", "\nDCL ADDR[0..65535]\n"};

/// Changed in a few places, and now and then with a very long line, deep nesting, a line many times, or not UTF-8.
std::string broken(const std::string& whole, random_numbers& random)
{
    auto text = mutated_text(whole, tgsi_words, random);
    const auto position = random.below(text.size() + 1);
    switch (random.below(24)) {
    case 0:
        text.insert(position, std::string(1000 + random.below(100000), "A 0[.,-\x80"[random.below(8)]));
        break;
    case 1: {
        std::string nest;
        for (auto n = 10 + random.below(3000); n > 0; --n) nest += random.one_in(2) ? "OUT[" : "ADDR[0].x+";
        text.insert(position, nest);
        break;
    }
    case 2: {
        const auto line = text.substr(0, text.find('\n') + 1);
        for (unsigned n = 0; n < 400; ++n) text.insert(0, line);
        break;
    }
    case 3:
        for (auto n = 1 + random.below(4); n > 0; --n)
            text.insert(random.below(text.size() + 1), 1, static_cast<char>(0x80 + random.below(128)));
        break;
    default:
        break;
    }
    return text.empty() ? " " : text;
}

std::vector<std::string> seeds()
{
    std::vector<std::string> texts;
    const std::string folder = ISBESIM_SOURCE_DIR "/tests/data/varying/";
    for (const auto* name : {"vertex_arrays", "geometry_arrays", "tess_arrays.ti"})
        texts.push_back(temporary_folder::read(folder + name + ".tgsi"));
    texts.push_back(temporary_folder::read(ISBESIM_SOURCE_DIR "/scripts/studies/varying_arrays.tgsi"));
    texts.emplace_back(
        "DCL OUT[0..7].x, CLIPDIST, ARRAY(1)\nOUT[8..11].xyz, GENERIC[0]\nOUT[12..13].xyz, GENERIC[3].x\n"
        "OUT[14].xy, GENERIC[4].zw\nOUT[15..18].x, GENERIC[]\nMOV OUT(1)[ADDR[0].x+1], IMM[0].xxxx\n");
    texts.emplace_back("OUT[0..1], GENERIC[0..1], ARRAY(1), COMPONENT_INDEX\nIN[0..7].x, GENERIC[4..11], ARRAY(2)\n"
                       "MOV OUT(array 1)[ADDR[0].x+1].y, IN(2)[TEMP[1].y-1].xxxx\nMAD_SAT OUT[0].xy, TEMP[0], "
                       "-|IN[3]|.xxxx, IMM[0].yzwx\n");
    texts.emplace_back(
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1..2], GENERIC[0]\nMOV OUT[0], IN[0]\nGEOM\n"
        "PROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nDCL IN[][0], POSITION\n"
        "DCL IN[][1..2], GENERIC[0], ARRAY(3)\nDCL OUT[0], POSITION\nDCL OUT[1].xy, CLIPDIST[1].zw\n"
        "MOV OUT[0], IN(3)[0][ADDR[0].x]\nEMIT IMM[0].xxxx\nENDPRIM\nEND\n");
    return texts;
}

bool is_text(const std::string& message)
{
    for (const char c : message)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
    // Bytes of the input above ASCII are written out; the only others are "…".
    std::string rest = message;
    for (auto position = rest.find("…"); position != std::string::npos; position = rest.find("…"))
        rest.erase(position, std::string("…").size());
    for (const char c : rest)
        if (static_cast<unsigned char>(c) >= 0x80) return false;
    return true;
}

double peak_megabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

TEST(mutations, every_text_ends_with_a_result_or_one_clear_error)
{
    const temporary_folder folder;
    const auto texts = seeds();
    const auto* count = std::getenv("ISBESIM_MUTATIONS");
    const unsigned rounds = count != nullptr ? static_cast<unsigned>(std::stoul(count)) : 4000;
    static constexpr const char* forms[] = {"addresses", "sph", "text", "completed", "sass", "sass", "sass"};
    static constexpr const char* ways[] = {"chain", "indirect", "split", "select", "local"};
    static constexpr const char* architectures[] = {"sm50", "sm75"};
    const double before = peak_megabytes();
    double slowest = 0;
    unsigned done = 0, refused = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        random_numbers random(round);
        const auto text = broken(texts[round % texts.size()], random);
        const auto file = folder.write("x.tgsi", text);
        const auto* form = random.one_in(25) ? "scenario" : forms[random.below(std::size(forms))];
        std::vector<std::string> options = {
            file, "--emit", form, "--strategy", ways[random.below(5)], "--arch", architectures[random.below(2)]};
        if (random.one_in(4)) options.emplace_back("--raw");
        if (form == std::string("scenario")) options.insert(options.end(), {"--out", folder.path("made")});
        const auto begin = std::clock();
        std::ostringstream out, err;
        try {
            ASSERT_EQ(run_pack(options, out, err), 0);
            ++done;
        } catch (const input_error& error) {
            ++refused;
            const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
            const std::string message = error.what();
            EXPECT_EQ(error.place().file, file) << message;
            EXPECT_GE(error.place().line, 1U) << message;
            EXPECT_LE(error.place().line, lines) << message;
            EXPECT_GE(error.place().column, 1U) << message;
            EXPECT_LE(error.place().column, text.size() + 1) << message;
            EXPECT_LT(message.size(), 1500U) << message;
            EXPECT_TRUE(is_text(message)) << message;
        } catch (const std::exception& error) {
            ADD_FAILURE() << "round " << round << " " << form << ": " << error.what() << "\n" << text.substr(0, 3000);
        }
        slowest = std::max(slowest, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
        ASSERT_LT(slowest, 10.0) << "round " << round << " " << form << "\n" << text.substr(0, 3000);
        if (HasFailure()) FAIL() << "round " << round;
    }
    EXPECT_GT(done, rounds / 20);
    EXPECT_GT(refused, rounds / 4);
    EXPECT_LT(peak_megabytes() - before, 400.0);
    RecordProperty("done", static_cast<int>(done));
    std::cout << done << " done, " << refused << " refused, the slowest " << slowest << " s, "
              << peak_megabytes() - before << " MB more\n";
}

} // namespace
} // namespace isbesim::testbench
