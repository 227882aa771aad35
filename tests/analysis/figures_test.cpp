// SPDX-License-Identifier: Apache-2.0
// Figures of a report that are parts of other figures add up to them, and each rate has the denominator that it states.
#include "testbench/figures/figures.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "testbench/report/report_figures.h"
#include "testbench/report/report_page.h"
#include "tests/analysis/number.h"
#include "tests/analysis/sql.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;
using options = std::vector<std::string>;

double sum(const json::value& values)
{
    double total = 0;
    for (const auto& each : values.as_array()) total += each.is_array() ? sum(each) : number(each);
    return total;
}

class figures : public testing::Test {
protected:
    json::object simulate(const options& words, int status = 0)
    {
        return report_of(words, folder_.path("out"), status);
    }

    temporary_folder folder_;
};

/// Counters add up; `but` names figures that do not.
void expect_parts(const json::object& report, const char* key, const options& but = {})
{
    for (const auto& figure : report.at(key).as_object()) {
        if (std::find(but.begin(), but.end(), figure.key()) != but.end()) continue;
        double parts = 0;
        for (const auto& instance : report.at("per_instance").as_array())
            parts += number(instance.at(key).at(figure.key()));
        EXPECT_NEAR(parts, number(figure.value()), 1e-9 * parts) << key << "." << figure.key();
    }
}

void expect_ports(const json::object& report)
{
    const auto ports = [&](const char* key) {
        double total = 0;
        for (const auto& instance : report.at("per_instance").as_array())
            for (const auto& port : instance.at("ports").as_array()) total += number(port.at(key));
        return total;
    };
    const auto& stalls = report.at("stalls");
    EXPECT_EQ(ports("bank_conflict_cycles"), number(stalls.at("bank_conflict")));
    if (report.at("backend") == "lt") {
        for (const auto* key : {"queue_full", "port_contention", "response"})
            EXPECT_FALSE(stalls.as_object().contains(key)) << key;
    } else {
        EXPECT_EQ(ports("contention_cycles") + ports("shared_port_cycles"), number(stalls.at("port_contention")));
        EXPECT_EQ(ports("queue_full_cycles"), number(stalls.at("queue_full")));
        EXPECT_EQ(ports("response_stall_cycles"), number(stalls.at("response")));
    }
    EXPECT_EQ(ports("busy_cycles"), sum(report.at("series").at("busy_cycles")));
    EXPECT_GE(ports("busy_cycles"), number(report.at("bank_conflicts").at("passes")));
    EXPECT_GT(ports("operations"), 0);
}

void expect_series(const json::object& report)
{
    const auto& series = report.at("series");
    const auto cycles = number(report.at("cycles"));
    EXPECT_EQ(sum(series.at("read_bytes")), number(report.at("bandwidth").at("read").at("bytes")));
    EXPECT_EQ(sum(series.at("write_bytes")), number(report.at("bandwidth").at("write").at("bytes")));
    EXPECT_EQ(sum(series.at("passes")), number(report.at("bank_conflicts").at("passes")));
    EXPECT_EQ(sum(series.at("bank_words")),
              number(report.at("proxies").at("bank_reads")) + number(report.at("proxies").at("bank_writes")));
    for (const auto& reason : series.at("stalls").as_object())
        EXPECT_EQ(sum(reason.value()), number(report.at("stalls").at(reason.key()))) << reason.key();
    const auto width = number(series.at("bin_cycles"));
    const auto last = number(series.at("last_bin_cycles"));
    const auto bins = static_cast<double>(series.at("warps").as_array().size());
    EXPECT_EQ((bins - 1) * width + last, cycles);
    for (const auto& [means, mean] : {std::pair{"warps", "warps_mean"}, {"isbe_lines", "isbe_lines_mean"}}) {
        const auto& values = series.at(means).as_array();
        const auto integral = sum(values) * width - number(values.back()) * (width - last);
        EXPECT_NEAR(integral, number(report.at("occupancy").at(mean)) * cycles, 1e-6) << mean;
    }
}

