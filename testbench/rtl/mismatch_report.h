// SPDX-License-Identifier: Apache-2.0
// Describes transactions as text, to find out why two implementations differ.
#pragma once

#include <cstdint>
#include <string>

#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// Number, port and all request fields; per-lane fields only of the active lanes.
std::string describe_transaction(std::uint64_t id, unsigned port, const warp_op& op);
/// "other data and other status": the fields in which two responses differ.
std::string different_parts(const warp_result& expected, const warp_result& got);
/// The fields and lanes in which two responses differ, each with expected and got.
std::string describe_difference(const warp_op& op, const warp_result& expected, const warp_result& got);

} // namespace isbesim::testbench
