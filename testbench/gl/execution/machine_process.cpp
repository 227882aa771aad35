// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/execution/machine_process.h"

#include <exception>

#include "models/isbe/functional/names.h"
#include "models/sm/warnings/trap_codes.h"
#include "testbench/gl/execution/socket_io.h"
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

} // namespace

struct machine_process::one_draw {
    one_draw(draw_request&& asked, const gpu_memory& memory)
        : request(std::move(asked)), writer(memory, request.layout, request.draw.capture, request.position)
    {
    }

    draw_request request;
    stream_out_writer writer;
};

machine_process::machine_process(const machine_config& config, const testbench::isbe_backend& backend, sm_timing timing,
                                 gpu_memory& memory)
    : config_(config), backend_(backend), timing_(timing), memory_(memory)
{
}

machine_process::~machine_process() = default;

void machine_process::simulate(one_draw& draw, draw_result& result)
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

draw_reply machine_process::run(const std::string& bytes)
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

void machine_process::serve(int socket)
{
    std::string bytes;
    while (receive_message(socket, bytes)) {
        const auto reply = run(bytes);
        if (!write_all(socket, &reply, sizeof reply) || !reply.goes_on) return;
    }
}

} // namespace isbesim::gl
