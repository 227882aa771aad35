// SPDX-License-Identifier: Apache-2.0
// The rules of models/isbe/rules, each against values worked out by hand from the micro-architecture page.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "models/isbe/functional/lane_set.h"
#include "models/isbe/rules/address_sum.h"
#include "models/isbe/rules/attribute_offset.h"
#include "models/isbe/rules/attribute_tests.h"
#include "models/isbe/rules/default_value.h"
#include "models/isbe/rules/geometry_state.h"
#include "models/isbe/rules/lane_winner.h"
#include "models/isbe/rules/memory_regions.h"
#include "models/isbe/rules/operation_errors.h"
#include "models/isbe/rules/out_instruction.h"
#include "models/isbe/rules/patch_address.h"
#include "models/isbe/rules/physical_address.h"
#include "models/isbe/rules/raw_bytes.h"
#include "models/isbe/rules/shared_spaces.h"
#include "tests/isbe/space_regions.h"

namespace isbesim::test {
namespace {

using namespace rules; // NOLINT: tested here

/// A list of the page, read from top to bottom: the text of the first line that is true.
std::string first_true(std::initializer_list<std::pair<bool, const char*>> lines, const char* otherwise)
{
    const auto* const found = std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line.first; });
    return found == lines.end() ? otherwise : found->second;
}

TEST(rules, a_set_of_lanes_decides_as_every_lane_does)
{
    // 1024 combinations of the ten facts, 32 lanes at a time.
    for (unsigned first = 0; first < 1024; first += 32) {
        attribute_facts<lane_set> sets;
        attribute_facts<bool> of_lane[32];
        for (unsigned lane = 0; lane < 32; ++lane) {
            const auto bit = [&](unsigned b) { return ((first + lane) >> b & 1U) != 0; };
            of_lane[lane] = {bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6), bit(7), bit(8), bit(9)};
            const auto add = [&](lane_set& set, bool is) { set.lanes |= (is ? 1U : 0U) << lane; };
            add(sets.active, bit(0)), add(sets.wrong_space, bit(1)), add(sets.outside, bit(2));
            add(sets.per_primitive, bit(3)), add(sets.bad_state, bit(4)), add(sets.no_slot, bit(5));
            add(sets.no_vertex, bit(6)), add(sets.enabled, bit(7)), add(sets.unranked, bit(8)),
                add(sets.beyond, bit(9));
        }
        const auto together = first_that_fires(sets);
        for (unsigned lane = 0; lane < 32; ++lane) {
            const auto& f = of_lane[lane];
            const auto has = [&](lane_set set) { return (set.lanes >> lane & 1U) != 0; };
            // Section 4.2's list; per-primitive attributes have their own.
            const auto expected = f.active && !f.wrong_space && !f.outside && f.per_primitive
                                      ? first_true({{!f.enabled, "disabled"}, {f.beyond, "out_of_range"}}, "reaches")
                                      : first_true({{!f.active, ""},
                                                    {f.wrong_space, "not_al2p"},
                                                    {f.outside, "out_of_range"},
                                                    {f.bad_state, "gs_state"},
                                                    {f.no_slot, "gs_overflow"},
                                                    {f.no_vertex, "handle_range"},
                                                    {!f.enabled, "disabled"},
                                                    {f.unranked, "not_al2p"},
                                                    {f.beyond, "out_of_range"}},
                                                   "reaches");
            const auto names = [](bool not_al2p, bool range, bool state, bool overflow, bool handle, bool disabled,
                                  bool reaches) {
                return std::string(not_al2p ? "not_al2p" : "") + (range ? "out_of_range" : "") +
                       (state ? "gs_state" : "") + (overflow ? "gs_overflow" : "") + (handle ? "handle_range" : "") +
                       (disabled ? "disabled" : "") + (reaches ? "reaches" : "");
            };
            const auto alone = first_that_fires(f);
            ASSERT_EQ(names(alone.not_al2p, alone.out_of_range, alone.gs_state, alone.gs_overflow, alone.handle_range,
                            alone.disabled, alone.reaches),
                      expected)
                << first + lane;
            ASSERT_EQ(names(has(together.not_al2p), has(together.out_of_range), has(together.gs_state),
                            has(together.gs_overflow), has(together.handle_range), has(together.disabled),
                            has(together.reaches)),
                      expected)
                << first + lane;
        }
    }
}

// ---- values worked out by hand

