// SPDX-License-Identifier: Apache-2.0
// ALD and AST: vertices, primitive attributes and the order of the tests of a lane and component (micro-architecture
// section 4.2).
#pragma once

#include "models/isbe/rules/word_type.h"
#include "tlm/stage.h"
#include "tlm/warp_op.h"

namespace isbesim::rules {

/// The vertex of an ALD in TI, TS and GS is the handle; of other loads, the lane's number. `stage` is not none.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> vertex_is_handle(truth_of<word_type> load, word_type stage)
{
    return load & ((stage == code<word_type>(stage::tess_init)) | (stage == code<word_type>(stage::tess)) |
                   (stage == code<word_type>(stage::geometry)));
}

/// The vertex of an AST in a GS without fast geometry is the state's slot; of other stores, the lane's number.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> vertex_is_slot(truth_of<word_type> load, word_type stage, truth_of<word_type> fast)
{
    return (!load) & (stage == code<word_type>(stage::geometry)) & !fast;
}

template <typename word_type>
ISBESIM_RULE truth_of<word_type> vertex_exists(word_type vertex, word_type vertex_count)
{
    return vertex < vertex_count;
}

/// PRIMITIVE_ID. ALD reads it per primitive in the input space; in the output space its vertex is the lane's number.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> is_primitive_id(word_type id)
{
    return id == word_type(24);
}

/// Generated attributes of the input space that lie in PRIM, as bits of word `index` of a set: PRIMITIVE_ID, and
/// INSTANCE_ID and VERTEX_ID unless they are allocated.
template <typename word_type>
ISBESIM_RULE word_type prim_members(truth_of<word_type> output, word_type index, word_type allocated)
{
    const word_type of_vertex = select(index == word_type(5), word_type(0xc0000000U) & ~allocated, word_type(0));
    const word_type any = select(index == word_type(0), word_type(1U << 24), of_vertex);
    return select(output, word_type(0), any);
}

/// Offset of a generated attribute in the PRIM region; VERTEX_ID has the second line.
template <typename word_type>
ISBESIM_RULE word_type prim_offset(word_type primitive, word_type id)
{
    return primitive * word_type(4) + (id & word_type(1)) * word_type(128);
}

/// Component c of an attribute is in a map; `bits` are those of the map from the attribute on.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> map_bit(word_type bits, word_type component)
{
    return (bits >> component & word_type(1)) != word_type(0);
}

/// All tests of a lane and a component, before their priority is applied.
template <typename truth>
struct attribute_facts {
    truth active;      ///< the lane is in the request's mask
    truth wrong_space; ///< 1: .PHYS, and not an AL2P result of this space
    truth outside;     ///< 2: address beyond the attributes
    truth in_prim;     ///< 3: an attribute of ALD that lies in PRIM
    truth bad_state;   ///< 4: the state of a geometry thread is invalid
    truth no_slot;     ///< 4: no slot for a geometry thread
    truth no_vertex;   ///< 4: any other vertex that does not exist
    truth enabled;     ///< 5: by the map, or by bit 16 of the .PHYS value
    truth unranked;    ///< 6: .PHYS rank beyond the allocated attributes
    truth beyond;      ///< 7: the word does not fit its region: PRIM if the attribute lies there, else ATTR
};

/// Outcome of the tests: at most one is true.
template <typename truth>
struct attribute_verdict {
    truth not_al2p;
    truth out_of_range;
    truth gs_state;
    truth gs_overflow;
    truth handle_range;
    truth disabled; ///< a load gets the default value, a store is dropped
    truth reaches;  ///< the storage
};

/// Section 4.2, order of tests: the first that fires decides.
template <typename truth>
ISBESIM_RULE attribute_verdict<truth> first_that_fires(const attribute_facts<truth>& f)
{
    const truth named = f.active & !f.wrong_space;
    const truth inside = named & !f.outside;
    const truth by_vertex = inside & !f.in_prim;
    const truth state_good = by_vertex & !f.bad_state;
    const truth has_slot = state_good & !f.no_slot;
    const truth has_vertex = has_slot & !f.no_vertex;
    const truth present = has_vertex | (inside & f.in_prim);
    const truth reached = present & f.enabled;
    const truth ranked = reached & (f.in_prim | !f.unranked);
    return {truth((f.active & f.wrong_space) | (reached & !ranked)),
            truth((named & f.outside) | (ranked & f.beyond)),
            truth(by_vertex & f.bad_state),
            truth(state_good & f.no_slot),
            truth(has_slot & f.no_vertex),
            truth(present & !f.enabled),
            truth(ranked & !f.beyond)};
}

} // namespace isbesim::rules
