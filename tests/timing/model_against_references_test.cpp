// SPDX-License-Identifier: Apache-2.0
// The model against two accounts that share nothing with it: random operations against the plain reading of
// testbench/crosscheck/oracle.h, random ports against the clocked simulation of port_reference.h. Both end with the
// first difference, so that a mutant of the sources (tests/mutation) is noticed quickly.
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/timing/grant_scheduler.h"
#include "testbench/crosscheck/oracle.h"
#include "tests/isbe/random_operation.h"
#include "tests/timing/port_reference.h"
#include "tests/timing/use_reference.h"
#include "tlm/warp_fields.h"

namespace isbesim::test {
namespace {

using testbench::oracle;

/// True when the core's answers or its memory differ from the oracle's.
bool function_differs(const isbe_config& config, unsigned seed)
{
    isbe_core core(config);
    oracle plain(config);
    random_source random(config, seed);
    for (unsigned n = 0; n < 6000; ++n) {
        const auto op = random.next(n);
        warp_result got;
        core.execute(op, got);
        if (got != plain.execute(op)) return true;
    }
    return std::memcmp(core.storage().data(), plain.memory.data(), plain.memory.size()) != 0;
}

bool any_function_differs()
{
    for (unsigned seed = 1; seed <= 8; ++seed) {
        isbe_config config;
        config.lines = 128;
        config.banks = 8U << (seed % 3);
        config.bank_map = static_cast<bank_map>(seed / 3 % 3);
        config.gs_slot_order = seed % 2 == 0 ? gs_slot_order::blocked : gs_slot_order::interleaved;
        config.patch_winner = seed % 4 < 2 ? lane_winner::highest : lane_winner::lowest;
        if (function_differs(config, seed)) return true;
    }
    return false;
}

struct port_traffic {
    std::vector<warp_op> ops;
    std::vector<reference_operation> expected;
};

/// Reads of lanes that lie 1, 2, 4 or 8 words apart and AL2P without a context: an error of one pass.
port_traffic make_port_traffic(const isbe_config& config, unsigned seed, unsigned busy_percent)
{
    constexpr unsigned count = 250;
    std::mt19937 random(seed);
    port_traffic traffic;
    std::uint64_t start = 0;
    for (unsigned i = 0; i < count; ++i) {
        if (i != 0) start += random() % 100 < busy_percent ? 1 : random() % 30;
        warp_op op;
        op.op = random() % 3 == 0 ? opcode::al2p : opcode::isberd;
        op.region = region::physical;
        op.size = 4;
        reference_operation e;
        e.start = start;
        e.stall = random() % 3 == 0 ? static_cast<unsigned>(random() % 12) : 0;
        e.latency = op.op == opcode::al2p ? config.al2p_latency : config.pipeline_latency;
        if (op.op == opcode::isberd) {
            const unsigned stride = 1U << random() % 4;
            e.ideal = 32 / config.banks;
            e.passes = stride * e.ideal;
            for (unsigned lane = 0; lane < warp_lanes; ++lane) op.address[lane] = 4 * stride * lane;
        }
        traffic.ops.push_back(op);
        traffic.expected.push_back(e);
    }
    return traffic;
}

/// True when the cycles of some resource went elsewhere, or count twice.
bool stacks_differ(grant_scheduler& scheduler, const use_reference& expected, std::uint64_t cycles)
{
    const auto stacks = scheduler.stacks(cycles);
    if (stacks.size() != 1 + scheduler.ports()) return true;
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        const auto& stack = stacks[i];
        const bool is_engine = i == 0;
        if (stack.resource != (is_engine ? "pass_engine" : "port" + std::to_string(i - 1))) return true;
        auto uses = is_engine ? expected.of_engine(cycles) : expected.of_port(i - 1, cycles);
        std::uint64_t sum = 0;
        for (const auto& part : stack.parts) sum += part.cycles;
        if (stack.cycles != cycles || sum != cycles) return true;
        if (uses["passes"] + (is_engine ? uses["bank_conflict"] : 0) != stack.busy()) return true;
        for (const auto& part : stack.parts)
            if (uses[part.name] != part.cycles) return true;
    }
    return false;
}

using timed_ports = std::vector<std::vector<reference_operation>>;

bool is_candidate(const std::vector<reference_operation>& port, std::uint64_t cycle, unsigned response_depth)
{
    const auto queued = [&](const auto& op) { return op.accept < cycle && op.grant >= cycle; };
    const auto flying = [&](const auto& op) { return op.grant < cycle && op.response + op.stall >= cycle; };
    return std::any_of(port.begin(), port.end(), queued) &&
           std::count_if(port.begin(), port.end(), flying) < static_cast<std::ptrdiff_t>(response_depth);
}

/// Passes of this grant that other ports, which could have been granted, waited for.
std::uint64_t contention_of(const timed_ports& ports, unsigned port, const reference_operation& granted,
                            unsigned response_depth, unsigned loser)
{
    return loser != port && is_candidate(ports[loser], granted.grant, response_depth) ? granted.passes : 0;
}

/// Counters of all ports from the clocked simulation's cycles; true when some differ.
bool counters_differ(const grant_scheduler& scheduler, const timed_ports& ports, unsigned response_depth)
{
    for (unsigned p = 0; p < ports.size(); ++p) {
        isbe_timing_counters sum;
        for (const auto& op : ports[p]) {
            ++sum.operations;
            sum.busy_cycles += op.passes;
            sum.stalls[stall_reason::queue_full] += op.accept - op.begin;
            sum.stalls[stall_reason::bank_conflict] += op.passes - op.ideal;
            sum.stalls[stall_reason::response] += op.stall;
        }
        for (unsigned other = 0; other < ports.size(); ++other)
            for (const auto& op : ports[other])
                sum.stalls[stall_reason::port_contention] += contention_of(ports, other, op, response_depth, p);
        const auto& got = scheduler.counters(p);
        if (got.operations != sum.operations || got.busy_cycles != sum.busy_cycles) return true;
        for (unsigned i = 0; i < stall_reason_count; ++i)
            if (got.stalls.values[i] != sum.stalls.values[i]) return true;
    }
    return false;
}

/// The scheduler's forecast after all events of a cycle; `c` is the cycle.
class foreseen {
public:
    foreseen(const timed_ports& ports, const reference_parameters& parameters) : ports_(ports), parameters_(parameters)
    {
    }

