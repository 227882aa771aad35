// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/model_check.h"

#include <algorithm>
#include <deque>

#include "models/isbe/timing/grant_scheduler.h"

namespace isbesim::testbench {

namespace {

/// Events of the ports in the order of their cycles.
class model_player {
public:
    model_player(const observed_traffic& traffic, const isbe_config& machine)
        : traffic_(traffic), core_(machine), scheduler_(core_), ports_(traffic.ports())
    {
    }

    std::uint64_t play()
    {
        warp_result ignored;
        for (const auto& bind : traffic_.earlier_binds()) core_.execute(bind, ignored);
        for (const auto& seen : traffic_.operations()) ++ports_[seen.port].left;
        traffic_.visit([&](std::size_t number, const warp_op& op, const operation_answer&) {
            auto& port = ports_[traffic_.operations()[number].port];
            port.coming.push_back({op, {}, number});
            --port.left;
            while (ready()) step();
        });
        while (next_cycle() < never) step();
        for (const auto& port : ports_) differences_ += port.coming.size(); // delayed by responses that never came
        return differences_;
    }

private:
    static constexpr auto never = observed_operation::never;

    struct operation {
        warp_op op;
        warp_result result;
        std::size_t number;
    };
    struct port_state {
        std::size_t left = 0;           ///< operations not read yet
        std::deque<operation> coming;   ///< operations not accepted yet
        std::deque<operation> accepted; ///< operations whose response was not transferred yet
        std::uint64_t free = 0;         ///< first free cycle of the request channel
        std::uint64_t transfer = never; ///< of the response on the channel
        std::uint64_t request_cycle(const observed_traffic& traffic) const
        {
            return std::max(traffic.operations()[coming.front().number].request, free);
        }
    };

    /// True if the first event is known: no unread operation can precede it.
    bool ready() const
    {
        return std::all_of(ports_.begin(), ports_.end(),
                           [](const port_state& p) { return p.left == 0 || !p.coming.empty(); }) &&
               next_cycle() < never;
    }

    std::uint64_t next_cycle() const
    {
        auto cycle = never;
        for (unsigned p = 0; p < ports_.size(); ++p) {
            const auto& port = ports_[p];
            if (!port.coming.empty())
                cycle = std::min(cycle, std::max(port.request_cycle(traffic_), scheduler_.next_accept(p)));
            cycle = std::min({cycle, port.transfer, scheduler_.next_response(p)});
        }
        return std::min(cycle, never);
    }

    void step()
    {
        const auto now = next_cycle();
        scheduler_.advance_to(now);
        for (unsigned p = 0; p < ports_.size(); ++p) {
            respond(p, now);
            accept(p, now);
        }
    }

    void respond(unsigned p, std::uint64_t now)
    {
        auto& port = ports_[p];
        if (port.transfer == never && scheduler_.response(p, now) != nullptr) {
            const auto& seen = traffic_.operations()[port.accepted.front().number];
            if (seen.response < never && seen.response != now) ++differences_;
            // Transferred with the observed delay; an unobserved transfer never happens.
            port.transfer = seen.transfer >= never ? never - 1 : now + (seen.transfer - seen.response);
        }
        if (port.transfer != now) return;
        scheduler_.transfer(p, now);
        port.accepted.pop_front();
        port.transfer = never;
    }

    void accept(unsigned p, std::uint64_t now)
    {
        auto& port = ports_[p];
        if (port.coming.empty() || port.request_cycle(traffic_) > now || !scheduler_.can_accept(p, now)) return;
        port.accepted.push_back(port.coming.front());
        port.coming.pop_front();
        port.free = now + 1;
        auto& taken = port.accepted.back();
        const auto& seen = traffic_.operations()[taken.number];
        if (seen.accept != now) ++differences_;
        port_operation wanted;
        wanted.op = &taken.op;
        wanted.result = &taken.result;
        wanted.begin = std::min(seen.request, now);
        wanted.accept = now;
        scheduler_.accept(p, wanted);
    }

    const observed_traffic& traffic_;
    isbe_core core_;
    grant_scheduler scheduler_;
    std::vector<port_state> ports_;
    std::uint64_t differences_ = 0;
};

} // namespace

std::uint64_t count_model_differences(const observed_traffic& traffic, const isbe_config& machine)
{
    return model_player(traffic, machine).play();
}

} // namespace isbesim::testbench
