// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/initiator_run.h"

#include <algorithm>
#include <utility>

#include "models/attribute/layout.h"
#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "testbench/crosscheck/oracle.h"
#include "testbench/rtl/mismatch_report.h"

namespace isbesim::testbench {

namespace {

constexpr unsigned waiting_operations = 3; ///< of an AT initiator

std::unique_ptr<isbe_module> make_isbe(warp_initiator::style how, const isbe_config& config, const cycle_clock& clock)
{
    if (how == warp_initiator::style::approximately_timed) return std::make_unique<isbe_at>("isbe", config, clock);
    return std::make_unique<isbe_lt>("isbe", config, clock);
}

} // namespace

initiator_run::initiator_run(const sc_core::sc_module_name& name, warp_initiator::style how, const isbe_config& config,
                             const cycle_clock& clock, std::uint64_t seed)
    : sc_module(name),
      how_(how),
      config_(config),
      clock_(clock),
      random_(seed),
      isbe_(make_isbe(how, config, clock)),
      checker_("checker", clock),
      initiator_(warp_initiator::make("initiator", how, clock, waiting_operations, *this))
{
    initiator_->socket.bind(checker_.target);
    checker_.initiator.bind(isbe_->ports[0]);
}

initiator_run::~initiator_run() = default;

void initiator_run::response(std::uint64_t tag, const warp_op&, const warp_result& result,
                             const transaction_times& times)
{
    if (tag != results_.size()) return; // compare() then finds too few
    results_.push_back(result);
    auto& issued = courses_[tag];
    issued.begin = times.begin_request;
    issued.accept = times.accept;
    issued.response = times.response;
}

void initiator_run::send(const std::vector<warp_op>& operations)
{
    const bool holds = how_ == warp_initiator::style::approximately_timed;
    for (const auto& op : operations) {
        if (random_.chance(30)) sc_core::wait(clock_.time(1 + random_.below(random_.chance(20) ? 200 : 12)));
        while (!initiator_->can_send()) sc_core::wait(clock_.time(1));
        course issued;
        issued.sent = clock_.now();
        if (holds && random_.chance(30)) issued.hold = 1 + random_.below(random_.chance(10) ? 100 : 4);
        issued.op = &op;
        courses_.push_back(std::move(issued));
        initiator_->send(op, courses_.size() - 1);
        if (how_ == warp_initiator::style::decoupled && random_.chance(10)) send_block();
    }
    constexpr unsigned patience = 100'000; // cycles without a response
    for (unsigned idle = 0; idle < patience && results_.size() < courses_.size(); ++idle) {
        const auto before = results_.size();
        sc_core::wait(clock_.time(1));
        if (results_.size() != before) idle = 0;
    }
    sc_core::wait(clock_.time(200)); // the last response may be held
}

/// Reads that the ISBE carries out in one call, or only the first of them: if their words lie apart.
void initiator_run::send_block()
{
    const auto storage = config_.lines * line_bytes;
    course issued;
    issued.sent = clock_.now();
    issued.block = std::make_unique<block_read>();
    issued.words.resize(1 + random_.below(4));
    const word stride = random_.chance(50) ? 4 : 8;
    for (auto& to : issued.words) {
        const word address = random_.below((storage - 8 * warp_lanes) / 4 + 1) * 4;
        const lane_mask lanes = random_.bits();
        issued.block->runs.push_back({address, stride, lanes | 1U << random_.below(warp_lanes), to.data()});
    }
    auto& block = *issued.block;
    courses_.push_back(std::move(issued));
    initiator_->send(block, courses_.size() - 1);
}

std::string initiator_run::run(const std::vector<warp_op>& operations)
{
    send(operations);
    checker_.finish();
    const char* const who = how_ == warp_initiator::style::loosely_timed         ? "the LT initiator"
                            : how_ == warp_initiator::style::approximately_timed ? "the AT initiator"
                                                                                 : "the decoupled initiator";
    std::string text = compare();
    if (text.empty() && checker_.violation_count() != 0)
        text = "breaks the protocol, other\n  " + checker_.violations()[0].describe() + "\n";
    return text.empty() ? text : std::string(who) + " " + text;
}

std::string initiator_run::compare() const
{
    if (results_.size() != courses_.size())
        return "delivers " + std::to_string(results_.size()) + " of " + std::to_string(courses_.size()) +
               " responses in order, fewer\n";
    oracle expected(config_);
    const std::size_t depth = config_.response_queue_depth, queue = config_.request_queue_depth;
    std::vector<std::uint64_t> grants, transfers;
    std::uint64_t engine = 0, request_free = 0; // decoupled: end of the previous operation's share
    for (std::size_t i = 0; i < courses_.size(); ++i) {
        const auto& issued = courses_[i];
        if (issued.block != nullptr) {
            const auto begin = std::max(issued.sent, request_free);
            std::uint64_t passes = 0, held = 0; // of the call that the port counts last
            bool same = true;
            for (std::size_t n = 0; n < issued.words.size(); ++n) {
                const auto& run = issued.block->runs[n];
                warp_op op;
                make_read(run, op);
                const auto answer = expected.execute(op);
                passes += answer.passes;
                held = (run.stride == 4 ? held : 0) + answer.passes + 1 + config_.pipeline_latency;
                for (unsigned lane = 0; lane < warp_lanes; ++lane)
                    same = same && ((run.lanes >> lane & 1U) == 0 || issued.words[n][lane] == answer.data[0][lane]);
            }
            request_free = begin + std::max<std::uint64_t>(passes, (held + depth - 1) / depth);
            if (!same || issued.begin != begin || issued.response < begin + 1 + passes + config_.pipeline_latency)
                return "reads a block, other\n";
            continue;
        }
        const auto& op = *issued.op;
        const auto answer = expected.execute(op);
        const auto describe = [&](const std::string& what) {
            return what + "\n" + describe_transaction(i, 0, op) + describe_difference(op, answer, results_[i]);
        };
        if (const auto parts = different_parts(answer, results_[i]); !parts.empty())
            return describe("answers with " + parts);
        const auto latency = response_latency(config_, op.op);
        const auto begin = std::max(issued.sent, request_free);
        const auto wrong = [&](const char* what, std::uint64_t by_page, std::uint64_t got) {
            return got == by_page ? std::string()
                                  : describe(what + (" in cycle " + std::to_string(got)) + ", " +
                                             std::to_string(by_page) + " by section 5, other");
        };
        if (how_ == warp_initiator::style::decoupled) {
            if (auto text = wrong("requests", begin, issued.begin); !text.empty()) return text;
            request_free = begin + std::max<std::uint64_t>(answer.passes, (answer.passes + latency + depth) / depth);
            if (issued.response < begin + 1 + answer.passes + latency) return describe("answers too early, other");
            continue;
        }
        const auto accept = std::max(begin, i >= queue ? grants[i - queue] + 1 : 0);
        const auto grant = std::max({accept + 1, engine, i >= depth ? transfers[i - depth] + 1 : 0});
        engine = grant + answer.passes;
        const auto response = std::max(engine + latency, i > 0 ? transfers[i - 1] + 1 : 0);
        request_free = accept + 1;
        // A blocking call has no time on the channel.
        const auto requests = how_ == warp_initiator::style::loosely_timed ? accept : begin;
        if (auto text = wrong("requests", requests, issued.begin); !text.empty()) return text;
        if (auto text = wrong("is accepted", accept, issued.accept); !text.empty()) return text;
        if (auto text = wrong("reports the transfer", accept, issued.reported); !text.empty()) return text;
        if (auto text = wrong("answers", response, issued.response); !text.empty()) return text;
        grants.push_back(grant);
        transfers.push_back(response + issued.hold);
    }
    return {};
}

} // namespace isbesim::testbench
