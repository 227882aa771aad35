// SPDX-License-Identifier: Apache-2.0
#include "tests/varying/texts.h"

namespace isbesim::varying {
namespace {

std::string printed(const std::string& line)
{
    auto text = print(parse_one(line));
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

TEST(parser, VAR_01_declarations_parse_and_print_back)
{
    for (const auto* line : {"DCL OUT[0..7].x, CLIPDIST, ARRAY(1)",
                             "DCL OUT[4..5].xy, GENERIC[1]",
                             "DCL OUT[3].x, GENERIC[0].w",
                             "DCL OUT[6].xy, GENERIC[4].zw",
                             "DCL OUT[0..3].xyz, GENERIC[0].x",
                             "DCL OUT[0], POSITION",
                             "DCL OUT[1], CLIPDIST[1]",
                             "DCL IN[][0], POSITION",
                             "DCL IN[][1..4], GENERIC[2], ARRAY(1)",
                             "DCL IN[0], GENERIC[3], PERSPECTIVE, CENTROID",
                             "DCL IN[0], COLOR, COLOR",
                             "DCL OUT[0].yw, GENERIC[7]",
                             "DCL OUT[1], GENERIC[0], STREAM(0, 1, 0, 0)",
                             "DCL SV[0], INSTANCEID",
                             "DCL CONST[0][0..12]",
                             "DCL TEMP[0..3], ARRAY(1), LOCAL",
                             "DCL SVIEW[0], 2D, FLOAT",
                             "DCL SAMP[0]",
                             "DCL ADDR[0]",
                             "DCL OUT[2..9], GENERIC[]",
                             "DCL OUT[0], PATCH[3]",
                             "DCL OUT[0..7], GENERIC[0..7]",
                             "DCL OUT[0..7].x, GENERIC[8..15].z, ARRAY(1)",
                             "DCL IN[][1..2], CLIPDIST[0..1], ARRAY(3), PERSPECTIVE",
                             "DCL OUT[0..1].xyzw, GENERIC[4], ARRAY(1), COMPONENT_INDEX",
                             "DCL IN[0..1], GENERIC[4..5], ARRAY(1), COMPONENT_INDEX, PERSPECTIVE",
                             "DCL OUT[1], TESSOUTER",
                             "PROPERTY GS_INPUT_PRIMITIVE TRIANGLES",
                             "PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP",
                             "PROPERTY CS_FIXED_BLOCK_WIDTH 8, 1",
                             "IMM[0] FLT32 {0.0000, -1.5, 1e9, 0x3f800000}",
                             "IMM[0] UINT32 {1, 2}"}) {
        EXPECT_EQ(printed(line), line);
        EXPECT_EQ(printed(printed(line)), line);
    }
}

TEST(parser, VAR_01_DCL_blanks_and_comments_are_optional)
{
    const auto* expected = "DCL OUT[0..7].x, CLIPDIST, ARRAY(1)";
    EXPECT_EQ(printed("OUT[0..7].x, CLIPDIST, ARRAY(1)"), expected);
    EXPECT_EQ(printed("  OUT [ 0 .. 7 ] . x ,ARRAY( 1 ), CLIPDIST[0] // eight floats\r"), expected);
    EXPECT_EQ(printed("# first\n\nDCL OUT(1)[0..7].x, CLIPDIST # last"), expected);
}

TEST(parser, VAR_07_ranges_and_component_indices_have_a_canonical_form)
{
    EXPECT_EQ(printed("OUT[ 0 .. 7 ] ,GENERIC[ 0..7 ]"), "DCL OUT[0..7], GENERIC[0..7]");
    EXPECT_EQ(printed("OUT[5..5], GENERIC[3..3].y"), "DCL OUT[5], GENERIC[3].y"); // a range of one is its index
    EXPECT_EQ(printed("OUT[0..1], COMPONENT_INDEX, GENERIC[4], PERSPECTIVE, ARRAY(2)"),
              "DCL OUT[0..1], GENERIC[4], ARRAY(2), COMPONENT_INDEX, PERSPECTIVE");
    // The mail's second suggestion, with the marker for the unit of its index.
    const auto* text =
        "OUT[0].xyzw, GENERIC[0], ARRAY(1), COMPONENT_INDEX\nMOV OUT(array 1)[ADDR[0].x+1].y, IMM[0].xxxx";
    EXPECT_EQ(printed(text), "DCL OUT[0].xyzw, GENERIC[0], ARRAY(1), COMPONENT_INDEX\n"
                             "  0: MOV OUT(1)[ADDR[0].x+1].y, IMM[0].xxxx");
}

TEST(parser, instructions_print_back)
{
    for (const auto* line : {"MOV OUT(1)[ADDR[0].x+1].y, IMM[0].xxxx", "ADD OUT[5].xyz, TEMP[0], TEMP[1]",
                             "MOV OUT(1)[ADDR[0].x-1], IMM[0]", "MOV OUT[TEMP[0].x-1](2), -|IN[0].xyzw|",
                             "MOV TEMP[0], IN[2][ADDR[0].y](1)", "MOV TEMP[0], IN[ADDR[1].z+1][0]", "EMIT IMM[0].xxxx",
                             "END", "MAD_SAT TEMP[0].xy, CONST[0][3].xxyy, -IN[1], IMM[2]", "UIF TEMP[0].xxxx :7",
                             "TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D", "MOV_SAT_PRECISE TEMP[1], IN[0]"})
        EXPECT_EQ(printed(line), std::string("  0: ") + line);
    EXPECT_EQ(printed("17: MOV OUT(array 1)[ADDR[0].x+1].y, IMM[0].xxxx"),
              "  0: MOV OUT(1)[ADDR[0].x+1].y, IMM[0].xxxx");
    EXPECT_EQ(printed("MOV TEMP[0], IN(3)[ADDR[0]]"), "  0: MOV TEMP[0], IN(3)[ADDR[0].x]");
}

TEST(parser, programs_follow_one_another)
{
    const auto programs = parse("VERT\nDCL OUT[0], POSITION\nEND\nGEOM\nDCL IN[][0], POSITION\nEND\n");
    ASSERT_EQ(programs.size(), 2U);
    EXPECT_EQ(programs[0].kind, processor::vertex);
    EXPECT_EQ(programs[1].kind, processor::geometry);
    EXPECT_EQ(programs[1].at.line, 4U);
    EXPECT_EQ(parse_one("IN[][0], POSITION").effective_kind(), processor::geometry);
    EXPECT_EQ(parse_one("OUT[0], PATCH").effective_kind(), processor::tess_control);
    EXPECT_EQ(parse_one("IN[0], PATCH").effective_kind(), processor::tess_eval);
}

TEST(parser, errors_have_line_column_and_expectation)
{
    const std::pair<const char*, const char*> wrong[] = {
        {"", "1:1: the text is empty, expected declarations"},
        {"OUT[0], POSITION\nOUT[1, PSIZE", "2:6: unexpected ',', expected ']'"},
        {"OUT[0..], POSITION", "1:8: unexpected ']', expected a number"},
        {"OUT[0] POSITION", "1:8: unexpected 'POSITION', expected the end of the line"},
        {"OUT[0], ", "1:9: the line ends here, expected a semantic, ARRAY(n) or a qualifier"},
        {"OUT[5..2], GENERIC[0]", "1:4: the range 5..2 is empty or too long, expected FIRST..LAST up to 65535"},
        {"OUT[0].yx, GENERIC[0]", "1:8: '.yx' is no mask, expected components out of xyzw in order"},
        {"OUT[0], GENERIC[0], ARRAY(0)",
         "1:21: this array has no number of its own, expected ARRAY(n) once, with n from 1 on"},
        {"DCL FOO[0]", "1:5: 'FOO' is no register file, expected IN, OUT, TEMP, ADDR, CONST, IMM or SV"},
        {"  MOV TEMP[0], IN[-1]", "1:18: the register -1 does not exist, expected one up to 65535"},
        {"MOV TEMP[0], IN[0].xq", "1:20: '.xq' is no swizzle, expected up to four of xyzw"},
        {"MOV -TEMP[0], IN[0]", "1:6: a destination has no sign, expected a plain register"},
        {"MOV", "1:1: MOV lacks its destination, expected an operand"},
        {"MOV TEMP[0], |IN[0]", "1:20: the line ends here, expected '|'"},
        {"IMM[0] FLT32 {1, x}", "1:18: 'x' is no value of type FLT32, expected a number in its range"},
        {"IMM[0] UINT32 {-1}", "1:16: '-1' is no value of type UINT32, expected a number in its range"},
        {"IMM[0] FLT32 {1, 2, 3, 4, 5}", "1:27: too many values, expected at most 4"},
        {"COMP", "1:1: a compute program has no varyings, expected VERT, TESS_CTRL, TESS_EVAL, GEOM or FRAG"},
        {"OUT[99999999999], POSITION", "1:5: unexpected '99999999999', expected ']' or a number"},
        {"OUT[0..3], GENERIC[0..7]", "1:12: GENERIC[0..7] has 8 indices for 4 registers, expected GENERIC[0..3], one "
                                     "for each, or GENERIC[0], packed"},
        {"OUT[0..7].x, GENERIC[0..1]", "1:14: GENERIC[0..1] has 2 indices for 8 registers, expected GENERIC[0..7], one "
                                       "for each, or GENERIC[0], packed"},
        {"OUT[4], GENERIC[0..7]", "1:9: GENERIC[0..7] has 8 indices for 1 register, expected GENERIC[0]"},
        {"OUT[0..3], GENERIC[3..0]", "1:12: the range GENERIC[3..0] is empty, expected FIRST..LAST"},
        {"OUT[0..3], GENERIC[..3]", "1:20: unexpected '.', expected ']'"},
        {"OUT[0..3], GENERIC[0..]", "1:23: unexpected ']', expected a number"},
        {"OUT[0], POSITION, LINEAR[0..3]", "1:19: 'LINEAR' has no range, expected one only after a semantic"},
        {"OUT[0], GENERIC[0], COMPONENT_INDEX",
         "1:21: only arrays are indexed, expected ARRAY(n) beside COMPONENT_INDEX"},
        {"TEMP[0..3], ARRAY(1), COMPONENT_INDEX",
         "1:23: COMPONENT_INDEX is about varyings, expected it on an array of"},
        {"OUT[0], GENERIC[0], ARRAY(1), COMPONENT_INDEX[2]", "1:31: COMPONENT_INDEX stands alone, expected no index"},
        {"OUT[0], POSTION", "1:9: unknown 'POSTION', expected a semantic like GENERIC[0]"},
        {"PROPERTY GS_INVOCATION 3", "1:10: 'GS_INVOCATION' is no property, expected one like GS_INPUT_PRIMITIVE"},
        {"OUT[0], POSITION\n\xff\xfe", "2:1: unexpected '\\xff', expected"},
        {"OUT[0], POSITION,, CENTROID", "1:18: unexpected ',', expected a semantic, ARRAY(n) or a qualifier"}};
    for (const auto& [text, error] : wrong) {
        const auto found = error_of(text);
        EXPECT_EQ(found.substr(0, std::string(error).size()), error) << text;
    }
}

TEST(parser, arrays_of_one_number_with_a_gap_are_refused_by_both_names)
{
    const auto error = error_of("OUT[0..3].x, GENERIC[0], ARRAY(1)\nOUT[4..7].x, GENERIC[2], ARRAY(1)");
    EXPECT_NE(error.find("OUT[0..3].x, GENERIC[0], ARRAY(1) (line 1)"), std::string::npos) << error;
    EXPECT_NE(error.find("OUT[4..7].x, GENERIC[2], ARRAY(1) (line 2)"), std::string::npos) << error;
    EXPECT_EQ(error_of("OUT[0..3].x, GENERIC[0], ARRAY(1)\nIN[0..3].x, GENERIC[1], ARRAY(1)"), "");
}

TEST(parser, VAR_01_immediates_of_64_bits_are_two_words)
{
    const auto code = parse_one("VERT\nIN[0], GENERIC[0]\nOUT[0], POSITION\nIMM[0] FLT64 {1.0, -2.5}\n"
                                "MOV OUT[0], IMM[0]\nEND\n");
    ASSERT_EQ(code.immediates.size(), 1U);
    EXPECT_EQ(code.immediates[0].words, (std::vector<word>{0, 0x3ff00000, 0, 0xc0040000})) << "the low word first";
}

// Programs in the manner of drivers' tests: they parse, or are refused at a place and with a reason.

struct driver_text {
    const char* text;
    unsigned components; ///< that have an address
};

TEST(driver_texts, VAR_01_programs_of_every_stage_parse_and_get_addresses)
{
    const driver_text texts[] = {
        {"VERT\nDCL IN[0], POSITION, CONSTANT\nDCL IN[1], COLOR, CONSTANT\nDCL OUT[0], POSITION, CONSTANT\n"
         "DCL OUT[1], COLOR, CONSTANT\n0:MOV OUT[0], IN[0]\n1:MOV OUT[1], IN[1]\n2:END\n",
         16},
        {"VERT\nDCL IN[0]\nDCL IN[1]\nDCL SV[0], INSTANCEID\nDCL SV[1], VERTEXID\nDCL OUT[0], POSITION\nDCL OUT[1], "
         "PSIZE\n"
         "DCL OUT[2], LAYER\nDCL OUT[3].xy, GENERIC[12]\nDCL CONST[0..7]\nDCL CONST[1][0..3]\nDCL TEMP[0..3], LOCAL\n"
         "DCL ADDR[0]\nIMM[0] FLT32 {    0.0000,     1.0000,    -0.5000,     inf}\nIMM[1] INT32 {-1, 3, 0, 0}\n"
         "  0: DP4 TEMP[0].x, CONST[0], IN[0]\n  1: ARL ADDR[0].x, IN[1].xxxx\n  2: MOV TEMP[1], CONST[ADDR[0].x+2]\n"
         "  3: MAD_SAT TEMP[1].xyz, TEMP[0].xyzx, |TEMP[1]|, -IMM[0].yyyy\n  4: MOV OUT[0], TEMP[1]\n"
         "  5: MOV OUT[2].x, SV[0].xxxx\n  6: END\n",
         8 + 2 + 4 + 1 + 1 + 2},
        {"GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES_ADJACENCY\nPROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP\n"
         "PROPERTY GS_MAX_OUTPUT_VERTICES 8\nPROPERTY GS_INVOCATIONS 4\nDCL IN[][0], POSITION\n"
         "DCL IN[][1..8], ARRAY(1), GENERIC[0]\nDCL IN[9], PRIMID\nDCL SV[0], INVOCATIONID\nDCL OUT[0], POSITION, "
         "STREAM(0, 0, 0, 0)\n"
         "DCL OUT[1..2].xy, ARRAY(1), CLIPDIST\nDCL TEMP[0..7], ARRAY(2), LOCAL\nDCL ADDR[0..1]\nIMM[0] UINT32 {0, 0, "
         "0, 0}\n"
         "BGNLOOP :9\nUIF TEMP[0].xxxx :4\nBRK\nENDIF\nMOV TEMP[ADDR[0].x](2), IN[ADDR[1].x][ADDR[0].x+1](1)\nENDLOOP "
         ":0\n"
         "MOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\nEND\n",
         4 + 32 + 1 + 4 + 4},
        {"TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL IN[][1..4], ARRAY(1), GENERIC[0]\n"
         "DCL OUT[][0], POSITION\nDCL OUT[][1..4], ARRAY(1), GENERIC[0]\nDCL OUT[5], TESSOUTER\nDCL OUT[6], TESSINNER\n"
         "DCL OUT[7..8], ARRAY(2), PATCH\nDCL SV[0], INVOCATIONID\nDCL ADDR[0..1]\nUARL ADDR[0].x, SV[0].xxxx\n"
         "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nMOV OUT[ADDR[0].x][ADDR[1].x+1](1), IN[0][1]\n"
         "MOV OUT[ADDR[1].x+7](2), IN[0][2]\nBARRIER\nEND\n",
         4 + 16 + 4 + 16 + 4 + 2 + 8},
        {"TESS_EVAL\nPROPERTY TES_PRIM_MODE TRIANGLES\nPROPERTY TES_SPACING 1\nPROPERTY TES_VERTEX_ORDER_CW 0\n"
         "DCL IN[][0], POSITION\nDCL IN[1], TESSOUTER\nDCL IN[2], PATCH[3]\nDCL SV[0], TESSCOORD\nDCL OUT[0], "
         "POSITION\n"
         "MUL OUT[0], IN[0][0], SV[0].xxxx\nEND\n",
         4 + 4 + 4 + 2 + 4},
        {"FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], COLOR, COLOR\nDCL IN[1], GENERIC[0], PERSPECTIVE, "
         "CENTROID\n"
         "DCL IN[2], FACE, CONSTANT\nDCL IN[3], POSITION, LINEAR\nDCL IN[4], PCOORD, PERSPECTIVE\nDCL OUT[0], COLOR\n"
         "DCL OUT[1], POSITION\nDCL OUT[2], SAMPLEMASK\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL IMAGE[0], 2D, "
         "PIPE_FORMAT_R32_UINT, WR\n"
         "DCL BUFFER[0], ATOMIC\nDCL TEMP[0], LOCAL\nTEX TEMP[0], IN[1].xyyy, SAMP[0], 2D\nKILL_IF -TEMP[0].wwww\n"
         "LOAD TEMP[0].x, BUFFER[0], IN[1].xxxx\nSTORE IMAGE[0], IN[3], TEMP[0], 2D, PIPE_FORMAT_R32_UINT\n"
         "MOV OUT[0], TEMP[0]\nEND\n",
         4 + 4 + 1 + 4 + 2}};
    for (const auto& [text, components] : texts) {
        const auto code = parse_one(text);
        EXPECT_EQ(allocate(code).components().size(), components) << text;
        const auto printed = print(code);
        EXPECT_EQ(print(parse_one(printed)), printed);
    }
}

TEST(driver_texts, refusal_states_reason)
{
    const std::pair<const char*, const char*> refused[] = {
        {"COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\n", "1:1: a compute program has no varyings"},
        {"VERT\nDCL IN[0]\nDCL OUT[0], EDGEFLAG\n", "3:5: EDGEFLAG has no attribute address"},
        {"VERT\nDCL SV[0], BASEVERTEX\n", "2:5: BASEVERTEX has no attribute address"},
        {"VERT\nDCL OUT[0..3], GENERIC[0]\nMOV OUT[ADDR[0].x], IMM[0]\n", "3:5: OUT[ADDR[0].x] is ambiguous"},
        {"VERT1.1\nDCL IN[0]\n", "1:6: unexpected '.'"},
        {"VERT\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[40]\n",
         "3:5: OUT[1], GENERIC[40] (line 3) needs 4 components"},
        {"VERT\nMOV OUT[0], IN[0]\n", "2:5: OUT[0] is not declared"}};
    for (const auto& [text, error] : refused) {
        const auto found = error_of(text);
        EXPECT_EQ(found.substr(0, std::string(error).size()), error);
        EXPECT_NE(found.find("expected"), std::string::npos) << found;
    }
}

} // namespace
} // namespace isbesim::varying
