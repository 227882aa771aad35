// SPDX-License-Identifier: Apache-2.0
// Measures the host time of a run: `host.wall_s`.
#pragma once

#include <chrono>

#include "testbench/rtl/rtl_store.h"

namespace isbesim::testbench {

/// Starts at construction. The time to build RTL plug-ins does not count, because the next run finds them.
class run_clock {
public:
    double seconds() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() -
               (rtl_build_seconds() - built_before_);
    }

private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    double built_before_ = rtl_build_seconds();
};

} // namespace isbesim::testbench
