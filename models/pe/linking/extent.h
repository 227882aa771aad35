// SPDX-License-Identifier: Apache-2.0
// A run of ISBE lines.
#pragma once

namespace isbesim {

/// Consecutive 128-byte lines. `count` 0: no space.
struct extent {
    unsigned first = 0;
    unsigned count = 0;
};

} // namespace isbesim
