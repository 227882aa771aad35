// SPDX-License-Identifier: Apache-2.0
#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/testbench/process.h"
#include "tests/testbench/temporary_folder.h"
#include "tlm/hex.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

class pack_command : public testing::Test {
protected:
    process_result pack(const std::string& text, std::vector<std::string> options = {})
    {
        options.insert(options.begin(), {"pack", folder_.write("x.tgsi", text)});
        return run_isbesim(options);
    }
    temporary_folder folder_;
};

TEST_F(pack_command, VAR_02_addresses_as_JSON)
{
    const auto result = pack("OUT[0..3].x, GENERIC[0], ARRAY(1)\nOUT[4..5].xy, GENERIC[1]\nIN[0], POSITION\n");
    ASSERT_EQ(result.status, 0) << result.err;
    const auto root = json::parse(result.out).as_object();
    const auto& components = root.at("components").as_array();
    ASSERT_EQ(components.size(), 12U);
    EXPECT_EQ(components[4].as_object(), (json::object{{"file", "OUT"},
                                                       {"register", 4},
                                                       {"component", "x"},
                                                       {"address", "0x90"},
                                                       {"semantic", "GENERIC"},
                                                       {"index", 1},
                                                       {"array", 0}}));
    EXPECT_EQ(components[3].at("array"), 1);
    // Words 5 to 12 and 12 to 19 (HARDWARE.md E7): POSITION in IMAP bits 188.., GENERIC[0..1] in OMAP bits 432...
    ASSERT_EQ(root.at("imap").as_array().size(), 8U);
    ASSERT_EQ(root.at("omap").as_array().size(), 8U);
    EXPECT_EQ(root.at("imap").at(0), "0xf0000000");
    EXPECT_EQ(root.at("omap").at(1), "0x00ff0000");
}

TEST_F(pack_command, VAR_02_header_is_read_by_disasm)
{
    const auto file = folder_.path("x.sph.bin");
    const auto result = pack("OUT[0], POSITION\nOUT[1..8].x, CLIPDIST\n", {"--emit", "sph", "--out", file});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(temporary_folder::read(file).size(), 80U);
    EXPECT_NE(run_isbesim({"disasm", file}).out.find("0x70..0x7c 0x2c0..0x2dc"), std::string::npos);
    ASSERT_EQ(pack("OUT[0], POSITION", {"--emit", "sph", "--out", file, "--arch", "sm75"}).status, 0);
    EXPECT_EQ(temporary_folder::read(file).size(), 128U);
}

TEST_F(pack_command, VAR_01_text_is_printed_back)
{
    for (const std::string text :
         {"OUT[0..7].x,ARRAY(1),CLIPDIST\nMOV OUT(1)[ADDR[0].x+1],IMM[0].xxxx\n",
          "DCL OUT[0], CLIPDIST[1]\nDCL OUT[1], CLIPDIST[0]\nDCL OUT[2..3].xyzw, GENERIC[0..1], ARRAY(1)\n"
          "MOV OUT(array 1)[ADDR[0].x+1].y, IMM[0].xxxx\n",
          "# a comment\nVERT\n\nDCL OUT[0], POSITION // here\r\nIN[0]\n 7: MOV OUT[0], IN[0]\nFRAG\nIN[0], POSITION"})
        EXPECT_EQ(pack(text, {"--emit", "text"}).out, text);
    EXPECT_EQ(pack("OUT[0], NOWHERE\n", {"--emit", "text"}).status, 2);
    const auto next = folder_.write("next.tgsi", "FRAG\nIN[0], GENERIC[0]\n");
    EXPECT_EQ(pack("OUT[0],GENERIC[0]\n", {"--emit", "text", "--next", next}).out,
              "OUT[0],GENERIC[0]\nFRAG\nIN[0], GENERIC[0]\n");
}

