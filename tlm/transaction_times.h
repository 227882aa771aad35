// SPDX-License-Identifier: Apache-2.0
// The times of a transaction's phases, as seen at the port.
#pragma once

#include <cstdint>

namespace isbesim {

/// Cycles of one transaction with its response, as seen at the port.
struct transaction_times {
    std::uint64_t begin_request = 0; ///< BEGIN_REQ
    std::uint64_t accept = 0;        ///< END_REQ: the request transfer
    std::uint64_t response = 0;      ///< BEGIN_RESP
};

} // namespace isbesim
