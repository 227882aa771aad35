// SPDX-License-Identifier: Apache-2.0
// One ISBE and its load. A simulation contains several, since a process elaborates only once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/at_issuer.h"
#include "testbench/load/load_meter.h"
#include "testbench/load/load_producer.h"
#include "testbench/rtl/isbe_backend.h"

namespace isbesim::testbench {

class load_site {
public:
    /// Throws std::invalid_argument if the back end needs RTL and the configuration has none, or if the storage is too
    /// small.
    load_site(const std::string& name, const isbe_backend& backend, const machine_config& config,
              const load_profile& profile);

    isbe_module& isbe() { return *isbe_.module; }
    load_meter& meter() { return meter_; }
    const load_meter& meter() const { return meter_; }
    isbe_counters counters() const { return isbe_.counters(); }
    const lockstep* comparison() const { return isbe_.comparison.get(); }

    /// Binds and applies the load until all operations have responded. Call it only with none in flight.
    void run(const load_level& level);
    /// False if no event was left but not every operation had responded.
    bool finished() const;
    /// Ends the comparison, if any.
    void finish();

private:
    /// A port that is used.
    struct pressed_port {
        pressed_port(const std::string& name, const cycle_clock& clock, unsigned port, const isbe_config& config,
                     const load_profile& profile, load_meter& meter, double share_of_rate)
            : producer(port, config, profile, meter), issuer(name.c_str(), clock, producer), share(share_of_rate)
        {
            producer.on_room = [this] { issuer.wake(); };
        }
        load_producer producer;
        at_issuer issuer;
        double share;
    };

    load_profile profile_;
    load_meter meter_;
    cycle_clock clock_;
    isbe_instance isbe_;
    std::vector<std::unique_ptr<pressed_port>> ports_;
};

} // namespace isbesim::testbench
