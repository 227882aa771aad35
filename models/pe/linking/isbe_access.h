// SPDX-License-Identifier: Apache-2.0
// What the PE does with an ISBE besides BIND: moving one 32-bit component of up to 32 vertices per access, physically
// addressed. The stage steps see this and no SystemC.
#pragma once

#include <vector>

#include "models/isbe/functional/lanes.h"
#include "models/pe/linking/spaces.h"
#include "tlm/run_read.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Writes are carried out in the order of the calls, reads too; a write may overtake reads.
class isbe_access {
public:
    virtual ~isbe_access() = default;
    /// Lane i of `lanes` writes values[i] to run.base + i * run.stride.
    virtual void write(const component_run& run, lane_mask lanes, const per_lane<word>& values) = 0;
    /// Lane i of `lanes` reads into destination[i], which must live until the access's response.
    virtual void read(const component_run& run, lane_mask lanes, word* destination) = 0;
    /// read() of each run, in their order.
    virtual void read_all(const std::vector<run_read>& runs)
    {
        for (const auto& run : runs) read({run.address, run.stride}, run.lanes, run.to);
    }
};

/// Writes `count` consecutive words from a byte address that is a multiple of 4, 32 words per access.
void write_words(isbe_access& isbe, word address, const word* values, unsigned count);
/// Reads them; `destination` must live until the last access's response.
void read_words(isbe_access& isbe, word address, word* destination, unsigned count);

} // namespace isbesim
