// SPDX-License-Identifier: Apache-2.0
// Registers of texture instructions by their contents.
#pragma once

#include <sstream>

#include <gtest/gtest.h>

#include "tests/isa/texture_lab.h"

namespace isbesim::isa {

/// The request of lane i: all its coordinates differ.
struct place {
    unsigned x, y, layer;
    explicit place(unsigned lane) : x(lane % 5 + 2), y(lane % 3 + 1), layer(lane % 4 + 1) {}
};

inline constexpr word packed_offset = 0x2f; // x - 1, y + 2

/// The depth is 0.5 everywhere, and the reference of every third lane is above.
inline bool depth_passes(unsigned lane)
{
    return lane % 3 != 0;
}

/// The word that a name stands for: X Y Z as normalised floats, IX IY IZ as numbers, L layer, H handle, V level 1 as a
/// float and IV as a number, N a negative bias, O an offset, D a reference below or above the depth, S a sample, G an
/// offset of a gather, G0 G1 four of them.
inline word argument(const std::string& name, unsigned lane, word handle)
{
    const place at(lane);
    const auto normalised = [](unsigned number, unsigned size) {
        return to_bits((static_cast<float>(number) + 0.5F) / static_cast<float>(size));
    };
    if (name == "X") return normalised(at.x, image_width);
    if (name == "Y") return normalised(at.y, image_height);
    if (name == "Z") return normalised(at.layer, image_layers);
    if (name == "x") return to_bits((static_cast<float>(at.x) + 1) / image_width); // between two texels
    if (name == "y") return to_bits((static_cast<float>(at.y) + 1) / image_height);
    if (name == "IX") return at.x;
    if (name == "IY") return at.y;
    if (name == "L" || name == "IZ") return at.layer;
    if (name == "LO") return at.layer | packed_offset << 16;
    if (name == "LG") return at.layer | 0xabcdU << 16; // 16 bits of it count
    if (name == "H") return handle;
    if (name == "V") return to_bits(1.0F);
    if (name == "IV") return 1;
    if (name == "O") return packed_offset;
    if (name == "D") return to_bits(depth_passes(lane) ? 0.25F : 0.75F);
    if (name == "S") return lane % 2;
    if (name == "G") return 0x42bf;                       // x - 1, y + 2 in six bits of a byte
    if (name == "G0") return 0x01000000;                  // first texel: 0, 0; second: 0, 1
    if (name == "G1") return 0x00010200;                  // third: 0, 2; fourth: 1, 0
    if (name == "DX") return to_bits(2.0F / image_width); // two texels a step: level 1
    if (name == "DZ") return to_bits(2.0F / image_layers);
    if (name == "x0") return to_bits(lane % 6 < 2 ? (lane % 2 == 0 ? 1.0F : -1.0F) : 0.1F); // to face lane % 6
    if (name == "y0") return to_bits(lane % 6 / 2 == 1 ? (lane % 2 == 0 ? 1.0F : -1.0F) : 0.2F);
    if (name == "z0") return to_bits(lane % 6 / 2 == 2 ? (lane % 2 == 0 ? 1.0F : -1.0F) : 0.3F);
    if (name == "C") return 1; // the second cube of an array
    if (name == "0") return 0;
    ADD_FAILURE() << name;
    return 0;
}

/// R4 and on get the names of the first list, R8 (of four: R12) and on those of the second.
struct sources {
    const char* first;
    const char* second;
};

/// The content of registers that an instruction must not read; any argument that has it changes the result.
inline constexpr word garbage = 0x7fde'adbf;

/// With `text` run.
inline texture_lab prepared(const std::string& text, architecture arch, const sources& registers, word handle)
{
    texture_lab bench(text, arch);
    bench.set_handle(handle);
    for (unsigned r = 4; r < 20; ++r) bench.fill(r, garbage);
    const auto fill = [&](const char* names, unsigned index) {
        std::istringstream list(names);
        for (std::string name; list >> name; ++index)
            for (unsigned i = 0; i < warp_lanes; ++i) bench[index][i] = argument(name, i, handle);
    };
    fill(registers.first, 4);
    fill(registers.second, 12);
    bench.run();
    return bench;
}

} // namespace isbesim::isa
