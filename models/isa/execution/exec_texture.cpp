// SPDX-License-Identifier: Apache-2.0
// Textures: turns registers into requests (texture/request.h), lane by lane, and results into registers.
#include <string>

#include "models/isa/execution/register_lanes.h"
#include "models/isa/execution/texture_access.h"
#include "models/isa/texture_form.h"

namespace isbesim::isa::run {

namespace {

using texture::texel;

/// The argument registers of an instruction, one after the other.
class arguments {
public:
    arguments(const machine& m, const texture_form& form)
        : m_(m), form_(form), sources_(sources_of(form)), first_(m.now.at(slot::a)), second_(m.now.at(slot::b))
    {
    }
    words next()
    {
        const unsigned k = taken_++;
        const bool in_first = k < sources_.first;
        const operand& group = in_first ? first_ : second_;
        if (group.index == register_zero) return {};
        return register_words(m_, group.index + (in_first ? k : k - sources_.first));
    }
    /// From its register if it has one, else from its constant.
    words handle() { return form_.in_register ? next() : bound_handle(m_); }

private:
    const machine& m_;
    const texture_form& form_;
    texture_sources sources_;
    const operand& first_;
    const operand& second_;
    unsigned taken_ = 0;
};

std::int8_t signed_field(word value, unsigned position, unsigned width)
{
    const word shifted = value << (32 - position - width);
    return static_cast<std::int8_t>(static_cast<std::int32_t>(shifted) >> (32 - width));
}

/// Four bits a coordinate.
std::array<std::int8_t, 3> texel_offset(word packed)
{
    return {signed_field(packed, 0, 4), signed_field(packed, 4, 4), signed_field(packed, 8, 4)};
}

/// All possible arguments of samples, fetches and gathers, in the order of the registers.
struct lane_arguments {
    std::array<words, 3> coordinates{};
    words layer{}, handle{}, sample{}, level{}, offset{}, more_offsets{}, reference{};
    std::array<words, 6> derivatives{};
};

lane_arguments read_arguments(const machine& m, const texture_form& form)
{
    arguments registers(m, form);
    lane_arguments read;
    const unsigned coordinates = texture::coordinates_of(form.shape);
    const bool layer = texture::is_array(form.shape);
    if (form.kind == texture_kind::gradients) {
        read.handle = registers.handle();
        for (unsigned c = 0; c < coordinates; ++c) read.coordinates[c] = registers.next();
        if (layer || form.offset_words != 0) read.layer = registers.next();
        read.offset = map_lanes([&](unsigned i) { return form.offset_words != 0 ? read.layer[i] >> 16 : 0; });
        for (auto& each : read.layer) each &= 0xffffU;
        for (unsigned k = 0; k < 2 * coordinates; ++k) read.derivatives[k] = registers.next();
        return read;
    }
    if (layer) read.layer = registers.next();
    for (unsigned c = 0; c < coordinates; ++c) read.coordinates[c] = registers.next();
    read.handle = registers.handle();
    if (form.samples) read.sample = registers.next();
    if (form.level == texture::level_mode::bias || form.level == texture::level_mode::explicit_level)
        read.level = registers.next();
    if (form.offset_words > 0) read.offset = registers.next();
    if (form.offset_words > 1) read.more_offsets = registers.next();
    if (form.compare) read.reference = registers.next();
    for (auto& each : read.layer) each &= 0xffffU;
    return read;
}

/// Writes the requested components of each lane to consecutive registers of the destinations.
void write_texels(machine& m, const texture_form& form, const per_lane<texel>& found)
{
    const bool pairs = m.now.row->texture.pairs;
    const auto count = static_cast<unsigned>(__builtin_popcount(form.mask));
    const unsigned in_first = results_in_first(count, pairs);
    unsigned k = 0;
    for (unsigned c = 0; form.mask >> c != 0; ++c) {
        if ((form.mask >> c & 1U) == 0) continue;
        const operand& to = m.now.at(k < in_first ? slot::d : slot::c);
        write_register(m, to.index + (k < in_first ? k : k - in_first),
                       map_lanes([&](unsigned i) { return found[i][c]; }));
        ++k;
    }
    write_predicate(m, slot::pd, 0); // set if a sparse texture has no memory; no texture is sparse
}

/// Writes the unit's result for each lane's request; traps, with nothing written, if a lane's texture can't be read.
template <typename Request>
void for_each_lane(machine& m, const texture_form& form, Request ask)
{
    per_lane<texel> found{};
    for (unsigned i = 0; i < warp_lanes; ++i)
        if ((m.lanes >> i & 1U) != 0 && !answered(m, ask(i, found[i]))) return;
    write_texels(m, form, found);
}

texture_form checked_form(const machine& m)
{
    const texture_form form = form_of(m.now);
    if (!form.known_shape) refuse(m, "names a three-dimensional array, which no programming interface has");
    if (form.level_clamp) refuse(m, "gives a smallest level, which only fragment programs can");
    if (has(m, mod::scalar) &&
        (form.in_register || form.samples || form.compare || form.offset_words != 0 ||
         form.level == texture::level_mode::bias || form.level == texture::level_mode::explicit_level))
        refuse(m, "takes more than coordinates and layer from pairs (.SCR), which no open compiler emits");
    if (has(m, mod::clamp)) refuse(m, "clamps its coordinates (.CL), which no open compiler emits");
    return form;
}

/// The difference between a coordinate and that of the lane beside or below in the quad; 0 if either is inactive.
float quad_difference(const machine& m, const words& values, unsigned lane, unsigned step)
{
    const unsigned low = lane & ~step, high = lane | step;
    if ((m.lanes >> low & 1U) == 0 || (m.lanes >> high & 1U) == 0) return 0;
    return to_float(values[high]) - to_float(values[low]);
}

texture::query asked(const machine& m)
{
    const unsigned number = m.now.at(slot::pa).value;
    if (m.now.row->texture.counts_queries && number < 3) return static_cast<texture::query>(number);
    if (number == 1) return texture::query::dimension;
    if (number == 2) return texture::query::texture_type;
    if (number != 5) refuse(m, "asks for the sampler's state, which no open compiler emits");
    return texture::query::sampler_pos;
}

texture::sample_request sample_of(const machine& m, const texture_form& form, const lane_arguments& values,
                                  unsigned lane)
{
    texture::sample_request request;
    request.handle = {values.handle[lane]};
    request.shape = form.shape;
    request.level = form.level;
    request.layer = values.layer[lane];
    request.level_value = to_float(values.level[lane]);
    request.compare = form.compare;
    request.reference = to_float(values.reference[lane]);
    request.offset = texel_offset(values.offset[lane]);
    for (unsigned c = 0; c < 3; ++c) request.coordinates[c] = to_float(values.coordinates[c][lane]);
    for (unsigned c = 0; c < 3; ++c) {
        request.ddx[c] = to_float(values.derivatives[2 * c][lane]);
        request.ddy[c] = to_float(values.derivatives[2 * c + 1][lane]);
    }
    // With .NDV the lanes of a quad are neighbours even without pixels, for gradients that the compiler decomposes.
    if (form.level == texture::level_mode::implicit && has(m, mod::derivative)) {
        request.level = texture::level_mode::gradients;
        for (unsigned c = 0; c < texture::coordinates_of(form.shape); ++c) {
            request.ddx[c] = quad_difference(m, values.coordinates[c], lane, 1);
            request.ddy[c] = quad_difference(m, values.coordinates[c], lane, 2);
        }
    }
    return request;
}

texture::gather_request gather_of(const texture_form& form, const lane_arguments& values, unsigned lane)
{
    texture::gather_request request;
    request.handle = {values.handle[lane]};
    request.shape = form.shape;
    request.layer = values.layer[lane];
    request.component = form.component;
    request.compare = form.compare;
    request.reference = to_float(values.reference[lane]);
    for (unsigned c = 0; c < 3; ++c) request.coordinates[c] = to_float(values.coordinates[c][lane]);
    request.four_offsets = form.offset_words == 2;
    for (unsigned k = 0; k < 4; ++k) {
        // Two bytes each, for one offset as for four.
        const unsigned position = k % 2 * 16;
        const word packed = k < 2 ? values.offset[lane] : values.more_offsets[lane];
        request.offsets[k] = {signed_field(packed, position, 6), signed_field(packed, position + 8, 6)};
    }
    return request;
}

} // namespace

void sample_texture(machine& m)
{
    const texture_form form = checked_form(m);
    const lane_arguments values = read_arguments(m, form);
    auto& unit = textures_of(m);
    for_each_lane(m, form, [&](unsigned i, texel& found) { return unit.sample(sample_of(m, form, values, i), found); });
}

void gather_texture(machine& m)
{
    const texture_form form = checked_form(m);
    const lane_arguments values = read_arguments(m, form);
    auto& unit = textures_of(m);
    for_each_lane(m, form, [&](unsigned i, texel& found) { return unit.gather(gather_of(form, values, i), found); });
}

void fetch_texture(machine& m)
{
    const texture_form form = checked_form(m);
    const lane_arguments values = read_arguments(m, form);
    auto& unit = textures_of(m);
    for_each_lane(m, form, [&](unsigned i, texel& found) {
        texture::fetch_request request;
        request.handle = {values.handle[i]};
        request.shape = form.shape;
        request.layer = values.layer[i];
        request.level = static_cast<std::int32_t>(values.level[i]);
        request.sample = values.sample[i];
        request.offset = texel_offset(values.offset[i]);
        for (unsigned c = 0; c < 3; ++c) request.coordinates[c] = static_cast<std::int32_t>(values.coordinates[c][i]);
        return unit.fetch(request, found);
    });
}

void query_level(machine& m)
{
    const texture_form form = checked_form(m);
    const lane_arguments values = read_arguments(m, form);
    auto& unit = textures_of(m);
    for_each_lane(m, form, [&](unsigned i, texel& found) {
        texture::level_of_detail level;
        const auto why = unit.query_level(sample_of(m, form, values, i), level);
        found = {level.computed, level.clamped, 0, 0};
        return why;
    });
}

void query_texture(machine& m)
{
    const texture_form form = checked_form(m);
    arguments registers(m, form);
    const words handle = registers.handle(), level = form.counted ? registers.next() : words{};
    const texture::query query = asked(m);
    auto& unit = textures_of(m);
    for_each_lane(m, form, [&](unsigned i, texel& found) {
        return unit.query_header({handle[i]}, query, static_cast<std::int32_t>(level[i]), found);
    });
}

} // namespace isbesim::isa::run

namespace isbesim::isa {

texture::texture_unit& textures_of(const machine& m)
{
    if (m.warp.textures == nullptr) refuse(m, "needs textures, and the draw has none (key 'textures' of a scenario)");
    return *m.warp.textures;
}

words bound_handle(const machine& m)
{
    // SM75 names bank and place, SM50 a place in the bank that the driver chose. Both places count words.
    const operand& bank = m.now.at(slot::ps);
    if (bank.kind == operand::source::immediate)
        return broadcast(constant_word(m, bank.value, m.now.at(slot::address).value));
    return broadcast(constant_word(m, textures_of(m).where().handle_bank, m.now.at(slot::extra).value));
}

bool answered(machine& m, texture::fault why)
{
    if (why == texture::fault::none) return true;
    if (why != texture::fault::outside_memory) refuse(m, std::string("cannot be carried out: ") + describe(why));
    trap(m, trap_out_of_range);
    return false;
}

} // namespace isbesim::isa
