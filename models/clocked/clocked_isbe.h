// SPDX-License-Identifier: Apache-2.0
// The timed ISBE cycle by cycle, through its pins and without SystemC: micro-architecture sections 2 and 5. The cycles
// come from grant_scheduler, as do those of the SystemC module isbe_at.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/timing/grant_scheduler.h"

namespace isbesim {

/// The words that a store writes in each of its passes: they determine the words left by a reset in the middle
/// (micro-architecture sections 2 and 5). The functional core knows whole operations only.
class store_passes {
public:
    explicit store_passes(const isbe_config& config) : config_(config), address_unit_(config) {}

    /// To be called before `core` executes `op`.
    void begin(const warp_op& op, const isbe_core& core);
    /// To be called right after that execution: undoes all of it except the writes of its first `done` passes.
    void cut(isbe_core& core, unsigned done) const;

private:
    /// A lane's part of a word.
    struct written {
        word index = 0;
        word value = 0;
        word mask = 0; ///< 0xff per byte
        unsigned pass = 0;
    };
    struct kept {
        word index = 0;
        word value = 0;
        bool overwritten = false;
    };

    void resolve(const warp_op& op, const context& where);
    void add_component(const component_access& access, const per_lane<word>& values, const per_lane<word>& masks);
    unsigned pass_of(word index, std::vector<word>& known) const;

    isbe_config config_;
    isbesim::address_unit address_unit_;
    resolved_op resolved_;
    std::vector<written> writes_; ///< in an order in which the last write of a byte wins
    std::vector<kept> before_;
    unsigned passes_ = 0; ///< of the components so far
    bool overwrites_ = false;
};

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
    /// Throws the exception of clock() if the request of this port is the reason.
    void check(unsigned port, const port_inputs& inputs) const;
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
