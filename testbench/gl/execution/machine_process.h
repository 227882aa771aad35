// SPDX-License-Identifier: Apache-2.0
// The process of machine_executor.h: a machine that runs received draws until the socket ends or a draw fails.
#pragma once

#include <memory>

#include "models/machine_config.h"
#include "testbench/gl/execution/draw_message.h"
#include "testbench/system/system.h"

namespace isbesim::gl {

class machine_process {
public:
    /// All must outlive this; `memory` is this process's view of the shared memory.
    machine_process(const machine_config& config, const testbench::isbe_backend& backend, sm_timing timing,
                    gpu_memory& memory);
    ~machine_process();
    machine_process(const machine_process&) = delete;
    machine_process& operator=(const machine_process&) = delete;

    void serve(int socket);

private:
    struct one_draw;

    draw_reply run(const std::string& bytes);
    void simulate(one_draw& draw, draw_result& result);

    const machine_config& config_;
    const testbench::isbe_backend& backend_;
    sm_timing timing_;
    gpu_memory& memory_;
    decoded_programs programs_;
    std::unique_ptr<testbench::simulated_system> system_;
    std::unique_ptr<one_draw> draw_; ///< the last draw: the system refers to it until the next draw begins
};

} // namespace isbesim::gl