    bool differs(const grant_scheduler& scheduler, std::uint64_t c) const
    {
        for (unsigned p = 0; p < ports_.size(); ++p) {
            const auto recent = recent_of(p, c);
            if (scheduler.next_response(p) != next_response(recent, c)) return true;
            if (scheduler.next_accept(p) != next_accept(recent, c)) return true;
            const auto unanswered = [&](const auto& op) { return left(op) > c; };
            const auto granted = [&](const auto& op) { return left(op) > c && op.grant < c; };
            if (scheduler.operations(p).size() != count_if(recent, unanswered) ||
                scheduler.granted(p) != count_if(recent, granted))
                return true;
        }
        return scheduler.engine_free() != engine_free(c) || scheduler.next_grant() != next_grant(c) ||
               (scheduler.next_grant() == c && !is_granted_in(scheduler.next_granted().id, c));
    }

private:
    static constexpr std::uint64_t never = grant_scheduler::never;
    using operations = std::vector<reference_operation>;

    static std::uint64_t left(const reference_operation& op) { return op.response + op.stall; }
    template <typename Condition>
    static std::size_t count_if(const operations& all, const Condition& holds)
    {
        return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), holds));
    }

    /// Accepted up to cycle c and not answered, and a few before those.
    operations recent_of(unsigned port, std::uint64_t c) const
    {
        constexpr std::ptrdiff_t before = 8;
        const auto& all = ports_[port];
        const auto end = std::partition_point(all.begin(), all.end(), [&](const auto& op) { return op.accept <= c; });
        const auto begin = std::partition_point(all.begin(), all.end(), [&](const auto& op) { return left(op) <= c; });
        return {begin - std::min(before, begin - all.begin()), end};
    }
    /// The cycle of the last pass so far: then the arbiter can grant again.
    std::uint64_t engine_free(std::uint64_t c) const
    {
        std::uint64_t end = 0;
        for (unsigned p = 0; p < ports_.size(); ++p)
            for (const auto& op : recent_of(p, c))
                if (op.grant < c) end = std::max(end, op.grant + op.passes);
        return end;
    }
    /// Not granted before cycle c.
    static bool queued(const reference_operation& op, std::uint64_t c) { return op.grant >= c; }
    bool fills(std::ptrdiff_t in_flight) const
    {
        return in_flight >= static_cast<std::ptrdiff_t>(parameters_.response_depth);
    }
    /// When the oldest queued operation could be granted if no other came in between.
    std::uint64_t earliest_grant(const operations& all, std::uint64_t c) const
    {
        const auto count = [&](const auto& flies) { return std::count_if(all.begin(), all.end(), flies); };
        if (fills(count([&](const auto& op) { return op.grant < c && left(op) > c; }))) return never;
        const auto oldest = std::find_if(all.begin(), all.end(), [&](const auto& op) { return queued(op, c); });
        auto first = std::max(engine_free(c), oldest->accept + 1);
        for (const auto& op : all) { // a response that left when the port was full: its place counts from then on
            const auto end = left(op);
            if (end <= c && fills(count([&](const auto& each) { return each.grant < end && left(each) >= end; })))
                first = std::max(first, end + 1);
        }
        return first;
    }
    /// As far as known in cycle c: operations accepted later may come first.
    std::uint64_t next_grant(std::uint64_t c) const
    {
        auto first = never;
        for (unsigned p = 0; p < ports_.size(); ++p) {
            const auto all = recent_of(p, c);
            if (std::any_of(all.begin(), all.end(), [&](const auto& op) { return queued(op, c); }))
                first = std::min(first, earliest_grant(all, c));
        }
        return first;
    }
    bool is_granted_in(std::uint64_t id, std::uint64_t c) const
    {
        return std::any_of(ports_.begin(), ports_.end(), [&](const auto& port) { return port[id].grant == c; });
    }
    std::uint64_t next_response(const operations& all, std::uint64_t c) const
    {
        std::uint64_t channel = 0;
        for (const auto& op : all) {
            if (left(op) <= c) {
                channel = left(op) + 1;
                continue;
            }
            if (op.grant >= c) return earliest_grant(all, c) + 1 + op.latency;
            return op.response <= c ? never : std::max(op.grant + op.passes + op.latency, channel);
        }
        return never;
    }
    std::uint64_t next_accept(const operations& all, std::uint64_t c) const
    {
        const auto waiting = std::count_if(all.begin(), all.end(), [&](const auto& op) { return queued(op, c); });
        if (waiting < static_cast<std::ptrdiff_t>(parameters_.request_depth))
            return all.empty() ? 0 : all.back().accept + 1;
        const auto freed = earliest_grant(all, c);
        return freed == never ? never : freed + 1;
    }

    const timed_ports& ports_;
    reference_parameters parameters_;
};