/// The count of all bins, and the sum of the counts weighted by each bin's smallest value.
std::pair<double, double> of_bins(const json::value& bins)
{
    double count = 0, weighted = 0;
    for (const auto& bin : bins.as_array()) {
        EXPECT_LE(number(bin.at(0)), number(bin.at(1)));
        EXPECT_LE(number(bin.at(1)) - number(bin.at(0)), number(bin.at(0)) / 8) << "as wide as an eighth at most";
        count += number(bin.at(2));
        weighted += number(bin.at(0)) * number(bin.at(2));
    }
    return {count, weighted};
}

void expect_histograms(const json::object& report)
{
    const auto& histograms = report.at("histograms").as_object();
    const auto* latencies = histograms.if_contains("latency"); // missing if there was no operation yet
    for (const auto& each : report.at("latency").as_object()) {
        const auto* bins = latencies == nullptr ? nullptr : latencies->as_object().if_contains(each.key());
        EXPECT_EQ(bins == nullptr ? 0 : of_bins(*bins).first, number(each.value().at("count"))) << each.key();
        if (bins == nullptr) continue;
        EXPECT_LE(number(bins->as_array().front().at(0)), number(each.value().at("min")));
        EXPECT_GE(number(bins->as_array().back().at(1)), number(each.value().at("max")));
    }
    const auto& proxies = report.at("proxies");
    const auto [passes, words] =
        of_bins(histograms.contains("busy_banks") ? histograms.at("busy_banks") : json::array());
    EXPECT_EQ(passes, number(report.at("bank_conflicts").at("passes")));
    EXPECT_EQ(words, number(proxies.at("bank_reads")) + number(proxies.at("bank_writes")));
    const auto all = number(report.at("cycles")) * number(report.at("config").at("sm_count"));
    for (const auto* level : {"attribute_queue", "isbe_lines", "warps"})
        EXPECT_EQ(of_bins(histograms.at(level)).first, all) << level;
    const auto warps = number(report.at("occupancy").at("warps_mean")) * number(report.at("cycles"));
    EXPECT_LE(of_bins(histograms.at("warps")).second, warps + 1e-6);
    EXPECT_GE(of_bins(histograms.at("warps")).second, warps * 8 / 9 - 1e-6);
    EXPECT_EQ(histograms.contains("request_queue"), report.contains("stacks"));
    if (!report.contains("stacks")) return;
    const auto depth = number(report.at("config").at("isbe").at("request_queue_depth"));
    for (const auto& port : histograms.at("request_queue").as_object()) {
        EXPECT_EQ(of_bins(port.value()).first, all) << port.key();
        EXPECT_LE(number(port.value().as_array().back().at(0)), depth);
    }
}

/// Every cycle of every resource is in a part, and the parts match the figures.
void expect_stacks(const json::object& report)
{
    const auto* path = report.if_contains("critical_path");
    EXPECT_EQ(path != nullptr, report.at("backend") == "at" || report.at("backend") == "lockstep");
    if (path != nullptr) {
        double on_path = 0;
        for (const auto& part : path->at("parts").as_object()) on_path += number(part.value());
        EXPECT_EQ(on_path, number(report.at("cycles")));
    }
    EXPECT_EQ(report.contains("stacks"), report.at("backend") != "lt");
    if (report.at("backend") == "lt") return;
    std::map<std::string, double> sums;
    for (const auto& entry : report.at("stacks").as_object()) {
        const auto& stack = entry.value().as_object();
        EXPECT_EQ(number(stack.at("cycles")), number(report.at("cycles"))) << entry.key();
        double all = 0;
        const auto kind = std::string(entry.key()).substr(std::string(entry.key()).rfind('.') + 1);
        for (const auto& part : stack.at("parts").as_object()) {
            all += number(part.value());
            // scheduler0, scheduler1, ... together
            sums[kind.substr(0, kind.find_first_of("0123456789")) + "." + std::string(part.key())] +=
                number(part.value());
        }
        EXPECT_EQ(all, number(report.at("cycles"))) << entry.key();
    }
    const auto& stalls = report.at("stalls").as_object();
    for (const auto* reason : {"attribute_queue", "pipe", "scoreboard", "stall_count", "drain"})
        EXPECT_EQ(sums["scheduler." + std::string(reason)], number(stalls.at(reason))) << reason;
    double instructions = 0, waits = 0;
    for (const auto& each : report.at("instructions").as_object()) instructions += number(each.value());
    // The OUT that EXIT implies is issued, but is not an instruction.
    EXPECT_GE(sums["scheduler.issue"], instructions);
    for (const auto* reason : {"isbe_full", "warp_slot", "lines_and_slot"}) {
        for (const auto* stage : {"vertex_a", "vertex", "tess_init", "tess", "geometry", "task", "mesh"})
            waits += sums[stage + std::string(".") + reason];
        waits -= number(stalls.at(reason));
    }
    EXPECT_EQ(waits, 0) << "warps that wait for their place";
    if (report.at("backend") != "at") return;
    double busy = 0;
    for (const auto& instance : report.at("per_instance").as_array())
        for (const auto& port : instance.at("ports").as_array()) busy += number(port.at("busy_cycles"));
    EXPECT_EQ(sums["pass_engine.passes"] + sums["pass_engine.bank_conflict"], busy);
    EXPECT_EQ(sums["port.passes"], busy);
    EXPECT_EQ(sums["pass_engine.bank_conflict"], number(stalls.at("bank_conflict")));
}

