// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/page_times.h"

#include <algorithm>
#include <cstddef>

namespace isbesim::testbench {

std::uint64_t latency_of(const isbe_config& config, opcode op)
{
    switch (op) {
    case opcode::ald:
    case opcode::isberd:
        return config.pipeline_latency;
    case opcode::al2p:
        return config.al2p_latency;
    case opcode::out:
        return config.out_latency;
    default:
        return config.write_latency;
    }
}

std::uint64_t end_in_queues(const isbe_config& config, const std::vector<std::uint64_t>& passes, std::uint64_t latency,
                            std::uint64_t begin, std::uint64_t free)
{
    const std::size_t depth = config.response_queue_depth, queue = config.request_queue_depth;
    std::vector<std::uint64_t> grants, from{free}; // from: when the place and the channel of a response are free
    std::uint64_t accept = begin, engine = 0;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        accept = std::max(i > 0 ? accept + 1 : begin, i >= queue ? grants[i - queue] + 1 : 0);
        grants.push_back(std::max({accept + 1, engine, i + 1 >= depth ? from[i + 1 - depth] : 0}));
        engine = grants.back() + passes[i];
        from.push_back(std::max(engine + latency, from.back()) + 1);
    }
    return from.back() - 1;
}

} // namespace isbesim::testbench
