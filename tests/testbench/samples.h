// SPDX-License-Identifier: Apache-2.0
// Where the sample scenarios are.
#pragma once

#include <string>

#include "test_paths.h"

namespace isbesim::testbench {

/// Their folder, with a final slash.
inline const std::string samples = ISBESIM_SOURCE_DIR "/testbench/scenarios/";

} // namespace isbesim::testbench
