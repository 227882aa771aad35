// SPDX-License-Identifier: Apache-2.0
// How large batches and warps are, which stages share lines with their input, and how many ISBE lines that takes.
#pragma once

#include "models/pe/linking/linking.h"

namespace isbesim {

/// Fills everything in `pipeline` but its stages, their maps and its modes, which are there already. The request is
/// reduced until it fits isbe.lines: the batches whose inputs a geometry stage shares, then that sharing, then
/// geometry warps, then the sharing of a TS stage. Throws batch_too_large.
void size_spaces(const draw_call& draw, const machine_config& config, linked_pipeline& pipeline);

} // namespace isbesim
