// SPDX-License-Identifier: Apache-2.0
// XC-02: what a transaction counts as. That random traffic hits every bin is checked by the cross-check of each
// compiled configuration (--require-coverage).
#include "testbench/crosscheck/traffic/coverage.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "models/isbe/functional/gs_state.h"

namespace isbesim::testbench {
namespace {

std::set<std::string> hit_by(const warp_op& op, const warp_result& result, const context& slot = {},
                             const transaction_times& times = {}, std::uint32_t hold = 0)
{
    coverage bins{isbe_config{}};
    bins.sample(0, slot, op, result, times, hold);
    std::set<std::string> names;
    for (const auto& [name, hits] : bins.bins())
        if (hits != 0 && coverage::part_of(name) == coverage::part::listed) names.insert(name);
    return names;
}

warp_op raw_read(std::uint8_t bytes, lane_mask lanes)
{
    warp_op op;
    op.op = opcode::isberd;
    op.region = region::physical;
    op.size = bytes;
    op.lanes = lanes;
    return op;
}

TEST(coverage, XC_02_a_word_that_all_lanes_read)
{
    const auto op = raw_read(4, all_lanes);
    warp_result result;
    result.passes = 1;
    const std::set<std::string> expected = {"access.isberd.physical.input.bytes4",
                                            "port0.isberd",
                                            "lanes.isberd.all",
                                            "passes.read.01",
                                            "error.none",
                                            "raw.isberd.same_word",
                                            "ignored.isberd.type"};
    EXPECT_EQ(hit_by(op, result), expected);
}

TEST(coverage, XC_02_bytes_that_reach_into_the_next_word)
{
    auto op = raw_read(2, 1U << 4);
    warp_result result;
    result.passes = 2;
    op.address[4] = 6;
    EXPECT_EQ(hit_by(op, result).count("raw.isberd.crosses_word"), 0U);
    op.address[4] = 7;
    EXPECT_EQ(hit_by(op, result).count("raw.isberd.crosses_word"), 1U);
    result.status[4] = lane_status::out_of_range;
    EXPECT_EQ(hit_by(op, result).count("raw.isberd.crosses_word"), 0U);

    op.op = opcode::isbewr;
    op.region = region::map; // bytes A-1 and A
    op.space = space::output;
    result.status[4] = 0;
    op.address[4] = 7;
    EXPECT_EQ(hit_by(op, result).count("raw.isbewr.crosses_word"), 0U);
    op.address[4] = 8;
    EXPECT_EQ(hit_by(op, result).count("raw.isbewr.crosses_word"), 1U);
}

TEST(coverage, XC_02_rows_of_the_default_values)
{
    const auto row = [](std::int32_t address) {
        warp_op op;
        op.op = opcode::ald;
        op.size = 1;
        op.lanes = 1;
        op.immediate = address;
        warp_result result;
        result.status[0] = lane_status::defaulted;
        std::string found;
        for (const auto& name : hit_by(op, result))
            if (name.rfind("default.", 0) == 0) found += name.substr(8);
        return found;
    };
    EXPECT_EQ(row(0x07c), "position_w");
    EXPECT_EQ(row(0x078), "zero");
    EXPECT_EQ(row(0x08c), "generic_w");
    EXPECT_EQ(row(0x27c), "generic_w");
    EXPECT_EQ(row(0x278), "zero");
    EXPECT_EQ(row(0x280), "diffuse_rgb");
    EXPECT_EQ(row(0x2a8), "diffuse_rgb");
    EXPECT_EQ(row(0x28c), "diffuse_a");
    EXPECT_EQ(row(0x2ac), "diffuse_a");
    EXPECT_EQ(row(0x29c), "specular_a");
    EXPECT_EQ(row(0x2bc), "specular_a");
    EXPECT_EQ(row(0x2b8), "zero");
    EXPECT_EQ(row(0x30c), "texture_q");
    EXPECT_EQ(row(0x39c), "texture_q");
    EXPECT_EQ(row(0x3ac), "zero");
}

TEST(coverage, XC_02_loads_of_the_output_space_by_stage)
{
    context slot;
    slot.stage = stage::mesh;
    warp_op op;
    op.op = opcode::ald;
    op.size = 1;
    op.lanes = 1;
    warp_result refused;
    refused.error = op_error::illegal_sph_instr_combo;
    const auto hits = [&] { return hit_by(op, refused, slot).count("ald.output.mesh"); };
    EXPECT_EQ(hits(), 0U) << "input";
    op.space = space::output;
    EXPECT_EQ(hits(), 1U);
    op.form = address_form::phys;
    EXPECT_EQ(hits(), 1U);
    op.form = address_form::patch;
    EXPECT_EQ(hits(), 0U);
    op.op = opcode::ast;
    op.form = address_form::logical;
    EXPECT_EQ(hits(), 0U);
}

TEST(coverage, XC_02_out_of_a_thread_at_its_maximum)
{
    context slot;
    slot.stage = stage::geometry;
    slot.geometry.max_vertices = 3;
    slot.geometry.thread_count = 8;
    warp_op op;
    op.op = opcode::out;
    op.type = out_type::cut;
    op.lanes = 1U << 7;
    gs_state state;
    state.slot = 3;
    state.stream_valid = true;
    state.strip = 2;
    const auto hits = [&](const char* type) {
        op.handle[7] = encode_gs_state(state);
        return hit_by(op, warp_result{}, slot).count(std::string("out.") + type + ".at_maximum");
    };
    EXPECT_EQ(hits("cut"), 1U);
    EXPECT_EQ(hits("emit"), 0U);
    state.slot = 2;
    EXPECT_EQ(hits("cut"), 0U) << "one more may come";
    state.slot = 3;
    state.strip = 0;
    EXPECT_EQ(hits("cut"), 0U) << "nothing to cut";
    state.strip = 1;
    op.type = out_type::emit_then_cut;
    EXPECT_EQ(hits("emit_then_cut"), 1U);
    slot.geometry.thread_count = 7;
    EXPECT_EQ(hits("emit_then_cut"), 0U) << "no such thread";
    slot.geometry.thread_count = 8;
    slot.fast_geometry = true;
    EXPECT_EQ(hits("emit_then_cut"), 0U) << "no state";
}

TEST(coverage, XC_02_maps_of_a_context)
{
    context slot;
    slot.stage = stage::vertex;
    slot.input.allocated.insert(30);
    slot.input.allocated.insert(31);
    slot.input.enabled.insert(31);
    slot.input.enabled.insert(32);
    slot.input.vertex_count = 33;
    warp_op op;
    op.op = opcode::bind;
    pack_context(slot, op);
    std::set<std::string> maps;
    for (const auto& name : hit_by(op, warp_result{}))
        if (name.rfind("map.", 0) == 0 || name.rfind("context.", 0) == 0) maps.insert(name);
    const std::set<std::string> expected = {"map.input.allocated.1_to_31", "map.input.enabled.part",
                                            "map.input.enabled.beyond_allocated", "map.output.allocated.none",
                                            "context.input.vertices.33_or_more"};
    EXPECT_EQ(maps, expected);
}

TEST(coverage, XC_02_how_long_each_side_of_a_port_is_held_back)
{
    const auto op = raw_read(4, 1);
    transaction_times times;
    times.begin_request = 10;
    const auto held = [&](std::uint64_t request, std::uint32_t response) {
        times.accept = times.begin_request + request;
        std::set<std::string> names;
        for (const auto& name : hit_by(op, warp_result{}, context{}, times, response))
            if (name.rfind("back_pressure.", 0) == 0) names.insert(name.substr(14));
        return names;
    };
    EXPECT_TRUE(held(0, 0).empty());
    EXPECT_EQ(held(1, 0), std::set<std::string>{"request.port0.1_cycle"});
    EXPECT_EQ(held(7, 0), std::set<std::string>{"request.port0.2_to_7_cycles"});
    EXPECT_EQ(held(8, 0), std::set<std::string>{"request.port0.8_cycles_or_more"});
    EXPECT_EQ(held(0, 1), std::set<std::string>{"response.port0.1_cycle"});
    EXPECT_EQ(held(0, 2), std::set<std::string>{"response.port0.2_to_7_cycles"});
    EXPECT_EQ(held(0, 99), std::set<std::string>{"response.port0.8_cycles_or_more"});
}

TEST(coverage, XC_02_contention_is_a_bin_of_machines_with_two_ports)
{
    isbe_config config;
    config.ports = 2;
    coverage two(config);
    EXPECT_EQ(two.bins().count("contention.port1"), 1U);
    two.sample_contention(1, 5);
    EXPECT_EQ(two.bins().at("contention.port1"), 5U);
    EXPECT_EQ(two.bins().at("contention.port0"), 0U);
    config.arbitration = arbitration_rule::fixed_priority; // port 0 always wins
    EXPECT_EQ(coverage(config).bins().count("contention.port0"), 0U);
    EXPECT_EQ(coverage(config).bins().count("contention.port1"), 1U);
    config.ports = 1;
    coverage one(config);
    one.sample_contention(0, 5);
    EXPECT_EQ(one.bins().count("contention.port0"), 0U);
    EXPECT_EQ(one.of(coverage::part::listed).hit, 0U);
}

} // namespace
} // namespace isbesim::testbench
