// SPDX-License-Identifier: Apache-2.0
// Mode "data": compares data, status, error and passes of every response, in the order of each port, in any cycle.
#pragma once

#include <deque>

#include "models/isbe/execution/isbe_core.h"
#include "testbench/dpi/block_checker.h"
#include "testbench/dpi/response_watch.h"

namespace isbesim::testbench {

/// Operations are executed in the order in which their responses appear, port 0 first within a cycle. A response is
/// also right if another order of the operations in flight explains it: operations of the other port that were accepted
/// before it may come first.
class data_checker : public block_checker {
public:
    explicit data_checker(const isbe_config& config);

protected:
    void look(const std::vector<seen_port>& ports) override;
    void look_in_reset() override;
    void end(bool idle) override;
    std::string both_states() const override;

private:
    struct operation {
        warp_op op;
        warp_result expected;
        std::uint64_t number = 0;
        bool done = false; ///< executed
    };
    struct port_state {
        std::deque<operation> under_way; ///< accepted, without a transferred response
        std::uint64_t accepted = 0;
        response_watch channel;
    };

    void appeared(unsigned port, const warp_result& got);
    void transferred(unsigned port, const warp_result& got);
    bool carry_out(isbe_core& core, operation& each, unsigned port);
    bool explain(const isbe_core& before, unsigned port, const warp_result& got);

    isbe_core core_;
    std::vector<port_state> ports_;
    std::uint64_t compared_ = 0;
    std::uint64_t reordered_ = 0;
};

} // namespace isbesim::testbench
