// SPDX-License-Identifier: Apache-2.0
// Headers and samplers of random bits, against the tables of HARDWARE.md H.1 and H.2 read field by field; their tables,
// and faults.
#include <random>

#include <gtest/gtest.h>

#include "models/texture/header.h"
#include "models/texture/sampler.h"
#include "tests/texture/texture_bench.h"

namespace isbesim::test {
namespace {

std::uint64_t table_bits(const entry& words, unsigned first, unsigned count)
{
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i)
        value |= std::uint64_t{words[(first + i) / 32] >> ((first + i) % 32) & 1U} << i;
    return value;
}

entry random_words(std::mt19937& random)
{
    entry words{};
    for (auto& each : words) each = static_cast<word>(random());
    return words;
}

/// Fields that decide whether a header is usable get usable values, mostly.
entry random_header(std::mt19937& random)
{
    entry words = random_words(random);
    const auto mostly = [&](unsigned first, unsigned count, std::uint64_t value) {
        if (random() % 16 != 0) set_bits(words, first, count, value);
    };
    set_bits(words, 0, 7, 0x08);
    for (unsigned i = 0; i < 4; ++i) mostly(19 + 3 * i, 3, random() % 6 + 2);
    constexpr unsigned versions[] = {0, 2, 3, 3, 0, 2, 3, 3, 1, 4};
    const unsigned version = versions[random() % 10];
    set_bits(words, 85, 3, version);
    mostly(151, 4,
           version == 0   ? tic::buffer
           : version == 2 ? (random() % 2 != 0 ? tic::two_d : tic::no_mipmap)
                          : random() % 9);
    mostly(232, 4, random() % 6);
    if (version == 3) {
        for (const auto& [first, count] : {std::pair{96U, 3U}, std::pair{37U, 2U}, std::pair{106U, 4U}})
            mostly(first, count, 0);
        mostly(99, 3, random() % 6);
        mostly(102, 3, random() % 6);
    }
    return words;
}

bool usable(const entry& words)
{
    const auto bits = [&](unsigned first, unsigned count) { return table_bits(words, first, count); };
    const auto type = bits(151, 4);
    for (unsigned i = 0; i < 4; ++i)
        if (bits(19 + 3 * i, 3) == 1) return false;
    if (bits(85, 3) == 0) return type == tic::buffer;
    if (bits(85, 3) == 1 || bits(85, 3) > 3) return false;
    if (type > 8 || bits(232, 4) > 5) return false;
    if (bits(85, 3) == 2) return type == tic::two_d || type == tic::no_mipmap;
    const bool unknown = bits(96, 3) != 0 || bits(37, 2) != 0 || bits(106, 4) != 0;
    return type != tic::buffer && !unknown && bits(99, 3) <= 5 && bits(102, 3) <= 5;
}

/// `got` was another header before.
void expect_fields(const entry& words, const texture::header& got)
{
    const auto bits = [&](unsigned first, unsigned count) { return table_bits(words, first, count); };
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT_EQ(static_cast<unsigned>(got.types[i]), bits(7 + 3 * i, 3));
        EXPECT_EQ(static_cast<unsigned>(got.sources[i]), bits(19 + 3 * i, 3));
    }
    EXPECT_EQ(got.srgb, bits(150, 1) != 0);
    EXPECT_EQ(static_cast<unsigned>(got.type), bits(151, 4));
    const bool is_buffer = bits(85, 3) == 0, is_pitch = bits(85, 3) == 2;
    EXPECT_EQ(got.layout, is_buffer  ? texture::memory_layout::buffer
                          : is_pitch ? texture::memory_layout::pitch
                                     : texture::memory_layout::block_linear);
    const unsigned unit = is_buffer ? 1 : is_pitch ? 32 : 512;
    EXPECT_EQ(got.address, bits(32, 49) / unit * unit);
    EXPECT_EQ(got.pitch, is_pitch ? (bits(96, 16) | bits(145, 1) << 16) * 32 : 0U);
    if (is_buffer) {
        EXPECT_EQ(got.width, (bits(128, 16) | bits(96, 16) << 16) + 1);
        EXPECT_EQ(got.height, 1U);
        EXPECT_EQ(got.depth, 1U);
        EXPECT_FALSE(got.normalized);
        EXPECT_EQ(got.samples_x + got.samples_y, 0);
        return;
    }
    EXPECT_EQ(got.width, bits(128, 17) + 1);
    EXPECT_EQ(got.height, (bits(160, 16) | bits(146, 1) << 16) + 1);
    EXPECT_EQ(got.normalized, bits(191, 1) != 0);
    const int mode =
        static_cast<int>(bits(232, 4)); // 1, 2 by 1, 2 by 2, 4 by 2, the last as in Direct3D, the second so
    EXPECT_EQ(got.samples_x, mode == 5 ? 1 : (mode + 1) / 2);
    EXPECT_EQ(got.samples_y, mode == 5 ? 0 : std::min(mode, 3) / 2);
    EXPECT_EQ(got.d3d_samples, mode > 3);
    EXPECT_EQ(got.min_lod, static_cast<float>(bits(236, 12)) / 256);
    EXPECT_EQ(got.depth, is_pitch ? 1U : (bits(176, 14) | bits(145, 1) << 14) + 1);
    EXPECT_EQ(got.block_height, is_pitch ? 0 : static_cast<int>(bits(99, 3)));
    EXPECT_EQ(got.block_depth, is_pitch ? 0 : static_cast<int>(bits(102, 3)));
    const auto last = is_pitch || bits(151, 4) == tic::no_mipmap ? 0 : bits(124, 4);
    EXPECT_EQ(got.last_level, last);
    EXPECT_EQ(got.view_first, std::min(bits(224, 4), last));
    EXPECT_EQ(got.view_last, std::min(std::max(bits(228, 4), bits(224, 4)), last));
}

