// SPDX-License-Identifier: Apache-2.0
// Images that programs write and change: texels, bytes, atomics in the order of lanes.
#include <gtest/gtest.h>

#include "tests/isa/texture_lab.h"

namespace isbesim::isa {
namespace {

/// R4: x, R5: y or the layer of a row, R6: layer or z, R8: the handle.
texture_lab with_places(const std::string& text, image header, architecture arch = architecture::sm50,
                        lane_mask lanes = all_lanes)
{
    texture_lab bench(text, arch, lanes);
    for (unsigned i = 0; i < warp_lanes; ++i) {
        bench[4][i] = i % image_width;
        bench[5][i] = i / image_width + 1;
        bench[6][i] = i % 3 + 1;
        for (unsigned k = 0; k < 4; ++k) bench[12 + k][i] = 0x1000 * (k + 1) + i;
    }
    bench.fill(8, handle_of(header));
    return bench;
}

TEST(surface, ISA_05_stores_of_texels_and_bytes)
{
    texture_lab texels = with_places("SUST.P.2D.IGN [R4], R12, R8;", image_2d);
    texels.run();
    EXPECT_EQ(texels.texel(image_2d, 7, 1, 0), 0x1007U);
    EXPECT_EQ(texels.texel(image_2d, 7, 2, 0), 0x1000U + 16 + 7);
    EXPECT_EQ(texels.texel(image_2d, 7, 3, 0), texel_at(7, 3, 0, 0)); // no lane

    texture_lab bytes = with_places("SUST.D.2D.IGN [R4], R12, R8;", image_2d);
    bytes.run();
    EXPECT_EQ(bytes.texel(image_2d, 7, 2, 0), 0x1000U + 16 + 7);

    // Coordinates in bytes: lanes 0 to 3 reach the bytes of texel 0.
    texture_lab narrow = with_places("SUST.D.BA.2D.U8.IGN [R4], R12, R8;", image_2d, architecture::sm50, 0xf);
    narrow.run();
    EXPECT_EQ(narrow.texel(image_2d, 0, 1, 0), 0x03020100U);
    EXPECT_EQ(narrow.texel(image_2d, 1, 1, 0), texel_at(1, 1, 0, 0));
}

/// All lanes at texel 0, 0 of a layer; R12 holds the lane's number plus 1.
texture_lab atomics(const std::string& text, architecture arch = architecture::sm50)
{
    texture_lab bench(text, arch);
    for (unsigned i = 0; i < warp_lanes; ++i) bench[12][i] = i + 1;
    bench.fill(8, handle_of(image_2d));
    bench.texel(image_2d, 0, 0, 0) = 100;
    bench.run();
    return bench;
}

TEST(surface, ISA_05_atomics_see_the_lanes_in_order)
{
    for (const architecture arch : {architecture::sm50, architecture::sm75}) {
        const std::string scope = arch == architecture::sm75 ? ".CTA" : "";
        texture_lab sum = atomics("SUATOM.D.2D.ADD" + scope + ".IGN R0, [R4], R12, R8;", arch);
        EXPECT_EQ(sum.texel(image_2d, 0, 0, 0), 100 + 32U * 33 / 2);
        for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(sum[0][i], 100 + i * (i + 1) / 2) << i;
        texture_lab last = atomics("SUATOM.D.2D.EXCH" + scope + ".IGN R0, [R4], R12, R8;", arch);
        EXPECT_EQ(last.texel(image_2d, 0, 0, 0), 32U);
        EXPECT_EQ(last[0][31], 31U);
    }
    EXPECT_EQ(atomics("SUATOM.P.2D.XOR.IGN R0, [R4], R12, R8;").texel(image_2d, 0, 0, 0), 100U ^ 32U); // 1 ^ ... ^ 32
    EXPECT_EQ(atomics("SUATOM.D.2D.MIN.S32.IGN R0, [R4], R12, R8;").texel(image_2d, 0, 0, 0), 1U);
    EXPECT_EQ(atomics("SUATOM.D.2D.MAX.IGN R0, [R4], R12, R8;").texel(image_2d, 0, 0, 0), 100U);
    // 100 becomes 7 for the lane that expects it; then 7 becomes 8.
    texture_lab swap("SUATOM.D.2D.CAS.IGN R0, [R4], R12, R8;");
    swap.fill(8, handle_of(image_2d));
    swap.texel(image_2d, 0, 0, 0) = 100;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        swap[12][i] = i == 3 ? 100 : i == 9 ? 7 : 55;
        swap[13][i] = i == 3 ? 7 : 8;
    }
    swap.run();
    EXPECT_EQ(swap.texel(image_2d, 0, 0, 0), 8U);
    EXPECT_EQ(swap[0][3], 100U);
    EXPECT_EQ(swap[0][4], 7U);
    EXPECT_EQ(swap[0][10], 8U);
}

} // namespace
} // namespace isbesim::isa
