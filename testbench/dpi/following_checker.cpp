// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>

#include "models/clocked/clocked_isbe.h"
#include "models/isbe/functional/names.h"
#include "testbench/c_interface/model_state.h"
#include "testbench/dpi/block_checker.h"
#include "testbench/dpi/response_watch.h"
#include "testbench/files/json_text.h"
#include "testbench/rtl/mismatch_report.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

namespace {

/// Statistics of the delay of responses, in cycles, against the model's.
class latency_statistics {
public:
    void add(opcode op, std::int64_t later) { ++by_op_[static_cast<unsigned>(op)][later]; }
    /// Count, minimum, mean and maximum, of all responses and by opcode, and one line for each delay with its count.
    std::string text() const
    {
        histogram all;
        for (const auto& each : by_op_)
            for (const auto& [later, times] : each) all[later] += times;
        std::string text = "cycles from the model's response to the block's\n" + line("all", all);
        for (unsigned op = 0; op < opcode_count; ++op)
            if (!by_op_[op].empty()) text += line(opcode_names[op], by_op_[op]);
        std::ostringstream lines;
        for (const auto& [later, times] : all)
            lines << "  " << std::showpos << std::setw(6) << later << std::noshowpos << std::setw(12) << times << '\n';
        return text + lines.str();
    }

private:
    using histogram = std::map<std::int64_t, std::uint64_t>;
    static std::string line(const std::string& name, const histogram& values)
    {
        std::uint64_t count = 0;
        double sum = 0;
        for (const auto& [later, times] : values) {
            count += times;
            sum += static_cast<double>(later) * static_cast<double>(times);
        }
        std::ostringstream out;
        out << "  " << std::left << std::setw(8) << name << std::right << " count " << count << std::showpos;
        if (count != 0)
            out << " min " << values.begin()->first << " mean " << std::fixed << std::setprecision(3)
                << sum / static_cast<double>(count) << " max " << values.rbegin()->first;
        out << '\n';
        return out.str();
    }

    std::array<histogram, opcode_count> by_op_;
};

/// Modes "latency" and "order": the timed model follows the block, which may have any cycles.
/// The model gets each request in the cycle in which the block accepted it, or as soon after it as it can; its
/// responses leave when the block's do, or as soon after that as they are valid. So both have the same operations in
/// flight, and the same grants if the block follows the model's rules. Operations are executed in the order of these
/// grants; data, status, error and passes are compared. The model's grant gives the cycle of its response, as if it
/// were held as long as the block's: effects of a latency do not accumulate.
class following_checker : public block_checker {
public:
    /// `order`: responses must appear in the order of the model's, also across the ports.
    following_checker(const isbe_config& config, bool order) : model_(config), ports_(config.ports), order_(order) {}

protected:
    void look(const std::vector<seen_port>& ports) override
    {
        for (unsigned port = 0; port < ports_.size(); ++port) see(port, ports[port]);
        if (!step()) return;
        for (unsigned port = 0; port < ports_.size(); ++port) compare(port);
    }
    void look_in_reset() override
    {
        model_.clock_in_reset();
        for (auto& port : ports_) {
            const auto compared = port.compared;
            port = {};
            port.compared = compared;
        }
    }
    void end(bool idle) override
    {
        std::uint64_t compared = 0;
        for (unsigned port = 0; port < ports_.size(); ++port) {
            compared += ports_[port].compared;
            if (idle && !ports_[port].under_way.empty()) difference(port, "operations without a response at the end\n");
        }
        tell(std::to_string(compared) + " responses compared, " + std::to_string(differences()) + " differences; " +
             statistics_.text());
    }
    std::string both_states() const override
    {
        std::string text = "  block: ";
        for (unsigned p = 0; p < ports_.size(); ++p)
            text += "port " + std::to_string(p) + " accepted " + std::to_string(ports_[p].accepted) + ", responded " +
                    std::to_string(ports_[p].answered) + "; ";
        return text + "\n  model: " + json_text(state_json(model_)) + "\n";
    }

private:
    /// A response of the block.
    struct answer {
        warp_result result;
        std::uint64_t valid = 0; ///< first cycle
        std::uint64_t held = 0;  ///< cycles from that to its transfer
    };
    struct prediction {
        warp_result result;
        std::uint64_t ready = 0; ///< g + P + L of section 5.5
    };
    /// First cycle of a response in the block and in the model.
    struct moment {
        std::uint64_t block = 0;
        std::uint64_t model = 0;
    };
    struct port_state {
        std::deque<warp_op> under_way; ///< accepted, responses not compared
        std::deque<answer> answers;    ///< transferred, not compared
        response_watch channel;
        std::uint64_t accepted = 0;
        std::uint64_t answered = 0;
        std::uint64_t compared = 0;
        std::deque<warp_op> offered;     ///< accepted by the block, not by the model yet
        std::uint64_t ahead = 0;         ///< transferred responses that the model has not transferred yet
        std::deque<prediction> expected; ///< not compared
        bool responding = false;         ///< the model's current response is in `expected`
        std::uint64_t channel_free = 0;  ///< of the model, if it had its own cycles
        std::deque<moment> moments;      ///< of the last responses
    };
    static constexpr std::size_t moments_kept = 256;

