// SPDX-License-Identifier: Apache-2.0
// A bench for an ISBE back end's reports besides responses: two initiators in a thread of the test, and an observer
// that records every report. SystemC elaborates once per process, so a test builds one bench.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/functional/names.h"
#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "tests/support/warp_operations.h"
#include "tlm/cause_log.h"
#include "tlm/has_process.h"
#include "tlm/payload_pool.h"

namespace isbesim::test {

using report_lines = std::vector<std::string>;

/// Collects every report as a line of text.
class report_list : public transaction_observer {
public:
    void begin_request(std::uint64_t id, unsigned port, const warp_op& op, std::uint64_t cycle) override
    {
        add("begin", id, port, {cycle}, op.op);
        kinds_.push_back({op.op, op.space, op.region, op.size, op.lanes});
    }
    void accept(std::uint64_t id, unsigned port, std::uint64_t cycle) override { add("accept", id, port, {cycle}); }
    void granted(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result, std::uint64_t cycle,
                 const access_footprint& footprint) override
    {
        add("granted", id, port, {result.passes, cycle}, op.op);
        add("did", id, port,
            {footprint.passes, footprint.ideal_passes, footprint.bytes_read, footprint.bytes_written,
             std::accumulate(footprint.bank_words.begin(), footprint.bank_words.end(), 0U)});
    }
    void response(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override
    {
        add("response", id, port, {result.passes, times.begin_request, times.accept, times.response}, op.op);
    }
    void end_response(std::uint64_t id, unsigned port, std::uint64_t cycle) override { add("end", id, port, {cycle}); }

    /// The lines since the last call.
    std::vector<std::string> take() { return std::exchange(lines_, {}); }
    using kind = std::tuple<opcode, space, region, unsigned, lane_mask>;
    std::vector<kind> take_kinds() { return std::exchange(kinds_, {}); }

private:
    void add(const char* what, std::uint64_t id, unsigned port, const std::vector<std::uint64_t>& values,
             std::optional<opcode> op = {})
    {
        std::string line = std::string(what) + " " + std::to_string(id) + " port " + std::to_string(port) + ":";
        if (op) line += std::string(" ") + name_of(*op);
        for (const auto value : values) line += " " + std::to_string(value);
        lines_.push_back(line);
    }
    std::vector<std::string> lines_;
    std::vector<kind> kinds_;
};

inline isbe_config reported_machine()
{
    isbe_config config;
    config.lines = 16;
    config.banks = 16;
    config.access = access_rule::banked;
    config.bank_map = bank_map::modulo;
    config.ports = 2;
    config.pipeline_latency = 9;
    config.write_latency = 4;
    config.al2p_latency = 3;
    config.out_latency = 6;
    return config;
}

/// Two initiators without a backward path of their own, and a thread for the test's body.
class report_client : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
public:
    sc_core::sc_vector<tlm::tlm_initiator_socket<>> sockets{"socket", 2};
    cycle_clock clock{sc_core::sc_time(1, sc_core::SC_NS)};

    report_client(const sc_core::sc_module_name& name, std::function<void(report_client&)> body)
        : sc_core::sc_module(name), body_(std::move(body))
    {
        for (auto& socket : sockets) socket.bind(*this);
        ISBESIM_HAS_PROCESS(report_client);
        SC_THREAD(run);
    }
    bool ran() const { return ran_; }

    /// Executes an operation; returns the delay after the call, in cycles.
    std::uint64_t block(unsigned port, tlm::tlm_generic_payload& payload, std::uint64_t delay_cycles = 0)
    {
        auto delay = clock.time(delay_cycles);
        sockets[port]->b_transport(payload, delay);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        return clock.cycles(delay);
    }
    /// A plain access; returns the delay.
    std::uint64_t access(unsigned port, bool write, std::uint64_t address, std::vector<unsigned char>& data,
                         std::vector<unsigned char> enables = {}, std::uint64_t delay_cycles = 0)
    {
        tlm::tlm_generic_payload payload;
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(address);
        payload.set_data_ptr(data.data());
        payload.set_data_length(static_cast<unsigned>(data.size()));
        payload.set_streaming_width(static_cast<unsigned>(data.size()));
        payload.set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
        payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
        return block(port, payload, delay_cycles);
    }
    tlm::tlm_generic_payload& request(const warp_op& op)
    {
        auto& payload = pool.acquire();
        payload_pool::extension(payload).op = op;
        return payload;
    }
    std::uint64_t operate(unsigned port, const warp_op& op, std::uint64_t delay_cycles = 0)
    {
        auto& payload = request(op);
        const auto cycles = block(port, payload, delay_cycles);
        busy_until = payload_pool::extension(payload).busy_until;
        next_request = payload_pool::extension(payload).next_request;
        payload.release();
        return cycles;
    }

    /// Begins an access in four phases, which are recorded in `phases`; end() sends END_RESP.
    tlm::tlm_sync_enum begin(unsigned port, tlm::tlm_generic_payload& payload)
    {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        auto delay = sc_core::SC_ZERO_TIME;
        return sockets[port]->nb_transport_fw(payload, phase, delay);
    }
    void end(unsigned port, tlm::tlm_generic_payload& payload, std::uint64_t delay_cycles = 0)
    {
        tlm::tlm_phase phase = tlm::END_RESP;
        auto delay = clock.time(delay_cycles);
        sockets[port]->nb_transport_fw(payload, phase, delay);
    }

    payload_pool pool;
    std::uint64_t busy_until = 0, next_request = 0; ///< of the last operation
    report_lines phases;                            ///< of four phases, with their cycles
    /// Called in a BEGIN_RESP, may set the phase; may be null.
    std::function<void(tlm::tlm_phase&)> responded;

private:
    void run()
    {
        body_(*this);
        ran_ = true;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) override
    {
        phases.push_back((phase == tlm::END_REQ ? "END_REQ " : "BEGIN_RESP ") + std::to_string(clock.now()));
        if (phase == tlm::BEGIN_RESP && responded) std::exchange(responded, nullptr)(phase);
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    std::function<void(report_client&)> body_;
    bool ran_ = false;
};

/// Reads with lanes `stride` words apart: 32 distinct words, 32 * stride / banks passes.
inline warp_op strided(unsigned stride)
{
    return make_isberd(space::input, region::physical, 4, counting(0, 4 * stride));
}

template <typename Isbe>
void with_reports(bool watched, const std::function<void(report_client&, Isbe&, report_list&)>& body,
                  const isbe_config& config = reported_machine())
{
    const cycle_clock clock(sc_core::sc_time(1, sc_core::SC_NS));
    Isbe isbe("isbe", config, clock);
    report_list reports;
    if (watched) isbe.attach(reports);
    report_client client("client", [&](report_client& self) { body(self, isbe, reports); });
    for (unsigned port = 0; port < 2; ++port) client.sockets[port].bind(isbe.ports[port]);
    sc_core::sc_start();
    EXPECT_TRUE(client.ran());
}

/// Each line has come once.
inline void expect_once(const report_lines& got, const report_lines& lines)
{
    for (const auto& line : lines) EXPECT_EQ(std::count(got.begin(), got.end(), line), 1) << line;
}

} // namespace isbesim::test
