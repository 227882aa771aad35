// What ends a command besides wrong input and its own faults: no room for its results.
#pragma once

#include <stdexcept>

namespace isbesim::testbench {

/// Results can't be written completely: the disk is full, say. Exit status 3, as for internal errors, but it is none.
class write_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace isbesim::testbench
