// SPDX-License-Identifier: Apache-2.0
// Runs draws one after the other on one machine, in a separate process: a failed simulation, even a crash, ends only
// that process, and the next draw gets a new one. Draws are sent as records (draw_message.h); the memory is shared.
#pragma once

#include <sys/types.h>

#include "models/machine_config.h"
#include "models/sm/sm.h"
#include "testbench/gl/draws/draw_executor.h"
#include "testbench/rtl/isbe_backend.h"

namespace isbesim::gl {

class machine_executor : public draw_executor {
public:
    /// The memories of all draws must share a memfd; the first memory and `backend` must outlive this.
    machine_executor(const machine_config& config, const testbench::isbe_backend& backend,
                     sm_timing timing = sm_timing::by_cycle);
    ~machine_executor() override;
    machine_executor(const machine_executor&) = delete;
    machine_executor& operator=(const machine_executor&) = delete;

    draw_result run(const built_draw& draw, gpu_memory& memory, const stream_out_layout& layout,
                    stream_out_position& position) override;
    void transfer(std::uint64_t bytes) override;
    std::optional<std::uint64_t> nanoseconds() const override;

    std::uint64_t processes() const { return processes_; } ///< started so far

private:
    bool start(gpu_memory& memory);
    /// Closes the process's socket and waits for its end. Returns how it ended.
    std::string stop();

    machine_config config_;
    const testbench::isbe_backend& backend_;
    sm_timing timing_;
    pid_t child_ = -1;
    int socket_ = -1;
    std::uint64_t processes_ = 0;
    std::uint64_t cycles_ = 0;     ///< of all draws and transfers
    std::uint64_t sent_table_ = 0; ///< gpu_memory::version() that the process knows
};

} // namespace isbesim::gl