/// The table of testbench/pack/README.md: what the mail's examples mean here.
TEST_F(pack_command, VAR_02_examples_of_the_mail_follow_the_page)
{
    const auto addresses = [&](const std::string& text) {
        std::string found;
        const auto result = pack(text);
        EXPECT_EQ(result.status, 0) << text << result.err;
        const auto printed = json::parse(result.out);
        for (const auto& each : printed.at("components").as_array())
            found += std::string(each.at("address").as_string()) + " ";
        return found;
    };
    const auto run = [](unsigned first, unsigned last, unsigned step = 4) {
        std::string text;
        for (unsigned address = first; address <= last; address += step) text += hex(address, 2) + " ";
        return text;
    };
    EXPECT_EQ(addresses("OUT[0], CLIPDIST[1]\nOUT[1], CLIPDIST[0]\nOUT[2], GENERIC[0]\nOUT[3], GENERIC[1]\n"),
              run(0x2d0, 0x2dc) + run(0x2c0, 0x2cc) + run(0x80, 0x9c));
    EXPECT_EQ(addresses("OUT[0..1].xyzw, GENERIC[0..1]\n"), run(0x80, 0x9c));
    EXPECT_EQ(addresses("OUT[0..7].x, GENERIC[0..7]\n"), run(0x80, 0xf0, 16));
    EXPECT_EQ(addresses("OUT[0..7].x, CLIPDIST, ARRAY(1)\n"), run(0x2c0, 0x2dc));
    EXPECT_EQ(addresses("OUT[0..3].x, GENERIC[0]\nOUT[4..5].xy, GENERIC[1]\n"), run(0x80, 0x9c));
    EXPECT_EQ(addresses("OUT[0..3].x, GENERIC[0]\nOUT[4..5].xy, GENERIC[4]\n"), run(0x80, 0x8c) + run(0xc0, 0xcc));
    EXPECT_EQ(addresses("OUT[0..2].x, GENERIC[0].x\nOUT[3].x, GENERIC[0].w\n"), run(0x80, 0x8c));
    EXPECT_EQ(addresses("OUT[0..3].xyz, GENERIC[0].x\nOUT[4..5].xyz, GENERIC[3].x\nOUT[6].xy, GENERIC[4].zw\n"),
              run(0x80, 0xcc));
    const auto ambiguous = pack("OUT[0], CLIPDIST[1]\nOUT[2], GENERIC[0]\nMOV OUT[TEMP[0].x-1], IMM[0]\n");
    EXPECT_EQ(ambiguous.status, 2);
    EXPECT_NE(ambiguous.err.find("may be 0x2d0"), std::string::npos) << ambiguous.err;
    EXPECT_NE(ambiguous.err.find("or 0x80"), std::string::npos) << ambiguous.err;
}

/// a[i+5] of a float array at 0x80: 0x80 + 4 * (i + 5). Both pages and parser need "array" and .xyzw for that reading.
TEST_F(pack_command, VAR_02_the_index_that_the_mail_writes_counts_components)
{
    const auto code = [&](const char* array, const char* access) {
        auto result =
            pack(std::string("OUT[0]") + array + ", ARRAY(1)\nMOV " + access + "[ADDR[0].x+1].y, IMM[0].xxxx\n",
                 {"--emit", "sass", "--raw"});
        EXPECT_EQ(result.status, 0) << result.err;
        return result;
    };
    const auto scaled = [](const process_result& result, const char* shift, const char* offset) {
        return result.out.find(std::string(", ") + shift + " ") != std::string::npos &&
               result.out.find(std::string(", ") + offset + " ") != std::string::npos;
    };
    const auto mail = code(".xyzw", "OUT(array 1)");
    EXPECT_TRUE(scaled(mail, "0x2", "0x94")) << mail.out;
    EXPECT_NE(mail.err.find(":2:5: the index of ARRAY(1) counts components"), std::string::npos) << mail.err;
    EXPECT_NE(mail.err.find("only for ADDR[0].x from -5 to -2: the array has 4 components"), std::string::npos);
    for (const auto& plain : {code("", "OUT(array 1)"), code(".xyzw", "OUT(1)")}) {
        EXPECT_TRUE(scaled(plain, "0x4", "0x94")) << plain.out;
        EXPECT_NE(plain.err.find("only for ADDR[0].x from -1 to -1: the array has 1 register"), std::string::npos)
            << plain.err;
    }
    EXPECT_NE(code("", "OUT(array 1)").err.find("the index of ARRAY(1) counts registers"), std::string::npos);
    EXPECT_EQ(code("", "OUT(1)").err.find("the index of ARRAY(1)"), std::string::npos);
    const auto both = pack("OUT[0].xyzw, ARRAY(1)\nMOV OUT(array 1)[ADDR[0].x], IMM[0]\n"
                           "MOV OUT(1)[ADDR[0].x], IMM[0]\n");
    EXPECT_EQ(both.status, 2);
    EXPECT_NE(both.last_error().find(":3:5: OUT(1)[ADDR[0].x] counts registers"), std::string::npos) << both.err;
}

