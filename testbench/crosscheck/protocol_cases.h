// SPDX-License-Identifier: Apache-2.0
// A protocol checker whose both ends are scripted, and scripts that break a rule once: what the checker must report.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include "tlm/has_process.h"
#include "tlm/payload_pool.h"
#include "tlm/protocol_checker.h"

namespace isbesim::testbench {

/// The caller controls both ends; the checker is between them.
class checker_bench : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>, public tlm::tlm_bw_transport_if<> {
public:
    cycle_clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
    tlm::tlm_initiator_socket<> initiator{"initiator"};
    tlm::tlm_target_socket<> target{"target"};
    protocol_checker checker{"checker", clock};
    payload_pool pool;
    std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&)> on_forward;
    std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&)> on_backward;
    std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)> on_block =
        [](tlm::tlm_generic_payload& payload, sc_core::sc_time&) { payload.set_response_status(tlm::TLM_OK_RESPONSE); };

    explicit checker_bench(const sc_core::sc_module_name& name = "bench") : sc_core::sc_module(name)
    {
        initiator.bind(*this);
        target.bind(*this);
        initiator.bind(checker.target);
        checker.initiator.bind(target);
        ISBESIM_HAS_PROCESS(checker_bench);
        SC_METHOD(block_method);
        sensitive << method_event_;
        dont_initialize();
    }

    tlm::tlm_generic_payload& request()
    {
        tlm::tlm_generic_payload& payload = pool.acquire();
        payload_pool::extension(payload).op = warp_op{};
        payload_pool::extension(payload).result = {};
        return payload;
    }
    tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, double delay_ns = 0)
    {
        sc_core::sc_time delay(delay_ns, sc_core::SC_NS);
        return initiator->nb_transport_fw(payload, phase, delay);
    }
    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, double delay_ns = 0)
    {
        if (phase == tlm::BEGIN_RESP && answers_) payload.set_response_status(tlm::TLM_OK_RESPONSE);
        sc_core::sc_time delay(delay_ns, sc_core::SC_NS);
        return target->nb_transport_bw(payload, phase, delay);
    }
    void block(tlm::tlm_generic_payload& payload, double delay_ns = 0)
    {
        sc_core::sc_time delay(delay_ns, sc_core::SC_NS);
        initiator->b_transport(payload, delay);
    }
    /// Returns, to a thread, after the call.
    void block_in_method(tlm::tlm_generic_payload& payload)
    {
        blocked_ = &payload;
        method_event_.notify(sc_core::SC_ZERO_TIME);
        sc_core::wait(sc_core::SC_ZERO_TIME);
        sc_core::wait(sc_core::SC_ZERO_TIME);
    }
    void leave_status_incomplete() { answers_ = false; }

    std::string described() const
    {
        std::string text;
        for (const auto& v : checker.violations()) text += v.describe() + "\n";
        return text;
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        return on_forward ? on_forward(payload, phase, delay) : tlm::TLM_ACCEPTED;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        return on_backward ? on_backward(payload, phase, delay) : tlm::TLM_ACCEPTED;
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override { on_block(payload, delay); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    void block_method() { block(*blocked_); }

    bool answers_ = true;
    tlm::tlm_generic_payload* blocked_ = nullptr;
    sc_core::sc_event method_event_;
};

/// Steps that break a rule once, or `reports` times; `a` is a request that has not been sent. For a thread, since some
/// block.
struct protocol_case {
    const char* name;
    protocol_rule rule;
    void (*steps)(checker_bench& bench, tlm::tlm_generic_payload& a);
    std::size_t reports = 1;
};
const std::vector<protocol_case>& protocol_cases();

/// A text if the checker reports anything but these violations of the rule. One per bench.
std::string wrong_report(const protocol_case& each, checker_bench& bench);

} // namespace isbesim::testbench
