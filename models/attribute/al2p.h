// SPDX-License-Identifier: Apache-2.0
// AL2P results: the opaque word between AL2P and a .PHYS access (HARDWARE.md C, micro-architecture 4.2 and 4.4).
#pragma once

#include <cstdint>

#include "models/attribute/attribute_set.h"
#include "models/isbe/rules/physical_address.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Fields of a result. An out-of-range result has only its space.
struct al2p_result {
    std::uint8_t rank = 0; ///< place in the packed vertex record
    std::uint8_t id = 0;   ///< logical attribute, for its default value
    bool enabled = false;
    bool out_of_range = false;
    isbesim::space space = isbesim::space::input;
    bool per_primitive = false; ///< PRIMITIVE_ID, or a generated attribute that lies in PRIM
};

word encode_al2p(const al2p_result& value);
al2p_result decode_al2p(word value);

/// True when `value` carries the tag of a result and belongs to `space`. Bits 16, 17, 19 and the fields may have
/// any value.
constexpr bool is_al2p_result(word value, space space)
{
    return rules::is_result_of<word>(value, space == space::output);
}

} // namespace isbesim
