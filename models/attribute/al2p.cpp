#include "models/attribute/al2p.h"

#include "models/attribute/attribute_map.h"
#include "models/isbe/faults.h"

namespace isbesim {

namespace {
constexpr word tag = 0xa2000000U;
constexpr word per_primitive_bit = 1U << 19;
constexpr word space_bit = 1U << 18;
constexpr word out_of_range_bit = 1U << 17;
constexpr word enabled_bit = 1U << 16;
} // namespace

word encode_al2p(const al2p_result& value)
{
    const word base = tag | (value.space == space::output ? space_bit : 0U);
    if (value.out_of_range) return base | out_of_range_bit;
    return base | (value.per_primitive ? per_primitive_bit : 0U) | (value.enabled ? enabled_bit : 0U) |
           word{value.id} << 8 | value.rank;
}

al2p_result decode_al2p(word value)
{
    al2p_result r;
    r.rank = static_cast<std::uint8_t>(value & 0xffU);
    r.id = static_cast<std::uint8_t>((value >> 8) & 0xffU);
    r.enabled = (value & enabled_bit) != 0;
    r.out_of_range = (value & out_of_range_bit) != 0;
    r.space = (value & space_bit) != 0 ? space::output : space::input;
    r.per_primitive = (value & per_primitive_bit) != 0;
    return r;
}

word translate_al2p(const attribute_set& allocated, const attribute_set& enabled, space space, std::int64_t address,
                    unsigned size)
{
    al2p_result r;
    r.space = space;
    if (address < 0 || address >= attribute_space_bytes) {
        r.out_of_range = true;
    } else {
        const auto id = static_cast<unsigned>(align_to_size(address, size) / 4);
        r.id = static_cast<std::uint8_t>(id);
        r.rank = static_cast<std::uint8_t>(allocated.rank(id));
        r.enabled = enabled.contains(id) && allocated.contains(id);
        r.per_primitive = is_per_primitive(id) && !ISBESIM_FAULT(9);
    }
    return encode_al2p(r);
}

} // namespace isbesim
