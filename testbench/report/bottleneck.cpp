// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/bottleneck.h"

#include <algorithm>
#include <map>

#include "models/pipe_names.h"
#include "models/statistics/stall_reason.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/what_if/machine_changes.h"

namespace isbesim::testbench {

namespace {

double share(std::uint64_t part, const cycle_stack& stack)
{
    return stack.cycles == 0 ? 0 : static_cast<double>(part) / static_cast<double>(stack.cycles);
}

std::uint64_t cycles_under(const cycle_stack& stack, std::string_view name)
{
    for (const auto& part : stack.parts)
        if (part.name == name) return part.cycles;
    return 0;
}

/// A resource's name in a sentence, and the key of its rate if no other sentence has it.
struct worker {
    std::string words, key;
};

std::map<std::string, worker> with_pipes(std::map<std::string, worker> all)
{
    for (const std::string name : pipe_names)
        all.emplace(name + "_pipe", worker{"the " + name + " pipe", "sm." + name + "_lanes"});
    return all;
}

/// Resources that do work; not ports, which are the pass engine seen from a client, nor queues.
const std::map<std::string, worker>& workers()
{
    static const auto all =
        with_pipes({{"pass_engine", {"the pass engine", ""}},
                    {"scheduler", {"a warp scheduler", ""}},
                    {"fetch", {"vertex fetch", ""}},
                    {"geometry_threads", {"the start of geometry threads", "pe.geometry_threads_per_cycle"}},
                    {"viewport", {"the way out for vertices", "pe.vertices_per_cycle"}},
                    {"raster", {"the raster engine", "chip.gpc_primitives_per_cycle"}},
                    {"setup", {"triangle setup", "chip.gpc_setups_per_cycle"}},
                    {"dram", {"DRAM", "memory.dram_bytes_per_cycle"}}});
    return all;
}

std::string share_text(const cycle_stack& stack)
{
    // Cycles that accesses without conflicts would save.
    constexpr double worth_saying = 0.02;
    std::string lost;
    const auto conflicts = cycles_under(stack, name_of(stall_reason::bank_conflict));
    if (share(conflicts, stack) >= worth_saying)
        lost = " (bank conflicts are " + percent_text(conflicts, stack.cycles) + ")";
    const auto& [words, key] = workers().at(kind_of(stack.resource));
    return words + " (" + stack.resource + (key.empty() ? "" : ", set by " + key) + "), busy in " +
           percent_text(stack.busy(), stack.cycles) + " of the cycles" + lost;
}

/// The busiest worker of each kind, the busiest kind first.
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

/// The keys of the lines that a stage lacks.
std::string lines_text(const cycle_stack& waiting)
{
    std::string key = waiting.lines_key;
    if (key == "isbe.lines") return key;
    return key + ", the " + (key == buffer_keys[0] ? "alpha" : "beta") + " buffer in isbe.lines";
}

/// A shortage: something whose lack alone costs cycles of a resource.
struct lack {
    const char* kind; ///< kind of the resource
    std::string part;
    std::string words; ///< with the keys that set its amount; LINES: those of the stage that waits
    const cycle_stack* stack = nullptr;

    double lost() const { return stack == nullptr ? 0 : share(cycles_under(*stack, part), *stack); }
    std::string text() const
    {
        auto text = words;
        if (const auto position = text.find("LINES"); position != std::string::npos)
            text.replace(position, 5, lines_text(*stack));
        return text + ": " + stack->resource + " has " + percent_text(cycles_under(*stack, part), stack->cycles) +
               " of the cycles under " + part;
    }
};

/// All shortages that a machine can have, apart from workers.
std::vector<lack> lacks_of(const machine_config& config)
{
    std::string slots;
    for (const auto* key : slot_keys(config)) slots += (slots.empty() ? "" : " with ") + std::string(key);
    std::vector<lack> all = {
        {"pass_engine", "responses_full", "room for responses (isbe.response_queue_depth)"},
        {"waiting.", name_of(stall_reason::isbe_full), "ISBE lines (LINES)"},
        {"waiting.", name_of(stall_reason::warp_slot), "warp slots (" + slots + ")"},
        {"waiting.", name_of(stall_reason::lines_and_slot), "ISBE lines and warp slots (LINES; " + slots + ")"}};
    // A grant takes a separate cycle if no further operation can be queued.
    if (config.isbe.request_queue_depth == 1)
        all.push_back({"pass_engine", "grant", "room for requests (isbe.request_queue_depth)"});
    else if (config.sm.attribute_queue_depth == 1)
        all.push_back({"pass_engine", "grant", "room in the attribute queue (sm.attribute_queue_depth)"});
    return all;
}

/// Share of a resource's cycles.
constexpr double cycles_worth_saying = 0.08;

/// The costly shortages, first the one from which most cycles can be gained.
std::vector<lack> worst_lacks(const std::vector<cycle_stack>& stacks, const machine_config& config)
{
    // Further warps can only fill cycles in which a pass engine has no request.
    double without_request = 0;
    for (const auto& stack : stacks)
        if (kind_of(stack.resource) == "pass_engine")
            without_request = std::max(without_request, share(cycles_under(stack, "no_request"), stack));
    const auto gain = [&](const lack& missing) {
        return std::string_view(missing.kind) == "waiting." ? std::min(missing.lost(), without_request)
                                                            : missing.lost();
    };
    auto all = lacks_of(config);
    for (auto& each : all)
        for (const auto& stack : stacks)
            if (kind_of(stack.resource).find(each.kind) != std::string::npos &&
                share(cycles_under(stack, each.part), stack) > each.lost())
                each.stack = &stack;
    all.erase(
        std::remove_if(all.begin(), all.end(), [](const auto& each) { return each.lost() < cycles_worth_saying; }),
        all.end());
    std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return gain(a) > gain(b); });
    return all;
}

} // namespace

std::string bottleneck_text(const std::vector<cycle_stack>& stacks, const machine_config& config)
{
    const auto order = busiest_workers(stacks);
    if (order.empty()) return "";
    // A resource above this share is busy in nearly all cycles; below it, others limit the draw, too.
    constexpr double saturated = 0.85;
    const auto& first = *order.front();
    const auto busy = share(first.busy(), first);
    auto working = share_text(first);
    if (order.size() > 1) working += "; next is " + share_text(*order[1]);
    working += ".";
    if (busy >= saturated) return "The draw waits for " + working;
    const auto lacks = worst_lacks(stacks, config);
    std::string waiting;
    for (const auto& each : lacks) waiting += (waiting.empty() ? "The draw waits for " : "; for ") + each.text();
    // The larger share of the cycles comes first.
    if (!lacks.empty() && lacks.front().lost() > busy) return waiting + ". Busiest is " + working;
    return "No resource is busy in all cycles; busiest is " + working + (waiting.empty() ? "" : " " + waiting + ".");
}

} // namespace isbesim::testbench
