// SPDX-License-Identifier: Apache-2.0
// Level 2 and DRAM of TPCs that are simulated together, to measure what the rule for TPCs apart leaves out.
#pragma once

#include "models/memory/memory_path.h"

namespace isbesim {

/// While it lives, all memory paths of this process share its tags of level 2 and its DRAM: whichever asks first in
/// time reads a sector, and DRAM serves requests as they come, at the rate of the chip.
class shared_memory {
public:
    explicit shared_memory(const machine_config& config);
    ~shared_memory();
    shared_memory(const shared_memory&) = delete;
    shared_memory& operator=(const shared_memory&) = delete;

    sector_cache l2;
    serial_unit dram;
};

} // namespace isbesim
