// SPDX-License-Identifier: Apache-2.0
// Words of a command line as a shell reads them.
#pragma once

#include <string>
#include <vector>

namespace isbesim::testbench {

/// " run 'my draw' --quiet": a space before each word, quotes where the shell needs them.
std::string shell_text(const std::vector<std::string>& words);

} // namespace isbesim::testbench
