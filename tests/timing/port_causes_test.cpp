// SPDX-License-Identifier: Apache-2.0
// Why the events of the ISBE's operations came when they came (tlm/cause.h): the grant scheduler against the clocked
// simulation of port_reference.h.
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/timing/grant_scheduler.h"
#include "tests/timing/port_reference.h"

namespace isbesim::test {
namespace {

/// A random operation with what it takes: reads of a stride, which take 32 * stride / banks passes, and errors of every
/// latency, which take one.
struct caused_operation {
    warp_op op;
    warp_result result;
    unsigned stride = 0; ///< words between lanes; 0: an error, which touches none
    path_place place;
    path_reason latency = path_reason::none;
    unsigned early = 0; ///< cycles for which its client kept it without a reason that the port knows
    // The events, by the scheduler.
    cause now;
    cause accept, end, response, transfer;

    unsigned passes(const isbe_config& machine) const
    {
        if (stride == 0) return 1;
        return machine.access == access_rule::line ? stride : 32 * stride / machine.banks;
    }
    unsigned beyond_ideal(const isbe_config& machine) const
    {
        return stride == 0 ? 0 : passes(machine) - 32 / machine.banks;
    }
};

using caused_port = std::vector<caused_operation>;
using timed_ports = std::vector<std::vector<reference_operation>>;

caused_operation random_operation(const isbe_config& config, unsigned port, std::mt19937& random,
                                  reference_operation& timing)
{
    struct kind {
        opcode op;
        path_reason reason;
        unsigned latency;
    };
    const kind kinds[] = {{opcode::isberd, path_reason::pipeline_latency, config.pipeline_latency},
                          {opcode::isberd, path_reason::pipeline_latency, config.pipeline_latency},
                          {opcode::isbewr, path_reason::write_latency, config.write_latency},
                          {opcode::ald, path_reason::pipeline_latency, config.pipeline_latency},
                          {opcode::ast, path_reason::write_latency, config.write_latency},
                          {opcode::al2p, path_reason::al2p_latency, config.al2p_latency},
                          {opcode::out, path_reason::out_latency, config.out_latency},
                          {opcode::bind, path_reason::write_latency, config.write_latency}};
    const kind& chosen = kinds[random() % 8];
    caused_operation result;
    result.op.op = chosen.op;
    result.op.space = chosen.op == opcode::isbewr ? space::output : space::input;
    result.latency = chosen.reason;
    if (chosen.op == opcode::isberd || chosen.op == opcode::isbewr) {
        result.op.region = region::physical;
        result.op.size = 4;
        result.stride = 1U << random() % 4;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) result.op.address[lane] = 4 * result.stride * lane;
    } else {
        result.op.context = static_cast<std::uint16_t>(config.contexts); // no such slot
    }
    const bool is_pe = config.ports == 1 ? random() % 2 != 0 : port == 1;
    result.place.stage = static_cast<stage>(1 + random() % 7);
    result.place.of = !is_pe              ? path_place::part::program
                      : random() % 2 != 0 ? path_place::part::input
                                          : path_place::part::output;
    timing.passes = result.passes(config);
    timing.latency = chosen.latency;
    timing.stall = random() % 3 == 0 ? static_cast<unsigned>(random() % 12) : 0;
    return result;
}

bool same_place(path_place a, path_place b)
{
    return a.stage == b.stage && a.of == b.of;
}

/// Carries out the operations of both ports cycle by cycle and hands each event to `look`, in the order in which the
/// scheduler made them.
class cause_run {
public:
    cause_run(const isbe_config& config, unsigned seed, unsigned busy_percent)
        : config_(config), log_(true), core_(config), scheduler_(core_), operations_(config.ports), timed_(config.ports)
    {
        std::mt19937 random(seed);
        for (unsigned p = 0; p < config.ports; ++p) {
            std::uint64_t start = 0;
            for (unsigned i = 0; i < 150; ++i) {
                start += random() % 100 < busy_percent ? random() % 2 : random() % 40;
                reference_operation timing;
                operations_[p].push_back(random_operation(config, p, random, timing));
                timing.start = start;
                timed_[p].push_back(timing);
            }
        }
        simulate({config.request_queue_depth, config.response_queue_depth,
                  config.arbitration == arbitration_rule::fixed_priority},
                 timed_);
        for (unsigned p = 0; p < config.ports; ++p)
            for (std::size_t i = 1; i < timed_[p].size(); i += 5) {
                const auto& timing = timed_[p][i];
                const bool comes_at_once = timing.accept == timing.start;
                if (comes_at_once && timed_[p][i - 1].accept + 3 < timing.start) operations_[p][i].early = 2;
            }
    }

