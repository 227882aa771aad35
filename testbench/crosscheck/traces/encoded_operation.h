// SPDX-License-Identifier: Apache-2.0
// An operation as encoded in a trace: a tenth to a half of its size in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "testbench/crosscheck/traces/trace.h"
#include "tlm/warp_fields.h"

namespace isbesim::testbench {

inline constexpr std::size_t max_varint_bytes = 9; ///< 63 bits
/// Seven fields, the context, the immediate, the mask, and six arrays of lanes with their codes.
inline constexpr std::size_t max_operation_bytes = 7 + max_varint_bytes + 4 + 4 + 6 * (1 + 4 * warp_lanes);

/// Bytes that a trace_reader has checked.
struct encoded_operation {
    const std::uint8_t* bytes = nullptr;
    std::size_t size = 0;

    opcode op() const { return static_cast<opcode>(value(request_field::op)); }
    isbesim::region region() const { return static_cast<isbesim::region>(value(request_field::region)); }
    std::uint16_t context() const;

private:
    /// Value of a field before the context: each of those has a byte.
    std::uint8_t value(request_field field) const { return bytes[static_cast<unsigned>(field)]; }
};

static_assert(request_field_names.size() == 13 && trace_magic[7] == '3', "another layout has another number");

/// Fills in a cleared operation.
void decode(const std::uint8_t* bytes, warp_op& op);

} // namespace isbesim::testbench
