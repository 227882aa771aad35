// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/reruns.h"

#include <climits>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "models/figures/instance_counters.h"
#include "testbench/chip/chip_run.h"
#include "testbench/processes/process_pool.h"
#include "testbench/scenario/vertex_csv.h"

namespace isbesim::testbench {

namespace {

static_assert(std::is_trivially_copyable_v<rerun_figures>, "they come as bytes from a copy of this process");

/// Runs the TPCs of a chip one after the other, because reruns already run in parallel.
std::string measure(const machine_config& machine, const draw_call& draw, const run_limits& limits)
{
    const auto& backend = *find_isbe_backend("at");
    vertex_count vertices;
    run_outcome outcome;
    std::vector<site_account> sites;
    if (machine.chip.all_tpcs() > 1) {
        tpc_watch nothing;
        const std::vector<input_warning> none;
        auto chip = run_on_chip({machine, backend, draw, none, vertices, false, limits, false, path_recording::off,
                                 sm_timing::by_cycle, 1, "", nothing, [](std::size_t) {}});
        outcome = std::move(chip.outcome);
        sites = std::move(chip.account.sites);
    } else {
        simulated_system system({machine, backend, draw, vertices, false, nullptr, 0, path_recording::off});
        outcome = system.run(limits, nullptr);
        sites = sites_of(system);
    }
    if (outcome.end != run_end::done) throw std::runtime_error(outcome.text);
    instance_counters total, one;
    for (const auto& site : sites) {
        one.isbe = site.isbe;
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

later_reruns::later_reruns(std::vector<machine_change> changes, const draw_call& draw, const run_limits& limits,
                           unsigned jobs)
    : changes_(std::move(changes))
{
    if (pipe2(choice_, O_CLOEXEC) != 0) return;
    const auto work = [&] {
        std::uint8_t chosen[PIPE_BUF];
        const auto count = read(choice_[0], chosen, sizeof chosen);
        std::vector<machine_change> candidates;
        for (ssize_t i = 0; i < count; ++i) candidates.push_back(changes_[chosen[i]]);
        std::string bytes;
        for (const auto& each : run_on_machines(candidates, draw, limits, jobs, {}, [](std::size_t) {})) {
            const auto figures = each.figures.value_or(rerun_figures{});
            bytes.append(reinterpret_cast<const char*>(&figures), sizeof figures);
        }
        return bytes;
    };
    try {
        copy_.begin(0, work);
    } catch (const std::runtime_error&) { // measure() finds no copy
    }
}

later_reruns::~later_reruns()
{
    for (const auto end : choice_) close(end);
}

std::vector<rerun> later_reruns::measure(const std::vector<std::size_t>& chosen)
{
    std::vector<rerun> reruns(chosen.size());
    const std::vector<std::uint8_t> choice(chosen.begin(), chosen.end());
    if (choice.empty() || copy_.size() == 0) return reruns;
    if (write(choice_[1], choice.data(), choice.size()) < 0) return reruns; // whole: shorter than PIPE_BUF
    const auto ended = [&](std::size_t, const work_end& end) {
        rerun_figures figures;
        for (std::size_t i = 0; end.whole && i < reruns.size(); ++i) {
            std::memcpy(&figures, end.bytes.data() + i * sizeof figures, sizeof figures);
            if (figures.cycles != 0) reruns[i].figures = figures;
        }
    };
    while (copy_.size() != 0) copy_.wait(ended, {});
    return reruns;
}

} // namespace isbesim::testbench
