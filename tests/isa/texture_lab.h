// SPDX-License-Identifier: Apache-2.0
// Images whose texels encode their coordinates, so that a result shows the use of each register.
#pragma once

#include <algorithm>
#include <memory>

#include "models/memory/global_memory.h"
#include "models/texture/texture_unit.h"
#include "tests/isa/lab.h"
#include "tests/support/bytes.h"

namespace isbesim::isa {

/// Headers of the table, by their numbers. All but `depth_image` hold 32-bit integers; pixels of `sample_image` are two
/// samples side by side, texels of `wide_image` four different words, and `lost_image` has no memory.
enum image : unsigned {
    image_1d,
    image_2d,
    image_3d,
    image_cube,
    array_1d,
    array_2d,
    array_cube,
    depth_image,
    buffer_image,
    sample_image,
    wide_image,
    lost_image
};
/// Samplers: the nearest texel of the nearest level, without and with a comparison (reference < texel).
enum sampler_number : unsigned { nearest, comparing };

inline constexpr unsigned image_width = 16, image_height = 8, image_layers = 12, image_levels = 2;
inline constexpr unsigned handle_word = 5, handle_bank = 15; ///< where a handle in a constant bank is

constexpr word handle_of(image header, sampler_number sampler = nearest)
{
    return header | static_cast<word>(sampler) << 20;
}

/// The texel at a place; never 0. `layer` is the third coordinate or the face of a cube, too.
constexpr word texel_at(unsigned x, unsigned y, unsigned layer, unsigned level)
{
    return 1 + x + 0x100 * y + 0x10000 * layer + 0x1000000 * level;
}

inline constexpr unsigned wide_columns = 4; ///< of `wide_image`, which has image_height rows

/// Word `c` of a texel of `wide_image`.
constexpr word wide_word(unsigned x, unsigned y, unsigned c)
{
    return (1 + x + 4 * y + 64 * c) * 0x9e37'79b9U;
}

/// A lab with these images. Header fields as clb197tex.h numbers them, blocks of one GOB; a level of a layer fills
/// GOBs of 64 x 8 bytes, whose 16-byte pieces are interleaved.
struct texture_lab : lab {
    explicit texture_lab(const std::string& text, architecture arch = architecture::sm50, lane_mask lanes = all_lanes)
        : lab(text, lanes, 0, arch), memory(std::make_shared<global_memory>())
    {
        std::vector<word> headers;
        const auto add = [&](unsigned type, unsigned height, unsigned depth) {
            const auto number = static_cast<unsigned>(headers.size() / 8);
            add_header(headers, number, type, height, depth);
            add_image(number, type == three_d, height, number == depth_image);
        };
        add(0, 1, 1);
        add(1, image_height, 1);
        add(three_d, image_height, image_layers);
        add(cube, image_width, 1);
        add(4, 1, image_layers);
        add(5, image_height, image_layers);
        add(cube_array, image_width, 2);
        add(1, image_height, 1);
        add_buffer(headers);
        add(1, image_height, 1);
        headers[8 * sample_image + 4] -= image_width / 2;
        headers[8 * sample_image + 7] |= 1U << 8;
        add_wide(headers);
        add_header(headers, lost_image, 1, image_height, 1);
        store(header_table, headers);
        store(sampler_table,
              {0x92, 0x91 | 0, 0xfff000, 0, 0, 0, 0, 0, 0x92 | 1U << 9 | 1U << 10, 0x91, 0xfff000, 0, 0, 0, 0, 0});
        unit = std::make_unique<texture::texture_unit>(
            memory, texture::tables{header_table, sampler_table, headers.size() / 8, 2, handle_bank});
        warp.textures = unit.get();
    }

    /// The handle that instructions with a place in a bank take.
    void set_handle(word handle)
    {
        constants[handle_bank].assign(handle_word + 1, 0);
        constants[handle_bank][handle_word] = handle;
    }

    /// The word of a texel of level 0.
    word& texel(image which, unsigned x, unsigned y, unsigned layer)
    {
        const std::uint64_t base = address_of(which) + std::uint64_t{layer} * (which == image_3d ? 512 : 1024);
        return *reinterpret_cast<word*>(memory->find(base + gob_offset(4 * x, y), 4));
    }

    /// Word `c` of a texel of `wide_image`.
    word& wide_texel(unsigned x, unsigned y, unsigned c)
    {
        return *reinterpret_cast<word*>(memory->find(address_of(wide_image) + gob_offset(16 * x + 4 * c, y), 4));
    }

