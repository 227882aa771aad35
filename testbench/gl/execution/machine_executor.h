// SPDX-License-Identifier: Apache-2.0
// Runs draws one after the other on one machine, in separate processes: a failed simulation, even a crash, ends only
// its process, and the next draw gets a new one. Draws are sent as records (draw_message.h); the memory is shared.
//
// A machine that is idle is like a new one, so draws without memory and stream-out, which follow each other in their
// order but do not depend on each other, run at the same time in several processes. The TPCs of a chip do not interact
// during a draw either (testbench/chip): a process runs them one after the other on the same TPC, and several processes
// share the TPCs of a large draw.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include <sys/types.h>

#include "models/machine_config.h"
#include "models/sm/sm.h"
#include "testbench/gl/draws/draw_executor.h"
#include "testbench/gl/execution/draw_message.h"
#include "testbench/rtl/isbe_backend.h"

namespace isbesim::gl {

/// Reads a stream in large pieces: small messages arrive many at a time.
class socket_reader {
public:
    explicit socket_reader(int descriptor = -1);

    /// Return false if the other side has closed. A message is preceded by its length, of 64 bits.
    bool read(void* data, std::size_t bytes);
    bool receive(std::string& message);

private:
    int descriptor_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0; ///< of the bytes in buffer_ that are not taken yet
};

class machine_executor : public draw_executor {
public:
    /// The memories of all draws must share a memfd; the first memory and `backend` must outlive this. `jobs`:
    /// processes; does not affect results.
    machine_executor(const machine_config& config, const testbench::isbe_backend& backend,
                     sm_timing timing = sm_timing::by_cycle, unsigned jobs = 1);
    ~machine_executor() override;
    machine_executor(const machine_executor&) = delete;
    machine_executor& operator=(const machine_executor&) = delete;

    draw_result run(const built_draw& draw, gpu_memory& memory, const stream_out_layout& layout,
                    stream_out_position& position) override;
    void begin(const built_draw& draw, gpu_memory& memory, const end_of_draw& ended) override;
    bool overlaps() const override { return config_.pe.draws == draw_rule::overlap; }
    void settle() override;
    void transfer(std::uint64_t bytes) override;
    std::optional<std::uint64_t> nanoseconds() const override;

    std::uint64_t processes() const { return processes_; } ///< started so far

private:
    struct machine {
        pid_t child = -1;
        int socket = -1;
        socket_reader replies;
        std::uint64_t sent_table = 0; ///< gpu_memory::version() that the process knows
    };
    struct asked_draw {
        const built_draw& draw;
        gpu_memory& memory;
        const stream_out_layout& layout;
        stream_out_position& position;
    };
    struct begun_draw {
        std::size_t machine;
        std::string message;
        gpu_memory& memory;
        end_of_draw ended;
    };

    bool start(machine& which, gpu_memory& memory);
    /// Closes the process's socket and waits for its end. Returns how it ended.
    static std::string stop(machine& which);
    static void send(machine& to, const std::string& message);
    static draw_reply receive(machine& sender, std::string& rows);
    void end_oldest();
    /// Processes that run a draw at the same time.
    std::uint32_t count_of_parts(const draw_call& draw) const;
    draw_result run_parts(draw_part::kind how, const asked_draw& work);

    machine_config config_;
    const testbench::isbe_backend& backend_;
    sm_timing timing_;
    std::vector<machine> machines_;
    std::deque<begun_draw> begun_; ///< oldest first
    std::size_t begun_bytes_ = 0;  ///< of their messages
    std::size_t next_ = 0;         ///< the machine that got the last of them
    std::uint64_t processes_ = 0;
    std::uint64_t cycles_ = 0; ///< of all draws and transfers
};

} // namespace isbesim::gl
