// SPDX-License-Identifier: Apache-2.0
// Finds the sizes of batches and warps, the stages that share lines with their input, and the ISBE lines needed.
#pragma once

#include "models/pe/linking/linking.h"

namespace isbesim {

/// Completes `pipeline`, whose stages, maps and modes are already set. Reduces its needs until they fit isbe.lines:
/// first the batches whose inputs a geometry stage shares, then that sharing, then geometry warps, then the sharing of
/// a TS stage. Throws batch_too_large.
void size_spaces(const draw_call& draw, const machine_config& config, linked_pipeline& pipeline);

} // namespace isbesim
