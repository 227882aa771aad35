// SPDX-License-Identifier: Apache-2.0
// The interface of all back ends that can take the ISBE's place: one target socket per client port.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <systemc>
#include <tlm>

#include "models/attribute/layout.h"
#include "models/isbe/timing/isbe_timing_counters.h"
#include "models/machine_config.h"
#include "models/statistics/cycle_stack.h"
#include "tlm/transaction_observer.h"

namespace isbesim {

/// A port may stay unbound. Any TLM-2.0 base protocol initiator fits: payloads with isbe_extension are warp operations,
/// payloads without it plain accesses to the storage.
///
/// An operation with a field, an attribute of its payload or a context descriptor that tlm/operation_rules.h or section
/// 3 of the micro-architecture excludes is refused in every transport call: an error response, and a warning that names
/// the field.
class isbe_module : public sc_core::sc_module {
public:
    using port_socket = tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

    ~isbe_module() override;

    /// Port 0 is the SM's, port 1 the PE's; with one port they share it.
    sc_core::sc_vector<port_socket> ports;

    /// Where the port's cycles went so far.
    virtual isbe_timing_counters timing(unsigned port) const = 0;
    /// Where all cycles before the current one went; empty for back ends that do not record it.
    virtual std::vector<cycle_stack> stacks() { return {}; }

    /// Whether payloads carry the causes of their events (tlm/cause.h).
    virtual bool tells_causes() const { return false; }

    /// Every operation of every port is reported to `observer`, which must outlive the module.
    void attach(transaction_observer& observer) { observers_.push_back(&observer); }

protected:
    isbe_module(const sc_core::sc_module_name& name, const isbe_config& config);

    virtual tlm::tlm_sync_enum forward(unsigned port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) = 0;
    virtual void block(unsigned port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
    virtual unsigned debug(tlm::tlm_generic_payload& payload) = 0;
    /// By default denied for all addresses: a pointer would bypass the queues.
    virtual bool direct_memory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);

    const std::vector<transaction_observer*>& observers() const { return observers_; }
    std::size_t storage_bytes() const { return std::size_t{config_.lines} * line_bytes; }

private:
    class port_interface;

    /// True if the payload is an operation that can't be carried out; it then has its error response.
    bool refuses(tlm::tlm_generic_payload& payload) const;

    isbe_config config_;
    std::vector<std::unique_ptr<port_interface>> interfaces_;
    std::vector<transaction_observer*> observers_;
};

} // namespace isbesim
