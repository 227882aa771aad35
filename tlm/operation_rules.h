// SPDX-License-Identifier: Apache-2.0
// What an initiator may send as a warp operation: the values of its fields (warp_fields.h) and of the payload's
// attributes.
#pragma once

#include <string>

#include <tlm>

#include "tlm/warp_op.h"

namespace isbesim {

/// Why a warp operation is refused. The reason is empty, and the status TLM_OK_RESPONSE, unless it is.
struct refusal {
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    std::string reason;
};

/// Checks `op` and the attributes of its payload that payload_extension.h lists, without the response status, which the
/// target sets in any case, and the address, which an interconnect may translate.
refusal check_operation(const tlm::tlm_generic_payload& payload, const warp_op& op);

} // namespace isbesim
