// SPDX-License-Identifier: Apache-2.0
// Manual page and completion, from the tables that `isbesim help` prints.
#pragma once

#include <iosfwd>

namespace isbesim::testbench {

/// `isbesim help --man`: isbesim.1, for man(1).
void print_manual_page(std::ostream& out);

/// `isbesim help --bash-completion`: commands, options, and the values of those that have names.
void print_bash_completion(std::ostream& out);

} // namespace isbesim::testbench
