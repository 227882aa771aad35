// SPDX-License-Identifier: Apache-2.0
// The cycles and counters of a draw on another machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/isbe/functional/isbe_counters.h"

namespace isbesim::testbench {

struct rerun_figures {
    std::uint64_t cycles = 0;
    isbe_counters isbe; ///< of all ISBEs together
};

struct rerun {
    std::optional<rerun_figures> figures;
    std::string reason = "time limit"; ///< why there are no figures
};

} // namespace isbesim::testbench
