// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/traffic_report.h"

#include "models/isbe/functional/passes.h"
#include "testbench/figures/figures.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/report/estimate.h"
#include "testbench/report/report_figures.h"
#include "testbench/system/config.h"
#include "testbench/version.h"
#include "tlm/clock.h"
#include "tlm/count_text.h"

namespace isbesim::testbench {

namespace json = boost::json;

const char* loop_name(const traffic_facts& facts)
{
    return facts.open_loop ? "open loop" : "closed loop";
}

traffic_verdict verdict_of(const traffic_facts& facts, const traffic_outcome& outcome)
{
    if (outcome.stuck)
        return {"deadlock", "deadlock: stopped answering after operation " + std::to_string(outcome.transactions) +
                                ", nothing is left to happen and not every transaction has its response"};
    if (facts.data_only && outcome.differences != 0) return {"mismatch", outcome.difference};
    if (outcome.differences != 0)
        return {"mismatch", "the replay (" + std::string(loop_name(facts)) + ") differs from the recorded run in " +
                                std::to_string(outcome.differences) + " of " +
                                count_text(outcome.transactions, "operation") + ", the first: " + outcome.difference};
    if (!outcome.mismatch_report.empty() || outcome.totals.data_mismatches != 0 || outcome.totals.cycle_mismatches != 0)
        return {"mismatch", ""};
    return {"done", count_text(outcome.transactions, "transaction") + " in " + count_text(outcome.cycles, "cycle")};
}

json::object coverage_json(const coverage& bins)
{
    using part = coverage::part;
    const auto json_of = [&](part which) {
        const auto share = bins.of(which);
        json::object hits;
        for (const auto& [name, count] : bins.bins())
            if (coverage::part_of(name) == which) hits[name] = count;
        return json::object{{"bins", share.size}, {"hit", share.hit}, {"hits", std::move(hits)}};
    };
    auto all = json_of(part::listed);
    all["conditions"] = json_of(part::conditions);
    all["corners"] = json_of(part::corners);
    auto& sections = all["sections"].emplace_object();
    for (const auto& [which, name] :
         {std::pair{part::listed, "listed"}, {part::conditions, "conditions"}, {part::corners, "corners"}}) {
        json::object sizes, hits;
        for (const auto& [section, parts] : bins.by_section()) {
            sizes[section] = parts[static_cast<std::size_t>(which)].size;
            hits[section] = parts[static_cast<std::size_t>(which)].hit;
        }
        sections[name] = {{"bins", std::move(sizes)}, {"hit", std::move(hits)}};
    }
    return all;
}

json::object make_report(const machine_config& config, const traffic_facts& facts, const std::string& backend,
                         const traffic_outcome& outcome, const coverage* bins, const traffic_verdict& result,
                         const coefficient_table& coefficients, json::object series)
{
    const double peak = 4.0 * columns_of(config.isbe);
    instance_counters counters;
    counters.isbe = outcome.counters;
    counters.sm.latency = outcome.latency;
    const report_scope scope{counters, {outcome.cycles, peak}, opcode_count, {}};
    json::object report = {
        {"tool", {{"name", "isbesim"}, {"version", version_text}, {"seed", facts.seed}}},
        {"config", config_to_json(config)},
        {"of", facts.origin},
        {"scenario", facts.source},
        {"backend", backend},
        {"result", {{"status", result.status}, {"text", result.text}}},
        {"covers",
         {{"transactions", covers_of("transactions")},
          {"latency",
           "Cycles from the request's appearance at the port to its response there. A percentile above 65535 "
           "cycles is given as the maximum."},
          {"histograms", covers_of("histograms")},
          {"bandwidth", bandwidth_covers(peak)},
          {"bank_conflicts", covers_of("bank_conflicts")},
          {"discarded", covers_of("discarded")},
          {"proxies", covers_of("proxies")},
          {"cycles", "From cycle 0 until the last response appeared. All rates are over these cycles."},
          {"time_ns", "cycles / clock_ghz."},
          {"host", covers_of("host")}}},
        {"cycles", outcome.cycles},
        {"time_ns", cycle_clock::from_ghz(config.clock_ghz).nanoseconds(outcome.cycles)},
        {"transactions", section_json("transactions", scope)},
        {"latency", section_json("latency", scope)},
        {"histograms", section_json("histograms", scope)},
        {"bandwidth", section_json("bandwidth", scope)},
        {"bank_conflicts", section_json("bank_conflicts", scope)},
        {"discarded", section_json("discarded", scope)},
        {"proxies", section_json("proxies", scope, stated_proxies(outcome.counters, config.isbe, 1, coefficients))},
    };
    const auto cover = [&](const char* key, const std::string& text) { report["covers"].as_object()[key] = text; };
    if (!outcome.stacks.empty()) {
        report["stacks"] = stacks_json(stacks_of_isbe(outcome.stacks));
        cover("stacks", isbe_stacks_cover());
    }
    if (!series.empty()) {
        report["series"] = std::move(series);
        cover("series", series_covers(true));
    }
    if (facts.replayed) {
        report["replay"] = {
            {"operations", outcome.transactions}, {"differences", outcome.differences}, {"open_loop", facts.open_loop}};
        cover("replay", covers_of("replay"));
    }
    if (const auto known = estimate_of_traffic(backend, facts)) known->mark(report);
    if (outcome.compared) report["crosscheck"] = account_json(lockstep_statistics(), outcome.totals);
    if (facts.data_only)
        report["crosscheck"] = {{"transactions", outcome.transactions}, {"data_mismatches", outcome.differences}};
    if (bins != nullptr) report["coverage"] = coverage_json(*bins);
    return report;
}

} // namespace isbesim::testbench
