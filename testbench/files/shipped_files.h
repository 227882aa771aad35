// SPDX-License-Identifier: Apache-2.0
// Files that come with the program, in the build tree or the installation.
#pragma once

#include <string>

namespace isbesim::testbench {

/// Path of the file or folder `name` beside this program, one folder up (tests), in lib/isbesim (below lib or Debian's
/// folder of the processor) or in share/isbesim; empty if not found.
std::string find_shipped(const std::string& name);

/// Name of a script in messages: its path if shipped, otherwise scripts/`name`.
std::string script_of_user(const std::string& name);

} // namespace isbesim::testbench
