// SPDX-License-Identifier: Apache-2.0
// Presses one port of an ISBE: open loop, operations arrive whatever becomes of those before; closed loop, a new one
// comes as soon as one has responded.
#pragma once

#include <functional>

#include "testbench/crosscheck/traffic/operation_producer.h"
#include "testbench/load/load_meter.h"
#include "testbench/load/load_operations.h"

namespace isbesim::testbench {

/// Its issuer must be woken after bind() and start().
class load_producer : public operation_producer {
public:
    load_producer(unsigned port, const isbe_config& config, const load_profile& profile, load_meter& meter);

    /// The operation that binds the context comes first.
    void bind() { binding_ = true; }
    /// From cycle `now` on; `share` is the port's part of the level's rate.
    void start(const load_level& level, double share, std::uint64_t now);

    std::function<void()> on_room; ///< called when a response has made room for another operation

    std::uint64_t due(std::uint64_t now) override;
    std::optional<issued> next(std::uint64_t now, warp_op& op) override;
    unsigned responded(std::uint64_t tag, const warp_op& op, const warp_result& result,
                       const transaction_times& times) override;
    bool done() const override { return meter_.done() && pending_ == 0; }

private:
    void next_arrival();

    isbe_config config_;
    load_profile profile_;
    load_meter& meter_;
    load_operations operations_;
    random_numbers arrivals_;
    bool binding_ = false;
    bool running_ = false;
    load_level level_;
    std::uint64_t pending_ = 0; ///< issued, without a response yet
    double gap_ = 0;            ///< mean cycles between groups that arrive
    double group_time_ = 0;     ///< of the group that arrives next, in cycles
    unsigned left_in_group_ = 0;
    std::uint64_t arrival_ = 0; ///< cycle of the operation that comes next
};

} // namespace isbesim::testbench
