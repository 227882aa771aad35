// SPDX-License-Identifier: Apache-2.0
// Opens RTL plug-ins.
#pragma once

#include <string>

#include "testbench/rtl/rtl_plugin.h"

namespace isbesim::testbench {

/// The interface of the plug-in at `path`, which stays open until the process ends. Throws std::invalid_argument for a
/// file that is damaged, not a plug-in, or a plug-in with another interface number.
const isbesim_rtl_interface& open_rtl_library(const std::string& path);

} // namespace isbesim::testbench
