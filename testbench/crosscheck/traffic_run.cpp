#include "testbench/crosscheck/traffic_run.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "models/attribute/layout.h"
#include "testbench/crosscheck/lt_player.h"
#include "testbench/crosscheck/player.h"
#include "testbench/rtl/isbe_backend.h"
#include "tlm/protocol_checker.h"

namespace isbesim::testbench {

namespace {

/// Collects what the players report.
class collector : public traffic_listener {
public:
    collector(traffic_outcome& outcome, coverage* bins) : outcome_(outcome), bins_(bins) {}

    void answered(unsigned port, std::uint32_t response_hold, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override
    {
        ++outcome_.transactions;
        outcome_.cycles = std::max(outcome_.cycles, times.response);
        outcome_.latency[static_cast<unsigned>(op.op)].add(times.response - times.begin_request);
        if (bins_ == nullptr) return;
        // The context is the one that the slot had last been bound to when the response came.
        if (op.op == opcode::bind && op.context < contexts_.size()) contexts_[op.context] = unpack_context(op);
        bins_->sample(port, op.context < contexts_.size() ? contexts_[op.context] : unbound_, op, result, times,
                      response_hold);
    }

private:
    traffic_outcome& outcome_;
    coverage* bins_;
    std::array<context, 64> contexts_{};
    context unbound_;
};

} // namespace

bool with_memory_image::next(unsigned port, traffic_item& item)
{
    if (source_.next(port, item)) {
        if (port == 0) last_cycle_ = item.earliest;
        return true;
    }
    if (port != 0 || line_ == lines_) return false;
    item = traffic_item{};
    item.earliest = last_cycle_;
    item.op.op = opcode::isberd;
    item.op.region = region::physical;
    item.op.size = 4;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) item.op.address[lane] = line_ * line_bytes + lane * 4;
    ++line_;
    return true;
}

traffic_outcome run_traffic(const traffic_request& request, traffic_source& source)
{
    const auto clock = cycle_clock::from_ghz(request.clock_ghz);
    const auto& config = request.config;
    traffic_outcome outcome;

    const auto* backend = find_isbe_backend(request.backend);
    if (backend == nullptr) throw std::invalid_argument("no back end is called " + request.backend);
    const bool loosely_timed = backend->style == warp_initiator::style::loosely_timed;
    const auto isbe = backend->make("isbe", config, clock, request.make_block, request.wave);

    if (request.prepare) request.prepare(*isbe.module);

    collector collected(outcome, request.bins);
    std::vector<std::unique_ptr<traffic_player>> players;
    std::vector<std::unique_ptr<lt_player>> lt_players;
    std::vector<std::unique_ptr<protocol_checker>> checkers;
    for (unsigned port = 0; port < config.ports; ++port) {
        const auto number = std::to_string(port);
        tlm::tlm_initiator_socket<>* socket = nullptr;
        if (loosely_timed) {
            lt_players.push_back(
                std::make_unique<lt_player>(("player" + number).c_str(), clock, port, source, collected));
            socket = &lt_players.back()->socket;
        } else {
            players.push_back(
                std::make_unique<traffic_player>(("player" + number).c_str(), clock, port, source, collected));
            socket = &players.back()->socket();
        }
        if (request.check_protocol) {
            checkers.push_back(std::make_unique<protocol_checker>(("checker" + number).c_str(), clock, port));
            socket->bind(checkers.back()->target);
            checkers.back()->initiator.bind(isbe.module->ports[port]);
        } else {
            socket->bind(isbe.module->ports[port]);
        }
    }

    const auto start = std::chrono::steady_clock::now();
    sc_core::sc_start();
    outcome.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    if (isbe.comparison) {
        isbe.comparison->finish();
        outcome.compared = true;
        outcome.totals = isbe.comparison->totals();
        outcome.story = isbe.comparison->story();
        outcome.difference_cycle = isbe.comparison->difference_cycle();
    }
    const auto all_finished = [](const auto& all) {
        return std::all_of(all.begin(), all.end(), [](const auto& player) { return player->finished(); });
    };
    const bool failed = isbe.comparison && isbe.comparison->failed();
    outcome.stuck = !failed && !(all_finished(players) && all_finished(lt_players));
    for (const auto& checker : checkers) {
        checker->finish();
        if (checker->violation_count() != 0 && outcome.story.empty())
            outcome.story = checker->violations().front().describe();
    }
    outcome.counters = isbe.counters();
    if (request.bins != nullptr)
        for (unsigned port = 0; port < config.ports; ++port)
            request.bins->sample_contention(port, isbe.module->timing(port).contention_cycles);
    if (request.wave != nullptr) request.wave->close();
    return outcome;
}

} // namespace isbesim::testbench
