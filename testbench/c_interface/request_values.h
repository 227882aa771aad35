// SPDX-License-Identifier: Apache-2.0
// Converts requests and responses of the C interface to the model's values and back.
#pragma once

#include "testbench/c_interface/isbesim.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// Throws std::invalid_argument for a field that does not fit its pins, or for a used field with a value that
/// micro-architecture section 2 does not define.
void read_request(const isbesim_request& request, warp_op& op);
void write_request(const warp_op& op, isbesim_request& to);

void write_response(const warp_result& result, isbesim_response& to);
void read_response(const isbesim_response& response, warp_result& result);

} // namespace isbesim::testbench