void expect_rates(const json::object& report)
{
    const auto cycles = number(report.at("cycles"));
    EXPECT_DOUBLE_EQ(number(report.at("time_ns")), cycles / number(report.at("config").at("clock_ghz")));
    const auto& isbe = report.at("config").at("isbe");
    const auto columns = isbe.at("access").as_string() == "line" ? 32 : number(isbe.at("banks"));
    const auto peak = 4 * columns * number(report.at("config").at("sm_count"));
    for (const auto& direction : report.at("bandwidth").as_object()) {
        const auto& figure = direction.value();
        EXPECT_DOUBLE_EQ(number(figure.at("bytes_per_cycle")), number(figure.at("bytes")) / cycles);
        EXPECT_DOUBLE_EQ(number(figure.at("peak_fraction")), number(figure.at("bytes_per_cycle")) / peak);
    }
    const auto& bandwidth = report.at("bandwidth");
    const auto bytes = [&](const char* way) { return number(bandwidth.at(way).at("bytes")); };
    EXPECT_EQ(bytes("total"), bytes("read") + bytes("write"));
    for (const auto* key : {"isbe_lines_peak", "warps_peak"}) {
        double most = 0, all = 0;
        for (const auto& instance : report.at("per_instance").as_array()) {
            most = std::max(most, number(instance.at("occupancy").at(key)));
            all += number(instance.at("occupancy").at(key));
        }
        EXPECT_GE(number(report.at("occupancy").at(key)), most) << key;
        EXPECT_LE(number(report.at("occupancy").at(key)), all) << key;
    }
    EXPECT_GE(number(report.at("occupancy").at("isbe_lines_peak")),
              number(report.at("occupancy").at("isbe_lines_mean")));
    EXPECT_GE(number(report.at("occupancy").at("warps_peak")), number(report.at("occupancy").at("warps_mean")));
}

TEST_F(figures, parts_add_up_to_the_whole)
{
    const std::vector<options> machines = {
        {},
        {"--set", "sm_count=3", "--set", "clock_ghz=3"},
        {"--set", "sm_count=2", "--set", "isbe.ports=1", "--set", "isbe.banks=8", "--set", "isbe.skew=false", "--set",
         "isbe.bank_map=xor"},
        {"--set", "isbe.lines=128", "--set", "isbe.request_queue_depth=1", "--set", "isbe.response_queue_depth=1"},
        {"--set", "isbe.access=line", "--set", "sm.attribute_queue_depth=1", "--set", "clock_ghz=0.7"},
    };
    for (const auto* scenario : {"gs_amplify_once", "gs_streams", "tess_quads_odd", "task_mesh_payload"}) {
        for (const auto* backend : {"at", "lt"}) {
            for (const auto& machine : machines) {
                const auto words = options{"run", samples + scenario + "/scenario.json", "--isbe", backend} + machine;
                SCOPED_TRACE(json::serialize(json::value_from(words)));
                // Draws that need more than 128 lines are rejected.
                if (std::find(words.begin(), words.end(), "isbe.lines=128") != words.end() &&
                    std::string(scenario) != "gs_amplify_once")
                    continue;
                const auto report = simulate(words);
                for (const auto* key : {"invocations", "instructions", "discarded", "stalls"})
                    expect_parts(report, key);
                expect_parts(report, "occupancy", {"isbe_lines_peak", "warps_peak"});
                expect_parts(report, "bank_conflicts", {"efficiency"});
                double bytes = 0, counted = 0, latencies = 0;
                for (const auto& instance : report.at("per_instance").as_array()) {
                    bytes += number(instance.at("bandwidth").at("read").at("bytes"));
                    for (const auto& each : instance.at("latency").as_object())
                        counted += number(each.value().at("count"));
                }
                for (const auto& each : report.at("latency").as_object()) latencies += number(each.value().at("count"));
                EXPECT_EQ(bytes, number(report.at("bandwidth").at("read").at("bytes")));
                EXPECT_EQ(counted, latencies);
                expect_ports(report);
                expect_series(report);
                expect_histograms(report);
                expect_rates(report);
                expect_stacks(report);
            }
        }
    }
}

