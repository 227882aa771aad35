// SPDX-License-Identifier: Apache-2.0
#include "models/attribute/al2p.h"

namespace isbesim {

word encode_al2p(const al2p_result& value)
{
    return rules::al2p_result<word>(value.space == space::output, !value.out_of_range, value.per_primitive,
                                    value.enabled ? 1 : 0, value.id, value.rank);
}

al2p_result decode_al2p(word value)
{
    const auto fields = rules::decode_physical(value);
    al2p_result r;
    r.rank = static_cast<std::uint8_t>(fields.rank);
    r.id = static_cast<std::uint8_t>(fields.id);
    r.enabled = fields.enabled != 0;
    r.out_of_range = fields.out_of_range != 0;
    r.space = rules::is_for_output(value) ? space::output : space::input;
    r.per_primitive = rules::is_for_primitive(value);
    return r;
}

} // namespace isbesim
