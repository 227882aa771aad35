// SPDX-License-Identifier: Apache-2.0
#include "testbench/chip/chip_run.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "models/figures/instance_counters.h"
#include "models/isbe/functional/names.h"
#include "models/pe/front_end/draw.h"
#include "models/pe/linking/linking.h"
#include "testbench/chip/batch_rows.h"
#include "testbench/chip/chip_series.h"
#include "testbench/files/write_error.h"
#include "testbench/processes/byte_archive.h"
#include "testbench/processes/process_pool.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/rtl/rtl_block.h"
#include "tlm/count_text.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// An unnamed file at `path`, or in the system's folder for temporary files if `path` is empty. Throws write_error.
open_file unnamed_file(const std::string& path)
{
    open_file file(path.empty() ? std::tmpfile() : std::fopen(path.c_str(), "w+b"));
    if (!file) throw write_error::incomplete(path.empty() ? "a temporary file" : path, errno);
    if (!path.empty()) std::filesystem::remove(path);
    return file;
}

/// The result of a TPC's process, without its rows.
struct tpc_result {
    run_outcome outcome;
    std::string account; ///< to_bytes()
    std::string series;  ///< JSON
    std::string profile;
    std::uint64_t batches = 0;
    std::vector<departures> departed;
};

template <typename Archive>
void pass(Archive& archive, tpc_result& result)
{
    const auto one = [&](auto& member) { pass_all(archive, member); };
    one(result.outcome.end);
    one(result.outcome.cycles);
    one(result.outcome.text);
    one(result.outcome.state_dump);
    one(result.account);
    one(result.series);
    one(result.profile);
    one(result.batches);
    one(result.departed);
}

std::string run_tpc(const chip_parts& parts, unsigned tpc, std::FILE* rows)
{
    tpc_output output(rows, parts.keeps_rows);
    simulated_system system({parts.config, parts.backend, parts.draw, output, parts.check_protocol, nullptr, 0,
                             parts.path, parts.timing, tpc});
    system.pe().report_batches_to([&](std::uint64_t cycle) { output.batch_left(cycle); });
    auto* const stops = parts.watch.begins(system, tpc);
    tpc_result result;
    result.outcome = system.run(parts.limits, nullptr, stops);
    auto notes = parts.watch.ended(result.outcome.cycles);
    result.series = json::serialize(notes.series);
    result.profile = std::move(notes.profile);
    auto account = account_of(system, tpc == 0 ? parts.warnings : std::vector<input_warning>(),
                              parts.timing == sm_timing::by_warp);
    account.window = std::move(notes.window);
    result.account = to_bytes(std::move(account));
    output.finish();
    result.batches = output.batches();
    result.departed = system.pe().departed();
    byte_sink sink;
    pass(sink, result);
    return sink.take();
}

tpc_result read_result(std::size_t tpc, const work_end& end)
{
    if (!end.whole) throw std::runtime_error("TPC " + std::to_string(tpc) + ": " + end.bytes);
    tpc_result result;
    byte_source source(end.bytes);
    pass(source, result);
    return result;
}

/// Cycles in which the TPC's fetch waited for a batch; none without stacks.
std::optional<std::uint64_t> front_end_cycles(const std::vector<cycle_stack>& stacks)
{
    for (const auto& stack : stacks)
        for (const auto& part : stack.parts)
            if (kind_of(stack.resource) == "fetch" && std::string_view(part.name) == "front_end") return part.cycles;
    return std::nullopt;
}

/// Adds one TPC's account; its SMs get their numbers on the chip.
void add(run_account& total, run_account one, std::size_t tpc, unsigned sms)
{
    if (tpc == 0) total.stages = one.stages;
    std::move(one.sites.begin(), one.sites.end(), std::back_inserter(total.sites));
    for (auto& each : one.warnings) {
        if (tpc != 0 && each.kind == "draw_setting") continue; // about the draw, not the TPC
        if (each.sm) *each.sm += static_cast<unsigned>(tpc) * sms;
        total.warnings.push_back(std::move(each));
    }
    merge(total.draw, one.draw);
    if (one.comparison) {
        if (!total.comparison) total.comparison.emplace();
        *total.comparison += *one.comparison;
    }
    for (auto& each : one.violations) total.violations.push_back("TPC " + std::to_string(tpc) + ": " + each);
    total.violation_count += one.violation_count;
}

