// Serves the programs' processes, one request at a time.
#pragma once

#include <string>
#include <vector>

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

    /// Until the program has ended and every process that used the device too.
    void run(program_process& program);

private:
    struct connection {
        int descriptor;
        unsigned number;
    };

    void accept_one();
    /// False: it is over.
    bool serve(const connection& from);

    gl_device& device_;
    const gpu_memory& memory_;
    int listening_ = -1;
    unsigned next_ = 1;
    std::vector<connection> connections_;
    std::vector<char> message_;
};

} // namespace isbesim::gl