    std::shared_ptr<global_memory> memory;
    std::unique_ptr<texture::texture_unit> unit;

private:
    static constexpr std::uint64_t header_table = 0x1000, sampler_table = 0x2000, buffer_address = 0x3000;
    static constexpr unsigned three_d = 2, cube = 3, cube_array = 8; ///< types of headers
    static constexpr unsigned gob_rows = 8, gob_words = 128;

    static std::uint64_t address_of(unsigned number) { return 0x1'0000'0000 + 0x10000ULL * number; }

    static unsigned gob_offset(unsigned byte, unsigned y)
    {
        return byte / 32 * 256 + y / 2 * 64 + byte % 32 / 16 * 32 + y % 2 * 16 + byte % 16;
    }

    void store(std::uint64_t address, const std::vector<word>& contents)
    {
        memory->add(address, test::bytes_of(contents));
    }

    /// Red, green and blue are 0, the number 1 and red again, alpha is the float 1: masks show in the results.
    static void add_header(std::vector<word>& headers, unsigned number, unsigned type, unsigned height, unsigned depth)
    {
        constexpr word r32 = 0x0f, z32 = 0x2f, uints = 4 * 01111, floats = 7 * 01111;
        const bool is_depth = number == depth_image;
        const std::uint64_t address = address_of(number);
        constexpr word swizzle = 2U << 19 | 6U << 22 | 2U << 25 | 7U << 28;
        headers.insert(headers.end(), {(is_depth ? z32 : r32) | (is_depth ? floats : uints) << 7 | swizzle,
                                       static_cast<word>(address), static_cast<word>(address >> 32) | 3U << 21,
                                       (image_levels - 1) << 28, (image_width - 1) | type << 23 | 7U << 29,
                                       (height - 1) | (depth - 1) << 16 | 1U << 31, 0, (image_levels - 1) << 4});
    }

    void add_image(unsigned number, bool is_3d, unsigned height, bool is_depth)
    {
        std::vector<word> contents;
        const auto fill = [&](unsigned layer, unsigned level) {
            const unsigned rows = std::max(height >> level, 1U);
            for (unsigned first = 0; first < rows; first += gob_rows) {
                const std::size_t gob = contents.size();
                contents.resize(gob + gob_words);
                for (unsigned y = first; y < std::min(rows, first + gob_rows); ++y)
                    for (unsigned x = 0; x < image_width >> level; ++x)
                        contents[gob + gob_offset(4 * x, y - first) / 4] =
                            is_depth ? to_bits(0.5F) : texel_at(x, y, layer, level);
            }
        };
        if (is_3d)
            for (unsigned level = 0; level < image_levels; ++level)
                for (unsigned z = 0; z < image_layers >> level; ++z) fill(z, level);
        else
            for (unsigned layer = 0; layer < image_layers; ++layer)
                for (unsigned level = 0; level < image_levels; ++level) fill(layer, level);
        store(address_of(number), contents);
    }

    void add_wide(std::vector<word>& headers)
    {
        constexpr word r32_g32_b32_a32 = 0x01, uints = 4 * 01111, swizzle = 2U << 19 | 3U << 22 | 4U << 25 | 5U << 28;
        add_header(headers, wide_image, 1, image_height, 1);
        headers[8 * wide_image] = r32_g32_b32_a32 | uints << 7 | swizzle;
        headers[8 * wide_image + 4] -= image_width - wide_columns;
        headers[8 * wide_image + 3] = headers[8 * wide_image + 7] = 0;
        store(address_of(wide_image), std::vector<word>(gob_words));
        for (unsigned x = 0; x < wide_columns; ++x)
            for (unsigned y = 0; y < image_height; ++y)
                for (unsigned c = 0; c < 4; ++c) wide_texel(x, y, c) = wide_word(x, y, c);
    }

    void add_buffer(std::vector<word>& headers)
    {
        constexpr unsigned count = 40;
        std::vector<word> contents;
        for (unsigned i = 0; i < count; ++i) contents.push_back(texel_at(i, 0, 0, 0));
        store(buffer_address, contents);
        constexpr word swizzle = 2U << 19 | 6U << 22 | 2U << 25 | 7U << 28;
        headers.insert(headers.end(), {0x0f | (4U * 01111U) << 7 | swizzle, static_cast<word>(buffer_address), 0, 0,
                                       (count - 1) | 6U << 23 | 7U << 29, 0, 0, 0});
    }
};

} // namespace isbesim::isa
