// SPDX-License-Identifier: Apache-2.0
// Passes the records of a run to a listener in another thread, so that the simulation only copies them.
#pragma once

#include <vector>

#include "testbench/analysis/run_events.h"
#include "testbench/processes/block_relay.h"

namespace isbesim::testbench {

/// Records of one kind arrive in the order of their reports; the order between kinds is lost. Blocks have a bounded
/// size: the simulation waits while the listener is behind, so memory stays flat.
class event_relay : public run_listener {
public:
    /// Without finish(), undelivered events are lost.
    explicit event_relay(run_listener& target) : target_(target), relay_([this](const block& full) { deliver(full); })
    {
    }

    /// Delivers everything and ends the thread. Throws what the target threw; nothing was delivered after that.
    void finish() { relay_.finish(); }

#define ISBESIM_EVENT(name)                                                                                            \
    void name(const name##_event& event) override                                                                      \
    {                                                                                                                  \
        keep(relay_.filling().name##s, event);                                                                         \
    }
#include "testbench/analysis/run_events.inc"

private:
    struct block {
#define ISBESIM_EVENT(name) std::vector<name##_event> name##s;
#include "testbench/analysis/run_events.inc"

        void clear()
        {
#define ISBESIM_EVENT(name) name##s.clear();
#include "testbench/analysis/run_events.inc"
        }
    };
    static constexpr std::size_t block_records = 4096;

    template <typename Event>
    void keep(std::vector<Event>& events, const Event& event)
    {
        events.push_back(event);
        if (++kept_ != block_records) return;
        kept_ = 0;
        relay_.hand_over();
    }
    void deliver(const block& full)
    {
#define ISBESIM_EVENT(name)                                                                                            \
    for (const auto& event : full.name##s) target_.name(event);
#include "testbench/analysis/run_events.inc"
    }

    run_listener& target_;
    std::size_t kept_ = 0;
    block_relay<block> relay_;
};

} // namespace isbesim::testbench
