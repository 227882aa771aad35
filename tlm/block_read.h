// SPDX-License-Identifier: Apache-2.0
// Many reads of words in one loosely timed payload: an initiator that runs ahead requests all its reads at once.
//
// An ignorable extension beside isbe_extension, whose operation is the first of the reads. A target that knows this
// extension carries out all reads, as if each had arrived after the passes of the previous read. It sets `passes` to
// their total; the delay extends to the last response, and there is no result. Any other target leaves `passes` 0 and
// carries out the first read only.
#pragma once

#include <cstdint>
#include <vector>

#include <tlm>

#include "tlm/run_read.h"

namespace isbesim {

class block_read : public tlm::tlm_extension<block_read> {
public:
    std::vector<run_read> runs; ///< at least one
    std::uint64_t passes = 0;

    tlm::tlm_extension_base* clone() const override { return new block_read(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const block_read&>(other); }
};

} // namespace isbesim
