// The approximately timed ISBE: accept, grant, passes and response of micro-architecture section 5, cycle for cycle.
#pragma once

#include <memory>
#include <vector>

#include "models/isbe/compound_access.h"
#include "models/isbe/grant_scheduler.h"
#include "models/isbe/isbe_core.h"
#include "models/isbe/isbe_module.h"
#include "tlm/clock.h"

namespace isbesim {

/// Four phases of the base protocol: BEGIN_REQ = req_valid, END_REQ = request transfer, BEGIN_RESP = resp_valid,
/// END_RESP = response transfer. END_REQ comes as TLM_UPDATED when the queue has room and on the backward path in the
/// cycle after a place became free otherwise. What happens does not depend on the order of calls inside a cycle.
///
/// The module wakes up only in cycles in which a response may leave or a waiting request may enter: one event for an
/// operation in a stream, two for a lone one of several passes.
///
/// A plain payload goes through the port as its operations (raw_access.h), one request transfer a cycle; END_REQ is the
/// transfer of the last one, BEGIN_RESP the response of the last one. b_transport uses the same queues and returns,
/// with the delay spent, in the cycle of the response. Annotated delays of incoming calls are waited for.
class isbe_at : public isbe_module {
public:
    isbe_at(const sc_core::sc_module_name& name, const isbe_config& config, const cycle_clock& clock);
    ~isbe_at() override;

    /// Everything granted before the current cycle has been carried out.
    isbe_core& core();
    isbe_timing_counters timing(unsigned port) const override { return scheduler_.counters(port); }

protected:
    tlm::tlm_sync_enum forward(unsigned port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay) override;
    void block(unsigned port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    unsigned debug(tlm::tlm_generic_payload& payload) override;
    bool direct_memory(tlm::tlm_dmi& dmi) override;

private:
    class delayed_calls;

    tlm::tlm_sync_enum begin_request(unsigned port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase);
    bool begin_compound(unsigned port, compound_access& access);
    /// Transfers the request on the channel if the queue takes it; true when that ends the request phase of its
    /// payload.
    bool enter(unsigned port, std::uint64_t now);
    void accept(unsigned port, port_operation operation, std::uint64_t now);
    void respond(unsigned port, const port_operation& operation, std::uint64_t now);
    void end_response(unsigned port, tlm::tlm_generic_payload& payload);
    void forget(const compound_access* access);
    void wake();
    /// Makes sure wake() runs in the next cycle that needs it.
    void plan();

    isbe_core core_;
    cycle_clock clock_;
    grant_scheduler scheduler_;
    std::vector<ring<port_operation>> waiting_;               // per port; the front one is on the request channel
    std::vector<tlm::tlm_generic_payload*> responding_;       // per port; BEGIN_RESP sent, END_RESP not seen
    std::vector<std::unique_ptr<delayed_calls>> delayed_;     // per port
    std::vector<std::unique_ptr<compound_access>> compounds_; // four-phase plain accesses on their way
    sc_core::sc_event wake_event_;
    std::uint64_t wake_cycle_ = grant_scheduler::never;
    bool waking_ = false;
    std::uint64_t next_id_ = 0;
};

} // namespace isbesim
