// SPDX-License-Identifier: Apache-2.0
// Textures: which registers an instruction takes for what. What the unit makes of a request is tests/texture's.
//
// The order of the registers is the one that Mesa's compilers give them: layer, coordinates | handle, sample, level,
// offsets, reference; TXD: handle, coordinates, layer and offset | pairs of derivatives.
#include <gtest/gtest.h>

#include "tests/isa/texture_arguments.h"

namespace isbesim::isa {
namespace {

struct request {
    std::string name;
    std::string modifiers; ///< without .B
    const char* shape;
    sources from; ///< without the handle, which is first in `second`, of TXD in `first`
    image header;
    unsigned x_step = 0, y_step = 0; ///< expected beside the place
    unsigned level = 0;
    bool has_y = true, has_layer = false;
};

word expected(const request& each, unsigned lane)
{
    const place at(lane);
    const unsigned scale = each.level;
    return texel_at((at.x + each.x_step) >> scale, each.has_y ? (at.y + each.y_step) >> scale : 0,
                    each.has_layer ? at.layer >> (each.header == image_3d ? scale : 0) : 0, each.level);
}

constexpr unsigned minus_one = ~0U, minus_two = ~1U;

/// `text` of an instruction for the architecture: two destinations on SM75, R0 and R2.
std::string text_of(const request& each, architecture arch, bool bindless, const char* mask)
{
    const std::string second = *each.from.second != 0 || (bindless && each.name != "TXD") ? ", R12" : "";
    const std::string shape = std::string(", ") + each.shape;
    if (arch == architecture::sm50)
        return each.name + (bindless ? ".B" : "") + each.modifiers + " R0, R4" + second +
               (bindless ? ", 0x0" : ", 0x5") + shape + ", " + mask + ";";
    return each.name + (bindless ? ".B" : "") + each.modifiers + " R2, R0, R4" + second +
           (bindless ? "" : ", 0xf, 0x5") + shape + ", " + mask + ";";
}

TEST(texture, ISA_05_registers_of_samples_fetches_and_gradients)
{
    const request requests[] = {
        {"TEX", ".LZ", "1D", {"X", ""}, image_1d, 0, 0, 0, false},
        {"TEX", ".LZ", "2D", {"X Y", ""}, image_2d},
        {"TEX", ".LZ", "3D", {"X Y Z", ""}, image_3d, 0, 0, 0, true, true},
        {"TEX", ".LL", "2D", {"X Y", "V"}, image_2d, 0, 0, 1},
        {"TEX", ".LB", "2D", {"X Y", "V"}, image_2d, 0, 0, 1},
        {"TEX", "", "2D", {"X Y", ""}, image_2d},
        {"TEX", ".LZ", "ARRAY_1D", {"L X", ""}, array_1d, 0, 0, 0, false, true},
        {"TEX", ".LL", "ARRAY_2D", {"L X Y", "V"}, array_2d, 0, 0, 1, true, true},
        {"TEX", ".LZ.AOFFI", "2D", {"X Y", "O"}, image_2d, minus_one, 2},
        {"TEX", ".LL.AOFFI", "ARRAY_2D", {"L X Y", "V O"}, array_2d, minus_two, 4, 1, true, true},
        {"TLD", ".LZ", "2D", {"IX IY", ""}, image_2d},
        {"TLD", ".LL", "2D", {"IX IY", "IV"}, image_2d, 0, 0, 0},
        {"TLD", ".LZ", "1D", {"IX", ""}, buffer_image, 0, 0, 0, false},
        {"TLD", ".LZ", "ARRAY_2D", {"L IX IY", ""}, array_2d, 0, 0, 0, true, true},
        {"TLD", ".LZ.AOFFI", "3D", {"IX IY IZ", "O"}, image_3d, minus_one, 2, 0, true, true},
        {"TXD", "", "2D", {"X Y", "DX 0 0 DX"}, image_2d, 0, 0, 1},
        {"TXD", "", "ARRAY_2D", {"X Y L", "0 DX DX 0"}, array_2d, 0, 0, 1, true, true},
        {"TXD", ".AOFFI", "ARRAY_1D", {"X LO", "DX 0"}, array_1d, minus_two, 0, 1, false, true},
        {"TXD", ".AOFFI", "2D", {"X Y LO", "DX 0 0 0"}, image_2d, minus_two, 4, 1},
        {"TXD", "", "ARRAY_2D", {"X Y LO", "0 DX DX 0"}, array_2d, 0, 0, 1, true, true},
        {"TXD", "", "1D", {"X", "0 DX"}, image_1d, 0, 0, 1, false},
        {"TXD", "", "3D", {"X Y Z", "0 0 0 0 0 DZ"}, image_3d, 0, 0, 1, true, true},
        {"TEX", ".LL", "ARRAY_2D", {"LG X Y", "V"}, array_2d, 0, 0, 1, true, true},
        {"TEX", ".LL.NDV", "2D", {"X Y", "0"}, image_2d}, // the quad has no effect
    };
    for (const architecture arch : {architecture::sm50, architecture::sm75})
        for (const bool bindless : {false, true})
            for (const request& each : requests) {
                const std::string text = text_of(each, arch, bindless, "0x1");
                SCOPED_TRACE(text);
                const std::string handle = bindless ? "H " : "";
                const std::string first = each.name == "TXD" ? handle + each.from.first : each.from.first;
                const std::string second = each.name == "TXD" ? each.from.second : handle + each.from.second;
                texture_lab bench = prepared(text, arch, {first.c_str(), second.c_str()}, handle_of(each.header));
                const bool by_number = each.name == "TLD" && each.modifiers == ".LL";
                for (unsigned i = 0; i < warp_lanes; ++i)
                    ASSERT_EQ(bench[0][i], by_number ? texel_at(place(i).x, place(i).y, 0, 1) : expected(each, i)) << i;
            }
}

/// As NAK writes them: the layer, then the coordinates, cut in two pairs.
TEST(texture, ISA_05_scalar_sources_are_cut_in_pairs)
{
    const request requests[] = {
        {"TEX", ".SCR.LZ", "1D", {"X", ""}, image_1d, 0, 0, 0, false},
        {"TEX", ".SCR.LZ", "2D", {"X", "Y"}, image_2d},
        {"TEX", ".SCR.LZ", "3D", {"X Y", "Z"}, image_3d, 0, 0, 0, true, true},
        {"TEX", ".SCR.LZ", "ARRAY_1D", {"L", "X"}, array_1d, 0, 0, 0, false, true},
        {"TEX", ".SCR.LZ", "ARRAY_2D", {"L X", "Y"}, array_2d, 0, 0, 0, true, true},
        {"TLD", ".SCR.LZ", "ARRAY_2D", {"L IX", "IY"}, array_2d, 0, 0, 0, true, true},
    };
    for (const request& each : requests) {
        const std::string text = text_of(each, architecture::sm75, false, "0x1");
        SCOPED_TRACE(text);
        texture_lab bench = prepared(text, architecture::sm75, each.from, handle_of(each.header));
        for (unsigned i = 0; i < warp_lanes; ++i) ASSERT_EQ(bench[0][i], expected(each, i)) << i;
    }
    texture_lab cube = prepared("TEX.SCR.LZ R2, R0, R4, R12, 0xf, 0x5, ARRAY_CUBE, 0x1;", architecture::sm75,
                                {"C x0", "y0 z0"}, handle_of(array_cube));
    for (unsigned i = 0; i < 6; ++i) EXPECT_EQ(cube[0][i] >> 16, 6 + i);
}

/// The OpenGL specification's faces: +x, -x, +y, -y, +z, -z.
TEST(texture, ISA_05_cubes_take_three_coordinates)
{
    const auto faces = [](const std::string& text, const sources& registers, image header) {
        texture_lab bench = prepared(text, architecture::sm50, registers, handle_of(header));
        std::array<word, 6> found{};
        for (unsigned i = 0; i < 6; ++i) found[i] = bench[0][i] >> 16;
        return found;
    };
    using six = std::array<word, 6>;
    const six all = {0, 1, 2, 3, 4, 5}, level_1 = {0x100, 0x101, 0x102, 0x103, 0x104, 0x105};
    EXPECT_EQ(faces("TEX.LZ R0, R4, 0x5, CUBE, 0x1;", {"x0 y0 z0", ""}, image_cube), all);
    EXPECT_EQ(faces("TEX.LL R0, R4, R12, 0x5, CUBE, 0x1;", {"x0 y0 z0", "V"}, image_cube), level_1);
    EXPECT_EQ(faces("TEXS RZ, R0, R4, R12, 0x5, CUBE, R;", {"x0 y0", "z0"}, image_cube), all);
    EXPECT_EQ(faces("TEXS.LL RZ, R0, R4, R12, 0x5, CUBE, R;", {"x0 y0", "z0 V"}, image_cube), level_1);
    EXPECT_EQ(faces("TEX.LZ R0, R4, 0x5, ARRAY_CUBE, 0x1;", {"C x0 y0 z0", ""}, array_cube), (six{6, 7, 8, 9, 10, 11}));
}

TEST(texture, ISA_05_a_mask_packs_its_components)
{
    const word number_one = 1, float_one = to_bits(1.0F);
    const auto results = [&](architecture arch, const char* mask) {
        const request each = {"TEX", ".LZ", "2D", {"X Y", ""}, image_2d};
        texture_lab bench = prepared(text_of(each, arch, false, mask), arch, each.from, handle_of(image_2d));
        return std::array<word, 4>{bench[0][3], bench[1][3], bench[2][3], bench[3][3]};
    };
    const word red = texel_at(place(3).x, place(3).y, 0, 0);
    using four = std::array<word, 4>;
    for (const architecture arch : {architecture::sm50, architecture::sm75}) {
        EXPECT_EQ(results(arch, "0xf"), (four{red, number_one, red, float_one}));
        EXPECT_EQ(results(arch, "0x1"), (four{red, 0, 0, 0}));
        EXPECT_EQ(results(arch, "0xa"), (four{number_one, float_one, 0, 0}));
        EXPECT_EQ(results(arch, "0xd"), (four{red, red, float_one, 0}));
    }
}

TEST(texture, ISA_05_comparisons_take_their_reference_last)
{
    for (const architecture arch : {architecture::sm50, architecture::sm75})
        for (const bool bindless : {false, true}) {
            const request each = {"TEX", ".LL.AOFFI.DC", "2D", {"X Y", "V O D"}, depth_image};
            const std::string second = bindless ? "H V O D" : "V O D";
            texture_lab bench = prepared(text_of(each, arch, bindless, "0x1"), arch, {"X Y", second.c_str()},
                                         handle_of(depth_image, comparing));
            for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[0][i], to_bits(depth_passes(i) ? 1.0F : 0.0F));
            for (const auto& [modifiers, names] : {std::pair{".DC", "D"}, std::pair{".AOFFI.DC", "G D"}}) {
                const request gather = {"TLD4.R", modifiers, "2D", {"x y", names}, depth_image};
                const std::string with_handle = bindless ? "H " + std::string(names) : names;
                texture_lab four = prepared(text_of(gather, arch, bindless, "0xf"), arch, {"x y", with_handle.c_str()},
                                            handle_of(depth_image, comparing));
                for (unsigned i = 0; i < warp_lanes; ++i)
                    for (unsigned k = 0; k < 4; ++k)
                        EXPECT_EQ(four[k][i], to_bits(depth_passes(i) ? 1.0F : 0.0F)) << modifiers << " lane " << i;
            }
        }
}

TEST(texture, ISA_05_gathers_and_their_offsets)
{
    using four = std::array<word, 4>;
    const auto gathered = [](const std::string& modifiers, const char* names, architecture arch) {
        const request each = {"TLD4", modifiers, "2D", {"x y", names}, image_2d};
        texture_lab bench = prepared(text_of(each, arch, false, "0xf"), arch, each.from, handle_of(image_2d));
        return four{bench[0][9], bench[1][9], bench[2][9], bench[3][9]};
    };
    const place at(9);
    const auto texel = [&](unsigned dx, unsigned dy) { return texel_at(at.x + dx, at.y + dy, 0, 0); };
    for (const architecture arch : {architecture::sm50, architecture::sm75}) {
        EXPECT_EQ(gathered(".R", "", arch), (four{texel(0, 1), texel(1, 1), texel(1, 0), texel(0, 0)}));
        EXPECT_EQ(gathered(".G", "", arch), (four{1, 1, 1, 1})); // the number one stands there
        EXPECT_EQ(gathered(".R.AOFFI", "G", arch),
                  (four{texel(minus_one, 3), texel(0, 3), texel(0, 2), texel(minus_one, 2)}));
        // Layers precede the coordinates.
        const request layers = {"TLD4", ".R", "ARRAY_2D", {"L x y", ""}, array_2d};
        texture_lab bench = prepared(text_of(layers, arch, false, "0xf"), arch, layers.from, handle_of(array_2d));
        EXPECT_EQ(bench[3][9], texel_at(at.x, at.y, at.layer, 0));
        // Each offset moves the texel i0, j0 for one result.
        EXPECT_EQ(gathered(".R.PTP", "G0 G1", arch), (four{texel(0, 0), texel(0, 1), texel(0, 2), texel(1, 0)}));
    }
}

TEST(texture, ISA_05_short_forms_split_their_sources_in_pairs)
{
    // The whole text stands for the name.
    const request cases[] = {
        {"TEXS.LZ RZ, R0, R4, 0x5, 1D, R", "", "", {"X", ""}, image_1d, 0, 0, 0, false},
        {"TEXS RZ, R0, R4, R12, 0x5, 2D, R", "", "", {"X", "Y"}, image_2d},
        {"TEXS.LZ RZ, R0, R4, R12, 0x5, 2D, R", "", "", {"X", "Y"}, image_2d},
        {"TEXS.LL RZ, R0, R4, R12, 0x5, 2D, R", "", "", {"X Y", "V"}, image_2d, 0, 0, 1},
        {"TEXS RZ, R0, R4, R12, 0x5, ARRAY_2D, R", "", "", {"L X", "Y"}, array_2d, 0, 0, 0, true, true},
        {"TEXS.LZ RZ, R0, R4, R12, 0x5, ARRAY_2D, R", "", "", {"L X", "Y"}, array_2d, 0, 0, 0, true, true},
        {"TEXS RZ, R0, R4, R12, 0x5, 3D, R", "", "", {"X Y", "Z"}, image_3d, 0, 0, 0, true, true},
        {"TEXS.LZ RZ, R0, R4, R12, 0x5, 3D, R", "", "", {"X Y", "Z"}, image_3d, 0, 0, 0, true, true},
        {"TLDS.LZ RZ, R0, R4, 0x5, 1D, R", "", "", {"IX", ""}, image_1d, 0, 0, 0, false},
        {"TLDS.LZ RZ, R0, R4, R12, 0x5, 2D, R", "", "", {"IX", "IY"}, image_2d},
        {"TLDS.LZ.AOFFI RZ, R0, R4, R12, 0x5, 2D, R", "", "", {"IX IY", "O"}, image_2d, minus_one, 2, 0},
        {"TLDS.LZ.MS RZ, R0, R4, R12, 0x5, 2D, R", "", "", {"IX IY", "0"}, image_2d},
        {"TLDS.LZ RZ, R0, R4, R12, 0x5, 3D, R", "", "", {"IX IY", "IZ"}, image_3d, 0, 0, 0, true, true},
        {"TLDS.LZ RZ, R0, R4, R12, 0x5, ARRAY_2D, R", "", "", {"L", "IX IY"}, array_2d, 0, 0, 0, true, true},
    };
    for (const auto& each : cases) {
        texture_lab bench = prepared(each.name + ";", architecture::sm50, each.from, handle_of(each.header));
        for (unsigned i = 0; i < warp_lanes; ++i) ASSERT_EQ(bench[0][i], expected(each, i)) << each.name;
    }
    for (const auto& [text, from] : {std::pair{"TEXS.DC RZ, R0, R4, R12, 0x5, 2D, R;", sources{"X Y", "D"}},
                                     std::pair{"TEXS.LZ.DC RZ, R0, R4, R12, 0x5, 2D, R;", sources{"X Y", "D"}},
                                     std::pair{"TEXS.LL.DC RZ, R0, R4, R12, 0x5, 2D, R;", sources{"X Y", "V D"}}})
        for (const unsigned lane : {0U, 1U})
            EXPECT_EQ(prepared(text, architecture::sm50, from, handle_of(depth_image, comparing))[0][lane],
                      to_bits(depth_passes(lane) ? 1.0F : 0.0F))
                << text;
    // The level counts from the smaller image: x and y below 8 and 4.
    for (const auto& [text, from] : {std::pair{"TLDS.LL RZ, R0, R4, R12, 0x5, 2D, R;", sources{"IX IY", "IV"}},
                                     std::pair{"TLDS.LL RZ, R0, R4, R12, 0x5, 1D, R;", sources{"IX", "IV"}}}) {
        const bool flat = std::string(text).find("1D") != std::string::npos;
        EXPECT_EQ(prepared(text, architecture::sm50, from, handle_of(flat ? image_1d : image_2d))[0][1],
                  texel_at(place(1).x, flat ? 0 : place(1).y, 0, 1));
    }
    EXPECT_EQ(prepared("TLDS.LL.AOFFI RZ, R0, R4, R12, 0x5, 2D, R;", architecture::sm50, {"IX IY", "IV O"},
                       handle_of(image_2d))[0][0],
              texel_at(place(0).x - 1, place(0).y + 2, 0, 1));
}

TEST(texture, ISA_05_short_forms_spread_their_results)
{
    struct selection {
        const char* second;
        const char* texels;
        std::array<word, 4> found; ///< R0, R1, R16, R17; red is 9 here
    };
    constexpr word red = 9;
    const word one = to_bits(1.0F);
    const selection selections[] = {
        {"RZ", "R", {red, 0, 0, 0}},        {"RZ", "G", {1, 0, 0, 0}},          {"RZ", "B", {red, 0, 0, 0}},
        {"RZ", "A", {one, 0, 0, 0}},        {"RZ", "RG", {red, 1, 0, 0}},       {"RZ", "RA", {red, one, 0, 0}},
        {"RZ", "GA", {1, one, 0, 0}},       {"RZ", "BA", {red, one, 0, 0}},     {"R16", "RGB", {red, 1, red, 0}},
        {"R16", "RGA", {red, 1, one, 0}},   {"R16", "RBA", {red, red, one, 0}}, {"R16", "GBA", {1, red, one, 0}},
        {"R16", "RGBA", {red, 1, red, one}}};
    for (const auto& each : selections) {
        const std::string text = std::string("TEXS.LZ ") + each.second + ", R0, R4, R12, 0x5, 2D, " + each.texels + ";";
        texture_lab bench(text);
        bench.set_handle(handle_of(image_2d));
        bench.texel(image_2d, place(0).x, place(0).y, 0) = red;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            bench[4][i] = argument("X", 0, 0);
            bench[12][i] = argument("Y", 0, 0);
        }
        bench.run();
        EXPECT_EQ((std::array<word, 4>{bench[0][5], bench[1][5], bench[16][5], bench[17][5]}), each.found) << text;
    }
    // TLD4S: without a second destination two of the four, no shape but two coordinates.
    const place at(6);
    texture_lab all_four =
        prepared("TLD4S.R R16, R0, R4, R12, 0x5;", architecture::sm50, {"x", "y"}, handle_of(image_2d));
    EXPECT_EQ(all_four[0][6], texel_at(at.x, at.y + 1, 0, 0));
    EXPECT_EQ(all_four[1][6], texel_at(at.x + 1, at.y + 1, 0, 0));
    EXPECT_EQ(all_four[16][6], texel_at(at.x + 1, at.y, 0, 0));
    EXPECT_EQ(all_four[17][6], texel_at(at.x, at.y, 0, 0));
    texture_lab half =
        prepared("TLD4S.R.AOFFI RZ, R0, R4, R12, 0x5;", architecture::sm50, {"x y", "G"}, handle_of(image_2d));
    EXPECT_EQ(half.values(0, 3, 6),
              (word_list{texel_at(at.x - 1, at.y + 3, 0, 0), texel_at(at.x, at.y + 3, 0, 0), 0U}));
}

