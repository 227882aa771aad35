// SPDX-License-Identifier: Apache-2.0
// Textures lane by lane: offsets, samples, differences of quads; the rest is cases/textures.txt.
#include <cmath>

#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "tests/isa/lab.h"
#include "tests/isa/texture_arguments.h"

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
            const unsigned registers[] = {8, 4, 6}, sizes[] = {image_width, image_height, image_layers};
            for (unsigned c = 0; c < 3; ++c)
                bench[4 + c][i] =
                    by_number ? registers[c]
                              : to_bits((static_cast<float>(registers[c]) + 0.5F) / static_cast<float>(sizes[c]));
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

/// The level that TMML gives, in 256ths.
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
                    const double own = to_float(bench[4 + c][i]), to = to_float(bench[4 + c][neighbour]);
                    const double moved = sizes[c] * (to - own);
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

TEST(texture_rules, ISA_05_fourth_number_of_a_query_is_refused)
{
    // Its bits have no name in text.
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
