// SPDX-License-Identifier: Apache-2.0
// For tests that need a Debian package.
#pragma once

#include <cstdlib>
#include <string_view>

#include <gtest/gtest.h>

namespace isbesim::testbench {

/// Set by scripts/test after it has installed all packages of its lists.
inline bool has_all_packages()
{
    const char* const variable = std::getenv("ISBESIM_REQUIRE_PACKAGES");
    return variable != nullptr && std::string_view(variable) == "1";
}

} // namespace isbesim::testbench

/// Ends the test: skipped, or failed if every package should be installed. `text` names the missing package.
#define ISBESIM_MISSING(text)                                                                                          \
    do {                                                                                                               \
        if (isbesim::testbench::has_all_packages()) FAIL() << (text);                                                  \
        GTEST_SKIP() << (text);                                                                                        \
    } while (false)