TEST_F(figures, of_a_stopped_run_add_up_too)
{
    for (const auto* backend : {"at", "lt"})
        for (const auto* cycles : {"1", "100", "129", "777"}) {
            SCOPED_TRACE(std::string(backend) + " " + cycles);
            const auto report = simulate({"run", samples + "gs_amplify_once/scenario.json", "--max-cycles", cycles,
                                          "--isbe", backend, "--set", "sm_count=2", "--set", "isbe.lines=64"},
                                         1);
            EXPECT_EQ(number(report.at("cycles")), std::stod(cycles));
            expect_series(report);
            expect_histograms(report);
            if (backend == std::string("lt")) continue;
            // Cycles of a request that still waits count, too.
            double full = 0;
            for (const auto& stack : report.at("stacks").as_object())
                if (stack.key().find("waiting.") != json::string_view::npos)
                    full += number(stack.value().at("parts").at("isbe_full"));
            EXPECT_EQ(number(report.at("stalls").at("isbe_full")), full);
            EXPECT_EQ(full > 0, std::stod(cycles) > 1);
        }
    const auto waits = simulate({"run", samples + "gs_amplify_once/scenario.json", "--max-cycles", "40", "--set",
                                 "isbe.response_queue_depth=1", "--set", "isbe.request_queue_depth=1"},
                                1);
    EXPECT_GT(number(waits.at("stalls").at("queue_full")), 0);
}

/// Rows of a CSV, by the names of its columns. Empty cells are left out.
std::vector<std::map<std::string, double>> rows_of(const std::string& text)
{
    std::vector<std::map<std::string, double>> rows;
    std::vector<std::string> names;
    std::istringstream lines(text);
    for (std::string line, cell; std::getline(lines, line);) {
        std::istringstream cells(line);
        if (names.empty()) {
            while (std::getline(cells, cell, ',')) names.push_back(cell);
            continue;
        }
        rows.emplace_back();
        std::size_t column = 0;
        for (; std::getline(cells, cell, ','); ++column)
            if (!cell.empty() && names.at(column) != "estimate.of") rows.back()[names.at(column)] = std::stod(cell);
        EXPECT_EQ(column, names.size());
        for (const auto& [name, value] : rows.back()) {
            if (name.rfind("latency.", 0) != 0) continue;
            const auto count = name.substr(0, name.rfind('.')) + ".count";
            EXPECT_TRUE(name == count || rows.back().at(count) > 0) << name << " of nothing is " << value;
        }
    }
    return rows;
}

