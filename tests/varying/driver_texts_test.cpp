// SPDX-License-Identifier: Apache-2.0
// Programs in the manner of drivers' tests: they parse, or are refused at a place and with a reason.
#include "tests/varying/texts.h"

namespace isbesim::varying {
namespace {

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
