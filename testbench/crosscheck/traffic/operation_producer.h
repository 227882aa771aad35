// SPDX-License-Identifier: Apache-2.0
// Decides the next operation of an ISBE port and receives the outcome; at_issuer and lt_issuer send the operations.
#pragma once

#include <cstdint>
#include <optional>

#include "tlm/transaction_times.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

class operation_producer {
public:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    struct issued {
        std::uint64_t tag = 0;
        unsigned socket = 0; ///< of an issuer with several sockets
    };

    virtual ~operation_producer() = default;

    /// First cycle in which the next operation can be requested, or in which to ask again; never: ask again after an
    /// acceptance or a response.
    virtual std::uint64_t due(std::uint64_t now) = 0;
    /// Fills in the operation that is requested in cycle `now`, in which one is due. Empty: the issuer asks again after
    /// the other processes of this cycle. `op` still holds the previous operation.
    virtual std::optional<issued> next(std::uint64_t now, warp_op& op) = 0;
    /// `next`: first cycle in which the same channel takes another request.
    virtual void accepted(std::uint64_t /*tag*/, std::uint64_t /*now*/, std::uint64_t /*next*/) {}
    /// In port order. Returns the number of cycles for which END_RESP is held back (AT only).
    virtual unsigned responded(std::uint64_t tag, const warp_op& op, const warp_result& result,
                               const transaction_times& times) = 0;
    /// No operation is left, and all have responded.
    virtual bool done() const = 0;
};

} // namespace isbesim::testbench
