// SPDX-License-Identifier: Apache-2.0
// An access that occupies a port but is not a plain four-phase warp operation: a raw access of several operations, or a
// blocking call. It goes through the same queues, one operation after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include <systemc>

#include "models/isbe/timing/raw_access.h"

namespace isbesim {

/// Owns its operations and results, because the thread of a blocking call may be killed or reset, and its payload
/// destroyed, while the queues still hold them.
class compound_access {
public:
    explicit compound_access(raw_access parts) : parts_(std::move(parts)) {}
    compound_access(const compound_access&) = delete;
    compound_access& operator=(const compound_access&) = delete;

    const raw_access& parts() const { return parts_; }

    /// The operation that waits for the request channel; valid until request_done() has been called for each operation.
    const warp_op& op() const { return parts_.ops[requested_]; }
    warp_result& result() { return parts_.results[requested_]; }
    /// Returns true if that was the last request.
    bool request_done() { return ++requested_ == parts_.ops.size(); }
    /// Returns true if that was the last response.
    bool response_done() { return ++responded_ == parts_.ops.size(); }

    /// Blocking calls only; notified when the call may return.
    std::optional<sc_core::sc_event> done;

private:
    raw_access parts_;
    std::size_t requested_ = 0;
    std::size_t responded_ = 0;
};

} // namespace isbesim
