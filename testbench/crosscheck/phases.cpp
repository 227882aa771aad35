// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/phases.h"

namespace isbesim::testbench {

namespace {

constexpr traffic_setting setting(unsigned corners, unsigned general, unsigned crowded, unsigned any_slot,
                                  unsigned waits, bool dense, unsigned meetings)
{
    return {corners, general, crowded, any_slot, waits, dense, meetings};
}

} // namespace

const std::vector<phase>& phases()
{
    static const std::vector<phase> all{
        // Those first that take long, so that processors are busy until the end.
        {"random", "plausible operations, bursts and pauses", 1, 4'000, 100'000, {}},
        {"waits", "responses held back, and pauses, beyond 2^15 and 2^16 cycles", 1, 0, 3'000,
         setting(20, 10, 0, 10, 6, false, 0)},
        {"crowded", "all lanes in one bank, without pauses, on the model's general and uniform paths", 2, 0, 30'000,
         setting(80, 50, 60, 0, 0, true, 0)},
        {"corners", "the ends of the range of every field", 2, 4'000, 40'000, setting(70, 20, 3, 10, 0, true, 50)},
        {"interfaces", "LT, AT, the C interface, plain accesses, debug, direct memory: with the oracle", 2, 0, 3'000,
         setting(30, 30, 10, 10, 0, false, 0), true},
        {"resets", "resets in the middle of everything, any slot", 2, 100'000, 500,
         setting(30, 10, 5, 50, 0, false, 0)},
        {"starts", "the first operations after a start", 6, 3'000, 200, setting(20, 10, 0, 40, 0, false, 5)},
        {"mixed", "all of them, on machines whose parameters differ", 0, 20'000, 20'000,
         setting(30, 20, 5, 15, 1, false, 50)},
    };
    return all;
}

const phase* find_phase(const std::string& name)
{
    for (const auto& each : phases())
        if (name == each.name) return &each;
    return nullptr;
}

const std::vector<const char*>& phases_of_configurations()
{
    static const std::vector<const char*> names{"mixed", "interfaces"};
    return names;
}

const std::vector<const char*>& crosschecked_configurations()
{
    static const std::vector<const char*> names{"choices", "unskewed", "one_port", "by_line", "shallow", "largest"};
    return names;
}

} // namespace isbesim::testbench
