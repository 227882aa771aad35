// SPDX-License-Identifier: Apache-2.0
// Simulators of other memories, for a sense of scale.
#pragma once

#include <array>

namespace isbesim::test {

/// Million requests per second of host time, net of start-up, all on one machine in one session, which is not the one
/// that the bench runs on. A request of theirs moves 64 bytes at most, a transaction of ours about 200.
struct peer {
    const char* name;
    double random;
    double sequential;
};
constexpr std::array<peer, 4> peers{{{"DRAMSys 5.5", 0.119, 0.416},
                                     {"DRAMSys 5.5 with its database", 0.036, 0.050},
                                     {"DRAMsim3", 0.125, 0.203},
                                     {"Ramulator 2.1", 0.138, 0.240}}};

} // namespace isbesim::test
