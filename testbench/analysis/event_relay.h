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
    explicit event_relay(run_listener& target);

    /// Delivers everything and ends the thread. Throws what the target threw; nothing was delivered after that.
    void finish() { relay_.finish(); }

    void transaction(const transaction_event& event) override { keep(relay_.filling().transactions, event); }
    void warp(const warp_event& event) override { keep(relay_.filling().warps, event); }
    void space(const space_event& event) override { keep(relay_.filling().spaces, event); }
    void stall(const stall_event& event) override { keep(relay_.filling().stalls, event); }
    void wait(const wait_event& event) override { keep(relay_.filling().waits, event); }
    void trap(const trap_event& event) override { keep(relay_.filling().traps, event); }
    void batch(const batch_event& event) override { keep(relay_.filling().batches, event); }
    void output(const output_event& event) override { keep(relay_.filling().outputs, event); }
    void level(const level_event& event) override { keep(relay_.filling().levels, event); }

private:
    struct block {
        std::vector<transaction_event> transactions;
        std::vector<warp_event> warps;
        std::vector<space_event> spaces;
        std::vector<stall_event> stalls;
        std::vector<wait_event> waits;
        std::vector<trap_event> traps;
        std::vector<batch_event> batches;
        std::vector<output_event> outputs;
        std::vector<level_event> levels;

        void clear();
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
    void deliver(const block& from);

    run_listener& target_;
    std::size_t kept_ = 0;
    block_relay<block> relay_;
};

} // namespace isbesim::testbench
