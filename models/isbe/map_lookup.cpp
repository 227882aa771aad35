#include "models/isbe/map_lookup.h"

#include "models/attribute/al2p.h"
#include "models/attribute/attribute_map.h"
#include "models/isbe/lanes.h"
#include "models/isbe/vector_clones.h"

namespace isbesim {

ISBESIM_VECTOR_CLONES
void map_lookup::find(const warp_op& op, const space_layout& space)
{
    const unsigned words = component_count(op);
    const auto immediate = static_cast<word>(op.immediate);
    const word alignment = alignment_of_size(words);
    const word negative = negative_sum_bit(op);
    per_lane<word> ids;
    lane_mask in = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word sum = op.address[i] + immediate;
        in |= (sum < attribute_space_bytes) & ((op.address[i] & negative) == 0) ? lane_bit[i] : 0;
        ids[i] = (sum & alignment) % attribute_space_bytes / 4;
    }
    inside = in;
    copy_lanes(ids.data(), id.data());

    // Copies, which the results can't overwrite, and signed indices: the look-ups become gather instructions.
    std::int32_t members[attribute_set::words];
    std::int32_t reached[attribute_set::words];
    std::int32_t ranks[attribute_set::words];
    for (unsigned i = 0; i < attribute_set::words; ++i) {
        members[i] = static_cast<std::int32_t>(space.allocated.bits(i));
        reached[i] = static_cast<std::int32_t>(space.enabled.bits(i)) & members[i];
        ranks[i] = static_cast<std::int32_t>(space.allocated.rank_of_word(i));
    }
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const auto at = static_cast<std::int32_t>(ids[i] / 32);
        const word bit = ids[i] % 32;
        const auto member = static_cast<word>(members[at]);
        rank[i] = static_cast<word>(ranks[at]) + lane_bit_count(member & ((word{1} << bit) - 1U));
        allocated[i] = member >> bit;
        enabled[i] = static_cast<word>(reached[at]) >> bit;
    }
}

ISBESIM_VECTOR_CLONES
void translate_al2p(const map_lookup& found, const warp_op& op, per_lane<word>& results)
{
    const word base = al2p_bits::tag | (op.space == space::output ? al2p_bits::space : 0U);
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word id = found.id[i];
        const word primitive = is_per_primitive(id) ? al2p_bits::per_primitive : 0U;
        const word enabled = (found.enabled[i] & 1U) * al2p_bits::enabled;
        const word result = (found.inside & lane_bit[i]) != 0 ? primitive | enabled | id << 8 | found.rank[i]
                                                              : word{al2p_bits::out_of_range};
        results[i] = (base | result) & lane_on(op.lanes, i);
    }
}

} // namespace isbesim
