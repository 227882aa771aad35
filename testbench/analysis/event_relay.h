// Hands the records of a run to a listener in another thread, so that writing a file costs the simulation a copy.
#pragma once

#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "testbench/analysis/run_events.h"

namespace isbesim::testbench {

/// Records of one kind arrive in the order in which they were reported; how kinds interleave is lost. Two blocks of
/// bounded size: when both are full the simulation waits, so memory stays flat.
class event_relay : public run_listener {
public:
    explicit event_relay(run_listener& target);
    /// Ends the thread; what was not delivered is lost.
    ~event_relay() override;
    event_relay(const event_relay&) = delete;
    event_relay& operator=(const event_relay&) = delete;

    /// Delivers everything and ends the thread. Throws what the target threw; since then nothing was delivered, because
    /// SystemC lets no exception out of a process unchanged.
    void finish();

    void transaction(const transaction_event& event) override { keep(filling().transactions, event); }
    void warp(const warp_event& event) override { keep(filling().warps, event); }
    void space(const space_event& event) override { keep(filling().spaces, event); }
    void stall(const stall_event& event) override { keep(filling().stalls, event); }
    void wait(const wait_event& event) override { keep(filling().waits, event); }
    void trap(const trap_event& event) override { keep(filling().traps, event); }
    void batch(const batch_event& event) override { keep(filling().batches, event); }
    void output(const output_event& event) override { keep(filling().outputs, event); }
    void level(const level_event& event) override { keep(filling().levels, event); }

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
    };
    static constexpr std::size_t block_records = 4096;

    block& filling() { return blocks_[filling_]; }
    template <typename Event>
    void keep(std::vector<Event>& events, const Event& event)
    {
        events.push_back(event);
        if (++kept_ == block_records) hand_over();
    }
    void hand_over();
    void work();
    void deliver(block& from, bool wanted);
    void join();

    run_listener& target_;
    std::array<block, 2> blocks_;
    unsigned filling_ = 0;
    std::size_t kept_ = 0;
    // Shared with the thread, under the mutex; a block belongs to one side at a time.
    std::mutex mutex_;
    std::condition_variable changed_;
    block* full_ = nullptr; ///< to be delivered
    bool ending_ = false;
    std::exception_ptr error_;
    std::thread thread_;
};

} // namespace isbesim::testbench
