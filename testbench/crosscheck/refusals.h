// SPDX-License-Identifier: Apache-2.0
// Payloads that the ISBE refuses, and the response status by which it does (IEEE 1666, 14.7; tlm/payload_extension.h).
#pragma once

#include <vector>

#include <tlm>

#include "tlm/warp_op.h"

namespace isbesim::testbench {

struct refusal_case {
    const char* name;
    tlm::tlm_response_status status;
    bool operation;                                         ///< otherwise a plain access
    void (*change)(tlm::tlm_generic_payload&, warp_op& op); ///< of a legal one
};
const std::vector<refusal_case>& refusal_cases();

} // namespace isbesim::testbench