TEST(texture_entry, headers_follow_the_table_of_bits)
{
    std::mt19937 random{11};
    texture::header got;
    unsigned used = 0;
    for (unsigned i = 0; i < 20000; ++i) {
        const entry words = random_header(random);
        ASSERT_EQ(texture::decode_header(words, got), usable(words) ? fault::none : fault::bad_header) << i;
        if (!usable(words)) continue;
        ++used;
        expect_fields(words, got);
        if (HasFailure()) return;
    }
    EXPECT_GT(used, 5000U);
}

/// Fields as clce97tex.h places them.
TEST(texture_entry, headers_of_the_second_version_have_other_places)
{
    struct setting {
        unsigned high, low;
        word value;
    };
    const auto header_of = [](std::initializer_list<setting> settings) {
        entry words{};
        for (const auto& each : settings)
            for (unsigned bit = each.low; bit <= each.high; ++bit)
                words[bit / 32] |= (each.value >> (bit - each.low) & 1U) << bit % 32;
        return words;
    };
    constexpr word r32_g32 = 4, astc_5x4 = 0x50, block_linear = 3, pitch = 2, buffer = 5, floating = 2, uint = 6;
    const std::initializer_list<setting> image = {{31, 9, 0x12345},    {56, 32, 0x1abcd},   {69, 67, 4},
                                                  {72, 70, 2},         {95, 92, 9},         {98, 96, 5},
                                                  {101, 99, 4},        {104, 102, 0},       {107, 105, 7},
                                                  {111, 108, uint},    {118, 112, r32_g32}, {127, 124, block_linear},
                                                  {144, 128, 0x1fedc}, {145, 145, 1},       {153, 150, 5},
                                                  {176, 160, 0x10203}, {191, 177, 0x5432},  {227, 224, 2},
                                                  {231, 228, 7},       {235, 232, 2},       {247, 236, 0x280}};
    texture::header got;
    ASSERT_EQ(texture::decode_header(texture::first_version_header(header_of(image)), got), fault::none);
    EXPECT_EQ(got.address, 0x1abcdULL << 32 | 0x12345U << 9);
    EXPECT_EQ(got.layout, texture::memory_layout::block_linear);
    EXPECT_EQ(got.type, texture::image_type::array_2d);
    EXPECT_EQ(got.texels, texture::find_format(r32_g32));
    for (const auto each : got.types) EXPECT_EQ(each, texture::number_type::uint);
    using texture::source;
    EXPECT_EQ(got.sources, (std::array{source::alpha, source::blue, source::zero, source::one_float}));
    EXPECT_EQ(got.block_height, 4);
    EXPECT_EQ(got.block_depth, 2);
    EXPECT_EQ(got.width, 0x1fedcU + 1);
    EXPECT_EQ(got.height, 0x10203U + 1);
    EXPECT_EQ(got.depth, 0x5432U + 1);
    EXPECT_TRUE(got.normalized);
    EXPECT_FALSE(got.srgb);
    EXPECT_EQ(got.last_level, 9);
    EXPECT_EQ(got.view_first, 2);
    EXPECT_EQ(got.view_last, 7);
    EXPECT_EQ(got.samples_x + got.samples_y, 2);
    EXPECT_EQ(got.min_lod, 2.5F);

    ASSERT_EQ(texture::decode_header(texture::first_version_header(header_of({{31, 5, 0x123},
                                                                              {56, 32, 3},
                                                                              {80, 64, 0x10040},
                                                                              {98, 96, 2},
                                                                              {101, 99, 3},
                                                                              {111, 108, floating},
                                                                              {118, 112, r32_g32},
                                                                              {127, 124, pitch},
                                                                              {144, 128, 99},
                                                                              {149, 149, 1},
                                                                              {153, 150, 7},
                                                                              {176, 160, 9}})),
                                     got),
              fault::none);
    EXPECT_EQ(got.layout, texture::memory_layout::pitch);
    EXPECT_EQ(got.address, 3ULL << 32 | 0x123U << 5);
    EXPECT_EQ(got.pitch, 0x10040U << 5);
    EXPECT_EQ(got.types[0], texture::number_type::floating);
    EXPECT_TRUE(got.srgb);

    ASSERT_EQ(texture::decode_header(texture::first_version_header(header_of({{31, 0, 0x87654321},
                                                                              {63, 32, 5},
                                                                              {95, 64, 0x12345678},
                                                                              {98, 96, 2},
                                                                              {111, 108, 7},
                                                                              {117, 112, 15},
                                                                              {119, 118, 3},
                                                                              {127, 124, buffer}})),
                                     got),
              fault::none);
    EXPECT_EQ(got.layout, texture::memory_layout::buffer);
    EXPECT_EQ(got.address, 0x587654321U);
    EXPECT_EQ(got.width, 0x12345679U);
    EXPECT_EQ(got.types[0], texture::number_type::sint);

    for (const auto& wrong :
         {setting{77, 77, 1}, {8, 8, 1}, {4, 4, 1}, {74, 74, 1}}) { // other GOBs, a slice of some, sparse
        auto words = header_of(image);
        words[wrong.low / 32] |= 1U << wrong.low % 32;
        EXPECT_EQ(texture::decode_header(texture::first_version_header(words), got), fault::bad_header) << wrong.low;
    }
    // nil_formats.csv: S8Z24 is ZS, Z24S8 is SZ (stencil is the lower byte), ZF32_X24S8 and R32_B24G8 are ZFS.
    using texture::number_type;
    struct {
        word sizes, type;
        number_type red, green;
    } const depths[] = {{0x2b, 8, number_type::unorm, number_type::uint},
                        {0x29, 9, number_type::uint, number_type::unorm},
                        {0x0e, 9, number_type::uint, number_type::unorm},
                        {0x30, 10, number_type::floating, number_type::uint},
                        {0x05, 10, number_type::floating, number_type::uint}};
    for (const auto& each : depths) {
        const auto words = header_of({{111, 108, each.type}, {118, 112, each.sizes}, {127, 124, block_linear}});
        EXPECT_EQ(texture::decode_header(texture::first_version_header(words), got), fault::none) << each.sizes;
        EXPECT_EQ(got.types[0], each.red);
        EXPECT_EQ(got.types[1], each.green);
    }
    for (const word unknown : {3U, 4U, 5U, 11U, 15U}) {
        const auto words = header_of({{111, 108, unknown}, {118, 112, r32_g32}, {127, 124, block_linear}});
        EXPECT_EQ(texture::decode_header(texture::first_version_header(words), got), fault::bad_header) << unknown;
    }
    EXPECT_EQ(texture::first_version_header(header_of({{118, 112, astc_5x4}}))[0] & 0x7fU, astc_5x4);
}

