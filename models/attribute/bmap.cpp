// SPDX-License-Identifier: Apache-2.0
#include "models/attribute/bmap.h"

#include "models/attribute/attribute_map.h"

namespace isbesim {

attribute_set bmap_in(stage stage, const program_header& header, const attribute_set& supplied)
{
    return header.imap & (supplied | generated_inputs(stage));
}

attribute_set bmap_out(const program_header& header, const attribute_set& consumed)
{
    auto kept = consumed | store_request(header);
    if (header.shader_type == shader_type::tess) {
        kept.insert(attribute_address::tess_eval_u / 4);
        kept.insert(attribute_address::tess_eval_v / 4);
    }
    return header.omap & kept;
}

attribute_set last_stage_consumers(const attribute_set& captured)
{
    attribute_set fixed;
    for (unsigned a = attribute_address::layer; a <= attribute_address::position_w; a += 4) fixed.insert(a / 4);
    for (unsigned i = 0; i < 8; ++i) fixed.insert(attribute_address::clip_distance / 4 + i);
    fixed.insert(attribute_address::viewport_mask / 4);
    fixed.insert(attribute_address::viewport_mask / 4 + 1);
    return fixed | captured;
}

} // namespace isbesim
