// SPDX-License-Identifier: Apache-2.0
// Textures lane by lane: offsets, samples, quads, lanes that take no part, registers at the end of the file, and what
// is refused.
#include <cmath>

#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "tests/isa/some_lanes.h"
#include "tests/isa/texture_arguments.h"
#include "tests/support/error_text.h"

namespace isbesim::isa {
namespace {

TEST(texture_rules, ISA_05_offsets_have_four_signed_bits_a_coordinate)
{
    const auto signed_four = [](unsigned number) { return static_cast<int>(number % 16) - 8; };
    for (const char* text : {"TLD.LZ.AOFFI R0, R4, R12, 0x5, 3D, 0x1;", "TEX.LZ.AOFFI R0, R4, R12, 0x5, 3D, 0x1;"}) {
        const bool by_number = text[1] == 'L';
        texture_lab bench(text);
        bench.set_handle(handle_of(image_3d));
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const unsigned from[] = {8, 4, 6}, sizes[] = {image_width, image_height, image_layers};
            for (unsigned c = 0; c < 3; ++c)
                bench[4 + c][i] =
                    by_number ? from[c] : to_bits((static_cast<float>(from[c]) + 0.5F) / static_cast<float>(sizes[c]));
            bench[12][i] = 0;
            for (unsigned c = 0; c < 3; ++c)
                bench[12][i] |= (static_cast<word>(signed_four(i * (2 * c + 1) + c)) & 15U) << (4 * c);
        }
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            int at[] = {8 + signed_four(i), 4 + signed_four(3 * i + 1), 6 + signed_four(5 * i + 2)};
            const int last[] = {image_width - 1, image_height - 1, image_layers - 1};
            bool inside = true;
            for (unsigned c = 0; c < 3; ++c) {
                inside = inside && at[c] >= 0 && at[c] <= last[c];
                at[c] = at[c] < 0 ? 0 : at[c] > last[c] ? last[c] : at[c]; // the sampler clamps to the edge
            }
            const word texel =
                texel_at(static_cast<unsigned>(at[0]), static_cast<unsigned>(at[1]), static_cast<unsigned>(at[2]), 0);
            EXPECT_EQ(bench[0][i], inside || !by_number ? texel : 0U) << text << " lane " << i;
        }
    }
}

TEST(texture_rules, ISA_05_samples_of_a_pixel)
{
    for (const auto& [text, arch, from] :
         {std::tuple{"TLD.LZ.MS R0, R4, R12, 0x5, 2D, 0x1;", architecture::sm50, sources{"IX IY", "S"}},
          std::tuple{"TLD.B.LZ.MS R2, R0, R4, R12, 2D, 0x1;", architecture::sm75, sources{"IX IY", "H S"}},
          std::tuple{"TLDS.LZ.MS RZ, R0, R4, R12, 0x5, 2D, R;", architecture::sm50, sources{"IX IY", "S"}}}) {
        texture_lab bench = prepared(text, arch, from, handle_of(sample_image));
        for (unsigned i = 0; i < warp_lanes; ++i)
            EXPECT_EQ(bench[0][i], texel_at(2 * place(i).x + i % 2, place(i).y, 0, 0)) << text;
    }
}

TEST(texture_rules, ISA_05_quads_have_derivatives_with_ndv_only)
{
    // Neighbours in x lie two texels apart: level 1 where quads count.
    const auto level_seen = [](const std::string& modifiers, lane_mask lanes) {
        texture_lab bench("TEX" + modifiers + " R0, R4, 0x5, 2D, 0x1;", architecture::sm50, lanes);
        bench.set_handle(handle_of(image_2d));
        for (unsigned i = 0; i < warp_lanes; ++i) {
            bench[4][i] = to_bits((static_cast<float>(2 * (i & 1U)) + 4.5F) / image_width);
            bench[5][i] = to_bits((static_cast<float>(i & 2U) + 4.5F) / image_height);
        }
        bench.run();
        return bench[0][0] >> 24;
    };
    EXPECT_EQ(level_seen("", all_lanes), 0U);
    EXPECT_EQ(level_seen(".NDV", all_lanes), 1U);
    EXPECT_EQ(level_seen(".NDV", 0x1), 0U); // alone in its quad
}

/// Of a level that TMML gives: 256ths.
int expected_level(double rho)
{
    return std::max(static_cast<int>(std::lround(256 * std::max(std::log2(rho), -200.0))), -0x8000);
}