TEST(texture, ISA_05_queries)
{
    using four = std::array<word, 4>;
    for (const architecture arch : {architecture::sm50, architecture::sm75})
        for (const bool bindless : {false, true}) {
            const bool old = arch == architecture::sm50;
            const std::string text = std::string("TXQ") + (bindless ? ".B " : " ") + (old ? "" : "R2, ") +
                                     "R0, R4, TEX_HEADER_DIMENSION" +
                                     (old ? (bindless ? ", 0x0" : ", 0x5") : (bindless ? "" : ", 0xf, 0x5")) + ", 0xf;";
            texture_lab bench = prepared(text, arch, {bindless ? "H IV" : "IV", ""}, handle_of(array_2d));
            EXPECT_EQ((four{bench[0][0], bench[1][0], bench[2][0], bench[3][0]}),
                      (four{image_width / 2, image_height / 2, image_layers, image_levels}))
                << text;
        }
    texture_lab type = prepared("TXQ.B R0, R4, TEX_HEADER_TEXTURE_TYPE, 0x0, 0x4;", architecture::sm50, {"H", ""},
                                handle_of(sample_image));
    EXPECT_EQ(type[0][0], 2U); // samples
    for (const architecture arch : {architecture::sm50, architecture::sm75}) {
        // nouveau's nvc0_context.c: of two samples at 4 and 12 sixteenths of the pixel.
        texture_lab place = prepared(arch == architecture::sm50 ? "TXQ.B R0, R4, TEX_HEADER_SAMPLER_POS, 0x0, 0xf;"
                                                                : "TXQ.B R2, R0, R4, TEX_HEADER_SAMPLER_POS, 0xf;",
                                     arch, {"H S", ""}, handle_of(sample_image));
        for (unsigned i = 0; i < warp_lanes; ++i)
            EXPECT_EQ((four{place[0][i], place[1][i], place[2][i], place[3][i]}),
                      (four{to_bits(i % 2 == 0 ? 0.25F : 0.75F), to_bits(i % 2 == 0 ? 0.25F : 0.75F), 0, 0}));
        texture_lab level = prepared(arch == architecture::sm50 ? "TMML.LOD R0, R4, 0x5, 2D, 0xf;"
                                                                : "TMML.LOD R2, R0, R4, 0xf, 0x5, 2D, 0xf;",
                                     arch, {"X Y", ""}, handle_of(image_2d));
        EXPECT_EQ((four{level[0][0], level[1][0], level[2][0], level[3][0]}), (four{0, 0, 0, 0})); // the base
    }
}

