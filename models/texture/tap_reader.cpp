// SPDX-License-Identifier: Apache-2.0
#include "models/texture/tap_reader.h"

#include <algorithm>

#include "models/texture/number.h"
#include "models/texture/texel_codec.h"

namespace isbesim::texture {

namespace {

bool holds(comparison how, float reference, float depth)
{
    switch (how) {
    case comparison::never:
        return false;
    case comparison::less:
        return reference < depth;
    case comparison::equal:
        return reference == depth;
    case comparison::less_equal:
        return reference <= depth;
    case comparison::greater:
        return reference > depth;
    case comparison::not_equal:
        return reference != depth;
    case comparison::greater_equal:
        return reference >= depth;
    case comparison::always:
        break;
    }
    return true;
}

bool is_unorm(number_type type)
{
    return type == number_type::unorm || type == number_type::unorm_half;
}

/// Clamps a border colour to the range of the format.
word clamped_border(word bits, number_type type)
{
    if (is_unorm(type)) return to_bits(std::clamp(to_float(bits), 0.0F, 1.0F));
    if (type == number_type::snorm || type == number_type::snorm_half)
        return to_bits(std::clamp(to_float(bits), -1.0F, 1.0F));
    return bits;
}

/// Reduces texels, component by component.
class accumulator {
public:
    explicit accumulator(reduction how) : how_(how) {}

    void add(const texel& components, double weight)
    {
        for (unsigned i = 0; i < 4; ++i) {
            const double value = to_float(components[i]);
            if (how_ == reduction::mean)
                values_[i] += weight * value;
            else if (empty_)
                values_[i] = value;
            else
                values_[i] = how_ == reduction::minimum ? std::min(values_[i], value) : std::max(values_[i], value);
        }
        empty_ = false;
    }
    texel result() const
    {
        texel components{};
        for (unsigned i = 0; i < 4; ++i) components[i] = to_bits(static_cast<float>(values_[i]));
        return components;
    }

private:
    reduction how_;
    bool empty_ = true;
    std::array<double, 4> values_{};
};

} // namespace

void tap_reader::compare_with(float reference)
{
    const header& header = image_.description();
    const bool fixed_point = is_unorm(header.types[header.texels->depth_channel]);
    compares_ = true;
    reference_ = fixed_point ? std::clamp(reference, 0.0F, 1.0F) : reference;
}

texel tap_reader::border() const
{
    const header& header = image_.description();
    if (compares_) {
        const unsigned channel = header.texels->depth_channel;
        texel channels{};
        channels[channel] = clamped_border(sampler_.border[0], header.types[channel]);
        return channels;
    }
    texel components = sampler_.border;
    for (unsigned i = 0; i < 4; ++i)
        if (is_channel(header.sources[i]))
            components[i] = clamped_border(components[i], header.types[channel_of(header.sources[i])]);
    return components;
}

fault tap_reader::read(const tap& one, texel& components) const
{
    const header& header = image_.description();
    texel channels{};
    if (one.border) {
        channels = border();
        if (!compares_) { // not swizzled: the driver does that (HARDWARE.md H.2)
            components = channels;
            return fault::none;
        }
    } else {
        const std::uint8_t* block = image_.find(memory_, one.place);
        if (block == nullptr) return fault::outside_memory;
        const format& format = *header.texels;
        channels = decode_texel(header, block, one.place.x % format.block_width, one.place.y % format.block_height,
                                header.srgb && sampler_.srgb);
    }
    if (compares_) {
        const bool passes = holds(sampler_.compare, reference_, to_float(channels[header.texels->depth_channel]));
        channels.fill(to_bits(passes ? 1.0F : 0.0F));
    }
    components = swizzle(header, channels);
    return fault::none;
}

fault tap_reader::filter(const footprint& texels, texel& result) const
{
    if (texels.count == 1) return read(texels.taps[0], result);
    accumulator sum(sampler_.reduce);
    for (unsigned i = 0; i < texels.count; ++i) {
        texel components{};
        const fault why = read(texels.taps[i], components);
        if (why != fault::none) return why;
        sum.add(components, texels.taps[i].weight);
    }
    result = sum.result();
    return fault::none;
}

} // namespace isbesim::texture
