// SPDX-License-Identifier: Apache-2.0
// A generic payload without the warp extension is a plain memory access: bytes of the linear, un-skewed storage. It is
// executed as warp operations on the `physical` region (micro-architecture section 4.5), at most 32 lanes each.
#pragma once

#include <cstddef>
#include <vector>

#include <tlm>

#include "models/isbe/functional/storage.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// The operations of one plain access, in the order in which they go through the port. Access to whole words of a line
/// takes one operation; further operations of up to 32 single bytes store bytes of partly written words, before it as
/// soon as 32 are known, and after it.
struct raw_access {
    std::vector<warp_op> ops;
    std::vector<warp_result> results; ///< of the same size; filled by the target
};

/// TLM_OK_RESPONSE, or the error of an access that is impossible: command (neither read nor write), burst (no length,
/// or a streaming width below the length), byte enables (no length), address (beyond `bytes`), generic (no data).
tlm::tlm_response_status check_raw_access(const tlm::tlm_generic_payload& payload, std::size_t bytes);

/// For a payload that passed the check. Returns at least one operation, even if no byte is enabled.
raw_access split_raw_access(const tlm::tlm_generic_payload& payload);

/// Copies the words read into the payload's data array, enabled bytes only.
void finish_raw_access(tlm::tlm_generic_payload& payload, const raw_access& access);

/// transport_dbg: number of bytes copied; 0 for anything but a read or write that starts inside the storage.
unsigned debug_access(storage& memory, tlm::tlm_generic_payload& payload);

} // namespace isbesim