TEST(rules, attribute_addresses)
{
    const auto named = [](std::int32_t address, std::int32_t immediate) {
        return names_attribute(add_immediate(static_cast<word>(address), static_cast<word>(immediate)));
    };
    EXPECT_TRUE(named(0, 0));
    EXPECT_TRUE(named(0x3fe, 1));
    EXPECT_FALSE(named(0x3ff, 1));
    EXPECT_FALSE(named(0, -1));
    EXPECT_TRUE(named(-16, 16));
    EXPECT_TRUE(named(0x7fffffff, -0x7fffffff));
    EXPECT_FALSE(named(0x7fffffff, 0x7fffffff));
    EXPECT_FALSE(named(INT32_MIN, INT32_MIN));       // 0 modulo 2^32
    EXPECT_FALSE(named(INT32_MIN, -0x7fffffff - 0)); // 1 modulo 2^32
    const auto id = [](word address, word size) {
        return attribute_id(add_immediate<word>(address, 0), alignment_mask(size));
    };
    EXPECT_EQ(id(0x8f, 1), 0x23U);
    EXPECT_EQ(id(0x8f, 2), 0x22U);
    EXPECT_EQ(id(0x8f, 3), 0x20U);
    EXPECT_EQ(id(0x8f, 4), 0x20U);
}

TEST(rules, offsets)
{
    EXPECT_EQ(attribute_offset<word>(true, 3, 2, 37), 1U * 3 * 128 + 2 * 128 + 5 * 4);
    EXPECT_EQ(attribute_offset<word>(false, 3, 2, 37), 37U * 12 + 8);
    EXPECT_EQ(vertex_words<word>(true, 3, 64), 192U);
    EXPECT_TRUE(word_fits<word>(124, 128));
    EXPECT_FALSE(word_fits<word>(125, 128));
    EXPECT_EQ(word_index<word>(256, 12), 67U);
    EXPECT_EQ(primitive_offset<word>(9), 36U);
}

TEST(rules, vertices)
{
    const auto of = [](bool load, stage stage, bool fast) {
        const auto number = static_cast<word>(stage);
        return vertex_is_handle(load, number) ? 'h' : vertex_is_slot(load, number, fast) ? 's' : 'l';
    };
    std::string loads;
    std::string stores;
    for (const auto stage :
         {stage::vertex_a, stage::vertex, stage::tess_init, stage::tess, stage::geometry, stage::task, stage::mesh}) {
        loads += of(true, stage, false);
        stores += of(false, stage, false);
    }
    EXPECT_EQ(loads, "llhhhll");
    EXPECT_EQ(stores, "llllsll");
    EXPECT_EQ(of(true, stage::geometry, true), 'h');
    EXPECT_EQ(of(false, stage::geometry, true), 'l');
    EXPECT_TRUE(vertex_exists<word>(39, 40));
    EXPECT_FALSE(vertex_exists<word>(40, 40));
    EXPECT_TRUE(is_primitive_id<word>(0x60 / 4));
}

TEST(rules, patches)
{
    // A patch of 6 words: a vector of four from byte 8 on is aligned down to 0, one at 16 ends behind the patch.
    const auto holds = [](std::int32_t address, word size, word component, word primitive) {
        return patch_holds<word>(add_immediate<word>(static_cast<word>(address), 0), alignment_mask(size),
                                 patch_limit<word>(component, 6), primitive, 5);
    };
    EXPECT_TRUE(holds(8, 4, 3, 4));
    EXPECT_TRUE(holds(16, 4, 1, 0));
    EXPECT_FALSE(holds(16, 4, 2, 0));
    EXPECT_TRUE(holds(20, 1, 0, 0));
    EXPECT_FALSE(holds(24, 1, 0, 0));
    EXPECT_FALSE(holds(-4, 1, 0, 0));
    EXPECT_FALSE(holds(0, 1, 0, 5));
    EXPECT_EQ(patch_limit<word>(3, 3), 0U); // no fourth word
    EXPECT_EQ(patch_limit<word>(3, 4), 1U); // at 0 only
    EXPECT_EQ(patch_byte<word>(add_immediate<word>(0x1b, 0), alignment_mask<word>(2), 1), 0x1cU);
    EXPECT_EQ(patch_offset<word>(3, 6), 72U);
}

