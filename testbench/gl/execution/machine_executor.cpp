// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/execution/machine_executor.h"

#include <cerrno>
#include <utility>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/gl/execution/draw_message.h"
#include "testbench/gl/execution/machine_process.h"
#include "testbench/gl/execution/own_processes.h"
#include "testbench/gl/execution/socket_io.h"
#include "testbench/processes/interruption.h"
#include "testbench/processes/process_pool.h"
#include "tlm/clock.h"

namespace isbesim::gl {

machine_executor::machine_executor(const machine_config& config, const testbench::isbe_backend& backend,
                                   sm_timing timing)
    : config_(config), backend_(backend), timing_(timing)
{
}

machine_executor::~machine_executor()
{
    if (child_ > 0) stop();
}

bool machine_executor::start(gpu_memory& memory)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    const auto parent = getpid();
    child_ = testbench::fork_worker();
    if (child_ == 0) {
        testbench::end_with(parent);
        keep_only(ends[1], memory.descriptor()); // else a program would wait for this process
        machine_process(config_, backend_, timing_, memory).serve(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    socket_ = ends[0];
    ++processes_;
    sent_table_ = memory.version(); // the process has a copy of the table
    if (child_ < 0) stop();
    return child_ > 0;
}

std::string machine_executor::stop()
{
    close(std::exchange(socket_, -1));
    int status = 0;
    while (child_ > 0 && waitpid(child_, &status, 0) < 0 && errno == EINTR) continue;
    child_ = -1;
    return testbench::text_of_end(status);
}

draw_result machine_executor::run(const built_draw& draw, gpu_memory& memory, const stream_out_layout& layout,
                                  stream_out_position& position)
{
    draw_reply reply;
    if (child_ < 0 && !start(memory)) {
        set_text(reply.result.text, "no process for the model");
        return reply.result;
    }
    const auto* table = memory.version() == sent_table_ ? nullptr : &memory.table();
    const auto sent = send_message(socket_, write_request(draw, layout, position, table));
    sent_table_ = memory.version();
    if (!sent || !read_all(socket_, &reply, sizeof reply)) {
        reply = {};
        set_text(reply.result.text, stop());
        return reply.result;
    }
    if (!reply.goes_on) stop();
    cycles_ += reply.result.cycles;
    if (reply.result.done) position = reply.position;
    return reply.result;
}

std::optional<std::uint64_t> machine_executor::nanoseconds() const
{
    if (timing_ != sm_timing::by_cycle) return {};
    return cycle_clock::from_ghz(config_.clock_ghz).picoseconds(2 * cycles_) / 1000;
}

} // namespace isbesim::gl
