// SPDX-License-Identifier: Apache-2.0
// Serves the programs' processes, one request at a time.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "testbench/gl/session/gl_device.h"
#include "testbench/gl/session/program_process.h"

namespace isbesim::gl {

class gl_server {
public:
    /// Listens in `folder`. Throws std::system_error.
    gl_server(const std::string& folder, gl_device& device, const gpu_memory& memory);
    ~gl_server();
    gl_server(const gl_server&) = delete;
    gl_server& operator=(const gl_server&) = delete;

    /// Serves until the program and every process that used the device have ended. Calls `late` once if they go on
    /// after a signal to end.
    void run(program_process& program, std::function<void()> late);

private:
    struct connection {
        int descriptor;
        unsigned number;
        pid_t process;
    };
    /// State of the wait for held fences.
    struct fence_watch {
        std::uint64_t submission = 0;        ///< the last submission when the wait began
        std::chrono::nanoseconds computed{}; ///< processor time of the programs up to that time
        unsigned idle = 0;                   ///< ticks without a request
    };

    void accept_one();
    /// Returns false if the connection has ended.
    bool serve(const connection& client);
    /// Passes fences by the programs' processor time, since programs that poll a fence make no requests.
    void watch_fences(bool requested);
    std::chrono::nanoseconds computed() const;

    gl_device& device_;
    const gpu_memory& memory_;
    int listening_ = -1;
    unsigned next_ = 1;
    std::vector<connection> connections_;
    std::vector<char> message_;
    fence_watch watch_;
};

} // namespace isbesim::gl
