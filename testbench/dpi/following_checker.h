// SPDX-License-Identifier: Apache-2.0
// Modes "latency" and "order": the timed model follows the block, which may have any cycles.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "models/clocked/clocked_isbe.h"
#include "testbench/dpi/block_checker.h"
#include "testbench/dpi/response_watch.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// Statistics of the delay of responses, in cycles, against the model's.
class latency_statistics {
public:
    void add(opcode op, std::int64_t later);
    /// Count, minimum, mean and maximum, of all responses and by opcode, and one line for each delay with its count.
    std::string text() const;

private:
    using histogram = std::map<std::int64_t, std::uint64_t>;
    static std::string line(const std::string& name, const histogram& values);

    std::array<histogram, opcode_count> by_op_;
};

/// The model gets each request in the cycle in which the block accepted it, or as soon after it as it can; its
/// responses leave when the block's do, or as soon after that as they are valid. So both have the same operations in
/// flight, and the same grants if the block follows the model's rules. Operations are executed in the order of these
/// grants; data, status, error and passes are compared. The model's grant gives the cycle of its response, as if it
/// were held as long as the block's: effects of a latency do not accumulate.
class following_checker : public block_checker {
public:
    /// `order`: responses must appear in the order of the model's, also across the ports.
    following_checker(const isbe_config& config, bool order);

protected:
    void look(const std::vector<seen_port>& ports) override;
    void look_in_reset() override;
    void end(bool idle) override;
    std::string both_states() const override;

private:
    /// A response of the block.
    struct answer {
        warp_result result;
        std::uint64_t valid = 0; ///< first cycle
        std::uint64_t held = 0;  ///< cycles from that to its transfer
    };
    struct prediction {
        warp_result result;
        std::uint64_t ready = 0; ///< g + P + L of section 5.5
    };
    /// First cycle of a response in the block and in the model.
    struct moment {
        std::uint64_t block = 0;
        std::uint64_t model = 0;
    };
    struct port_state {
        std::deque<warp_op> under_way; ///< accepted, responses not compared
        std::deque<answer> answers;    ///< transferred, not compared
        response_watch channel;
        std::uint64_t accepted = 0;
        std::uint64_t answered = 0;
        std::uint64_t compared = 0;
        std::deque<warp_op> offered;     ///< accepted by the block, not by the model yet
        std::uint64_t ahead = 0;         ///< transferred responses that the model has not transferred yet
        std::deque<prediction> expected; ///< not compared
        bool responding = false;         ///< the model's current response is in `expected`
        std::uint64_t channel_free = 0;  ///< of the model, if it had its own cycles
        std::deque<moment> moments;      ///< of the last responses
    };
    static constexpr std::size_t moments_kept = 256;

    void see(unsigned port, const seen_port& seen);
    void step();
    void compare(unsigned port);
    void compare_order(unsigned port, const moment& when);

    clocked_isbe model_;
    std::vector<port_state> ports_;
    bool order_;
    latency_statistics statistics_;
};

} // namespace isbesim::testbench
