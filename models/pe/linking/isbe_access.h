// SPDX-License-Identifier: Apache-2.0
// The PE's accesses to an ISBE except BIND: each moves one 32-bit component of up to 32 vertices, physically addressed.
// The stage steps use this interface and no SystemC.
#pragma once

#include <vector>

#include "models/isbe/functional/lanes.h"
#include "models/pe/linking/spaces.h"
#include "tlm/run_read.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Writes are executed in the order of the calls, and so are reads; a write may overtake reads.
class isbe_access {
public:
    virtual ~isbe_access() = default;
    /// Lane i of `lanes` writes values[i] to run.base + i * run.stride.
    virtual void write(const component_run& run, lane_mask lanes, const per_lane<word>& values) = 0;
    /// Lane i of `lanes` reads into destination[i], which must live until the access's response.
    virtual void read(const component_run& run, lane_mask lanes, word* destination) = 0;
    /// Calls read() for each run, in order.
    virtual void read_all(const std::vector<run_read>& runs)
    {
        for (const auto& run : runs) read({run.address, run.stride}, run.lanes, run.to);
    }
};

/// Writes `count` consecutive words from a byte address that is a multiple of 4, 32 words per access.
void write_words(isbe_access& isbe, word address, const word* values, unsigned count);
/// Reads `count` words in the same way; `destination` must live until the last access's response.
void read_words(isbe_access& isbe, word address, word* destination, unsigned count);

} // namespace isbesim
