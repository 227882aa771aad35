// SPDX-License-Identifier: Apache-2.0
// The folder of a session: the socket, and the device's entries of /dev and /sys as real files.
#pragma once

#include <string>

#include <sys/types.h>

#include "testbench/gl/chip/chip.h"
#include "testbench/processes/interruption.h"

namespace isbesim::gl {

class private_folder {
public:
    /// Throws input_error. When this process ends without doing so, one of its own, which has made the folder, removes
    /// it and ends processes started with it in their environment.
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

    int keeper_socket_ = -1; ///< its end tells the keeper that we are gone, a byte that all is well
    pid_t keeper_ = -1;
    std::string path_;
    testbench::unfinished removed_by_signals_;
};

} // namespace isbesim::gl
