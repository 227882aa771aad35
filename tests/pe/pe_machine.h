// SPDX-License-Identifier: Apache-2.0
// The PE module with the timed ISBE on every site and a stand-in for the SM, for tests that run on both kinds of model.
#pragma once

#define SC_INCLUDE_DYNAMIC_PROCESSES // sc_spawn
#include <array>
#include <map>
#include <memory>
#include <ostream>

#include <gtest/gtest.h>
#include <systemc>
#include <tlm>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "models/pe/pe.h"
#include "models/sm/launch_sockets.h"
#include "tests/pe/shaders.h"
#include "tlm/protocol_checker.h"
#include "tlm/warp_initiator.h"

namespace isbesim {

inline void PrintTo(warp_initiator::style style, std::ostream* out)
{
    *out << (style == warp_initiator::style::loosely_timed ? "lt" : "at");
}

namespace test {

inline auto both_styles()
{
    return testing::Values(warp_initiator::style::loosely_timed, warp_initiator::style::approximately_timed);
}

/// The programs with a different delay before each call. `calls` must outlive them.
inline std::map<stage, shader> with_delays(std::map<stage, shader> shaders, unsigned& calls)
{
    for (auto& [which, function] : shaders)
        function = [&calls, inner = function](shader_warp& w) {
            sc_core::wait(sc_core::sc_time((++calls * 7919) % 1500, sc_core::SC_NS));
            return inner(w);
        };
    return shaders;
}

/// Replaces an SM: runs C++ shader functions as warps and sends every warp operation as a transaction.
class function_sm : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>, private warp_initiator::client {
public:
    tlm::tlm_target_socket<> launch;
    std::unique_ptr<warp_initiator> isbe;

    /// A warp lasts for `extra_cycles` besides its operations.
    function_sm(const sc_core::sc_module_name& name, const cycle_clock& clock, warp_initiator::style style,
                const std::map<stage, shader>& shaders, std::uint64_t extra_cycles)
        : sc_core::sc_module(name),
          launch("launch"),
          isbe(warp_initiator::make("isbe", style, clock, 64, *this)),
          clock_(clock),
          shaders_(shaders),
          extra_cycles_(extra_cycles)
    {
        launch.bind(*this);
    }

    unsigned resident() const { return resident_; }
    unsigned resident_peak() const { return resident_peak_; }

private:
    struct slot {
        bool busy = false;
        bool responded = false;
        warp_result result;
        sc_core::sc_event event;
    };

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) override
    {
        if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
        auto* extension = transaction.get_extension<launch_extension>();
        auto& s = slots_.at(extension->launch.context);
        if (s.busy) throw std::logic_error("launch into a busy warp slot");
        s.busy = true;
        resident_peak_ = std::max(resident_peak_, ++resident_);
        transaction.acquire();
        sc_core::sc_spawn([this, &transaction] { run(transaction); });
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void run(tlm::tlm_generic_payload& transaction)
    {
        auto* extension = transaction.get_extension<launch_extension>();
        const auto number = extension->launch.context;
        auto& s = slots_.at(number);
        wait(clock_.time(1 + extra_cycles_));
        shader_warp warp(extension->launch, [&](const warp_op& op, warp_result& result) {
            s.responded = false;
            isbe->send(op, number);
            while (!s.responded) wait(s.event);
            result = s.result;
        });
        extension->completion = shaders_.at(extension->launch.stage)(warp);
        s.busy = false;
        --resident_;
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        launch->nb_transport_bw(transaction, phase, delay);
        transaction.release();
    }
    void response(std::uint64_t tag, const warp_op&, const warp_result& result, const transaction_times&) override
    {
        auto& s = slots_.at(tag);
        s.result = result;
        s.responded = true;
        s.event.notify();
    }

    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    cycle_clock clock_;
    std::map<stage, shader> shaders_;
    std::uint64_t extra_cycles_;
    std::array<slot, 64> slots_;
    unsigned resident_ = 0;
    unsigned resident_peak_ = 0;
};

class machine {
public:
    machine(draw_call call, const machine_config& config, warp_initiator::style style,
            const std::map<stage, shader>& shaders, std::uint64_t extra_cycles = 0)
        : draw(std::move(call)), pe("pe", {config, clock, style, draw, sink})
    {
        for (unsigned i = 0; i < config.sm_count; ++i) {
            const auto number = std::to_string(i);
            sms.push_back(std::make_unique<function_sm>(("sm" + number).c_str(), clock, style, shaders, extra_cycles));
            if (style == warp_initiator::style::loosely_timed)
                isbes.push_back(std::make_unique<isbe_lt>(("isbe" + number).c_str(), config.isbe, clock));
            else
                isbes.push_back(std::make_unique<isbe_at>(("isbe" + number).c_str(), config.isbe, clock));
            checkers.push_back(std::make_unique<protocol_checker>(("checker" + number).c_str(), clock));
            pe.launch_socket(i).bind(sms[i]->launch);
            pe.isbe_socket(i).bind(checkers[i]->target);
            checkers[i]->initiator.bind(isbes[i]->ports[1]);
            sms[i]->isbe->socket.bind(isbes[i]->ports[0]);
        }
    }
    /// Simulates until no event is left.
    void run()
    {
        sc_core::sc_start();
        EXPECT_TRUE(pe.done()) << pe.state_dump();
        for (auto& checker : checkers) {
            checker->finish();
            EXPECT_EQ(checker->violation_count(), 0U);
        }
    }
    pe_site_counters total() const
    {
        pe_site_counters sum;
        for (unsigned i = 0; i < pe.sites(); ++i) {
            const auto& one = pe.site_counters(i);
            for (unsigned s = 0; s < stage_count; ++s) {
                sum.invocations[s] += one.invocations[s];
                sum.warps[s] += one.warps[s];
            }
            for (unsigned r = 0; r < stall_reason_count; ++r) sum.stalls.values[r] += one.stalls.values[r];
            sum.batches += one.batches;
            sum.lines.merge(one.lines);
        }
        return sum;
    }

    const draw_call draw;
    cycle_clock clock = cycle_clock::from_ghz(1.0);
    row_sink sink;
    isbesim::pe pe;
    std::vector<std::unique_ptr<function_sm>> sms;
    std::vector<std::unique_ptr<isbe_module>> isbes;
    std::vector<std::unique_ptr<protocol_checker>> checkers;
};

} // namespace test
} // namespace isbesim
