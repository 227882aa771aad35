// SPDX-License-Identifier: Apache-2.0
#include "testbench/load/load_site.h"

#include <cmath>

#include "testbench/rtl/rtl_engine.h"
#include "tlm/process_guard.h"

namespace isbesim::testbench {

void load_meter::responded(unsigned port, const warp_op& op, const warp_result& result, const transaction_times& times,
                           std::uint64_t arrival)
{
    constexpr std::uint64_t progress_step = 512;
    end_ = times.response;
    at_port_[static_cast<unsigned>(op.op)].add(times.response - times.begin_request);
    if (op.op == opcode::bind) { // comes before all other operations
        first_ = times.response;
        return;
    }
    const bool measured = responded_ >= warmup_ && !done();
    ++responded_;
    if (progress && responded_ % progress_step == 0) progress(responded_);
    if (result.error != op_error::none) ++errors_;
    if (responded_ == warmup_) first_ = times.response;
    auto& seen = spans_[port];
    if (seen.first_response == 0) seen = {0, arrival, times.response, arrival, times.response};
    if (measured) last_ = times.response;
    in_flight_cycles_ += measured_cycles(arrival, times.response);
    in_block_cycles_ += measured_cycles(times.begin_request, times.response);
    if (!measured) return;
    ++seen.operations;
    seen.last_arrival = arrival;
    seen.last_response = times.response;
    total_.add(times.response - arrival);
    bytes_ += bytes_of(op);
    passes_ += result.passes;
    square_passes_ += std::uint64_t{result.passes} * result.passes;
}

load_producer::load_producer(unsigned port, const isbe_config& config, const load_profile& profile, load_meter& meter)
    : port_(port),
      config_(config),
      profile_(profile),
      meter_(meter),
      operations_(config, profile, port),
      arrivals_(profile.seed * 2 + port + 0x10000)
{
}

void load_producer::start(const load_level& level, double share, std::uint64_t now, std::size_t most)
{
    level_ = level;
    running_ = true;
    if (level.outstanding != 0) {
        waiting_.resize(most);
        return;
    }
    gap_ = profile_.burst / (level.rate * share);
    group_time_ = static_cast<double>(now);
    next_arrival();
}

/// Advances to the next operation. An operation that arrives during a cycle is available at its end.
void load_producer::next_arrival()
{
    if (left_in_group_ == 0) {
        // In (0, 1], to avoid the logarithm of 0.
        const double uniform = (arrivals_.bits() + 1.0) / 0x1p32;
        group_time_ += profile_.poisson ? -std::log(uniform) * gap_ : gap_;
        left_in_group_ = profile_.burst;
    }
    --left_in_group_;
    arrival_ = static_cast<std::uint64_t>(std::ceil(group_time_));
}

void load_producer::arrive(std::uint64_t cycle)
{
    waiting_[(oldest_ + waiting_count_++) % waiting_.size()] = cycle;
}

void load_producer::finish()
{
    for (; waiting_count_ != 0; --waiting_count_) meter_.left(waiting_[oldest_++ % waiting_.size()]);
    for (; level_.rate > 0 && arrival_ < meter_.last(); next_arrival()) meter_.left(arrival_);
}

std::uint64_t load_producer::due(std::uint64_t now)
{
    if (binding_) return now;
    if (!running_ || meter_.done()) return never;
    if (level_.outstanding == 0) return arrival_;
    return waiting_count_ != 0 ? now : never;
}

// The tag is the cycle of arrival.
std::optional<operation_producer::issued> load_producer::next(std::uint64_t now, warp_op& op)
{
    op = warp_op{};
    ++pending_;
    if (binding_) {
        load_operations::bind(config_, profile_, op);
        binding_ = false;
        return issued{now};
    }
    operations_.next(op);
    const issued one{level_.outstanding == 0 ? arrival_ : waiting_[oldest_]};
    if (level_.outstanding == 0) {
        next_arrival();
    } else {
        oldest_ = (oldest_ + 1) % waiting_.size();
        --waiting_count_;
    }
    return one;
}

unsigned load_producer::responded(std::uint64_t tag, const warp_op& op, const warp_result& result,
                                  const transaction_times& times)
{
    --pending_;
    meter_.responded(port_, op, result, times, tag);
    if (on_response) on_response(times.response);
    return 0;
}

load_site::load_site(const std::string& name, const isbe_backend& backend, const machine_config& config,
                     const load_profile& profile)
    : profile_(profile),
      meter_(profile),
      chosen_ports_(profile.seed + 0x20000),
      clock_(cycle_clock::from_ghz(config.clock_ghz))
{
    isbe_ = backend.make(name.c_str(), config.isbe, clock_, require_rtl_block, nullptr);
    for (unsigned port = 0; port < config.isbe.ports; ++port) {
        const double share = port == 1 ? profile.second_port : 1 - profile.second_port;
        if (share <= 0 && port == 1) continue; // port 0 binds
        const auto issuer = name + "_issuer" + std::to_string(port);
        ports_.push_back(std::make_unique<pressed_port>(issuer, clock_, port, config.isbe, profile, meter_, share));
        ports_.back()->issuer.socket().bind(isbe_.module->ports[port]);
    }
}

void load_site::arrive(std::uint64_t cycle)
{
    // In [0, 1): a share of 1 always, of 0 never.
    const bool second = ports_.back()->share > chosen_ports_.bits() / 0x1p32;
    auto& port = second || ports_.size() == 1 ? *ports_.back() : *ports_.front();
    port.producer.arrive(cycle);
    port.issuer.wake();
}

void load_site::run(const load_level& level)
{
    isbe_.begin_now(); // other sites may have run before
    ports_.front()->producer.bind();
    ports_.front()->issuer.wake();
    simulate();
    const auto used = std::count_if(ports_.begin(), ports_.end(), [](const auto& port) { return port->share > 0; });
    const auto clients = static_cast<std::size_t>(used) * level.outstanding;
    meter_.warm_up(clients);
    for (const auto& port : ports_) {
        if (clients != 0) port->producer.on_response = [this](std::uint64_t cycle) { arrive(cycle); };
        if (port->share > 0) {
            port->producer.start(level, port->share, clock_.now(), clients);
            port->issuer.wake();
        }
    }
    for (std::size_t i = 0; i < clients; ++i) arrive(clock_.now());
    simulate();
    for (const auto& port : ports_) port->producer.finish();
}

void load_site::simulate()
{
    start_simulation();
    isbe_.catch_up();
    if (!isbe_.comparison || !isbe_.comparison->failed()) return;
    finish();
    throw rtl_failure(isbe_.comparison->mismatch_report()); // it has stopped the simulation
}

bool load_site::finished() const
{
    return std::all_of(ports_.begin(), ports_.end(), [](const auto& port) { return port->producer.done(); });
}

void load_site::finish()
{
    if (isbe_.comparison) isbe_.comparison->finish();
}

} // namespace isbesim::testbench
