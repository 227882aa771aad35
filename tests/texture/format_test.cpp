// SPDX-License-Identifier: Apache-2.0
// Formats: fields of bits from the vendor's names, and what conversions, sources and sRGB make of them.
#include "models/texture/format.h"

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "models/texture/number.h"
#include "tests/texture/texture_bench.h"

namespace isbesim::test {
namespace {

/// COMPONENTS_SIZES as open-gpu-doc's clb197tex.h names them.
const std::map<unsigned, std::string> plain_names{{0x01, "R32_G32_B32_A32"},
                                                  {0x02, "R32_G32_B32"},
                                                  {0x03, "R16_G16_B16_A16"},
                                                  {0x04, "R32_G32"},
                                                  {0x05, "R32_B24G8"},
                                                  {0x07, "X8B8G8R8"},
                                                  {0x08, "A8B8G8R8"},
                                                  {0x09, "A2B10G10R10"},
                                                  {0x0c, "R16_G16"},
                                                  {0x0d, "G8R24"},
                                                  {0x0e, "G24R8"},
                                                  {0x0f, "R32"},
                                                  {0x12, "A4B4G4R4"},
                                                  {0x13, "A5B5G5R1"},
                                                  {0x14, "A1B5G5R5"},
                                                  {0x15, "B5G6R5"},
                                                  {0x16, "B6G5R5"},
                                                  {0x18, "G8R8"},
                                                  {0x1b, "R16"},
                                                  {0x1d, "R8"},
                                                  {0x1e, "G4R4"},
                                                  {0x29, "Z24S8"},
                                                  {0x2a, "X8Z24"},
                                                  {0x2b, "S8Z24"},
                                                  {0x2f, "Z32"},
                                                  {0x30, "Z32_X24S8"},
                                                  {0x3a, "Z16"}};

struct named_field {
    char name;
    unsigned first, count;
};

/// Parts between underscores follow each other in memory; in a part the first letter is the highest.
std::vector<named_field> fields_of(const std::string& name, unsigned& bits)
{
    std::vector<named_field> fields;
    bits = 0;
    for (std::size_t begin = 0; begin < name.size();) {
        const std::size_t end = std::min(name.find('_', begin), name.size());
        std::vector<named_field> part;
        for (std::size_t i = begin; i < end;) {
            std::size_t used = 0;
            const auto count = static_cast<unsigned>(std::stoul(name.substr(i + 1, end - i - 1), &used));
            part.insert(part.begin(), {name[i], 0, count});
            i += 1 + used;
        }
        for (named_field& field : part) {
            field.first = bits;
            bits += field.count;
            fields.push_back(field);
        }
        begin = end + 1;
    }
    return fields;
}

TEST(texture_format, fields_are_at_the_places_of_their_names)
{
    std::mt19937 engine(1);
    for (const auto& [sizes, name] : plain_names) {
        unsigned bits = 0;
        const auto fields = fields_of(name, bits);
        texture_bench bench(header_words().format(sizes, tic::uint).buffer(1), sampler_words(), 16);
        const texture::format* format = texture::find_format(sizes);
        ASSERT_NE(format, nullptr) << name;
        EXPECT_EQ(format->bytes, bits / 8) << name;
        for (unsigned i = 0; i < 200; ++i) {
            std::array<std::uint8_t, 16> bytes{};
            for (unsigned b = 0; b < bits / 8; ++b) bytes[b] = static_cast<std::uint8_t>(engine());
            std::memcpy(bench.image(), bytes.data(), 16);
            texel wanted{};
            std::size_t next = 0; // depth and stencil take red and green from below
            for (const named_field& field : fields) {
                if (field.name == 'X') continue;
                std::uint64_t value = 0;
                for (unsigned b = 0; b < field.count; ++b) {
                    const unsigned bit = field.first + b;
                    value |= std::uint64_t{bytes[bit / 8] >> (bit % 8) & 1U} << b;
                }
                const std::size_t channel = std::string("RGBA").find(field.name);
                wanted[channel < 4 ? channel : next++] = static_cast<word>(value);
            }
            texture::fetch_request request;
            request.shape = shape::one_d;
            ASSERT_EQ(bench.fetch(request), wanted) << name;
        }
    }
}

/// One texel through a header.
texel fetch_one(header_words header, std::uint64_t bits)
{
    texture_bench bench(header.buffer(1), sampler_words(), 16);
    std::memcpy(bench.image(), &bits, sizeof bits);
    texture::fetch_request request;
    request.shape = shape::one_d;
    return bench.fetch(request);
}

TEST(texture_format, types_of_a_channel)
{
    const auto red = [](unsigned type) { return fetch_one(header_words().format(0x1d, type), 0x81)[0]; };
    EXPECT_EQ(red(tic::snorm), to_bits(-1.0F));
    EXPECT_EQ(red(tic::unorm), to_bits(129.0F / 255));
    EXPECT_EQ(red(tic::sint), 0xffffff81U);
    EXPECT_EQ(red(tic::uint), 0x81U);
    EXPECT_EQ(red(5), to_bits(-1.0F)); // the forms that round to 16 bits are not rounded here
    EXPECT_EQ(red(6), to_bits(129.0F / 255));
    EXPECT_EQ(fetch_one(header_words().format(0x1b, tic::floating), 0xc000)[0], to_bits(-2.0F));
    EXPECT_EQ(fetch_one(header_words().format(0x0f, tic::floating), 0x7fc12345)[0], 0x7fc12345U);
}

TEST(texture_format, channels_may_have_different_types)
{
    // Depth above, stencil below, as nouveau reads both.
    const auto header = header_words()
                            .format(0x29, tic::uint)
                            .set(10, 3, tic::unorm)
                            .sources({tic::g, tic::r, tic::zero, tic::one_int});
    EXPECT_EQ(fetch_one(header, 0xffffff7f), (texel{to_bits(1.0F), 0x7f, 0, 1}));
}

TEST(texture_format, sources_choose_and_reorder)
{
    const auto header = header_words().format(0x08, tic::unorm).sources({tic::b, tic::zero, tic::one_float, tic::r});
    EXPECT_EQ(fetch_one(header, 0x00ff0033), (texel{to_bits(1.0F), 0, to_bits(1.0F), to_bits(0.2F)}));
}

TEST(texture_format, every_packed_float_of_11_and_10_bits)
{
    for (word bits = 0; bits < 0x800; ++bits) {
        const auto got =
            fetch_one(header_words().format(0x21, tic::floating), std::uint64_t{bits} | std::uint64_t{bits} << 11);
        ASSERT_EQ(got[0], to_bits(texture::small_float_to_float(bits, 11)));
        ASSERT_EQ(got[1], got[0]);
        ASSERT_EQ(fetch_one(header_words().format(0x21, tic::floating), std::uint64_t{bits & 0x3ffU} << 22)[2],
                  to_bits(texture::small_float_to_float(bits & 0x3ffU, 10)));
    }
}

TEST(texture_format, shared_exponents)
{
    for (unsigned exponent = 0; exponent < 32; ++exponent)
        for (unsigned mantissa = 0; mantissa < 512; mantissa += 7) {
            const auto got = fetch_one(header_words().format(0x20, tic::floating),
                                       mantissa | 511U << 9 | (511U - mantissa) << 18 | exponent << 27);
            const double scale = std::pow(2.0, static_cast<double>(exponent) - 24);
            ASSERT_EQ(to_float(got[0]), mantissa * scale);
            ASSERT_EQ(to_float(got[1]), 511 * scale);
            ASSERT_EQ(to_float(got[2]), (511 - mantissa) * scale);
        }
}

TEST(texture_format, two_texels_share_red_and_blue)
{
    const auto texel_at = [](unsigned sizes, std::int32_t x) {
        texture_bench bench(header_words().format(sizes, tic::unorm).size(4, 1, 1).pitch(32), sampler_words(), 32);
        const std::uint8_t bytes[] = {0, 51, 102, 153};
        std::memcpy(bench.image() + 4, bytes, 4); // of texels 2 and 3
        texture::fetch_request request;
        request.coordinates = {x, 0, 0};
        return bench.fetch(request);
    };
    const word v[] = {to_bits(0.0F), to_bits(0.2F), to_bits(0.4F), to_bits(0.6F)};
    EXPECT_EQ(texel_at(0x22, 2), (texel{v[0], v[1], v[2], 0}));
    EXPECT_EQ(texel_at(0x22, 3), (texel{v[0], v[3], v[2], 0}));
    EXPECT_EQ(texel_at(0x23, 2), (texel{v[1], v[0], v[3], 0}));
    EXPECT_EQ(texel_at(0x23, 3), (texel{v[1], v[2], v[3], 0}));
}

TEST(texture_format, srgb_decodes_colors_and_no_alpha)
{
    const auto rgba = fetch_one(header_words().format(0x08, tic::unorm).srgb(), 0x80808080);
    const float linear = texture::srgb8_to_linear(0x80);
    EXPECT_EQ(rgba, (texel{to_bits(linear), to_bits(linear), to_bits(linear), to_bits(128 / 255.0F)}));
    // Luminance and alpha: the second of two channels is linear.
    const auto la =
        fetch_one(header_words().format(0x18, tic::unorm).sources({tic::r, tic::r, tic::r, tic::g}).srgb(), 0x8080);
    EXPECT_EQ(la, (texel{to_bits(linear), to_bits(linear), to_bits(linear), to_bits(128 / 255.0F)}));
}

TEST(texture_format, formats_that_no_decoder_is_for_are_a_fault)
{
    // ETC2 and EAC, coverage samples, ASTC, and a number that means nothing.
    for (const unsigned sizes : {0x06U, 0x0aU, 0x0bU, 0x19U, 0x1aU, 0x2cU, 0x3bU, 0x40U, 0x54U, 0x00U, 0x3fU}) {
        texture_bench bench(header_words().format(sizes, tic::unorm));
        texel got{};
        EXPECT_EQ(bench.unit.fetch({}, got), fault::unsupported_format) << sizes;
    }
    EXPECT_STREQ(texture::describe(fault::unsupported_format), "the header's format is not supported");
}

TEST(texture_format, every_fault_has_a_description_of_its_own)
{
    std::set<std::string> texts;
    for (unsigned why = 0; why <= static_cast<unsigned>(fault::outside_memory); ++why)
        texts.insert(texture::describe(static_cast<fault>(why)));
    EXPECT_EQ(texts.size(), 7U);
    EXPECT_EQ(texts.count(""), 0U);
}

} // namespace
} // namespace isbesim::test
