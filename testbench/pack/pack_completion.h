// SPDX-License-Identifier: Apache-2.0
// Whole programs from incomplete texts.
#pragma once

#include "testbench/pack/pack_input.h"

namespace isbesim::testbench {

/// Completes an incomplete text. Without instructions it gets some: every input is read and every
/// output written, arrays at run-time indices, and nothing is touched that is not declared. TEMP and ADDR registers
/// that are read before they are written get values: from vertex attributes that are added, in geometry programs from
/// the primitive's number, elsewhere and where no attribute is free from immediates. Immediates that are not declared
/// are 1.0, 2.0, … Texts with instructions that have no lowering, and fragment programs, stay as they are.
void complete(packed_program& program);

/// A vertex program that supplies the inputs of `geometry` from vertex attributes.
packed_program make_supplier(const packed_program& geometry);

} // namespace isbesim::testbench
