// SPDX-License-Identifier: Apache-2.0
// --wave: the file shows what happened, with model and RTL on one time line.
#include "testbench/rtl/waveform.h"

#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/rtl/fst_file.h"
#include "testbench/rtl/rtl_parameters.h"
#include "tests/crosscheck/wave_reader.h"
#include "tests/support/error_text.h"
#include "tests/testbench/process.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

constexpr std::uint64_t period = 1000; // ps at 1 GHz

std::string on_port(unsigned port, const std::string& signal)
{
    return "model.interface_scope.ports[" + std::to_string(port) + "].port." + signal;
}

class wave : public testing::Test {
protected:
    traffic_outcome run(const std::string& backend, waveform::window window = {}, std::uint64_t transactions = 400,
                        double ghz = 1.0, const std::string& machine = "small")
    {
        traffic_request request;
        request.config = rtl_configuration_of(machine);
        request.backend = backend;
        request.clock_ghz = ghz;
        waveform file(path_, cycle_clock::from_ghz(ghz), window);
        request.wave = &file;
        random_traffic traffic(request.config, 3, transactions);
        return run_traffic(request, traffic);
    }
    /// Cycles in which a signal of one bit is 1.
    static std::uint64_t cycles_high(const wave_reader& reader, const std::string& signal, std::uint64_t cycles)
    {
        std::uint64_t high = 0;
        for (std::uint64_t c = 0; c <= cycles; ++c) high += reader.bit(signal, 0, c * period) ? 1 : 0;
        return high;
    }
    static void expect_all_transfers(const wave_reader& reader, const traffic_outcome& outcome)
    {
        std::uint64_t requests = 0;
        std::uint64_t responses = 0;
        for (unsigned port = 0; port < 2; ++port) {
            requests += cycles_high(reader, on_port(port, "req_transfer"), outcome.cycles + 100);
            responses += std::stoull(reader.value(on_port(port, "responses"), ~std::uint64_t{0}), nullptr, 2);
        }
        EXPECT_EQ(requests, outcome.transactions);
        EXPECT_EQ(responses, outcome.transactions);
    }

    const temporary_folder folder_;
    const std::string path_ = folder_.path("wave");
};

TEST_F(wave, model_and_rtl_agree_in_every_cycle_of_one_time_line)
{
    const auto outcome = run("lockstep");
    ASSERT_EQ(outcome.mismatch_report, "");
    const wave_reader reader(path_);
    EXPECT_EQ(reader.timescale(), -12);
    expect_all_transfers(reader, outcome);
    const std::string rtl = "rtl.isbe_top.";
    unsigned compared = 0;
    std::uint64_t passes = 0; // of the responses taken
    std::uint64_t busy = 0;   // cycles of the engine
    for (std::uint64_t cycle = reader.first_time() / period; cycle <= outcome.cycles; ++cycle) {
        const auto time = cycle * period;
        busy += reader.bit(rtl + "engine.busy", 0, time) ? 1 : 0;
        for (unsigned port = 0; port < 2; ++port) {
            const bool valid = reader.bit(rtl + "req_valid", port, time);
            const bool response = reader.bit(rtl + "resp_valid", port, time);
            ASSERT_EQ(reader.bit(on_port(port, "req_valid"), 0, time), valid) << cycle;
            ASSERT_EQ(reader.bit(on_port(port, "req_transfer"), 0, time),
                      valid && reader.bit(rtl + "req_ready", port, time))
                << cycle;
            ASSERT_EQ(reader.bit(on_port(port, "resp_valid"), 0, time), response) << cycle;
            ASSERT_EQ(reader.bit(on_port(port, "resp_transfer"), 0, time),
                      response && reader.bit(rtl + "resp_ready", port, time))
                << cycle;
            if (valid) {
                ASSERT_EQ(reader.value(on_port(port, "req_op"), time), reader.slice(rtl + "req_op", port, 3, time));
                ASSERT_EQ(reader.value(on_port(port, "req_context"), time),
                          reader.slice(rtl + "req_context", port, 16, time));
            }
            if (!response) continue;
            ++compared;
            ASSERT_EQ(reader.value(on_port(port, "resp_data"), time),
                      reader.slice(rtl + "resp_data", port, 4096, time));
            ASSERT_EQ(reader.value(on_port(port, "resp_status"), time),
                      reader.slice(rtl + "resp_status", port, 512, time));
            ASSERT_EQ(reader.value(on_port(port, "resp_passes"), time),
                      reader.slice(rtl + "resp_passes", port, 16, time));
            if (reader.bit(on_port(port, "resp_transfer"), 0, time))
                passes += std::stoull(reader.value(on_port(port, "resp_passes"), time), nullptr, 2);
        }
    }
    EXPECT_GE(compared, outcome.transactions);
    EXPECT_EQ(busy, passes); // an inner signal: the engine serves one pass a cycle
}