TEST(rules, al2p_results)
{
    EXPECT_EQ(al2p_result<word>(false, true, false, 1, 0x20, 3), 0xa2012003U);
    EXPECT_EQ(al2p_result<word>(true, true, false, 0, 0x1d, 2), 0xa2041d02U);
    EXPECT_EQ(al2p_result<word>(false, true, true, 1, 24, 0), 0xa2091800U);
    EXPECT_EQ(al2p_result<word>(true, false, true, 1, 24, 7), 0xa2060000U);
    EXPECT_TRUE(is_result_of(0xa2012003U, false));
    EXPECT_FALSE(is_result_of(0xa2012003U, true));
    EXPECT_FALSE(is_result_of(0xa2112003U, false)); // bit 20
    EXPECT_FALSE(is_result_of(0xa3012003U, false));
    EXPECT_TRUE(is_result_of(0xa20fffffU, true)); // bits 16, 17 and 19 may be anything
    const auto fields = decode_physical(0xa2032003U);
    EXPECT_EQ(fields.out_of_range, 1U);
    EXPECT_EQ(fields.enabled, 1U);
    EXPECT_EQ(fields.id, 0x20U);
    EXPECT_EQ(fields.rank, 3U);
    EXPECT_FALSE(is_for_output<word>(0xa20b0000U));
    EXPECT_TRUE(is_for_output<word>(0xa2040000U));
    EXPECT_FALSE(is_for_primitive<word>(0xa2070000U));
    EXPECT_TRUE(is_for_primitive<word>(0xa2080000U));
    EXPECT_FALSE(is_unranked<word>(6, 7));
    EXPECT_TRUE(is_unranked<word>(7, 7));
}

TEST(rules, default_values)
{
    const auto of = [](word address, word bits) { return default_value<word>(address / 4, bits, 0x12345678U); };
    constexpr word one = 0x3f800000U;
    EXPECT_EQ(of(0x07c, 0), 0x12345678U);
    EXPECT_EQ(of(0x078, 15), 0U);
    EXPECT_EQ(of(0x08c, 4), one);
    EXPECT_EQ(of(0x08c, 11), 0U);
    EXPECT_EQ(of(0x088, 15), 0U);
    EXPECT_EQ(of(0x27c, 4), one);
    EXPECT_EQ(of(0x280, 1), one);
    EXPECT_EQ(of(0x2a0, 1), one);
    EXPECT_EQ(of(0x2a8, 1), one);
    EXPECT_EQ(of(0x28c, 0), one);
    EXPECT_EQ(of(0x2ac, 0), one);
    EXPECT_EQ(of(0x290, 15), 0U);
    EXPECT_EQ(of(0x29c, 2), one);
    EXPECT_EQ(of(0x2bc, 13), 0U);
    EXPECT_EQ(of(0x30c, 8), one);
    EXPECT_EQ(of(0x39c, 8), one);
    EXPECT_EQ(of(0x3ac, 15), 0U);
}

TEST(rules, raw_accesses)
{
    EXPECT_TRUE(runs_downwards<word>(true, true));
    EXPECT_FALSE(runs_downwards<word>(false, true));
    const auto inside = [](std::int32_t address, word size, bool downwards) {
        return covered_inside<word>(first_covered<word>(static_cast<word>(address), 0, size, downwards), size, 10);
    };
    EXPECT_TRUE(inside(6, 4, false));
    EXPECT_FALSE(inside(7, 4, false));
    EXPECT_FALSE(inside(-1, 1, false));
    EXPECT_TRUE(inside(9, 4, true));
    EXPECT_TRUE(inside(3, 4, true));
    EXPECT_FALSE(inside(2, 4, true));
    EXPECT_FALSE(inside(10, 1, true));
    EXPECT_FALSE((covered_inside<word>(first_covered<word>(0, 0, 4, false), 4, 3))); // smaller than the access
    EXPECT_TRUE((covered_inside<word>(first_covered<word>(0, 0, 4, false), 4, 4)));
    EXPECT_FALSE((covered_inside<word>(first_covered<word>(1, 0, 4, false), 4, 4)));
    EXPECT_TRUE(crosses_words<word>(3, 2));
    EXPECT_FALSE(crosses_words<word>(2, 2));
    EXPECT_EQ(value_bits<word>(1), 0xffU);
    EXPECT_EQ(value_bits<word>(4), 0xffffffffU);
    EXPECT_EQ(part_in_first<word>(0xaabbccddU, 3), 0xdd000000U);
    EXPECT_EQ(part_in_next<word>(0xaabbccddU, 3), 0x00aabbccU);
    EXPECT_EQ(part_in_next<word>(0xaabbccddU, 0), 0U);
    EXPECT_EQ(joined_value<word>(0x44332211U, 0x88776655U, 3, 4), 0x77665544U);
    EXPECT_EQ(joined_value<word>(0x44332211U, 0x88776655U, 3, 2), 0x5544U);
    EXPECT_EQ(joined_value<word>(0x44332211U, 0x88776655U, 0, 4), 0x44332211U);
    EXPECT_EQ(swapped_bytes<word>(0x11223344U, 4), 0x44332211U);
    EXPECT_EQ(swapped_bytes<word>(0x11223344U, 2), 0x4433U);
    EXPECT_EQ(swapped_bytes<word>(0x11223344U, 1), 0x44U);
}