TEST_F(pack_command, VAR_02_declarations_that_continue_an_array_are_the_array)
{
    const auto same = [&](const std::string& parts, const std::string& whole) {
        const auto split = pack(parts), one = pack(whole);
        EXPECT_EQ(split.status, 0) << split.err;
        EXPECT_EQ(split.out, one.out) << parts;
    };
    same("OUT[0..3].xyz, GENERIC[0].x, ARRAY(1)\nOUT[4..5].xyz, GENERIC[3].x, ARRAY(1)\n",
         "OUT[0..5].xyz, GENERIC[0].x, ARRAY(1)\n");
    same("OUT[4..5].xyz, GENERIC[3].x, ARRAY(1)\nOUT[0..3].xyz, GENERIC[0].x, ARRAY(1)\n",
         "OUT[0..5].xyz, GENERIC[0].x, ARRAY(1)\n");
    same("OUT[0], GENERIC[3], ARRAY(2)\nOUT[1..2], GENERIC[4..5], ARRAY(2)\nOUT[3], GENERIC[6], ARRAY(2)\n",
         "OUT[0..3], GENERIC[3..6], ARRAY(2)\n");
    same("OUT[0].x, GENERIC[0], ARRAY(1)\nOUT[1].x, GENERIC[1], ARRAY(1)\n", "OUT[0..1].x, GENERIC[0..1], ARRAY(1)\n");
    same("OUT[7].xyzw, ARRAY(1)\nOUT[8], ARRAY(1)\n", "OUT[7..8].xyzw, ARRAY(1)\n");
    for (const auto* apart :
         {"OUT[0..1].xyz, GENERIC[0].x, ARRAY(1)\nOUT[2].xyz, GENERIC[2].x, ARRAY(1)\n", // a gap of two components
          "OUT[0], GENERIC[0], ARRAY(1)\nOUT[2], GENERIC[1], ARRAY(1)\n",                // of a register
          "OUT[0], GENERIC[1], ARRAY(1)\nOUT[1], GENERIC[0], ARRAY(1)\n",                // backwards
          "OUT[0..1].xy, GENERIC[0], ARRAY(1)\nOUT[2].xyz, GENERIC[1].x, ARRAY(1)\n"}) { // another mask
        const auto result = pack(apart);
        EXPECT_EQ(result.status, 2) << apart;
        EXPECT_NE(result.last_error().find("x.tgsi:2:"), std::string::npos) << result.err;
    }
}

