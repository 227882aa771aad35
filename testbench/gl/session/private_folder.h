// SPDX-License-Identifier: Apache-2.0
// The folder of a session: contains the socket, and the device's entries of /dev and /sys as real files.
#pragma once

#include <string>

#include <sys/types.h>

#include "testbench/gl/chip/chip.h"
#include "testbench/processes/interruption.h"

namespace isbesim::gl {

class private_folder {
public:
    /// Throws input_error. If this process ends without calling the destructor, the keeper process, which made the
    /// folder, removes it and ends processes that have it in their environment.
    explicit private_folder(const chip& chip);
    ~private_folder() { remove(); }
    private_folder(const private_folder&) = delete;
    private_folder& operator=(const private_folder&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string make();
    void start_keeper(const std::string& pattern);
    void end_keeper() const;
    void remove() const;
    void make_tree(const chip& chip) const;

    int keeper_socket_ = -1; ///< its end: this process is gone; a byte: all is well
    pid_t keeper_ = -1;
    std::string path_;
    testbench::unfinished removed_by_signals_;
};

} // namespace isbesim::gl
