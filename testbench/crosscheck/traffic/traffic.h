// SPDX-License-Identifier: Apache-2.0
// The requests of a port of the ISBE with their times: the common form of random traffic and of traces in an open loop.
#pragma once

#include <cstdint>

#include "testbench/crosscheck/traffic/operation_answer.h"
#include "tlm/transaction_times.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// One transaction of one port. A port offers its items in order: an item appears on the request channel at
/// max(earliest, cycle after the previous item's acceptance).
struct traffic_item {
    std::uint64_t earliest = 0;      ///< cycle before which the request does not appear
    std::uint32_t response_hold = 0; ///< cycles between the response's appearance and its acceptance
    warp_op op;
};

/// A finite stream of items per port. Ports are drawn from independently, in any interleaving: the items of one port
/// must not depend on the draws from the other.
class traffic_source {
public:
    virtual ~traffic_source() = default;
    /// The port's next transaction, valid until the next draw from the port; null if the port has no more.
    virtual const traffic_item* draw(unsigned port) = 0;
    /// Draws and copies it to `item`; false if the port has no more.
    bool next(unsigned port, traffic_item& item)
    {
        const traffic_item* const drawn = draw(port);
        if (drawn != nullptr) item = *drawn;
        return drawn != nullptr;
    }
};

/// Receives the responses to the traffic.
class traffic_listener {
public:
    virtual ~traffic_listener() = default;
    /// Operation `number` of a trace is the next one of its port; `recorded` is its recorded response. Not called for
    /// traffic that was not recorded.
    virtual void sent(unsigned /*port*/, std::uint64_t /*number*/, const operation_answer& /*recorded*/) {}
    /// In port order; with four phases, in the cycle in which the response appears.
    virtual void responded(unsigned port, std::uint32_t response_hold, const warp_op& op, const warp_result& result,
                           const transaction_times& times) = 0;
};

} // namespace isbesim::testbench