/// Adds up the TPCs' windows, which are shorter for TPCs that ended earlier. None without windows.
std::optional<window_account> window_of_chip(std::vector<window_account> windows, std::vector<tpc_account> tpcs,
                                             const machine_config& config)
{
    if (windows.empty()) return std::nullopt;
    window_account all;
    for (const auto& window : windows)
        if (window.cycles > all.cycles) all = {window.first, window.cycles, {}, {}};
    for (std::size_t t = 0; t < windows.size(); ++t) {
        instance_counters idle; // of an SM whose TPC has ended
        idle.settle(all.cycles - windows[t].cycles, config.isbe.ports);
        for (unsigned sm = 0; sm < config.sm_count; ++sm) merge(all.counters, idle);
        merge(all.counters, windows[t].counters);
        tpcs[t].stacks = std::move(windows[t].stacks);
    }
    all.stacks = added_up(tpcs, all.cycles);
    return all;
}

} // namespace

chip_result run_on_chip(const chip_parts& parts)
{
    link_pipeline(parts.draw, parts.config); // so that an invalid draw is reported once
    const std::string_view backend = parts.backend.name;
    if (backend == "rtl" || backend == "lockstep") require_rtl_block(parts.config.isbe); // likewise
    const auto count = parts.config.chip.all_tpcs();
    std::vector<open_file> files;
    for (unsigned t = 0; t < count; ++t) files.push_back(unnamed_file(parts.row_file));
    std::vector<tpc_result> results(count);
    std::size_t done = 0;
    run_in_processes(
        count, parts.jobs, [&](std::size_t i) { return run_tpc(parts, static_cast<unsigned>(i), files[i].get()); },
        [&](std::size_t i, const work_end& end) {
            results[i] = read_result(i, end);
            parts.progress(++done);
        });

    chip_result result;
    auto& chip = result.chip;
    std::vector<json::object> series;
    std::vector<std::vector<path_part>> paths;
    std::vector<window_account> windows;
    std::vector<std::vector<departures>> departed;
    for (std::size_t t = 0; t < count; ++t) {
        const auto& tpc = results[t];
        auto account = account_from(tpc.account);
        std::uint64_t vertices = 0;
        for (const auto each : account.draw.vertices_out) vertices += each;
        chip.tpcs.push_back({tpc.batches, account.draw.primitives_in, vertices, tpc.outcome.cycles, account.stacks,
                             t / parts.config.chip.tpcs, front_end_cycles(account.stacks)});
        if (tpc.outcome.cycles > chip.tpcs[chip.last].cycles) chip.last = t;
        if (tpc.outcome.end != run_end::done && result.outcome.end == run_end::done) {
            result.outcome = tpc.outcome;
            result.outcome.name_tpc(std::to_string(t));
        }
        paths.push_back(std::move(account.path));
        if (account.window) windows.push_back(std::move(*account.window));
        series.push_back(json::parse(tpc.series).as_object());
        result.profiles.push_back(std::move(results[t].profile));
        departed.push_back(std::move(results[t].departed));
        add(result.account, std::move(account), t, parts.config.sm_count);
    }
    const auto tpc_cycles = chip.tpcs[chip.last].cycles;
    const auto cycles = std::max(tpc_cycles, end_of_raster(parts.config.chip, departed));
    chip.raster = cycles - tpc_cycles;
    result.outcome.cycles = cycles;
    if (result.outcome.end == run_end::done) result.outcome.text = "done in " + count_text(cycles, "cycle");
    result.account.path = std::move(paths[chip.last]);
    if (cycles > tpc_cycles && !result.account.path.empty()) {
        const auto last = link_pipeline(parts.draw, parts.config).last().stage;
        result.account.path.push_back(
            {path_reason::back_end, {last, path_place::part::output}, cycles - tpc_cycles, 1});
    }
    for (const auto& part : result.account.path)
        if (part.reason == path_reason::front_end) chip.front_end += part.cycles;
    result.account.stacks = added_up(chip.tpcs, cycles);
    result.account.window = window_of_chip(std::move(windows), chip.tpcs, parts.config);
    result.series = series_of_chip(series, cycles, parts.config.sm_count);
    std::vector<tpc_rows> rows;
    for (std::size_t t = 0; t < count; ++t) rows.push_back({files[t].get(), results[t].batches});
    chip.reorder = account_of_reorder(put_in_order(parts.config.chip, rows, parts.vertices));
    return result;
}

} // namespace isbesim::testbench
