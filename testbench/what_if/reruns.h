// Measured, not predicted: the cycles of one draw on several machines, each in a process of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/machine_config.h"
#include "models/pe/front_end/draw.h"
#include "testbench/system/system.h"

namespace isbesim::testbench {

/// Cycles by machine, at most `jobs` at a time; nothing where the draw can't run there or does not end within `limits`.
/// No simulation may have begun in this process. `progress` is told how many are done.
std::vector<std::optional<std::uint64_t>> run_on_machines(const std::vector<machine_config>& machines,
                                                          const draw_call& draw, const run_limits& limits,
                                                          unsigned jobs,
                                                          const std::function<void(std::size_t)>& progress);

} // namespace isbesim::testbench
