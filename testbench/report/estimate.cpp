// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/estimate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "testbench/report/traffic_report.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

namespace {

/// True for keys that affect which operations come and when, but not how an ISBE executes them.
bool decides_requests(const std::string& key)
{
    constexpr std::string_view groups[] = {"sm.", "pe.", "memory.", "chip."};
    constexpr std::string_view keys[] = {"isbe.lines",   "isbe.contexts",     "sm_count",
                                         "warps_per_sm", "schedulers_per_sm", "scheduler_policy"};
    return std::any_of(std::begin(groups), std::end(groups),
                       [&](const auto& group) { return key.compare(0, group.size(), group) == 0; }) ||
           std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

std::string list_of(const std::vector<std::string>& keys)
{
    std::string text;
    for (const auto& key : keys) text += (text.empty() ? "" : ", ") + key;
    return text;
}

} // namespace

std::string estimate::text() const
{
    auto text = "An estimate (" + reason + ")";
    if (error) text += ", within " + std::to_string(std::lround(*error * 100)) + " % of " + scope;
    return text + ": " + how;
}

boost::json::object estimate::json() const
{
    boost::json::object result{{"of", "cycles"}};
    if (error) result["error"] = *error;
    if (!not_replayed.empty()) result["not_replayed"] = not_replayed;
    return result;
}

void estimate::mark(boost::json::object& report) const
{
    report["estimate"] = json();
    auto& covers = report.at("covers").as_object();
    for (const auto* section : {"cycles", "latency", "occupancy", "stalls", "bandwidth", "series"})
        if (const auto* cover = covers.if_contains(section))
            covers[section] = text() + " " + std::string(cover->as_string());
}

std::optional<estimate> estimate_of(const std::string& backend, bool by_warp, const boost::json::object& machine)
{
    if (!by_warp && backend != "lt") return {};
    const bool usual = machine == config_to_json(machine_config());
    const auto scope = std::string("the cycles of --isbe at over the shipped draws on ") +
                       (usual ? "the default machine" : "the presets and on machines that differ in two keys");
    if (by_warp)
        return estimate{
            "--timing lt", scope,
            "each warp takes what it takes alone, and not less than the work that it shares with others: too short "
            "where the pass engine or a scheduler is busy in most cycles, too long where "
            "isbe.response_queue_depth holds operations up.",
            usual ? 0.20 : 0.35};
    return estimate{"--isbe lt", scope, "the ISBE grants operations in the order of the calls.", usual ? 0.05 : 0.20};
}

std::optional<estimate> estimate_of_traffic(const std::string& backend, const traffic_facts& facts)
{
    const auto& changed = facts.changed;
    std::string loose;
    if (backend == "lt") loose += "the ISBE grants operations in the order of the calls; ";
    if (facts.loosely_recorded) loose += "the recorded waits are those of --isbe lt; ";
    if (changed.empty()) {
        if (loose.empty()) return {};
        return estimate{backend == "lt" ? "--isbe lt" : "a replay of a recording with --isbe lt",
                        "",
                        loose + (facts.loosely_recorded ? "exact cycles come from a run of the recorded work."
                                                        : "exact cycles come with --isbe at."),
                        {}};
    }
    std::vector<std::string> unheeded;
    std::copy_if(changed.begin(), changed.end(), std::back_inserter(unheeded), decides_requests);
    std::string how = facts.open_loop
                          ? "requests come in their recorded cycles, however long the answers take; "
                          : "operations wait for what they waited for when they were recorded; ISBE lines and "
                            "places in the attribute queue come from whom they came then; ";
    if (!unheeded.empty())
        how += list_of(unheeded) + " can change which operations come and when, which a replay does not; ";
    how += loose + "exact cycles come from a run of the recorded work on this machine.";
    const bool measured = !facts.open_loop && unheeded.empty() && loose.empty();
    return estimate{"a replay on a machine that differs from the recorded one in " + list_of(changed),
                    "the cycles of a run over the shipped scenarios on 40 such machines", how,
                    measured ? std::optional(0.15) : std::nullopt, list_of(unheeded)};
}

} // namespace isbesim::testbench