TEST_F(figures, of_windows_add_up_to_those_of_the_run)
{
    struct windows_case {
        const char* draw;
        options machine;
        std::uint64_t every;
    };
    const windows_case cases[] = {
        {"gs_amplify_once", {}, 1},
        {"gs_amplify_once", {"--set", "sm_count=3", "--set", "isbe.ports=1"}, 97},
        {"gs_streams", {"--isbe", "lt"}, 64},
        {"tess_quads_odd", {"--set", "isbe.banks=8", "--set", "isbe.skew=false", "--set", "sm_count=2"}, 1000},
        {"task_mesh_payload", {"--set", "isbe.request_queue_depth=1", "--set", "isbe.access=line"}, 13},
        {"vs_matrix", {"--set", "isbe.response_queue_depth=1"}, 1000000},
        {"tess_quads_odd", {}, 320}, // three rows: the run ends with the last
    };
    for (const auto& [draw, machine, every] : cases) {
        SCOPED_TRACE(draw + std::string(" every ") + std::to_string(every));
        const auto words = options{"run", samples + draw + "/scenario.json"} + machine;
        auto plain = simulate(words);
        const auto cycles = number(plain.at("cycles"));
        const auto last = static_cast<std::uint64_t>(cycles) / 3;
        auto report = simulate(words + options{"--every", std::to_string(every), "--cycles",
                                               "0:" + std::to_string(last), "--database", folder_.path("run.sqlite")});
        const auto window = report.at("window").as_object();
        for (auto* each : {&plain, &report})
            for (const auto* key : {"host", "of"}) each->erase(key);
        report.erase("window");
        report.at("covers").as_object().erase("window");
        EXPECT_EQ(report, plain) << "looking changes nothing";

        const auto rows = rows_of(temporary_folder::read(folder_.path("out/windows.csv")));
        EXPECT_EQ(rows.size(), (static_cast<std::uint64_t>(cycles) + every - 1) / every);
        std::map<std::string, double> sums, means;
        for (const auto& row : rows)
            for (const auto& [name, value] : row) {
                sums[name] += value;
                means[name] += value * row.at("cycles") / cycles;
            }
        EXPECT_EQ(sums.at("cycles"), cycles);
        const auto all = figures_of(report);
        unsigned counted = 0;
        for (const auto& [name, value] : all) {
            const auto* known = find_figure(name);
            const auto found = sums.find(name);
            if (known == nullptr || found == sums.end()) continue;
            if (name == "cycles") continue;
            if (known->unit == "bytes/cycle" || known->section == "occupancy")
                EXPECT_NEAR(means.at(name), number(value), 1e-9 * number(value)) << name;
            else if (known->merge == merge_rule::sum || known->section == "output" || known->unit == "pJ")
                EXPECT_NEAR(found->second, number(value), 1e-9 * number(value)) << name;
            else
                continue;
            ++counted;
        }
        EXPECT_GT(counted, 40U);
        if (const auto* stacks = report.if_contains("stacks"))
            for (const auto& [resource, stack] : stacks->get_object())
                for (const auto& [part, value] : stack.at("parts").as_object()) {
                    const auto name = "stacks." + std::string(resource) + ".parts." + std::string(part);
                    EXPECT_EQ(sums.at(name), number(value)) << name;
                }
        // By cycle, from the single operations in the database.
        const sql_file file(folder_.path("run.sqlite"));
        const auto until = [&](const char* what, const char* when) {
            return file.real("SELECT TOTAL(" + std::string(what) + ") FROM transactions WHERE " + when +
                             " <= " + std::to_string(last));
        };
        EXPECT_EQ(number(window.at("first")), 0);
        EXPECT_EQ(number(window.at("last")), static_cast<double>(last));
        if (report.at("backend") == "at") {
            EXPECT_EQ(number(window.at("bank_conflicts").at("passes")), until("bank_passes", "granted"));
            EXPECT_EQ(number(window.at("bandwidth").at("read").at("bytes")), until("bytes_read", "granted"));
        }
        double threads = 0;
        for (const auto& stage : window.at("invocations").as_object()) threads += number(stage.value());
        EXPECT_EQ(threads, file.real("SELECT TOTAL(threads) FROM warps WHERE launched <= " + std::to_string(last)));
        const auto level = file.real("SELECT TOTAL(MIN(completed, " + std::to_string(last + 1) +
                                     ") - launched) FROM warps WHERE launched <= " + std::to_string(last));
        EXPECT_NEAR(number(window.at("occupancy").at("warps_mean")) * (static_cast<double>(last) + 1), level, 1e-6);
        EXPECT_EQ(of_bins(window.at("histograms").at("warps")).first,
                  (static_cast<double>(last) + 1) * number(report.at("config").at("sm_count")));
        double in_database = 0, in_report = 0;
        for (const auto& bins : report.at("histograms").at("latency").as_object())
            in_report += of_bins(bins.value()).first;
        in_database = file.real("SELECT TOTAL(count) FROM histograms WHERE name LIKE 'latency.%'");
        EXPECT_EQ(in_report, in_database);
    }
}

