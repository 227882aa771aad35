// SPDX-License-Identifier: Apache-2.0
// XC-02: bins of the page's conditions.
#include "testbench/crosscheck/page/page_bins.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/rules/geometry_state.h"
#include "testbench/crosscheck/page/met_conditions.h"
#include "testbench/crosscheck/traffic/random_traffic.h"

namespace isbesim::testbench {
namespace {

isbe_config odd_machine()
{
    isbe_config config;
    config.lines = 96;
    config.banks = 8;
    config.bank_map = bank_map::exclusive_or;
    config.skew = false;
    config.gs_slot_order = gs_slot_order::blocked;
    config.patch_winner = lane_winner::lowest;
    config.contexts = 5;
    return config;
}

isbe_config by_line()
{
    isbe_config config;
    config.lines = 64;
    config.access = access_rule::line;
    config.ports = 1;
    return config;
}

class page_of : public ::testing::TestWithParam<isbe_config> {};

/// Plays random operations on the model, one after the other.
template <typename F>
void play(const isbe_config& config, unsigned transactions, F&& each)
{
    isbe_core core(config);
    random_traffic traffic(config, 5, transactions);
    traffic_item item;
    const context none;
    for (unsigned port = 0; port < config.ports; ++port)
        while (traffic.next(port, item)) {
            const context slot = item.op.context < config.contexts ? core.context_at(item.op.context) : none;
            warp_result result;
            core.execute(item.op, result);
            each(slot, item.op, result);
        }
}

TEST_P(page_of, XC_02_excluded_bins_are_never_hit)
{
    std::map<std::string, unsigned> names;
    bin_hits hits{0};
    page_bins bins(GetParam(), [&](const std::string& name) {
        EXPECT_TRUE(names.emplace(name, static_cast<unsigned>(hits.size())).second) << name;
        hits.push_back(0);
        return static_cast<page_bins::bin>(hits.size() - 1); // 0 is not a bin
    });
    play(GetParam(), 40'000, [&](const context& slot, const warp_op& op, const warp_result& result) {
        transaction_times times;
        times.accept = 10;
        times.response = 100;
        bins.sample(slot, op, result, times, 0, hits);
    });
    const std::set<std::string> surprises(bins.surprises().begin(), bins.surprises().end());
    EXPECT_EQ(surprises, std::set<std::string>{});
    EXPECT_FALSE(bins.excluded().empty());
    for (const auto& [name, reason] : bins.excluded()) EXPECT_EQ(names.count(name), 0U) << name << ": " << reason;
}

/// Names of the conditions that one lane of an operation meets, but for those of passes.
std::set<std::string> met_by(const warp_op& op, const context& slot)
{
    const auto conditions = condition_finder(isbe_config{}).find(slot, op).met;
    std::set<std::string> found;
    for (unsigned i = 0; i < condition_count; ++i) {
        const std::string name = name_of(static_cast<condition>(i));
        if (conditions.test(i) && name != "no_access" && name.rfind("store_in_", 0) != 0) found.insert(name);
    }
    return found;
}

using met = std::set<std::string>;

/// A context of this stage: POSITION is allocated and enabled, id 40 enabled alone, id 41 allocated alone.
context some_context(stage s)
{
    context slot;
    slot.stage = s;
    for (auto* const space : {&slot.input, &slot.output}) {
        for (const unsigned id : {28U, 29U, 30U, 31U, 41U}) space->allocated.insert(id);
        for (const unsigned id : {28U, 29U, 30U, 31U, 40U}) space->enabled.insert(id);
        space->vertex_count = 40;
        space->attr_bytes = 2 * 5 * 128;
    }
    return slot;
}

warp_op attribute(opcode code, std::int32_t address, std::uint8_t size, word handle = 0)
{
    warp_op op;
    op.op = code;
    op.size = size;
    op.lanes = 1U << 3;
    op.immediate = address;
    op.handle[3] = handle;
    return op;
}

TEST(conditions, XC_02_addresses_maps_and_vertices)
{
    const auto slot = some_context(stage::tess);
    EXPECT_EQ(met_by(attribute(opcode::ald, 0x74, 2), slot), (met{"address_cut", "maps_both", "accessed"}));
    EXPECT_EQ(met_by(attribute(opcode::ald, 0x70, 1, 33), slot), (met{"maps_both", "accessed", "vertex_second_group"}));
    EXPECT_EQ(met_by(attribute(opcode::ald, 0x70, 1, 40), slot), (met{"maps_both", "vertex_beyond"}));
    EXPECT_EQ(met_by(attribute(opcode::ald, 0x70, 1, 64), slot),
              (met{"maps_both", "vertex_beyond", "order_4_before_7"}));
    EXPECT_EQ(met_by(attribute(opcode::ald, 0xa0, 2), slot),
              (met{"maps_enabled_only", "maps_allocated_only", "default_zero"}));
    EXPECT_EQ(met_by(attribute(opcode::ald, -4, 1), slot), (met{"address_below"}));
    EXPECT_EQ(met_by(attribute(opcode::ald, 0x400, 1, 40), slot), (met{"address_beyond", "order_2_before_4"}));
    EXPECT_EQ(met_by(attribute(opcode::ald, 0x28c, 1), slot), (met{"maps_neither", "default_front_alpha"}));
    EXPECT_EQ(met_by(attribute(opcode::ald, 0x60, 1, 99), slot),
              (met{"maps_neither", "primitive_disabled", "default_zero", "order_3_before_4"}));
    auto output = attribute(opcode::ald, 0x60, 1, 99);
    output.space = space::output;
    EXPECT_EQ(met_by(output, slot), (met{"maps_neither", "default_zero"})) << "the vertex is lane 3";
}

TEST(conditions, XC_02_results_of_AL2P)
{
    const auto slot = some_context(stage::vertex);
    const auto load = [&](word result) {
        auto op = attribute(opcode::ald, 0, 1);
        op.form = address_form::phys;
        op.address[3] = result;
        return met_by(op, slot);
    };
    EXPECT_EQ(load(0xa2011c00), (met{"accessed"}));
    EXPECT_EQ(load(0xa2001c00), (met{"result_disabled", "default_zero"}));
    EXPECT_EQ(load(0xa2011c0a), (met{"rank_beyond", "order_6_before_7"}));
    EXPECT_EQ(load(0xa2021c00), (met{"result_out_of_range", "order_2_before_5"}));
    EXPECT_EQ(load(0xa2051c00), (met{"tag_other_space"}));
    EXPECT_EQ(load(0xa2111c00), (met{"tag_zeros_wrong"}));
    EXPECT_EQ(load(0xa1111c00), (met{"tag_wrong"}));
    EXPECT_EQ(load(0xa1131800), (met{"tag_wrong", "order_1_before_2", "order_1_before_3"}));
}

TEST(conditions, XC_02_bytes_of_a_region)
{
    auto slot = some_context(stage::vertex);
    slot.output.map_bytes = 10;
    const auto conditions_of = [&](opcode code, std::int32_t address, std::uint8_t size) {
        auto op = attribute(code, address, size);
        op.region = region::map;
        op.space = space::output;
        return met_by(op, slot);
    };
    EXPECT_EQ(conditions_of(opcode::isberd, 3, 1), (met{"byte_accessed"}));
    EXPECT_EQ(conditions_of(opcode::isberd, 3, 2), (met{"half_in_two_words"}));
    EXPECT_EQ(conditions_of(opcode::isberd, 8, 2), (met{"half_accessed"}));
    EXPECT_EQ(conditions_of(opcode::isberd, 9, 2), (met{"bytes_partly_beyond"}));
    EXPECT_EQ(conditions_of(opcode::isberd, 10, 2), (met{"bytes_beyond"}));
    EXPECT_EQ(conditions_of(opcode::isberd, -1, 2), (met{"bytes_partly_below"}));
    EXPECT_EQ(conditions_of(opcode::isberd, -2, 2), (met{"bytes_below"}));
    EXPECT_EQ(conditions_of(opcode::isbewr, 6, 4), (met{"word_in_two_words"}));
    EXPECT_EQ(conditions_of(opcode::isbewr, 2, 4), (met{"bytes_partly_below", "reversed_below"}));
}

TEST(conditions, XC_02_lines_of_OUT)
{
    auto slot = some_context(stage::geometry);
    slot.geometry = {2, 32, 1};
    slot.output.map_bytes = 68;
    const auto out = [&](out_type type, word state, word stream = 0) {
        auto op = attribute(opcode::out, 0, 1, state | rules::state_checksum(state) << 24);
        op.type = type;
        op.address[3] = stream;
        return met_by(op, slot);
    };
    EXPECT_EQ(out(out_type::emit, 0), (met{"token_written", "first_vertex"}));
    EXPECT_EQ(out(out_type::emit, 0, 1), (met{"token_of_masked_stream", "first_vertex"}));
    EXPECT_EQ(out(out_type::emit, 0xf40001), (met{"token_written", "strip_saturated"}));
    EXPECT_EQ(out(out_type::emit, 0xf50001), (met{"token_written", "stream_changed"}));
    EXPECT_EQ(out(out_type::emit, 0x040002), (met{"emit_at_maximum"}));
    EXPECT_EQ(out(out_type::emit, 0x040003), (met{"state_slot"}));
    EXPECT_EQ(out(out_type::emit, 0x080000), (met{"state_zero_bit"}));
    EXPECT_EQ(out(out_type::emit, 0x100001), (met{"state_stream"}));
    EXPECT_EQ(out(out_type::cut, 0x140001), (met{"token_written"}));
    EXPECT_EQ(out(out_type::cut, 0x140002), (met{"cut_at_maximum"}));
    EXPECT_EQ(out(out_type::cut, 0x140000), (met{"cut_slot_0"}));
    EXPECT_EQ(out(out_type::cut, 0x040001), (met{"cut_strip_0"}));
    EXPECT_EQ(out(out_type::final, 0x040001), (met{"final_kept"}));
    slot.output.map_bytes = 7; // the token of lane 3 is byte 7
    EXPECT_EQ(out(out_type::emit, 0), (met{"token_beyond"}));
}

INSTANTIATE_TEST_SUITE_P(machines, page_of, ::testing::Values(isbe_config{}, odd_machine(), by_line()));

} // namespace
} // namespace isbesim::testbench
