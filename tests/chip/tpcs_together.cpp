// SPDX-License-Identifier: Apache-2.0
// Runs all TPCs of a chip in one simulation, where they share level 2 and DRAM as their requests come, and measures
// what the rule for TPCs apart (models/HARDWARE.md F.7) leaves out.
//
//   tpcs_together SCENARIO MACHINE
//
// prints the cycles of the longest TPC: apart, together, and apart with DRAM without a limit; then the cycles in which
// DRAM passes what they read apart. If they read as much together, they take at least the longer of the last two.
#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/memory/shared_memory.h"
#include "testbench/processes/process_pool.h"
#include "testbench/scenario/scenario.h"
#include "testbench/system/config.h"
#include "testbench/system/system.h"

namespace {

using namespace isbesim;
using namespace isbesim::testbench;

class no_rows : public vertex_sink {
    void vertex(unsigned, std::uint64_t, unsigned, const word*, std::size_t) override {}
};

class tpc : public sc_core::sc_module { // for its name
public:
    tpc(const sc_core::sc_module_name& name, const system_parts& parts) : sc_core::sc_module(name), system(parts) {}
    simulated_system system;
};

/// The cycles of the longest TPC, and the bytes that all read from DRAM.
std::string run(const draw_call& draw, const machine_config& config, bool together)
{
    const auto shared = together ? std::make_unique<shared_memory>(config) : nullptr;
    no_rows rows;
    std::deque<tpc> tpcs;
    for (unsigned t = 0; t < config.chip.all_tpcs(); ++t)
        tpcs.emplace_back(("tpc" + std::to_string(t)).c_str(),
                          system_parts{config, *find_isbe_backend("at"), draw, rows, false, nullptr, 0,
                                       path_recording::off, sm_timing::by_cycle, t});
    std::uint64_t longest = 0, read = 0;
    for (auto& each : tpcs) {
        const auto outcome = each.system.run({}, {});
        if (outcome.end != run_end::done) throw std::runtime_error(outcome.text);
        longest = std::max(longest, outcome.cycles);
        read += each.system.pe().draw_counters().memory.dram_bytes;
    }
    return std::to_string(longest) + " " + std::to_string(read) + " ";
}

} // namespace

int main(int count, char** arguments)
{
    try {
        if (count != 3) throw std::runtime_error("expected SCENARIO MACHINE");
        const auto scenario = load_scenario(arguments[1]);
        machine_config config;
        load_config(arguments[2], {arguments[2]}, config);
        auto unlimited = config;
        unlimited.memory.dram_bytes_per_cycle = 0;
        const auto measured = [&](const machine_config& machine, bool together) {
            const auto end = run_in_process([&] { return run(scenario.draw, machine, together); });
            if (!end.whole) throw std::runtime_error(end.bytes);
            return std::pair(std::stoull(end.bytes), std::stod(end.bytes.substr(end.bytes.find(' '))));
        };
        const auto apart = measured(config, false);
        std::cout << apart.first << " " << measured(config, true).first << " " << measured(unlimited, false).first
                  << " " << std::ceil(apart.second / config.memory.dram_bytes_per_cycle) << "\n";
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "tpcs_together: " << error.what() << "\n";
        return 2;
    }
}

int sc_main(int, char**)
{
    return 0;
}
