// SPDX-License-Identifier: Apache-2.0
// Payloads that the ISBE refuses, and the response status by which it does (IEEE 1666, 14.7; tlm/payload_extension.h).
#pragma once

#include <functional>
#include <vector>

#include <tlm>

#include "tlm/warp_op.h"

namespace isbesim::testbench {

struct refusal_case {
    const char* name;
    tlm::tlm_response_status status;
    bool operation;                                                     ///< otherwise a plain access
    std::function<void(tlm::tlm_generic_payload&, warp_op& op)> change; ///< of a legal one
};
/// For an ISBE of so many bytes.
std::vector<refusal_case> refusal_cases(word storage);

} // namespace isbesim::testbench
