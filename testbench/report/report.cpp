// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/report.h"

#include <cctype>
#include <cstdio>
#include <map>
#include <utility>

#include "models/isbe/functional/names.h"
#include "models/isbe/functional/passes.h"
#include "models/statistics/statistic.h"
#include "testbench/figures/figures.h"
#include "testbench/report/bottleneck.h"
#include "testbench/report/critical_path.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/report/estimate.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/report_tables.h"
#include "testbench/report/run_windows.h"
#include "testbench/system/config.h"
#include "testbench/version.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// "name: unit text. name: ...": the figures of losses on the way to stream-out.
std::string losses_paragraph()
{
    std::string text = "Shown unless 0:";
    for (const auto& row : draw_loss_rows) text += std::string(" ") + row.name + ": " + row.unit + " " + row.text + ".";
    return text;
}

json::object covers_json(double peak_per_isbe, consumer_rule consumer, bool is_chip)
{
    return {{"cycles",
             "Clock cycles from the start of the draw until the PE had streamed out the last vertex and every "
             "access to an ISBE had its response; of a run that was given up, until then. All means and rates "
             "are over these cycles."},
            {"time_ns", "cycles / clock_ghz."},
            {"output", "primitives_in: assembled from the draw; fetched_bytes: vertex data read for them. "
                       "vertices_captured: streamed out, all streams; vertices_written: they are in vertices.csv "
                       "(not with --no-vertices). primitives_out, vertices_out: what left the last "
                       "stage, captured or not. geometry_threads_lost: threads that ended with an "
                       "invalid state or one older than their last OUT. With memory.model=hierarchy l1_sectors, "
                       "l1_hits, l2_sectors, l2_hits: of 32 bytes, that loads asked level 1 for, and loads that missed "
                       "and vertex fetch asked level 2 for; dram_bytes: read from DRAM. " +
                           losses_paragraph()},
            {"invocations", covers_of("invocations")},
            {"instructions", covers_of("instructions")},
            {"latency", "Warp instructions with an active lane and without a trap, from issue at the SM to write-back "
                        "(loads, AL2P, OUT) or to the ISBE's answer (stores); waiting in the SM's attribute queue and "
                        "at the port included. A percentile above 65535 cycles is given as the maximum."},
            {"bandwidth", bandwidth_covers(peak_per_isbe)},
            {"bank_conflicts", covers_of("bank_conflicts")},
            {"stalls", stalls_paragraph()},
            {"occupancy",
             is_chip ? "128-byte ISBE lines allocated and warps resident, averaged over the cycles of the chip; all "
                       "instances together. Peaks are those of each instance only: nothing observes all TPCs at once."
                     : "128-byte ISBE lines allocated and warps resident, averaged over the cycles of the draw; all "
                       "instances together, the peaks too: the most at any one time, which is less than the sum of the "
                       "instances' own peaks when those came at different times."},
            {"histograms", covers_of("histograms")},
            {"series", series_covers(false)},
            {"consumer", consumer == consumer_rule::rasteriser
                             ? "After the last stage positions and clip distances are read (pe.consumer), and of the "
                               "vertices of primitives that these do not cull the other attributes. culled_outside, "
                               "culled_no_area, culled_facing in output: the primitives dropped, by reason."
                         : consumer == consumer_rule::written
                             ? "After the last stage all attributes that it writes are read (pe.consumer), whatever "
                               "is captured: the capture list does not change cycles or traffic."
                             : "After the last stage only the captured attributes are read (pe.consumer): cycles and "
                               "traffic depend on the capture list."},
            {"proxies", covers_of("proxies")},
            {"per_instance", "The same figures per SM with its ISBE, and per port of it: counts add up to the totals, "
                             "means too. shared_port_cycles: requests waited because the other client used the one "
                             "port."},
            {"traps", "Warp instructions that raised an error; the warp went on. The first 1024 of each SM; "
                      "trap_count has all."},
            {"host", covers_of("host")},
            {"stacks", stacks_cover()},
            {"critical_path", path_covers()},
            {"discarded", covers_of("discarded")}};
}

void append_traps(json::array& all, const sm_counters& sm, unsigned index)
{
    for (const auto& trap : sm.traps) {
        all.push_back(json::object{{"code", trap.code},
                                   {"stage", name_of(trap.stage)},
                                   {"sm", index},
                                   {"warp", trap.warp},
                                   {"lane_mask", hex(trap.lanes, 8)},
                                   {"pc", trap.pc},
                                   {"cycle", trap.cycle}});
    }
}

/// Adds `chip` and `tpcs`, and their `covers`.
void add_chip(json::object& report, json::object& covers, const chip_account& chip)
{
    report["chip"] = account_json(chip_statistics(), chip);
    json::array tpcs;
    const auto figures = tpc_statistics();
    for (const auto& tpc : chip.tpcs) tpcs.push_back(account_json(figures, tpc));
    report["tpcs"] = std::move(tpcs);
    for (const auto* section : {"chip", "tpcs"}) covers[section] = covers_of(section);
    const auto before = [&](const char* key, const std::string& text) {
        if (report.contains(key)) covers[key] = text + std::string(covers[key].get_string());
    };
    before("stacks",
           "All TPCs together, by kind of resource: the cycles of the chip times the number of such resources. "
           "front_end: no batch had been dealt; ended: the TPC has ended, others have not. ");
    before("critical_path", "Of the TPC that ends last. ");
}

