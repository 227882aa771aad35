// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/execution/machine_executor.h"

#include <cerrno>
#include <exception>
#include <memory>
#include <utility>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "models/isbe/functional/names.h"
#include "models/machine_config.h"
#include "models/sm/warnings/trap_codes.h"
#include "testbench/gl/execution/draw_message.h"
#include "testbench/gl/execution/own_processes.h"
#include "testbench/gl/execution/socket_io.h"
#include "testbench/processes/interruption.h"
#include "testbench/processes/process_pool.h"
#include "testbench/system/system.h"
#include "tlm/clock.h"
#include "tlm/hex.h"

namespace isbesim::gl {
namespace {

std::string describe(const trap_record& trap)
{
    return std::string(trap_code::name_of(trap.code)) + " in a program of stage " + name_of(trap.stage) + " at " +
           hex(trap.pc);
}

/// Counts since the machine was built; a draw's counts are differences of these.
struct totals {
    explicit totals(testbench::simulated_system& system)
    {
        for (unsigned i = 0; i < system.sm_count(); ++i) {
            const auto& counters = system.sm(i).counters();
            traps += counters.trap_count;
            kept.push_back(counters.traps.size());
            for (unsigned s = 0; s < stage_count; ++s) invocations[s] += system.pe().site_counters(i).invocations[s];
        }
    }

    std::uint64_t traps = 0;
    std::vector<std::size_t> kept; ///< traps described, by SM
    std::array<std::uint64_t, stage_count> invocations{};
};

void add_difference(draw_result& result, testbench::simulated_system& system, const totals& before)
{
    const totals after(system);
    result.traps = after.traps - before.traps;
    for (unsigned s = 0; s < stage_count; ++s) result.invocations[s] = after.invocations[s] - before.invocations[s];
    for (unsigned i = 0; i < system.sm_count() && result.trap.front() == '\0'; ++i)
        if (after.kept[i] > before.kept[i])
            set_text(result.trap, describe(system.sm(i).counters().traps[before.kept[i]]));
}

/// The process of machine_executor.h: a machine that runs received draws until the socket ends or a draw fails.
class machine_process {
public:
    /// All must outlive this; `memory` is this process's view of the shared memory.
    machine_process(const machine_config& config, const testbench::isbe_backend& backend, sm_timing timing,
                    gpu_memory& memory)
        : config_(config), backend_(backend), timing_(timing), memory_(memory)
    {
    }
    machine_process(const machine_process&) = delete;
    machine_process& operator=(const machine_process&) = delete;

    void serve(int socket)
    {
        std::string bytes;
        while (receive_message(socket, bytes)) {
            const auto reply = run(bytes);
            if (!write_all(socket, &reply, sizeof reply) || !reply.goes_on) return;
        }
    }

private:
    struct one_draw {
        one_draw(draw_request&& asked, const gpu_memory& memory)
            : request(std::move(asked)), writer(memory, request.layout, request.draw.capture, request.position)
        {
        }

        draw_request request;
        stream_out_writer writer;
    };

    draw_reply run(const std::string& bytes)
    {
        draw_reply reply;
        try {
            auto draw = std::make_unique<one_draw>(read_request(bytes, memory_, programs_), memory_);
            try {
                simulate(*draw, reply.result);
                reply.goes_on = reply.result.done;
            } catch (const draw_error& error) {
                // Nothing has begun, but a machine built for this draw is unusable.
                set_text(reply.result.text, error.what());
                reply.goes_on = system_ != nullptr;
                return reply;
            }
            draw->writer.finish();
            reply.position = draw->request.position;
            memory_.empty_holes();
            reply.result.read_undrawn = memory_.take_undrawn_was_read();
            draw_ = std::move(draw);
        } catch (const std::exception& error) {
            set_text(reply.result.text, error.what());
        }
        return reply;
    }
    void simulate(one_draw& draw, draw_result& result)
    {
        if (!system_)
            system_ = std::make_unique<testbench::simulated_system>(
                testbench::system_parts{config_, backend_, draw.request.draw, draw.writer, false, nullptr, 0,
                                        testbench::path_recording::off, timing_});
        else
            system_->add(draw.request.draw, draw.writer);
        const totals before(*system_);
        const auto outcome = system_->run({}, nullptr);
        result.done = outcome.end == testbench::run_end::done;
        result.cycles = outcome.cycles;
        if (!result.done) set_text(result.text, outcome.text);
        const auto counters = system_->pe().draw_counters();
        result.primitives_in = counters.primitives_in;
        result.primitives_out = counters.primitives_out;
        result.vertices_out = counters.vertices_out;
        add_difference(result, *system_, before);
    }

    const machine_config& config_;
    const testbench::isbe_backend& backend_;
    sm_timing timing_;
    gpu_memory& memory_;
    decoded_programs programs_;
    std::unique_ptr<testbench::simulated_system> system_;
    std::unique_ptr<one_draw> draw_; ///< the last draw: the system refers to it until the next draw begins
};

} // namespace

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

void machine_executor::transfer(std::uint64_t bytes)
{
    const std::uint64_t rate = config_.chip.copy_bytes_per_cycle;
    if (rate != 0) cycles_ += (bytes + rate - 1) / rate;
}

std::optional<std::uint64_t> machine_executor::nanoseconds() const
{
    if (timing_ != sm_timing::by_cycle) return {};
    return cycle_clock::from_ghz(config_.clock_ghz).picoseconds(2 * cycles_) / 1000;
}

} // namespace isbesim::gl
