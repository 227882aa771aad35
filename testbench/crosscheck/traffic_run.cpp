#include "testbench/crosscheck/traffic_run.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "models/attribute/layout.h"
#include "models/isbe/isbe_at.h"
#include "models/isbe/isbe_lt.h"
#include "testbench/crosscheck/lt_player.h"
#include "testbench/crosscheck/player.h"
#include "testbench/rtl/isbe_rtl.h"
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
        // The stage is the one that the slot had last been bound to when the response came.
        if (op.op == opcode::bind && op.context < stages_.size()) stages_[op.context] = unpack_context(op).stage;
        bins_->sample(port, op.context < stages_.size() ? stages_[op.context] : stage::none, op, result, times,
                      response_hold);
    }

private:
    traffic_outcome& outcome_;
    coverage* bins_;
    std::array<stage, 64> stages_{};
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

    std::unique_ptr<isbe_module> isbe;
    std::unique_ptr<lockstep> comparison;
    std::function<isbe_counters()> counters;
    rtl_block* block = nullptr;
    if (request.backend == "lt") {
        auto model = std::make_unique<isbe_lt>("isbe", config, clock);
        counters = [&core = model->core()] { return core.counters(); };
        isbe = std::move(model);
    } else if (request.backend == "rtl") {
        auto model = std::make_unique<isbe_rtl>("isbe", config, clock, require_rtl_block(config));
        block = &model->block();
        counters = [&module = *model] { return module.functional_counters(); };
        isbe = std::move(model);
    } else {
        auto model = std::make_unique<isbe_at>("isbe", config, clock);
        counters = [&module = *model] { return module.core().counters(); };
        isbe = std::move(model);
        if (request.backend == "lockstep") {
            comparison =
                std::make_unique<lockstep>(require_rtl_block(config), config, clock, [] { sc_core::sc_stop(); });
            block = &comparison->block();
            isbe->attach(*comparison);
        }
    }
    if (!request.wave.empty() && (block == nullptr || !block->open_wave(request.wave)))
        throw std::invalid_argument("no waveform: the RTL takes no part in this run or was built without tracing");

    collector collected(outcome, request.bins);
    std::vector<std::unique_ptr<traffic_player>> players;
    std::vector<std::unique_ptr<lt_player>> lt_players;
    std::vector<std::unique_ptr<protocol_checker>> checkers;
    for (unsigned port = 0; port < config.ports; ++port) {
        const auto number = std::to_string(port);
        tlm::tlm_initiator_socket<>* socket = nullptr;
        if (request.backend == "lt") {
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
            checkers.back()->initiator.bind(isbe->ports[port]);
        } else {
            socket->bind(isbe->ports[port]);
        }
    }

    const auto start = std::chrono::steady_clock::now();
    sc_core::sc_start();
    outcome.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    if (comparison) {
        comparison->finish();
        outcome.compared = true;
        outcome.totals = comparison->totals();
        outcome.story = comparison->story();
    }
    const bool failed = comparison && comparison->failed();
    outcome.stuck =
        !failed && !std::all_of(players.begin(), players.end(), [](const auto& p) { return p->finished(); });
    for (const auto& checker : checkers) {
        checker->finish();
        if (checker->violation_count() != 0 && outcome.story.empty())
            outcome.story = checker->violations().front().describe();
    }
    outcome.counters = counters();
    return outcome;
}

} // namespace isbesim::testbench
