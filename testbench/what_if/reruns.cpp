#include "testbench/what_if/reruns.h"

#include <algorithm>
#include <cerrno>
#include <map>

#include <sys/wait.h>
#include <unistd.h>

#include "testbench/scenario/vertex_csv.h"

namespace isbesim::testbench {

namespace {

std::optional<std::uint64_t> cycles_on(const machine_config& machine, const draw_call& draw, const run_limits& limits)
{
    vertex_count vertices;
    simulated_system system(
        {machine, *find_isbe_backend("at"), draw, vertices, false, nullptr, 0, path_recording::off});
    const auto outcome = system.run(limits, nullptr);
    if (outcome.end != run_end::done) return std::nullopt;
    return outcome.cycles;
}

/// In the new process: writes the cycles to `to`, or nothing.
[[noreturn]] void simulate_for(int to, const machine_config& machine, const draw_call& draw, const run_limits& limits)
{
    int status = 1;
    try {
        if (const auto cycles = cycles_on(machine, draw, limits);
            cycles && write(to, &*cycles, sizeof *cycles) == sizeof *cycles)
            status = 0;
    } catch (const std::exception&) {
        status = 1; // this draw on this machine: there is nothing to measure
    }
    _exit(status);
}

struct rerun {
    std::size_t machine = 0;
    int from = -1; ///< end of its pipe
};

} // namespace

std::vector<std::optional<std::uint64_t>> run_on_machines(const std::vector<machine_config>& machines,
                                                          const draw_call& draw, const run_limits& limits,
                                                          unsigned jobs,
                                                          const std::function<void(std::size_t)>& progress)
{
    std::vector<std::optional<std::uint64_t>> cycles(machines.size());
    std::map<pid_t, rerun> running;
    std::size_t begun = 0, done = 0;
    while (done < machines.size()) {
        while (begun < machines.size() && running.size() < std::max(jobs, 1U)) {
            int ends[2];
            const auto child = pipe(ends) != 0 ? pid_t{-1} : fork();
            if (child < 0) throw std::runtime_error("no process for a rerun: out of memory or of processes");
            if (child == 0) {
                close(ends[0]);
                simulate_for(ends[1], machines[begun], draw, limits);
            }
            close(ends[1]);
            running[child] = {begun++, ends[0]};
        }
        int status = 0;
        const auto child = waitpid(running.begin()->first, &status, 0);
        if (child < 0 && errno == EINTR) continue;
        const auto ended = running.begin();
        std::uint64_t value = 0;
        if (read(ended->second.from, &value, sizeof value) == sizeof value) cycles[ended->second.machine] = value;
        close(ended->second.from);
        running.erase(ended);
        progress(++done);
    }
    return cycles;
}

} // namespace isbesim::testbench
