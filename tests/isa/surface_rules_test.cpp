// SPDX-License-Identifier: Apache-2.0
// Surfaces lane by lane: every size, mask and type, and the ends of images in every coordinate. Lanes that take no part
// have handles that no instruction could use.
#include <gtest/gtest.h>

#include "tests/isa/access_size.h"
#include "tests/isa/lab.h"
#include "tests/isa/texture_lab.h"
#include "tests/support/repetitions.h"

namespace isbesim::isa {
namespace {

constexpr word no_handle = 0xfffff;

/// The suffix of the name on SM75 only.
std::string scope_of(architecture arch)
{
    return arch == architecture::sm75 ? ".CTA" : "";
}

/// Lane i at texel i % 4, i / 4 of `wide_image`: R4 and R5. R8 has the handle, R12 to R27 numbers.
struct wide_lab : texture_lab {
    explicit wide_lab(const std::string& text, architecture arch = architecture::sm50) : texture_lab(text, arch)
    {
        std::mt19937 random{3};
        for (unsigned r = 12; r < 28; ++r) (*this)[r] = awkward_words(random);
        for (unsigned i = 0; i < warp_lanes; ++i) {
            (*this)[4][i] = i % wide_columns;
            (*this)[5][i] = i / wide_columns;
            (*this)[8][i] = in_some(i) ? handle_of(wide_image) : no_handle;
        }
        warp.predicates[0] = some;
    }
    /// A row of the image.
    std::vector<std::uint8_t> row(unsigned y)
    {
        std::vector<std::uint8_t> bytes;
        for (unsigned k = 0; k < 4 * wide_columns; ++k)
            for (unsigned i = 0; i < 4; ++i)
                bytes.push_back(static_cast<std::uint8_t>(wide_texel(k / 4, y, k % 4) >> (8 * i)));
        return bytes;
    }
};

TEST(surface_rules, ISA_05_bytes_of_every_size_and_place)
{
    for (const bool by_byte : {false, true})
        for (const auto& [size, arch] : on_both()) {
            const std::string name = std::string(by_byte ? ".BA" : "") + ".2D" + size.name + scope_of(arch) + ".IGN";
            wide_lab bench("@P0 SULD.D" + name + " R16, [R4], R8; @P0 SUST.D" + name + " [R4], R12, R8;", arch);
            const unsigned places = 4 * 4 * wide_columns / size.bytes;
            if (by_byte)
                for (unsigned i = 0; i < warp_lanes; ++i) bench[4][i] = i * 5 % places * size.bytes;
            const auto before = bench.warp.registers;
            std::vector<std::vector<std::uint8_t>> image;
            for (unsigned y = 0; y < image_height; ++y) image.push_back(bench.row(y));
            bench.run();
            ASSERT_EQ(bench.last.kind, step_kind::exited) << name;
            const unsigned count = std::max(1U, size.bytes / 4);
            const auto first = [&](unsigned i) { return before[4][i] * (by_byte ? 1 : 16); };
            for (unsigned i = 0; i < warp_lanes; ++i)
                for (unsigned k = 0; k < 8; ++k)
                    EXPECT_EQ(bench[16 + k][i], in_some(i) && k < count ? loaded(image[before[5][i]], first(i), size, k)
                                                                        : before[16 + k][i])
                        << name << " word " << k;
            for (unsigned i = 0; i < warp_lanes; ++i)
                for (unsigned k = 0; in_some(i) && k < count; ++k)
                    stored(image[before[5][i]], first(i), size, k, before[12 + k][i]);
            for (unsigned y = 0; y < image_height; ++y) EXPECT_EQ(bench.row(y), image[y]) << name;
        }
}

TEST(surface_rules, ISA_04_result_registers_follow_the_size)
{
    for (const auto& [size, arch] : on_both()) {
        const program code =
            assemble(std::string("SULD.D.2D") + size.name + scope_of(arch) + ".IGN R16, [R4], R8; EXIT;", arch);
        EXPECT_EQ(code.code[0].issue.writes[0].first, 16) << size.name;
        EXPECT_EQ(code.code[0].issue.writes[0].count, std::max(1U, size.bytes / 4)) << size.name;
    }
}

TEST(surface_rules, ISA_05_components_of_every_mask)
{
    const char* const masks[] = {".R",  ".G",  ".RG",  ".B",  ".RB",  ".GB",  ".RGB", ".A",
                                 ".RA", ".GA", ".RGA", ".BA", ".RBA", ".GBA", ""};
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (unsigned mask = 1; mask < 16; ++mask) {
            const std::string name = "SULD.P.2D" + scope_of(arch) + masks[mask - 1] + ".IGN";
            wide_lab bench("@P0 " + name + " R16, [R4], R8;", arch);
            const auto before = bench.warp.registers;
            bench.run();
            for (unsigned i = 0; i < warp_lanes; ++i) {
                std::vector<word> expected;
                for (unsigned c = 0; c < 4; ++c)
                    if ((mask >> c & 1U) != 0) expected.push_back(wide_word(i % wide_columns, i / wide_columns, c));
                for (unsigned k = 0; k < 5; ++k)
                    EXPECT_EQ(bench[16 + k][i], in_some(i) && k < expected.size() ? expected[k] : before[16 + k][i])
                        << name;
            }
        }
}

TEST(surface_rules, ISA_05_stores_of_texels_have_the_components_of_the_mask)
{
    const std::pair<const char*, std::vector<unsigned>> masks[] = {
        {"", {0, 1, 2, 3}}, {".R", {0}}, {".RG", {0, 1}}, {".GA", {1, 3}}};
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const auto& [mask, components] : masks) {
            wide_lab bench("@P0 SUST.P.2D" + scope_of(arch) + mask + ".IGN [R4], R12, R8;", arch);
            const auto before = bench.warp.registers;
            bench.run();
            for (unsigned i = 0; i < warp_lanes; ++i)
                for (unsigned k = 0; k < components.size(); ++k) {
                    const unsigned x = i % wide_columns, y = i / wide_columns, c = components[k];
                    EXPECT_EQ(bench.wide_texel(x, y, c), in_some(i) ? before[12 + k][i] : wide_word(x, y, c)) << mask;
                }
        }
}

/// Where an instruction of a shape reaches one past the end, at the end, at 0 and one before it in a coordinate.
struct shape_case {
    const char* name;
    image header;
    std::vector<unsigned> sizes; ///< of x, y, z, layer as the registers follow each other
    bool has_y, has_layer;
};

word expected_texel(const shape_case& each, const std::vector<unsigned>& texel)
{
    return texel_at(texel[0], each.has_y ? texel[1] : 0, each.has_layer ? texel.back() : 0, 0);
}

TEST(surface_rules, ISA_05_ends_of_every_coordinate)
{
    const shape_case cases[] = {
        {"1D", image_1d, {image_width}, false, false},
        {"1D_BUFFER", buffer_image, {40}, false, false},
        {"1D_ARRAY", array_1d, {image_width, image_layers}, false, true},
        {"2D", image_2d, {image_width, image_height}, true, false},
        {"2D_ARRAY", array_2d, {image_width, image_height, image_layers}, true, true},
        {"3D", image_3d, {image_width, image_height, image_layers}, true, true},
    };
    enum end : unsigned { before, first, last, after };
    share cases_run;
    for (const auto& each : cases)
        for (unsigned c = 0; c < each.sizes.size(); ++c)
            for (const end where : {before, first, last, after})
                for (const std::string how : {".IGN", "", ".TRAP"}) {
                    if (cases_run.skips_next()) continue;
                    const std::string name = std::string("SULD.P.") + each.name + how;
                    texture_lab bench(name + " R0, [R4], R8;");
                    bench.fill(0, 77);
                    bench.fill(8, handle_of(each.header));
                    std::vector<unsigned> inside(each.sizes.size(), 3), texel = inside;
                    for (unsigned k = 0; k < inside.size(); ++k) bench.fill(4 + k, inside[k]);
                    // The last lane is there, the others are inside.
                    constexpr unsigned lane = 31;
                    bench[4 + c][lane] = where == before  ? ~0U
                                         : where == first ? 0
                                                          : each.sizes[c] - (where == last ? 1 : 0);
                    texel[c] = where == before || where == first ? 0 : each.sizes[c] - 1;
                    bench.run();
                    SCOPED_TRACE(name + ", coordinate " + std::to_string(c) + ", end " + std::to_string(where));
                    const bool outside = where == before || where == after, trapped = outside && how == ".TRAP";
                    EXPECT_EQ(bench.last.kind, trapped ? step_kind::trap : step_kind::exited);
                    EXPECT_EQ(bench.last.trap, trapped ? 0x0e : 0);
                    EXPECT_EQ(bench[0][0], trapped ? 77U : expected_texel(each, inside));
                    EXPECT_EQ(bench[0][lane], trapped                    ? 77U
                                              : outside && how == ".IGN" ? 0U
                                                                         : expected_texel(each, texel));
                }
}

/// All lanes at the first texel, which holds 64 bits of `here`; R12 and R13, R14 and R15 what they bring.
wide_lab wide_atomic(const std::string& text, architecture arch, std::uint64_t here, std::uint64_t brought,
                     std::uint64_t put = 0)
{
    wide_lab bench(text, arch);
    bench.fill(4, {0, 0});
    bench.wide_texel(0, 0, 0) = static_cast<word>(here);
    bench.wide_texel(0, 0, 1) = static_cast<word>(here >> 32);
    for (unsigned k = 0; k < 2; ++k) {
        bench.fill(12 + k, static_cast<word>(brought >> (32 * k)));
        bench.fill(14 + k, static_cast<word>(put >> (32 * k)));
    }
    bench.run();
    return bench;
}

TEST(surface_rules, ISA_05_atomics_of_both_widths)
{
    const auto count = static_cast<unsigned>(__builtin_popcount(some));
    const unsigned second = static_cast<unsigned>(__builtin_ctz(some & (some - 1)));
    for (const auto arch : {architecture::sm50, architecture::sm75}) {
        const auto text = [&](const std::string& operation, const std::string& type) {
            return "@P0 SUATOM.D.2D." + operation + type + scope_of(arch) + ".IGN R16, [R4], R12, R8;";
        };
        const auto left = [](wide_lab& bench) {
            EXPECT_EQ(bench.wide_texel(0, 0, 2), wide_word(0, 0, 2)) << "after it";
            return std::uint64_t{bench.wide_texel(0, 0, 1)} << 32 | bench.wide_texel(0, 0, 0);
        };
        // Carries go into the second word, of 64 bits only.
        constexpr std::uint64_t start = 0x5'ffff'fff0, step = 0x1'0000'0010;
        wide_lab sum = wide_atomic(text("ADD", ".U64"), arch, start, step);
        EXPECT_EQ(left(sum), start + count * step);
        EXPECT_EQ(sum.pair(16, second), start + step);
        if (arch == architecture::sm75) {
            wide_lab reduced = wide_atomic("@P0 SURED.D.2D.ADD.U64.CTA.IGN [R4], R12, R8;", arch, start, step);
            EXPECT_EQ(left(reduced), start + count * step);
            wide_lab largest = wide_atomic("@P0 SURED.D.2D.MAX.CTA.IGN [R4], R12, R8;", arch, start, 0xffff'fff5);
            EXPECT_EQ(left(largest), 0x5'ffff'fff5);
        }
        wide_lab narrow = wide_atomic(text("ADD", ""), arch, start, step);
        EXPECT_EQ(left(narrow), 0x5'0000'0000 | static_cast<word>(0xffff'fff0 + count * 0x10));
        EXPECT_EQ(narrow[16][second], 0U);
        std::mt19937 random{3};
        for (unsigned r = 12; r < 17; ++r) awkward_words(random);
        EXPECT_EQ(narrow[17], awkward_words(random)) << "the register after";
        constexpr std::uint64_t minus_two = ~std::uint64_t{1};
        wide_lab lower = wide_atomic(text("MIN", ".S64"), arch, 1, minus_two);
        EXPECT_EQ(left(lower), minus_two);
        EXPECT_EQ(lower.pair(16, second), minus_two);
        wide_lab unsigned_lower = wide_atomic(text("MIN", ".U64"), arch, 1, minus_two);
        EXPECT_EQ(left(unsigned_lower), 1U);
        wide_lab lower_word = wide_atomic(text("MIN", ".S32"), arch, 1, 0xffff'fffe);
        EXPECT_EQ(left(lower_word), 0xffff'fffeU);
        // The upper words must match, too; the new value follows both words.
        wide_lab swapped = wide_atomic(text("CAS", ".U64"), arch, 0x7'0000'0005, 0x7'0000'0005, 0x8'0000'0006);
        EXPECT_EQ(left(swapped), 0x8'0000'0006U);
        EXPECT_EQ(swapped.pair(16, second), 0x8'0000'0006U);
        wide_lab other = wide_atomic(text("CAS", ".U64"), arch, 0x7'0000'0005, 0x6'0000'0005, 0x8'0000'0006);
        EXPECT_EQ(left(other), 0x7'0000'0005U);
        wide_lab same = wide_atomic(text("CAS", ".S64"), arch, 0x7'0000'0005, 0x7'0000'0005, 0x8'0000'0006);
        EXPECT_EQ(left(same), 0x8'0000'0006U);
        EXPECT_THROW(wide_atomic(text("MIN", ".F32.FTZ.RN"), arch, 0, 0), execution_error);
    }
}

} // namespace
} // namespace isbesim::isa
