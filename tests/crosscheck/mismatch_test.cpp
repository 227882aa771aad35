// SPDX-License-Identifier: Apache-2.0
// XC-03: the cross-check reports a mismatch exactly if model and RTL differ. Here they differ because they are
// different machines, or because the RTL stops responding; mistakes in the sources are in tests/mutation
// (XC_03_model_mutants, XC_03_rtl_mutants).
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "testbench/crosscheck/phases.h"
#include "testbench/crosscheck/reset_run.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/rtl/rtl_parameters.h"
#include "testbench/rtl/run_copies.h"
#include "testbench/rtl/waveform.h"
#include "tests/crosscheck/wave_reader.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

constexpr std::uint64_t transactions = 100'000; // at most: a run ends with the first difference

isbe_config config_of_rtl()
{
    return rtl_configuration_of("small");
}

std::unique_ptr<rtl_block> make_small(const isbe_config&, waveform* wave)
{
    return require_rtl_block(config_of_rtl(), wave);
}

/// The model of `config` beside the RTL that `maker` makes.
traffic_outcome crosscheck(const isbe_config& config, rtl_block_maker maker = make_small, waveform* wave = nullptr,
                           const std::string& backend = "lockstep")
{
    traffic_request request;
    request.wave = wave;
    request.config = config;
    request.backend = backend;
    request.make_block = std::move(maker);
    random_traffic traffic(request.config, 1, transactions);
    with_memory_image source(traffic, request.config);
    return run_traffic(request, source);
}

void expect_found(const traffic_outcome& outcome)
{
    EXPECT_EQ(outcome.totals.data_mismatches + outcome.totals.cycle_mismatches, 1U);
    EXPECT_EQ(outcome.totals.cycle_mismatches != 0, outcome.totals.max_cycle_error != 0);
    EXPECT_FALSE(outcome.mismatch_report.empty());
}

TEST(mismatch, XC_03_equal_machines_have_no_mismatch)
{
    const auto outcome = crosscheck(config_of_rtl());
    EXPECT_EQ(outcome.mismatch_report, "");
    EXPECT_FALSE(outcome.stuck);
    EXPECT_EQ(outcome.totals.data_mismatches + outcome.totals.cycle_mismatches, 0U);
    EXPECT_EQ(outcome.totals.max_cycle_error, 0U);
    EXPECT_GE(outcome.totals.transactions, transactions);
}

TEST(mismatch, XC_03_run_of_the_RTL_alone_ends)
{
    const auto outcome = crosscheck(config_of_rtl(), make_small, nullptr, "rtl");
    EXPECT_FALSE(outcome.stuck);
    EXPECT_GE(outcome.transactions, transactions);
}

TEST(mismatch, XC_03_late_response_is_reported_with_both_cycles)
{
    auto config = config_of_rtl();
    --config.pipeline_latency;
    EXPECT_EQ(crosscheck(config).totals.max_cycle_error, 1U);
}

/// Forwards every call to a block.
class wrapped_block : public rtl_block {
public:
    explicit wrapped_block(std::unique_ptr<rtl_block> block) : block_(std::move(block)) {}

    void set_reset(bool level) override { block_->set_reset(level); }
    void offer(unsigned port, const warp_op& op) override { block_->offer(port, op); }
    void withdraw(unsigned port) override { block_->withdraw(port); }
    void set_response_ready(unsigned port, bool ready) override { block_->set_response_ready(port, ready); }
    bool request_ready(unsigned port) const override { return block_->request_ready(port); }
    bool response_valid(unsigned port) const override { return block_->response_valid(port); }
    void read_response(unsigned port, warp_result& result) const override { block_->read_response(port, result); }
    void clock_before_start() override { block_->clock_before_start(); }
    void clock(std::uint64_t cycle) override { block_->clock(cycle); }
    void idle_until(std::uint64_t cycle) override { block_->idle_until(cycle); }

private:
    std::unique_ptr<rtl_block> block_;
};

/// A block that shows no response after `last` clocks.
class silent_block : public wrapped_block {
public:
    silent_block(std::unique_ptr<rtl_block> block, std::uint64_t last) : wrapped_block(std::move(block)), from_(last) {}

    bool response_valid(unsigned port) const override { return clocks_ < from_ && wrapped_block::response_valid(port); }
    /// A hidden response is not taken either.
    void set_response_ready(unsigned port, bool ready) override
    {
        wrapped_block::set_response_ready(port, ready && clocks_ < from_);
    }
    void clock(std::uint64_t cycle) override
    {
        ++clocks_;
        wrapped_block::clock(cycle);
    }

private:
    std::uint64_t from_;
    std::uint64_t clocks_ = 0;
};

std::unique_ptr<rtl_block> make_silent(const isbe_config& config, waveform* wave)
{
    constexpr std::uint64_t clocks = 1100;
    return std::make_unique<silent_block>(make_small(config, wave), clocks);
}

