// SPDX-License-Identifier: Apache-2.0
// The text of the error that a call throws.
#pragma once

#include <exception>
#include <string>

namespace isbesim {

/// "" if `call` throws nothing; other errors than Error pass through.
template <typename Error = std::exception, typename Call>
std::string error_text(const Call& call)
{
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

} // namespace isbesim