TEST_F(figures, of_a_window_up_to_the_last_cycle_count_the_events_that_end_the_run)
{
    const options words = {"run", samples + "tess_quads_odd/scenario.json"};
    const auto cycles = simulate(words).at("cycles").to_number<std::uint64_t>();
    for (const auto last : {cycles - 1, cycles}) {
        auto windowed = words;
        windowed.insert(windowed.end(), {"--cycles", "0:" + std::to_string(last)});
        const auto report = simulate(windowed);
        for (const auto* key : {"primitives_out_stream_0", "vertices_out_stream_0"})
            EXPECT_EQ(report.at("window").at("output").at(key), report.at("output").at(key)) << key;
    }
    auto late = words;
    late.insert(late.end(), {"--cycles", std::to_string(cycles + 1) + ":" + std::to_string(cycles + 2)});
    const auto text = json::serialize(simulate(late).at("warnings"));
    EXPECT_NE(text.find("--cycles begins with cycle " + std::to_string(cycles + 1)), std::string::npos) << text;
}

TEST_F(figures, of_cycles_after_the_end_of_traffic_have_a_warning)
{
    run_isbesim({"run", samples + "gs_pass/scenario.json", "--quiet", "--out", folder_.path("o"), "--record",
                 folder_.path("t")});
    const options replay = {"replay", folder_.path("t")}, traffic = {"traffic", "--outstanding", "4"};
    for (const auto& [command, window, late] : {std::tuple{replay, "0:100000", false},
                                                {replay, "100000:100000", true},
                                                {traffic, "0:1", false},
                                                {traffic, "10000000:10000001", true}}) {
        auto words = command;
        words.insert(words.end(), {"--out", folder_.path("o"), "--timeline", folder_.path("l"), "--cycles", window});
        const auto done = run_isbesim(words);
        EXPECT_EQ(done.status, 0) << done.err;
        EXPECT_EQ(done.err.find("warning: command-line:1:") != std::string::npos, late) << command[0] << done.err;
    }
}

TEST_F(figures, times_are_cycles_over_the_frequency)
{
    for (const auto* ghz : {"0.01", "0.7", "1.38", "1.5", "3", "10"}) {
        const auto clock = std::string("clock_ghz=") + ghz;
        const auto report = simulate({"run", samples + "gs_pass/scenario.json", "--set", clock});
        EXPECT_DOUBLE_EQ(number(report.at("time_ns")), number(report.at("cycles")) / std::stod(ghz)) << ghz;
        const auto one = simulate({"run", samples + "gs_pass/scenario.json", "--record", folder_.path("t")});
        EXPECT_EQ(report.at("cycles"), one.at("cycles")) << "the frequency is no part of what happens";
        const auto played = simulate({"replay", folder_.path("t"), "--set", clock});
        EXPECT_DOUBLE_EQ(number(played.at("time_ns")), number(played.at("cycles")) / std::stod(ghz)) << ghz;
    }
}

/// A FIFO with a slow reader, which delays its writers.
class slow_fifo {
public:
    static constexpr std::chrono::milliseconds delay{700};
    explicit slow_fifo(std::string path) : path_(std::move(path))
    {
        EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0);
        reader_ = std::thread([this] {
            runs_ = true;
            const int file = open(path_.c_str(), O_RDONLY);
            std::this_thread::sleep_for(delay);
            for (ssize_t count = 0; (count = read(file, block_.data(), block_.size())) > 0;) bytes_ += count;
            close(file);
        });
        while (!runs_) std::this_thread::yield();
    }
    ~slow_fifo()
    {
        reader_.join();
        EXPECT_GT(bytes_, 1 << 16) << "that fits into a pipe: no writer waited";
    }
    slow_fifo(const slow_fifo&) = delete;
    slow_fifo& operator=(const slow_fifo&) = delete;

private:
    std::string path_;
    std::thread reader_;
    ssize_t bytes_ = 0;
    // A thread that starts or allocates may hold a sanitizer's lock while the test forks.
    std::atomic<bool> runs_{false};
    std::array<char, 1U << 16> block_{};
};

