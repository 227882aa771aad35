// SPDX-License-Identifier: Apache-2.0
// How fast the timed modules are beside modules that do nothing: the AT ISBE against an empty target that answers four
// phases, the LT ISBE against an empty b_transport, with the same initiator, the same payload and the same operations.
// Not a test: prints a table.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <systemc>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "testbench/crosscheck/traces/trace_ports.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "tests/bench/empty_modules.h"
#include "tests/support/warp_operations.h"
#include "tlm/at_initiator.h"
#include "tlm/has_process.h"

namespace isbesim::test {
namespace {

class null_backward : public tlm::tlm_bw_transport_if<> {
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/// Sends the same operations over and over as fast as the port takes them.
class at_player : public sc_core::sc_module, public warp_initiator::client {
public:
    at_initiator initiator;

    at_player(const sc_core::sc_module_name& name, const cycle_clock& clock, const std::vector<warp_op>& ops)
        : sc_core::sc_module(name), initiator("initiator", clock, 2, *this), ops_(ops)
    {
        ISBESIM_HAS_PROCESS(at_player);
        SC_METHOD(begin);
        sensitive << begin_event_;
        dont_initialize();
    }
    void play(std::uint64_t count)
    {
        left_ = count;
        next_ = 0; // the list may be another one
        begin_event_.notify(sc_core::SC_ZERO_TIME);
        sc_core::sc_start();
    }

private:
    void begin() { send(); }
    void send()
    {
        while (left_ != 0 && initiator.can_send()) {
            --left_;
            const auto& op = ops_[next_];
            next_ = next_ + 1 == ops_.size() ? 0 : next_ + 1;
            initiator.send(op, 0);
        }
    }
    void accepted(std::uint64_t) override { send(); }
    void response(std::uint64_t, const warp_op&, const warp_result&, const transaction_times&) override {}

    const std::vector<warp_op>& ops_;
    std::size_t next_ = 0;
    std::uint64_t left_ = 0;
    sc_core::sc_event begin_event_;
};

/// Temporally decoupled: waits once a quantum.
class lt_player : public sc_core::sc_module {
public:
    tlm::tlm_initiator_socket<> socket{"socket"};

    lt_player(const sc_core::sc_module_name& name, const std::vector<warp_op>& ops)
        : sc_core::sc_module(name), ops_(ops)
    {
        socket.bind(backward_);
        ISBESIM_HAS_PROCESS(lt_player);
        SC_THREAD(run);
    }
    void play(std::uint64_t count)
    {
        left_ = count;
        begin_event_.notify(sc_core::SC_ZERO_TIME);
        sc_core::sc_start();
    }

private:
    void run()
    {
        const sc_core::sc_time quantum(10, sc_core::SC_US);
        tlm::tlm_generic_payload& payload = pool_.acquire();
        warp_op& op = payload_pool::extension(payload).op;
        for (;;) {
            sc_core::wait(begin_event_);
            sc_core::sc_time local = sc_core::SC_ZERO_TIME;
            std::size_t next = 0;
            for (; left_ != 0; --left_) {
                op = ops_[next];
                next = next + 1 == ops_.size() ? 0 : next + 1;
                payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
                socket->b_transport(payload, local);
                if (local >= quantum) {
                    sc_core::wait(local);
                    local = sc_core::SC_ZERO_TIME;
                }
            }
        }
    }

