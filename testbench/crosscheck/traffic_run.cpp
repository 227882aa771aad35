// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic_run.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/attribute/layout.h"
#include "testbench/crosscheck/reset_run.h"
#include "testbench/crosscheck/traces/replay_producer.h"
#include "testbench/crosscheck/traces/trace_ports.h"
#include "testbench/crosscheck/traffic/at_issuer.h"
#include "testbench/crosscheck/traffic/lt_issuer.h"
#include "testbench/rtl/isbe_backend.h"
#include "testbench/rtl/rtl_engine.h"
#include "testbench/rtl/run_copies.h"
#include "testbench/system/port_mux.h"
#include "tlm/process_guard.h"
#include "tlm/protocol_checker.h"

namespace isbesim::testbench {

namespace {

/// Produces the traffic of one port, with its request gaps and response holds.
class traffic_producer : public operation_producer {
public:
    traffic_producer(unsigned port, traffic_source& source, traffic_listener& listener)
        : port_(port), source_(source), listener_(listener)
    {
    }

    std::uint64_t due(std::uint64_t now) override
    {
        if (next_ == nullptr && !exhausted_) {
            // Drawn by the issuer's process, not while the ISBE accepts: sources may throw or wait.
            if (now < channel_free_) return channel_free_;
            next_ = source_.draw(port_);
            exhausted_ = next_ == nullptr;
        }
        return exhausted_ ? never : std::max(next_->earliest, channel_free_);
    }
    std::optional<issued> next(std::uint64_t, warp_op& op) override
    {
        const auto& item = *std::exchange(next_, nullptr);
        op = item.op;
        ++pending_;
        return issued{item.response_hold}; // the tag carries the hold to the response
    }
    void accepted(std::uint64_t, std::uint64_t, std::uint64_t next) override { channel_free_ = next; }
    unsigned responded(std::uint64_t tag, const warp_op& op, const warp_result& result,
                       const transaction_times& times) override
    {
        --pending_;
        const auto hold = static_cast<unsigned>(tag);
        listener_.responded(port_, hold, op, result, times);
        return hold;
    }
    bool done() const override { return exhausted_ && pending_ == 0; }

private:
    unsigned port_;
    traffic_source& source_;
    traffic_listener& listener_;
    const traffic_item* next_ = nullptr; ///< drawn and not issued yet
    std::uint64_t channel_free_ = 0;     ///< cycle in which the request channel can carry the next request
    std::uint64_t pending_ = 0;          ///< issued, without a response yet
    bool exhausted_ = false;
};

/// Collects what the producers report.
class collector : public traffic_listener {
public:
    collector(traffic_outcome& outcome, coverage* bins, answer_check* check, bool holds)
        : outcome_(outcome), bins_(bins), check_(check), holds_(holds)
    {
    }

    void sent(unsigned port, std::uint64_t number, const operation_answer& recorded) override
    {
        check_->expect(port, number, recorded);
    }

    void responded(unsigned port, std::uint32_t response_hold, const warp_op& op, const warp_result& result,
                   const transaction_times& times) override
    {
        ++outcome_.transactions;
        outcome_.cycles = std::max(outcome_.cycles, times.response);
        outcome_.latency[static_cast<unsigned>(op.op)].add(times.response - times.begin_request);
        if (check_ != nullptr) check_->responded(port, op, result, times.response);
        if (outcome_.transactions % progress_step == 0 && progress) progress(outcome_.transactions);
        if (bins_ == nullptr) return;
        // The context to which the slot was last bound when the response came.
        if (op.op == opcode::bind && op.context < contexts_.size()) contexts_[op.context] = unpack_context(op);
        bins_->sample(port, op.context < contexts_.size() ? contexts_[op.context] : unbound_, op, result, times,
                      holds_ ? response_hold : 0);
    }

    std::function<void(std::uint64_t)> progress; ///< called with the transactions so far

private:
    static constexpr std::uint64_t progress_step = 512;