TEST(texture_entry, samplers_follow_the_table_of_bits)
{
    std::mt19937 random{12};
    texture::sampler got;
    for (unsigned i = 0; i < 5000; ++i) {
        const entry words = random_words(random);
        const auto bits = [&](unsigned first, unsigned count) { return table_bits(words, first, count); };
        const auto magnify = bits(32, 3), minify = bits(36, 2), mip = bits(38, 2), reduce = bits(42, 2);
        const bool fine = magnify >= 1 && magnify <= 2 && minify != 0 && mip != 0 && reduce <= 2;
        ASSERT_EQ(texture::decode_sampler(words, got), fine ? fault::none : fault::bad_sampler);
        if (!fine) continue;
        for (unsigned c = 0; c < 3; ++c) EXPECT_EQ(static_cast<unsigned>(got.address[c]), bits(3 * c, 3));
        EXPECT_EQ(static_cast<unsigned>(got.compare), bits(10, 3));
        EXPECT_EQ(got.srgb, bits(13, 1) != 0);
        EXPECT_EQ(static_cast<unsigned>(got.magnify), magnify);
        EXPECT_EQ(static_cast<unsigned>(got.minify), std::min<std::uint64_t>(minify, 2)); // anisotropic is linear
        EXPECT_EQ(static_cast<unsigned>(got.mip), mip);
        EXPECT_EQ(static_cast<unsigned>(got.edges), std::min<std::uint64_t>(bits(40, 2), 2)); // seamless twice
        EXPECT_EQ(static_cast<unsigned>(got.reduce), reduce);
        const auto bias = static_cast<int>(bits(44, 13));
        EXPECT_EQ(got.bias, static_cast<float>(bias >= 4096 ? bias - 8192 : bias) / 256);
        EXPECT_EQ(got.unnormalized, bits(57, 1) != 0);
        EXPECT_EQ(got.min_lod, static_cast<float>(bits(64, 12)) / 256);
        EXPECT_EQ(got.max_lod, static_cast<float>(bits(76, 12)) / 256);
        for (unsigned c = 0; c < 4; ++c) EXPECT_EQ(got.border[c], words[4 + c]);
        if (HasFailure()) return;
    }
}

