// SPDX-License-Identifier: Apache-2.0
// AT against the clocked simulation of port_reference.h: random operations of known passes on both ports, random gaps,
// random response back-pressure. Every accept and every response cycle is equal.
#include <algorithm>
#include <ostream>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/isbe_bench.h"
#include "tests/timing/port_reference.h"

namespace isbesim::test {
namespace {

/// Section 5, bank of a word.
unsigned bank_of(const isbe_config& config, word w)
{
    const word line = w / 32;
    if (config.bank_map == bank_map::rotate) return (w % 32 + line % 32) % config.banks;
    if (config.bank_map == bank_map::exclusive_or) return (w % 32 ^ line % 32) % config.banks;
    return w % config.banks;
}

/// Passes of one component from section 5, counted with sets.
unsigned component_passes(const isbe_config& config, lane_mask lanes, const per_lane<word>& address)
{
    std::set<word> lines;
    std::vector<std::set<word>> rows(config.banks);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        if (((lanes >> lane) & 1U) == 0) continue;
        const word w = address[lane] / 4;
        lines.insert(w / 32);
        rows[bank_of(config, w)].insert(w / config.banks);
    }
    if (config.access == access_rule::line) return std::max(1U, static_cast<unsigned>(lines.size()));
    std::size_t most = 1;
    for (const auto& r : rows) most = std::max(most, r.size());
    return static_cast<unsigned>(most);
}

struct traffic {
    unsigned gap_percent;   ///< chance of a gap before an operation
    unsigned stall_percent; ///< chance of a stalled response
    unsigned longest;       ///< gap or stall, in cycles
};

class traffic_source {
public:
    traffic_source(const isbe_config& config, const traffic& kind, unsigned seed)
        : config_(config), kind_(kind), random_(seed)
    {
    }

    void make(std::size_t count, stream& operations, std::vector<reference_operation>& expected)
    {
        std::uint64_t start = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (pick(100) < kind_.gap_percent) start += pick(kind_.longest + 1);
            stimulus s;
            s.start = start;
            if (pick(100) < kind_.stall_percent) s.stall = pick(kind_.longest + 1);
            reference_operation e;
            e.start = s.start;
            e.stall = s.stall;
            fill(s.op, e);
            operations.push_back(s);
            expected.push_back(e);
            start += kind_.gap_percent != 0 ? 1 : 0;
        }
    }

private:
    unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }

    void fill(warp_op& op, reference_operation& e)
    {
        switch (pick(8)) {
        case 0: // no context there: an error, one pass, latency of its opcode
            op.op = std::array{opcode::al2p, opcode::out, opcode::ald, opcode::ast}[pick(4)];
            op.context = 5;
            e.passes = 1;
            e.latency = op.op == opcode::al2p  ? config_.al2p_latency
                        : op.op == opcode::out ? config_.out_latency
                        : op.op == opcode::ald ? config_.pipeline_latency
                                               : config_.write_latency;
            return;
        case 1: // no lane: one empty pass
            op.lanes = 0;
            break;
        case 2:
            op.lanes = static_cast<lane_mask>(random_());
            break;
        default:
            break;
        }
        const bool write = pick(2) == 0;
        op.op = write ? opcode::isbewr : opcode::isberd;
        op.space = write ? space::output : space::input;
        op.region = region::physical;
        op.size = 4;
        const unsigned words = config_.lines * 32;
        const unsigned stride = 1U << pick(6);
        const unsigned base = pick(words);
        const bool scattered = pick(3) == 0;
        for (unsigned lane = 0; lane < warp_lanes; ++lane)
            op.address[lane] = 4 * (scattered ? pick(words) : (base + lane * stride) % words);
        e.passes = component_passes(config_, op.lanes, op.address);
        e.latency = write ? config_.write_latency : config_.pipeline_latency;
    }

    isbe_config config_;
    traffic kind_;
    std::mt19937 random_;
};

struct setup {
    const char* name;
    unsigned banks;
    access_rule access;
    unsigned ports;
    unsigned queue;
    unsigned responses;
    std::array<unsigned, 4> latency; ///< load, store, AL2P, OUT
    arbitration_rule arbitration;
    traffic kind;
    std::array<unsigned, 2> late_deltas = {};
    bank_map map = bank_map::modulo;
};

void PrintTo(const setup& s, std::ostream* out)
{
    *out << s.name;
}

constexpr auto rr = arbitration_rule::round_robin;
constexpr auto fp = arbitration_rule::fixed_priority;
constexpr auto banked = access_rule::banked;
constexpr auto line = access_rule::line;

