// SPDX-License-Identifier: Apache-2.0
// The only extension of the ISBE protocol: the warp operation and its response, carried by a generic payload.
//
// A payload with this extension is a warp operation, which the extension describes completely. The other attributes of
// the payload are legal for any component on the path that knows the base protocol but not this extension:
//
//   command          TLM_IGNORE_COMMAND: no memory is read or written for it through the data pointer
//   address          0; the operation is for the whole ISBE. Interconnects that decode addresses see its first byte
//   data pointer     the extension's op.data, the operation's store data: 512 bytes, unchanged on the way
//   data length      512, and the streaming width the same; no byte enables
//   response status  TLM_OK_RESPONSE when the operation was carried out, also when its result has an error
//
// A component that forwards a payload of its own copies with deep_copy_from() and back with update_original_from(),
// which include the extension; it provides its own data array of 512 bytes.
//
// A payload without the extension is a plain memory access, which the ISBE accepts too.
#pragma once

#include <tlm>

#include "tlm/cause_log.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Mandatory for warp operations. The initiator owns `op` and keeps it unchanged for the whole transaction; the target
/// fills `result`, which is valid and stable from BEGIN_RESP (or the return of b_transport) on.
class isbe_extension : public tlm::tlm_extension<isbe_extension> {
public:
    cause because; ///< the last event of the operation, set by the initiator up to BEGIN_REQ and by the target after it
    warp_op op;
    warp_result result;
    /// Loosely timed ISBE: the cycle up to which the requests so far keep the pass engine busy; an initiator that runs
    /// ahead of the others learns from it how loaded their shared engine is. 0: not known.
    std::uint64_t busy_until = 0;
    /// The same targets: cycles after which the port can take another operation if it has a single initiator.
    std::uint64_t interval = 0;
    /// The same targets, called without a delay: first cycle in which the port takes another request.
    std::uint64_t next_request = 0;

    tlm::tlm_extension_base* clone() const override;
    void copy_from(const tlm::tlm_extension_base& other) override;
};

/// Bytes of a warp operation's data array.
inline constexpr unsigned warp_data_bytes = sizeof(warp_op::data);

/// Gives `payload` the extension and the attributes of a request that are listed above. The caller keeps ownership of
/// the extension and calls clear_extension() before the payload ends.
void make_request(tlm::tlm_generic_payload& payload, isbe_extension& extension);

} // namespace isbesim
