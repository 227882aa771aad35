// SPDX-License-Identifier: Apache-2.0
// What the host could do at best: the bytes of a trace moved between storage and payload, and nothing else.
#pragma once

#include <array>
#include <cstring>
#include <vector>

#include "tests/bench/packed_trace.h"

namespace isbesim::test {

/// A line (128 bytes) for each pass of each operation, from one line of a storage after the other into the payload, or
/// back for stores. No address is worked out, no lane is read, no time passes.
class line_copies {
public:
    void play(const packed_trace& trace)
    {
        warp_op op;
        for (const auto& port : trace.ports)
            for (std::size_t i = 0; i < port.size(); ++i) {
                port.load(i, op);
                for (unsigned pass = 0; pass < port.passes(i); ++pass) {
                    auto& line = storage_[next_++ % storage_.size()];
                    auto& component = payload_[pass % max_components];
                    if (is_store(op.op))
                        std::memcpy(line.data(), op.data[pass % max_components].data(), sizeof line);
                    else
                        std::memcpy(component.data(), line.data(), sizeof line);
                }
                // The compiler must keep unread copies.
                asm volatile("" : : "r"(payload_.data()), "r"(storage_.data()) : "memory");
            }
    }

private:
    std::vector<per_lane<word>> storage_{1024}; ///< the default machine's lines
    std::array<per_lane<word>, max_components> payload_{};
    std::size_t next_ = 0;
};

} // namespace isbesim::test
