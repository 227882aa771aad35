// SPDX-License-Identifier: Apache-2.0
// The extension of a launch transaction: the warp to start and, with the response, its outcome.
//
// Phases (both in LT and AT runs; a warp lives far too long for b_transport): BEGIN_REQ launches, END_REQ (or
// TLM_UPDATED) means that the warp has taken its slot, BEGIN_RESP reports completion and frees the slot, END_RESP (or
// TLM_COMPLETED) ends the transaction. The extension is mandatory and complete; the other attributes have legal values
// for components that know only the base protocol: TLM_IGNORE_COMMAND, address 0, the extension's tag as the data array
// (8 bytes, also the streaming width), no byte enables. b_transport is refused with TLM_COMMAND_ERROR_RESPONSE.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tlm>

#include "models/isa/execution/warp_launch.h"
#include "tlm/cause_log.h"

namespace isbesim {

class launch_extension : public tlm::tlm_extension<launch_extension> {
public:
    warp_launch launch;
    warp_completion completion; ///< valid from BEGIN_RESP on
    std::uint64_t tag = 0;      ///< for the initiator; targets do not change it
    cause because;              ///< cause of the launch; from BEGIN_RESP on, of the end

    tlm::tlm_extension_base* clone() const override;
    void copy_from(const tlm::tlm_extension_base& other) override;
};

/// Reuses launch transactions: allocates only while the number of warps in flight reaches a new maximum.
class launch_pool : public tlm::tlm_mm_interface {
public:
    launch_pool() = default;
    launch_pool(const launch_pool&) = delete;
    launch_pool& operator=(const launch_pool&) = delete;
    ~launch_pool() override;

    /// A transaction with one reference and a launch_extension.
    tlm::tlm_generic_payload& acquire();
    /// Called by the last release().
    void free(tlm::tlm_generic_payload* transaction) override;

private:
    std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
    std::vector<tlm::tlm_generic_payload*> idle_;
};

} // namespace isbesim
