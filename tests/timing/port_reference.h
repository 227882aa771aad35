// SPDX-License-Identifier: Apache-2.0
// The time of the ISBE once more, as a clocked simulation: micro-architecture section 5 read as one loop iteration per
// cycle. Slow and plain on purpose; shares nothing with models/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace isbesim::test {

struct reference_operation {
    std::uint64_t start = 0; ///< first cycle in which it may be on the port
    unsigned passes = 1;
    unsigned ideal = 1; ///< passes without conflicts
    unsigned latency = 2;
    unsigned stall = 0; ///< cycles from response valid to its transfer
    // Results.
    std::uint64_t begin = 0;
    std::uint64_t accept = 0;
    std::uint64_t grant = 0;
    std::uint64_t response = 0;
};

struct reference_parameters {
    unsigned request_depth = 4;
    unsigned response_depth = 32;
    bool fixed_priority = false;
};

/// Fills in the results of both ports' operations, which each port sends in order.
inline void simulate(const reference_parameters& parameters, std::vector<std::vector<reference_operation>>& ports)
{
    struct port_state {
        std::size_t next = 0;              // operation that comes to the port next, or is on it
        bool on_port = false;              // req_valid
        std::deque<std::size_t> queue;     // accepted, not granted
        std::deque<std::size_t> in_flight; // granted, response not transferred
        bool response_valid = false;
        std::uint64_t last_transfer = 0; // response channel; cycle + 1, 0 = never
        std::uint64_t last_accept = 0;   // request channel; cycle + 1
    };
    const std::size_t count = ports.size();
    std::vector<port_state> state(count);
    std::size_t last_granted = count - 1;
    unsigned passes_left = 0; // of the operation in the engine, this cycle's pass included

    const auto finished = [&] {
        for (std::size_t p = 0; p < count; ++p)
            if (state[p].next < ports[p].size() || !state[p].queue.empty() || !state[p].in_flight.empty()) return false;
        return true;
    };
    for (std::uint64_t cycle = 0; !finished(); ++cycle) {
        // The state at the start of the cycle.
        std::vector<std::size_t> queued(count), flying(count);
        for (std::size_t p = 0; p < count; ++p) {
            queued[p] = state[p].queue.size();
            flying[p] = state[p].in_flight.size();
        }
        // The arbiter grants when the engine is idle or in its last pass.
        std::optional<std::size_t> granted;
        if (passes_left <= 1)
            for (std::size_t i = 0; i < count && !granted; ++i) {
                const std::size_t p = parameters.fixed_priority ? i : (last_granted + 1 + i) % count;
                if (queued[p] != 0 && flying[p] < parameters.response_depth) granted = p;
            }
        for (std::size_t p = 0; p < count; ++p) {
            port_state& s = state[p];
            // Response channel.
            if (!s.in_flight.empty()) {
                reference_operation& oldest = ports[p][s.in_flight.front()];
                if (!s.response_valid && cycle >= oldest.grant + oldest.passes + oldest.latency &&
                    cycle + 1 > s.last_transfer) {
                    s.response_valid = true;
                    oldest.response = cycle;
                }
                if (s.response_valid && cycle == oldest.response + oldest.stall) {
                    s.response_valid = false;
                    s.last_transfer = cycle + 1;
                    s.in_flight.pop_front();
                }
            }
            // Request channel.
            if (s.next < ports[p].size() && !s.on_port && cycle >= ports[p][s.next].start && cycle >= s.last_accept) {
                s.on_port = true;
                ports[p][s.next].begin = cycle;
            }
            if (s.on_port && queued[p] < parameters.request_depth) {
                ports[p][s.next].accept = cycle;
                s.last_accept = cycle + 1;
                s.queue.push_back(s.next++);
                s.on_port = false;
            }
        }
        // Edge.
        if (passes_left != 0) --passes_left;
        if (granted) {
            port_state& s = state[*granted];
            const std::size_t index = s.queue.front();
            s.queue.pop_front();
            s.in_flight.push_back(index);
            ports[*granted][index].grant = cycle;
            passes_left = ports[*granted][index].passes;
            last_granted = *granted;
        }
    }
}

} // namespace isbesim::test
