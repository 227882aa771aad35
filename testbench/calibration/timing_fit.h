// SPDX-License-Identifier: Apache-2.0
// Section 5 of the micro-architecture page turned around: from the cycles of requests and responses to the latencies
// and depths that lead to them.
//
// The transfers of requests and of responses are taken as they were seen. Then the cycle of every grant follows from
// the passes, the arbitration and the depth of the response queue alone; latencies and the depth of the request queue
// change no grant. So they need no search: each response says what its latency is, or at most is where the response
// before it held it back, and each request says how deep its queue is, or at least is where it did not wait.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "testbench/calibration/observed_traffic.h"

namespace isbesim::testbench {

/// Inclusive.
struct value_range {
    unsigned low = 0;
    unsigned high = 0;
    bool empty() const { return low > high; }
};

inline constexpr value_range latency_limits{2, 1000};
inline constexpr value_range request_depth_limits{1, 64};
inline constexpr value_range response_depth_limits{1, 128};

/// Operations by which many rules are ranked before the best of them are asked about all.
inline constexpr std::uint64_t operations_for_ranking = 20'000;

/// What decides about grants beside passes.
struct grant_rule {
    bool fixed_priority = false;
    unsigned response_depth = response_depth_limits.high;
};

/// Latencies and depths with which all that was seen follows.
struct exact_fit {
    bool fits = false;
    std::array<value_range, latency_classes> latency{}; ///< by latency_class
    value_range request_depth{};
};

struct near_fit {
    std::array<unsigned, latency_classes> latency{};
    std::uint64_t error = 0; ///< cycles, the sum over all responses
};

/// By operation, in the order of observed_traffic::operations().
struct scheduled_cycles {
    std::vector<std::uint64_t> response; ///< never: not granted
    std::vector<std::uint64_t> accept;
};

class timing_fit {
public:
    /// Passes by operation, in the order of observed_traffic::operations().
    using pass_list = std::vector<std::uint16_t>;

    explicit timing_fit(const observed_traffic& traffic);

    /// A response queue of that depth or more never fills up.
    unsigned enough_response_depth(const pass_list& passes, bool fixed_priority) const;
    /// Ends at the first operation that contradicts those before it.
    exact_fit fit_exactly(const pass_list& passes, const grant_rule& rule) const;
    /// Of the first `grants` operations: for each latency the median of what responses say.
    near_fit fit_nearest(const pass_list& passes, const grant_rule& rule, std::uint64_t grants) const;
    /// The rule that fits exactly, else nearest of those that limit grants, to the first operations.
    grant_rule likely_rule(const pass_list& passes) const;
    /// Numbers of the operations in the order of their grants, at the end those that get none.
    std::vector<std::size_t> grant_order(const pass_list& passes, const grant_rule& rule) const;
    /// The depth of the request queue with the least error of request transfers.
    unsigned nearest_request_depth(const pass_list& passes, const grant_rule& rule) const;
    /// What such a block does, request and response transfers before each event taken as they were seen.
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
    void each_grant(const pass_list& passes, const grant_rule& rule, Visitor visit) const;
    grant_cycles grants_of(const pass_list& passes, const grant_rule& rule) const;
    /// Transfer of the request at `place` of a port with a queue of `depth`.
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

} // namespace isbesim::testbench