    traffic_outcome& outcome_;
    coverage* bins_;
    answer_check* check_;
    bool holds_; ///< responses are held back as the traffic requests; false if loosely timed
    std::array<context, 64> contexts_{};
    context unbound_;
};

/// The producers and issuers of an ISBE's ports, and the sockets to bind, by port.
struct port_issuers {
    std::vector<std::unique_ptr<operation_producer>> producers;
    std::vector<std::unique_ptr<at_issuer>> at;
    std::vector<std::unique_ptr<lt_issuer>> lt;
    std::optional<port_mux> mux; ///< of a trace's initiators, as in a system with one port
    std::vector<tlm::tlm_initiator_socket<>*> sockets;

    bool finished() const
    {
        return std::all_of(producers.begin(), producers.end(), [](const auto& p) { return p->done(); });
    }
    at_issuer& add_at(const cycle_clock& clock, operation_producer& producer)
    {
        at.push_back(std::make_unique<at_issuer>(("issuer" + std::to_string(at.size())).c_str(), clock, producer));
        return *at.back();
    }
    void add_lt(const cycle_clock& clock, unsigned ports, std::uint64_t quantum, operation_producer& producer)
    {
        lt.push_back(std::make_unique<lt_issuer>(("issuer" + std::to_string(lt.size())).c_str(), clock, ports, quantum,
                                                 producer));
        for (auto& socket : lt.back()->sockets) sockets.push_back(&socket);
    }
};

using issuer_maker = std::function<void(port_issuers&, const cycle_clock&, bool loosely_timed, traffic_listener&)>;

issuer_maker source_issuers(unsigned ports, traffic_source& source)
{
    return
        [=, &source](port_issuers& issuers, const cycle_clock& clock, bool loosely_timed, traffic_listener& listener) {
            constexpr std::uint64_t quantum_cycles = 1000;
            for (unsigned port = 0; port < ports; ++port) {
                issuers.producers.push_back(std::make_unique<traffic_producer>(port, source, listener));
                if (loosely_timed)
                    issuers.add_lt(clock, 1, quantum_cycles, *issuers.producers.back());
                else
                    issuers.sockets.push_back(&issuers.add_at(clock, *issuers.producers.back()).socket());
            }
        };
}

void add_replay_issuers(port_issuers& issuers, const cycle_clock& clock, unsigned ports, replay_schedule& schedule,
                        traffic_listener& listener)
{
    if (ports == 1) {
        issuers.mux.emplace("mux", clock);
        issuers.sockets.push_back(&issuers.mux->to);
    }
    std::array<replay_producer*, replay_schedule::initiators> replays{};
    for (unsigned i = 0; i < replay_schedule::initiators; ++i) {
        auto producer = std::make_unique<replay_producer>(i, schedule, listener);
        replays[i] = producer.get();
        issuers.producers.push_back(std::move(producer));
        auto& socket = issuers.add_at(clock, *replays[i]).socket();
        if (issuers.mux)
            socket.bind(issuers.mux->from[i]);
        else
            issuers.sockets.push_back(&socket);
    }
    if (issuers.mux)
        for (unsigned i = 0; i < replay_schedule::initiators; ++i) replays[i]->share_with(*replays[1 - i]);
    schedule.on_ready([&issuers](unsigned initiator) { issuers.at[initiator]->wake(); });
}

issuer_maker schedule_issuers(unsigned ports, replay_schedule& schedule)
{
    return [=, &schedule](port_issuers& issuers, const cycle_clock& clock, bool loosely_timed,
                          traffic_listener& listener) {
        if (!loosely_timed) return add_replay_issuers(issuers, clock, ports, schedule, listener);
        issuers.producers.push_back(std::make_unique<ordered_replay_producer>(ports, schedule, listener));
        issuers.add_lt(clock, ports, 0, *issuers.producers.back());
    };
}

traffic_outcome play(const traffic_request& request, const issuer_maker& make_issuers, answer_check* check)
{
    const auto clock = cycle_clock::from_ghz(request.clock_ghz);
    const auto& config = request.config;
    traffic_outcome outcome;

    const auto* backend = find_isbe_backend(request.backend);
    if (backend == nullptr) throw std::invalid_argument("no back end is called " + request.backend);
    const bool loosely_timed = backend->style == warp_initiator::style::loosely_timed;
    const auto isbe = backend->make("isbe", config, clock, request.make_block, request.wave);

    if (request.prepare) request.prepare(*isbe.module);
    if (request.copies != nullptr) isbe.module->attach(*request.copies);

    collector collected(outcome, request.bins, check, !loosely_timed);
    collected.progress = request.progress;
    port_issuers issuers;
    make_issuers(issuers, clock, loosely_timed, collected);
    std::vector<std::unique_ptr<protocol_checker>> checkers;
    unsigned port = 0;
    for (auto* const socket : issuers.sockets) {
        if (request.check_protocol) {
            checkers.push_back(
                std::make_unique<protocol_checker>(("checker" + std::to_string(port)).c_str(), clock, port));
            socket->bind(checkers.back()->target);
            checkers.back()->initiator.bind(isbe.module->ports[port]);
        } else {
            socket->bind(isbe.module->ports[port]);
        }
        ++port;
    }

    const auto start = std::chrono::steady_clock::now();
    try {
        start_simulation();
        isbe.catch_up();
    } catch (const rtl_failure& error) {
        outcome.mismatch_report = error.what();
    }
    if (request.copies != nullptr) request.copies->end_of_run();
    outcome.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    if (isbe.comparison) {
        isbe.comparison->finish();
        outcome.compared = true;
        outcome.totals = isbe.comparison->totals();
        outcome.mismatch_report = isbe.comparison->mismatch_report();
        outcome.difference_cycle = isbe.comparison->difference_cycle();
    }
    const bool failed = isbe.comparison && isbe.comparison->failed();
    outcome.differs = failed;
    outcome.stuck = !failed && outcome.mismatch_report.empty() && !issuers.finished();
    for (const auto& checker : checkers) {
        checker->finish();
        if (checker->violation_count() != 0 && outcome.mismatch_report.empty())
            outcome.mismatch_report = checker->violations().front().describe();
    }
    outcome.counters = isbe.counters();
    outcome.stacks = isbe.module->stacks();
    if (request.bins != nullptr)
        for (unsigned p = 0; p < config.ports; ++p)
            request.bins->sample_contention(p, isbe.module->timing(p).stalls[stall_reason::port_contention]);
    if (request.wave != nullptr) request.wave->close();
    return outcome;
}

} // namespace

const traffic_item* with_memory_image::draw(unsigned port)
{
    if (const traffic_item* const drawn = source_.draw(port)) {
        if (port == 0) last_cycle_ = drawn->earliest;
        return drawn;
    }
    if (port != 0 || line_ == lines_) return nullptr;
    read_ = traffic_item{};
    read_.earliest = last_cycle_;
    read_.op.op = opcode::isberd;
    read_.op.region = region::physical;
    read_.op.size = 4;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) read_.op.address[lane] = line_ * line_bytes + lane * 4;
    ++line_;
    return &read_;
}

