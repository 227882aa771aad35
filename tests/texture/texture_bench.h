// SPDX-License-Identifier: Apache-2.0
// Headers, samplers and memory for tests, encoded from the lists of bits, independently of the unit's functions.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "models/memory/global_memory.h"
#include "models/texture/texture_unit.h"
#include "tlm/float_bits.h"

namespace isbesim::test {

using texture::entry;
using texture::fault;
using texture::shape;
using texture::texel;

inline void set_bits(entry& words, unsigned first, unsigned count, std::uint64_t value)
{
    for (unsigned i = 0; i < count; ++i) {
        const unsigned bit = first + i;
        const word mask = 1U << (bit % 32);
        words[bit / 32] = (value >> i & 1U) != 0 ? words[bit / 32] | mask : words[bit / 32] & ~mask;
    }
}

/// Values of the fields by name, as in open-gpu-doc's clb197tex.h.
namespace tic {
inline constexpr unsigned snorm = 1, unorm = 2, sint = 3, uint = 4, floating = 7;
inline constexpr unsigned zero = 0, r = 2, g = 3, b = 4, a = 5, one_int = 6, one_float = 7;
inline constexpr unsigned one_d = 0, two_d = 1, three_d = 2, cube = 3, array_1d = 4, array_2d = 5, buffer = 6,
                          no_mipmap = 7, array_cube = 8;
} // namespace tic

/// Builds a texture header; at first block-linear 2D, normalised, one level, A8B8G8R8 UNORM.
struct header_words {
    entry words{};

    header_words()
    {
        format(0x08, tic::unorm).sources({tic::r, tic::g, tic::b, tic::a});
        version(3).type(tic::two_d).size(1, 1, 1);
        set(191, 1, 1);
    }
    header_words& set(unsigned first, unsigned count, std::uint64_t value)
    {
        set_bits(words, first, count, value);
        return *this;
    }
    header_words& format(unsigned sizes, unsigned number_type)
    {
        set(0, 7, sizes);
        for (unsigned i = 0; i < 4; ++i) set(7 + 3 * i, 3, number_type);
        return *this;
    }
    header_words& sources(std::initializer_list<unsigned> channels)
    {
        unsigned place = 19;
        for (const unsigned each : channels) {
            set(place, 3, each);
            place += 3;
        }
        return *this;
    }
    header_words& version(unsigned number) { return set(85, 3, number); }
    header_words& type(unsigned number) { return set(151, 4, number); }
    header_words& address(std::uint64_t value) { return set(32, 48, value); }
    header_words& size(unsigned width, unsigned height, unsigned depth)
    {
        return set(128, 16, width - 1).set(160, 16, height - 1).set(176, 14, depth - 1);
    }
    header_words& tile(unsigned height_log, unsigned depth_log)
    {
        return set(99, 3, height_log).set(102, 3, depth_log);
    }
    header_words& levels(unsigned last, unsigned view_first, unsigned view_last)
    {
        return set(124, 4, last).set(224, 4, view_first).set(228, 4, view_last);
    }
    header_words& srgb() { return set(150, 1, 1); }
    header_words& unnormalized() { return set(191, 1, 0); }
    header_words& pitch(unsigned bytes) { return version(2).type(tic::no_mipmap).set(96, 16, bytes / 32); }
    header_words& buffer(unsigned elements)
    {
        return version(0)
            .type(tic::buffer)
            .set(128, 16, (elements - 1) & 0xffffU)
            .set(96, 16, (elements - 1) >> 16)
            .set(160, 32, 0);
    }
};

/// Builds a sampler; at first point filters, no mipmaps, clamped to the edge, all levels.
struct sampler_words {
    entry words{};

    sampler_words() { wrap(2).filters(1, 1, 1).lod(0, 4095).set(13, 1, 1); }
    sampler_words& set(unsigned first, unsigned count, std::uint64_t value)
    {
        set_bits(words, first, count, value);
        return *this;
    }
    sampler_words& wrap(unsigned mode) { return set(0, 9, mode * 0111); }
    sampler_words& wrap(unsigned u, unsigned v, unsigned p) { return set(0, 9, u | v << 3 | p << 6); }
    sampler_words& filters(unsigned mag, unsigned min, unsigned mip)
    {
        return set(32, 3, mag).set(36, 2, min).set(38, 2, mip);
    }
    /// In 256ths of a level.
    sampler_words& lod(unsigned least, unsigned greatest) { return set(64, 12, least).set(76, 12, greatest); }
    sampler_words& bias(int steps) { return set(44, 13, static_cast<unsigned>(steps) & 0x1fffU); }
    sampler_words& compare(unsigned function) { return set(9, 1, 1).set(10, 3, function); }
    sampler_words& seamless() { return set(40, 2, 3); }
    sampler_words& border(float r, float g, float b, float a)
    {
        words[4] = to_bits(r);
        words[5] = to_bits(g);
        words[6] = to_bits(b);
        words[7] = to_bits(a);
        return *this;
    }
};

inline constexpr std::uint64_t headers_at = 0x10000, samplers_at = 0x20000, image_at = 0x1000000;

/// A unit with one header, one sampler (number 0 each), and an image of zeros.
class texture_bench {
public:
    explicit texture_bench(header_words header, const sampler_words& sampler = {}, std::size_t image_bytes = 512)
        : memory(std::make_shared<global_memory>()), unit(memory, {headers_at, samplers_at, 1, 1, 15})
    {
        header.address(image_at);
        memory->add(headers_at, bytes_of(header.words));
        memory->add(samplers_at, bytes_of(sampler.words));
        memory->add(image_at, std::vector<std::uint8_t>(image_bytes));
    }

    // The unit's answers; a fault fails the test.
    texel fetch(const texture::fetch_request& request) { return answer(&texture::texture_unit::fetch, request); }
    texel sample(const texture::sample_request& request) { return answer(&texture::texture_unit::sample, request); }
    texel gather(const texture::gather_request& request) { return answer(&texture::texture_unit::gather, request); }
    texel load(const texture::surface_request& request) { return answer(&texture::texture_unit::load, request); }

    std::uint8_t* image() { return memory->find(image_at, 1); }
    void change(const sampler_words& sampler) { std::memcpy(memory->find(samplers_at, 32), sampler.words.data(), 32); }

    std::shared_ptr<global_memory> memory;
    texture::texture_unit unit;

private:
    template <typename Request>
    texel answer(fault (texture::texture_unit::*call)(const Request&, texel&), const Request& request)
    {
        texel got{9, 9, 9, 9};
        EXPECT_EQ((unit.*call)(request, got), fault::none);
        return got;
    }
    static std::vector<std::uint8_t> bytes_of(const entry& words)
    {
        std::vector<std::uint8_t> bytes(sizeof words);
        std::memcpy(bytes.data(), words.data(), bytes.size());
        return bytes;
    }
};

} // namespace isbesim::test
