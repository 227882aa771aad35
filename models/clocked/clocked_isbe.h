// SPDX-License-Identifier: Apache-2.0
// The timed ISBE cycle by cycle, through its pins and without SystemC: micro-architecture sections 2 and 5. The cycles
// come from grant_scheduler, as do those of the SystemC module isbe_at.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/clocked/store_passes.h"
#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/timing/grant_scheduler.h"

namespace isbesim {

/// Input pins of a port in one cycle.
struct port_inputs {
    const warp_op* request = nullptr; ///< the payload while req_valid is 1, else null
    bool response_ready = false;
};

/// The output pins of the current cycle depend only on earlier cycles. A caller passes the inputs of the cycle to
/// clock(), which ends it.
class clocked_isbe {
public:
    explicit clocked_isbe(const isbe_config& config);

    unsigned ports() const { return scheduler_->ports(); }
    std::uint64_t cycle() const { return cycle_; }
    bool request_ready(unsigned port) const { return scheduler_->can_accept(port, cycle_); }
    /// The payload while resp_valid is 1, else null.
    const warp_result* response(unsigned port) const { return valid_[port]; }

    /// The rising edge that ends the cycle; `inputs` has an element for each port. Throws std::invalid_argument,
    /// without any effect, if a BIND that would be transferred violates section 3 (check_context).
    void clock(const port_inputs* inputs);
    /// The same with `rst` 1.
    void clock_in_reset();

    /// The core after the operations granted in earlier cycles. Calls to it bypass the pins and take no time.
    isbe_core& core() { return core_; }
    const isbe_core& core() const { return core_; }
    const grant_scheduler& scheduler() const { return *scheduler_; }

private:
    struct stored_operation {
        warp_op op;
        warp_result result;
    };
    /// Operations of a port between their request and response transfers.
    struct slot_ring {
        std::vector<stored_operation> slots;
        std::size_t next = 0;
    };

    void begin_cycle();
    void check(unsigned port, const port_inputs& inputs) const;
    void take(unsigned port, const warp_op& request);

    isbe_core core_;
    std::optional<grant_scheduler> scheduler_;
    store_passes in_engine_;    ///< of the operation granted last
    std::uint64_t granted_ = 0; ///< cycle of that grant
    std::vector<slot_ring> channels_;
    std::vector<const warp_result*> valid_;
    std::uint64_t cycle_ = 0;
};

} // namespace isbesim