TEST(texture_rules, ISA_05_differences_of_a_quad)
{
    // Every difference of two neighbours is another one; those with a lane that takes no part are 0.
    const unsigned sizes[] = {image_width, image_height, image_layers};
    for (const auto& [coordinates, old] :
         {std::pair{1U, true}, std::pair{2U, true}, std::pair{3U, true}, std::pair{2U, false}}) {
        texture_lab bench((old ? "@P0 TMML.LOD.NDV R0, R4, 0x5, " : "@P0 TMML.LOD.NDV R2, R0, R4, 0xf, 0x5, ") +
                              std::to_string(coordinates) + "D, 0xf;",
                          old ? architecture::sm50 : architecture::sm75);
        const image headers[] = {image_1d, image_2d, image_3d};
        bench.set_handle(handle_of(headers[coordinates - 1]));
        std::mt19937 random{coordinates};
        for (unsigned c = 0; c < coordinates; ++c)
            for (auto& each : bench[4 + c]) each = to_bits(static_cast<float>(random() % 4096) / 1024);
        bench.warp.predicates[0] = some;
        for (unsigned k = 0; k < 4; ++k) bench.fill(k, 77);
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            if (!in_some(i)) {
                EXPECT_EQ(bench[0][i], 77U);
                continue;
            }
            double rho = 0;
            for (const unsigned step : {1U, 2U}) {
                const unsigned neighbour = i ^ step;
                double squares = 0;
                for (unsigned c = 0; c < coordinates && in_some(neighbour); ++c) {
                    const double from = to_float(bench[4 + c][i]), to = to_float(bench[4 + c][neighbour]);
                    const double moved = sizes[c] * (to - from);
                    squares += moved * moved;
                }
                rho = std::max(rho, std::sqrt(squares));
            }
            const int level = expected_level(rho);
            EXPECT_NEAR(static_cast<std::int32_t>(bench[0][i]), level, 1) << coordinates << "D, lane " << i;
            EXPECT_EQ(bench[1][i], level > 128 ? 256U : 0U); // the nearest of two
            EXPECT_EQ(bench[2][i] | bench[3][i], 0U);
        }
    }
}

TEST(texture_rules, ISA_05_lanes_that_take_no_part)
{
    // Their handles name no header, and their registers stay.
    for (const std::string text :
         {"TEX.B.LZ R0, R4, R12, 0x0, 2D, 0x1;", "TLD.B.LZ R0, R4, R12, 0x0, 2D, 0x1;",
          "TLD4.R.B R0, R4, R12, 0x0, 2D, 0x1;", "TMML.B.LOD R0, R4, R12, 0x0, 2D, 0x1;",
          "TXD.B R0, R12, R14, 0x0, 2D, 0x1;", "TXQ.B R0, R12, TEX_HEADER_DIMENSION, 0x0, 0x1;"}) {
        texture_lab bench("@P0 " + text);
        for (unsigned i = 0; i < warp_lanes; ++i) bench[12][i] = in_some(i) ? handle_of(image_2d) : 0xfffffU;
        bench.fill(0, 77);
        bench.warp.predicates[0] = some;
        ASSERT_NO_THROW(bench.run()) << text;
        for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[0][i] == 77U, !in_some(i)) << text;
    }
}

TEST(texture_rules, ISA_05_the_predicate_of_sparse_textures_is_cleared)
{
    for (const std::string text :
         {"TEX.LZ P1, R2, R0, R4, 0xf, 0x5, 2D, 0x1;", "TLD.LZ P1, R2, R0, R4, 0xf, 0x5, 2D, 0x1;",
          "TLD4.R P1, R2, R0, R4, 0xf, 0x5, 2D, 0x1;", "TXD P1, R2, R0, R4, R12, 0xf, 0x5, 2D, 0x1;"}) {
        texture_lab bench("@P0 " + text, architecture::sm75);
        bench.set_handle(handle_of(image_2d));
        for (unsigned p = 1; p < 7; ++p) bench.warp.predicates[p] = all_lanes;
        bench.warp.predicates[0] = some;
        bench.run();
        for (unsigned p = 1; p < 7; ++p) EXPECT_EQ(bench.warp.predicates[p], p == 1 ? ~some : all_lanes) << text;
    }
}

