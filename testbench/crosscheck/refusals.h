// SPDX-License-Identifier: Apache-2.0
// Payloads that the ISBE refuses, and the response status by which it does (IEEE 1666, 14.7; tlm/payload_extension.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tlm>

#include "tlm/payload_pool.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

struct refusal_case {
    const char* name;
    tlm::tlm_response_status status;
    bool operation;                                                     ///< otherwise a plain access
    std::function<void(tlm::tlm_generic_payload&, warp_op& op)> change; ///< of a legal one
};
/// For an ISBE of `storage` bytes.
std::vector<refusal_case> refusal_cases(word storage);

/// Reports a difference between a target and the oracle: its kind, and details.
using failure = std::function<void(const std::string& kind, const std::string& text)>;
/// Sends the payload of the case in a blocking call and in one in phases.
void check_refusal(const refusal_case& each, tlm::tlm_initiator_socket<>& socket, payload_pool& pool,
                   const failure& fail);
/// Calls without an effect: other phases, debug transport without data or a command, and for AT the end of no response
/// and a payload without a memory manager.
void check_calls_without_effect(tlm::tlm_initiator_socket<>& socket, bool loosely, const failure& fail);

} // namespace isbesim::testbench
