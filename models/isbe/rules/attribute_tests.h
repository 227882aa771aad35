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

/// Offset of a primitive's id in the PRIM region.
template <typename word_type>
ISBESIM_RULE word_type primitive_offset(word_type primitive)
{
    return primitive * word_type(4);
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
    truth active;        ///< the lane is in the request's mask
    truth wrong_space;   ///< 1: .PHYS, and not an AL2P result of this space
    truth outside;       ///< 2: address beyond the attributes
    truth per_primitive; ///< 3: PRIMITIVE_ID of ALD in the input space
    truth bad_state;     ///< 4: the state of a geometry thread is invalid
    truth no_slot;       ///< 4: no slot for a geometry thread
    truth no_vertex;     ///< 4: any other vertex that does not exist
    truth enabled;       ///< 5: by the map, or by bit 16 of the .PHYS value
    truth unranked;      ///< 6: .PHYS rank beyond the allocated attributes
    truth beyond;        ///< 7: the word does not fit its region: PRIM of a primitive attribute, else ATTR
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
    const truth by_vertex = inside & !f.per_primitive;
    const truth state_good = by_vertex & !f.bad_state;
    const truth has_slot = state_good & !f.no_slot;
    const truth has_vertex = has_slot & !f.no_vertex;
    const truth present = has_vertex | (inside & f.per_primitive);
    const truth reached = present & f.enabled;
    const truth ranked = reached & (f.per_primitive | !f.unranked);
    return {truth((f.active & f.wrong_space) | (reached & !ranked)),
            truth((named & f.outside) | (ranked & f.beyond)),
            truth(by_vertex & f.bad_state),
            truth(state_good & f.no_slot),
            truth(has_slot & f.no_vertex),
            truth(present & !f.enabled),
            truth(ranked & !f.beyond)};
}

} // namespace isbesim::rules
