// The model against two accounts that share nothing with it: random operations against the plain reading of
// tests/isbe/oracle.h, random ports against the clocked simulation of port_reference.h. Both end with the first
// difference, so that a mutant of the sources (tests/mutation) is noticed quickly.
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/functional/isbe_core.h"
#include "models/isbe/timing/grant_scheduler.h"
#include "tests/isbe/oracle.h"
#include "tests/isbe/random_operation.h"
#include "tests/timing/port_reference.h"
#include "tests/timing/use_reference.h"

namespace isbesim::test {
namespace {

bool same(const warp_result& a, const warp_result& b)
{
    return a.data == b.data && a.status == b.status && a.error == b.error && a.passes == b.passes;
}

/// True when the core's answers or its memory differ from the oracle's.
bool function_differs(const isbe_config& config, unsigned seed)
{
    isbe_core core(config);
    oracle plain(config);
    random_source random(config, seed);
    for (unsigned n = 0; n < 6000; ++n) {
        const auto op = n < 6 || random.chance(2) ? random.bind()
                        : random.chance(50)       ? random.usual_operation()
                                                  : random.operation();
        warp_result got;
        core.execute(op, got);
        if (!same(got, plain.execute(op))) return true;
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

/// Reads of 1, 2, 4 and 8 passes and AL2P without a context: an error of one pass.
port_traffic make_port_traffic(const isbe_config& config, unsigned seed, unsigned busy_percent)
{
    constexpr unsigned count = 400;
    std::mt19937 random(seed);
    port_traffic traffic;
    std::uint64_t start = 0;
    for (unsigned i = 0; i < count; ++i) {
        start += random() % 100 < busy_percent ? 1 : random() % 30;
        warp_op op;
        op.op = random() % 3 == 0 ? opcode::al2p : opcode::isberd;
        op.region = region::physical;
        op.size = 4;
        reference_operation e;
        e.start = start;
        e.stall = random() % 3 == 0 ? static_cast<unsigned>(random() % 12) : 0;
        e.latency = op.op == opcode::al2p ? config.al2p_latency : config.pipeline_latency;
        if (op.op == opcode::isberd) {
            e.passes = 1U << random() % 4;
            for (unsigned lane = 0; lane < warp_lanes; ++lane) op.address[lane] = 4 * e.passes * lane;
        }
        traffic.ops.push_back(op);
        traffic.expected.push_back(e);
    }
    return traffic;
}

/// True when the cycles of some resource went elsewhere.
bool stacks_differ(grant_scheduler& scheduler, const use_reference& expected, std::uint64_t cycles)
{
    for (const auto& stack : scheduler.stacks(cycles)) {
        const bool is_engine = stack.resource == "pass_engine";
        auto uses = is_engine ? expected.of_engine(cycles)
                              : expected.of_port(static_cast<std::size_t>(stack.resource.back() - '0'), cycles);
        std::uint64_t sum = 0;
        for (const auto& part : stack.parts) sum += part.cycles;
        if (stack.cycles != cycles || sum != cycles) return true;
        if (is_engine && uses["busy"] != stack.busy()) return true;
        for (auto i = is_engine ? stack.busy_parts : 0; i < stack.parts.size(); ++i)
            if (uses[stack.parts[i].name] != stack.parts[i].cycles) return true;
    }
    return false;
}

/// Drives the scheduler one cycle after the other; true when an accept, a response, their order or what
/// the cycles went to differs.
bool time_differs(const isbe_config& config, unsigned seed, unsigned busy_percent)
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
    std::vector<std::vector<reference_operation>> expected;
    for (unsigned p = 0; p < config.ports; ++p) {
        ports[p].traffic = make_port_traffic(config, seed + p, busy_percent);
        ports[p].got = ports[p].traffic.expected;
        ports[p].results.resize(ports[p].got.size());
        expected.push_back(ports[p].traffic.expected);
    }
    simulate({config.request_queue_depth, config.response_queue_depth,
              config.arbitration == arbitration_rule::fixed_priority},
             expected);

    std::uint64_t last = 0;
    for (const auto& port : expected) last = std::max(last, port.back().response + port.back().stall);
    const use_reference uses(expected, config.response_queue_depth);

    isbe_core core(config);
    grant_scheduler scheduler(core);
    for (std::uint64_t cycle = 0; cycle < 100000; ++cycle) {
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
            operation.begin = operation.accept = cycle;
            scheduler.accept(p, operation);
            port.got[port.sent++].accept = cycle;
            port.free = cycle + 1;
        }
    }
    for (unsigned p = 0; p < config.ports; ++p) {
        if (ports[p].responded != expected[p].size()) return true;
        for (std::size_t i = 0; i < expected[p].size(); ++i)
            if (ports[p].got[i].accept != expected[p][i].accept || ports[p].got[i].response != expected[p][i].response)
                return true;
    }
    return stacks_differ(scheduler, uses, last + 10);
}

bool any_time_differs()
{
    for (const auto rule : {arbitration_rule::round_robin, arbitration_rule::fixed_priority})
        for (const unsigned busy : {95U, 40U}) {
            isbe_config config;
            config.banks = 32; // a stride of n words then takes n passes
            config.arbitration = rule;
            config.request_queue_depth = 2;
            config.response_queue_depth = 3;
            config.pipeline_latency = 5;
            config.al2p_latency = 3;
            if (time_differs(config, 11 + busy, busy)) return true;
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
