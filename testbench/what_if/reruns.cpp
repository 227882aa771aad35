// SPDX-License-Identifier: Apache-2.0
#include "testbench/what_if/reruns.h"

#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "models/figures/figure.h"
#include "testbench/processes/process_pool.h"
#include "testbench/scenario/vertex_csv.h"

namespace isbesim::testbench {

namespace {

static_assert(std::is_trivially_copyable_v<rerun_figures>, "they come as bytes from a copy of this process");

std::string measure(const machine_config& machine, const draw_call& draw, const run_limits& limits)
{
    vertex_count vertices;
    simulated_system system(
        {machine, *find_isbe_backend("at"), draw, vertices, false, nullptr, 0, path_recording::off});
    const auto outcome = system.run(limits, nullptr);
    if (outcome.end != run_end::done) throw std::runtime_error(outcome.text);
    instance_counters total, one;
    for (unsigned i = 0; i < system.sm_count(); ++i) {
        one.isbe = system.counters(i);
        merge(total, one);
    }
    const rerun_figures figures{outcome.cycles, total.isbe};
    std::string bytes(sizeof figures, '\0');
    std::memcpy(bytes.data(), &figures, sizeof figures);
    return bytes;
}

} // namespace

std::vector<rerun> run_on_machines(const std::vector<machine_change>& changes, const draw_call& draw,
                                   const run_limits& limits, unsigned jobs, const deadline& until,
                                   const std::function<void(std::size_t)>& progress)
{
    std::vector<rerun> reruns(changes.size());
    std::size_t done = 0;
    run_in_processes(
        changes.size(), jobs, [&](std::size_t i) { return measure(changes[i].machine, draw, limits); },
        [&](std::size_t i, const work_end& end) {
            if (end.whole)
                std::memcpy(&reruns[i].figures.emplace(), end.bytes.data(), sizeof(rerun_figures));
            else
                reruns[i].reason = end.bytes;
            progress(++done);
        },
        until);
    return reruns;
}

} // namespace isbesim::testbench