/// Compares each grant of the scheduler with that of the clocked simulation.
class grant_watcher : public transaction_observer {
public:
    grant_watcher(const timed_ports& expected, unsigned response_depth) : expected_(expected), depth_(response_depth) {}

    void granted(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result, std::uint64_t cycle,
                 const access_footprint& footprint) override
    {
        const auto& want = expected_[port][id];
        std::uint64_t contention = 0;
        for (unsigned loser = 0; loser < expected_.size(); ++loser)
            contention += contention_of(expected_, port, want, depth_, loser);
        differs_ = differs_ || cycle != want.grant || result.passes != want.passes ||
                   footprint.contention != contention || (op.op == opcode::isberd && footprint.passes != want.passes);
        ++seen_;
    }
    bool differs() const { return differs_; }
    std::size_t seen() const { return seen_; }

private:
    const timed_ports& expected_;
    unsigned depth_;
    bool differs_ = false;
    std::size_t seen_ = 0;
};

/// Drives the scheduler one cycle after the other; true when an accept, a response, their order, the account of
/// cycles, a counter, the forecast or, when `watched`, the observers' reports differ.
bool time_differs(const isbe_config& config, unsigned seed, unsigned busy_percent, bool watched)
{
    struct port_state {
        port_traffic traffic;
        std::vector<reference_operation> got;
        std::vector<warp_result> results;
        std::size_t sent = 0;
        std::size_t responded = 0;
        bool responding = false;
        std::uint64_t free = 0; // first cycle in which the next request may appear
    };
    std::vector<port_state> ports(config.ports);
    timed_ports expected;
    for (unsigned p = 0; p < config.ports; ++p) {
        ports[p].traffic = make_port_traffic(config, seed + p, busy_percent);
        ports[p].got = ports[p].traffic.expected;
        ports[p].results.resize(ports[p].got.size());
        expected.push_back(ports[p].traffic.expected);
    }
    const reference_parameters parameters{config.request_queue_depth, config.response_queue_depth,
                                          config.arbitration == arbitration_rule::fixed_priority};
    simulate(parameters, expected);
    const foreseen next(expected, parameters);

    std::uint64_t last = 0;
    for (const auto& port : expected) last = std::max(last, port.back().response + port.back().stall);
    const use_reference uses(expected, config.response_queue_depth);

    isbe_core core(config);
    grant_scheduler scheduler(core);
    grant_watcher watcher(expected, config.response_queue_depth);
    const std::vector<transaction_observer*> observers = {&watcher};
    if (watched) scheduler.report_to(observers);
    for (std::uint64_t cycle = 0; cycle < last + 100; ++cycle) {
        scheduler.advance_to(cycle);
        // As of a run that is given up in the middle of an operation.
        const auto places = last / 7;
        if (cycle < last && cycle % places == places - 1 && stacks_differ(scheduler, uses, cycle)) return true;
        for (unsigned p = 0; p < config.ports; ++p) {
            auto& port = ports[p];
            for (;;) { // more than once only if the block answers twice in a cycle
                if (const auto* response = scheduler.response(p, cycle)) {
                    if (response->id != port.responded) return true;
                    port.got[port.responded].response = cycle;
                    port.responding = true;
                }
                if (!port.responding || cycle != port.got[port.responded].response + port.got[port.responded].stall)
                    break;
                scheduler.transfer(p, cycle);
                ++port.responded;
                port.responding = false;
            }
            if (port.sent == port.got.size() || cycle < port.got[port.sent].start || cycle < port.free) continue;
            if (!scheduler.can_accept(p, cycle)) continue;
            port_operation operation;
            operation.op = &port.traffic.ops[port.sent];
            operation.result = &port.results[port.sent];
            operation.id = port.sent;
            operation.begin = std::max(port.got[port.sent].start, port.free);
            operation.accept = cycle;
            scheduler.accept(p, operation);
            if (scheduler.can_accept(p, cycle)) return true; // one a cycle
            port.got[port.sent++].accept = cycle;
            port.free = cycle + 1;
        }
        if (cycle <= last && next.differs(scheduler, cycle)) return true;
    }
    if (counters_differ(scheduler, expected, config.response_queue_depth)) return true;
    if (watched && (watcher.differs() || watcher.seen() != expected.size() * expected[0].size())) return true;
    for (unsigned p = 0; p < config.ports; ++p) {
        if (ports[p].responded != expected[p].size()) return true;
        for (std::size_t i = 0; i < expected[p].size(); ++i)
            if (ports[p].got[i].accept != expected[p][i].accept || ports[p].got[i].response != expected[p][i].response)
                return true;
    }
    return stacks_differ(scheduler, uses, last + 100);
}

bool any_time_differs()
{
    struct depths {
        unsigned requests, responses, busy;
    };
    for (const auto rule : {arbitration_rule::round_robin, arbitration_rule::fixed_priority})
        for (const auto [requests, responses, busy] : {depths{2, 3, 95}, depths{2, 3, 40}, depths{3, 1, 20}}) {
            isbe_config config;
            config.banks = busy == 95 ? 32 : 16;
            config.arbitration = rule;
            config.request_queue_depth = requests;
            config.response_queue_depth = responses;
            config.pipeline_latency = 5;
            config.al2p_latency = 3;
            if (time_differs(config, 11 + busy, busy, busy == 40)) return true;
        }
    return false;
}

TEST(model_against_references, function_is_that_of_the_oracle)
{
    EXPECT_FALSE(any_function_differs());
}

TEST(model_against_references, time_is_that_of_the_clocked_simulation)
{
    EXPECT_FALSE(any_time_differs());
}

} // namespace
} // namespace isbesim::test
