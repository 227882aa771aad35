// SPDX-License-Identifier: Apache-2.0
// One ISBE and its load. A simulation contains several, since a process elaborates only once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "models/statistics/latency_histogram.h"
#include "testbench/crosscheck/traffic/at_issuer.h"
#include "testbench/crosscheck/traffic/operation_producer.h"
#include "testbench/load/load_operations.h"
#include "testbench/rtl/isbe_backend.h"
#include "tlm/transaction_times.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// Measures an ISBE under load, from the end of the warm-up to the last measured operation.
class load_meter {
public:
    explicit load_meter(const load_profile& profile) : warmup_(profile.warmup), operations_(profile.operations) {}

    /// A closed loop is in its steady state once every operation that was there at the start has responded.
    void warm_up(std::uint64_t at_least) { warmup_ = std::max(warmup_, at_least); }

    /// Enough was measured: no further operations are needed.
    bool done() const { return responded_ >= warmup_ + operations_; }
    void responded(unsigned port, const warp_op& op, const warp_result& result, const transaction_times& times,
                   std::uint64_t arrival);
    /// An operation that arrived and was never requested: enough was measured before.
    void left(std::uint64_t arrival) { in_flight_cycles_ += measured_cycles(arrival, last_); }

    /// Measured operations, and the cycles from the response before the first to the response of the last.
    std::uint64_t operations() const { return total_.count(); }
    std::uint64_t cycles() const { return last_ - first_; }
    /// Cycle of the last response, measured or not.
    std::uint64_t end() const { return end_; }
    std::uint64_t last() const { return last_; }
    /// From a port's first operation, warm-up included, to its last measured one: the cycles of their arrivals divided
    /// by the cycles of their responses, each port by its operations. Close to 1 for any random arrivals; less if a
    /// queue grew.
    double kept_up() const
    {
        double arrived = 0, took = 0;
        for (const auto& port : spans_) {
            arrived += port.operations * static_cast<double>(port.last_arrival - port.first_arrival);
            took += port.operations * static_cast<double>(port.last_response - port.first_response);
        }
        return took == 0 ? 1 : arrived / took;
    }
    /// Measured operations per cycle.
    double accepted() const { return per_cycle(static_cast<double>(operations())); }
    double bytes_per_cycle() const { return per_cycle(static_cast<double>(bytes_)); }
    /// Operations that have arrived and not responded, mean over the measured cycles; those that were requested at a
    /// port, too.
    double in_flight() const { return per_cycle(static_cast<double>(in_flight_cycles_)); }
    double in_block() const { return per_cycle(static_cast<double>(in_block_cycles_)); }
    /// From arrival to response, including the wait in front of the port.
    const latency_histogram& total() const { return total_; }
    /// From the request at the port to its response, by opcode; of all operations, as in a replay.
    const std::array<latency_histogram, opcode_count>& at_port() const { return at_port_; }
    std::uint64_t all_operations() const { return responded_; }
    /// Passes of the measured operations: mean and mean square.
    double mean_passes() const { return mean(static_cast<double>(passes_)); }
    double mean_square_passes() const { return mean(static_cast<double>(square_passes_)); }
    std::uint64_t errors() const { return errors_; }

    std::function<void(std::uint64_t)> progress; ///< called with the number of responses; may be empty

private:
    /// The first operation and the last measured one of a port.
    struct span {
        double operations = 0;
        std::uint64_t first_arrival = 0, first_response = 0, last_arrival = 0, last_response = 0;
    };
    /// The number of measured cycles between `begin` and `end`.
    std::uint64_t measured_cycles(std::uint64_t begin, std::uint64_t end) const
    {
        begin = std::max(begin, first_);
        end = std::min(end, last_);
        return end > begin ? end - begin : 0;
    }
    double per_cycle(double amount) const { return cycles() == 0 ? 0 : amount / static_cast<double>(cycles()); }
    double mean(double sum) const { return operations() == 0 ? 0 : sum / static_cast<double>(operations()); }

    std::uint64_t warmup_;
    std::uint64_t operations_;
    std::uint64_t responded_ = 0;
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    std::uint64_t end_ = 0;
    std::array<span, 2> spans_;
    std::uint64_t bytes_ = 0;
    std::uint64_t passes_ = 0;
    std::uint64_t square_passes_ = 0;
    std::uint64_t errors_ = 0;
    std::uint64_t in_flight_cycles_ = 0; ///< summed over operations
    std::uint64_t in_block_cycles_ = 0;
    latency_histogram total_;
    std::array<latency_histogram, opcode_count> at_port_;
};

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
