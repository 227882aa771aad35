// SPDX-License-Identifier: Apache-2.0
// The pins of the C interface against the Verilated RTL, every pin in every cycle, and against the SystemC module
// isbe_at.
#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "models/attribute/layout.h"
#include "testbench/rtl/rtl_parameters.h"
#include "tests/c_interface/c_block.h"
#include "tests/c_interface/rtl_pins.h"
#include "tests/rtl/configurations.h"
#include "tests/support/isbe_bench.h"

namespace isbesim::test {
namespace {

/// Equal but for undefined payloads.
bool same_pins(const isbesim_outputs& a, const isbesim_outputs& b)
{
    return a.req_ready == b.req_ready && a.resp_valid == b.resp_valid &&
           (a.resp_valid == 0 || std::memcmp(&a.response, &b.response, sizeof a.response) == 0);
}

struct comparison {
    std::uint64_t cycles = 0;
    std::uint64_t differences = 0;
    std::uint64_t stalls = 0;    ///< cycles of a request without ready
    std::uint64_t responses = 0; ///< transfers
};

void compare_storage(c_block& model, rtl_pins& rtl)
{
    for (std::uint32_t address = 0; address < isbesim_storage_size(model.get()); address += 4) {
        std::uint32_t word = 0;
        ASSERT_EQ(isbesim_read_storage(model.get(), address, &word, 1), ISBESIM_OK);
        ASSERT_EQ(word, rtl.peek(address)) << "at " << address;
    }
}

/// `reset_every`: cycles between resets, after which the storages are compared; 0: none.
comparison compare(c_block& model, rtl_pins& rtl, std::vector<pin_client>& clients, unsigned reset_every)
{
    comparison result;
    std::vector<isbesim_inputs> inputs(clients.size());
    std::vector<isbesim_outputs> outputs(clients.size());
    const auto over = [&] {
        return std::all_of(clients.begin(), clients.end(), [](const auto& client) { return client.finished(); });
    };
    for (std::uint64_t cycle = 0; !over() && result.differences == 0; ++cycle) {
        for (unsigned port = 0; port < clients.size(); ++port) {
            outputs[port] = model.pins(port);
            if (!same_pins(outputs[port], rtl.pins(port))) ++result.differences;
            inputs[port] = clients[port].drive(cycle, outputs[port].resp_valid != 0);
            result.stalls += inputs[port].request != nullptr && outputs[port].req_ready == 0 ? 1 : 0;
            result.responses += inputs[port].resp_ready != 0 && outputs[port].resp_valid != 0 ? 1 : 0;
        }
        const bool reset = reset_every != 0 && cycle % reset_every == reset_every - 1;
        model.clock(inputs, reset);
        rtl.clock(inputs, reset);
        for (unsigned port = 0; port < clients.size(); ++port) {
            if (reset)
                clients[port].reset();
            else
                clients[port].edge(inputs[port], outputs[port].req_ready != 0, outputs[port].resp_valid != 0);
        }
        if (reset) compare_storage(model, rtl);
        ++result.cycles;
        if (cycle > 10'000'000) {
            ADD_FAILURE() << "no end";
            break;
        }
    }
    return result;
}

class c_interface_pins_of : public testing::TestWithParam<const char*> {};

TEST_P(c_interface_pins_of, are_those_of_the_rtl_in_every_cycle)
{
    const auto config = testbench::rtl_configuration_of(GetParam());
    for (const unsigned seed : {11U, 12U}) {
        constexpr unsigned count = 3000;
        std::vector<pin_client> clients;
        for (auto& items : random_items(config, seed, count)) clients.emplace_back(std::move(items), seed);
        c_block model(config);
        rtl_pins rtl(rtl::plugin_of(GetParam()));
        const auto result = compare(model, rtl, clients, 0);
        EXPECT_EQ(result.differences, 0U) << "in cycle " << result.cycles - 1 << ", seed " << seed;
        EXPECT_EQ(result.responses, count);
        EXPECT_GT(result.stalls, 0U);
        compare_storage(model, rtl);
    }
}

/// Resets come in the middle of stores, too: what their passes have written before, with its overwritten bits, stays
/// (micro-architecture sections 2, 4.5 and 5).
TEST_P(c_interface_pins_of, are_those_of_the_rtl_over_resets)
{
    const auto config = testbench::rtl_configuration_of(GetParam());
    const unsigned starts = config.lines > 128 ? 20 : 150; // the whole storage is compared after each reset
    std::uint64_t responses = 0;
    for (const unsigned reset_every : {97U, 41U, 29U, 17U}) {
        std::vector<pin_client> clients;
        for (auto& items : many_starts(config, starts, 50)) clients.emplace_back(std::move(items), 5);
        c_block model(config);
        rtl_pins rtl(rtl::plugin_of(GetParam()));
        const auto result = compare(model, rtl, clients, reset_every);
        EXPECT_EQ(result.differences, 0U) << "in cycle " << result.cycles - 1;
        responses += result.responses;
    }
    EXPECT_GT(responses, 200U);
}

/// Words written past the pins after all passes of a store stay.
TEST(c_interface_pins, reset_keeps_the_storage)
{
    c_block model(testbench::rtl_configuration_of("small"));
    warp_op op;
    op.op = opcode::isbewr;
    op.region = region::physical;
    op.space = space::output;
    op.size = 4;
    op.lanes = 1;
    op.data[0][0] = 5;
    isbesim_request request;
    testbench::write_request(op, request);
    model.clock({{&request, 1}, {nullptr, 1}});
    while (model.pins(0).resp_valid == 0) model.clock({{nullptr, 0}, {nullptr, 0}});
    std::uint32_t value = 0;
    ASSERT_EQ(isbesim_read_storage(model.get(), 0, &value, 1), ISBESIM_OK);
    EXPECT_EQ(value, 5U);
    value = 6;
    ASSERT_EQ(isbesim_write_storage(model.get(), 0, &value, 1), ISBESIM_OK);
    model.clock({{nullptr, 0}, {nullptr, 0}}, true);
    ASSERT_EQ(isbesim_read_storage(model.get(), 0, &value, 1), ISBESIM_OK);
    EXPECT_EQ(value, 6U);
}

/// A slot that does not exist has no descriptor.
TEST(c_interface_pins, a_descriptor_is_checked_when_it_is_taken)
{
    const auto config = testbench::rtl_configuration_of("small");
    c_block model(config);
    context beyond;
    beyond.stage = stage::vertex;
    beyond.input.attr_bytes = config.lines * line_bytes + 4;
    warp_op op;
    op.op = opcode::bind;
    pack_context(beyond, op);
    isbesim_request request;
    const auto clocked = [&] {
        testbench::write_request(op, request);
        const std::vector<isbesim_inputs> inputs{{&request, 0}, {nullptr, 0}};
        return isbesim_clock(model.get(), 0, inputs.data());
    };
    EXPECT_EQ(clocked(), ISBESIM_INVALID);
    EXPECT_EQ(isbesim_cycle(model.get()), 0U);
    for (const unsigned slot : {config.contexts, 0xffffU}) {
        op.context = static_cast<std::uint16_t>(slot);
        EXPECT_EQ(clocked(), ISBESIM_OK); // and reports it in its response
    }
    while (model.pins(0).req_ready != 0) EXPECT_EQ(clocked(), ISBESIM_OK);
    op.context = 0;
    EXPECT_EQ(clocked(), ISBESIM_OK) << "no room: it waits";
}

TEST(c_interface_pins, a_latency_of_one_cycle_more_is_seen)
{
    const auto right = testbench::rtl_configuration_of("small");
    for (auto member :
         {&isbe_config::pipeline_latency, &isbe_config::write_latency, &isbe_config::al2p_latency,
          &isbe_config::out_latency, &isbe_config::request_queue_depth, &isbe_config::response_queue_depth}) {
        auto wrong = right;
        ++(wrong.*member);
        std::vector<pin_client> clients;
        for (auto& items : random_items(right, 1, 3000)) clients.emplace_back(std::move(items), 1);
        c_block model(wrong);
        rtl_pins rtl(rtl::plugin_of("small"));
        EXPECT_GT(compare(model, rtl, clients, 0).differences, 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(configurations, c_interface_pins_of,
                         testing::Values("default", "small", "shallow", "smallest", "fixed_priority", "by_line",
                                         "unskewed", "choices"),
                         [](const auto& chosen) { return std::string(chosen.param); });

/// One SystemC elaboration in a process: a test for each machine.
class c_interface_and_isbe_at : public testing::TestWithParam<const char*> {};

TEST_P(c_interface_and_isbe_at, have_the_same_cycles_and_responses)
{
    const auto config = testbench::rtl_configuration_of(GetParam());
    const auto items = random_items(config, 21, 6000);
    std::vector<stream> streams(config.ports);
    std::vector<pin_client> clients;
    for (unsigned port = 0; port < config.ports; ++port) {
        for (const auto& item : items[port]) streams[port].push_back({item.op, item.earliest, item.response_hold});
        clients.emplace_back(items[port], 3);
    }
    isbe_bench bench("at", config);
    const auto answers = bench.run(streams);

    c_block model(config);
    std::vector<isbesim_inputs> inputs(config.ports);
    std::vector<isbesim_outputs> outputs(config.ports);
    std::vector<std::size_t> sent(config.ports), responded(config.ports);
    std::vector<bool> was_valid(config.ports);
    std::size_t left = 6000;
    for (std::uint64_t cycle = 0; left != 0; ++cycle) {
        for (unsigned port = 0; port < config.ports; ++port) {
            outputs[port] = model.pins(port);
            const bool valid = outputs[port].resp_valid != 0;
            inputs[port] = clients[port].drive(cycle, valid);
            if (inputs[port].request != nullptr && outputs[port].req_ready != 0) {
                ASSERT_EQ(answers[port][sent[port]++].times.accept, cycle) << "port " << port;
            }
            if (valid && !was_valid[port]) {
                const auto& expected = answers[port][responded[port]];
                isbesim_response response{};
                testbench::write_response(expected.result, response);
                ASSERT_EQ(expected.times.response, cycle) << "port " << port << ", operation " << responded[port];
                ASSERT_EQ(std::memcmp(&response, &outputs[port].response, sizeof response), 0)
                    << "port " << port << ", operation " << responded[port];
            }
            was_valid[port] = valid && inputs[port].resp_ready == 0;
            if (valid && inputs[port].resp_ready != 0) {
                ++responded[port];
                --left;
            }
        }
        model.clock(inputs);
        for (unsigned port = 0; port < config.ports; ++port)
            clients[port].edge(inputs[port], outputs[port].req_ready != 0, outputs[port].resp_valid != 0);
    }
}

INSTANTIATE_TEST_SUITE_P(configurations, c_interface_and_isbe_at,
                         testing::Values("default", "small", "one_port", "choices", "by_line"),
                         [](const auto& chosen) { return std::string(chosen.param); });

} // namespace
} // namespace isbesim::test
