// Whole programs from texts that are none.
#pragma once

#include "testbench/pack_input.h"

namespace isbesim::testbench {

/// Makes a whole program of a text that is none. Without instructions it gets some: every output is written, arrays at
/// a run-time index, and input arrays are read at one. TEMP and ADDR registers that are read before they are written
/// get values from vertex attributes (in geometry programs from the primitive's number), immediates that are not
/// declared are 1.0, 2.0, …
void complete(packed_program& program);

/// A vertex program that supplies the inputs of `geometry` from vertex attributes.
packed_program make_supplier(const packed_program& geometry);

} // namespace isbesim::testbench
