// SPDX-License-Identifier: Apache-2.0
// What every cycle of the ISBE's ports and of its pass engine went to, once more: asked of each cycle by itself, from
// the cycles of accepts, grants and responses that the clocked simulation found. Shares nothing with models/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/timing/port_reference.h"

namespace isbesim::test {

using cycles_by_use = std::map<std::string, std::uint64_t>;

class use_reference {
public:
    use_reference(const std::vector<std::vector<reference_operation>>& ports, unsigned response_depth)
        : ports_(ports), depth_(response_depth)
    {
    }

    cycles_by_use of_port(std::size_t port, std::uint64_t cycles) const
    {
        cycles_by_use uses;
        for (std::uint64_t c = 0; c < cycles; ++c) ++uses[port_use_at(port, c)];
        return uses;
    }
    /// Passes beyond the ideal are the last of an operation.
    cycles_by_use of_engine(std::uint64_t cycles) const
    {
        cycles_by_use uses;
        for (std::uint64_t c = 0; c < cycles; ++c) ++uses[engine_use_at(c)];
        return uses;
    }

private:
    template <typename Condition>
    bool any(std::size_t port, const Condition& holds) const
    {
        return std::any_of(ports_[port].begin(), ports_[port].end(), holds);
    }
    bool works_for(std::size_t port, std::uint64_t c) const
    {
        return any(port, [&](const auto& op) { return op.grant < c && c <= op.grant + op.passes; });
    }
    bool granted_at(std::size_t port, std::uint64_t c) const
    {
        return any(port, [&](const auto& op) { return op.grant == c; });
    }
    bool queued_at(std::size_t port, std::uint64_t c) const
    {
        return any(port, [&](const auto& op) { return op.accept < c && op.grant >= c; });
    }
    auto flying_at(std::size_t port, std::uint64_t c) const
    {
        return std::count_if(ports_[port].begin(), ports_[port].end(),
                             [&](const auto& op) { return op.grant < c && op.response + op.stall >= c; });
    }

    std::string port_use_at(std::size_t port, std::uint64_t c) const
    {
        if (works_for(port, c)) return "passes";
        const auto flying = flying_at(port, c);
        if (queued_at(port, c)) {
            if (flying >= static_cast<std::ptrdiff_t>(depth_)) return "responses_full";
            return granted_at(port, c) && !anybody([&](std::size_t p) { return works_for(p, c); }) ? "grant"
                                                                                                   : "other_port";
        }
        if (any(port, [&](const auto& op) { return op.response <= c && c <= op.response + op.stall; }))
            return "response";
        return flying != 0 ? "latency" : "idle";
    }
    std::string engine_use_at(std::uint64_t c) const
    {
        for (const auto& port : ports_)
            for (const auto& op : port)
                if (op.grant < c && c <= op.grant + op.passes)
                    return c <= op.grant + op.ideal ? "passes" : "bank_conflict";
        if (anybody([&](std::size_t p) { return granted_at(p, c); })) return "grant";
        return anybody([&](std::size_t p) { return queued_at(p, c); }) ? "responses_full" : "no_request";
    }
    template <typename Condition>
    bool anybody(const Condition& holds) const
    {
        for (std::size_t p = 0; p < ports_.size(); ++p)
            if (holds(p)) return true;
        return false;
    }

    const std::vector<std::vector<reference_operation>>& ports_;
    unsigned depth_;
};

} // namespace isbesim::test
