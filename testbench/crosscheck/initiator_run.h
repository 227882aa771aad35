// SPDX-License-Identifier: Apache-2.0
// The initiators of tlm/ before an ISBE of their own: answers by the oracle (oracle.h), times by section 5 of the
// micro-architecture page for a port alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/isbe/timing/isbe_module.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/random_numbers.h"
#include "tlm/protocol_checker.h"
#include "tlm/warp_initiator.h"

namespace isbesim::testbench {

class initiator_run final : public sc_core::sc_module, private warp_initiator::client {
public:
    initiator_run(const sc_core::sc_module_name& name, warp_initiator::style how, const isbe_config& config,
                  const cycle_clock& clock, std::uint64_t seed);
    ~initiator_run() override;

    /// Called by a thread: sends the operations with pauses, and holds responses of the AT module back. A text if
    /// anything differs; the first line has the kind.
    std::string run(const std::vector<warp_op>& operations);

private:
    /// Cycles of an operation: `sent` to the initiator, on the channel, accepted, told so, on the response channel.
    struct course {
        std::uint64_t sent = 0, begin = 0, accept = 0, reported = 0, response = 0;
        unsigned hold = 0;
        const warp_op* op = nullptr;
        std::unique_ptr<block_read> block; ///< instead of an operation, and the words that it reads
        std::vector<per_lane<word>> words;
    };

    void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;
    void accepted(std::uint64_t tag) override { courses_[tag].reported = clock_.now(); }
    unsigned response_stall(std::uint64_t tag) override { return courses_[tag].hold; }
    void send(const std::vector<warp_op>& operations);
    void send_block();
    std::string compare() const;

    warp_initiator::style how_;
    isbe_config config_;
    cycle_clock clock_;
    random_numbers random_;
    std::unique_ptr<isbe_module> isbe_;
    protocol_checker checker_;
    std::unique_ptr<warp_initiator> initiator_;
    std::vector<course> courses_;
    std::vector<warp_result> results_; ///< in the order of the responses, which is that of the operations
};

} // namespace isbesim::testbench