TEST(texture_entry, tables_have_their_stated_entries)
{
    // Memory holds two entries of each; the counts of the tables are 1.
    auto memory = std::make_shared<global_memory>();
    const auto add = [&](std::uint64_t address, const entry& first, const entry& second) {
        std::vector<std::uint8_t> bytes(2 * sizeof first);
        std::memcpy(bytes.data(), first.data(), sizeof first);
        std::memcpy(bytes.data() + sizeof first, second.data(), sizeof second);
        memory->add(address, bytes);
    };
    add(headers_at, header_words().address(image_at).size(1, 1, 1).format(0x0f, tic::uint).words,
        header_words().address(image_at + 512).size(1, 1, 1).format(0x0f, tic::uint).words);
    add(samplers_at, sampler_words().words, sampler_words().words);
    memory->add(image_at, std::vector<std::uint8_t>(1024, 1));
    *memory->find(image_at + 512, 1) = 9;
    for (const unsigned count : {1U, 2U}) {
        texture::texture_unit unit(memory, {headers_at, samplers_at, count, count, 15});
        texture::sample_request request;
        texel got{};
        request.handle.bits = 1;
        EXPECT_EQ(unit.sample(request, got), count == 2 ? fault::none : fault::no_header);
        if (count == 2) {
            EXPECT_EQ(got[0], 0x01010109U);
        }
        request.handle.bits = 1U << 20;
        EXPECT_EQ(unit.sample(request, got), count == 2 ? fault::none : fault::no_sampler);
        // Bits 19:0 are the header's number.
        request.handle.bits = 0x80000;
        EXPECT_EQ(unit.sample(request, got), fault::no_header);
    }
    // Tables whose entries are outside memory.
    texture::texture_unit unit(memory, {headers_at, samplers_at, 100, 100, 15});
    texture::sample_request request;
    texel got{};
    request.handle.bits = 2;
    EXPECT_EQ(unit.sample(request, got), fault::no_header);
    request.handle.bits = 2U << 20;
    EXPECT_EQ(unit.sample(request, got), fault::no_sampler);
}

TEST(texture_entry, a_header_that_changes_is_read_again)
{
    texture_bench bench(header_words().size(4, 4, 1).format(0x0f, tic::uint));
    bench.image()[4] = 9;
    texture::fetch_request request;
    request.coordinates = {1, 0, 0};
    EXPECT_EQ(bench.fetch(request)[0], 9U);
    auto words = header_words().size(1, 1, 1).format(0x0f, tic::uint).address(image_at).words;
    std::memcpy(bench.memory->find(headers_at, 32), words.data(), 32);
    EXPECT_EQ(bench.fetch(request)[0], 0U);
}

TEST(texture_entry, texels_outside_memory_are_a_fault)
{
    texture_bench bench(header_words().size(64, 8, 1));
    texel got{};
    texture::fetch_request request;
    request.coordinates = {15, 7, 0};
    EXPECT_EQ(bench.unit.fetch(request, got), fault::none);
    request.coordinates = {16, 0, 0}; // the second GOB
    EXPECT_EQ(bench.unit.fetch(request, got), fault::outside_memory);
    texture::sample_request sample;
    sample.coordinates = {0.9F, 0.1F, 0};
    EXPECT_EQ(bench.unit.sample(sample, got), fault::outside_memory);
}

TEST(texture_entry, faults_state_reason)
{
    for (const auto& [why, word] : {std::pair{fault::no_header, "header"}, std::pair{fault::no_sampler, "sampler"},
                                    std::pair{fault::bad_header, "header"}, std::pair{fault::bad_sampler, "sampler"},
                                    std::pair{fault::outside_memory, "memory"}})
        EXPECT_NE(std::string(texture::describe(why)).find(word), std::string::npos) << texture::describe(why);
    EXPECT_STRNE(texture::describe(fault::no_header), texture::describe(fault::bad_header));
    EXPECT_STRNE(texture::describe(fault::no_sampler), texture::describe(fault::bad_sampler));
}

} // namespace
} // namespace isbesim::test
