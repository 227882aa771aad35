// SPDX-License-Identifier: Apache-2.0
// The counter tracks of --timeline: the resources in use, over time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/machine_config.h"
#include "testbench/analysis/counter_track.h"
#include "testbench/analysis/run_events.h"

namespace isbesim::testbench {

class timeline_counters {
public:
    /// A value of a track of an SM or of its ISBE.
    using output = std::function<void(bool of_isbe, unsigned sm, const char* title, std::uint64_t cycle, double value)>;
    timeline_counters(const machine_config& config, unsigned sms, const cycle_window& window, output show);

    void level(const level_event& event);
    void transaction(const transaction_event& event);
    void finish();

private:
    static constexpr std::uint64_t bandwidth_bin = 16; ///< cycles over which bytes are averaged

    struct site {
        std::vector<counter_track> levels;   ///< by level_kind
        std::vector<counter_track> requests; ///< by port
        std::vector<counter_track> others;   ///< attribute queue, bytes read, bytes written
    };
    counter_track track(bool of_isbe, unsigned sm, const char* title, double scale = 1);

    cycle_window window_;
    output show_;
    std::vector<site> sites_;
};

} // namespace isbesim::testbench
