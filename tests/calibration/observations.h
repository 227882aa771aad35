// SPDX-License-Identifier: Apache-2.0
// Observations for tests: written by hand, or what a machine of the model does with random traffic.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/timing/grant_scheduler.h"
#include "testbench/calibration/observed_traffic.h"
#include "testbench/crosscheck/traffic/traffic.h"

namespace isbesim::testbench {

class kept_observation : public observed_traffic {
public:
    explicit kept_observation(unsigned ports) { ports_ = ports; }

    void add(const observed_operation& seen, const warp_op& op = {}, const warp_result& result = {})
    {
        operations_.push_back(seen);
        kept_.push_back({op, result});
    }
    void visit(const visitor& each) const override
    {
        for (std::size_t i = 0; i < kept_.size(); ++i) each(i, kept_[i].op, answer_of(kept_[i].op, kept_[i].result));
    }
    std::vector<observed_operation>& seen() { return operations_; }
    const warp_op& op(std::size_t number) const { return kept_[number].op; }
    const warp_result& result(std::size_t number) const { return kept_[number].result; }

private:
    struct kept {
        warp_op op;
        warp_result result;
    };
    std::vector<kept> kept_;
};

/// Cycle by cycle, no simulation: what `config` does with the traffic, in the order of its grants.
inline kept_observation observe_model(const isbe_config& config, traffic_source& source)
{
    struct in_flight {
        warp_op op;
        warp_result result;
        observed_operation seen;
        std::uint64_t hold;
    };
    struct port_state {
        std::unique_ptr<in_flight> next;
        std::deque<std::unique_ptr<in_flight>> accepted;
        std::uint64_t free = 0;
        bool over = false;
    };
    /// Numbers operations as they are granted.
    struct grant_order : transaction_observer {
        void granted(std::uint64_t id, unsigned, const warp_op&, const warp_result&, std::uint64_t,
                     const access_footprint&) override
        {
            order.push_back(id);
        }
        std::vector<std::uint64_t> order;
    };

    isbe_core core(config);
    grant_scheduler scheduler(core);
    grant_order grants;
    const std::vector<transaction_observer*> observers{&grants};
    scheduler.report_to(observers);
    std::vector<port_state> ports(config.ports);
    std::vector<std::unique_ptr<in_flight>> done; // by id
    std::uint64_t ids = 0;
    for (std::uint64_t cycle = 0;; ++cycle) {
        bool over = true;
        scheduler.advance_to(cycle);
        for (unsigned p = 0; p < config.ports; ++p) {
            auto& port = ports[p];
            if (scheduler.response(p, cycle) != nullptr) {
                auto& seen = port.accepted.front()->seen;
                seen.response = cycle;
                seen.transfer = cycle + port.accepted.front()->hold;
            }
            if (!port.accepted.empty() && port.accepted.front()->seen.transfer == cycle) {
                const auto id = scheduler.transfer(p, cycle).id;
                if (done.size() <= id) done.resize(id + 1);
                done[id] = std::move(port.accepted.front());
                port.accepted.pop_front();
            }
            if (!port.next && !port.over) {
                traffic_item item;
                port.over = !source.next(p, item);
                if (!port.over) {
                    port.next = std::make_unique<in_flight>();
                    port.next->op = item.op;
                    port.next->hold = item.response_hold;
                    port.next->seen.port = static_cast<std::uint8_t>(p);
                    port.next->seen.op = item.op.op;
                    port.next->seen.request = std::max(item.earliest, port.free);
                }
            }
            if (port.next && port.next->seen.request <= cycle && scheduler.can_accept(p, cycle)) {
                auto& taken = *port.accepted.emplace_back(std::move(port.next));
                taken.seen.accept = cycle;
                port_operation wanted;
                wanted.op = &taken.op;
                wanted.result = &taken.result;
                wanted.id = ids++;
                wanted.begin = taken.seen.request;
                wanted.accept = cycle;
                scheduler.accept(p, wanted);
                port.free = cycle + 1;
            }
            over = over && port.over && port.accepted.empty();
        }
        if (over) break;
    }
    kept_observation seen(config.ports);
    for (const auto id : grants.order) seen.add(done[id]->seen, done[id]->op, done[id]->result);
    return seen;
}

} // namespace isbesim::testbench
