// The one extension of the ISBE protocol: the warp operation and its answer, carried by a generic payload.
//
// A payload with this extension uses TLM_IGNORE_COMMAND and no data array: everything is in here. A payload without it
// is a plain memory access, which the ISBE accepts too.
#pragma once

#include <tlm>

#include "tlm/warp_op.h"

namespace isbesim {

/// Mandatory for warp operations. The initiator owns `op` and keeps it unchanged for the whole transaction; the target
/// fills `result`, which is valid and stable from BEGIN_RESP (or the return of b_transport) on.
class isbe_extension : public tlm::tlm_extension<isbe_extension> {
public:
    warp_op op;
    warp_result result;

    tlm::tlm_extension_base* clone() const override;
    void copy_from(const tlm::tlm_extension_base& other) override;
};

} // namespace isbesim