    const std::vector<warp_op>& ops_;
    payload_pool pool_;
    null_backward backward_;
    std::uint64_t left_ = 0;
    sc_core::sc_event begin_event_;
};

/// What a vertex and a geometry stage send: coalesced vectors, some scattered handles, AL2P, OUT.
std::vector<warp_op> pipeline_traffic()
{
    std::vector<warp_op> ops;
    for (unsigned i = 0; i < 64; ++i) {
        ops.push_back(make_ald(0x80 + 16 * (i % 2), 4));
        ops.push_back(make_ast(0x80 + 16 * (i % 2), 4, i));
        ops.push_back(make_ald(0x80, 1));
        warp_op scattered = make_ald(0x90, 4);
        scattered.context = 1;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) scattered.handle[lane] = lane / 3;
        ops.push_back(scattered);
        ops.push_back(make_al2p(0x80, space::input));
    }
    return ops;
}

/// A vertex stage of a draw as it goes over the wire: per warp a BIND, the PE's stores of fetched words (one attribute
/// of 32 vertices each), the shader's loads and stores of vectors, the PE's reads of positions.
std::vector<warp_op> draw_traffic()
{
    std::vector<warp_op> ops;
    const attribute_set vec4s = ids({0x80, 0x84, 0x88, 0x8c, 0x90, 0x94, 0x98, 0x9c});
    for (unsigned warp = 0; warp < 8; ++warp) {
        warp_op bind;
        bind.op = opcode::bind;
        bind.context = static_cast<std::uint16_t>(8 + warp);
        pack_context(make_context(stage::vertex, vec4s, vec4s), bind);
        ops.push_back(bind);
        for (unsigned rank = 0; rank < 8; ++rank) {
            ops.push_back(make_isbewr(region::physical, 4, counting(input_base + 768 + 128 * rank, 4), counting(rank)));
            ops.back().context = bind.context;
        }
        for (unsigned address = 0x80; address < 0xa0; address += 16) {
            ops.push_back(make_ald(address, 4));
            ops.back().context = bind.context;
        }
        for (unsigned address = 0x80; address < 0xa0; address += 16) {
            ops.push_back(make_ast(address, 4, warp));
            ops.back().context = bind.context;
        }
        for (unsigned rank = 0; rank < 4; ++rank) {
            ops.push_back(make_isberd(space::input, region::physical, 4, counting(output_base + 768 + 128 * rank, 4)));
            ops.back().context = bind.context;
        }
    }
    return ops;
}

std::vector<warp_op> random_traffic()
{
    std::mt19937 random(7);
    std::vector<warp_op> ops;
    for (unsigned i = 0; i < 1024; ++i) {
        const unsigned address = 0x80 + 4 * static_cast<unsigned>(random() % 8);
        const auto size = static_cast<unsigned>(1 + random() % 4);
        warp_op op = random() % 3 == 0 ? make_ast(address, size, i) : make_ald(address, size);
        op.context = op.op == opcode::ald ? 1 : 0;
        op.lanes = static_cast<lane_mask>(random());
        for (unsigned lane = 0; lane < warp_lanes; ++lane) op.handle[lane] = static_cast<word>(random() % 34);
        ops.push_back(op);
    }
    return ops;
}

/// The first operations of every port, one of each in turn.
std::vector<warp_op> operations_of(testbench::traffic_source& source, unsigned ports)
{
    constexpr std::size_t enough = 4096;
    std::vector<warp_op> ops;
    testbench::traffic_item item;
    for (bool more = true; more && ops.size() < enough;) {
        more = false;
        for (unsigned port = 0; port < ports; ++port)
            if (source.next(port, item)) {
                ops.push_back(item.op);
                more = true;
            }
    }
    return ops;
}

/// What `isbesim crosscheck` sends.
std::vector<warp_op> crosscheck_traffic(const isbe_config& config)
{
    testbench::random_traffic traffic(config, 7, 4096);
    return operations_of(traffic, config.ports);
}

/// What `--record` wrote, on a machine that differs from the default one in nothing that matters here.
std::vector<warp_op> recorded_traffic(const std::string& path)
{
    const auto file = testbench::open_trace(path);
    testbench::trace_ports trace(file);
    return operations_of(trace, file.ports);
}

/// Operations on an empty context slot: the functional core has next to nothing to do, the timed modules all of it.
std::vector<warp_op> empty_slot_traffic()
{
    warp_op op = make_ald(0x80, 1);
    op.context = 5;
    return {op};
}

std::vector<warp_op> binds()
{
    std::vector<warp_op> ops;
    const attribute_set vec4s = ids({0x80, 0x84, 0x88, 0x8c, 0x90, 0x94, 0x98, 0x9c});
    for (const auto of : {stage::vertex, stage::geometry}) {
        warp_op bind;
        bind.op = opcode::bind;
        bind.context = static_cast<std::uint16_t>(ops.size());
        pack_context(make_context(of, vec4s, vec4s), bind);
        ops.push_back(bind);
    }
    return ops;
}

template <typename F>
double million_per_second(std::uint64_t count, F&& play)
{
    const auto begin = std::chrono::steady_clock::now();
    play(count);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    return static_cast<double>(count) / seconds.count() / 1e6;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace
} // namespace isbesim::test

/// isbe_bench_speed [TRAFFIC [COUNT [COLUMN]]]: all, or one row or field only, for a profiler. TRAFFIC is the name of a
/// row, or a trace.
int sc_main(int argc, char* argv[])
{
    using namespace isbesim;
    using namespace isbesim::test;
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    const std::string only_traffic = argc > 1 ? argv[1] : "";
    const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000000;
    const std::string only_column = argc > 3 ? argv[3] : "";
    const cycle_clock clock(sc_core::sc_time(1, sc_core::SC_NS));
    const isbe_config config;
    isbe_at at("isbe_at", config, clock);
    isbe_lt lt("isbe_lt", config, clock);
    empty_at no_at("no_at", clock.time(24));
    textbook_at stock_at("stock_at", clock.time(24));
    empty_lt no_lt("no_lt", clock.time(24));
    std::vector<warp_op> ops = binds();
    at_player on_at("on_at", clock, ops), on_no_at("on_no_at", clock, ops), on_stock_at("on_stock_at", clock, ops);
    lt_player on_lt("on_lt", ops), on_no_lt("on_no_lt", ops);
    on_at.initiator.socket.bind(at.ports[0]);
    on_no_at.initiator.socket.bind(no_at.socket);
    on_stock_at.initiator.socket.bind(stock_at.socket);
    on_lt.socket.bind(lt.ports[0]);
    on_no_lt.socket.bind(no_lt.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    on_at.play(2);
    on_lt.play(2);

    const struct {
        const char* name;
        std::function<void(std::uint64_t)> play;
    } columns[] = {{"at", [&](std::uint64_t n) { on_at.play(n); }},
                   {"lean_at", [&](std::uint64_t n) { on_no_at.play(n); }},
                   {"stock_at", [&](std::uint64_t n) { on_stock_at.play(n); }},
                   {"lt", [&](std::uint64_t n) { on_lt.play(n); }},
                   {"empty_lt", [&](std::uint64_t n) { on_no_lt.play(n); }}};
    std::printf(
        "Million transactions per second, medians of 5. Empty AT pairs: \"stock\" sends each phase through the\n"
        "receiver's payload event queue, \"lean\" needs one event.\n"
        "%-11s %8s %9s %9s %9s %9s | %8s %9s %8s\n",
        "traffic", "AT", "stock AT", "AT/stock", "lean AT", "AT/lean", "LT", "empty LT", "LT/empty");
    std::vector<std::pair<std::string, std::vector<warp_op>>> rows{{"draw", draw_traffic()},
                                                                   {"pipeline", pipeline_traffic()},
                                                                   {"random", random_traffic()},
                                                                   {"crosscheck", crosscheck_traffic(config)},
                                                                   {"empty_slot", empty_slot_traffic()}};
    const bool named =
        std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.first == only_traffic; });
    if (!only_traffic.empty() && !named) rows = {{only_traffic, recorded_traffic(only_traffic)}};
    for (const auto& [name, traffic] : rows) {
        if (!only_traffic.empty() && only_traffic != name) continue;
        ops = traffic;
        std::vector<double> speed[std::size(columns)];
        for (unsigned run = 0; run < 5; ++run)
            for (std::size_t c = 0; c < std::size(columns); ++c)
                speed[c].push_back(only_column.empty() || only_column == columns[c].name
                                       ? million_per_second(count, columns[c].play)
                                       : 0.0);
        double m[std::size(columns)];
        for (std::size_t c = 0; c < std::size(columns); ++c) m[c] = median(speed[c]);
        std::printf("%-11s %8.2f %9.2f %9.2f %9.2f %9.2f | %8.2f %9.2f %8.2f\n", name.c_str(), m[0], m[2], m[0] / m[2],
                    m[1], m[0] / m[1], m[3], m[4], m[3] / m[4]);
    }
    return 0;
}
