// SPDX-License-Identifier: Apache-2.0
// What draws are refused with.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "models/pe/front_end/validation.h"

namespace isbesim::test {

/// The text of the draw_error that `attempt` ends with; empty when it ends without.
template <typename function>
std::string error_of(const function& attempt)
{
    try {
        attempt();
    } catch (const draw_error& error) {
        return error.what();
    }
    return "";
}

inline void expect_part(const std::string& text, const std::string& part)
{
    EXPECT_NE(text.find(part), std::string::npos) << '"' << text << "\" does not say \"" << part << '"';
}

} // namespace isbesim::test
