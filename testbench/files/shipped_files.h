// SPDX-License-Identifier: Apache-2.0
// Files that come with the program: of the build tree, or of where it is installed.
#pragma once

#include <string>

namespace isbesim::testbench {

/// Path of the file or folder `name` beside this program, one folder up (tests), in lib/isbesim (below lib or Debian's
/// folder of the processor) or in share/isbesim; empty when it is nowhere there.
std::string find_shipped(const std::string& name);

/// `name` of scripts/ as a message calls it: its path where it is shipped, else scripts/`name`.
std::string script_of_user(const std::string& name);

} // namespace isbesim::testbench
