#include "testbench/what_if/reruns.h"

#include <stdexcept>
#include <string>

#include "testbench/processes/process_pool.h"
#include "testbench/scenario/vertex_csv.h"

namespace isbesim::testbench {

namespace {

/// Cycles of the draw, as text; throws where it does not end.
std::string measure(const machine_config& machine, const draw_call& draw, const run_limits& limits)
{
    vertex_count vertices;
    simulated_system system(
        {machine, *find_isbe_backend("at"), draw, vertices, false, nullptr, 0, path_recording::off});
    const auto outcome = system.run(limits, nullptr);
    if (outcome.end != run_end::done) throw std::runtime_error("the draw does not end on this machine");
    return std::to_string(outcome.cycles);
}

} // namespace

std::vector<std::optional<std::uint64_t>> run_on_machines(const std::vector<machine_config>& machines,
                                                          const draw_call& draw, const run_limits& limits,
                                                          unsigned jobs,
                                                          const std::function<void(std::size_t)>& progress)
{
    std::vector<std::optional<std::uint64_t>> cycles(machines.size());
    std::size_t done = 0;
    run_in_processes(
        machines.size(), jobs, [&](std::size_t i) { return measure(machines[i], draw, limits); },
        [&](std::size_t i, const work_end& end) {
            if (end.whole) cycles[i] = std::stoull(end.bytes);
            progress(++done);
        });
    return cycles;
}

} // namespace isbesim::testbench
