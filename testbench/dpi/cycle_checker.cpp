// SPDX-License-Identifier: Apache-2.0
#include "models/clocked/clocked_isbe.h"
#include "testbench/c_interface/model_state.h"
#include "testbench/dpi/block_checker.h"
#include "testbench/files/json_text.h"
#include "testbench/rtl/mismatch_report.h"

namespace isbesim::testbench {

namespace {

/// Mode "cycles": every output pin must equal the model's in every cycle.
class cycle_checker : public block_checker {
public:
    explicit cycle_checker(const isbe_config& config) : model_(config), latest_(config.ports) {}

protected:
    void look(const std::vector<seen_port>& ports) override
    {
        latest_ = ports;
        bool same = true;
        for (unsigned port = 0; port < model_.ports(); ++port) same = compare(port, ports[port]) && same;
        if (!same) {
            stop("the pins of both differ");
            return;
        }
        std::vector<port_inputs> inputs(ports.size());
        for (unsigned port = 0; port < model_.ports(); ++port) {
            if (ports[port].request_valid) inputs[port].request = &ports[port].request;
            inputs[port].response_ready = ports[port].response_ready;
        }
        clock(model_, inputs.data());
    }
    void look_in_reset() override { model_.clock_in_reset(); }
    void end(bool idle) override
    {
        for (unsigned port = 0; idle && port < model_.ports(); ++port)
            if (!model_.scheduler().operations(port).empty())
                difference(port, "operations without a response at the end\n");
        tell(std::to_string(now()) + " cycles compared, " + std::to_string(differences()) + " differences\n");
    }
    std::string both_states() const override
    {
        std::string text = "  block: ";
        for (unsigned port = 0; port < latest_.size(); ++port) {
            const auto& seen = latest_[port];
            text += "port " + std::to_string(port) + " req_valid=" + (seen.request_valid ? "1" : "0") +
                    " req_ready=" + (seen.request_ready ? "1" : "0") +
                    " resp_valid=" + (seen.response_valid ? "1" : "0") +
                    " resp_ready=" + (seen.response_ready ? "1" : "0") + "; ";
        }
        return text + "\n  model: " + json_text(state_json(model_)) + "\n";
    }

private:
    bool compare(unsigned port, const seen_port& seen)
    {
        const auto pin = [&](const char* name, bool expected, bool got) {
            if (expected != got)
                difference(port, std::string(name) + " is " + (got ? "1" : "0") + ", expected " +
                                     (expected ? "1" : "0") + "\n");
            return expected == got;
        };
        const auto* const expected = model_.response(port);
        const bool same_ready = pin("req_ready", model_.request_ready(port), seen.request_ready);
        if (!pin("resp_valid", expected != nullptr, seen.response_valid)) return false;
        if (expected == nullptr || same_response(*expected, seen.response)) return same_ready;
        const auto& oldest = model_.scheduler().operations(port).front();
        difference(port, "the response differs\n" + describe_transaction(oldest.id, port, *oldest.op) +
                             describe_difference(*oldest.op, *expected, seen.response));
        return false;
    }

    clocked_isbe model_;
    std::vector<seen_port> latest_; ///< pins of the current cycle
};

} // namespace

std::unique_ptr<block_checker> make_cycle_checker(const isbe_config& config)
{
    return std::make_unique<cycle_checker>(config);
}

} // namespace isbesim::testbench
