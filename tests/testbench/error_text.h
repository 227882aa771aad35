// The text of the input_error that a call throws; "" when it throws none.
#pragma once

#include <string>

#include "testbench/files/input_error.h"

namespace isbesim::testbench {

template <typename Call>
std::string error_text(Call&& call)
{
    try {
        call();
    } catch (const input_error& error) {
        return error.what();
    }
    return "";
}

} // namespace isbesim::testbench
