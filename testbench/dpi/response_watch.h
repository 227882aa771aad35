// SPDX-License-Identifier: Apache-2.0
// The response channel of one port as seen from outside: whether a response is on it, and since when.
#pragma once

#include <cstdint>

#include "testbench/dpi/block_checker.h"

namespace isbesim::testbench {

class response_watch {
public:
    enum class event : std::uint8_t { none, appeared, withdrawn };

    /// The pins of cycle `now`; call left() afterwards if the response was transferred.
    event see(const seen_port& seen, std::uint64_t now)
    {
        if (!seen.response_valid) {
            const bool was = on_;
            on_ = false;
            return was ? event::withdrawn : event::none;
        }
        if (on_) return event::none;
        on_ = true;
        since_ = now;
        return event::appeared;
    }
    void left() { on_ = false; }
    bool on() const { return on_; }
    std::uint64_t since() const { return since_; }

private:
    bool on_ = false;
    std::uint64_t since_ = 0;
};

} // namespace isbesim::testbench