TEST(texture_rules, ISA_05_sources_at_the_end_of_the_registers)
{
    // The last source is R63, behind which the program has no register; RZ is 0 for all values of its group.
    const auto of_place = [](const std::string& text) {
        texture_lab bench(text);
        bench.set_handle(handle_of(image_2d));
        for (unsigned r = 60; r < 64; ++r) bench.fill(r, 0);
        bench.run();
        return bench[0][0];
    };
    EXPECT_EQ(of_place("TEX.LZ R0, R62, 0x5, 2D, 0x1;"), texel_at(0, 0, 0, 0));
    EXPECT_EQ(of_place("TEX.LL R0, R4, R63, 0x5, 2D, 0x1;"), texel_at(0, 0, 0, 0));
    EXPECT_EQ(of_place("TLD.LL.AOFFI R0, R4, R62, 0x5, 2D, 0x1;"), texel_at(0, 0, 0, 0));
    EXPECT_EQ(of_place("TXD R0, R4, R60, 0x5, 2D, 0x1;"), texel_at(0, 0, 0, 0));
    EXPECT_EQ(of_place("TLD4.R.AOFFI R0, R4, R63, 0x5, 2D, 0x8;"), texel_at(0, 0, 0, 0));
    EXPECT_EQ(of_place("TXD R0, RZ, RZ, 0x5, 2D, 0x1;"), texel_at(0, 0, 0, 0));
    EXPECT_EQ(of_place("TEX.LL.AOFFI R0, RZ, RZ, 0x5, 2D, 0x1;"), texel_at(0, 0, 0, 0));
}

TEST(texture_rules, ISA_05_textures_without_memory_trap)
{
    for (const std::string text : {"TEX.B.LZ R0, R4, R12, 0x0, 2D, 0x1;", "TLD.B.LZ R0, R4, R12, 0x0, 2D, 0x1;",
                                   "TLD4.R.B R0, R4, R12, 0x0, 2D, 0x1;"}) {
        texture_lab bench(text);
        bench.fill(12, handle_of(image_2d));
        bench[12][31] = handle_of(lost_image);
        bench.fill(0, 77);
        bench.run();
        EXPECT_EQ(bench.last.kind, step_kind::trap) << text;
        EXPECT_EQ(bench.last.trap, 0x0e) << text;
        for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[0][i], 77U) << text;
    }
}

TEST(texture_rules, ISA_05_refusal_states_reason)
{
    const auto refusal = [](const std::string& text, word handle, bool with_unit = true) {
        texture_lab bench(text);
        bench.set_handle(handle);
        if (!with_unit) bench.warp.textures = nullptr;
        return error_text<execution_error>([&] { bench.run(); });
    };
    const std::string sample = "TEX.LZ R0, R4, 0x5, 2D, 0x1;";
    EXPECT_NE(refusal(sample, 0, false).find("needs textures, and the draw has none"), std::string::npos);
    EXPECT_NE(refusal(sample, 100).find("TEX cannot be carried out"), std::string::npos);
    EXPECT_NE(refusal(sample, handle_of(image_2d) | 50U << 20).find("cannot be carried out"), std::string::npos);
    EXPECT_EQ(refusal(sample, handle_of(image_2d)), "");
    EXPECT_NE(refusal("TEX.LBA R0, R4, R12, 0x5, 2D, 0x1;", 1).find("only fragment programs"), std::string::npos);
    EXPECT_NE(refusal("TXQ R0, R4, TEX_SAMPLER_WRAP, 0x5, 0x1;", 1).find("sampler's state"), std::string::npos);
    EXPECT_NE(refusal("TEX.LZ R0, R4, 0x5, ARRAY_3D, 0x1;", 1).find("three-dimensional array"), std::string::npos);
    EXPECT_NE(refusal("TLD.LZ.CL R0, R4, 0x5, 2D, 0x1;", 1).find("clamps its coordinates"), std::string::npos);
    for (const std::string form : {"LL", "LZ.AOFFI"}) {
        texture_lab scalar("TEX.SCR." + form + " R2, R0, R4, R12, 0xf, 0x5, 2D, 0x1;", architecture::sm75);
        EXPECT_THROW(scalar.run(), execution_error) << form;
    }
    // The fourth number that has no name.
    program query = assemble("TXQ.B R2, R0, R4, TEX_HEADER_DIMENSION, 0xf; EXIT;", architecture::sm75);
    auto bytes = encode_program(query);
    bytes[7] |= 0xc0;
    texture_lab fourth("NOP;", architecture::sm75);
    fourth.code = decode_program(bytes, architecture::sm75);
    fourth.code.register_count = 64;
    fourth.warp.launch(fourth.code, all_lanes, 0);
    fourth.fill(4, handle_of(image_2d));
    EXPECT_THROW(fourth.run(), execution_error);
}

} // namespace
} // namespace isbesim::isa
