// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <optional>
#include <stdexcept>

#include <boost/json/array.hpp>

#include "models/isbe/execution/isbe_core.h"
#include "testbench/c_interface/model_state.h"
#include "testbench/dpi/block_checker.h"
#include "testbench/dpi/response_watch.h"
#include "testbench/files/json_text.h"
#include "testbench/rtl/mismatch_report.h"

namespace isbesim::testbench {

namespace {

/// Mode "data": compares data, status, error and passes of every response, in the order of each port, in any cycle.
/// Operations are executed in the order in which their responses appear, port 0 first within a cycle. A response is
/// also right if another order of the operations in flight explains it: operations of the other port that were accepted
/// before it may come first.
class data_checker : public block_checker {
public:
    explicit data_checker(const isbe_config& config) : core_(config), ports_(config.ports) {}

protected:
    void look(const std::vector<seen_port>& ports) override
    {
        for (unsigned p = 0; p < ports_.size(); ++p) {
            const auto& seen = ports[p];
            auto& port = ports_[p];
            const auto event = port.channel.see(seen, now());
            if (event == response_watch::event::withdrawn)
                difference(p, "a response was withdrawn before its transfer\n");
            if (event == response_watch::event::appeared) appeared(p, seen.response);
            if (seen.response_transferred()) transferred(p, seen.response);
        }
        for (unsigned p = 0; p < ports_.size();
             ++p) // after the responses, which never answer requests of the same cycle
            if (ports[p].request_transferred())
                ports_[p].under_way.push_back({ports[p].request, {}, ports_[p].accepted++, false});
    }
    void look_in_reset() override
    {
        core_.unbind_all();
        for (auto& port : ports_) {
            port.under_way.clear();
            port.channel.left();
        }
    }
    void end(bool idle) override
    {
        for (unsigned p = 0; idle && p < ports_.size(); ++p)
            if (!ports_[p].under_way.empty()) difference(p, "operations without a response at the end\n");
        tell(std::to_string(compared_) + " responses compared, " + std::to_string(differences()) + " differences; " +
             std::to_string(reordered_) + " needed another order than that of the responses\n");
    }
    std::string both_states() const override
    {
        boost::json::array ports;
        for (const auto& port : ports_) {
            boost::json::array operations;
            for (const auto& each : port.under_way) {
                auto text = operation_json(each.op);
                text["number"] = each.number;
                text["carried_out"] = each.done;
                operations.push_back(std::move(text));
            }
            ports.push_back(std::move(operations));
        }
        boost::json::array contexts;
        for (unsigned slot = 0; slot < core_.config().contexts; ++slot)
            if (core_.context_at(slot).stage != stage::none)
                contexts.push_back(context_json(slot, core_.context_at(slot)));
        return "  block, under way by port: " + json_text(ports) + "\n  model: " + json_text(contexts) + "\n";
    }

private:
    struct operation {
        warp_op op;
        warp_result expected;
        std::uint64_t number = 0;
        bool done = false; ///< executed
    };
    struct port_state {
        std::deque<operation> under_way; ///< accepted, without a transferred response
        std::uint64_t accepted = 0;
        response_watch channel;
    };

    void appeared(unsigned p, const warp_result& got)
    {
        auto& port = ports_[p];
        if (port.under_way.empty()) return; // transferred() reports it
        auto& oldest = port.under_way.front();
        if (oldest.done) return;
        std::optional<isbe_core> before;
        for (unsigned other = 0; other < ports_.size(); ++other)
            if (other != p && !ports_[other].under_way.empty() && !ports_[other].under_way.back().done)
                before.emplace(core_);
        if (!carry_out(core_, oldest, p) || same_response(oldest.expected, got) || !before) return;
        if (explain(*before, p, got)) ++reordered_;
    }
    void transferred(unsigned p, const warp_result& got)
    {
        auto& port = ports_[p];
        port.channel.left();
        if (port.under_way.empty()) {
            difference(p, "a response without a request\n");
            return;
        }
        const auto& oldest = port.under_way.front();
        ++compared_;
        if (!same_response(oldest.expected, got))
            difference(p, "the response differs\n" + describe_transaction(oldest.number, p, oldest.op) +
                              describe_difference(oldest.op, oldest.expected, got));
        port.under_way.pop_front();
    }
    bool carry_out(isbe_core& core, operation& each, unsigned port)
    {
        each.done = true;
        try {
            core.execute(each.op, each.expected);
        } catch (const std::invalid_argument& error) {
            client_error(port, error.what());
            return false;
        }
        return true;
    }
    /// True if the response is right when operations of the other port are executed first; this order is then adopted.
    bool explain(const isbe_core& before, unsigned p, const warp_result& got)
    {
        auto& others = ports_[1 - p].under_way;
        isbe_core core(before);
        for (std::size_t last = 0; last < others.size(); ++last) {
            if (others[last].done) continue;
            auto first = others[last];
            if (!carry_out(core, first, 1 - p)) return false;
            others[last].expected = first.expected;
            isbe_core later(core);
            auto own = ports_[p].under_way.front();
            if (!carry_out(later, own, p) || !same_response(own.expected, got)) continue;
            for (std::size_t i = 0; i <= last; ++i) others[i].done = true;
            ports_[p].under_way.front() = own;
            core_ = later;
            return true;
        }
        return false;
    }

    isbe_core core_;
    std::vector<port_state> ports_;
    std::uint64_t compared_ = 0;
    std::uint64_t reordered_ = 0;
};

} // namespace

std::unique_ptr<block_checker> make_data_checker(const isbe_config& config)
{
    return std::make_unique<data_checker>(config);
}

} // namespace isbesim::testbench