const setup setups[] = {
    {"defaults", 32, banked, 2, 4, 32, {22, 22, 10, 18}, rr, {30, 30, 20}},
    {"defaults_saturated", 32, banked, 2, 4, 32, {22, 22, 10, 18}, rr, {0, 0, 1}},
    {"smallest", 8, banked, 2, 1, 1, {2, 2, 2, 2}, rr, {20, 20, 5}},
    {"queue_of_one", 32, banked, 2, 1, 32, {5, 3, 2, 4}, rr, {0, 10, 30}},
    {"one_response_in_flight", 32, banked, 2, 4, 1, {3, 7, 2, 2}, fp, {10, 40, 12}},
    {"fixed_priority", 16, banked, 2, 2, 8, {9, 4, 3, 2}, fp, {5, 20, 9}},
    {"fixed_priority_saturated", 32, banked, 2, 8, 4, {2, 40, 2, 2}, fp, {0, 5, 60}},
    {"line_access", 32, line, 2, 4, 16, {12, 6, 4, 30}, rr, {15, 50, 40}},
    {"one_port", 32, banked, 1, 4, 4, {22, 5, 2, 2}, rr, {10, 30, 25}},
    {"port_0_late_in_the_cycle", 32, banked, 2, 1, 2, {5, 3, 2, 4}, rr, {20, 40, 12}, {3, 0}},
    {"port_1_late_in_the_cycle", 32, banked, 2, 1, 2, {5, 3, 2, 4}, rr, {20, 40, 12}, {0, 3}},
    {"deep", 32, banked, 2, 64, 128, {100, 2, 50, 3}, rr, {1, 2, 200}},
    {"rotated_banks", 16, banked, 2, 3, 8, {7, 3, 2, 4}, rr, {10, 30, 12}, {}, bank_map::rotate},
    {"banks_by_xor", 32, banked, 2, 2, 4, {4, 9, 2, 3}, fp, {10, 30, 12}, {}, bank_map::exclusive_or},
    {"back_pressure_everywhere", 16, banked, 2, 3, 2, {4, 2, 6, 2}, rr, {2, 100, 15}},
};

class random_ports : public testing::TestWithParam<setup> {};

TEST_P(random_ports, accept_and_response_cycles_equal_the_clocked_simulation)
{
    const setup& s = GetParam();
    isbe_config config;
    config.lines = 64;
    config.banks = s.banks;
    config.bank_map = s.map;
    config.access = s.access;
    config.ports = s.ports;
    config.request_queue_depth = s.queue;
    config.response_queue_depth = s.responses;
    config.pipeline_latency = s.latency[0];
    config.write_latency = s.latency[1];
    config.al2p_latency = s.latency[2];
    config.out_latency = s.latency[3];
    config.arbitration = s.arbitration;

    constexpr std::size_t count = 20000;
    std::vector<stream> streams(config.ports);
    std::vector<std::vector<reference_operation>> expected(config.ports);
    for (unsigned port = 0; port < config.ports; ++port)
        traffic_source(config, s.kind, 17 + port).make(count, streams[port], expected[port]);
    simulate({config.request_queue_depth, config.response_queue_depth, s.arbitration == fp}, expected);

    isbe_bench bench("at", config, {s.late_deltas[0], s.late_deltas[1]});
    const auto answers = bench.run(streams);
    std::uint64_t queue_full = 0;
    for (unsigned port = 0; port < config.ports; ++port) {
        ASSERT_EQ(answers[port].size(), count);
        for (std::size_t i = 0; i < count; ++i) {
            const answer& got = answers[port][i];
            const reference_operation& want = expected[port][i];
            ASSERT_EQ(got.result.passes, want.passes) << "port " << port << ", operation " << i;
            ASSERT_EQ(got.times.begin_request, want.begin) << "port " << port << ", operation " << i;
            ASSERT_EQ(got.times.accept, want.accept) << "port " << port << ", operation " << i;
            ASSERT_EQ(got.times.response, want.response) << "port " << port << ", operation " << i;
            queue_full += want.accept - want.begin;
        }
    }
    std::uint64_t counted = 0;
    for (unsigned port = 0; port < config.ports; ++port)
        counted += bench.isbe().timing(port).stalls[stall_reason::queue_full];
    EXPECT_EQ(counted, queue_full);
}

INSTANTIATE_TEST_SUITE_P(configurations, random_ports, testing::ValuesIn(setups),
                         [](const auto& chosen) { return chosen.param.name; });

} // namespace
} // namespace isbesim::test
