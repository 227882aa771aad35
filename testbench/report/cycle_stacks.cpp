// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/cycle_stacks.h"

#include <algorithm>
#include <cstdio>

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

void append(std::vector<cycle_stack>& all, const std::string& prefix, std::vector<cycle_stack> more)
{
    for (auto& each : more) {
        each.resource = prefix + each.resource;
        all.push_back(std::move(each));
    }
}

} // namespace

std::string kind_of(std::string_view resource)
{
    auto kind = resource.substr(resource.find('.') + 1);
    while (!kind.empty() && kind.back() >= '0' && kind.back() <= '9') kind.remove_suffix(1);
    return std::string(kind);
}

std::string percent_text(std::uint64_t part, std::uint64_t all)
{
    char text[24];
    std::snprintf(text, sizeof text, "%.1f %%",
                  all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all));
    return text;
}

std::vector<cycle_stack> stacks_of(simulated_system& system)
{
    std::vector<cycle_stack> all;
    append(all, "pe.", system.pe().stacks());
    for (unsigned i = 0; i < system.sm_count(); ++i) {
        const auto number = std::to_string(i);
        append(all, "sm" + number + ".", system.sm(i).stacks());
        auto of_isbe = system.isbe(i).stacks();
        if (of_isbe.empty()) return {};
        append(all, "isbe" + number + ".", std::move(of_isbe));
    }
    return all;
}

std::vector<cycle_stack> stacks_of_isbe(std::vector<cycle_stack> stacks)
{
    std::vector<cycle_stack> all;
    append(all, "isbe0.", std::move(stacks));
    return all;
}

std::vector<cycle_stack> added_up(const std::vector<tpc_account>& tpcs, std::uint64_t cycles)
{
    std::vector<cycle_stack> all;
    for (const auto& tpc : tpcs) {
        for (const auto& stack : tpc.stacks) {
            const auto name = "chip." + kind_of(stack.resource);
            auto to = std::find_if(all.begin(), all.end(), [&](const auto& known) { return known.resource == name; });
            if (to == all.end()) {
                to = all.insert(all.end(), stack);
                to->resource = name;
                to->cycles = 0;
                for (auto& part : to->parts) part.cycles = 0;
                to->parts.push_back({"ended", 0});
            }
            for (std::size_t i = 0; i < stack.parts.size(); ++i) to->parts[i].cycles += stack.parts[i].cycles;
            to->parts.back().cycles += cycles - stack.cycles;
            to->cycles += cycles;
        }
    }
    return all;
}

json::object stacks_json(const std::vector<cycle_stack>& stacks)
{
    json::object all;
    for (const auto& each : stacks) {
        json::object parts;
        for (const auto& part : each.parts) parts[part.name] = part.cycles;
        all[each.resource] = {{"cycles", each.cycles}, {"busy", each.busy()}, {"parts", std::move(parts)}};
    }
    return all;
}

namespace {

constexpr const char* of_isbe =
    "Pass engine: passes, bank_conflict (those beyond the ideal), grant (the cycle of a grant that no pass hides), "
    "responses_full (queued operations wait until a response has left), no_request. Ports: passes (the engine works "
    "for "
    "the port), responses_full, other_port, grant, response (on the channel, its transfer included), latency (the "
    "oldest operation is on its way), idle.";

} // namespace

std::string stacks_cover()
{
    return std::string(
               "Every cycle of the run once for each resource: what it worked on, or why it did not; the parts "
               "add up to the cycles. Schedulers: issue; attribute_queue, pipe, scoreboard, stall_count, drain as "
               "under stalls; no_warp: none resident. ") +
           of_isbe +
           " Units with a rate, of the PE and the GPC, DRAM, and pipes with limited lanes (of the schedulers' the "
           "busiest): busy, idle. Fetch of the PE: fetch; memory (data that it has asked for is not there yet), "
           "isbe_full, warp_slot, lines_and_slot (the next batch is there and the one before waits for lines, for a "
           "slot, for both), output_order, no_vertices (all are fetched). pe.waiting.<stage>: what the oldest warp of "
           "the stage that waits for its place waits for; the first stage for all SMs together.";
}

std::string isbe_stacks_cover()
{
    return std::string("Every cycle once for the pass engine and for each port, from cycle 0 until the last response "
                       "had been transferred: what it worked on, or why it did not; the parts add up to the cycles. ") +
           of_isbe;
}

} // namespace isbesim::testbench
