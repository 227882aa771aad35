// SPDX-License-Identifier: Apache-2.0
// Runs the isbesim executable as a user would.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace isbesim::testbench {

using words = std::vector<std::string>;

inline words operator+(words first, const words& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

struct process_result {
    int status = -1; ///< exit status; -signal when a signal ended it
    std::string out;
    std::string err;
    double peak_memory_mb = 0;

    /// Last line of stderr.
    std::string last_error() const;
};

/// Where and under which limits it runs.
struct process_place {
    std::string folder{};      ///< the working directory; empty: the test's own
    unsigned largest_file = 0; ///< bytes; what goes beyond can't be written, as on a full disk. 0: no limit
    std::string input{};       ///< standard input; empty: the test's own
};
process_result run_isbesim(const words& arguments, const process_place& place = {});

/// Starts it and returns at once; what it prints goes to files. The caller waits for it.
pid_t start_isbesim(const words& arguments, const std::string& out = "/dev/null", const std::string& err = "/dev/null");

} // namespace isbesim::testbench