TEST_F(pack_command, VAR_02_a_mask_may_start_inside_a_register)
{
    const auto same = [&](const std::string& text, const std::string& found) {
        const auto result = pack(text);
        EXPECT_EQ(result.status, 0) << text << result.err;
        std::string places;
        const auto printed = json::parse(result.out);
        for (const auto& each : printed.at("components").as_array())
            places += std::string(each.at("component").as_string()) + std::string(each.at("address").as_string()) + " ";
        EXPECT_EQ(places, found) << text;
    };
    same("OUT[0].yzw, GENERIC[0].y", "y0x84 z0x88 w0x8c ");
    same("OUT[0].yzw, GENERIC[0].yzw", "y0x84 z0x88 w0x8c ");
    same("OUT[0].yzw, GENERIC[0].x", "y0x80 z0x84 w0x88 ");
    same("OUT[0].zw, GENERIC[3].w", "z0xbc w0xc0 ");
    same("OUT[0].y, GENERIC[1].w", "y0x9c ");
    EXPECT_EQ(pack("OUT[0].yw, GENERIC[0].y").status, 2) << "a mask with a gap has no one place";
    EXPECT_EQ(pack("OUT[0].yzw, GENERIC[0].yz").status, 2) << "three components at two";
    EXPECT_EQ(pack("OUT[0].yzw, GENERIC[31].z").status, 2) << "beyond the last vector";
}

TEST_F(pack_command, VAR_02_a_mask_with_two_readings_needs_an_option_or_is_warned_of)
{
    const auto first_of = [&](const std::string& text, const std::vector<std::string>& options, bool warned) {
        const auto result = pack(text, options);
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(result.err.find("--masks usage") != std::string::npos, warned) << text << result.err;
        return std::string(json::parse(result.out).at("components").at(2).at("address").as_string());
    };
    const std::string dump = "DCL OUT[1..2].xy, ARRAY(1), GENERIC[9]\n", bare = "DCL OUT[1..2].xy, ARRAY(1)\n";
    EXPECT_EQ(first_of(dump, {}, true), "0x118") << "8 bytes after 0x110";
    EXPECT_EQ(first_of(dump, {"--masks", "packed"}, false), "0x118");
    EXPECT_EQ(first_of(dump, {"--masks", "usage"}, false), "0x120") << "a vector after 0x110";
    EXPECT_EQ(first_of(bare, {}, true), "0x98");
    EXPECT_EQ(first_of(bare, {"--masks", "usage"}, false), "0xa0");
    EXPECT_EQ(first_of(dump.substr(4), {}, false), "0x118") << "the mail writes no DCL";
    EXPECT_EQ(pack(dump, {"--masks", "neither"}).status, 2);
}

TEST_F(pack_command, VAR_05_errors_have_their_place)
{
    auto result = pack("OUT[0], CLIPDIST[1]\nOUT[1], CLIPDIST[0]\nMOV OUT[TEMP[0].x-1], IMM[0]\n");
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.last_error().find("x.tgsi:3:5: OUT[TEMP[0].x-1] is ambiguous"), std::string::npos) << result.err;
    EXPECT_EQ(pack("OUT[0], CLIPDIST", {"--emit", "pictures"}).status, 2);
    EXPECT_EQ(pack("OUT[0], CLIPDIST", {"--arch", "sm20"}).status, 2);
    EXPECT_EQ(run_isbesim({"pack", folder_.path("none")}).status, 2);
}

TEST_F(pack_command, unknown_names_come_with_the_nearest)
{
    const std::pair<const char*, const char*> wrong[] = {
        {"OUT[0], POSTION\n", "x.tgsi:1:9: unknown 'POSTION', "},
        {"OUT[0], POSTION\n", "; the nearest: POSITION"},
        {"OUT[0..7].x, CLIPDST\n", "the nearest: CLIPDIST"},
        {"IN[0], GENERIC[0], PERSPECTVE\n", "the nearest: PERSPECTIVE"},
        {"OUT[0], POSITION\nMVO OUT[0], IN[0]\n", "x.tgsi:2:1: 'MVO' is no TGSI opcode"},
        {"OUT[0], POSITION\nMVO OUT[0], IN[0]\n", "the nearest: MOV"},
        {"VERTX\n", "the nearest: VERT"},
        {"DCL OTU[0], POSITION\n", "the nearest: OUT"},
        {"PROPERTY GS_MAX_OUTPUT_VERTICE 3\n", "the nearest: GS_MAX_OUTPUT_VERTICES"}};
    for (const auto& [text, part] : wrong) {
        const auto result = pack(text);
        EXPECT_EQ(result.status, 2) << text;
        EXPECT_NE(result.last_error().find(part), std::string::npos) << result.err;
    }
}