    template <typename Look>
    void run(Look& look)
    {
        struct place {
            std::size_t sent = 0, responded = 0;
        };
        std::vector<place> progress(config_.ports);
        const auto start = log_.start(0);
        std::uint64_t last = 0;
        for (const auto& port : timed_) last = std::max(last, port.back().response + port.back().stall);
        for (std::uint64_t cycle = 0; cycle <= last && !testing::Test::HasFatalFailure(); ++cycle) {
            scheduler_.advance_to(cycle);
            for (unsigned p = 0; p < config_.ports; ++p)
                for (std::size_t i = progress[p].responded; i < progress[p].sent; ++i)
                    if (timed_[p][i].grant + 1 == cycle) {
                        operations_[p][i].end = operations_[p][i].now;
                        look.granted(p, i);
                    }
            for (unsigned p = 0; p < config_.ports; ++p) {
                const auto answered = progress[p].responded;
                if (answered < progress[p].sent && timed_[p][answered].response == cycle) {
                    ASSERT_NE(scheduler_.response(p, cycle), nullptr);
                    operations_[p][answered].response = operations_[p][answered].now;
                    look.responded(p, answered);
                }
                if (answered < progress[p].sent && timed_[p][answered].response + timed_[p][answered].stall == cycle) {
                    scheduler_.transfer(p, cycle);
                    operations_[p][answered].transfer = operations_[p][answered].now;
                    look.transferred(p, answered);
                    ++progress[p].responded;
                }
                const auto next = progress[p].sent;
                if (next == timed_[p].size() || timed_[p][next].accept != cycle) continue;
                ASSERT_TRUE(scheduler_.can_accept(p, cycle));
                auto& each = operations_[p][next];
                each.now = start.then(timed_[p][next].start - each.early, path_reason::attribute_unit, each.place);
                const auto before = each.now;
                port_operation operation;
                operation.op = &each.op;
                operation.result = &each.result;
                operation.because = &each.now;
                operation.begin = timed_[p][next].begin;
                operation.accept = cycle;
                scheduler_.accept(p, operation);
                each.accept = each.now;
                look.accepted(p, next, before);
                ++progress[p].sent;
            }
        }
    }

    const caused_operation& operation(unsigned port, std::size_t i) const { return operations_[port][i]; }
    const reference_operation& timing(unsigned port, std::size_t i) const { return timed_[port][i]; }
    const isbe_config& config() const { return config_; }
    std::size_t count(unsigned port) const { return timed_[port].size(); }

private:
    isbe_config config_;
    cause_log log_; // outlives every event
    isbe_core core_;
    grant_scheduler scheduler_;
    std::vector<caused_port> operations_;
    timed_ports timed_;
};

// ---- why: each event names the one that it waited for last

/// If conditions come true in the same cycle, the engine's is named, else the operation's own, else its port's.
class reasons {
public:
    explicit reasons(const cause_run& run) : run_(run) {}

    void accepted(unsigned p, std::size_t i, const cause& before)
    {
        const auto& want = run_.timing(p, i);
        const auto& got = run_.operation(p, i).accept;
        if (want.accept > want.begin) // a grant made room in the cycle before
            expect(got, want.accept, path_reason::request_queue, grant_of(p, granted_in(p, want.accept - 1)), p, i);
        else if (want.begin > want.start)
            expect(got, want.accept, path_reason::request_channel, run_.operation(p, i - 1).accept.node(), p, i);
        else if (run_.operation(p, i).early != 0)
            expect(got, want.accept, path_reason::unexplained, before.node(), p, i);
        else
            ASSERT_EQ(got.node(), before.node()) << "port " << p << ", operation " << i;
    }
    void granted(unsigned p, std::size_t i)
    {
        const auto& each = run_.operation(p, i);
        const auto& want = run_.timing(p, i);
        const cause_node* node = each.end.node();
        ASSERT_EQ(node->cycle, want.grant + want.passes);
        if (const auto beyond = each.beyond_ideal(run_.config()); beyond != 0) {
            ASSERT_EQ(node->reason, path_reason::bank_conflict);
            node = node->before;
            ASSERT_EQ(node->cycle, want.grant + want.passes - beyond);
        }
        ASSERT_EQ(node->reason, path_reason::passes);
        ASSERT_TRUE(same_place(node->place, each.place) && same_place(each.end.place(), each.place));

        const cause_node* const grant = grants_[{p, i}] = node->before;
        const auto queued = want.accept + 1;
        const auto depth = run_.config().response_queue_depth;
        // So many were in flight when a response left: without that the port was never full.
        const bool full = i >= depth && run_.timing(p, i - 1).grant < transfer_of(p, i - depth);
        const auto room = full ? transfer_of(p, i - depth) + 1 : 0;
        ASSERT_EQ(grant->cycle, want.grant) << "port " << p << ", operation " << i;
        if (engine_ != nullptr && engine_->cycle == want.grant)
            ASSERT_EQ(grant, engine_) << "port " << p << ", operation " << i;
        else if (queued == want.grant)
            expect(grant, want.grant, path_reason::grant, each.accept.node(), p, i);
        else if (room == want.grant)
            expect(grant, want.grant, path_reason::responses_full, run_.operation(p, i - depth).transfer.node(), p, i);
        else
            FAIL() << "port " << p << ", operation " << i << " is granted without a reason";
        engine_ = each.end.node();
        in_cycle_[{p, want.grant}] = i;
    }
    void responded(unsigned p, std::size_t i)
    {
        const auto& each = run_.operation(p, i);
        const auto& want = run_.timing(p, i);
        if (want.grant + want.passes + want.latency == want.response)
            expect(each.response, want.response, each.latency, each.end.node(), p, i);
        else
            expect(each.response, want.response, path_reason::response_channel,
                   run_.operation(p, i - 1).transfer.node(), p, i);
    }
    void transferred(unsigned p, std::size_t i)
    {
        const auto& each = run_.operation(p, i);
        if (run_.timing(p, i).stall != 0)
            expect(each.transfer, transfer_of(p, i), path_reason::consumer, each.response.node(), p, i);
        else
            ASSERT_EQ(each.transfer.node(), each.response.node());
    }

private:
    std::uint64_t transfer_of(unsigned p, std::size_t i) const
    {
        return run_.timing(p, i).response + run_.timing(p, i).stall;
    }
    std::size_t granted_in(unsigned p, std::uint64_t cycle) const { return in_cycle_.at({p, cycle}); }
    const cause_node* grant_of(unsigned p, std::size_t i) const { return grants_.at({p, i}); }

