// SPDX-License-Identifier: Apache-2.0
// Finds RTL plug-ins: shipped with the program, in the user's cache, or built by scripts/rtl.
#pragma once

#include <string>

#include "models/machine_config.h"
#include "testbench/rtl/rtl_plugin.h"

namespace isbesim::testbench {

/// Path of the plug-in that the build has made for exactly this configuration; empty if it does not exist or is not
/// installed. It is the shipped file rtl/<name>.so, <name> of rtl_ref/configurations.json; with assertions
/// <name>.assert.so.
std::string built_rtl_plugin(const isbe_config& config, bool assertions = false);

/// The plug-in of a configuration. In this order: the block that the environment's ISBESIM_RTL_BLOCK names (a plug-in,
/// or SystemVerilog files separated by ':', packages first), built_rtl_plugin(), the cache of scripts/rtl, and a build
/// by it, which prints a line on stderr. With ISBESIM_RTL_ASSERT=1 the block has assertions. Throws
/// std::invalid_argument if there is no Verilator or the plug-in can't be used.
const isbesim_rtl_interface& rtl_plugin_of(const isbe_config& config);

/// ISBESIM_RTL_SKIP_IDLE=1: no block is clocked in cycles without an operation in flight. Throws std::invalid_argument.
bool skips_idle_cycles();

/// Seconds that this process has waited for scripts/rtl.
double rtl_build_seconds();

/// A plug-in that writes waveforms; it may have no block.
const isbesim_rtl_interface& waves_plugin();

} // namespace isbesim::testbench
