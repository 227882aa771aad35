// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/traffic_producer.h"

#include <algorithm>
#include <utility>

namespace isbesim::testbench {

std::uint64_t traffic_producer::due(std::uint64_t now)
{
    if (next_ == nullptr && !exhausted_) {
        // Drawn by the issuer's process, not while the ISBE accepts: sources may throw or wait.
        if (now < channel_free_) return channel_free_;
        next_ = source_.draw(port_);
        exhausted_ = next_ == nullptr;
    }
    return exhausted_ ? never : std::max(next_->earliest, channel_free_);
}

std::optional<operation_producer::issued> traffic_producer::next(std::uint64_t, warp_op& op)
{
    const auto& item = *std::exchange(next_, nullptr);
    op = item.op;
    ++pending_;
    return issued{item.response_hold}; // the tag carries the hold to the response
}

unsigned traffic_producer::responded(std::uint64_t tag, const warp_op& op, const warp_result& result,
                                     const transaction_times& times)
{
    --pending_;
    const auto hold = static_cast<unsigned>(tag);
    listener_.responded(port_, hold, op, result, times);
    return hold;
}

} // namespace isbesim::testbench
