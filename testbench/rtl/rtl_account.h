// SPDX-License-Identifier: Apache-2.0
// Accounts for the operations and the cycles of the RTL. Pins show requests, responses and passes; grants follow by
// micro-architecture section 5, as long as every response comes in the cycle of its rules.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/isbe/timing/isbe_at.h"
#include "testbench/rtl/rtl_clock.h"

namespace isbesim::testbench {

/// Executes operations again, because the pins don't distinguish discarded from stored words; the data are ignored. If
/// a block responds in another cycle than the page's, its grants are unknown from then on: operations are executed in
/// the order of their responses, and there are no stacks and no contention.
class rtl_account {
public:
    explicit rtl_account(const isbe_config& config);

    void report_to(const std::vector<transaction_observer*>& observers);
    /// A request is transferred in cycle `operation.accept`.
    void accept(unsigned port, const port_operation& operation);
    /// The response of the port's oldest operation, with the RTL's result, is valid from cycle `now` on; the previous
    /// response left before cycle `free`.
    void respond(unsigned port, const port_operation& operation, std::uint64_t free, std::uint64_t now);
    /// The response is transferred, after `held` cycles in which it was valid.
    void transfer(unsigned port, std::uint64_t held, std::uint64_t now);

    /// True if all events before cycle `now` were in the cycles of the page.
    bool follows_page(std::uint64_t now);
    /// Empty if the page is not followed.
    std::vector<cycle_stack> stacks(std::uint64_t now);
    /// Contention is counted only as long as the page is followed.
    const isbe_timing_counters& counters(unsigned port) const;
    const isbe_counters& functional_counters(std::uint64_t now);

private:
    void depart();
    void carry_out(unsigned port, const port_operation& operation, std::uint64_t now);

    at_engine engine_;
    const std::vector<transaction_observer*>* observers_ = nullptr;
    warp_result scratch_;
    bool departed_ = false;
    // By port; used after the block has departed from the page.
    std::array<std::size_t, rtl_clock::max_ports> carried_out_{}; ///< executed before that, without a response then
    std::array<isbe_timing_counters, rtl_clock::max_ports> counters_{};
};

} // namespace isbesim::testbench
