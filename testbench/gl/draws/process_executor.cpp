#include "testbench/gl/draws/process_executor.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include "models/isbe/functional/names.h"
#include "models/sm/warnings/trap_codes.h"
#include "testbench/system/system.h"
#include "tlm/hex.h"

namespace isbesim::gl {

namespace {

/// What the draw's process sends.
struct message {
    draw_result result;
    stream_out_position position;
};

template <std::size_t Size>
void set_text(std::array<char, Size>& target, const std::string& text)
{
    std::snprintf(target.data(), target.size(), "%s", text.substr(0, text.find('\n')).c_str());
}

void add_traps(draw_result& result, const sm_counters& counters)
{
    if (result.traps == 0 && !counters.traps.empty()) {
        const auto& first = counters.traps.front();
        set_text(result.trap, std::string(trap_code::name_of(first.code)) + " in a program of stage " +
                                  name_of(first.stage) + " at " + hex(first.pc));
    }
    result.traps += counters.trap_count;
}

bool write_all(int descriptor, const void* data, std::size_t bytes)
{
    const auto* from = static_cast<const char*>(data);
    while (bytes > 0) {
        const auto done = write(descriptor, from, bytes);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        from += done;
        bytes -= static_cast<std::size_t>(done);
    }
    return true;
}

bool read_all(int descriptor, void* data, std::size_t bytes)
{
    auto* to = static_cast<char*>(data);
    while (bytes > 0) {
        const auto done = read(descriptor, to, bytes);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        to += done;
        bytes -= static_cast<std::size_t>(done);
    }
    return true;
}

std::string end_of(int status)
{
    if (WIFSIGNALED(status)) return std::string("the model crashed: ") + strsignal(WTERMSIG(status));
    return "the model ended with status " + std::to_string(WEXITSTATUS(status));
}

} // namespace

draw_result process_executor::simulate(const draw_call& draw, vertex_sink& sink) const
{
    draw_result result;
    try {
        testbench::simulated_system system({config_, backend_, draw, sink});
        const auto outcome = system.run({}, nullptr);
        result.done = outcome.end == testbench::run_end::done;
        result.cycles = outcome.cycles;
        if (!result.done) set_text(result.text, outcome.text);
        const auto counters = system.pe().draw_counters();
        result.primitives_in = counters.primitives_in;
        result.primitives_out = counters.primitives_out;
        result.vertices_out = counters.vertices_out;
        for (unsigned i = 0; i < system.sm_count(); ++i) add_traps(result, system.sm(i).counters());
        for (unsigned i = 0; i < system.pe().sites(); ++i)
            for (unsigned s = 0; s < stage_count; ++s)
                result.invocations[s] += system.pe().site_counters(i).invocations[s];
    } catch (const std::exception& error) {
        result.done = false;
        set_text(result.text, error.what());
    }
    return result;
}

draw_result process_executor::run(const draw_call& draw, const gpu_memory& memory, const stream_out_layout& layout,
                                  stream_out_position& position)
{
    message got{{}, position};
    int ends[2];
    if (pipe(ends) != 0) {
        set_text(got.result.text, "no pipe to a draw's process");
        return got.result;
    }
    const auto child = fork();
    if (child == 0) {
        close(ends[0]);
        stream_out_writer writer(memory, layout, draw.capture, got.position);
        got.result = simulate(draw, writer);
        writer.finish();
        got.result.read_undrawn = memory.undrawn_was_read();
        _exit(write_all(ends[1], &got, sizeof got) ? 0 : 1);
    }
    close(ends[1]);
    const auto whole = child > 0 && read_all(ends[0], &got, sizeof got);
    close(ends[0]);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (!whole) {
        got.result = {};
        set_text(got.result.text, child < 0 ? "no process for a draw" : end_of(status));
        return got.result;
    }
    if (got.result.done) position = got.position;
    return got.result;
}

} // namespace isbesim::gl
