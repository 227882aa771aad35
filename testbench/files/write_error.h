// SPDX-License-Identifier: Apache-2.0
// The end of a command without wrong input or an internal error: no room for its results.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>

namespace isbesim::testbench {

/// Results cannot be written completely, for example because the disk is full. Exit status 3, as for internal errors.
class write_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;

    /// A part of `what` has been written. `reason`: errno, if known.
    static write_error incomplete(const std::string& what, int reason = 0)
    {
        return write_error(what + " could not be written completely" +
                           (reason == 0 ? "" : std::string(": ") + std::strerror(reason)));
    }
};

} // namespace isbesim::testbench
