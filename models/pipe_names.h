// SPDX-License-Identifier: Apache-2.0
// Names of an SM's pipes: the key of the lanes of NAME is sm.NAME_lanes, its cycles are under NAME_pipe.
#pragma once

#include "models/sm_pipe.h"

namespace isbesim {

inline constexpr const char* pipe_names[sm_pipe_count] = {"fp32",     "fp16",      "fp64",       "integer",
                                                          "multiply", "shift",     "special",    "bits",
                                                          "convert",  "convert64", "load_store", "texture"};

} // namespace isbesim
