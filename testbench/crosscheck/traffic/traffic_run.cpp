// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/traffic_run.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <vector>

#include "models/attribute/layout.h"
#include "testbench/crosscheck/traces/answer_check.h"
#include "testbench/crosscheck/traces/replay_lt_player.h"
#include "testbench/crosscheck/traces/replay_player.h"
#include "testbench/crosscheck/traces/trace_ports.h"
#include "testbench/crosscheck/traffic/lt_player.h"
#include "testbench/crosscheck/traffic/player.h"
#include "testbench/rtl/isbe_backend.h"
#include "testbench/rtl/rtl_engine.h"
#include "testbench/rtl/run_copies.h"
#include "testbench/system/port_mux.h"
#include "tlm/process_guard.h"
#include "tlm/protocol_checker.h"

namespace isbesim::testbench {

namespace {

/// Collects what the players report.
class collector : public traffic_listener {
public:
    collector(traffic_outcome& outcome, coverage* bins, answer_check* check)
        : outcome_(outcome), bins_(bins), check_(check)
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
        // The context is the one that the slot had last been bound to when the response came.
        if (op.op == opcode::bind && op.context < contexts_.size()) contexts_[op.context] = unpack_context(op);
        bins_->sample(port, op.context < contexts_.size() ? contexts_[op.context] : unbound_, op, result, times,
                      response_hold);
    }

    std::function<void(std::uint64_t)> progress; ///< with the transactions so far

private:
    static constexpr std::uint64_t progress_step = 512;

    traffic_outcome& outcome_;
    coverage* bins_;
    answer_check* check_;
    std::array<context, 64> contexts_{};
    context unbound_;
};

/// The players: modules, a socket per port that they use, and whether all requests were sent and answered.
class player_set {
public:
    virtual ~player_set() = default;
    virtual std::vector<tlm::tlm_initiator_socket<>*> sockets() = 0;
    virtual bool finished() const = 0;
};

/// Anything with a player per port.
template <typename player>
class port_players : public player_set {
public:
    port_players(const traffic_request& request, const cycle_clock& clock, traffic_source& source,
                 traffic_listener& owner)
    {
        for (unsigned port = 0; port < request.config.ports; ++port)
            players_.push_back(
                std::make_unique<player>(("player" + std::to_string(port)).c_str(), clock, port, source, owner));
    }
    std::vector<tlm::tlm_initiator_socket<>*> sockets() override
    {
        std::vector<tlm::tlm_initiator_socket<>*> all;
        for (const auto& p : players_) all.push_back(&socket_of(*p));
        return all;
    }
    bool finished() const override
    {
        return std::all_of(players_.begin(), players_.end(), [](const auto& p) { return p->finished(); });
    }

private:
    static tlm::tlm_initiator_socket<>& socket_of(traffic_player& p) { return p.socket(); }
    static tlm::tlm_initiator_socket<>& socket_of(lt_player& p) { return p.socket; }

    std::vector<std::unique_ptr<player>> players_;
};

class replay_players : public player_set {
public:
    replay_players(const cycle_clock& clock, unsigned ports, replay_schedule& schedule, traffic_listener& owner)
        : schedule_(schedule)
    {
        if (ports == 1) mux_.emplace("mux", clock);
        for (unsigned i = 0; i < replay_schedule::initiators; ++i) {
            players_.push_back(
                std::make_unique<replay_player>(("player" + std::to_string(i)).c_str(), clock, i, schedule, owner));
            if (mux_) players_.back()->socket().bind(mux_->from[i]);
        }
        if (mux_)
            for (unsigned i = 0; i < replay_schedule::initiators; ++i) players_[i]->share_with(*players_[1 - i]);
        schedule.on_ready([this](unsigned initiator) { players_[initiator]->ready(); });
    }
    std::vector<tlm::tlm_initiator_socket<>*> sockets() override
    {
        if (mux_) return {&mux_->to};
        std::vector<tlm::tlm_initiator_socket<>*> all;
        for (const auto& p : players_) all.push_back(&p->socket());
        return all;
    }
    bool finished() const override { return schedule_.finished(); }

private:
    replay_schedule& schedule_;
    std::optional<port_mux> mux_; ///< as in a system with one port
    std::vector<std::unique_ptr<replay_player>> players_;
};

class replay_lt_players : public player_set {
public:
    replay_lt_players(const cycle_clock& clock, unsigned ports, replay_schedule& schedule, traffic_listener& owner)
        : schedule_(schedule), player_("player", clock, ports, schedule, owner)
    {
    }
    std::vector<tlm::tlm_initiator_socket<>*> sockets() override
    {
        std::vector<tlm::tlm_initiator_socket<>*> all;
        for (auto& socket : player_.sockets) all.push_back(&socket);
        return all;
    }
    bool finished() const override { return schedule_.finished(); }

private:
    replay_schedule& schedule_;
    replay_lt_player player_;
};

using player_maker =
    std::function<std::unique_ptr<player_set>(const cycle_clock&, bool loosely_timed, traffic_listener&)>;

traffic_outcome play(const traffic_request& request, const player_maker& make_players, answer_check* check);

std::unique_ptr<player_set> make_port_players(const traffic_request& request, const cycle_clock& clock,
                                              bool loosely_timed, traffic_source& source, traffic_listener& owner)
{
    if (loosely_timed) return std::make_unique<port_players<lt_player>>(request, clock, source, owner);
    return std::make_unique<port_players<traffic_player>>(request, clock, source, owner);
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
    return play(
        request,
        [&](const cycle_clock& clock, bool loosely_timed, traffic_listener& owner) {
            return make_port_players(request, clock, loosely_timed, source, owner);
        },
        nullptr);
}

traffic_outcome run_replay(const traffic_request& request, const trace_file& trace, bool open_loop)
{
    answer_check check;
    std::string failure;
    traffic_outcome outcome;
    if (open_loop) {
        trace_ports source(trace, &check);
        outcome = play(
            request,
            [&](const cycle_clock& clock, bool loosely_timed, traffic_listener& owner) {
                return make_port_players(request, clock, loosely_timed, source, owner);
            },
            &check);
        failure = source.failure();
    } else {
        const bool loosely_timed = request.backend == "lt";
        replay_schedule schedule(
            trace, loosely_timed ? replay_schedule::style::in_order : replay_schedule::style::by_initiator,
            std::min(request.config.contexts, request.warps));
        outcome = play(
            request,
            [&](const cycle_clock& clock, bool, traffic_listener& owner) -> std::unique_ptr<player_set> {
                const auto ports = request.config.ports;
                if (loosely_timed) return std::make_unique<replay_lt_players>(clock, ports, schedule, owner);
                return std::make_unique<replay_players>(clock, ports, schedule, owner);
            },
            &check);
        failure = schedule.failure();
    }
    if (!failure.empty()) throw trace_error("can't be read on: " + failure);
    outcome.differences = check.differences();
    outcome.difference = check.mismatch_report();
    return outcome;
}

namespace {

traffic_outcome play(const traffic_request& request, const player_maker& make_players, answer_check* check)
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

    collector collected(outcome, request.bins, check);
    collected.progress = request.progress;
    const auto players = make_players(clock, loosely_timed, collected);
    std::vector<std::unique_ptr<protocol_checker>> checkers;
    unsigned port = 0;
    for (auto* const socket : players->sockets()) {
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
    } catch (const rtl_assertion_error& error) {
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
    outcome.stuck = !failed && outcome.mismatch_report.empty() && !players->finished();
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

} // namespace isbesim::testbench
