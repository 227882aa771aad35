// SPDX-License-Identifier: Apache-2.0
// Completes incomplete program texts.
#pragma once

#include "testbench/pack/pack_input.h"

namespace isbesim::testbench {

/// Completes an incomplete text. A text without instructions gets instructions that read every input and write every
/// output, arrays at run-time indices, and access nothing undeclared. TEMP and ADDR registers that are read before they
/// are written get values: in vertex programs from additional attributes, in geometry programs from the primitive's
/// number, otherwise and without a free attribute from immediates. Undeclared immediates are 1.0, 2.0, … Texts with
/// instructions without a lowering, and fragment programs, do not change.
void complete(packed_program& program);

/// Makes a vertex program that supplies the inputs of `geometry` from vertex attributes.
packed_program make_supplier(const packed_program& geometry);

} // namespace isbesim::testbench