TEST(rules, regions)
{
    const space_regions<word> space{100, 101, 200, 7, 3, 300, 301, 400, 401};
    const auto is = [&](region which, word base, word bytes) {
        const auto extent = extent_of(static_cast<word>(which), space, 5000U);
        return extent.base == base && extent.bytes == bytes;
    };
    EXPECT_TRUE(is(region::map, 100, 101));
    EXPECT_TRUE(is(region::patch, 200, 84));
    EXPECT_TRUE(is(region::prim, 300, 301));
    EXPECT_TRUE(is(region::attr, 400, 401));
    EXPECT_TRUE(is(region::physical, 0, 5000));
}

TEST(rules, geometry_states)
{
    // Slot 2, stream 1, stream valid, strip 2: 0x250002, checksum 02 ^ rotl(00,3) ^ rotl(25,5) = 02 ^ a4 = a6.
    EXPECT_EQ((encode_state<word>(2, 1, 1, 2)), 0xa6250002U);
    EXPECT_TRUE(state_is_valid<word>(0xa6250002U, 2));
    EXPECT_FALSE(state_is_valid<word>(0xa6250002U, 1));
    EXPECT_FALSE(state_is_valid<word>(0xa7250002U, 2));
    EXPECT_TRUE(state_is_valid<word>(0, 0));
    EXPECT_FALSE((state_is_valid<word>(encode_state<word>(1, 0, 0, 0), 4)));     // no stream, but a slot
    EXPECT_FALSE((state_is_valid<word>(encode_state<word>(1, 1 | 8, 1, 0), 4))); // bit 19
    EXPECT_EQ((slot_index<word>(true, 3, 5, 32, 10)), 101U);
    EXPECT_EQ((slot_index<word>(false, 3, 5, 32, 10)), 53U);
    EXPECT_FALSE(slot_is_left<word>(10, 10));
    EXPECT_FALSE(is_thread<word>(7, 7));
}

TEST(rules, the_checksum_has_all_three_bytes)
{
    // 34 ^ rotl(12, 3) ^ rotl(96, 5) = 34 ^ 90 ^ d2; not worked out by the compiler.
    word slot = 0x1234;
    EXPECT_EQ((encode_state<word>(slot, 2, 1, 9)), 0x76961234U);
    EXPECT_TRUE(state_is_valid<word>(0x76961234U, slot));
    slot = 0;
    EXPECT_EQ(state_has_stream<word>(slot), 0U);
    EXPECT_EQ((next_state<word>(static_cast<word>(out_type::cut), slot, 0)), 0U);
}

TEST(rules, a_choice_of_64_bits)
{
    std::uint64_t one = 1ULL << 40, other = 1;
    EXPECT_EQ(select(one > other, one, other), 1ULL << 40);
    EXPECT_EQ(select(one < other, one, other), 1U);
}

TEST(rules, tokens_and_next_states)
{
    constexpr auto number = [](out_type type) { return static_cast<word>(type); };
    const word state = encode_state<word>(2, 1, 1, 2);
    const word emit = number(out_type::emit);
    const word cut = number(out_type::cut);
    const word both = number(out_type::emit_then_cut);
    EXPECT_EQ(token_slot(emit, state), 2U);
    EXPECT_EQ(token_slot(cut, state), 1U);
    EXPECT_EQ((token_stream<word>(emit, state, 7)), 3U);
    EXPECT_EQ((token_stream<word>(cut, state, 7)), 1U);
    EXPECT_EQ((token_byte<word>(emit, 3, 0x8)), 0xa3U);
    EXPECT_EQ((token_byte<word>(emit, 3, 0x7)), 0x83U);
    EXPECT_EQ((token_byte<word>(cut, 1, 0x2)), 0xe1U);
    EXPECT_EQ((token_byte<word>(both, 0, 0)), 0xc0U);
    EXPECT_EQ((next_state<word>(emit, state, 1)), (encode_state<word>(3, 1, 1, 3)));
    EXPECT_EQ((next_state<word>(emit, state, 2)), (encode_state<word>(3, 2, 1, 1))); // a new strip
    EXPECT_EQ((next_state<word>(both, state, 1)), (encode_state<word>(3, 1, 1, 0)));
    EXPECT_EQ((next_state<word>(cut, state, 1)), (encode_state<word>(2, 1, 1, 0)));
    EXPECT_EQ((next_state<word>(emit, encode_state<word>(20, 0, 1, 15), 0)), (encode_state<word>(21, 0, 1, 15)));
    EXPECT_EQ((next_state<word>(emit, word{0}, 2)), (encode_state<word>(1, 2, 1, 1)));
    EXPECT_EQ(token_offset<word>(3), 7U);
    EXPECT_TRUE(token_fits<word>(7, 8));
    EXPECT_FALSE(token_fits<word>(8, 8));
}

