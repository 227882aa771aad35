// SPDX-License-Identifier: Apache-2.0
// The text of the error that a call throws; "" when it throws none.
#pragma once

#include <string>

#include "testbench/files/input_error.h"

namespace isbesim::testbench {

template <typename Error = input_error, typename Call>
std::string error_text(Call&& call)
{
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

} // namespace isbesim::testbench
