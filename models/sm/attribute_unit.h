// SPDX-License-Identifier: Apache-2.0
// Sends the SM's attribute operations to the ISBE: one transaction per warp instruction, a queue in front of the port.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <systemc>
#include <tlm>

#include "models/isa/program.h"
#include "models/machine_config.h"
#include "models/statistics/time_weighted.h"
#include "tlm/clock.h"
#include "tlm/payload_extension.h"
#include "tlm/ring.h"
#include "tlm/warp_initiator.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// One transaction from issue to response. A warp instruction needs one transaction, but a vector access by .PHYS needs
/// one for each scalar (allow_phys_vector).
struct attribute_operation {
    isbe_extension request; ///< contains `op`, so transport() copies nothing
    warp_op& op = request.op;
    unsigned warp = 0;                             ///< warp slot
    const isa::instruction* instruction = nullptr; ///< nullptr: the final OUT that EXIT issues
    std::uint32_t pc = 0;
    std::uint64_t issued = 0; ///< cycle
    unsigned component = 0;   ///< of a vector .PHYS access
    bool last = true;         ///< the last component
    unsigned index = 0;       ///< its index in the unit's table
    cause because;            ///< its issue

    attribute_operation() = default;
    attribute_operation(const attribute_operation&) = delete;
    attribute_operation& operator=(const attribute_operation&) = delete;
};

class attribute_unit : public sc_core::sc_module, private warp_initiator::client {
public:
    class client {
    public:
        virtual ~client() = default;
        /// The operation has left the queue in this cycle: its request was transferred.
        virtual void attribute_accepted(const attribute_operation& operation) = 0;
        /// The response has arrived in this cycle.
        virtual void attribute_responded(const attribute_operation& operation, const warp_result& result) = 0;
    };

    attribute_unit(const sc_core::sc_module_name& name, const sm_config& config, const cycle_clock& clock,
                   warp_initiator::style style, client& owner);
    ~attribute_unit() override;

    tlm::tlm_initiator_socket<>& socket() { return initiator_->socket; }

    /// True if an operation issued in `cycle` has no place. Places freed in a cycle count from the next cycle on, so
    /// that the result does not depend on the order of events within a cycle.
    bool full(std::uint64_t cycle) const;
    /// The operation that the next submit() queues; to be filled in place.
    attribute_operation& prepare()
    {
        if (idle_.empty()) add_operation();
        return *operations_[idle_.back()];
    }
    /// Queues the prepared operation. It is on the port in the next cycle at the earliest, in order. The scalars of a
    /// vector may exceed the depth by three.
    void submit(std::uint64_t now);
    /// Instead of submit(): calls the ISBE at once by b_transport with `delay`, which becomes the time until the
    /// response. The target must not wait. The response is valid until the next call.
    const isbe_extension& transport(sc_core::sc_time& delay);
    /// Passes operations issued before this cycle to the port; to be called in the cycle after a submit().
    void send();
    bool unsent() const { return !unsent_.empty(); }
    /// Cause of the event being delivered.
    const cause& because() const { return initiator_->because(); }
    /// The event that freed the latest place that can be used in `cycle`.
    const cause& place_before(std::uint64_t cycle) const
    {
        return freed_because_.cycle() < cycle ? freed_because_ : freed_earlier_;
    }
    /// Operations in the queue, for messages.
    unsigned queued() const { return occupied_; }
    /// Number of queued operations over time; the scalars of a vector count separately.
    const time_weighted& occupancy() const { return occupancy_; }

private:
    void add_operation();
    void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;
    void accepted(std::uint64_t tag) override;

    cycle_clock clock_;
    unsigned depth_;
    client& client_;
    std::unique_ptr<warp_initiator> initiator_;
    std::vector<std::unique_ptr<attribute_operation>> operations_; ///< as many as were ever in use at once
    std::vector<unsigned> idle_;
    ring<unsigned> unsent_;
    tlm::tlm_generic_payload payload_; ///< of transport()
    unsigned occupied_ = 0;            ///< queue places taken, without those freed in freed_cycle_
    unsigned freed_ = 0;               ///< places freed in freed_cycle_
    std::uint64_t freed_cycle_ = 0;
    time_weighted occupancy_;
    cause freed_because_;
    cause freed_earlier_; ///< of a place freed in an earlier cycle
};

} // namespace isbesim
