// SPDX-License-Identifier: Apache-2.0
// Sections 4.2 to 4.4 of the micro-architecture page.
#include <algorithm>
#include <array>

#include "models/isbe/functional/gs_state.h"
#include "models/isbe/rules/address_sum.h"
#include "models/isbe/rules/attribute_offset.h"
#include "models/isbe/rules/attribute_tests.h"
#include "models/isbe/rules/physical_address.h"
#include "testbench/crosscheck/page/met_conditions.h"

namespace isbesim::testbench::detail {

namespace {

/// Results of the tests of section 4.2 for one component, by their numbers.
using test_results = std::array<bool, 8>;

/// order_A_before_B. No test repeats 3 after 3, and 5 after 3 is a condition of its own.
condition order(unsigned a, unsigned b)
{
    constexpr auto first = static_cast<unsigned>(condition::order_1_before_2);
    constexpr std::array<std::array<int, 8>, 7> place{{{},
                                                       {-1, -1, 0, 1, 2, 3, 4, 5},
                                                       {-1, -1, -1, 6, 7, 8, 9, 10},
                                                       {-1, -1, -1, -1, 11, -1, 12, -1},
                                                       {-1, -1, -1, -1, -1, 13, 14, 15},
                                                       {-1, -1, -1, -1, -1, -1, 16, 17},
                                                       {-1, -1, -1, -1, -1, -1, -1, 18}}};
    const int index = place[a][b];
    return index < 0 ? condition::accessed : static_cast<condition>(first + static_cast<unsigned>(index));
}

void meet_order(lane_view& view, const test_results& tests, unsigned fired)
{
    for (unsigned later = fired + 1; later < tests.size(); ++later) {
        const auto pair = order(fired, later);
        if (tests[later] && pair != condition::accessed) view.meet(pair);
    }
}

/// The table of default values.
condition default_of(unsigned id)
{
    const unsigned a = id * 4;
    const bool fourth = a % 16 == 12;
    if (a == 0x07c) return condition::default_position_w;
    if (a >= 0x080 && a <= 0x27f && fourth) return condition::default_generic_w;
    if (a >= 0x280 && a <= 0x288) return condition::default_front_colours;
    if (a >= 0x2a0 && a <= 0x2a8) return condition::default_back_colours;
    if (a == 0x28c) return condition::default_front_alpha;
    if (a == 0x2ac) return condition::default_back_alpha;
    if (a == 0x29c) return condition::default_front_specular;
    if (a == 0x2bc) return condition::default_back_specular;
    if (a >= 0x300 && a <= 0x39f && fourth) return condition::default_texture_q;
    return condition::default_zero;
}

/// True if test 4 applies to the vertex of a component; `number`: the vertex.
bool lacks_vertex(lane_view& view, unsigned id, bool& own_lane, word& number)
{
    const auto stage = rules::code<word>(view.slot.stage);
    number = view.lane;
    if (rules::vertex_is_handle<word>(view.is(opcode::ald), stage)) {
        own_lane = rules::is_primitive_id<word>(id) && view.op.space == space::output;
        if (!own_lane) number = view.op.handle[view.lane];
        own_lane = own_lane && view.op.handle[view.lane] != view.lane;
    }
    if (!rules::vertex_is_slot<word>(view.is(opcode::ald), stage, view.slot.fast_geometry))
        return number >= view.space().vertex_count;
    const auto& g = view.slot.geometry;
    const word state = view.op.handle[view.lane];
    const word slot = rules::state_slot(state);
    number = gs_slot_index(view.config.gs_slot_order, slot, view.lane, g);
    if (!meet_state(view, state)) return true;
    const bool none = slot >= g.max_vertices;
    const bool no_thread = view.lane >= g.thread_count;
    const bool beyond = number >= view.slot.output.vertex_count;
    view.meet(condition::slot_at_maximum, none);
    view.meet(condition::lane_no_thread, no_thread);
    view.meet(condition::index_beyond, beyond && !none && !no_thread);
    return none || no_thread || beyond;
}

void meet_primitive_attribute(lane_view& view, unsigned id, bool enabled)
{
    const auto offset = rules::prim_offset<word>(view.slot.primitive[view.lane], id);
    if (!enabled) {
        view.meet(condition::primitive_disabled);
        return view.meet(default_of(id));
    }
    const bool fits = rules::word_fits(offset, view.slot.input.prim_bytes);
    view.meet(fits ? condition::primitive_accessed : condition::primitive_beyond);
    view.meet(condition::accessed, fits);
}

/// Facts about a component of an attribute; `id` is undefined if it is out of range.
struct component {
    unsigned id = 0;
    bool phys = false;
    bool named = true; ///< the id is defined
    bool enabled = false;
    word rank = 0;
    bool in_prim = false;
};

void decide(lane_view& view, const component& a, test_results tests)
{
    bool own_lane = false;
    word vertex = 0;
    const bool load = view.is(opcode::ald);
    const std::uint64_t n = view.space().allocated.count();
    tests[4] = lacks_vertex(view, a.id, own_lane, vertex);
    const auto offset = rules::attribute_offset<std::uint64_t>(view.config.skew, n, a.rank, vertex);
    tests[3] = a.named && load && a.in_prim;
    tests[5] = a.named && !a.enabled;
    tests[6] = a.phys && rules::is_unranked<std::uint64_t>(a.rank, n);
    tests[7] = a.named && !rules::word_fits<std::uint64_t>(offset, view.space().attr_bytes);
    const auto fired = static_cast<unsigned>(std::find(tests.begin(), tests.end(), true) - tests.begin());
    meet_order(view, tests, fired);
    switch (fired) {
    case 1:
        return;
    case 2:
        return view.meet(condition::result_out_of_range, a.phys);
    case 3:
        return meet_primitive_attribute(view, a.id, a.enabled);
    case 4:
        return view.meet(
            condition::vertex_beyond,
            !rules::vertex_is_slot<word>(load, rules::code<word>(view.slot.stage), view.slot.fast_geometry));
    case 5:
        view.meet(condition::result_disabled, a.phys);
        return view.meet(default_of(a.id), load);
    case 6:
        return view.meet(condition::rank_beyond);
    case 7:
        view.meet(condition::offset_beyond);
        return view.meet(condition::offset_cut, offset < view.space().attr_bytes);
    default:
        view.meet(condition::accessed);
        view.meet(condition::vertex_second_group, vertex >= 32);
        view.meet(condition::vertex_of_lane, own_lane);
    }
}

void meet_result(lane_view& view)
{
    const word r = view.op.address[view.lane];
    const bool right = rules::is_result_of<word>(r, view.side() == space::output);
    const bool tagged = r >> 24 == rules::al2p_tag >> 24;
    const bool zeros = (r & rules::al2p_tag_bits) == rules::al2p_tag;
    view.meet(condition::tag_wrong, !tagged);
    view.meet(condition::tag_zeros_wrong, tagged && !zeros);
    view.meet(condition::tag_other_space, zeros && !right);
    const auto fields = rules::decode_physical(r);
    test_results tests{};
    tests[1] = !right;
    tests[2] = fields.out_of_range != 0;
    decide(view,
           {fields.id, true, true, fields.enabled != 0, fields.rank,
            rules::result_in_prim<word>(view.side() == space::output, fields.id, r)},
           tests);
}

bool lies_in_prim(const lane_view& view, unsigned id)
{
    const auto& allocated = view.space().allocated;
    return id < mapped_attribute_ids &&
           (rules::prim_members<word>(view.side() == space::output, id / 32, allocated.bits(id / 32)) >> id % 32 &
            1U) != 0;
}

void meet_maps(lane_view& view, unsigned id)
{
    const bool enabled = view.space().enabled.contains(id);
    const bool allocated = view.space().allocated.contains(id);
    view.meet(enabled ? (allocated ? condition::maps_both : condition::maps_enabled_only)
                      : (allocated ? condition::maps_allocated_only : condition::maps_neither));
}

/// False for an address below 0 or beyond the attributes.
bool finds_attribute(lane_view& view)
{
    const auto s = view.sum();
    view.meet(condition::address_below, s < 0);
    view.meet(condition::address_beyond, s >= rules::attribute_bytes_end);
    if (s < 0 || s >= rules::attribute_bytes_end) return false;
    view.meet(condition::address_cut, view.aligned_sum() / 4 != s / 4);
    return true;
}

} // namespace

void meet_attribute(lane_view& view)
{
    if (view.op.form == address_form::phys) return meet_result(view);
    if (!finds_attribute(view)) return decide(view, {0, false, false}, {false, false, true});
    for (unsigned c = 0; c < view.op.size; ++c) {
        const auto id = static_cast<unsigned>(view.aligned_sum() / 4) + c;
        meet_maps(view, id);
        const auto& allocated = view.space().allocated;
        const bool in_prim = lies_in_prim(view, id);
        const bool enabled = view.space().enabled.contains(id) && (allocated.contains(id) || in_prim);
        decide(view, {id, false, true, enabled, allocated.rank(id), in_prim}, {});
    }
}

void meet_patch(lane_view& view)
{
    const auto s = view.sum();
    if (s < 0) return view.meet(condition::address_below);
    view.meet(condition::address_cut, view.aligned_sum() / 4 != s / 4);
    const auto& layout = view.space();
    const bool no_primitive = view.slot.primitive[view.lane] >= layout.patch_count;
    bool some_inside = false;
    for (unsigned c = 0; c < view.op.size; ++c) {
        const bool beyond = view.aligned_sum() + 4 * c + 4 > std::int64_t{4} * layout.patch_words;
        const bool inside = !beyond && !no_primitive;
        view.meet(condition::patch_beyond, beyond);
        view.meet(condition::patch_beyond_later, beyond && some_inside);
        view.meet(condition::patch_no_primitive, !beyond && no_primitive);
        view.meet(condition::accessed, inside);
        some_inside = some_inside || inside;
    }
}

void meet_al2p(lane_view& view)
{
    if (!finds_attribute(view)) return;
    const auto id = static_cast<unsigned>(view.aligned_sum() / 4);
    meet_maps(view, id);
    view.meet(condition::primitive_result, rules::is_primitive_id<word>(id) || lies_in_prim(view, id));
}

} // namespace isbesim::testbench::detail
