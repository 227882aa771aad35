// SPDX-License-Identifier: Apache-2.0
// The regions of a space that ISBERD and ISBEWR name (micro-architecture section 4.5).
#pragma once

#include "models/isbe/rules/word_type.h"
#include "tlm/warp_op.h"

namespace isbesim::rules {

/// In bytes. The base of the physical region is 0.
template <typename word_type>
struct region_extent {
    word_type base;
    word_type bytes;
};

/// `layout` has the fields of a space of the descriptor; `storage_bytes` is LINES * 128.
template <typename word_type, typename layout>
ISBESIM_RULE region_extent<word_type> extent_of(word_type region, const layout& s, word_type storage_bytes)
{
    const auto choose = [region](word_type map, word_type patch, word_type prim, word_type attr, word_type physical) {
        return select(region == code<word_type>(region::map), map,
                      select(region == code<word_type>(region::patch), patch,
                             select(region == code<word_type>(region::prim), prim,
                                    select(region == code<word_type>(region::attr), attr, physical))));
    };
    const word_type patch_bytes = word_type(4) * s.patch_words * s.patch_count;
    return {choose(s.map_base, s.patch_base, s.prim_base, s.attr_base, word_type(0)),
            choose(s.map_bytes, patch_bytes, s.prim_bytes, s.attr_bytes, storage_bytes)};
}

} // namespace isbesim::rules
