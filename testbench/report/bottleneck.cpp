// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/bottleneck.h"

#include <algorithm>
#include <map>

#include "models/statistics/stall_reason.h"
#include "models/statistics/statistic.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/system/config.h"
#include "testbench/what_if/machine_changes.h"

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
    std::string with{};   ///< keys that must grow with it
    double of_part = 0.5; ///< twice the size ends half of these cycles at best
    double kept = 0;      ///< share of all cycles that is not saved of them
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
        return std::string("The draw waits for ") + lack + " (" + key + with + "): " + stack->resource + " has " +
               percent_text(cycles, stack->cycles) + " of the cycles under " + under + ".";
    }
};

/// Twice as much of it is a machine.
bool can_grow(const machine_config& config, const std::string& key)
{
    const auto* known = find_config_key(key);
    return admits(*known, known->get(config) * 2);
}

/// Operations that the engine granted while none was queued behind: each costs it the cycle of the next grant.
limit request_limit(const std::vector<cycle_stack>& stacks, const machine_config& config)
{
    limit requests{"room for requests", config.isbe.ports == 1 ? "isbe.ports" : "isbe.request_queue_depth"};
    limit queued;
    for (const auto& each : stacks) {
        if (kind_of(each.resource) == "pass_engine") requests.see(each, "grant");
        if (kind_of(each.resource) == "scheduler") queued.see(each, name_of(stall_reason::attribute_queue));
    }
    if (config.isbe.request_queue_depth == 1) return requests;
    if (config.sm.attribute_queue_depth > 1 || queued.part() < requests.part())
        return {}; // no operation waited for a place
    requests.lack = "room in the attribute queue";
    requests.key = "sm.attribute_queue_depth";
    requests.of_part = 1; // two places keep one operation behind another
    return requests;
}

/// The size that saves most when it is doubled. `room`: the share of the cycles that ends once the busiest worker is
/// saturated; more lines and slots end no others.
limit size_limit(const std::vector<cycle_stack>& stacks, const isbe_counters& isbe, const machine_config& config,
                 double room)
{
    constexpr double worth_saying = 0.08;
    constexpr double at_best = 0.5;
    // A straight line through what twice the places saved on random machines.
    limit responses{"room for responses", "isbe.response_queue_depth", "", 0.6, -0.03};
    limit lines{"ISBE lines", "isbe.lines"}, fetch{"vertex data", "pe.fetch_bytes_per_cycle"};
    for (const auto* key : sized_buffers(config))
        lines.with += (lines.with.empty() ? " with " : " and ") + std::string(key);
    // Twice the banks end those passes that an access takes because it has more words than there are banks.
    const auto spared = isbe.ideal_passes - isbe.ideal_passes_of_twice;
    limit banks{"passes", "isbe.banks", "", ratio(static_cast<double>(spared), static_cast<double>(isbe.ideal_passes))};
    limit slots{"warp slots", config.isbe.contexts < config.sm.warps ? "isbe.contexts" : "warps_per_sm"};
    // One that issues in a little over half of the cycles waits for its warps as often: twice as many save about the
    // excess over that.
    limit schedulers{"issue slots", "schedulers_per_sm", "", 1, 0.55};
    for (const auto& each : stacks) {
        const auto kind = kind_of(each.resource);
        if (kind == "scheduler") schedulers.see(each, "issue");
        if (kind == "pass_engine") responses.see(each, "responses_full");
        if (kind == "pass_engine") banks.see(each, "passes");
        if (kind == "fetch") fetch.see(each, "fetch");
        if (kind != "fetch" && kind.find("waiting.") == std::string::npos) continue;
        lines.see(each, name_of(stall_reason::isbe_full));
        if (config.isbe.contexts != config.sm.warps) slots.see(each, name_of(stall_reason::warp_slot));
    }
    limit most;
    double saving = worth_saying;
    for (const auto& each : {responses, lines, slots, fetch, request_limit(stacks, config), banks, schedulers}) {
        if (each.stack == nullptr || !can_grow(config, each.key)) continue;
        const bool fills_others = each.key == lines.key || each.key == slots.key;
        const auto now = std::min(fills_others ? room : at_best, each.of_part * each.part() - each.kept);
        if (now < saving) continue;
        saving = now;
        most = each;
    }
    return most;
}

} // namespace

std::string bottleneck_text(const std::vector<cycle_stack>& stacks, const isbe_counters& isbe,
                            const machine_config& config)
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
        const auto found = size_limit(stacks, isbe, config, 1 - share(first.busy(), first) / saturated);
        text = (found.stack != nullptr ? found.text() + " Busiest is "
                                       : "No single resource limits the draw; busiest is ") +
               told(first);
    }
    if (order.size() > 1) text += "; next is " + told(*order[1]);
    return text + ".";
}

} // namespace isbesim::testbench