TEST_F(wave, rtl_back_end_shows_every_transfer)
{
    const auto outcome = run("rtl");
    const wave_reader reader(path_);
    expect_all_transfers(reader, outcome);
    EXPECT_TRUE(reader.has_scope("rtl"));
}

/// Each Verilator, compiler and SystemC simulates the same, signal by signal, to the picosecond.
TEST_F(wave, has_the_same_signals_on_every_release)
{
    const auto outcome = run("lockstep", {}, 100, 1.0, "default");
    ASSERT_EQ(outcome.mismatch_report, "");
    std::ostringstream scopes;
    scopes << "scope,signals,checksum\n";
    for (const auto& [scope, checksum] : wave_reader(path_).checksums())
        scopes << scope << ',' << checksum.first << ',' << std::hex << checksum.second.sum() << std::dec << '\n';
    EXPECT_EQ(scopes.str(), temporary_folder::read(ISBESIM_SOURCE_DIR "/tests/crosscheck/signals_of_scopes.csv"))
        << "if the RTL was to change, this is the file:\n"
        << scopes.str();
}

class model_wave : public wave, public testing::WithParamInterface<const char*> {};
TEST_P(model_wave, shows_every_transfer_without_an_rtl)
{
    const auto outcome = run(GetParam());
    const wave_reader reader(path_);
    expect_all_transfers(reader, outcome);
    EXPECT_FALSE(reader.has_scope("rtl"));
}
INSTANTIATE_TEST_SUITE_P(on, model_wave, testing::Values("lt", "at"));

TEST_F(wave, a_window_bounds_the_file)
{
    run("lockstep", {200, 300});
    const wave_reader reader(path_);
    EXPECT_GE(reader.first_time(), 200 * period);
    EXPECT_LT(reader.last_time(), 301 * period);
    EXPECT_GT(reader.last_time(), 250 * period);
}

TEST_F(wave, time_does_not_drift_with_a_fractional_period)
{
    const auto outcome = run("lockstep", {}, 400, 3.0);
    ASSERT_EQ(outcome.mismatch_report, "");
    const wave_reader reader(path_);
    const auto responses = [&](std::uint64_t time) {
        std::uint64_t sum = 0;
        for (unsigned port = 0; port < 2; ++port)
            sum += std::stoull(reader.value(on_port(port, "responses"), time), nullptr, 2);
        return sum;
    };
    // The last response appears in its cycle to the picosecond: with 333 ps a cycle it would be hundreds of ps early.
    const auto time = (2 * outcome.cycles * 1000 + 3) / 6;
    EXPECT_EQ(responses(time), outcome.transactions);
    EXPECT_LT(responses(time - 1), outcome.transactions);
}

TEST_F(wave, a_file_that_cannot_be_written_is_refused)
{
    EXPECT_THROW(waveform("/no/such/folder/wave.fst", cycle_clock::from_ghz(1.0), {}), std::invalid_argument);
}

/// The library that writes the file ignores the result of write().
TEST_F(wave, reports_a_full_disk)
{
    const rlimit little{1U << 15, 1U << 15};
    std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
    const auto error = error_text<std::runtime_error>([&] { run("at", {}, 4000); });
    EXPECT_EQ(error, "the waveform '" + path_ + "' could not be written completely");
}

TEST_F(wave, full_disk_leaves_no_file)
{
    const auto ended = run_isbesim({"crosscheck", "--isbe", "at", "--transactions", "4000", "--quiet", "--out",
                                    folder_.path("out"), "--wave", path_},
                                   {"", 1U << 15});
    EXPECT_EQ(ended.status, 3);
    EXPECT_EQ(ended.err, "isbesim: error: the waveform '" + path_ + "' could not be written completely\n");
    EXPECT_FALSE(std::filesystem::exists(path_));
    EXPECT_FALSE(std::filesystem::exists(folder_.path("out")));
}

TEST_F(wave, truncated_or_gapped_file_is_not_whole)
{
    run("at");
    const auto whole = temporary_folder::read(path_);
    EXPECT_TRUE(fst_is_whole(path_));
    for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 97) {
        EXPECT_FALSE(fst_is_whole(folder_.write("cut.fst", whole.substr(0, length)))) << length;
        const auto gap = whole.substr(0, length) + whole.substr(std::min(length + 100, whole.size()));
        EXPECT_FALSE(fst_is_whole(folder_.write("gap.fst", gap))) << length;
    }
    EXPECT_FALSE(fst_is_whole(folder_.path("none.fst")));
    EXPECT_TRUE(fst_is_whole("/dev/null"));
}

} // namespace
} // namespace isbesim::testbench
