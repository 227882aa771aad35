// SPDX-License-Identifier: Apache-2.0
// The rules of the TLM-2.0 base protocol, as IEEE 1666-2011 states them, watched on one connection. Written from the
// standard and not from tlm/protocol_checker: it knows nothing of warps, and the two are each other's check.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

namespace isbesim::test {

/// Passes every call on unchanged.
class base_protocol_monitor : public sc_core::sc_module,
                              public tlm::tlm_fw_transport_if<>,
                              public tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_target_socket<> target{"target"};
    tlm::tlm_initiator_socket<> initiator{"initiator"};

    explicit base_protocol_monitor(const sc_core::sc_module_name& name);

    /// At the end of the run: no transaction may be under way.
    void finish();
    /// The first hundred breaches, each with its time.
    const std::vector<std::string>& breaches() const { return breaches_; }
    std::uint64_t transactions() const { return transactions_; }

private:
    enum class stage { requested, accepted, responding };
    /// What must stay as it was when the transaction was sent.
    struct attributes {
        tlm::tlm_command command;
        const unsigned char* data;
        unsigned length;
        const unsigned char* enables;
        unsigned enable_length;
        unsigned streaming_width;
        tlm::tlm_gp_option option;
        std::vector<unsigned char> contents; ///< of the data array, unless the target may write it
        std::vector<unsigned char> enable_contents;

        explicit attributes(const tlm::tlm_generic_payload& payload);
        bool operator==(const attributes& other) const;
    };
    struct transaction {
        attributes sent;
        stage now = stage::requested;
        sc_core::sc_time last;
        tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
        std::vector<unsigned char> answer;
    };

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

    void check_request(const tlm::tlm_generic_payload& payload);
    void check_response(const tlm::tlm_generic_payload& payload, const attributes& sent);
    void begin_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
    void end_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
    void begin_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
    void end_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
    void complete_early(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
    transaction* find(tlm::tlm_generic_payload& payload, const char* phase, const sc_core::sc_time& at);
    void check_order(sc_core::sc_time& path, const sc_core::sc_time& at, const char* name);
    void check_untouched(const tlm::tlm_phase& sent, const tlm::tlm_phase& phase, bool same_delay);
    void breach(const std::string& text);

    std::map<tlm::tlm_generic_payload*, transaction> flying_;
    std::set<tlm::tlm_generic_payload*> blocking_;
    tlm::tlm_generic_payload* request_ = nullptr;  ///< between BEGIN_REQ and END_REQ
    tlm::tlm_generic_payload* response_ = nullptr; ///< between BEGIN_RESP and END_RESP
    sc_core::sc_time request_free_, response_free_;
    sc_core::sc_time forward_, backward_; ///< of the latest call on each path
    std::uint64_t transactions_ = 0;
    std::vector<std::string> breaches_;
};

} // namespace isbesim::test
