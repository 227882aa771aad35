// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/access/map_lookup.h"

#include "models/attribute/attribute_map.h"
#include "models/isbe/functional/lanes.h"
#include "models/isbe/rules/address_sum.h"
#include "models/isbe/rules/attribute_tests.h"
#include "models/isbe/rules/physical_address.h"
#include "tlm/vector_clones.h"

namespace isbesim {

static_assert(rules::attribute_bytes_end == attribute_space_bytes && attribute_space_bytes == 4 * attribute_ids);
static_assert(rules::is_primitive_id<word>(primitive_id_attribute));

ISBESIM_VECTOR_CLONES
void map_lookup::find(const warp_op& op, const space_layout& space)
{
    const auto immediate = static_cast<word>(op.immediate);
    const word alignment = rules::alignment_mask<word>(component_count(op));
    per_lane<word> ids;
    lane_mask in = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const auto sum = rules::add_immediate<word>(op.address[i], immediate);
        in |= bit_if(rules::names_attribute(sum), i);
        ids[i] = rules::attribute_id(sum, alignment);
    }
    inside = in;
    copy_lanes(ids.data(), id.data());

    // Copies, which the results can't alias, and signed indices turn the look-ups into gather instructions.
    std::int32_t members[attribute_set::words];
    std::int32_t reached[attribute_set::words];
    std::int32_t ranks[attribute_set::words];
    std::int32_t elsewhere[attribute_set::words];
    const bool output = is_store(op.op) || op.space == space::output;
    for (unsigned i = 0; i < attribute_set::words; ++i) {
        members[i] = static_cast<std::int32_t>(space.allocated.bits(i));
        elsewhere[i] = static_cast<std::int32_t>(rules::prim_members<word>(output, i, space.allocated.bits(i)));
        reached[i] = static_cast<std::int32_t>(space.enabled.bits(i)) & (members[i] | elsewhere[i]);
        ranks[i] = static_cast<std::int32_t>(space.allocated.rank_of_word(i));
    }
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const auto index = static_cast<std::int32_t>(ids[i] / 32);
        const word bit = ids[i] % 32;
        const auto member = static_cast<word>(members[index]);
        rank[i] = static_cast<word>(ranks[index]) + lane_bit_count(member & ((word{1} << bit) - 1U));
        allocated[i] = member >> bit;
        enabled[i] = static_cast<word>(reached[index]) >> bit;
        in_prim[i] = static_cast<word>(elsewhere[index]) >> bit;
    }
}

ISBESIM_VECTOR_CLONES
void translate_al2p(const map_lookup& found, const warp_op& op, per_lane<word>& results)
{
    const bool output = op.space == space::output;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word id = found.id[i];
        const bool inside = (found.inside & lane_bit[i]) != 0;
        const bool primitive = rules::is_primitive_id(id) || rules::map_bit<word>(found.in_prim[i], 0);
        results[i] = rules::al2p_result<word>(output, inside, primitive, found.enabled[i] & 1U, id, found.rank[i]) &
                     lane_on(op.lanes, i);
    }
}

} // namespace isbesim
