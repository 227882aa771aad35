// SPDX-License-Identifier: Apache-2.0
// Broken texts: whatever is done to one, `pack` gives a result or one clear error with its place, in bounded time and
// memory. ISBESIM_MUTATIONS in the environment sets how many inputs are tried.
#include <cstdlib>
#include <ctime>
#include <random>
#include <sstream>

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/command_line/commands.h"
#include "testbench/files/input_error.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

class mutator {
public:
    explicit mutator(unsigned seed) : twister_(seed) {}

    unsigned pick(std::size_t below) { return static_cast<unsigned>(twister_() % below); }

    std::string broken(std::string text)
    {
        gentle_ = pick(2) == 0;
        for (unsigned change = 1 + pick(3); change > 0; --change) {
            mutate(text);
            if (text.empty()) text = " ";
            if (text.size() > 400000) text.resize(400000);
        }
        return text;
    }

private:
    struct piece {
        std::size_t begin, size;
    };

    /// A word, number or mark of the text.
    piece token(const std::string& text)
    {
        const auto is_word = [&](std::size_t i) {
            return std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_';
        };
        std::size_t begin = pick(text.size()), end = begin + 1;
        if (!is_word(begin)) return {begin, 1};
        while (begin > 0 && is_word(begin - 1)) --begin;
        while (end < text.size() && is_word(end)) ++end;
        return {begin, end - begin};
    }

    piece line(const std::string& text)
    {
        const auto at = pick(text.size());
        const auto before = text.rfind('\n', at == 0 ? 0 : at - 1);
        const std::size_t begin = before == std::string::npos || at == 0 ? 0 : before + 1;
        const auto end = text.find('\n', begin);
        return {begin, (end == std::string::npos ? text.size() : end + 1) - begin};
    }

    std::string number()
    {
        static constexpr const char* awkward[] = {
            "0",          "1",          "-1",         "31",         "127",
            "255",        "256",        "1023",       "65535",      "65536",
            "2147483647", "2147483648", "4294967295", "4294967296", "99999999999999999999",
            "0x10",       "1e9",        "007"};
        return awkward[pick(std::size(awkward))];
    }

    void change_number(std::string& text)
    {
        for (unsigned tries = 0; tries < 20; ++tries) {
            const auto at = token(text);
            if (std::isdigit(static_cast<unsigned char>(text[at.begin])) == 0) continue;
            text.replace(at.begin, at.size, number());
            return;
        }
    }

    void mutate(std::string& text)
    {
        static constexpr const char* words[] = {
            "OUT",     "IN",   "SV",        "TEMP",      "ADDR",     "CONST",      "IMM", "ARRAY(1)", "COMPONENT_INDEX",
            "GEOM",    "VERT", "TESS_CTRL", "TESS_EVAL", "GENERIC[", "[0..",       "]",   "(1)",      "EMIT",
            "POSTION", "MOV",  "UARL",      ".xyzw",     ", ",       "[ADDR[0].x", "-|",  "PRIMID",   "INVOCATIONID",
            "PROPERTY"};
        const auto at = pick(text.size());
        static constexpr unsigned numbers_and_lines[] = {5, 5, 5, 6, 7, 8, 11};
        switch (gentle_ ? numbers_and_lines[pick(7)] : pick(16)) {
        case 0: // a byte
            text[at] = static_cast<char>(pick(256));
            return;
        case 1: // a bit
            text[at] = static_cast<char>(text[at] ^ (1 << pick(8)));
            return;
        case 2:
            text.erase(at, 1 + pick(12));
            return;
        case 3: { // a token goes
            const auto which = token(text);
            text.erase(which.begin, which.size);
            return;
        }
        case 4: { // a token comes again
            const auto which = token(text);
            text.insert(which.begin, text.substr(which.begin, which.size) + (pick(2) == 0 ? " " : ""));
            return;
        }
        case 5:
        case 6:
            return change_number(text);
        case 7: { // a line comes again, or many times
            const auto which = line(text);
            const auto copied = text.substr(which.begin, which.size);
            for (unsigned n = pick(8) == 0 ? 400 : 1 + pick(3); n > 0; --n) text.insert(which.begin, copied);
            return;
        }
        case 8: { // a line goes
            const auto which = line(text);
            text.erase(which.begin, which.size);
            return;
        }
        case 9: // a very long line
            text.insert(at, std::string(1000 + pick(100000), "A 0[.,-\x80"[pick(8)]));
            return;
        case 10: { // deep nesting
            std::string nest;
            for (unsigned n = 10 + pick(3000); n > 0; --n) nest += pick(2) == 0 ? "OUT[" : "ADDR[0].x+";
            text.insert(at, nest);
            return;
        }
        case 11: { // a huge range
            static constexpr const char* ranges[] = {"OUT[0..4294967295]",
                                                     "IN[0..65535]",
                                                     "TEMP[0..65535], ARRAY(7)",
                                                     "GENERIC[0..4294967295]",
                                                     "OUT[65535..65535], GENERIC[31]",
                                                     "SV[0..65535], INVOCATIONID",
                                                     "CONST[0..65535]",
                                                     "OUT[0..65535], GENERIC[]",
                                                     "ADDR[0..65535]"};
            text.insert(line(text).begin, std::string("DCL ") + ranges[pick(std::size(ranges))] + "\n");
            return;
        }
        case 12: // not UTF-8
            for (unsigned n = 1 + pick(4); n > 0; --n)
                text.insert(pick(text.size()), 1, static_cast<char>(0x80 + pick(128)));
            return;
        case 13:
            text.insert(at, words[pick(std::size(words))]);
            return;
        case 14: // what ends early
            text.resize(at);
            return;
        default: { // two tokens change places
            const auto a = token(text), b = token(text);
            const auto one = text.substr(a.begin, a.size), other = text.substr(b.begin, b.size);
            if (a.begin + a.size > b.begin) return;
            text.replace(b.begin, b.size, one);
            text.replace(a.begin, a.size, other);
        }
        }
    }

    std::mt19937 twister_;
    bool gentle_ = false; ///< changes that most often leave a text
};

std::vector<std::string> seeds()
{
    std::vector<std::string> texts;
    const std::string folder = ISBESIM_SOURCE_DIR "/tests/data/varying/";
    for (const auto* name : {"vertex_arrays", "geometry_arrays", "tess_arrays.vs", "tess_arrays.ti", "tess_arrays.ts"})
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
    for (auto at = rest.find("…"); at != std::string::npos; at = rest.find("…"))
        rest.erase(at, std::string("…").size());
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
    const auto* asked = std::getenv("ISBESIM_MUTATIONS");
    const unsigned rounds = asked != nullptr ? static_cast<unsigned>(std::stoul(asked)) : 4000;
    static constexpr const char* forms[] = {"addresses", "sph", "text", "completed", "sass", "sass", "sass"};
    static constexpr const char* ways[] = {"chain", "indirect", "split", "select", "local"};
    static constexpr const char* architectures[] = {"sm50", "sm75"};
    const double before = peak_megabytes();
    double slowest = 0;
    unsigned done = 0, refused = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        mutator make(round);
        const auto text = make.broken(texts[round % texts.size()]);
        const auto file = folder.write("x.tgsi", text);
        const auto* form = make.pick(25) == 0 ? "scenario" : forms[make.pick(std::size(forms))];
        std::vector<std::string> options = {
            file, "--emit", form, "--strategy", ways[make.pick(5)], "--arch", architectures[make.pick(2)]};
        if (make.pick(4) == 0) options.emplace_back("--raw");
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
