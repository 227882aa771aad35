// SPDX-License-Identifier: Apache-2.0
// One ISBE and its load. A simulation contains several, since a process elaborates only once.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/at_issuer.h"
#include "testbench/crosscheck/traffic/operation_producer.h"
#include "testbench/load/load_meter.h"
#include "testbench/load/load_operations.h"
#include "testbench/rtl/isbe_backend.h"

namespace isbesim::testbench {

/// Sends the load of one port of an ISBE. Open loop: operations arrive independently of earlier ones. Closed loop: a
/// new operation arrives as soon as an earlier one of any port has responded. In both, operations that have arrived
/// wait in front of the port for a place. The issuer must be woken after bind(), start() and arrive().
class load_producer : public operation_producer {
public:
    load_producer(unsigned port, const isbe_config& config, const load_profile& profile, load_meter& meter);

    /// The next operation binds the context.
    void bind() { binding_ = true; }
    /// Starts in cycle `now`; `share`: the port's share of the level's rate; `most`: operations that may wait.
    void start(const load_level& level, double share, std::uint64_t now, std::size_t most);
    /// Closed loop: an operation arrives.
    void arrive(std::uint64_t cycle);
    /// Tells the meter of the operations that still wait at its end.
    void finish();

    std::function<void(std::uint64_t)> on_response; ///< called with its cycle

    std::uint64_t due(std::uint64_t now) override;
    std::optional<issued> next(std::uint64_t now, warp_op& op) override;
    unsigned responded(std::uint64_t tag, const warp_op& op, const warp_result& result,
                       const transaction_times& times) override;
    bool done() const override { return meter_.done() && pending_ == 0; }

private:
    void next_arrival();

    unsigned port_;
    isbe_config config_;
    load_profile profile_;
    load_meter& meter_;
    load_operations operations_;
    random_numbers arrivals_;
    bool binding_ = false;
    bool running_ = false;
    load_level level_;
    std::vector<std::uint64_t> waiting_; ///< closed loop: a ring of arrivals that were not requested yet
    std::size_t oldest_ = 0, waiting_count_ = 0;
    std::uint64_t pending_ = 0; ///< requested, without a response yet
    double gap_ = 0;            ///< mean cycles between groups that arrive
    double group_time_ = 0;     ///< arrival of the next group, in cycles
    unsigned left_in_group_ = 0;
    std::uint64_t arrival_ = 0; ///< cycle in which the next operation arrives
};

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

    /// Binds and applies the load until all operations have responded. Call it only with none in flight. Throws
    /// rtl_failure if the RTL fails or differs.
    void run(const load_level& level);
    /// False if no event was left but not every operation had responded.
    bool finished() const;
    /// Ends the comparison, if any.
    void finish();

private:
    void simulate();

    /// A port that is used.
    struct pressed_port {
        pressed_port(const std::string& name, const cycle_clock& clock, unsigned port, const isbe_config& config,
                     const load_profile& profile, load_meter& meter, double share_of_rate)
            : producer(port, config, profile, meter), issuer(name.c_str(), clock, producer), share(share_of_rate)
        {
        }
        load_producer producer;
        at_issuer issuer;
        double share;
    };

    /// Closed loop: an operation arrives at a port by the ports' shares.
    void arrive(std::uint64_t cycle);

    load_profile profile_;
    load_meter meter_;
    random_numbers chosen_ports_;
    cycle_clock clock_;
    isbe_instance isbe_;
    std::vector<std::unique_ptr<pressed_port>> ports_;
};

} // namespace isbesim::testbench
