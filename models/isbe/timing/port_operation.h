// SPDX-License-Identifier: Apache-2.0
// A port's record of one operation.
#pragma once

#include <cstdint>

#include "tlm/cause.h"
#include "tlm/warp_op.h"

namespace tlm {
class tlm_generic_payload;
}

namespace isbesim {

class compound_access;

/// An operation from its arrival at a port to the transfer of its response.
struct port_operation {
    const warp_op* op = nullptr;
    warp_result* result = nullptr;
    tlm::tlm_generic_payload* payload = nullptr; ///< for the caller; null for a blocking call
    compound_access* compound = nullptr;         ///< for the caller
    std::uint64_t id = 0;                        ///< for the caller
    cause* because = nullptr;                    ///< where its last event is kept; null: not kept
    bool offered = false;                        ///< on the request channel, or past it
    std::uint64_t begin = 0;                     ///< cycle in which the request appeared at the port
    std::uint64_t accept = 0;                    ///< cycle of the request transfer
    std::uint64_t ready = 0;                     ///< g + P + L; set by the grant
};

} // namespace isbesim
