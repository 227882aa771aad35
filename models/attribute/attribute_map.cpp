// SPDX-License-Identifier: Apache-2.0
#include "models/attribute/attribute_map.h"

#include <array>

#include "models/isbe/rules/default_value.h"

namespace isbesim {

namespace {

/// A run of scalars: `vectors` groups of `components` words. `indexed` names carry [i].
struct map_row {
    unsigned address;
    std::string_view name;
    unsigned vectors;
    unsigned components;
    bool indexed;
    std::string_view suffix; ///< one letter per component; empty for a single component
};

constexpr std::array<map_row, 23> map_rows{{
    {0x05c, "VPRS_TABLE_INDEX", 1, 1, false, ""},
    {0x060, "PRIMITIVE_ID", 1, 1, false, ""},
    {0x064, "RT_ARRAY_INDEX", 1, 1, false, ""},
    {0x068, "VIEWPORT_INDEX", 1, 1, false, ""},
    {0x06c, "POINT_SIZE", 1, 1, false, ""},
    {0x070, "POSITION", 1, 4, false, "XYZW"},
    {0x080, "GENERIC", 32, 4, true, "xyzw"},
    {0x280, "COLOR_FRONT_DIFFUSE", 1, 4, false, "RGBA"},
    {0x290, "COLOR_FRONT_SPECULAR", 1, 4, false, "RGBA"},
    {0x2a0, "COLOR_BACK_DIFFUSE", 1, 4, false, "RGBA"},
    {0x2b0, "COLOR_BACK_SPECULAR", 1, 4, false, "RGBA"},
    {0x2c0, "CLIP_DISTANCE", 8, 1, true, ""},
    {0x2e0, "POINT_SPRITE", 1, 2, false, "ST"},
    {0x2e8, "FOG_COORDINATE", 1, 1, false, ""},
    {0x2f0, "TESS_EVAL_POINT", 1, 2, false, "UV"},
    {0x2f8, "INSTANCE_ID", 1, 1, false, ""},
    {0x2fc, "VERTEX_ID", 1, 1, false, ""},
    {0x300, "FIXED_FNC_TEXTURE", 10, 4, true, "STRQ"},
    {0x3a0, "VIEWPORT_MASK", 1, 1, false, ""},
    {0x3a4, "VIEWPORT_MASK2", 1, 1, false, ""},
    {0x3a8, "BARYCENTRIC", 3, 1, true, ""},
    {0x3b4, "BARYCENTRIC_W", 3, 1, true, ""},
    {0x3fc, "FRONT_FACE", 1, 1, false, ""},
}};

constexpr std::array<map_row, 7> patch_rows{{
    {0x000, "TESSELLATION_LOD_LEFT", 1, 1, false, ""},
    {0x004, "TESSELLATION_LOD_RIGHT", 1, 1, false, ""},
    {0x008, "TESSELLATION_LOD_BOTTOM", 1, 1, false, ""},
    {0x00c, "TESSELLATION_LOD_TOP", 1, 1, false, ""},
    {0x010, "TESSELLATION_INTERIOR_U", 1, 1, false, ""},
    {0x014, "TESSELLATION_INTERIOR_V", 1, 1, false, ""},
    {0x020, "PATCH", 62, 4, true, "xyzw"},
}};

std::string scalar_name(const map_row& row, unsigned address)
{
    const unsigned word_index = (address - row.address) / 4;
    std::string name(row.name);
    if (row.indexed) name += "[" + std::to_string(word_index / row.components) + "]";
    if (row.components > 1) {
        // Indexed vectors read like shader variables; the fixed ones use the header's underscore style.
        name += row.indexed ? '.' : '_';
        name += row.suffix[word_index % row.components];
    }
    return name;
}

std::string hex_address(unsigned address)
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string text = "0x";
    for (int shift = 8; shift >= 0; shift -= 4) text += digits[(address >> shift) & 0xfU];
    return text;
}

template <std::size_t N>
std::string name_in(const std::array<map_row, N>& rows, unsigned address)
{
    if (address >= attribute_space_bytes) return "OUT_OF_RANGE";
    address &= ~3U;
    for (const auto& row : rows)
        if (address >= row.address && address < row.address + row.vectors * row.components * 4)
            return scalar_name(row, address);
    return "RESERVED[" + hex_address(address) + "]";
}

} // namespace

std::string attribute_name(unsigned address)
{
    return name_in(map_rows, address);
}

std::string patch_attribute_name(unsigned address)
{
    return name_in(patch_rows, address);
}

attribute_set generated_inputs(stage stage)
{
    attribute_set set;
    switch (stage) {
    case stage::vertex_a:
    case stage::vertex:
        set.insert(attribute_address::vertex_id / 4);
        set.insert(attribute_address::instance_id / 4);
        break;
    case stage::tess_init:
    case stage::tess:
    case stage::geometry:
        set.insert(primitive_id_attribute);
        break;
    default:
        break;
    }
    return set;
}

word attribute_default(unsigned id, std::uint32_t bits, word position_w)
{
    return rules::default_value<word>(id, bits, position_w);
}

} // namespace isbesim
