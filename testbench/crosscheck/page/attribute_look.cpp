// SPDX-License-Identifier: Apache-2.0
// Sections 4.2 to 4.4 of the micro-architecture page.
#include <array>

#include "testbench/crosscheck/page/page_look.h"

namespace isbesim::testbench::detail {

namespace {

constexpr unsigned primitive_id = 24;

/// What the tests of section 4.2 ask for, by their numbers, of one component.
struct asked {
    std::array<bool, 8> is{};
    /// The test fires; of a load or a store that has got as far as this.
    unsigned first() const
    {
        for (unsigned test = 1; test < is.size(); ++test)
            if (is[test]) return test;
        return 0;
    }
};

/// order_A_before_B. Nothing asks for 3 again after 3, and 5 after 3 is another condition.
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
    const int at = place[a][b];
    return at < 0 ? condition::accessed : static_cast<condition>(first + static_cast<unsigned>(at));
}

void meet_order(lane_look& at, const asked& tests, unsigned fired)
{
    for (unsigned later = fired + 1; later < tests.is.size(); ++later) {
        const auto pair = order(fired, later);
        if (tests.is[later] && pair != condition::accessed) at.meet(pair);
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

/// Of a component that tests 4 to 8 are asked of.
struct vertex_of {
    std::int64_t number = 0;
    bool by_handle = false;
    bool own_lane = false; ///< where other ids of the operation have a handle
    std::uint16_t refused = 0;
};

vertex_of vertex(lane_look& at, unsigned id)
{
    vertex_of v;
    v.number = at.lane;
    const auto stage = at.slot.stage;
    const bool handles = stage == stage::tess_init || stage == stage::tess || stage == stage::geometry;
    if (at.is(opcode::ald) && handles) {
        v.by_handle = !(id == primitive_id && at.op.space == space::output);
        v.own_lane = !v.by_handle && at.op.handle[at.lane] != at.lane;
        if (v.by_handle) v.number = at.op.handle[at.lane];
    }
    if (at.is(opcode::ast) && stage == stage::geometry && !at.slot.fast_geometry) {
        const word state = at.op.handle[at.lane];
        const auto slot = state & 0xffffU;
        v.number = index_of(at, slot);
        if (!look_at_state(at, state)) {
            v.refused = lane_status::gs_state;
        } else if (slot >= at.slot.geometry.max_vertices || at.lane >= at.slot.geometry.thread_count ||
                   v.number >= at.slot.output.vertex_count) {
            v.refused = lane_status::gs_overflow;
            at.meet(condition::slot_at_maximum, slot >= at.slot.geometry.max_vertices);
            at.meet(condition::lane_no_thread, at.lane >= at.slot.geometry.thread_count);
            at.meet(condition::index_beyond,
                    slot < at.slot.geometry.max_vertices && at.lane < at.slot.geometry.thread_count);
        }
    } else if (v.number >= at.space().vertex_count) {
        v.refused = lane_status::handle_range;
    }
    return v;
}

std::int64_t offset_of(const lane_look& at, std::int64_t rank, std::int64_t vertex)
{
    const std::int64_t n = at.space().allocated.count();
    return at.config.skew ? vertex / 32 * n * 128 + rank * 128 + vertex % 32 * 4 : vertex * n * 4 + rank * 4;
}

void look_at_primitive_attribute(lane_look& at, unsigned component, bool enabled)
{
    const word primitive = at.slot.primitive[at.lane];
    if (!enabled) {
        at.meet(condition::primitive_disabled);
        at.meet(default_of(primitive_id));
        at.set(lane_status::defaulted);
    } else if (4 * primitive + 4 > at.slot.input.prim_bytes) {
        at.meet(condition::primitive_beyond);
        at.set(lane_status::out_of_range);
    } else {
        at.meet(condition::primitive_accessed);
        at.meet(condition::accessed);
        at.access(component, at.slot.input.prim_base + 4 * primitive);
    }
}

/// Tests that hold for component `c` of an attribute; `id` means nothing where it is out of range.
struct component {
    unsigned c = 0;
    unsigned id = 0;
    bool phys = false;
    bool named = true; ///< the id means something
    bool enabled = false;
    std::int64_t rank = 0;
};

void decide(lane_look& at, const component& a, asked tests)
{
    const auto v = vertex(at, a.id);
    const auto offset = offset_of(at, a.rank, v.number);
    const bool primitive = a.named && at.is(opcode::ald) && at.op.space == space::input && a.id == primitive_id;
    tests.is[3] = primitive;
    tests.is[4] = v.refused != 0;
    tests.is[5] = a.named && !a.enabled;
    tests.is[6] = a.phys && a.rank >= at.space().allocated.count();
    tests.is[7] = a.named && offset + 4 > at.space().attr_bytes;
    const auto fired = tests.first();
    if (fired != 0) meet_order(at, tests, fired);
    switch (fired) {
    case 1:
        return at.set(lane_status::not_al2p);
    case 2:
        at.meet(condition::result_out_of_range, a.phys);
        return at.set(lane_status::out_of_range);
    case 3:
        return look_at_primitive_attribute(at, a.c, a.enabled);
    case 4:
        at.meet(condition::vertex_beyond, v.refused == lane_status::handle_range);
        return at.set(v.refused);
    case 5:
        at.meet(condition::result_disabled, a.phys);
        if (at.is(opcode::ald)) at.meet(default_of(a.id));
        return at.set(at.is(opcode::ald) ? lane_status::defaulted : lane_status::dropped_map);
    case 6:
        at.meet(condition::rank_beyond);
        return at.set(lane_status::not_al2p);
    case 7:
        at.meet(condition::offset_beyond);
        at.meet(condition::offset_cut, offset < at.space().attr_bytes);
        return at.set(lane_status::out_of_range);
    default:
        at.meet(condition::accessed);
        at.meet(condition::vertex_second_group, v.number >= 32);
        at.meet(condition::vertex_of_lane, v.own_lane);
        at.access(a.c, at.space().attr_base + static_cast<word>(offset));
    }
}

void look_at_result(lane_look& at)
{
    const word r = at.op.address[at.lane];
    const auto side = at.is(opcode::ast) ? space::output : at.op.space;
    const bool tagged = r >> 24 == 0xa2U;
    const bool zeros = (r >> 20 & 15U) == 0;
    const bool same_space = (r >> 18 & 1U) == static_cast<word>(side);
    at.meet(condition::tag_wrong, !tagged);
    at.meet(condition::tag_zeros_wrong, tagged && !zeros);
    at.meet(condition::tag_other_space, tagged && zeros && !same_space);
    asked tests;
    tests.is[1] = !(tagged && zeros && same_space);
    tests.is[2] = (r >> 17 & 1U) != 0;
    decide(at, {0, r >> 8 & 0xffU, true, true, (r >> 16 & 1U) != 0, r & 0xffU}, tests);
}

void meet_maps(lane_look& at, unsigned id)
{
    const bool enabled = at.space().enabled.contains(id);
    const bool allocated = at.space().allocated.contains(id);
    at.meet(enabled ? (allocated ? condition::maps_both : condition::maps_enabled_only)
                    : (allocated ? condition::maps_allocated_only : condition::maps_neither));
}

/// The aligned address; false for one below 0 or beyond the attributes.
bool find_attribute(lane_look& at, std::int64_t& aligned)
{
    const auto s = at.sum();
    at.meet(condition::address_below, s < 0);
    at.meet(condition::address_beyond, s >= 0x400);
    if (s < 0 || s >= 0x400) return false;
    aligned = s - s % alignment_of(at.op.size);
    at.meet(condition::address_cut, aligned / 4 != s / 4);
    return true;
}

} // namespace

void look_at_attribute(lane_look& at)
{
    if (at.op.form == address_form::phys) return look_at_result(at);
    std::int64_t aligned = 0;
    const bool inside = find_attribute(at, aligned);
    asked tests;
    tests.is[2] = !inside;
    for (unsigned c = 0; c < at.op.size; ++c) {
        if (!inside) {
            decide(at, {c, 0, false, false, false, 0}, tests);
            continue;
        }
        const auto id = static_cast<unsigned>(aligned / 4) + c;
        meet_maps(at, id);
        const bool enabled = at.space().enabled.contains(id) && at.space().allocated.contains(id);
        decide(at, {c, id, false, true, enabled, at.space().allocated.rank(id)}, tests);
    }
}

void look_at_patch(lane_look& at)
{
    const auto s = at.sum();
    if (s < 0) {
        at.meet(condition::address_below);
        return at.set(lane_status::out_of_range);
    }
    const auto& layout = at.space();
    const auto aligned = s - s % alignment_of(at.op.size);
    at.meet(condition::address_cut, aligned / 4 != s / 4);
    const word primitive = at.slot.primitive[at.lane];
    bool some_inside = false;
    for (unsigned c = 0; c < at.op.size; ++c) {
        const std::int64_t b = aligned + 4 * c;
        const bool beyond = b + 4 > std::int64_t{4} * layout.patch_words;
        const bool no_primitive = primitive >= layout.patch_count;
        at.meet(condition::patch_beyond, beyond);
        at.meet(condition::patch_beyond_later, beyond && some_inside);
        at.meet(condition::patch_no_primitive, !beyond && no_primitive);
        if (beyond || no_primitive) {
            at.set(lane_status::out_of_range);
            continue;
        }
        some_inside = true;
        at.meet(condition::accessed);
        at.access(c, layout.patch_base + primitive * layout.patch_words * 4 + static_cast<word>(b));
    }
}

void look_at_al2p(lane_look& at)
{
    std::int64_t aligned = 0;
    if (!find_attribute(at, aligned)) return;
    const auto id = static_cast<unsigned>(aligned / 4);
    meet_maps(at, id);
    at.meet(condition::primitive_result, id == primitive_id);
}

} // namespace isbesim::testbench::detail
