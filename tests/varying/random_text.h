// SPDX-License-Identifier: Apache-2.0
// Random TGSI texts and their parts: arrays of varyings, ways to name their elements, instructions that move them.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace isbesim::test {

class text_writer {
public:
    explicit text_writer(unsigned seed) : twister_(seed) {}

    /// Arrays of random widths, places and ways to be indexed, one after the other.
    struct array {
        unsigned id, first, count, width;
        bool by_component, spaced;
        std::string declared; ///< after the register
    };

    unsigned pick(unsigned below) { return static_cast<unsigned>(twister_() % below); }
    bool chance(unsigned sides) { return pick(sides) == 0; }

    std::vector<array> arrays(const std::string& semantic, unsigned first_register, unsigned first_scalar,
                              unsigned end_scalar, unsigned most)
    {
        std::vector<array> result;
        unsigned number = first_register, scalar = first_scalar + pick(4), id = 1 + pick(3);
        while (result.size() < most) {
            const unsigned width = 1 + pick(4), count = 1 + pick(6);
            const bool spaced = chance(4);
            if (spaced) scalar = (scalar + 3) / 4 * 4;
            const unsigned fraction = spaced ? pick(5 - width) : scalar % 4;
            const unsigned size = spaced ? 4 * count : width * count;
            if (scalar + size > end_scalar) break;
            const bool by_component = (!spaced || width == 4 || count == 1) && chance(2);
            array each{id, number, count, width, by_component, spaced, "." + std::string("xyzw").substr(0, width)};
            each.declared += ", " + semantic + "[" + std::to_string(scalar / 4);
            if (spaced) each.declared += ".." + std::to_string(scalar / 4 + count - 1);
            each.declared += std::string("].") + "xyzw"[fraction] + ", ARRAY(" + std::to_string(id) + ")";
            if (by_component) each.declared += ", COMPONENT_INDEX";
            result.push_back(each);
            number += count + pick(2);
            scalar += size + pick(3);
            ++id;
        }
        std::shuffle(result.begin(), result.end(), twister_);
        return result;
    }

    static std::string declare(const std::string& file, const array& each)
    {
        return "DCL " + file + "[" + std::to_string(each.first) + ".." + std::to_string(each.first + each.count - 1) +
               "]" + each.declared + "\n";
    }

    static std::string plus(int value) { return value == 0 ? "" : (value > 0 ? "+" : "") + std::to_string(value); }

    /// Register `name[…]` of an array, fixed or at a run-time index out of `indices`.
    std::string element(const std::string& file, const std::string& vertex, const array& which,
                        const std::vector<std::string>& indices, int low = -2, int high = 2)
    {
        if (chance(4)) return file + vertex + "[" + std::to_string(which.first + pick(which.count)) + "]";
        const int shift = low + static_cast<int>(pick(static_cast<unsigned>(high - low + 1)));
        const auto& index = indices[pick(static_cast<unsigned>(indices.size()))];
        const auto id = "(" + std::to_string(which.id) + ")";
        if (chance(2)) return file + id + vertex + "[" + index + plus(shift) + "]";
        return file + vertex + "[" + index + plus(shift + static_cast<int>(which.first)) + "]" + id;
    }

    std::string swizzle(unsigned width)
    {
        std::string text = ".";
        for (unsigned c = 0; c < 4; ++c) text += "xyzw"[pick(width)];
        return text;
    }

    std::string mask(unsigned width)
    {
        std::string text;
        for (unsigned c = 0; c < width; ++c)
            if (!chance(4)) text += "xyzw"[c];
        return text.empty() ? "" : "." + text;
    }

    /// An instruction that moves `source` to `target` in one of several ways.
    std::string transfer(const std::string& target, const std::string& source)
    {
        switch (pick(5)) {
        case 0:
            return "MOV " + target + ", IMM[0].yxwz\n";
        case 1:
            return "ADD " + target + ", -|" + source + "|, IMM[0].xyzw\n";
        case 2: {
            const auto kept = "TEMP[" + std::to_string(pick(3)) + "]";
            return "MOV " + kept + ", " + source + "\nMAX " + target + ", " + kept + ".wzyx, IMM[0].zzzz\n";
        }
        default:
            return "MOV " + target + ", " + source + "\n";
        }
    }

    /// A vertex program whose outputs are these, with values of their own.
    static std::string supplier(const std::vector<array>& outputs, const std::string& more = "")
    {
        std::string declared = "VERT\nDCL IN[0..31]\nDCL OUT[90], POSITION\n" + more, moves;
        unsigned scalar = 0;
        moves = "MOV OUT[90], IN[30]\n";
        for (const auto& each : outputs) {
            declared += declare("OUT", each);
            for (unsigned r = each.first; r < each.first + each.count; ++r)
                for (unsigned c = 0; c < each.width; ++c, ++scalar)
                    moves += "MOV OUT[" + std::to_string(r) + "]." + "xyzw"[c] + ", IN[" +
                             std::to_string(scalar / 4 % 30) + "]." + std::string(4, "xyzw"[scalar % 4]) + "\n";
        }
        return declared + moves;
    }

private:
    std::mt19937 twister_;
};

/// The operands of transfers.
inline const std::string random_immediates =
    "IMM[0] FLT32 {0.5, 2.0, -1.0, 3.0}\nIMM[1] UINT32 {3, 1, 7, 2}\nDCL TEMP[0..3]\n"
    "MOV TEMP[0], IMM[0].xxxx\nMOV TEMP[1], IMM[0].yyyy\nMOV TEMP[2], IMM[0].zwzw\n";

/// A vertex program that moves elements of arrays. Two indices come in attribute 31: from outside the arrays, too, when
/// they are -3 to 11.
inline std::string random_vertex_text(unsigned seed)
{
    text_writer make(seed);
    const auto inputs = make.arrays("GENERIC", make.pick(3), 4, 60, 3);
    auto outputs = make.arrays("GENERIC", make.pick(3), 0, 90, 3);
    outputs.push_back({9, 101, 8, 1, false, false, ".x, CLIPDIST, ARRAY(9)"});
    std::string text = "VERT\n";
    for (const auto& each : inputs) text += text_writer::declare("IN", each);
    for (const auto& each : outputs) text += text_writer::declare("OUT", each);
    text += "DCL IN[100], GENERIC[31]\nDCL OUT[100], POSITION\n" + random_immediates +
            "UARL ADDR[0].xy, IN[100].xyyy\nMOV OUT[100], IN[100].zzww\n";
    const std::vector<std::string> indices = {"ADDR[0].x", "ADDR[0].y"};
    for (unsigned i = 4 + make.pick(5); i > 0; --i) {
        const auto& output = outputs[make.pick(static_cast<unsigned>(outputs.size()))];
        const auto& input = inputs[make.pick(static_cast<unsigned>(inputs.size()))];
        text += make.transfer(make.element("OUT", "", output, indices) + make.mask(output.width),
                              make.element("IN", "", input, indices) + make.swizzle(input.width));
    }
    return text + "END\n";
}

} // namespace isbesim::test
