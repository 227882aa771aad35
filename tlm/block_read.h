// SPDX-License-Identifier: Apache-2.0
// Many reads of words in one loosely timed payload: an initiator that runs ahead asks for all that it is going to read
// at once.
//
// An ignorable extension beside isbe_extension, whose operation is the first of the reads. A target that knows it
// carries out all of them, as if they had come one after the other, each when the one before had its passes, and says
// in `passes` how many these were together; the delay is until the last one is answered, and there is no result. A
// target that does not leaves `passes` 0 and has carried out the first one.
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
