// SPDX-License-Identifier: Apache-2.0
// Memory beyond the ISBE as a TLM-2.0 target: regions at 64-bit addresses.
//
// Serves any number of initiators, which send plain generic payloads. A payload reads or writes bytes of one region;
// byte enables and streaming are honoured. An access beyond one region gets TLM_ADDRESS_ERROR_RESPONSE and changes
// nothing. The module never waits: b_transport adds its latency to the delay, nb_transport_fw completes at once with
// the latency as its annotated delay, so payloads are handled in the order of the calls. Regions never move: DMI grants
// a whole region, with the same latency, and is invalidated only when the contents are replaced.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include "models/memory/memory_contents.h"

namespace isbesim {

class memory_module : public sc_core::sc_module {
public:
    tlm_utils::multi_passthrough_target_socket<memory_module> socket;

    /// `contents` must outlive the module; null: there is no memory. Each access takes `latency`.
    memory_module(const sc_core::sc_module_name& name, memory_contents* contents, const sc_core::sc_time& latency);

    /// Other contents from now on; DMI pointers granted before are invalidated.
    void replace(memory_contents* contents);

    /// Transactions that were not debug accesses, and the bytes that they moved.
    std::uint64_t transactions() const { return transactions_; }
    std::uint64_t bytes() const { return bytes_; }

private:
    void b_transport(int id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    tlm::tlm_sync_enum nb_transport_fw(int id, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    unsigned transport_dbg(int id, tlm::tlm_generic_payload& payload);
    bool get_direct_mem_ptr(int id, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& granted);
    tlm::tlm_response_status access(tlm::tlm_generic_payload& payload);

    memory_contents* contents_;
    sc_core::sc_time latency_;
    std::uint64_t transactions_ = 0;
    std::uint64_t bytes_ = 0;
};

} // namespace isbesim
