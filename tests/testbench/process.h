// Runs the isbesim executable as a user would.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace isbesim::testbench {

struct process_result {
    int status = -1; ///< exit status; -signal when a signal ended it
    std::string out;
    std::string err;
    double peak_memory_mb = 0;

    /// Last line of stderr.
    std::string last_error() const;
};

/// `folder` becomes the working directory when it is not empty.
process_result run_isbesim(const std::vector<std::string>& arguments, const std::string& folder = "");

/// Starts it and returns at once; what it prints is lost. The caller waits for it.
pid_t start_isbesim(const std::vector<std::string>& arguments);

} // namespace isbesim::testbench