TEST(mismatch, XC_03_hang_is_distinguished_from_a_late_response)
{
    const auto outcome = crosscheck(config_of_rtl(), make_silent);
    EXPECT_EQ(outcome.totals.max_cycle_error, lockstep::timeout);
    EXPECT_NE(outcome.mismatch_report.find("does not follow"), std::string::npos) << outcome.mismatch_report;
}

/// A run whose RTL stops responding after `clocks`, with copies of the run.
struct copied_run {
    explicit copied_run(std::uint64_t clocks) : wave(file, cycle_clock::from_ghz(1.0), waveform::nothing), copies(wave)
    {
        traffic_request request;
        request.config = config_of_rtl();
        request.wave = &wave;
        request.copies = &copies;
        request.make_block = [clocks](const isbe_config& config, waveform* shown) {
            return std::make_unique<silent_block>(make_small(config, shown), clocks);
        };
        random_traffic traffic(request.config, 1, transactions);
        outcome = run_traffic(request, traffic);
        wave.close();
    }

    const temporary_folder folder;
    const std::string file = folder.path("wave.fst");
    waveform wave;
    run_copies copies;
    traffic_outcome outcome;
};

TEST(mismatch, copy_of_the_run_records_the_cycles_before_the_difference)
{
    copied_run run(20'000); // clocks, without idle cycles
    ASSERT_TRUE(run.outcome.differs);
    const auto difference = run.outcome.difference_cycle;
    ASSERT_GT(difference, 3 * run_copies::interval);
    EXPECT_FALSE(std::filesystem::exists(run.file)) << "nothing is shown unless requested";
    constexpr std::uint64_t before = 200;
    ASSERT_TRUE(run.copies.show_from(difference - before));

    constexpr std::uint64_t period = 1000; // ps
    const wave_reader reader(run.file);
    const auto first = reader.first_time() / period;
    EXPECT_LE(first, difference - before);
    EXPECT_GE(first + 2 * run_copies::interval, difference) << "not from the start of the run";
    EXPECT_GE(reader.last_time() / period, difference);
    unsigned requests = 0;
    for (auto cycle = first + 1; cycle < difference; ++cycle)
        for (unsigned port = 0; port < 2; ++port) {
            const auto time = cycle * period;
            const auto model = "model.interface_scope.ports[" + std::to_string(port) + "].port.req_valid";
            const bool valid = reader.bit(model, 0, time);
            ASSERT_EQ(reader.bit("rtl.isbe_top.req_valid", port, time), valid) << cycle;
            requests += valid ? 1 : 0;
        }
    EXPECT_GT(requests, 0U);
}

TEST(mismatch, no_copy_exists_before_the_first_response)
{
    copied_run run(5);
    ASSERT_TRUE(run.outcome.differs);
    EXPECT_FALSE(run.copies.show_from(0));
    EXPECT_FALSE(std::filesystem::exists(run.file));
}

TEST(mismatch, XC_03_hang_of_the_RTL_alone_is_a_deadlock)
{
    const auto outcome = crosscheck(config_of_rtl(), make_silent, nullptr, "rtl");
    EXPECT_TRUE(outcome.stuck);
    EXPECT_LT(outcome.transactions, transactions);
}

/// A block that withdraws or changes a response that has been held for 40 cycles.
class forgetful_block : public wrapped_block {
public:
    forgetful_block(std::unique_ptr<rtl_block> block, bool withdraws)
        : wrapped_block(std::move(block)), withdraws_(withdraws)
    {
    }
    void set_response_ready(unsigned port, bool ready) override
    {
        ready_[port] = ready;
        wrapped_block::set_response_ready(port, ready);
    }
    bool response_valid(unsigned port) const override
    {
        return wrapped_block::response_valid(port) && (!withdraws_ || held_[port] != longest);
    }
    void read_response(unsigned port, warp_result& result) const override
    {
        wrapped_block::read_response(port, result);
        if (!withdraws_ && held_[port] >= longest) result.data[1][7] ^= 1U;
    }
    void clock(std::uint64_t cycle) override
    {
        for (unsigned port = 0; port < 2; ++port)
            held_[port] = wrapped_block::response_valid(port) && !ready_[port] ? held_[port] + 1 : 0;
        wrapped_block::clock(cycle);
    }

private:
    static constexpr unsigned longest = 40;
    bool withdraws_;
    std::array<bool, 2> ready_{};
    std::array<unsigned, 2> held_{};
};

class forgetful : public testing::TestWithParam<bool> {};
TEST_P(forgetful, XC_03_withdrawn_or_changed_response_is_found)
{
    const auto outcome = crosscheck(config_of_rtl(), [](const isbe_config& config, waveform* wave) {
        return std::make_unique<forgetful_block>(make_small(config, wave), GetParam());
    });
    expect_found(outcome);
    const std::string kind = GetParam() ? "the RTL withdraws its response" : "the RTL changes a response that is held";
    EXPECT_EQ(outcome.mismatch_report.rfind(kind, 0), 0U) << outcome.mismatch_report;
}
INSTANTIATE_TEST_SUITE_P(mismatch, forgetful, testing::Bool());

/// A block that ignores its reset pin.
class resetless_block : public wrapped_block {
public:
    using wrapped_block::wrapped_block;
    void set_reset(bool) override {}
};

TEST(mismatch, XC_03_block_that_ignores_resets_is_found)
{
    resetless_block block(make_small(config_of_rtl(), nullptr));
    const auto outcome = run_resets(block, config_of_rtl(), 1, 2000, {});
    EXPECT_NE(outcome.mismatch_report.find("than the model"), std::string::npos) << outcome.mismatch_report;
}

/// Neither the contents of registers before the first reset nor operations that a reset interrupts may matter.
class any_start : public testing::TestWithParam<std::uint32_t> {};
TEST_P(any_start, XC_01_agrees)
{
    const auto config = config_of_rtl();
    const auto block = rtl_blocks_from(GetParam())(config, nullptr);
    const auto outcome = run_resets(*block, config, GetParam(), 20'000, find_phase("resets")->traffic);
    EXPECT_EQ(outcome.mismatch_report, "");
    EXPECT_GT(outcome.resets, 100U);
    EXPECT_GT(outcome.transactions, 500U);
}
INSTANTIATE_TEST_SUITE_P(mismatch, any_start, testing::Range(1U, 9U));

/// A model of another machine than the RTL.
struct other_machine {
    const char* key;
    std::function<void(isbe_config&)> change;
};

void PrintTo(const other_machine& machine, std::ostream* out)
{
    *out << machine.key;
}

const other_machine other_machines[] = {
    {"pipeline_latency", [](isbe_config& c) { ++c.pipeline_latency; }},
    {"write_latency", [](isbe_config& c) { --c.write_latency; }},
    {"al2p_latency", [](isbe_config& c) { ++c.al2p_latency; }},
    {"request_queue_depth", [](isbe_config& c) { ++c.request_queue_depth; }},
    {"response_queue_depth", [](isbe_config& c) { --c.response_queue_depth; }},
    {"arbitration", [](isbe_config& c) { c.arbitration = arbitration_rule::fixed_priority; }},
    {"patch_winner", [](isbe_config& c) { c.patch_winner = lane_winner::lowest; }},
    {"gs_slot_order", [](isbe_config& c) { c.gs_slot_order = gs_slot_order::blocked; }},
    {"attribute_default", [](isbe_config& c) { c.attribute_default = 0; }},
    {"position_w_default", [](isbe_config& c) { c.position_w_default = 0; }},
};

class other_machine_test : public testing::TestWithParam<other_machine> {
protected:
    isbe_config model() const
    {
        auto config = config_of_rtl();
        GetParam().change(config);
        return config;
    }
};
using mismatch_of_machines = other_machine_test;

TEST_P(mismatch_of_machines, XC_03_is_found)
{
    expect_found(crosscheck(model()));
}

/// True if the pins of model and RTL differ at this time of a waveform.
bool differ(const wave_reader& reader, std::uint64_t time)
{
    const std::string rtl = "rtl.isbe_top.";
    for (unsigned port = 0; port < 2; ++port) {
        const auto model = "model.interface_scope.ports[" + std::to_string(port) + "].port.";
        const bool accepts = reader.bit(rtl + "req_valid", port, time) && reader.bit(rtl + "req_ready", port, time);
        const bool responds = reader.bit(rtl + "resp_valid", port, time);
        if (reader.bit(model + "req_transfer", 0, time) != accepts) return true;
        if (reader.bit(model + "resp_valid", 0, time) != responds) return true;
        if (!responds) continue;
        if (reader.value(model + "resp_data", time) != reader.slice(rtl + "resp_data", port, 4096, time)) return true;
        if (reader.value(model + "resp_status", time) != reader.slice(rtl + "resp_status", port, 512, time))
            return true;
        if (reader.value(model + "resp_error", time) != reader.slice(rtl + "resp_error", port, 8, time)) return true;
        if (reader.value(model + "resp_passes", time) != reader.slice(rtl + "resp_passes", port, 16, time)) return true;
    }
    return false;
}

TEST_P(mismatch_of_machines, waveform_has_the_first_difference_in_the_reported_cycle)
{
    const temporary_folder folder;
    const auto path = folder.path("wave");
    constexpr std::uint64_t period = 1000;
    waveform file(path, cycle_clock::from_ghz(1.0), {});
    const auto outcome = crosscheck(model(), make_small, &file);
    expect_found(outcome);
    const wave_reader reader(path);
    const auto cycle = outcome.difference_cycle;
    EXPECT_TRUE(differ(reader, cycle * period)) << outcome.mismatch_report;
    for (std::uint64_t c = reader.first_time() / period; c < cycle; ++c)
        ASSERT_FALSE(differ(reader, c * period)) << "in cycle " << c << " already\n" << outcome.mismatch_report;
    EXPECT_GT(reader.last_time(), cycle * period);
}
INSTANTIATE_TEST_SUITE_P(of, mismatch_of_machines, testing::ValuesIn(other_machines),
                         [](const auto& machine) { return std::string(machine.param.key); });

} // namespace
} // namespace isbesim::testbench
