// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bare_rtl.h"

#include <algorithm>
#include <array>

#include "testbench/rtl/plugin_block.h"
#include "testbench/rtl/rtl_store.h"

namespace isbesim::test {

struct bare_rtl::block {
    testbench::plugin_block pins{testbench::rtl_plugin_of(isbe_config{})};
};

namespace {

constexpr unsigned max_ports = 2;

/// The registers of a port's client.
struct client {
    std::size_t next = 0;
    bool offering = false;
};

} // namespace

bare_rtl::bare_rtl() : block_(std::make_unique<block>()) {}
bare_rtl::~bare_rtl() = default;

std::uint64_t bare_rtl::play(const packed_trace& trace, pace how)
{
    auto& pins = block_->pins;
    const bool recorded = how == pace::as_recorded;
    const auto ports = static_cast<unsigned>(trace.ports.size());
    std::array<client, max_ports> clients{};
    std::uint64_t left = trace.transactions();
    std::uint64_t cycle = 0;
    std::uint64_t clocked = 0;
    std::uint64_t in_flight = 0;
    warp_op op;
    for (unsigned p = 0; p < ports; ++p) pins.set_response_ready(p, true);
    while (left != 0) {
        for (unsigned p = 0; p < ports; ++p) {
            client& c = clients[p];
            const packed_port& port = trace.ports[p];
            if (c.offering || c.next == port.size() || (recorded && port.earliest(c.next) > cycle)) continue;
            port.load(c.next, op);
            pins.offer(p, op);
            c.offering = true;
            ++c.next;
            ++in_flight;
        }
        if (in_flight == 0) { // as recorded: on to the next request
            cycle = ~std::uint64_t{0};
            for (unsigned p = 0; p < ports; ++p)
                if (clients[p].next != trace.ports[p].size())
                    cycle = std::min(cycle, trace.ports[p].earliest(clients[p].next));
            continue;
        }
        std::array<bool, max_ports> transferred{};
        for (unsigned p = 0; p < ports; ++p) {
            transferred[p] = clients[p].offering && pins.request_ready(p);
            if (!pins.response_valid(p)) continue;
            --left;
            --in_flight;
        }
        pins.clock(cycle);
        ++cycle;
        ++clocked;
        for (unsigned p = 0; p < ports; ++p) {
            if (!transferred[p]) continue;
            clients[p].offering = false;
            pins.withdraw(p);
        }
    }
    return clocked;
}

} // namespace isbesim::test
