// SPDX-License-Identifier: Apache-2.0
// Command lines run in a child process, so that whatever they do is seen from outside.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace isbesim::testbench {

struct command_end {
    bool ended = false; ///< false: a signal, or the processor time was up
    int status = -1;    ///< exit status; the signal when it did not end
    std::string err;
};

/// Calls `prepare` and run_command_line with what it returns for 0 .. count - 1 in one child; the results, fewer when
/// one did not end: the last is that one. Only commands that simulate nothing can share a child.
std::vector<command_end> run_forked(std::size_t count,
                                    const std::function<std::vector<std::string>(std::size_t)>& prepare);

} // namespace isbesim::testbench
