// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/estimate.h"

#include <cmath>

namespace isbesim::testbench {

namespace {

constexpr const char* shipped_draws = "the cycles of --isbe at over the shipped draws on the default machine";

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
    return result;
}

void estimate::mark(boost::json::object& report) const
{
    report["estimate"] = json();
    auto& covers = report.at("covers").as_object();
    for (const auto* section : {"cycles", "latency", "occupancy", "stalls", "bandwidth"})
        if (const auto* cover = covers.if_contains(section))
            covers[section] = text() + " " + std::string(cover->as_string());
}

std::optional<estimate> estimate_of(const std::string& backend, bool by_warp)
{
    if (by_warp)
        return estimate{"--timing lt", shipped_draws,
                        "each warp takes what it takes alone, and not less than the work that it shares with others.",
                        0.25};
    if (backend == "lt")
        return estimate{"--isbe lt", shipped_draws,
                        "the ISBE grants operations in the order of the calls, and requests never wait for a place in "
                        "a queue.",
                        0.05};
    return {};
}

std::optional<estimate> estimate_of_traffic(const std::string& backend, const std::vector<std::string>& changed)
{
    if (!changed.empty()) {
        std::string keys;
        for (const auto& key : changed) keys += (keys.empty() ? "" : ", ") + key;
        return estimate{
            "a replay on a machine that differs from the recorded one in " + keys,
            "the cycles of a run over the shipped scenarios on 40 such machines",
            "operations wait for what they waited for when they were recorded; ISBE lines and places in the "
            "attribute queue come from whom they came then. Exact cycles come from a run of the "
            "recorded work on this machine.",
            0.15};
    }
    if (backend == "lt") return estimate{"--isbe lt", "", "requests never wait for a place in a queue.", {}};
    return {};
}

} // namespace isbesim::testbench
