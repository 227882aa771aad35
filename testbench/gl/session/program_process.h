// SPDX-License-Identifier: Apache-2.0
// The program that `isbesim gl` or `isbesim vk` starts.
#pragma once

#include <csignal>
#include <string>
#include <vector>

#include <sys/types.h>

#include "testbench/gl/session/graphics_api.h"

namespace isbesim::gl {

class program_process {
public:
    /// `words`: the program and its arguments. Throws std::system_error if it can't be started. Leaves Ctrl-C to the
    /// program and passes SIGTERM and SIGHUP on to it, as SIGKILL if repeated after two seconds. This process continues
    /// until the program has ended, so that draws are reported and a capture is complete. One object at a time.
    program_process(const std::vector<std::string>& words, const std::string& folder, const std::string& library,
                    graphics_api api = graphics_api::opengl);
    ~program_process();
    program_process(const program_process&) = delete;
    program_process& operator=(const program_process&) = delete;

    /// True once it has ended; never waits.
    bool ended();
    /// As in a shell: the exit status, or 128 plus the signal's number.
    int status() const { return status_; }
    /// A signal was passed on to it two seconds ago or earlier.
    static bool outlives_signal();
    /// A signal ended the program, or was passed on to it.
    bool cut_short() const { return cut_short_; }
    /// For ppoll(): the end of the program interrupts it.
    const sigset_t& waiting_mask() const { return before_; }

private:
    pid_t process_ = -1;
    bool ended_ = false;
    bool cut_short_ = false;
    int status_ = 0;
    sigset_t before_{};
    struct sigaction interrupt_before_ {
    }, quit_before_{}, child_before_{}, end_before_{}, hang_up_before_{};
};

} // namespace isbesim::gl
