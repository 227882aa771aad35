// SPDX-License-Identifier: Apache-2.0
// What the RTL's operations did and where its cycles went. Pins show requests, responses and passes; grants follow from
// them by the rules of micro-architecture section 5, as long as every response comes in the cycle of those rules.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/isbe/timing/isbe_at.h"
#include "testbench/rtl/rtl_clock.h"

namespace isbesim::testbench {

/// Carries operations out once more: the pins don't tell discarded words from stored ones. Its data are not looked at.
/// A block that answers in other cycles than the page's has no known grants from then on: operations are carried out
/// in the order of their responses, and nothing is said of stacks and contention.
class rtl_account {
public:
    explicit rtl_account(const isbe_config& config);

    void report_to(const std::vector<transaction_observer*>& observers);
    /// Request transfer in cycle `operation.accept`.
    void accept(unsigned port, const port_operation& operation);
    /// The response of the port's oldest operation, with the RTL's result, is valid from cycle `now` on; the one before
    /// left before cycle `free`.
    void respond(unsigned port, const port_operation& operation, std::uint64_t free, std::uint64_t now);
    /// Its transfer, after `held` cycles in which it was valid.
    void transfer(unsigned port, std::uint64_t held, std::uint64_t now);

    /// Whether all that happened before cycle `now` happened in the cycles of the page.
    bool follows_page(std::uint64_t now);
    /// Empty when not.
    std::vector<cycle_stack> stacks(std::uint64_t now);
    /// Contention counts as long as the page is followed.
    const isbe_timing_counters& counters(unsigned port) const;
    const isbe_counters& functional_counters(std::uint64_t now);

private:
    void depart();
    void carry_out(unsigned port, const port_operation& operation, std::uint64_t now);

    at_engine engine_;
    const std::vector<transaction_observer*>* observers_ = nullptr;
    warp_result scratch_;
    bool departed_ = false;
    // From the departure on, by port.
    std::array<std::size_t, rtl_clock::max_ports> carried_out_{}; ///< without a response then
    std::array<isbe_timing_counters, rtl_clock::max_ports> counters_{};
};

} // namespace isbesim::testbench
