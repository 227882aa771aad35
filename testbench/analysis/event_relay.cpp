#include "testbench/analysis/event_relay.h"

#include "testbench/command_line/interruption.h"

namespace isbesim::testbench {

event_relay::event_relay(run_listener& target) : target_(target)
{
    const uninterrupted inherited; // a signal that ends the program stops the simulation, not this thread
    thread_ = std::thread([this] { work(); });
}

event_relay::~event_relay()
{
    join();
}

void event_relay::join()
{
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void event_relay::finish()
{
    hand_over();
    join();
    if (error_) std::rethrow_exception(error_);
}

void event_relay::hand_over()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return full_ == nullptr; });
    full_ = &filling();
    filling_ = 1 - filling_;
    kept_ = 0;
    lock.unlock();
    changed_.notify_all();
}

void event_relay::work()
{
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return full_ != nullptr || ending_; });
        if (full_ == nullptr) return;
        lock.unlock();
        std::exception_ptr error;
        try {
            deliver(*full_, error_ == nullptr);
        } catch (...) {
            error = std::current_exception();
        }
        lock.lock();
        if (error && !error_) error_ = error;
        full_ = nullptr;
        changed_.notify_all();
    }
}

void event_relay::deliver(block& from, bool wanted)
{
    const auto each = [&](auto& events, auto method) {
        for (const auto& event : events)
            if (wanted) (target_.*method)(event);
        events.clear();
    };
    each(from.transactions, &run_listener::transaction);
    each(from.warps, &run_listener::warp);
    each(from.spaces, &run_listener::space);
    each(from.stalls, &run_listener::stall);
    each(from.waits, &run_listener::wait);
    each(from.traps, &run_listener::trap);
    each(from.batches, &run_listener::batch);
    each(from.outputs, &run_listener::output);
    each(from.levels, &run_listener::level);
}

} // namespace isbesim::testbench
