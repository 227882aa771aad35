// SPDX-License-Identifier: Apache-2.0
// Mode "cycles": every output pin must equal the model's in every cycle.
#pragma once

#include "models/clocked/clocked_isbe.h"
#include "testbench/dpi/block_checker.h"

namespace isbesim::testbench {

class cycle_checker : public block_checker {
public:
    explicit cycle_checker(const isbe_config& config) : model_(config), latest_(config.ports) {}

protected:
    void look(const std::vector<seen_port>& ports) override;
    void look_in_reset() override { model_.clock_in_reset(); }
    void end(bool idle) override;
    std::string both_states() const override;

private:
    bool compare(unsigned port, const seen_port& seen);

    clocked_isbe model_;
    std::vector<seen_port> latest_; ///< pins of the current cycle
};

} // namespace isbesim::testbench