traffic_outcome run_traffic(const traffic_request& request, traffic_source& source)
{
    reset_outcome before;
    if (request.resets.cycles != 0) {
        const auto block = request.make_block(request.config, nullptr);
        before = run_resets(*block, request.config, request.resets.seed, request.resets.cycles, request.resets.traffic);
    }
    // Continues after a difference: lockstep measures the delay of a late block, and shows it in a waveform.
    auto outcome = play(request, source_issuers(request.config.ports, source), nullptr);
    outcome.totals.resets = before.resets;
    outcome.totals.reset_cycles = before.cycles;
    if (outcome.mismatch_report.empty() && !outcome.stuck) outcome.mismatch_report = before.mismatch_report;
    return outcome;
}

traffic_outcome run_replay(const traffic_request& request, const trace_file& trace, bool open_loop)
{
    answer_check check;
    std::string failure;
    traffic_outcome outcome;
    if (open_loop) {
        trace_ports source(trace, &check);
        outcome = play(request, source_issuers(request.config.ports, source), &check);
        failure = source.failure();
    } else {
        const bool loosely_timed = request.backend == "lt";
        replay_schedule schedule(
            trace, loosely_timed ? replay_schedule::style::in_order : replay_schedule::style::by_initiator,
            std::min(request.config.contexts, request.warps));
        outcome = play(request, schedule_issuers(request.config.ports, schedule), &check);
        failure = schedule.failure();
    }
    if (!failure.empty()) throw trace_error("can't be read on: " + failure);
    outcome.differences = check.differences();
    outcome.difference = check.mismatch_report();
    outcome.first_difference = check.first_difference();
    return outcome;
}

} // namespace isbesim::testbench
