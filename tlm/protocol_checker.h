// SPDX-License-Identifier: Apache-2.0
// Watches a connection between an initiator and an ISBE port, between their sockets, and reports every violation of the
// protocol. Without an instance there are no checks and no cost.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <systemc>
#include <tlm>

#include "tlm/clock.h"
#include "tlm/payload_extension.h"
#include "tlm/transaction_observer.h"

namespace isbesim {

enum class protocol_rule : std::uint8_t {
    phase_order,        ///< BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP; END_REQ may be implied; answers to them
    request_changed,    ///< request attributes or warp_op changed between BEGIN_REQ and the end of the transaction
    result_changed,     ///< result or status changed between BEGIN_RESP and END_RESP
    request_exclusion,  ///< BEGIN_REQ while another request waits for its END_REQ
    response_exclusion, ///< BEGIN_RESP while another response waits for its END_RESP
    response_missing,   ///< a transaction that has not ended at the end of the run
    time_backwards,     ///< an annotated time earlier than the previous annotated time
    memory_management,  ///< a four-phase payload without memory manager or reference
    payload_attributes, ///< attributes that no request may have, whatever its command
    blocking_caller,    ///< b_transport called from a process that can't wait: no thread
    response_status,    ///< incomplete or unknown when the response begins
};

const char* to_string(protocol_rule rule);

struct protocol_violation {
    protocol_rule rule;
    std::uint64_t transaction; ///< counted from 0 in the order of BEGIN_REQ on this connection
    std::string phase;         ///< in which the violation was seen
    sc_core::sc_time time;     ///< annotated delay included
    std::string text;

    std::string describe() const;
};

/// All calls are passed on unchanged, also after a violation. The first 100 violations are kept, all are counted.
class protocol_checker : public sc_core::sc_module,
                         public tlm::tlm_fw_transport_if<>,
                         public tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_target_socket<> target;       ///< bound by the initiator
    tlm::tlm_initiator_socket<> initiator; ///< bound to the ISBE port

    /// `port` is the number for observers.
    protocol_checker(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port = 0);
    ~protocol_checker() override;

    /// Reports transactions that have not ended (response_missing). Call it when the run is over.
    void finish();
    std::uint64_t violation_count() const { return violation_count_; }
    const std::vector<protocol_violation>& violations() const { return violations_; }
    std::uint64_t transactions() const { return next_id_; }

    /// Operations (not plain accesses) are reported to `observer`, which must outlive the simulation.
    void attach(transaction_observer& observer) { observers_.push_back(&observer); }

private:
    enum class state : std::uint8_t { requested, accepted, responding };
    struct attributes;
    struct flight;
    class blocking_call;
    /// Where something is checked.
    struct place {
        std::uint64_t id; ///< of the transaction
        const char* phase;
        const sc_core::sc_time& delay; ///< annotated, as it is by then
    };

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

    flight* find(tlm::tlm_generic_payload& payload);
    void begin_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
    void end_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
    void begin_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
    void end_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
    /// TLM_COMPLETED on the forward path: request and response together.
    void completed_early(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
    void accept(tlm::tlm_generic_payload& payload, flight& f, const sc_core::sc_time& delay);
    void check_request(const tlm::tlm_generic_payload& payload, const place& where);
    void check_unchanged(tlm::tlm_generic_payload& payload, const flight& f, const place& where);
    void check_result(tlm::tlm_generic_payload& payload, const flight& f, const place& where);
    void check_status(const tlm::tlm_generic_payload& payload, const place& where);
    void check_exclusion(protocol_rule rule, bool under_way, const sc_core::sc_time& free, const place& where);
    void check_answer(tlm::tlm_sync_enum status, const tlm::tlm_phase& sent, const tlm::tlm_phase& phase,
                      const sc_core::sc_time& sent_delay, const sc_core::sc_time& delay);
    bool is_blocking(const tlm::tlm_generic_payload& payload) const;
    void check_time(flight* f, sc_core::sc_time& path, const place& where);
    void violation(protocol_rule rule, const place& where, std::string text);

    cycle_clock clock_;
    unsigned port_;
    std::unordered_map<tlm::tlm_generic_payload*, flight> flights_;
    tlm::tlm_generic_payload* requesting_ = nullptr;
    tlm::tlm_generic_payload* responding_ = nullptr;
    std::vector<const tlm::tlm_generic_payload*> blocking_; ///< in b_transport
    sc_core::sc_time request_free_;                         ///< when the latest request was accepted
    sc_core::sc_time response_free_;                        ///< when the latest response ended
    sc_core::sc_time forward_time_;
    sc_core::sc_time backward_time_;
    std::uint64_t next_id_ = 0;
    std::uint64_t violation_count_ = 0;
    std::vector<protocol_violation> violations_;
    std::vector<transaction_observer*> observers_;
};

} // namespace isbesim
