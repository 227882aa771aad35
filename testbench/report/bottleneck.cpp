// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/bottleneck.h"

#include <algorithm>
#include <map>

#include "models/isbe/functional/passes.h"
#include "models/statistics/stall_reason.h"
#include "testbench/report/cycle_stacks.h"

namespace isbesim::testbench {

namespace {

double share(std::uint64_t part, const cycle_stack& of)
{
    return of.cycles == 0 ? 0 : static_cast<double>(part) / static_cast<double>(of.cycles);
}

std::uint64_t cycles_under(const cycle_stack& stack, std::string_view name)
{
    for (const auto& part : stack.parts)
        if (part.name == name) return part.cycles;
    return 0;
}

/// "isbe0.pass_engine" -> "pass_engine", "sm3.scheduler1" -> "scheduler", "pe.waiting.vertex" -> "waiting.vertex".
std::string kind_of(const std::string& resource)
{
    auto kind = resource.substr(resource.find('.') + 1);
    while (!kind.empty() && kind.back() >= '0' && kind.back() <= '9') kind.pop_back();
    return kind;
}

/// Resources that work, and their names; ports are the pass engine seen from a client, and a queue works on nothing.
const std::map<std::string, std::string>& workers()
{
    static const std::map<std::string, std::string> words = {
        {"pass_engine", "the pass engine"}, {"scheduler", "a warp scheduler"}, {"fetch", "vertex fetch"}};
    return words;
}

std::string told(const cycle_stack& worker)
{
    // Work that an access without conflicts would not have.
    constexpr double worth_saying = 0.02;
    std::string lost;
    const auto conflicts = cycles_under(worker, name_of(stall_reason::bank_conflict));
    if (share(conflicts, worker) >= worth_saying)
        lost = " (bank conflicts are " + percent_text(conflicts, worker.cycles) + ")";
    return workers().at(kind_of(worker.resource)) + " (" + worker.resource + "), busy in " +
           percent_text(worker.busy(), worker.cycles) + " of the cycles" + lost;
}

/// Of each kind of worker the busiest, the busiest kind first.
std::vector<const cycle_stack*> busiest_workers(const std::vector<cycle_stack>& stacks)
{
    const auto busier = [](const auto* a, const auto* b) { return share(a->busy(), *a) > share(b->busy(), *b); };
    std::vector<const cycle_stack*> order;
    for (const auto& [kind, words] : workers()) {
        const cycle_stack* busiest = nullptr;
        for (const auto& each : stacks)
            if (each.cycles != 0 && kind_of(each.resource) == kind && (busiest == nullptr || busier(&each, busiest)))
                busiest = &each;
        if (busiest != nullptr) order.push_back(busiest);
    }
    std::stable_sort(order.begin(), order.end(), busier);
    return order;
}

/// A size that is too small, by the cycles that one resource loses to it.
struct limit {
    const char* lack = "";
    std::string key{};
    const cycle_stack* stack = nullptr;
    std::uint64_t cycles = 0;
    std::string under{};

    double part() const { return stack == nullptr ? 0 : share(cycles, *stack); }
    void see(const cycle_stack& other, const std::string& name)
    {
        if (const auto more = cycles_under(other, name); share(more, other) > part()) {
            stack = &other;
            cycles = more;
            under = name;
        }
    }
    std::string text() const
    {
        return std::string("The draw waits for ") + lack + " (" + key + "): " + stack->resource + " has " +
               percent_text(cycles, stack->cycles) + " of the cycles under " + under + ".";
    }
};

/// Queues of the ISBE's ports, where an engine that always has a request works less than it could.
limit queue_limit(const cycle_stack& engine)
{
    constexpr double worth_saying = 0.1;
    limit responses{"room for responses", "isbe.response_queue_depth"};
    limit requests{"room for requests", "isbe.request_queue_depth"};
    responses.see(engine, "responses_full");
    requests.see(engine, "grant"); // no pass hides it: nothing was queued after the operation
    const auto& more = responses.part() > requests.part() ? responses : requests;
    return more.part() >= worth_saying ? more : limit{};
}

/// `idle`: the share of the cycles that the busiest worker could gain at most.
limit size_limit(const std::vector<cycle_stack>& stacks, const machine_config& config, double idle)
{
    constexpr double worth_saying = 0.2;
    if (idle < worth_saying) return {};
    const bool few_contexts = config.isbe.contexts <= config.sm.warps;
    limit all[] = {{"room for responses", "isbe.response_queue_depth"},
                   {"ISBE lines", "isbe.lines"},
                   {"warp slots", few_contexts ? "isbe.contexts" : "warps_per_sm"}};
    for (const auto& each : stacks) {
        const auto kind = kind_of(each.resource);
        if (kind == "pass_engine") all[0].see(each, "responses_full");
        if (kind != "fetch" && kind.find("waiting.") == std::string::npos) continue;
        all[1].see(each, name_of(stall_reason::isbe_full));
        all[2].see(each, name_of(stall_reason::warp_slot));
    }
    const auto& most = *std::max_element(std::begin(all), std::end(all),
                                         [](const auto& a, const auto& b) { return a.part() < b.part(); });
    if (most.part() >= worth_saying) return most;
    // Twice the fetch halves those cycles; with fewer banks than lanes more of them shorten every access.
    limit fetch{"vertex data", "pe.fetch_bytes_per_cycle"}, banks{"passes", "isbe.banks"};
    for (const auto& each : stacks) {
        const auto kind = kind_of(each.resource);
        if (kind == "fetch") fetch.see(each, "fetch");
        if (kind == "pass_engine" && columns_of(config.isbe) < warp_lanes) banks.see(each, "passes");
    }
    if (fetch.part() >= 2 * worth_saying) return fetch;
    return banks.part() >= 0.5 ? banks : limit{};
}

} // namespace

std::string bottleneck_text(const std::vector<cycle_stack>& stacks, const machine_config& config)
{
    const auto order = busiest_workers(stacks);
    if (order.empty()) return "";
    // Above this a resource has hardly a cycle to spare; below it something else decides, too.
    constexpr double saturated = 0.85;
    const auto& first = *order.front();
    std::string text;
    if (share(first.busy(), first) >= saturated) {
        text = "The draw waits for " + told(first);
    } else {
        const auto engine = std::find_if(order.begin(), order.end(),
                                         [](const auto* each) { return kind_of(each->resource) == "pass_engine"; });
        limit found;
        if (engine != order.end() && share(cycles_under(**engine, "no_request"), **engine) <= 1 - saturated)
            found = queue_limit(**engine);
        if (found.stack == nullptr) found = size_limit(stacks, config, 1 - share(first.busy(), first));
        text = (found.stack != nullptr ? found.text() + " Busiest is "
                                       : "No single resource limits the draw; busiest is ") +
               told(first);
    }
    if (order.size() > 1) text += "; next is " + told(*order[1]);
    return text + ".";
}

} // namespace isbesim::testbench
