#include "models/attribute/al2p.h"

namespace isbesim {

word encode_al2p(const al2p_result& value)
{
    const word base = al2p_bits::tag | (value.space == space::output ? al2p_bits::space : 0U);
    if (value.out_of_range) return base | al2p_bits::out_of_range;
    return base | (value.per_primitive ? al2p_bits::per_primitive : 0U) | (value.enabled ? al2p_bits::enabled : 0U) |
           word{value.id} << 8 | value.rank;
}

al2p_result decode_al2p(word value)
{
    al2p_result r;
    r.rank = static_cast<std::uint8_t>(value & 0xffU);
    r.id = static_cast<std::uint8_t>((value >> 8) & 0xffU);
    r.enabled = (value & al2p_bits::enabled) != 0;
    r.out_of_range = (value & al2p_bits::out_of_range) != 0;
    r.space = (value & al2p_bits::space) != 0 ? space::output : space::input;
    r.per_primitive = (value & al2p_bits::per_primitive) != 0;
    return r;
}

} // namespace isbesim