    void expect(const cause& got, std::uint64_t cycle, path_reason reason, const cause_node* before, unsigned p,
                std::size_t i) const
    {
        expect(got.node(), cycle, reason, before, p, i);
    }
    void expect(const cause_node* got, std::uint64_t cycle, path_reason reason, const cause_node* before, unsigned p,
                std::size_t i) const
    {
        ASSERT_EQ(got->cycle, cycle) << "port " << p << ", operation " << i;
        ASSERT_EQ(std::string(name_of(got->reason)), name_of(reason)) << "port " << p << ", operation " << i;
        ASSERT_EQ(got->before, before) << name_of(reason) << ", port " << p << ", operation " << i;
        ASSERT_TRUE(same_place(got->place, run_.operation(p, i).place));
    }

    const cause_run& run_;
    std::map<std::pair<unsigned, std::size_t>, const cause_node*> grants_;
    std::map<std::pair<unsigned, std::uint64_t>, std::size_t> in_cycle_; ///< operations by the cycle of their grant
    const cause_node* engine_ = nullptr;                                 ///< end of the last pass
};

/// An unreported cause cannot be named: an operation after one without causes is marked `unexplained`.
TEST(port_causes, a_wait_for_an_operation_without_causes_is_unexplained)
{
    isbe_config config;
    cause_log log(true);
    isbe_core core(config);
    grant_scheduler scheduler(core);
    std::array<warp_op, 2> ops;
    std::array<warp_result, 2> results;
    for (auto& op : ops) {
        op.op = opcode::isberd;
        op.region = region::physical;
        op.size = 4;
    }
    for (unsigned lane = 0; lane < 4; ++lane) ops[0].address[lane] = 4 * lane * config.banks; // four passes
    auto because = log.start(1);
    for (unsigned i = 0; i < 2; ++i) {
        scheduler.advance_to(i);
        port_operation operation;
        operation.op = &ops[i];
        operation.result = &results[i];
        operation.because = i == 0 ? nullptr : &because;
        operation.begin = operation.accept = i;
        scheduler.accept(0, operation);
    }
    scheduler.advance_to(100);
    const cause_node* const grant = because.node()->before;
    EXPECT_EQ(because.cycle(), 5U + 1) << "granted in the last pass of the one before";
    EXPECT_EQ(grant->cycle, 5U);
    EXPECT_EQ(grant->reason, path_reason::unexplained);
}

isbe_config machine_of_causes(unsigned ports, unsigned queue, unsigned responses)
{
    isbe_config config;
    config.ports = ports;
    config.banks = 16;
    config.access = access_rule::banked;
    config.bank_map = bank_map::modulo;
    config.request_queue_depth = queue;
    config.response_queue_depth = responses;
    config.pipeline_latency = 7;
    config.write_latency = 4;
    config.al2p_latency = 2;
    config.out_latency = 5;
    return config;
}

TEST(port_causes, every_event_names_its_last_wait)
{
    unsigned seed = 0;
    for (const unsigned ports : {1U, 2U})
        for (const unsigned queue : {1U, 3U})
            for (const unsigned responses : {1U, 2U, 5U})
                for (const unsigned busy : {95U, 40U}) {
                    cause_run run(machine_of_causes(ports, queue, responses), ++seed, busy);
                    reasons look(run);
                    run.run(look);
                    if (HasFatalFailure()) return;
                }
}

} // namespace
} // namespace isbesim::test