TEST(texture, ISA_05_sources_are_as_many_registers_as_are_read)
{
    const auto reads = [](const std::string& text, architecture arch = architecture::sm50) {
        const program code = assemble(text + " EXIT;", arch);
        std::array<unsigned, 2> counts{};
        for (const auto& range : code.code[0].issue.reads)
            if (range.count != 0) counts[range.first == 4 ? 0 : 1] = range.count;
        return counts;
    };
    using two = std::array<unsigned, 2>;
    EXPECT_EQ(reads("TEX.LZ R0, R4, 0x5, 2D, 0x1;"), (two{2, 0}));
    EXPECT_EQ(reads("TEX.B.LL.AOFFI.DC R0, R4, R12, 0x0, ARRAY_2D, 0x1;"), (two{3, 4}));
    EXPECT_EQ(reads("TXD.B R0, R4, R12, 0x0, ARRAY_2D, 0x1;"), (two{4, 4}));
    EXPECT_EQ(reads("TEXS.LL.DC RZ, R0, R4, R12, 0x5, 2D, R;"), (two{2, 2}));
    EXPECT_EQ(reads("TLDS.LZ RZ, R0, R4, R12, 0x5, ARRAY_2D, R;"), (two{1, 2}));
    EXPECT_EQ(reads("TLD4.R.PTP R0, R4, R12, 0x5, 2D, 0xf;"), (two{2, 2}));
    EXPECT_EQ(reads("TXQ.B R0, R4, TEX_HEADER_DIMENSION, 0x0, 0x1;"), (two{2, 0}));
    EXPECT_EQ(reads("TXQ.B R0, R4, TEX_HEADER_SAMPLER_POS, 0x0, 0x1;"), (two{2, 0}));
    EXPECT_EQ(reads("TXQ.B R0, R4, TEX_HEADER_TEXTURE_TYPE, 0x0, 0x1;"), (two{1, 0}));
    EXPECT_EQ(reads("TXQ R0, R4, TEX_HEADER_TEXTURE_TYPE, 0x5, 0x1;"), (two{0, 0}));
    EXPECT_EQ(reads("TXQ.B R2, R0, R4, TEX_HEADER_TEXTURE_TYPE, 0xf;", architecture::sm75), (two{1, 0}));
    EXPECT_EQ(reads("SUST.P.2D_ARRAY.IGN [R4], R12, 0x5;"), (two{3, 4}));
    EXPECT_EQ(reads("TEX.B.LZ R2, R0, R4, R12, 3D, 0xf;", architecture::sm75), (two{3, 1}));
}

} // namespace
} // namespace isbesim::isa
