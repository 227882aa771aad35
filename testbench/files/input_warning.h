// SPDX-License-Identifier: Apache-2.0
// Suspicious input, which is used nevertheless. Errors are input_error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "testbench/files/input_error.h"

namespace isbesim::testbench {

struct input_warning {
    std::string kind; ///< one word, for scripts
    std::string text; ///< FILE:LINE:COLUMN: and a description
    std::string stage{};
    std::optional<std::uint32_t> pc{};

    input_warning(std::string what, const source_place& place, const std::string& description)
        : kind(std::move(what)), text(input_error(place, description).what())
    {
    }
};

} // namespace isbesim::testbench