    void see(unsigned p, const seen_port& seen)
    {
        auto& port = ports_[p];
        const auto event = port.channel.see(seen, now());
        if (event == response_watch::event::withdrawn) difference(p, "a response was withdrawn before its transfer\n");
        if (event == response_watch::event::appeared && port.answered++ == port.accepted) {
            difference(p, "a response without a request\n");
            stop("what follows belongs to other requests");
            return;
        }
        if (seen.response_transferred()) {
            port.answers.push_back({seen.response, port.channel.since(), now() - port.channel.since()});
            port.channel.left();
            ++port.ahead;
        }
        if (seen.request_transferred()) {
            port.under_way.push_back(seen.request);
            port.offered.push_back(seen.request);
            ++port.accepted;
        }
    }
    /// One cycle of the model. Returns false if the comparison ends.
    bool step()
    {
        std::array<port_inputs, 2> inputs;
        std::array<bool, 2> taken{};
        for (unsigned p = 0; p < ports_.size(); ++p) {
            auto& port = ports_[p];
            const auto* const response = model_.response(p);
            if (response != nullptr && !port.responding) {
                port.responding = true;
                port.expected.push_back({*response, model_.scheduler().operations(p).front().ready});
            }
            if (!port.offered.empty()) {
                inputs[p].request = &port.offered.front();
                taken[p] = model_.request_ready(p);
            }
            inputs[p].response_ready = port.responding && port.ahead != 0;
        }
        if (!clock(model_, inputs.data())) return false;
        for (unsigned p = 0; p < ports_.size(); ++p) {
            auto& port = ports_[p];
            if (taken[p]) port.offered.pop_front();
            if (!inputs[p].response_ready) continue;
            port.responding = false;
            --port.ahead;
        }
        return true;
    }
    void compare(unsigned p)
    {
        auto& port = ports_[p];
        while (!port.answers.empty() && !port.expected.empty()) {
            const auto& got = port.answers.front();
            const auto& expected = port.expected.front();
            const auto& op = port.under_way.front();
            if (!same_response(expected.result, got.result))
                difference(p, "the response differs\n" + describe_transaction(port.compared, p, op) +
                                  describe_difference(op, expected.result, got.result));
            const moment when{got.valid, std::max(expected.ready, port.channel_free)};
            port.channel_free = when.model + got.held + 1;
            statistics_.add(op.op, static_cast<std::int64_t>(when.block) - static_cast<std::int64_t>(when.model));
            if (order_) compare_order(p, when);
            ++port.compared;
            port.answers.pop_front();
            port.expected.pop_front();
            port.under_way.pop_front();
        }
    }
    /// Compares with the last responses of the other port: two responses must have the same order in both.
    void compare_order(unsigned p, const moment& when)
    {
        auto& own = ports_[p].moments;
        own.push_back(when);
        if (own.size() > moments_kept) own.pop_front();
        if (ports_.size() == 1) return;
        for (const auto& other : ports_[1 - p].moments) {
            const bool turned = (other.block < when.block && other.model > when.model) ||
                                (other.block > when.block && other.model < when.model);
            if (!turned) continue;
            difference(p, "its response of cycle " + std::to_string(when.block) + " and that of port " +
                              std::to_string(1 - p) + " of cycle " + std::to_string(other.block) +
                              " are in the other order in the model: cycles " + std::to_string(when.model) + " and " +
                              std::to_string(other.model) + "\n");
            stop("the order of later operations may follow from that");
            return;
        }
    }

    clocked_isbe model_;
    std::vector<port_state> ports_;
    bool order_;
    latency_statistics statistics_;
};

} // namespace

std::unique_ptr<block_checker> make_following_checker(const isbe_config& config, bool order)
{
    return std::make_unique<following_checker>(config, order);
}

} // namespace isbesim::testbench
