// SPDX-License-Identifier: Apache-2.0
#include "testbench/dpi/block_checker.h"

#include <stdexcept>

namespace isbesim::testbench {

void block_checker::cycle(bool reset, const std::vector<seen_port>& ports)
{
    started_ = started_ || reset;
    if (!started_ || stopped_) return;
    if (reset)
        look_in_reset();
    else
        look(ports);
    ++cycle_;
}

void block_checker::finish(bool idle)
{
    if (!started_) tell("nothing was looked at: there was no reset\n");
    if (started_ && !stopped_) end(idle);
}

std::string block_checker::take_report()
{
    std::string text;
    text.swap(report_);
    return text;
}

void block_checker::difference(unsigned port, const std::string& what)
{
    if (++differences_ > report_limit) {
        if (differences_ == report_limit + 1) tell("further differences are only counted\n");
        return;
    }
    tell("cycle " + std::to_string(cycle_) + ", port " + std::to_string(port) + ": " + what);
    tell(both_states());
}

void block_checker::stop(const std::string& why)
{
    stopped_ = true;
    tell("nothing is compared from here on: " + why + "\n");
}

void block_checker::client_error(unsigned port, const std::string& text)
{
    if (started_ && !stopped_) difference(port, "the client's request is invalid: " + text + "\n");
}

bool block_checker::clock(clocked_isbe& model, const port_inputs* inputs)
{
    for (unsigned port = 0; port < model.ports(); ++port) {
        try {
            model.check(port, inputs[port]);
        } catch (const std::invalid_argument& error) {
            client_error(port, error.what());
            stop("no block has to do anything sensible with that");
            return false;
        }
    }
    model.clock(inputs);
    return true;
}

std::unique_ptr<block_checker> make_block_checker(std::string_view mode, const isbe_config& config)
{
    if (mode == "data") return make_data_checker(config);
    if (mode == "cycles") return make_cycle_checker(config);
    if (mode == "order") return make_following_checker(config, true);
    if (mode == "latency") return make_following_checker(config, false);
    throw std::invalid_argument("'" + std::string(mode) + "' is no mode, expected data, order, cycles or latency");
}

bool same_response(const warp_result& expected, const warp_result& got)
{
    return expected.data == got.data && expected.status == got.status && expected.error == got.error &&
           (expected.passes == got.passes || got.passes == unreported_passes);
}

} // namespace isbesim::testbench
