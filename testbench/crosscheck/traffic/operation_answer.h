// SPDX-License-Identifier: Apache-2.0
// The response of an operation in the few bytes that a trace keeps.
#pragma once

#include <cstdint>

#include "tlm/warp_op.h"

namespace isbesim::testbench {

struct operation_answer {
    op_error error = op_error::none;
    std::uint16_t status = 0; ///< lane_status bits of all lanes together
    std::uint32_t digest = 0; ///< of error, every lane's status and all loaded data; not of time (passes)

    bool operator==(const operation_answer& other) const
    {
        return error == other.error && status == other.status && digest == other.digest;
    }
    bool operator!=(const operation_answer& other) const { return !(*this == other); }
};

/// Components of a result that an operation can fill.
unsigned responded_components(const warp_op& op);

/// The digest, part of the trace's format: the low half of a checksum of the error, of the lanes' status unless all are
/// 0, and of the loaded words, two at a time.
operation_answer answer_of(const warp_op& op, const warp_result& result);

} // namespace isbesim::testbench
