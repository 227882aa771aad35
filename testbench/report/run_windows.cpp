// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/run_windows.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "models/isbe/functional/passes.h"
#include "testbench/figures/figures.h"
#include "testbench/files/json_text.h"
#include "testbench/files/write_error.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/report/run_account.h"

namespace isbesim::testbench {

namespace json = boost::json;

const char* const windows_cover =
    "The figures of the cycles from first to last, by the counts between them: an operation in the cycle of its "
    "grant, a latency and a warp's wait for its place when they end. Counts of windows that cover the run add up to "
    "the run's. Peaks and what the whole run states are not there.";

run_windows::run_windows(request wanted, simulated_system& system, const coefficient_table& coefficients)
    : wanted_(std::move(wanted)), system_(system), coefficients_(coefficients)
{
    if (wanted_.every != 0) csv_.open(wanted_.file);
}

std::uint64_t run_windows::next() const
{
    const auto now = system_.clock().now();
    auto next = never;
    if (wanted_.every != 0) next = (now / wanted_.every + 1) * wanted_.every;
    if (wanted_.one && now < wanted_.one->first) next = std::min(next, wanted_.one->first);
    if (wanted_.one && now <= wanted_.one->last && wanted_.one->last != never)
        next = std::min(next, wanted_.one->last + 1);
    return next;
}

run_windows::state run_windows::state_at(std::uint64_t cycle) const
{
    state result;
    result.cycle = cycle;
    for (const auto& site : sites_of(system_)) merge(result.counters, counters_of(site, cycle));
    result.counters.draw = system_.pe().draw_counters();
    result.stacks = stacks_of(system_);
    return result;
}

window_account run_windows::between(const state& begin, state end)
{
    window_account window{begin.cycle, end.cycle - begin.cycle, std::move(end.counters), std::move(end.stacks)};
    subtract(window.counters, begin.counters);
    for (std::size_t s = 0; s < window.stacks.size() && !begin.stacks.empty(); ++s) {
        auto& stack = window.stacks[s];
        stack.cycles -= begin.stacks[s].cycles;
        for (std::size_t p = 0; p < stack.parts.size(); ++p) stack.parts[p].cycles -= begin.stacks[s].parts[p].cycles;
    }
    return window;
}

json::object window_figures(const window_account& window, const machine_config& config,
                            const std::vector<stage>& stages, unsigned sms, const coefficient_table& coefficients,
                            bool all_names)
{
    const figure_scope over{window.cycles, 4.0 * columns_of(config.isbe) * sms};
    const report_scope scope{window.counters,        over, program_opcodes, stages,
                             !window.stacks.empty(), true, false,           all_names};
    const auto energy = stated_proxies(window.counters.isbe, config.isbe, sms, coefficients).at("energy_pj");
    json::object result;
    for (const auto& section : figure_sections())
        if (section.of_run)
            result[section.name] = section_json(
                section.name, scope,
                section.name == std::string_view("proxies") ? json::object{{"energy_pj", energy}} : json::object());
    if (!window.stacks.empty()) result["stacks"] = stacks_json(window.stacks);
    return result;
}

void run_windows::end_row(const state& current)
{
    auto report = window_figures(between(row_begin_, current), system_.config(), stages_of(system_), system_.sm_count(),
                                 coefficients_, true);
    report.erase("histograms");
    json::object cells{{"first", row_begin_.cycle}, {"cycles", current.cycle - row_begin_.cycle}};
    if (wanted_.estimated) cells["estimate.of"] = "cycles";
    add_figures(report, "", cells);
    std::string titles, row;
    for (const auto& [name, value] : cells) {
        titles += (titles.empty() ? "" : ",") + std::string(name);
        if (!row.empty()) row += ",";
        if (value.is_null()) continue;
        if (value.is_string()) {
            row += std::string(value.get_string());
            continue;
        }
        row += json_text(value);
        row.pop_back(); // the line feed
    }
    if (!std::exchange(titled_, true)) csv_ << titles << "\n";
    csv_ << row << "\n";
}

void run_windows::end_known_row()
{
    if (!row_end_) return;
    end_row(*row_end_);
    row_begin_ = std::move(*row_end_);
    row_end_.reset();
}

void run_windows::reached()
{
    const auto cycle = system_.clock().now();
    const auto current = state_at(cycle);
    if (wanted_.every != 0 && cycle % wanted_.every == 0) {
        end_known_row();
        row_end_ = current;
    }
    if (!wanted_.one) return;
    if (cycle == wanted_.one->first) window_begin_ = current;
    if (cycle == wanted_.one->last + 1) window_ = between(window_begin_, current);
}

void run_windows::finish(std::uint64_t cycles)
{
    const auto current = state_at(cycles);
    if (wanted_.every != 0) {
        if (row_end_ && row_end_->cycle < cycles) end_known_row();
        if (cycles > row_begin_.cycle || !titled_) end_row(current);
        csv_.close();
        if (!csv_) throw write_error::incomplete(wanted_.file);
    }
    const bool open = !window_ || wanted_.one->last + 1 == cycles;
    if (wanted_.one && open) window_ = between(wanted_.one->first < cycles ? window_begin_ : current, current);
}

std::string windows_of_tpc(const std::string& file, unsigned tpc)
{
    return file + "." + std::to_string(tpc);
}

void join_windows(const std::string& file, unsigned tpcs)
{
    std::ofstream all(file);
    for (unsigned tpc = 0; tpc < tpcs; ++tpc) {
        const auto name = windows_of_tpc(file, tpc);
        std::ifstream one(name);
        if (!one) throw write_error::incomplete(name);
        std::string row;
        for (bool titles = true; std::getline(one, row); titles = false) {
            if (!titles)
                all << tpc << "," << row << "\n";
            else if (tpc == 0)
                all << "tpc," << row << "\n";
        }
        std::filesystem::remove(name);
    }
    all.close();
    if (!all) throw write_error::incomplete(file);
}

} // namespace isbesim::testbench