/// Names the TPC that ends last and its bottleneck. Empty without stacks.
std::string last_tpc_text(const chip_account& chip, const machine_config& config)
{
    const auto& last = chip.tpcs[chip.last];
    if (last.stacks.empty()) return "";
    char later[32];
    std::snprintf(later, sizeof later, "%.2f", ratio(static_cast<double>(last.cycles), mean_cycles(chip), 1));
    auto text = "TPC " + std::to_string(chip.last) + " ends last, after " + later + " times the mean of " +
                std::to_string(chip.tpcs.size()) + " TPCs, with " + std::to_string(last.batches) + " of " +
                std::to_string(chip.reorder.batches) + " batches.";
    if (2 * chip.front_end >= last.cycles && chip.front_end != 0)
        text += " The draw waits for the front end (chip.primitives_per_cycle, chip.draw_cycles, chip.instance_cycles, "
                "chip.restart_cycles), " +
                percent_text(chip.front_end, last.cycles) + " of the critical path.";
    if (10 * chip.raster >= last.cycles)
        text += " The draw waits for a raster engine (chip.gpc_primitives_per_cycle, chip.gpc_setups_per_cycle), which "
                "its TPCs share: " +
                std::to_string(chip.raster) + " cycles more than they take.";
    auto there = bottleneck_text(last.stacks, config);
    if (!there.empty()) there.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(there.front())));
    return text + " There " + there;
}

json::object instance_json(const report_scope& scope, unsigned index, json::array ports)
{
    json::object instance = {{"sm", index}};
    for (const auto& section : figure_sections())
        if (section.of_instances) instance[section.name] = section_json(section.name, scope);
    instance["ports"] = std::move(ports);
    return instance;
}

} // namespace

json::object make_report(const machine_config& config, const run_account& account, std::uint64_t cycles,
                         report_facts facts)
{
    const double peak = 4.0 * columns_of(config.isbe);
    const bool loosely = facts.timing == sm_timing::by_warp;
    const auto& stacks = account.stacks;
    const auto isbes = static_cast<unsigned>(account.sites.size());
    const auto scope_of = [&](const instance_counters& counters, const figure_scope& over) {
        return report_scope{counters, over, program_opcodes, account.stages, !stacks.empty(), !loosely};
    };
    instance_counters total;
    json::array instances, traps;
    for (unsigned i = 0; i < isbes; ++i) {
        const auto& site = account.sites[i];
        const auto one = counters_of(site, cycles);
        json::array ports;
        for (std::size_t p = 0; p < site.ports.size(); ++p) {
            instance_counters port;
            port.ports = site.ports[p];
            port.shared_port_cycles = p == 0 ? site.shared_port_cycles : 0;
            ports.push_back(section_json(port_section, scope_of(port, {})));
        }
        instances.push_back(instance_json(scope_of(one, {cycles, peak}), i, std::move(ports)));
        append_traps(traps, one.sm, i);
        merge(total, one);
    }
    total.draw = account.draw;
    auto scope = scope_of(total, {cycles, peak * isbes});
    scope.at_once = !facts.chip; // nothing observes all TPCs at once
    // The cycles of the instances' own peaks are not recorded.
    json::object peaks;
    if (facts.lines_peak) peaks["isbe_lines_peak"] = *facts.lines_peak;
    if (facts.warps_peak) peaks["warps_peak"] = *facts.warps_peak;
    const std::map<std::string, json::object> stated = {
        {"output", {{"vertices_captured", facts.rows}, {"vertices_written", facts.vertices_written}}},
        {"occupancy", peaks},
        {"proxies", stated_proxies(total.isbe, config.isbe, isbes, facts.coefficients)}};
    json::object report;
    report["tool"] = {{"name", "isbesim"}, {"version", version_text}, {"seed", facts.seed}};
    report["of"] = std::move(facts.origin);
    report["scenario"] = facts.scenario;
    report["draw"] = std::move(facts.draw);
    report["backend"] = facts.backend;
    report["result"] = {{"status", facts.status}, {"text", facts.text}};
    report["cycles"] = cycles;
    report["time_ns"] = cycle_clock::from_ghz(config.clock_ghz).nanoseconds(cycles);
    for (const auto& section : figure_sections()) {
        if (!section.of_run) continue;
        const auto figures = stated.find(section.name);
        report[section.name] =
            section_json(section.name, scope, figures == stated.end() ? json::object() : figures->second);
    }
    report["per_instance"] = std::move(instances);
    auto covers = covers_json(peak, config.pe.consumer, facts.chip.has_value());
    if (!stacks.empty()) {
        report["bottleneck"] = facts.chip ? last_tpc_text(*facts.chip, config) : bottleneck_text(stacks, config);
        report["stacks"] = stacks_json(stacks);
    } else {
        covers.erase("stacks");
    }
    if (loosely) report["timing"] = "lt";
    if (!account.path.empty()) report["critical_path"] = path_json(account.path);
    if (account.comparison) report["crosscheck"] = account_json(lockstep_statistics(), *account.comparison);
    report["trap_count"] = total.sm.trap_count;
    report["traps"] = std::move(traps);
    report["warnings"] = warnings_json(facts.warnings);
    if (loosely)
        covers.erase("series");
    else
        report["series"] = std::move(facts.series);
    if (!facts.profile.empty()) {
        report["profile"] = std::move(facts.profile);
        covers["profile"] = profile_covers();
    }
    if (account.window && account.window->cycles != 0) {
        const auto& window = *account.window;
        json::object shown{{"first", window.first}, {"last", window.first + window.cycles - 1}};
        for (auto& entry : window_figures(window, config, account.stages, isbes, facts.coefficients))
            shown[entry.key()] = std::move(entry.value());
        report["window"] = std::move(shown);
        covers["window"] = windows_cover;
    }
    if (facts.chip) add_chip(report, covers, *facts.chip);
    report["covers"] = std::move(covers);
    if (const auto known = estimate_of(facts.backend, loosely, config_to_json(config))) known->mark(report);
    report["config"] = config_to_json(config);
    return report;
}

} // namespace isbesim::testbench
