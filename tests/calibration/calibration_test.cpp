// SPDX-License-Identifier: Apache-2.0
// Machines that the calibration has never seen: what it finds must be them, or hold them among what it can't tell
// apart.
#include "testbench/calibration/calibration.h"

#include <random>

#include <gtest/gtest.h>

#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/rtl/rtl_parameters.h"
#include "tests/calibration/observations.h"

namespace isbesim::testbench {
namespace {

bool in(const value_range& range, unsigned value)
{
    return range.low <= value && value <= range.high;
}

/// Whether one of the explanations has all keys of the machine at once.
testing::AssertionResult explains(const calibration_result& result, const isbe_config& machine)
{
    if (!in(result.size.lines, machine.lines) || !in(result.size.contexts, machine.contexts) ||
        result.found.ports != machine.ports)
        return testing::AssertionFailure() << "another size";
    for (const auto& each : result.explanations) {
        if (each.arbitration != machine.arbitration || !in(each.response_depth, machine.response_queue_depth) ||
            !in(each.request_depth, machine.request_queue_depth) || !in(each.latency[0], machine.pipeline_latency) ||
            !in(each.latency[1], machine.write_latency) || !in(each.latency[2], machine.al2p_latency) ||
            !in(each.latency[3], machine.out_latency))
            continue;
        for (const auto& rules : each.machines)
            if (rules.access == machine.access && rules.banks == machine.banks && rules.bank_map == machine.bank_map &&
                rules.skew == machine.skew && rules.gs_slot_order == machine.gs_slot_order)
                return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << result.explanations.size() << " explanations, none of them the machine";
}

kept_observation observe(const isbe_config& machine, std::uint64_t seed, std::uint64_t transactions, bool image)
{
    random_traffic random(machine, seed, transactions);
    with_memory_image whole(random, machine);
    traffic_source& source = image ? static_cast<traffic_source&>(whole) : random;
    return observe_model(machine, source);
}

TEST(calibration, finds_every_key_of_every_named_configuration)
{
    for (const auto& named : rtl_configurations()) {
        const auto machine = config_of_rtl_parameters(named.parameters);
        const auto seen = observe(machine, 3, 4000, true);
        const auto result = calibrate(seen, isbe_config{});
        SCOPED_TRACE(named.name);
        ASSERT_TRUE(result.explained());
        EXPECT_EQ(result.model_differences, 0U);
        EXPECT_TRUE(explains(result, machine));
        // Keys of time are found unless nothing could show them: one port, a line a pass, a queue never full.
        EXPECT_EQ(result.found.pipeline_latency, machine.pipeline_latency);
        EXPECT_EQ(result.found.write_latency, machine.write_latency);
        if (named.name != std::string("largest")) { // whose AL2P always follow a later response
            EXPECT_EQ(result.found.al2p_latency, machine.al2p_latency);
        }
        EXPECT_EQ(result.found.out_latency, machine.out_latency);
        EXPECT_EQ(result.found.skew, machine.skew);
        EXPECT_EQ(result.found.access, machine.access);
        if (machine.access == access_rule::banked) {
            EXPECT_EQ(result.found.banks, machine.banks);
            EXPECT_EQ(result.found.bank_map, machine.bank_map);
        }
        if (machine.ports == 2) {
            EXPECT_EQ(result.found.arbitration, machine.arbitration);
        }
        if (machine.request_queue_depth <= 8) {
            EXPECT_EQ(result.found.request_queue_depth, machine.request_queue_depth);
        }
        if (machine.response_queue_depth <= 5) {
            EXPECT_EQ(result.found.response_queue_depth, machine.response_queue_depth);
        }
    }
}

isbe_config random_machine(std::mt19937& random)
{
    const auto draw = [&](unsigned low, unsigned high) {
        return low + static_cast<unsigned>(random() % (high - low + 1));
    };
    isbe_config machine;
    machine.lines = 8 * draw(1, 30);
    machine.banks = 8U << draw(0, 2);
    machine.bank_map = static_cast<bank_map>(draw(0, 2));
    machine.access = draw(0, 3) == 0 ? access_rule::line : access_rule::banked;
    machine.skew = draw(0, 1) != 0;
    machine.ports = draw(0, 3) == 0 ? 1 : 2;
    machine.request_queue_depth = draw(1, draw(0, 3) == 0 ? 64 : 6);
    machine.response_queue_depth = draw(1, draw(0, 3) == 0 ? 128 : 8);
    machine.pipeline_latency = draw(2, 40);
    machine.write_latency = draw(2, 40);
    machine.al2p_latency = draw(2, 40);
    machine.out_latency = draw(2, 40);
    machine.arbitration = static_cast<arbitration_rule>(draw(0, 1));
    machine.gs_slot_order = static_cast<gs_slot_order>(draw(0, 1));
    machine.contexts = draw(1, 64);
    // The calibration can't find these keys: they change no cycle.
    machine.patch_winner = static_cast<lane_winner>(draw(0, 1));
    machine.attribute_default = draw(0, 63);
    machine.map_byte_swap = draw(0, 1) != 0;
    return machine;
}

TEST(calibration, candidates_include_the_true_machine)
{
    std::mt19937 random(20);
    for (unsigned i = 0; i < 40; ++i) {
        const auto machine = random_machine(random);
        const auto transactions = std::array<std::uint64_t, 5>{1, 5, 40, 200, 1000}[random() % 5];
        const auto seen = observe(machine, random(), transactions, false);
        const auto result = calibrate(seen, isbe_config{});
        SCOPED_TRACE("machine " + std::to_string(i) + ": " + rtl_parameter_list(machine));
        ASSERT_TRUE(result.explained());
        EXPECT_TRUE(explains(result, machine));
        EXPECT_EQ(result.model_differences, 0U);
    }
}

TEST(calibration, every_machine_that_it_names_does_the_same)
{
    std::mt19937 random(7);
    for (unsigned i = 0; i < 12; ++i) {
        const auto machine = random_machine(random);
        const auto seen = observe(machine, random(), 60, false);
        const auto result = calibrate(seen, isbe_config{});
        // A machine of each explanation, with keys drawn from its ranges.
        for (const auto& each : result.explanations) {
            const auto draw = [&](const value_range& range) {
                return range.low + static_cast<unsigned>(random() % (range.high - range.low + 1));
            };
            auto other = each.machines[random() % each.machines.size()];
            other.arbitration = each.arbitration;
            other.response_queue_depth = draw(each.response_depth);
            other.request_queue_depth = draw(each.request_depth);
            other.pipeline_latency = draw(each.latency[0]);
            other.write_latency = draw(each.latency[1]);
            other.al2p_latency = draw(each.latency[2]);
            other.out_latency = draw(each.latency[3]);
            EXPECT_EQ(count_model_differences(seen, other), 0U) << rtl_parameter_list(other);
        }
    }
}

TEST(calibration, equal_explanations_are_chosen_nearest_to_the_base)
{
    kept_observation seen(2);
    observed_operation one; // ALD of an unbound slot: an error, one pass
    one.response = one.transfer = 10;
    warp_result refused;
    refused.error = op_error::illegal_sph_instr_combo;
    seen.add(one, {}, refused);
    for (const unsigned banks : {8U, 32U}) {
        isbe_config base;
        base.banks = banks;
        base.request_queue_depth = 11;
        base.out_latency = 77;
        const auto result = calibrate(seen, base);
        ASSERT_TRUE(result.explained());
        EXPECT_EQ(result.found.banks, banks);
        EXPECT_EQ(result.found.request_queue_depth, 11U);
        EXPECT_EQ(result.found.out_latency, 77U);
        EXPECT_EQ(result.found.pipeline_latency, 8U);
    }
}

TEST(calibration, a_constant_offset_is_a_latency)
{
    isbe_config machine;
    machine.lines = 64;
    auto later = machine;
    for (auto* latency : {&later.pipeline_latency, &later.write_latency, &later.al2p_latency, &later.out_latency})
        *latency += 2;
    const auto result = calibrate(observe(later, 5, 2000, true), machine);
    ASSERT_TRUE(result.explained());
    EXPECT_EQ(result.found.pipeline_latency, machine.pipeline_latency + 2);
    EXPECT_EQ(result.found.write_latency, machine.write_latency + 2);
    EXPECT_EQ(result.found.al2p_latency, machine.al2p_latency + 2);
    EXPECT_EQ(result.found.out_latency, machine.out_latency + 2);
    EXPECT_EQ(result.found.request_queue_depth, machine.request_queue_depth);
}

TEST(calibration, a_block_that_no_machine_explains_is_not_explained)
{
    isbe_config machine;
    machine.lines = 64;
    machine.banks = 16;
    auto seen = observe(machine, 9, 2000, true);
    ASSERT_TRUE(calibrate(seen, isbe_config{}).explained());
    // One response of all comes a cycle later; the next response of its port is late enough not to be delayed.
    std::size_t chosen = 1234;
    const auto next_of_port = [&] {
        auto next = chosen + 1;
        while (seen.seen()[next].port != seen.seen()[chosen].port) ++next;
        return seen.seen()[next].response;
    };
    while (next_of_port() <= seen.seen()[chosen].transfer + 2) ++chosen;
    auto& late = seen.seen()[chosen];
    ++late.response;
    late.transfer = std::max(late.transfer, late.response);
    const auto result = calibrate(seen, isbe_config{});
    ASSERT_FALSE(result.explained());
    EXPECT_EQ(result.found.banks, machine.banks);
    EXPECT_EQ(result.found.pipeline_latency, machine.pipeline_latency);
    EXPECT_EQ(result.found.request_queue_depth, machine.request_queue_depth);
    std::vector<std::size_t> differ;
    for (std::size_t i = 0; i < seen.seen().size(); ++i)
        if (result.predicted.response[i] != seen.seen()[i].response) differ.push_back(i);
    EXPECT_EQ(differ, std::vector<std::size_t>{chosen});
}

TEST(calibration, a_block_whose_latency_wanders_is_nearest_to_its_median)
{
    isbe_config machine;
    machine.lines = 64;
    machine.banks = 8;
    machine.pipeline_latency = 30;
    auto seen = observe(machine, 4, 3000, true);
    std::mt19937 random(3);
    std::array<std::uint64_t, 2> last{};
    for (auto& each : seen.seen()) {
        if (row_of(each.op).latency == latency_class::load && random() % 8 == 0) each.response += 1 + random() % 3;
        each.response = std::max(each.response, last[each.port]);
        each.transfer = std::max(each.transfer, each.response);
        last[each.port] = each.transfer + 1;
    }
    const auto result = calibrate(seen, isbe_config{});
    EXPECT_FALSE(result.explained());
    EXPECT_EQ(result.found.banks, 8U);
    EXPECT_EQ(result.found.pipeline_latency, 30U);
    EXPECT_EQ(result.found.write_latency, machine.write_latency);
}

TEST(calibration, passes_that_a_response_names_are_passes_of_the_machine)
{
    isbe_config machine;
    machine.lines = 64;
    auto seen = observe(machine, 2, 500, true);
    for (std::size_t i = 0; i < seen.seen().size(); ++i) seen.seen()[i].passes = seen.result(i).passes;
    EXPECT_TRUE(calibrate(seen, isbe_config{}).explained());
    ++seen.seen()[100].passes;
    const auto result = calibrate(seen, isbe_config{});
    EXPECT_FALSE(result.explained());
    EXPECT_EQ(result.contradicted_passes, 1U);
}

} // namespace
} // namespace isbesim::testbench