TEST_F(pack_command, a_result_that_can_not_be_written_is_2)
{
    for (const auto* emit : {"addresses", "text", "completed", "sph", "sass"})
        for (const auto& [file, reason] : {std::pair{std::string("/dev/full"), "No space left on device"},
                                           {folder_.path("none/x"), "No such file or directory"}}) {
            const auto result = pack("OUT[0], POSITION", {"--emit", emit, "--out", file});
            EXPECT_EQ(result.status, 2) << emit;
            EXPECT_EQ(result.last_error(), "isbesim: error: command-line:1:5: '" + file + "' can't be written (" +
                                               reason +
                                               "), expected a file name in a folder that can be "
                                               "written to and has room");
        }
    EXPECT_EQ(pack("OUT[0], POSITION", {"--emit", "scenario", "--out", "/dev/full"}).status, 2);
}

TEST_F(pack_command, a_scenario_is_written_whole_or_not_at_all)
{
    const auto text = folder_.write("x.tgsi", "OUT[0], POSITION");
    const auto packed = folder_.path("made");
    const std::vector<std::string> words = {"pack", text, "--emit", "scenario", "--out", packed};
    // The vertices need more than 4 KiB, the programs less: the disk is full half-way.
    const auto failed = run_isbesim(words, {"", 4096});
    EXPECT_EQ(failed.status, 2);
    EXPECT_EQ(failed.err, "isbesim: error: command-line:1:5: 'expected.csv' can't be written to '" + packed +
                              "', expected a folder with room for all files of the scenario\n");
    EXPECT_FALSE(std::filesystem::exists(packed));
    ASSERT_EQ(run_isbesim(words).status, 0);
    const auto before = temporary_folder::read(packed + "/expected.csv");
    EXPECT_GT(before.size(), 4096U);
    EXPECT_EQ(run_isbesim(words, {"", 4096}).status, 2);
    EXPECT_EQ(temporary_folder::read(packed + "/expected.csv"), before);
    // No half of it beside the result either.
    const std::filesystem::directory_iterator beside(folder_.path());
    EXPECT_EQ(std::distance(begin(beside), end(beside)), 2);
}

TEST_F(pack_command, VAR_03_the_stage_after_is_checked)
{
    const auto next = folder_.write("fs.tgsi", "FRAG\nDCL IN[0].xyz, GENERIC[3], PERSPECTIVE\n");
    EXPECT_EQ(pack("OUT[0].xyz, GENERIC[3]", {"--next", next}).status, 0);
    const auto result = pack("OUT[0].xy, GENERIC[3]", {"--next", next});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.last_error().find("fs.tgsi:2:5: IN[0].xyz, GENERIC[3]"), std::string::npos) << result.err;
    EXPECT_NE(result.last_error().find("OUT[0].xy, GENERIC[3] (line 1)"), std::string::npos) << result.err;
    // Two stages in one text.
    EXPECT_EQ(pack("VERT\nDCL OUT[0], POSITION\nGEOM\nDCL IN[][0], GENERIC[0]\n").status, 2);
    EXPECT_EQ(
        json::parse(pack("VERT\nDCL OUT[0], POSITION\nGEOM\nDCL IN[][0], POSITION\n").out).at("next").at("imap").at(0),
        "0xf0000000");
}

} // namespace
} // namespace isbesim::testbench
