// SPDX-License-Identifier: Apache-2.0
// The checker of isbesim_checker.h, called as a simulator calls it: on the pins of the Verilated RTL, which it must
// find right in every mode, and on pins with a mistake.
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "testbench/dpi/isbesim_checker.h"
#include "testbench/rtl/rtl_parameters.h"
#include "tests/c_interface/c_block.h"
#include "tests/c_interface/rtl_pins.h"
#include "tests/rtl/configurations.h"

namespace isbesim::test {
namespace {

class watcher {
public:
    watcher(const isbe_config& machine, const char* mode) : watcher(c_block::machine_text(machine), mode) {}
    watcher(const std::string& machine, const char* mode) : checker_(isbesim_checker_create(machine.c_str(), mode))
    {
        if (checker_ == nullptr) throw std::runtime_error(isbesim_checker_error());
    }
    ~watcher() { isbesim_checker_destroy(checker_); }
    watcher(const watcher&) = delete;
    watcher& operator=(const watcher&) = delete;

    void cycle(bool reset, const std::vector<isbesim_inputs>& inputs, const std::vector<isbesim_outputs>& outputs)
    {
        std::uint32_t req_ready = 0, resp_ready = 0;
        for (unsigned port = 0; port < inputs.size(); ++port) {
            req_ready |= outputs[port].req_ready << port;
            resp_ready |= inputs[port].resp_ready << port;
            if (const auto* r = inputs[port].request)
                isbesim_checker_request(checker_, port, r->op, r->space, r->region, r->form, r->type, r->size, r->skew,
                                        r->context, static_cast<std::uint32_t>(r->immediate), r->lanes, r->address,
                                        r->handle, r->data);
            if (outputs[port].resp_valid == 0) continue;
            const auto& response = outputs[port].response;
            std::uint32_t status[ISBESIM_LANES / 2];
            for (unsigned i = 0; i < ISBESIM_LANES / 2; ++i)
                status[i] = response.status[2 * i] | std::uint32_t{response.status[2 * i + 1]} << 16U;
            isbesim_checker_response(checker_, port, response.data, status, response.error, response.passes);
        }
        found_ += isbesim_checker_clock(checker_, reset ? 1 : 0, req_ready, resp_ready);
        text_ += isbesim_checker_text(checker_);
    }
    std::uint32_t finish()
    {
        const auto all = isbesim_checker_finish(checker_, 1);
        text_ += isbesim_checker_text(checker_);
        EXPECT_GE(all, found_);
        return all;
    }
    std::uint32_t found() const { return found_; }
    const std::string& text() const { return text_; }
    bool contains(const std::string& words) const { return text_.find(words) != std::string::npos; }

private:
    isbesim_checker* checker_;
    std::uint32_t found_ = 0;
    std::string text_;
};

/// Changes the outputs that the watcher sees, by cycle.
using mistake = std::function<void(std::uint64_t, std::vector<isbesim_outputs>&)>;

/// Plays random traffic into the RTL of a named configuration, watched as a machine `machine` in a mode.
void play(const char* name, watcher& watch, unsigned count, unsigned reset_every = 0, const mistake& change = {})
{
    const auto config = testbench::rtl_configuration_of(name);
    std::vector<pin_client> clients;
    for (auto& items : random_items(config, 41, count)) clients.emplace_back(std::move(items), 2);
    rtl_pins rtl(rtl::plugin_of(name));
    std::vector<isbesim_inputs> inputs(config.ports);
    std::vector<isbesim_outputs> outputs(config.ports);
    for (std::uint64_t cycle = 0; cycle < 1'000'000; ++cycle) {
        for (unsigned port = 0; port < config.ports; ++port) {
            outputs[port] = rtl.pins(port);
            inputs[port] = clients[port].drive(cycle, outputs[port].resp_valid != 0);
        }
        const bool reset = cycle == 0 || (reset_every != 0 && cycle % reset_every == reset_every - 1);
        auto seen = outputs;
        if (change) change(cycle, seen);
        watch.cycle(reset, inputs, seen);
        rtl.clock(inputs, reset);
        bool over = true;
        for (unsigned port = 0; port < config.ports; ++port) {
            if (reset)
                clients[port].reset();
            else
                clients[port].edge(inputs[port], outputs[port].req_ready != 0, outputs[port].resp_valid != 0);
            over = over && clients[port].finished();
        }
        if (over) return;
    }
    ADD_FAILURE() << "no end";
}

using checker_of = testing::TestWithParam<const char*>;

TEST_P(checker_of, finds_the_rtl_right_in_every_mode)
{
    const auto config = testbench::rtl_configuration_of(GetParam());
    for (const char* mode : {"cycles", "order", "latency", "data"}) {
        if (config.ports == 2 && std::string(mode) == "data") continue; // both ports write the same words here
        watcher watch(config, mode);
        play(GetParam(), watch, 3000);
        EXPECT_EQ(watch.finish(), 0U) << mode << ": " << watch.text();
        EXPECT_TRUE(watch.contains(std::string(mode) == "cycles" ? "cycles compared" : "3000 responses compared"))
            << watch.text();
    }
}
INSTANTIATE_TEST_SUITE_P(rtl, checker_of, testing::Values("small", "one_port", "unskewed", "alternative", "choices"),
                         [](const auto& each) { return each.param; });

TEST(checker, reports_cycles_of_late_responses)
{
    auto config = testbench::rtl_configuration_of("one_port");
    for (auto member : {&isbe_config::pipeline_latency, &isbe_config::write_latency, &isbe_config::al2p_latency,
                        &isbe_config::out_latency})
        config.*member -= 2;
    watcher watch(config, "latency");
    play("one_port", watch, 3000);
    EXPECT_EQ(watch.finish(), 0U) << watch.text();
    EXPECT_TRUE(watch.contains("count 3000 min +2 mean +2.000 max +2")) << watch.text();
    EXPECT_TRUE(watch.contains("      +2        3000\n")) << watch.text();

    auto one = testbench::rtl_configuration_of("one_port");
    one.out_latency += 7;
    watcher by_op(one, "latency");
    play("one_port", by_op, 3000);
    EXPECT_EQ(by_op.finish(), 0U);
    EXPECT_TRUE(by_op.contains("min -7 ")) << by_op.text(); // OUT, and operations after one at the port
    EXPECT_TRUE(by_op.contains(" max +0\n")) << by_op.text();
}

TEST(checker, wrong_machines_are_seen_by_the_modes_that_compare_it)
{
    const auto right = testbench::rtl_configuration_of("small");
    auto slower = right;
    ++slower.al2p_latency;
    watcher cycles(slower, "cycles"), latency(slower, "latency");
    play("small", cycles, 2000);
    EXPECT_EQ(cycles.found(), 1U); // and then it stops
    EXPECT_TRUE(cycles.contains("nothing is compared from here on")) << cycles.text();
    EXPECT_TRUE(cycles.contains("  block: ")) << cycles.text();
    EXPECT_TRUE(cycles.contains("  model: {")) << cycles.text();
    play("small", latency, 2000);
    EXPECT_EQ(latency.finish(), 0U) << latency.text();

    auto other = right;
    other.arbitration = arbitration_rule::fixed_priority;
    watcher order(other, "order");
    play("small", order, 3000);
    EXPECT_NE(order.found(), 0U);

    auto values = testbench::rtl_configuration_of("one_port");
    values.attribute_default ^= 4U;
    for (const char* mode : {"data", "order", "latency", "cycles"}) {
        watcher watch(values, mode);
        play("one_port", watch, 3000);
        EXPECT_NE(watch.found(), 0U) << mode;
        EXPECT_TRUE(watch.contains("expected 0x")) << watch.text();
    }
}

/// The n-th response that appears on port 0, for as long as it is there.
mistake at_response(unsigned number, const std::function<void(isbesim_outputs&)>& change)
{
    auto count = std::make_shared<unsigned>(0);
    return [=](std::uint64_t, std::vector<isbesim_outputs>& outputs) {
        if (outputs[0].resp_valid != 0 && (*count)++ == number) change(outputs[0]);
    };
}

TEST(checker, one_wrong_bit_is_seen_in_every_mode)
{
    const auto config = testbench::rtl_configuration_of("one_port");
    for (const char* mode : {"cycles", "order", "latency", "data"}) {
        const auto seen = [&](const std::function<void(isbesim_outputs&)>& change, const char* words) {
            // Every response, so that it is the one of a transfer too.
            watcher watch(config, mode);
            play("one_port", watch, 100, 0, [&](std::uint64_t, std::vector<isbesim_outputs>& outputs) {
                if (outputs[0].resp_valid != 0) change(outputs[0]);
            });
            EXPECT_NE(watch.found(), 0U) << mode;
            EXPECT_TRUE(watch.contains(words)) << mode << ": " << watch.text();
        };
        seen([](isbesim_outputs& o) { o.response.data[77] ^= 1U << 31U; }, "lane 13");
        seen([](isbesim_outputs& o) { o.response.status[31] ^= 0x8000; }, "lane 31");
        seen([](isbesim_outputs& o) { o.response.error ^= 1U; }, "error: expected");
        seen([](isbesim_outputs& o) { ++o.response.passes; }, "passes: expected");
    }
}

TEST(checker, absent_passes_are_accepted)
{
    watcher watch(testbench::rtl_configuration_of("one_port"), "order");
    play("one_port", watch, 500, 0,
         [](std::uint64_t, std::vector<isbesim_outputs>& outputs) { outputs[0].response.passes = 0xffffffffU; });
    EXPECT_EQ(watch.finish(), 0U) << watch.text();
    watcher strict(testbench::rtl_configuration_of("one_port"), "order");
    play("one_port", strict, 500, 0, [](std::uint64_t, std::vector<isbesim_outputs>& outputs) {
        outputs[0].response.passes = 0xffffU; // 16 pins
    });
    EXPECT_NE(strict.finish(), 0U);
}

TEST(checker, a_lost_an_invented_and_a_withdrawn_response_are_seen)
{
    const auto config = testbench::rtl_configuration_of("one_port");
    for (const char* mode : {"cycles", "order", "latency", "data"}) {
        watcher invented(config, mode);
        play("one_port", invented, 100, 0, [](std::uint64_t cycle, std::vector<isbesim_outputs>& outputs) {
            if (cycle < 3) outputs[0].resp_valid = 1;
        });
        EXPECT_NE(invented.finish(), 0U) << mode;

        watcher lost(config, mode);
        play("one_port", lost, 100, 0, at_response(5, [](isbesim_outputs& o) { o.resp_valid = 0; }));
        EXPECT_NE(lost.finish(), 0U) << mode;
    }
}

TEST(checker, goes_on_over_resets)
{
    const auto config = testbench::rtl_configuration_of("one_port");
    for (const char* mode : {"cycles", "order", "latency", "data"}) {
        watcher watch(config, mode);
        std::vector<pin_client> clients;
        for (auto& items : many_starts(config, 20, 50)) {
            for (auto& item : items) // data alone does not show which part of a store a reset leaves
                if (std::string(mode) == "data" && (is_store(item.op.op) || item.op.op == opcode::out)) {
                    item.op.op = opcode::isberd;
                    item.op.region = region::physical;
                    item.op.size = 4;
                }
            clients.emplace_back(std::move(items), 2);
        }
        rtl_pins rtl(rtl::plugin_of("one_port"));
        std::vector<isbesim_inputs> inputs(1);
        std::vector<isbesim_outputs> outputs(1);
        for (std::uint64_t cycle = 0; !clients[0].finished(); ++cycle) {
            outputs[0] = rtl.pins(0);
            inputs[0] = clients[0].drive(cycle, outputs[0].resp_valid != 0);
            const bool reset = cycle % 173 == 0;
            watch.cycle(reset, inputs, outputs);
            rtl.clock(inputs, reset);
            if (reset)
                clients[0].reset();
            else
                clients[0].edge(inputs[0], outputs[0].req_ready != 0, outputs[0].resp_valid != 0);
        }
        EXPECT_EQ(watch.finish(), 0U) << mode << ": " << watch.text();
    }
}

// ---- pins by hand ---------------------------------------------------------------------------------------------------

isbesim_request line_access(std::uint32_t op, std::uint32_t value)
{
    isbesim_request request{};
    request.op = op;
    request.space = 1;
    request.region = ISBESIM_REGION_PHYSICAL;
    request.size = 4;
    request.lanes = 0xffffffffU;
    for (std::uint32_t lane = 0; lane < ISBESIM_LANES; ++lane) {
        request.address[lane] = 4 * lane;
        request.data[lane] = value;
    }
    return request;
}

isbesim_outputs line_response(std::uint32_t value)
{
    isbesim_outputs outputs{};
    outputs.req_ready = outputs.resp_valid = 1;
    std::fill_n(outputs.response.data, ISBESIM_LANES, value);
    outputs.response.passes = 1;
    return outputs;
}

/// A store on port 0 is under way when a load on port 1 responds with `loaded`; then the store responds.
std::string overtaken(std::uint32_t loaded, std::uint32_t& differences)
{
    watcher watch(std::string("{\"isbe.lines\": 64}"), "data");
    const auto store = line_access(ISBESIM_ISBEWR, 5), load = line_access(ISBESIM_ISBERD, 0);
    const isbesim_inputs idle{nullptr, 1};
    isbesim_outputs nothing{};
    nothing.req_ready = 1;
    watch.cycle(true, {idle, idle}, {nothing, nothing});
    watch.cycle(false, {{&store, 1}, idle}, {nothing, nothing});
    watch.cycle(false, {idle, {&load, 1}}, {nothing, nothing});
    watch.cycle(false, {idle, idle}, {nothing, line_response(loaded)});
    watch.cycle(false, {idle, idle}, {line_response(0), nothing});
    differences = watch.finish();
    return watch.text();
}

TEST(checker, data_accepts_any_order_of_pending_operations)
{
    std::uint32_t differences = 0;
    auto text = overtaken(0, differences); // the load first
    EXPECT_EQ(differences, 0U) << text;
    EXPECT_NE(text.find("; 0 needed another order"), std::string::npos) << text;
    text = overtaken(5, differences); // the store first
    EXPECT_EQ(differences, 0U) << text;
    EXPECT_NE(text.find("; 1 needed another order"), std::string::npos) << text;
    text = overtaken(6, differences); // neither
    EXPECT_EQ(differences, 1U) << text;
    EXPECT_NE(text.find("expected 0x00000000, got 0x00000006"), std::string::npos) << text;
}

TEST(checker, requests_that_are_none_are_the_clients_mistake)
{
    for (const char* mode : {"cycles", "order", "latency", "data"}) {
        watcher watch(std::string("{\"isbe.lines\": 64}"), mode);
        auto wrong = line_access(ISBESIM_ISBERD, 0);
        wrong.size = 3;
        const isbesim_inputs idle{nullptr, 1};
        isbesim_outputs nothing{};
        nothing.req_ready = 1;
        watch.cycle(false, {{&wrong, 1}, idle}, {nothing, nothing}); // before the reset: nothing is checked
        watch.cycle(true, {idle, idle}, {nothing, nothing});
        EXPECT_EQ(watch.found(), 0U) << mode;
        watch.cycle(false, {{&wrong, 1}, idle}, {nothing, nothing});
        EXPECT_EQ(watch.found(), 1U) << mode;
        EXPECT_TRUE(watch.contains("the client's request is invalid: size is 3, expected 1, 2 or 4")) << watch.text();
    }
}

TEST(checker, port_that_binds_an_invalid_context_is_named)
{
    for (const char* mode : {"cycles", "order", "latency"}) {
        watcher watch(std::string("{\"isbe.lines\": 64}"), mode);
        auto wrong = line_access(ISBESIM_BIND, 0);
        wrong.data[0] = 2;
        wrong.data[5] = 64 * 128 + 4; // an ATTR region beyond the storage
        const isbesim_inputs idle{nullptr, 1};
        isbesim_outputs nothing{};
        nothing.req_ready = 1;
        watch.cycle(true, {idle, idle}, {nothing, nothing});
        watch.cycle(false, {idle, {&wrong, 1}}, {nothing, nothing});
        EXPECT_EQ(watch.found(), 1U) << mode;
        EXPECT_TRUE(watch.contains("port 1: the client's request is invalid: context descriptor, input space"))
            << watch.text();
    }
}

TEST(checker, missing_reset_is_reported)
{
    watcher watch(std::string(), "cycles");
    EXPECT_EQ(watch.finish(), 0U);
    EXPECT_TRUE(watch.contains("there was no reset")) << watch.text();
}

TEST(checker, refuses_modes_and_machines)
{
    EXPECT_EQ(isbesim_checker_create("", "cycle"), nullptr);
    EXPECT_NE(std::string(isbesim_checker_error()).find("expected data, order, cycles or latency"), std::string::npos);
    EXPECT_EQ(isbesim_checker_create("{\"isbe.lines\": 1}", "cycles"), nullptr);
    EXPECT_EQ(std::string(isbesim_checker_error()).rfind("machine:1:", 0), 0U);
    EXPECT_EQ(isbesim_traffic_create("{", 1, 1), nullptr);
}

TEST(checker, traffic_is_that_of_the_cross_check)
{
    const auto config = testbench::rtl_configuration_of("small");
    const auto expected = random_items(config, 9, 600);
    isbesim_traffic* const traffic = isbesim_traffic_create(c_block::machine_text(config).c_str(), 9, 600);
    ASSERT_NE(traffic, nullptr);
    for (unsigned port = 0; port < 2; ++port) {
        isbesim_request r{}, want{};
        std::uint32_t earliest = 0, hold = 0, immediate = 0;
        std::size_t count = 0;
        while (isbesim_traffic_next(traffic, port, &earliest, &hold, &r.op, &r.space, &r.region, &r.form, &r.type,
                                    &r.size, &r.skew, &r.context, &immediate, &r.lanes, r.address, r.handle,
                                    r.data) != 0) {
            r.immediate = static_cast<std::int32_t>(immediate);
            const auto& item = expected[port][count++];
            testbench::write_request(item.op, want);
            ASSERT_EQ(std::memcmp(&r, &want, sizeof r), 0);
            ASSERT_EQ(earliest, item.earliest);
            ASSERT_EQ(hold, item.response_hold);
        }
        EXPECT_EQ(count, expected[port].size());
    }
    isbesim_traffic_destroy(traffic);
}

} // namespace
} // namespace isbesim::test
