#include "testbench/dpi/following_checker.h"

#include <array>
#include <stdexcept>

#include "testbench/c_interface/model_state.h"
#include "testbench/files/json_text.h"
#include "testbench/rtl/mismatch_report.h"

namespace isbesim::testbench {

following_checker::following_checker(const isbe_config& config, bool order)
    : model_(config), ports_(config.ports), order_(order)
{
}

void following_checker::look(const std::vector<seen_port>& ports)
{
    for (unsigned port = 0; port < ports_.size(); ++port) see(port, ports[port]);
    try {
        follow(now() + 1, false);
    } catch (const std::invalid_argument& error) {
        client_error(0, error.what());
        stop("no block has to do anything sensible with that");
        return;
    }
    for (unsigned port = 0; port < ports_.size(); ++port) compare(port);
    if (order_) compare_order();
}

void following_checker::see(unsigned p, const seen_port& seen)
{
    auto& port = ports_[p];
    const auto event = port.channel.see(seen, now());
    if (event == response_watch::event::withdrawn) difference(p, "a response was withdrawn before its transfer\n");
    if (event == response_watch::event::appeared) {
        if (port.answered == port.accepted) {
            difference(p, "a response without a request\n");
            stop("what follows belongs to other requests");
            return;
        }
        block_order_.push_back(p);
        ++port.answered;
    }
    if (seen.response_transferred()) {
        port.answers.push_back({seen.response, port.channel.since()});
        port.holds.push_back(now() - port.channel.since());
        port.channel.left();
    }
    if (seen.request_transferred()) {
        port.under_way.push_back(seen.request);
        port.offered.push_back({seen.request, now()});
        ++port.accepted;
    }
}

void following_checker::follow(std::uint64_t cycle, bool all)
{
    while (model_.cycle() < cycle)
        if (!step(all)) return;
}

/// Notes responses that the model begins in its cycle; false when one's hold is not known yet.
bool following_checker::begin_model_cycle(bool all)
{
    bool known = true;
    for (unsigned p = 0; p < ports_.size(); ++p) {
        auto& port = ports_[p];
        const auto* const response = model_.response(p);
        if (response == nullptr) continue;
        if (!port.responding) {
            port.responding = true;
            port.since = model_.cycle();
            port.predictions.push_back({*response, port.since});
            model_order_.push_back(p);
        }
        known = known && (all || !port.holds.empty());
    }
    return known;
}

bool following_checker::step(bool all)
{
    if (!begin_model_cycle(all)) return false;
    std::array<port_inputs, 2> inputs;
    std::array<bool, 2> taken{};
    for (unsigned p = 0; p < ports_.size(); ++p) {
        auto& port = ports_[p];
        if (!port.offered.empty() && port.offered.front().cycle <= model_.cycle()) {
            inputs[p].request = &port.offered.front().op;
            taken[p] = model_.request_ready(p);
        }
        inputs[p].response_ready =
            port.responding && !port.holds.empty() && model_.cycle() - port.since >= port.holds.front();
    }
    model_.clock(inputs.data());
    for (unsigned p = 0; p < ports_.size(); ++p) {
        auto& port = ports_[p];
        if (taken[p]) port.offered.pop_front();
        if (!inputs[p].response_ready) continue;
        port.responding = false;
        port.holds.pop_front();
    }
    return true;
}

void following_checker::compare(unsigned p)
{
    auto& port = ports_[p];
    while (!port.answers.empty() && !port.predictions.empty()) {
        const auto& got = port.answers.front();
        const auto& expected = port.predictions.front();
        const auto& op = port.under_way.front();
        if (!same_response(expected.result, got.result))
            difference(p, "the response differs\n" + describe_transaction(port.numbers, p, op) +
                              describe_difference(op, expected.result, got.result));
        statistics_.add(op.op, static_cast<std::int64_t>(got.cycle) - static_cast<std::int64_t>(expected.cycle));
        ++port.numbers;
        ++compared_;
        port.answers.pop_front();
        port.predictions.pop_front();
        port.under_way.pop_front();
    }
}

void following_checker::compare_order()
{
    while (!block_order_.empty() && !model_order_.empty()) {
        const auto got = block_order_.front(), expected = model_order_.front();
        block_order_.pop_front();
        model_order_.pop_front();
        if (got == expected) continue;
        difference(got, "its response comes before that of port " + std::to_string(expected) +
                            ", which the model has first\n");
        stop("the order of later operations may follow from that");
        return;
    }
}

void following_checker::look_in_reset()
{
    follow(now(), true);
    for (unsigned port = 0; port < ports_.size(); ++port) compare(port);
    model_.clock_in_reset();
    for (auto& port : ports_) {
        const auto numbers = port.numbers;
        port = {};
        port.numbers = numbers;
    }
    block_order_.clear();
    model_order_.clear();
}

void following_checker::end(bool idle)
{
    follow(now(), true);
    for (unsigned port = 0; port < ports_.size(); ++port) {
        compare(port);
        if (idle && !ports_[port].under_way.empty()) difference(port, "operations without a response at the end\n");
    }
    tell(std::to_string(compared_) + " responses compared, " + std::to_string(differences()) + " differences; " +
         statistics_.text());
}

std::string following_checker::both_states() const
{
    std::string text = "  block: ";
    for (unsigned p = 0; p < ports_.size(); ++p)
        text += "port " + std::to_string(p) + " accepted " + std::to_string(ports_[p].accepted) + ", responded " +
                std::to_string(ports_[p].answered) + "; ";
    return text + "\n  model (its cycle " + std::to_string(model_.cycle()) +
           " follows): " + json_text(state_json(model_)) + "\n";
}

} // namespace isbesim::testbench