TEST(rules, the_first_line_of_OUT_that_applies)
{
    for (unsigned n = 0; n < 512; ++n) {
        const auto bit = [n](unsigned b) { return (n >> b & 1U) != 0; };
        const out_facts<bool> f{bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6), bit(7), bit(8)};
        if (f.final && f.cut) continue;
        const auto expected = first_true({{!f.active || f.fast, ""}, // section 4.6's list
                                          {f.bad_state, "state"},
                                          {f.no_thread, "overflow"},
                                          {f.final, ""},
                                          {f.cut && (f.at_maximum || f.empty_strip), ""},
                                          {f.at_maximum || f.beyond_map, "overflow"}},
                                         "writes");
        const auto found = line_that_applies(f);
        ASSERT_EQ(std::string(found.gs_state ? "state" : "") + (found.gs_overflow ? "overflow" : "") +
                      (found.writes ? "writes" : ""),
                  expected)
            << n;
    }
}

TEST(rules, errors_of_operations)
{
    const auto error = [](opcode op, address_form form, space space, stage stage, word size) {
        return operation_error<word>(static_cast<word>(op), static_cast<word>(form), static_cast<word>(space),
                                     static_cast<word>(stage), size);
    };
    constexpr auto logical = address_form::logical;
    constexpr auto patch = address_form::patch;
    EXPECT_EQ(error(opcode::isbewr, logical, space::input, stage::none, 4), 0x0aU);
    EXPECT_EQ(error(opcode::isbewr, logical, space::input, stage::vertex, 4), 0x09U);
    EXPECT_EQ(error(opcode::isbewr, logical, space::output, stage::vertex, 4), 0U);
    EXPECT_EQ(error(opcode::ald, address_form::phys, space::output, stage::mesh, 2), 0x09U);
    EXPECT_EQ(error(opcode::ald, address_form::phys, space::output, stage::mesh, 1), 0x0aU);
    EXPECT_EQ(error(opcode::ast, address_form::phys, space::output, stage::mesh, 1), 0U);
    EXPECT_EQ(error(opcode::ald, patch, space::input, stage::tess, 4), 0U);
    EXPECT_EQ(error(opcode::ald, patch, space::input, stage::tess_init, 4), 0x0aU);
    EXPECT_EQ(error(opcode::ald, patch, space::output, stage::tess_init, 4), 0U);
    EXPECT_EQ(error(opcode::ald, logical, space::output, stage::task, 1), 0x0aU);
    EXPECT_EQ(error(opcode::ald, logical, space::output, stage::tess, 1), 0U);
    EXPECT_EQ(error(opcode::ast, patch, space::output, stage::tess, 1), 0x0aU);
    EXPECT_EQ(error(opcode::ast, patch, space::input, stage::tess_init, 1), 0U);
    EXPECT_EQ(error(opcode::out, logical, space::output, stage::geometry, 1), 0U);
    EXPECT_EQ(error(opcode::out, logical, space::output, stage::mesh, 1), 0x0aU);
    EXPECT_EQ(error(opcode::al2p, address_form::phys, space::output, stage::geometry, 4), 0U);
}

TEST(rules, overwritten_bits_and_winners)
{
    EXPECT_TRUE(tracks_overwritten(true, false, true, false));
    EXPECT_TRUE(tracks_overwritten(true, false, false, true));
    EXPECT_FALSE(tracks_overwritten(true, false, false, false)); // a load from the output space
    EXPECT_FALSE(tracks_overwritten(true, true, true, true));
    EXPECT_FALSE(tracks_overwritten(false, false, true, true));
    EXPECT_TRUE(wins_over<word>(true, 9, 3));
    EXPECT_FALSE(wins_over<word>(true, 3, 9));
    EXPECT_TRUE(wins_over<word>(false, 3, 9));
}

} // namespace
} // namespace isbesim::test
