// SPDX-License-Identifier: Apache-2.0
// Divides the components of a register into accesses of several words.
#pragma once

#include <vector>

#include "models/varying/allocation/scratch_pool.h"

namespace isbesim::varying {

struct access_run {
    unsigned component;
    unsigned words;
};

/// Whether an access of `words` words may begin at this scalar address or register; three words need the alignment of
/// four (HARDWARE.md B.4).
bool is_aligned(unsigned words, unsigned scalar);

/// Divides the components of `mask` into accesses as wide as the alignment of the address (in scalars) and of the
/// registers allows. No access crosses a boundary of four scalars, as low address bits are dropped (HARDWARE.md B.4).
std::vector<access_run> runs_of(unsigned mask, unsigned scalar, const component_registers& where);

} // namespace isbesim::varying
