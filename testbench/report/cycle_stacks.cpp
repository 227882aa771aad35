#include "testbench/report/cycle_stacks.h"

#include <algorithm>
#include <cstdio>
#include <map>

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

double share(std::uint64_t part, const cycle_stack& of)
{
    return of.cycles == 0 ? 0 : static_cast<double>(part) / static_cast<double>(of.cycles);
}

/// "isbe0.pass_engine" -> "pass_engine", "sm3.scheduler1" -> "scheduler".
std::string kind_of(const std::string& resource)
{
    auto kind = resource.substr(resource.find('.') + 1);
    while (!kind.empty() && kind.back() >= '0' && kind.back() <= '9') kind.pop_back();
    return kind;
}

/// What works, and what it is called; ports are the pass engine seen from a client, and a queue works on nothing.
const std::map<std::string, std::string>& workers()
{
    static const std::map<std::string, std::string> words = {
        {"pass_engine", "the pass engine"}, {"scheduler", "a warp scheduler"}, {"fetch", "vertex fetch"}};
    return words;
}

/// The largest of the parts that are no work.
const cycle_stack::part& largest_wait(const cycle_stack& stack)
{
    return *std::max_element(stack.parts.begin() + stack.busy_parts, stack.parts.end(),
                             [](const auto& a, const auto& b) { return a.cycles < b.cycles; });
}

} // namespace

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

std::string bottleneck_text(const std::vector<cycle_stack>& stacks)
{
    // Of several of a kind the busiest speaks.
    std::map<std::string, const cycle_stack*> kinds;
    for (const auto& each : stacks) {
        const auto kind = kind_of(each.resource);
        if (each.cycles == 0 || workers().count(kind) == 0) continue;
        auto& busiest = kinds[kind];
        if (busiest == nullptr || share(each.busy(), each) > share(busiest->busy(), *busiest)) busiest = &each;
    }
    std::vector<const cycle_stack*> order;
    order.reserve(kinds.size());
    for (const auto& [kind, stack] : kinds) order.push_back(stack);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return share(a->busy(), *a) > share(b->busy(), *b); });
    if (order.empty()) return "";
    const auto told = [](const cycle_stack& stack) {
        // Work that an access without conflicts would not have.
        constexpr double worth_saying = 0.02;
        std::string lost;
        for (const auto& part : stack.parts)
            if (part.name == std::string(name_of(stall_reason::bank_conflict)) &&
                share(part.cycles, stack) >= worth_saying)
                lost = " (bank conflicts are " + percent_text(part.cycles, stack.cycles) + ")";
        return workers().at(kind_of(stack.resource)) + " (" + stack.resource + "), busy in " +
               percent_text(stack.busy(), stack.cycles) + " of the cycles" + lost;
    };
    // Above this a resource has hardly a cycle to spare; below it something else decides, too.
    constexpr double saturated = 0.85;
    const auto& first = *order.front();
    const bool waits = share(first.busy(), first) >= saturated;
    std::string text =
        waits ? "The draw waits for " + told(first) : "No resource is busy all the time; most is " + told(first);
    if (order.size() > 1) text += "; next is " + told(*order[1]);
    text += ".";
    if (waits) return text;
    for (const auto* kind : {"scheduler", "fetch"}) {
        const auto found = kinds.find(kind);
        if (found == kinds.end()) continue;
        const auto& wait = largest_wait(*found->second);
        if (wait.cycles != 0)
            text += " " + found->second->resource + " has most of its other cycles, " +
                    percent_text(wait.cycles, found->second->cycles) + ", under " + wait.name + ".";
    }
    return text;
}

namespace {

constexpr const char* of_isbe =
    "Pass engine: passes, bank_conflict (those beyond the ideal), grant (the cycle of a grant that no pass hides), "
    "responses_full (what is queued waits until a response has left), no_request. Ports: passes (the engine works for "
    "the port), responses_full, other_port, grant, response (on the channel, its transfer included), latency (the "
    "oldest operation is on its way), idle.";

} // namespace

std::string stacks_cover()
{
    return std::string("Every cycle of the run once for each resource: what it worked on, or why it did not; the parts "
                       "add up to the cycles. Schedulers: issue; attribute_queue, scoreboard, stall_count, drain as "
                       "under stalls; no_warp: none resident. ") +
           of_isbe +
           " Fetch of the PE: fetch; isbe_full, warp_slot (the next batch is there and the one before waits for lines, "
           "for a slot), output_order, no_vertices (all are fetched). pe.waiting.<stage>: what the oldest warp of the "
           "stage that waits for its place waits for; the first stage for all SMs together.";
}

std::string isbe_stacks_cover()
{
    return std::string("Every cycle once for the pass engine and for each port, from cycle 0 until the last response "
                       "had been transferred: what it worked on, or why it did not; the parts add up to the cycles. ") +
           of_isbe;
}

} // namespace isbesim::testbench
