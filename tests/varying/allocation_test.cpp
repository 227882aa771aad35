// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "models/attribute/attribute_map.h"
#include "tests/support/error_text.h"
#include "tests/varying/texts.h"

namespace isbesim::varying {
namespace {

constexpr auto in = register_file::input;
constexpr auto out = register_file::output;

class allocation_of : public testing::Test {
protected:
    void place(const std::string& text)
    {
        code_ = parse_one(text);
        placed_ = allocate(code_);
    }
    unsigned at(register_file file, unsigned number, char component) const
    {
        return address_of(placed_, file, number, static_cast<unsigned>(std::string("xyzw").find(component)));
    }

    struct expected_component {
        unsigned number;
        char letter;
        unsigned address; ///< ~0U: none
    };
    void expect_at(register_file file, std::initializer_list<expected_component> components) const
    {
        for (const auto& [number, letter, address] : components)
            EXPECT_EQ(at(file, number, letter), address) << number << letter;
    }

    shader code_;
    allocation placed_;
};

TEST_F(allocation_of, VAR_02_eight_clip_distances_are_eight_scalars)
{
    place("OUT[0..7].x, CLIPDIST, ARRAY(1)");
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(at(out, i, 'x'), 0x2c0 + 4 * i);
    EXPECT_EQ(at(out, 0, 'y'), ~0U);
    EXPECT_EQ(placed_.components().size(), 8U);
    EXPECT_EQ(placed_.components()[5].index, 1U);
}

TEST_F(allocation_of, VAR_02_addresses_follow_the_semantic_not_the_register)
{
    place("OUT[0], CLIPDIST[1]\nOUT[1], CLIPDIST[0]\nOUT[2], GENERIC[1]\nOUT[3], GENERIC[0]");
    expect_at(out, {{0, 'x', 0x2d0}, {1, 'x', 0x2c0}, {2, 'x', 0x90}, {3, 'w', 0x8c}});
}

TEST_F(allocation_of, VAR_02_every_semantic_that_has_an_address)
{
    struct row {
        const char* text;
        unsigned first;
        unsigned components;
    };
    for (const auto& [text, first, components] :
         {row{"OUT[0], POSITION", 0x70, 4},       row{"OUT[0], PSIZE", 0x6c, 1},
          row{"OUT[0], GENERIC[31]", 0x270, 4},   row{"OUT[0], COLOR", 0x280, 4},
          row{"OUT[0], COLOR[1]", 0x290, 4},      row{"OUT[0], BCOLOR", 0x2a0, 4},
          row{"OUT[0], BCOLOR[1]", 0x2b0, 4},     row{"OUT[0], CLIPVERTEX", 0x270, 4},
          row{"OUT[0], FOG", 0x2e8, 1},           row{"OUT[0], PCOORD", 0x2e0, 2},
          row{"OUT[0], TEXCOORD[0]", 0x300, 4},   row{"OUT[0], TEXCOORD[9]", 0x390, 4},
          row{"OUT[0], LAYER", 0x64, 1},          row{"OUT[0], VIEWPORT_INDEX", 0x68, 1},
          row{"OUT[0], VIEWPORT_MASK", 0x3a0, 1}, row{"OUT[0], PRIMID", 0x60, 1},
          row{"OUT[0], PRIM_ID", 0x60, 1},        row{"SV[0], INSTANCEID", 0x2f8, 1},
          row{"SV[0], VERTEXID", 0x2fc, 1},       row{"SV[0], TESSCOORD", 0x2f0, 2},
          row{"OUT[0], TESSOUTER", 0x0, 4},       row{"OUT[0], TESSINNER", 0x10, 2},
          row{"OUT[0], PATCH[0]", 0x20, 4},       row{"IN[0], PATCH[29]", 0x1f0, 4}}) {
        place(text);
        const auto places = placed_.components();
        ASSERT_EQ(places.size(), components) << text;
        for (unsigned c = 0; c < components; ++c) EXPECT_EQ(places[c].address, first + 4 * c) << text;
    }
}

/// Against the hardware's own names, which the attribute map has from elsewhere (HARDWARE.md A.2).
TEST_F(allocation_of, VAR_02_semantics_follow_the_attribute_map)
{
    for (const auto& [meaning, name] :
         {std::pair{"POSITION", "POSITION_X"}, std::pair{"PSIZE", "POINT_SIZE"}, std::pair{"LAYER", "RT_ARRAY_INDEX"},
          std::pair{"COLOR", "COLOR_FRONT_DIFFUSE_R"}, std::pair{"COLOR[1]", "COLOR_FRONT_SPECULAR_R"},
          std::pair{"BCOLOR[1]", "COLOR_BACK_SPECULAR_R"}, std::pair{"CLIPDIST[1].w", "CLIP_DISTANCE[7]"},
          std::pair{"FOG", "FOG_COORDINATE"}, std::pair{"TEXCOORD[3].y", "FIXED_FNC_TEXTURE[3].T"},
          std::pair{"GENERIC[12].z", "GENERIC[12].z"}}) {
        place(std::string("OUT[0].x, ") + meaning);
        EXPECT_EQ(attribute_name(at(out, 0, 'x')), name);
    }
    for (std::size_t i = 0; i < semantic_rows().size(); ++i)
        EXPECT_EQ(static_cast<std::size_t>(semantic_rows()[i].id), i) << semantic_rows()[i].name;
}

TEST_F(allocation_of, VAR_03_a_generic_index_keeps_four_components)
{
    place("OUT[0..3].x, GENERIC[0]\nOUT[4..5].xy, GENERIC[1]");
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(at(out, i, 'x'), 0x80 + 4 * i);
    expect_at(out, {{4, 'x', 0x90}, {4, 'y', 0x94}, {5, 'x', 0x98}, {5, 'y', 0x9c}});
    EXPECT_EQ(placed_.outputs.count(), 8U);
}

TEST_F(allocation_of, VAR_03_fractional_indices_and_packed_arrays)
{
    place("OUT[0..2].x, GENERIC[0].x\nOUT[3].x, GENERIC[0].w");
    expect_at(out, {{2, 'x', 0x88}, {3, 'x', 0x8c}});
    place("OUT[0..3].xyz, GENERIC[0].x\nOUT[4..5].xyz, GENERIC[3].x\nOUT[6].xy, GENERIC[4].zw\n"
          "ADD OUT[5].xyz, TEMP[0], TEMP[1]");
    expect_at(out, {{1, 'x', 0x8c}, {1, 'y', 0x90}}); // { OUT[0].w, OUT[1].xy } of the vectors of four
    expect_at(out, {{4, 'x', 0xb0}, {5, 'x', 0xbc}, {5, 'y', 0xc0}, {6, 'x', 0xc8}, {6, 'y', 0xcc}});
    EXPECT_EQ(placed_.outputs.count(), 20U);
}

/// Unlike the packed form, as the mail contrasts them: OUT[0..1].xyzw, GENERIC[0..1] and OUT[0..7].x, GENERIC[0..7].
TEST_F(allocation_of, VAR_07_a_range_gives_every_register_its_own_index)
{
    place("OUT[0..7].x, GENERIC[0..7]\nOUT[8..9].xyz, GENERIC[8..9].y\nOUT[10..11], CLIPDIST[0..1]\n"
          "OUT[12..13].yw, GENERIC[12..13]\nOUT[20..22], GENERIC[20..22], ARRAY(1)");
    for (unsigned i = 0; i < 8; ++i) {
        EXPECT_EQ(at(out, i, 'x'), 0x80 + 16 * i);
        EXPECT_EQ(at(out, i, 'y'), ~0U);
    }
    expect_at(out, {{8, 'x', 0x104}, {9, 'z', 0x11c}, {10, 'x', 0x2c0}, {11, 'w', 0x2dc}, {13, 'y', 0x154}});
    expect_at(out, {{22, 'x', 0x1e0}});
    EXPECT_EQ(placed_.outputs.count(), 8U + 6 + 8 + 4 + 12);
    place("OUT[0..31], GENERIC[0..31]");
    EXPECT_EQ(placed_.outputs.count(), 128U);
    expect_error("OUT[0..1], GENERIC[31..32]", "GENERIC has 128: 4 too many");
    expect_error("OUT[0..1], GENERIC[4294967294..4294967295]", "too many");
    expect_error("OUT[0..1].xyz, GENERIC[0..1].z", "which these components go beyond");
    EXPECT_EQ(error_of("OUT[0..1].xy, GENERIC[0..1].z"), "");
    expect_error("OUT[0..1].xy, GENERIC[0..1]\nOUT[2], GENERIC[1]", "overlaps");
    EXPECT_EQ(error_of("OUT[0..1].xy, GENERIC[0..1]\nOUT[2..3].xy, GENERIC[0..1].z"), "");
}

TEST_F(allocation_of, VAR_07_component_indices_need_components_without_gaps)
{
    EXPECT_EQ(error_of("OUT[0..1], GENERIC[0], ARRAY(1), COMPONENT_INDEX"), "");
    EXPECT_EQ(error_of("OUT[0..1], GENERIC[0..1], ARRAY(1), COMPONENT_INDEX"), "");
    EXPECT_EQ(error_of("OUT[0..1].xyz, GENERIC[0].w, ARRAY(1), COMPONENT_INDEX"), "");
    for (const auto* text : {"OUT[0..1].yw, GENERIC[0], ARRAY(1), COMPONENT_INDEX",
                             "OUT[0..1].xyz, GENERIC[0..1], ARRAY(1), COMPONENT_INDEX"})
        expect_error(text, "gaps between its components");
}

TEST_F(allocation_of, usage_masks_pick_components_and_vertex_attributes_need_no_semantic)
{
    place("OUT[0..1].yw, GENERIC[2]");
    expect_at(out, {{0, 'x', ~0U}, {0, 'y', 0xa4}, {1, 'w', 0xbc}});
    place("VERT\nDCL IN[0..2]\nDCL OUT[0], POSITION\nDCL IN[5].xy");
    expect_at(in, {{2, 'w', 0xac}, {5, 'y', 0xd4}});
}

TEST_F(allocation_of, VAR_03_exactly_the_reported_capacity)
{
    place("OUT[0..31], GENERIC[0]");
    EXPECT_EQ(placed_.outputs.count(), 128U);
    expect_error("OUT[0..32], GENERIC[0]", "needs 132 components");
    expect_error("OUT[0..32], GENERIC[0]", "GENERIC has 128: 4 too many");
    expect_error("OUT[0..8].x, CLIPDIST", "CLIPDIST has 8: 1 too many");
    expect_error("OUT[0].xy, PSIZE", "PSIZE has 1: 1 too many");
    expect_error("OUT[0..1], GENERIC[30]\nOUT[2].xyz, GENERIC[31].z", "1 too many");
    expect_error("OUT[0..30], PATCH", "PATCH has 120: 4 too many");
    expect_error("OUT[0], GENERIC[4000000000]", "too many");
    expect_error("OUT[0..65535], GENERIC[4294967295]", "too many");
    // 42 vectors of three and a pair fill 128 scalars: alignment would waste 42 of them.
    place("OUT[0..41].xyz, GENERIC[0]\nOUT[42].xy, GENERIC[31].zw");
    EXPECT_EQ(placed_.outputs.count(), 128U);
    // The one that is too many is named with the one that is there.
    const auto error = error_of("OUT[0..31], GENERIC[0]\nOUT[32], GENERIC[32]");
    EXPECT_NE(error.find("OUT[32], GENERIC[32] (line 2)"), std::string::npos) << error;
    EXPECT_NE(error.find("OUT[0..31], GENERIC[0] (line 1)"), std::string::npos) << error;
}

TEST_F(allocation_of, VAR_03_places_left_open_fill_the_holes)
{
    place("OUT[0..20].xyz, GENERIC[]\nOUT[21..41].xyz, GENERIC[]\nOUT[42].xy, GENERIC[]");
    EXPECT_EQ(placed_.outputs.count(), 128U);
    expect_error("OUT[0..20].xyz, GENERIC[]\nOUT[21..41].xyz, GENERIC[]\nOUT[42].xyz, GENERIC[]",
                 "129 components, GENERIC has 128: 1 too many");
    place("OUT[0], GENERIC[0].x\nOUT[1..30], GENERIC[2]\nOUT[31].x, GENERIC[]\nOUT[32].xyz, GENERIC[]");
    EXPECT_EQ(std::set<unsigned>({at(out, 31, 'x'), at(out, 32, 'x')}).count(0x90), 1U);
    EXPECT_EQ(placed_.outputs.count(), 128U);
    expect_error("OUT[0..14].xyzw, GENERIC[1]\nOUT[16..30], GENERIC[17]\nOUT[40..41].xyz, GENERIC[]",
                 "finds no hole of 6 components");
    EXPECT_EQ(error_of("OUT[0].xz, GENERIC[]"),
              "1:1: OUT[0].xz, GENERIC[] (line 1) picks components, expected .x, .xy, .xyz or all");
    std::string many;
    for (unsigned i = 0; i < 300; ++i) many += "OUT[" + std::to_string(i) + "].x, GENERIC[]\n";
    EXPECT_EQ(error_of(many),
              "258:1: OUT[257].x, GENERIC[] (line 258): more declarations than GENERIC has components, expected fewer");
}

TEST_F(allocation_of, overlaps_name_both_declarations_and_the_place)
{
    const auto error = error_of("OUT[0..3].xyz, GENERIC[0]\nOUT[4].x, GENERIC[2].w");
    EXPECT_EQ(error, "2:1: OUT[4].x, GENERIC[2].w (line 2) overlaps OUT[0..3].xyz, GENERIC[0] (line 1) at "
                     "GENERIC[2].w (0xac), expected places of their own");
    expect_error("OUT[0], GENERIC[31]\nOUT[1], CLIPVERTEX", "overlaps");
    expect_error("OUT[0..3].x, GENERIC[0]\nOUT[3], GENERIC[1]", "again");
    EXPECT_EQ(error_of("OUT[0], GENERIC[0]\nIN[0], GENERIC[0]"), "");
    EXPECT_EQ(error_of("OUT[0].xy, GENERIC[0]\nOUT[0].zw, GENERIC[0]"), "");
}

TEST_F(allocation_of, semantics_without_an_address_are_refused_with_a_reason)
{
    for (const auto* text : {"OUT[0], EDGEFLAG", "OUT[0], NORMAL", "SV[0], BASEVERTEX", "SV[0], THREAD_ID",
                             "IN[0], FACE", "SV[0], SAMPLEID", "SV[0], DRAWID", "SV[0], VERTICESIN"}) {
        const auto error = error_of(text);
        EXPECT_NE(error.find("has no attribute address"), std::string::npos) << text << " " << error;
        EXPECT_NE(error.find("expected"), std::string::npos) << error;
    }
    expect_error("VERT\nDCL OUT[0], PATCH[0]", "patch space");
    expect_error("VERT\nDCL IN[][0], POSITION", "vertex dimension");
    EXPECT_EQ(error_of("GEOM\nDCL SV[0], INVOCATIONID\nMOV TEMP[0].x, SV[0].xxxx"), "");
    EXPECT_EQ(error_of("FRAG\nDCL IN[0], FACE, CONSTANT\nDCL OUT[0], COLOR"), "");
}

TEST_F(allocation_of, fractions_fit_their_register)
{
    EXPECT_EQ(error_of("OUT[0].xy, GENERIC[0].yz"), "");
    expect_error("OUT[0].xy, GENERIC[0].xyz", "don't fit");
    expect_error("OUT[0].xy, GENERIC[0].xz", "don't fit");
    EXPECT_EQ(error_of("OUT[0].yz, GENERIC[0].y"), "");
    expect_error("OUT[0].yw, GENERIC[0].y", "don't fit");
    expect_error("OUT[0].yz, GENERIC[0].yzw", "don't fit");
}

TEST_F(allocation_of, VAR_05_indirect_without_array_is_ambiguous)
{
    const std::string declared = "OUT[0], CLIPDIST[1]\nOUT[1], CLIPDIST[0]\nOUT[2..3], GENERIC[0], ARRAY(1)\n";
    const auto error = error_of(declared + "MOV OUT[TEMP[0].x-1], IMM[0]");
    EXPECT_EQ(error.substr(0, 39), "4:5: OUT[TEMP[0].x-1] is ambiguous: its");
    for (const auto* each :
         {"0x2d0 of OUT[0], CLIPDIST[1]", "0x2c0 of OUT[1], CLIPDIST", "0x80 of OUT[2..3], GENERIC[0]"})
        EXPECT_NE(error.find(each), std::string::npos) << error;
    EXPECT_NE(error.find("OUT(1)[TEMP[0].x-1]"), std::string::npos) << error;
    expect_error("IN[0..3], GENERIC[0]\nMOV TEMP[0], IN[ADDR[0].x]", "ambiguous");

    place(declared + "MOV OUT(1)[TEMP[0].x-1], IMM[0]");
    const auto& array = declaration_of(code_.instructions[0].operands[0], placed_);
    EXPECT_EQ(array.base, 0x80U);
    EXPECT_EQ(array.stride, 16U);
    expect_error(declared + "MOV OUT(2)[TEMP[0].x], IMM[0]", "no OUT declaration has ARRAY(2)");
    expect_error(declared + "MOV OUT(1)[2], IMM[0]", "lies outside");
    expect_error(declared + "MOV OUT[4], IMM[0]", "is not declared");
}

TEST_F(allocation_of, header_words)
{
    place("GEOM\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 7\nDCL IN[][0], GENERIC[0]\n"
          "DCL OUT[0], POSITION\nDCL OUT[1], VIEWPORT_MASK");
    const auto header = make_header(code_, placed_, 4);
    const auto words = encode_header(header);
    EXPECT_EQ(words.size(), 32U);
    // HARDWARE.md E7: POSITION_X is OMAP bit 428, GENERIC[0].x IMAP bit 192, VIEWPORT_MASK OMAP bit 632.
    EXPECT_EQ(words[13], 0xfU << 12);
    EXPECT_EQ(words[6], 0xfU);
    EXPECT_EQ(words[19], 1U << 24);
    EXPECT_EQ(header.max_output_vertex_count, 7U);
    EXPECT_EQ(header.output_topology, output_topology::points);
    place(
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL IN[][0], POSITION\nDCL OUT[][0], POSITION\nDCL OUT[1], PATCH[2]");
    EXPECT_EQ(make_header(code_, placed_, 3).per_patch_attribute_count, 8U + 12U);
    EXPECT_EQ(make_header(code_, placed_, 3).threads_per_input_primitive, 4U);
    for (const std::string number : {"0", "33", "65536", "1000000", "99999999999", "X"}) {
        place("TESS_CTRL\nPROPERTY TCS_VERTICES_OUT " + number + "\nDCL OUT[][0], POSITION");
        const auto error = error_text<shader_error>([&] { make_header(code_, placed_, 3); });
        EXPECT_NE(error.find(number == "X" ? "is 'X', expected a number" : "is " + number + ", expected 1 to 32"),
                  std::string::npos)
            << error;
    }
    // The coordinate is read back from the outputs: so do the maps of a compiled program (tests/data/headers).
    place("TESS_EVAL\nDCL IN[][0], POSITION\nDCL SV[0], TESSCOORD\nDCL OUT[0], POSITION");
    EXPECT_FALSE(placed_.inputs.contains(0x2f0 / 4));
    EXPECT_EQ(make_header(code_, placed_, 3).omap.count(), 6U);
    EXPECT_EQ(make_header(code_, placed_, 3).store_req_start, 0x2f0U / 4);
    EXPECT_EQ(make_header(code_, placed_, 3).store_req_end, 0x2f4U / 4);
    place("FRAG\nDCL IN[0], GENERIC[0]");
    EXPECT_THROW(make_header(code_, placed_, 3), shader_error);
}

std::string link_error(const std::string& producer, const std::string& consumer)
{
    const auto first = parse_one(producer), second = parse_one(consumer);
    const auto written = allocate(first), read = allocate(second);
    return error_text<shader_error>([&] { check_link(written, second, read); });
}

TEST(link, VAR_03_stages_compiled_apart_meet_at_their_generic_index)
{
    EXPECT_EQ(link_error("OUT[0..3].x, GENERIC[0]\nOUT[4..5].xy, GENERIC[1]",
                         "FRAG\nDCL IN[7].xy, GENERIC[1].zw\nDCL IN[2], GENERIC[0]"),
              "");
    EXPECT_EQ(link_error("OUT[0], POSITION", "GEOM\nDCL IN[][0], POSITION\nDCL IN[1], PRIMID"), "");
}

TEST(link, mismatched_stages_name_both_declarations)
{
    auto error = link_error("OUT[0], POSITION\nOUT[1].xy, GENERIC[3]", "FRAG\nDCL IN[0].xyz, GENERIC[3], PERSPECTIVE");
    EXPECT_NE(error.find("IN[0].xyz, GENERIC[3], PERSPECTIVE (line 2) reads GENERIC[3].z"), std::string::npos) << error;
    EXPECT_NE(error.find("OUT[1].xy, GENERIC[3] (line 2)"), std::string::npos) << error;
    error = link_error("OUT[0..3].xyz, GENERIC[0], ARRAY(1)", "FRAG\nDCL IN[0..2], GENERIC[0], ARRAY(1)");
    EXPECT_NE(error.find("elements of 4"), std::string::npos) << error;
    EXPECT_NE(error.find("OUT[0..3].xyz, GENERIC[0], ARRAY(1)"), std::string::npos) << error;
    EXPECT_NE(link_error("IN[0]", "GEOM\nDCL IN[][0], POSITION").find("it has no outputs"), std::string::npos);
}

} // namespace
} // namespace isbesim::varying
