// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/initiator_run.h"

#include <algorithm>

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
    auto& of = courses_[tag];
    of.begin = times.begin_request;
    of.accept = times.accept;
    of.response = times.response;
}

void initiator_run::send(const std::vector<warp_op>& operations)
{
    const bool holds = how_ == warp_initiator::style::approximately_timed;
    for (const auto& op : operations) {
        if (random_.chance(30)) sc_core::wait(clock_.time(1 + random_.below(random_.chance(20) ? 200 : 12)));
        while (!initiator_->can_send()) sc_core::wait(clock_.time(1));
        course of;
        of.sent = clock_.now();
        if (holds && random_.chance(30)) of.hold = 1 + random_.below(random_.chance(10) ? 100 : 4);
        courses_.push_back(of);
        initiator_->send(op, courses_.size() - 1);
    }
    constexpr unsigned patience = 100'000;
    for (unsigned i = 0; i < patience && results_.size() < operations.size(); ++i) sc_core::wait(clock_.time(1));
    sc_core::wait(clock_.time(200)); // the last response may be held
}

std::string initiator_run::run(const std::vector<warp_op>& operations)
{
    courses_.reserve(operations.size());
    send(operations);
    checker_.finish();
    const char* const who = how_ == warp_initiator::style::loosely_timed         ? "the LT initiator"
                            : how_ == warp_initiator::style::approximately_timed ? "the AT initiator"
                                                                                 : "the decoupled initiator";
    std::string text = compare(operations);
    if (text.empty() && checker_.violation_count() != 0)
        text = "breaks the protocol, other\n  " + checker_.violations()[0].describe() + "\n";
    return text.empty() ? text : std::string(who) + " " + text;
}

std::string initiator_run::compare(const std::vector<warp_op>& operations) const
{
    if (results_.size() != operations.size())
        return "delivers " + std::to_string(results_.size()) + " of " + std::to_string(operations.size()) +
               " responses in order, fewer\n";
    oracle expected(config_);
    const std::size_t depth = config_.response_queue_depth, queue = config_.request_queue_depth;
    std::vector<std::uint64_t> grants, transfers;
    std::uint64_t engine = 0, request_free = 0; // decoupled: end of the previous operation's share
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const auto& op = operations[i];
        const auto& of = courses_[i];
        const auto answer = expected.execute(op);
        const auto describe = [&](const std::string& what) {
            return what + "\n" + describe_transaction(i, 0, op) + describe_difference(op, answer, results_[i]);
        };
        if (const auto parts = different_parts(answer, results_[i]); !parts.empty())
            return describe("answers with " + parts);
        const auto latency = response_latency(config_, op.op);
        const auto begin = std::max(of.sent, request_free);
        const auto wrong = [&](const char* what, std::uint64_t by_page, std::uint64_t got) {
            return got == by_page ? std::string()
                                  : describe(what + (" in cycle " + std::to_string(got)) + ", " +
                                             std::to_string(by_page) + " by section 5, other");
        };
        if (how_ == warp_initiator::style::decoupled) {
            if (auto text = wrong("requests", begin, of.begin); !text.empty()) return text;
            request_free = begin + std::max<std::uint64_t>(answer.passes, (answer.passes + latency + depth) / depth);
            if (of.response < begin + 1 + answer.passes + latency) return describe("answers too early, other");
            continue;
        }
        const auto accept = std::max(begin, i >= queue ? grants[i - queue] + 1 : 0);
        const auto grant = std::max({accept + 1, engine, i >= depth ? transfers[i - depth] + 1 : 0});
        engine = grant + answer.passes;
        const auto response = std::max(engine + latency, i > 0 ? transfers[i - 1] + 1 : 0);
        request_free = accept + 1;
        // A blocking call has no time on the channel.
        const auto requests = how_ == warp_initiator::style::loosely_timed ? accept : begin;
        if (auto text = wrong("requests", requests, of.begin); !text.empty()) return text;
        if (auto text = wrong("is accepted", accept, of.accept); !text.empty()) return text;
        if (auto text = wrong("is told of the transfer", accept, of.told); !text.empty()) return text;
        if (auto text = wrong("answers", response, of.response); !text.empty()) return text;
        grants.push_back(grant);
        transfers.push_back(response + of.hold);
    }
    return {};
}

} // namespace isbesim::testbench
