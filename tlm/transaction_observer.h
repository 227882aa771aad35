// SPDX-License-Identifier: Apache-2.0
// Observer interface; costs one null check when unused.
#pragma once

#include <cstdint>

#include "tlm/access_footprint.h"
#include "tlm/transaction_times.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Called by an ISBE (for all its ports) or by a protocol checker (for its one connection). `id` counts the operations
/// of the caller from 0, in the order of their BEGIN_REQ.
class transaction_observer {
public:
    virtual ~transaction_observer() = default;
    virtual void begin_request(std::uint64_t /*id*/, unsigned /*port*/, const warp_op& /*op*/, std::uint64_t /*cycle*/)
    {
    }
    virtual void accept(std::uint64_t /*id*/, unsigned /*port*/, std::uint64_t /*cycle*/) {}
    /// The operation was carried out: it held the banks for `result.passes` cycles from `cycle` on. A protocol
    /// checker does not report it. The RTL does not show its grants, so its report comes with the response and has the
    /// latest cycle that fits.
    virtual void granted(std::uint64_t /*id*/, unsigned /*port*/, const warp_op& /*op*/, const warp_result& /*result*/,
                         std::uint64_t /*cycle*/, const access_footprint& /*footprint*/)
    {
    }
    /// BEGIN_RESP; `op` and `result` are valid during the call.
    virtual void response(std::uint64_t /*id*/, unsigned /*port*/, const warp_op& /*op*/, const warp_result& /*result*/,
                          const transaction_times& /*times*/)
    {
    }
    /// END_RESP: the response transfer. A protocol checker and the LT ISBE don't report it.
    virtual void end_response(std::uint64_t /*id*/, unsigned /*port*/, std::uint64_t /*cycle*/) {}
};

} // namespace isbesim
