// SPDX-License-Identifier: Apache-2.0
// How long a run takes on the host: what `host.wall_s` shows.
#pragma once

#include <chrono>

#include "testbench/rtl/rtl_store.h"

namespace isbesim::testbench {

/// Starts when it is made. The time in which RTL plug-ins were built does not count: the next run finds them.
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
