// SPDX-License-Identifier: Apache-2.0
// What the micro-architecture page distinguishes in sections 4 to 6: conditions that an operation meets or does not.
#pragma once

#include <array>
#include <bitset>

namespace isbesim::testbench {

/// Of a lane, a component or the whole operation; the comment says of which section of rtl_ref/README.md.
enum class condition : unsigned {
    // 4.1, the first that applies
    slot_beyond_table,
    stage_none,
    store_to_input,
    phys_vector,
    patch_load_elsewhere,
    output_load_refused,
    patch_store_elsewhere,
    out_elsewhere,
    // 4.2 to 4.4, addresses and maps
    address_below,  ///< negative
    address_beyond, ///< 0x400 and up
    address_cut,    ///< aligned down to another one
    maps_both,      ///< the attribute is in the enabled and the allocated set
    maps_enabled_only,
    maps_allocated_only,
    maps_neither,
    primitive_result, ///< AL2P of id 24
    // 4.2, .PHYS
    tag_wrong,       ///< r[31:24]
    tag_zeros_wrong, ///< r[23:20], after a right r[31:24]
    tag_other_space, ///< r[18], after a right tag
    result_out_of_range,
    result_disabled,
    rank_beyond,
    // 4.2, vertices
    vertex_beyond,
    vertex_second_group, ///< accessed: a vertex from 32 on
    vertex_of_lane,      ///< accessed: id 24 of the output space, where other ids have a handle that is not the lane
    primitive_accessed,
    primitive_beyond,
    primitive_disabled,
    slot_at_maximum,
    lane_no_thread,
    index_beyond, ///< of the vertices of the output space
    offset_beyond,
    offset_cut,       ///< the word begins inside the region and ends past it
    accessed,         ///< a word of the storage
    order_1_before_2, ///< test 1 of the list fires, and what test 2 asks for is true as well
    order_1_before_3,
    order_1_before_4,
    order_1_before_5,
    order_1_before_6,
    order_1_before_7,
    order_2_before_3,
    order_2_before_4,
    order_2_before_5,
    order_2_before_6,
    order_2_before_7,
    order_3_before_4,
    order_3_before_6,
    order_4_before_5,
    order_4_before_6,
    order_4_before_7,
    order_5_before_6,
    order_5_before_7,
    order_6_before_7,
    // 4.2, table of defaults
    default_position_w,
    default_generic_w,
    default_front_colours, ///< 0x280..0x288
    default_back_colours,  ///< 0x2a0..0x2a8
    default_front_alpha,
    default_back_alpha,
    default_front_specular,
    default_back_specular,
    default_texture_q,
    default_zero,
    // 4.3
    patch_beyond,
    patch_beyond_later, ///< a component, and an earlier one of the lane lies inside
    patch_no_primitive,
    // 4.5
    bytes_below,
    bytes_partly_below,
    bytes_beyond,
    bytes_partly_beyond,
    reversed_below, ///< ISBEWR in MAP: A is inside, A-N+1 is not
    region_empty,
    byte_accessed,
    half_accessed,
    word_accessed,
    half_in_two_words,
    word_in_two_words,
    // 4.6
    state_checksum,
    state_zero_bit, ///< after a right checksum
    state_slot,     ///< beyond the maximum, after both
    state_stream,   ///< not valid, but not 0, after all
    fast_geometry,
    final_kept,
    cut_at_maximum,
    cut_slot_0, ///< of a state that claims a strip
    cut_strip_0,
    emit_at_maximum,
    token_beyond,
    token_written,
    token_of_masked_stream, ///< its bit of the stream mask is 0
    first_vertex,
    strip_saturated,
    stream_changed,
    // 4.7
    load_of_overwritten,
    load_of_others, ///< words that are not overwritten, in a context with shared spaces
    store_in_shared,
    store_in_others,
    // 5
    no_access,
    component_skipped, ///< no pass, and a later one has some
    same_word,         ///< a pass serves several lanes by one word
    several_passes,    ///< of one component
    bytes_of_one_word, ///< several lanes write it, none loses
    lane_lost,         ///< a byte to another lane
    lane_overwritten,  ///< by a later component
    request_waited,
    at_once, ///< accept to response takes 1 + P + L
    later,
    held, ///< the client takes the response later
    error_at_once,
    error_later,
    // 6
    two_statuses, ///< of components of one lane
};
inline constexpr unsigned condition_count = static_cast<unsigned>(condition::two_statuses) + 1;

using condition_set = std::bitset<condition_count>;

inline void meet(condition_set& set, condition c, bool is_met = true)
{
    if (is_met) set.set(static_cast<unsigned>(c));
}

/// As bins spell it.
const char* name_of(condition c);

} // namespace isbesim::testbench
