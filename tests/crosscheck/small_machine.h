// SPDX-License-Identifier: Apache-2.0
// The machine of tests that want storage to be reused soon.
#pragma once

#include "models/machine_config.h"

namespace isbesim::testbench {

/// Few contexts: not all operations of a short trace bind them.
inline isbe_config small_machine()
{
    isbe_config config;
    config.lines = 64;
    config.contexts = 4;
    return config;
}

} // namespace isbesim::testbench
