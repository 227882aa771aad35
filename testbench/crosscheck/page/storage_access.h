// SPDX-License-Identifier: Apache-2.0
// The word accesses of an operation and their passes and lost bytes by section 5 of the micro-architecture
// page. Written from the page, for bins: the model counts passes another way.
#pragma once

#include <array>
#include <cstdint>

#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

struct storage_access {
    word index = 0; ///< absolute byte address / 4
    std::uint8_t lane = 0;
    std::uint8_t bytes = 0; ///< bit b: byte b of the word
};

/// Of one operation, by component.
class access_list {
public:
    void add(unsigned component, unsigned lane, word index, unsigned bytes)
    {
        accesses_[component][counts_[component]++] = {index, static_cast<std::uint8_t>(lane),
                                                      static_cast<std::uint8_t>(bytes)};
    }
    bool empty() const;
    /// Passes of the operation, one at least; `several`: a component takes more than one.
    unsigned passes(const isbe_config& config, bool& several) const;
    bool component_skipped() const;
    bool same_word() const;

    struct writers {
        bool share = false;     ///< lanes write bytes of one word in a component
        bool overwrite = false; ///< a byte is written by two components
        lane_mask losers = 0;   ///< of a byte, in a component
    };
    /// When all accesses are writes.
    writers written(lane_winner winner) const;

private:
    unsigned passes_of(unsigned component, const isbe_config& config) const;

    std::array<std::array<storage_access, warp_lanes>, max_components> accesses_;
    std::array<unsigned, max_components> counts_{};
};

} // namespace isbesim::testbench
