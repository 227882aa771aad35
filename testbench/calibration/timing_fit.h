// SPDX-License-Identifier: Apache-2.0
// Section 5 of the micro-architecture page in reverse: from the cycles of requests and responses to latencies and
// depths.
//
// The transfers of requests and of responses are used as observed. Then the cycle of every grant depends only on the
// passes, the arbitration and the depth of the response queue; latencies and the depth of the request queue change no
// grant. So they need no search: each response gives its latency, or an upper bound if the previous response delayed
// it, and each request gives the depth of its queue, or a lower bound if it did not wait.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "testbench/calibration/observed_traffic.h"

namespace isbesim::testbench {

/// Both bounds are inclusive.
struct value_range {
    unsigned low = 0;
    unsigned high = 0;
    bool empty() const { return low > high; }
};

inline constexpr value_range latency_limits{2, 1000};
inline constexpr value_range request_depth_limits{1, 64};
inline constexpr value_range response_depth_limits{1, 128};

/// Operations for ranking many rules, before the best rules are tried with all operations.
inline constexpr std::uint64_t operations_for_ranking = 20'000;

/// The rules about grants besides passes.
struct grant_rule {
    bool fixed_priority = false;
    unsigned response_depth = response_depth_limits.high;
};

/// Latencies and depths that reproduce the whole observation.
struct exact_fit {
    bool fits = false;
    std::array<value_range, latency_classes> latency{}; ///< by latency_class
    value_range request_depth{};
};

struct near_fit {
    std::array<unsigned, latency_classes> latency{};
    std::uint64_t error = 0; ///< cycles, summed over all responses
};

/// Predicted cycles by operation, in the order of observed_traffic::operations().
struct scheduled_cycles {
    std::vector<std::uint64_t> response; ///< never: not granted
    std::vector<std::uint64_t> accept;
};

class timing_fit {
public:
    /// Passes by operation, in the order of observed_traffic::operations().
    using pass_list = std::vector<std::uint16_t>;

    explicit timing_fit(const observed_traffic& traffic);

    /// The least depth with which the response queue never fills up.
    unsigned enough_response_depth(const pass_list& passes, bool fixed_priority) const;
    /// Ends at the first operation that contradicts earlier operations.
    exact_fit fit_exactly(const pass_list& passes, const grant_rule& rule) const;
    /// For the first `grants` operations: each latency is the median over the responses.
    near_fit fit_nearest(const pass_list& passes, const grant_rule& rule, std::uint64_t grants) const;
    /// The rule that fits exactly, otherwise the nearest for the first operations, of the rules that limit grants.
    grant_rule likely_rule(const pass_list& passes) const;
    /// Numbers of the operations in the order of their grants, then those without a grant.
    std::vector<std::size_t> grant_order(const pass_list& passes, const grant_rule& rule) const;
    /// The depth of the request queue with the least error of request transfers.
    unsigned nearest_request_depth(const pass_list& passes, const grant_rule& rule) const;
    /// Predicts such a block, with the observed request and response transfers before each event.
    scheduled_cycles predict(const pass_list& passes, const grant_rule& rule,
                             const std::array<unsigned, latency_classes>& latency, unsigned request_depth) const;

private:
    static constexpr auto never = observed_operation::never;

    struct entry {
        std::uint64_t request, accept, response, transfer;
        std::size_t number;
        latency_class kind;
    };
    using port_entries = std::vector<entry>;
    using grant_cycles = std::array<std::vector<std::uint64_t>, 2>;

    /// Calls visit(port, place in the port, cycle of the grant, passes) for every grant until it returns false.
    template <typename Visitor>
    void for_each_grant(const pass_list& passes, const grant_rule& rule, Visitor visit) const;
    grant_cycles grants_of(const pass_list& passes, const grant_rule& rule) const;
    /// Cycle of the transfer of the request at `place` of a port with a queue of `depth`.
    static std::uint64_t accept_cycle(const port_entries& port, const std::vector<std::uint64_t>& grants,
                                      std::size_t place, unsigned depth);
    /// First cycle in which the response at `place` can appear, after the previous one.
    static std::uint64_t channel_free(const port_entries& port, std::size_t place)
    {
        return place == 0 ? 0 : port[place - 1].transfer + 1;
    }

    std::vector<port_entries> ports_;
    std::size_t operations_ = 0;
};

// Derives bounds of an ISBE's size from refused and accepted operations.

/// Bounds within the ranges of micro-architecture section 7. Empty: the observation contradicts itself or the page.
struct size_bounds {
    value_range lines;    ///< multiples of 8
    value_range contexts; ///< slots
};

/// Uses accesses to physical addresses and BIND. If some lanes of a store were outside, its response shows which; a
/// load only shows that some were, so its passes may differ between the sizes that remain possible.
size_bounds find_size_bounds(const observed_traffic& traffic);

} // namespace isbesim::testbench
