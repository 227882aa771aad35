// SPDX-License-Identifier: Apache-2.0
// Memory manager: payloads with their extension permanently attached, reused without allocation.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <tlm>

#include "tlm/payload_extension.h"

namespace isbesim {

/// Grows to the largest number of payloads in use at a time and frees them all in its destructor, including those that
/// were still in flight when the simulation stopped: the pool must outlive the last call that touches a payload.
class payload_pool : public tlm::tlm_mm_interface {
public:
    payload_pool() = default;
    ~payload_pool() override;
    payload_pool(const payload_pool&) = delete;
    payload_pool& operator=(const payload_pool&) = delete;

    /// A payload for a warp operation with one reference, which its owner releases. `op` and `result` keep the values
    /// of the last use.
    tlm::tlm_generic_payload& acquire();

    /// The extension of a payload that came from a pool, without a look-up.
    static isbe_extension& extension(tlm::tlm_generic_payload& payload);

    /// Number of payloads ever made, and of those in use.
    std::size_t size() const { return entries_.size(); }
    std::size_t in_use() const { return entries_.size() - free_.size(); }

private:
    /// Derived from the payload so that the way back from the payload to its extension is a cast.
    struct entry final : tlm::tlm_generic_payload {
        isbe_extension extension;

        explicit entry(tlm::tlm_mm_interface* manager);
        ~entry() override;
    };

    void free(tlm::tlm_generic_payload* payload) override;

    std::vector<std::unique_ptr<entry>> entries_;
    std::vector<entry*> free_;
};

} // namespace isbesim