TEST_F(figures, wall_time_includes_files_written_after_the_simulation)
{
    const auto fifo = folder_.path("fifo");
    const auto slow = std::chrono::duration<double>(slow_fifo::delay).count();
    const auto expect_slow = [&](const options& words, std::uint64_t transactions) {
        json::object report;
        {
            const slow_fifo reader(fifo);
            report = simulate(words);
        }
        const auto& host = report.at("host");
        EXPECT_GE(number(host.at("wall_s")), slow);
        EXPECT_NEAR(number(host.at("transactions_per_s")) * number(host.at("wall_s")),
                    static_cast<double>(transactions), 1e-6 * static_cast<double>(transactions));
        std::filesystem::remove(fifo);
    };
    const auto scenario = samples + "gs_amplify_once/scenario.json";
    const auto report = simulate({"run", scenario, "--set", "poison=true", "--record", folder_.path("trace")});
    std::uint64_t operations = 0;
    for (const auto& port : report.at("per_instance").as_array()[0].at("ports").as_array())
        operations += port.at("operations").to_number<std::uint64_t>();
    expect_slow({"run", scenario, "--set", "poison=true", "--timeline", fifo}, operations);
    expect_slow({"replay", folder_.path("trace"), "--isbe", "at", "--timeline", fifo}, operations);
}

/// Cells of a row; a bar after a backslash is not a border.
std::size_t cells(const std::string& row)
{
    std::size_t borders = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] == '\\') {
            ++i;
        } else if (row[i] == '|') {
            ++borders;
        }
    }
    return borders - 1;
}

TEST_F(figures, markdown_tables_have_equal_columns)
{
    folder_.write("trap.sass", "MOV32I R1, 0x10000 ?stall=6 ;\nALD R0, a[0x80] &wr=0 ;\n"
                               "ISBERD.MAP.U8 R4, [R1] &wr=1 ;\nMOV R5, R0 ;\nAST a[0x70], R5 ;\nEXIT ;\n");
    const auto trap = folder_.write("trap.json", R"({"arch": "sm50", "stages": {"vertex": {"code": "trap.sass",
        "sph": {"shader_type": "vertex", "imap": ["0x80"], "omap": ["0x70"]}}},
        "draw": {"topology": "points", "vertex_count": 70},
        "attributes": {"0x80": {"components": 1, "words": [1], "repeat": true}}})");
    for (const auto& words : {options{"run", samples + "gs_amplify_once/scenario.json", "--set", "sm_count=3"},
                              options{"run", samples + "gs_streams/scenario.json", "--set", "isbe.ports=1"},
                              options{"run", samples + "task_mesh_payload/scenario.json"},
                              options{"run", trap, "--set", "trap_isbe_range=true", "--set", "sm_count=2"}}) {
        const auto report = simulate(words);
        std::istringstream page(temporary_folder::read(folder_.path("out/report.md")));
        std::size_t expected = 0, tables = 0, ports = 0;
        for (std::string line; std::getline(page, line);) {
            if (line.empty() || line[0] != '|') {
                expected = 0;
                continue;
            }
            if (expected == 0) {
                expected = cells(line);
                ++tables;
            }
            EXPECT_EQ(cells(line), expected) << line;
            EXPECT_EQ(line.back(), '|') << line;
            EXPECT_EQ(line.find_first_of("{}["), std::string::npos) << line; // no JSON
            if (line.rfind("| ports.", 0) == 0) ++ports;
        }
        EXPECT_GE(tables, 12U);
        const auto& instance = report.at("per_instance").as_array()[0];
        EXPECT_EQ(ports, 7 * instance.at("ports").as_array().size());
    }
}

TEST(markdown, cells_escape_their_text)
{
    report_page page;
    page.sections.push_back({"Section", "Covers.", {{"text", "count"}, {{"a|b \\| c\nd", "3"}, {"plain", "4"}}}});
    std::ostringstream text;
    text << markdown_page(page);
    EXPECT_NE(text.str().find("\n| a\\|b \\\\\\| c d | 3 |\n| plain | 4 |\n"), std::string::npos) << text.str();
    std::istringstream lines(text.str());
    for (std::string line; std::getline(lines, line);)
        EXPECT_EQ(!line.empty() && line[0] == '|' ? cells(line) : 2, 2U) << line;
}

} // namespace
} // namespace isbesim::testbench
