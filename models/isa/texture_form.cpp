// SPDX-License-Identifier: Apache-2.0
#include "models/isa/texture_form.h"

#include "models/isa/opcode_row.h"

namespace isbesim::isa {

namespace {

using texture::level_mode;
using texture::shape;

unsigned modifier_of(const instruction& decoded, mod id)
{
    return decoded.modifiers[static_cast<std::size_t>(id)];
}

/// Numbers of 1D, 2D, 3D, CUBE, ARRAY_1D, ARRAY_2D, ARRAY_3D, ARRAY_CUBE.
shape general_shape(unsigned number)
{
    constexpr shape shapes[] = {shape::one_d,    shape::two_d,    shape::three_d,  shape::cube,
                                shape::array_1d, shape::array_2d, shape::array_2d, shape::array_cube};
    return shapes[number & 7U];
}
constexpr unsigned array_3d = 6;

/// Forms of TEXS and TLDS by number (Mesa: getTEXSTarget, getTLDSTarget).
struct short_form {
    texture::shape shape;
    level_mode level;
    bool compare = false, samples = false, offset = false;
};

constexpr short_form short_sample_forms[] = {
    {shape::one_d, level_mode::zero},           {shape::two_d, level_mode::implicit},
    {shape::two_d, level_mode::zero},           {shape::two_d, level_mode::explicit_level},
    {shape::two_d, level_mode::implicit, true}, {shape::two_d, level_mode::explicit_level, true},
    {shape::two_d, level_mode::zero, true},     {shape::array_2d, level_mode::implicit},
    {shape::array_2d, level_mode::zero},        {shape::array_2d, level_mode::zero, true},
    {shape::three_d, level_mode::implicit},     {shape::three_d, level_mode::zero},
    {shape::cube, level_mode::implicit},        {shape::cube, level_mode::explicit_level},
};

constexpr short_form no_form = {shape::two_d, level_mode::zero};
constexpr short_form short_fetch_forms[] = {
    {shape::one_d, level_mode::zero},
    {shape::one_d, level_mode::explicit_level},
    {shape::two_d, level_mode::zero},
    no_form,
    {shape::two_d, level_mode::zero, false, false, true},
    {shape::two_d, level_mode::explicit_level},
    {shape::two_d, level_mode::zero, false, true},
    {shape::three_d, level_mode::zero},
    {shape::array_2d, level_mode::zero},
    no_form,
    no_form,
    no_form,
    {shape::two_d, level_mode::explicit_level, false, false, true},
};

void take_short(const instruction& decoded, texture_form& form)
{
    const texture_traits& traits = decoded.row->texture;
    form.in_pairs = true;
    form.mask = traits.mask;
    if (form.kind == texture_kind::gather) {
        // Without a second destination, only the first two components exist.
        form.mask = decoded.at(slot::c).index == register_zero ? 0x3 : 0xf;
        form.component = modifier_of(decoded, mod::function);
        form.compare = modifier_of(decoded, mod::shadow) != 0;
        form.offset_words = modifier_of(decoded, mod::offsets);
        return;
    }
    const short_form& row =
        form.kind == texture_kind::sample ? short_sample_forms[traits.code] : short_fetch_forms[traits.code];
    form.shape = row.shape;
    form.level = row.level;
    form.compare = row.compare;
    form.samples = row.samples;
    form.offset_words = row.offset ? 1 : 0;
}

/// .LZ 1, .LB 2, .LL 3; 4 more if a smallest level is given too.
void take_level(unsigned number, texture_form& form)
{
    constexpr level_mode modes[] = {level_mode::implicit, level_mode::zero, level_mode::bias,
                                    level_mode::explicit_level};
    form.level = modes[number & 3U];
    form.level_clamp = (number & 4U) != 0;
}

void take_general(const instruction& decoded, texture_form& form)
{
    const unsigned number = decoded.at(slot::pa).value;
    const unsigned function = modifier_of(decoded, mod::function);
    form.in_register = decoded.row->texture.in_register;
    form.in_pairs = modifier_of(decoded, mod::scalar) != 0;
    form.mask = decoded.at(slot::pb).value;
    if (form.kind == texture_kind::query) {
        const unsigned type = decoded.row->texture.counts_queries ? 1 : 2;
        form.counted = number != type;
        return;
    }
    form.shape = general_shape(number);
    form.known_shape = number != array_3d;
    form.offset_words = modifier_of(decoded, mod::offsets);
    switch (form.kind) {
    case texture_kind::sample:
        take_level(function, form);
        form.compare = modifier_of(decoded, mod::shadow) != 0;
        break;
    case texture_kind::fetch:
        form.level = function == decoded.row->texture.code ? level_mode::explicit_level : level_mode::zero;
        form.samples = modifier_of(decoded, mod::shadow) != 0;
        break;
    case texture_kind::gather:
        form.component = function;
        form.compare = modifier_of(decoded, mod::shadow) != 0;
        break;
    case texture_kind::gradients:
        form.level = level_mode::gradients;
        break;
    default:
        form.level = level_mode::implicit;
        break;
    }
}

} // namespace

texture_form form_of(const instruction& decoded)
{
    texture_form form;
    form.kind = decoded.row->texture.kind;
    form.is_short = decoded.row->texture.is_short;
    if (decoded.row->texture.is_short)
        take_short(decoded, form);
    else
        take_general(decoded, form);
    return form;
}

namespace {

texture_sources general_sources(const texture_form& form)
{
    const unsigned handle = form.in_register ? 1 : 0;
    if (form.kind == texture_kind::query) return {handle + (form.counted ? 1 : 0), 0};

    const unsigned coordinates = texture::coordinates_of(form.shape);
    unsigned layer = texture::is_array(form.shape) || form.level_clamp ? 1 : 0;
    if (form.kind == texture_kind::gradients) {
        layer |= form.offset_words; // in the upper half of the layer
        return {handle + coordinates + layer, 2 * coordinates};
    }
    const bool level = form.level == level_mode::bias || form.level == level_mode::explicit_level;
    return {layer + coordinates,
            handle + (form.samples ? 1U : 0U) + (level ? 1U : 0U) + form.offset_words + (form.compare ? 1U : 0U)};
}

} // namespace

texture_sources sources_of(const texture_form& form)
{
    const texture_sources all = general_sources(form);
    if (!form.in_pairs) return all;
    const unsigned count = all.first + all.second;
    // The layer of a TLDS is alone in the first group.
    if (form.is_short && form.kind == texture_kind::fetch && form.shape == shape::array_2d) return {1, count - 1};
    const unsigned first = count > 2 ? 2 : 1;
    return {first, count - first};
}

texture::shape surface_shape(unsigned target)
{
    constexpr shape shapes[] = {shape::one_d, shape::one_d,    shape::array_1d,
                                shape::two_d, shape::array_2d, shape::three_d};
    return shapes[target < 6 ? target : 0];
}

unsigned surface_coordinates(unsigned target)
{
    const shape where = surface_shape(target);
    return texture::coordinates_of(where) + (texture::is_array(where) ? 1U : 0U);
}

} // namespace isbesim::isa
