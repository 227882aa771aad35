// SPDX-License-Identifier: Apache-2.0
// What ends a command besides wrong input and its own faults: no room for its results.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>

namespace isbesim::testbench {

/// Results can't be written completely: the disk is full, say. Exit status 3, shared with internal errors.
class write_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;

    /// Some of `what` has been written. `reason`: errno, where it is known.
    static write_error incomplete(const std::string& what, int reason = 0)
    {
        return write_error(what + " could not be written completely" +
                           (reason == 0 ? "" : std::string(": ") + std::strerror(reason)));
    }
};

} // namespace isbesim::testbench
