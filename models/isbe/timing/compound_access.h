// SPDX-License-Identifier: Apache-2.0
// What occupies a port besides a plain four-phase warp operation: a raw access of several operations, or a blocking
// call. It goes through the same queues, one operation after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include <systemc>

#include "models/isbe/timing/raw_access.h"

namespace isbesim {

/// Has operations and results of its own: the thread of a blocking call may be killed or reset while the queues hold
/// them, and its payload goes with it.
class compound_access {
public:
    explicit compound_access(raw_access parts) : parts_(std::move(parts)) {}
    compound_access(const compound_access&) = delete;
    compound_access& operator=(const compound_access&) = delete;

    const raw_access& parts() const { return parts_; }

    /// The operation that asks for the request channel, until request_done() has been called for each.
    const warp_op& op() const { return parts_.ops[requested_]; }
    warp_result& result() { return parts_.results[requested_]; }
    /// True when that was the last one.
    bool request_done() { return ++requested_ == parts_.ops.size(); }
    /// True when all have responded.
    bool response_done() { return ++responded_ == parts_.ops.size(); }

    /// Of a blocking call; notified when it may return.
    std::optional<sc_core::sc_event> done;

private:
    raw_access parts_;
    std::size_t requested_ = 0;
    std::size_t responded_ = 0;
};

} // namespace isbesim
