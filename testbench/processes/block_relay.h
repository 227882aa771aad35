// SPDX-License-Identifier: Apache-2.0
// Work done in order by another thread, a block at a time, so that the simulation only copies its data.
#pragma once

#include <array>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "testbench/processes/interruption.h"

namespace isbesim::testbench {

/// There are two blocks: the simulation waits if both are full, so memory stays flat. A Block has clear(). The thread
/// starts with the first full block, because most runs are shorter than a block, and a thread takes longer to start
/// than they do. A process that forks must not have a thread, because the copy would lack it.
template <typename Block>
class block_relay {
public:
    /// `work` is called in the other thread, with each block handed over.
    explicit block_relay(std::function<void(const Block&)> work) : work_(std::move(work)) {}
    /// Ends the thread; events not handed over are lost.
    ~block_relay() { join(); }
    block_relay(const block_relay&) = delete;
    block_relay& operator=(const block_relay&) = delete;

    /// The block that the simulation fills until it is handed over.
    Block& filling() { return blocks_[filling_]; }
    void hand_over();
    /// Hands over the last block and ends the thread. Throws what the work threw; no work was done after that. It
    /// throws here because SystemC lets no exception out of a process unchanged.
    void finish()
    {
        if (!thread_.joinable()) {
            work_(filling());
            filling().clear();
            return;
        }
        hand_over();
        join();
        if (error_) std::rethrow_exception(error_);
    }

private:
    void run();
    void join();

    std::function<void(const Block&)> work_;
    std::array<Block, 2> blocks_;
    unsigned filling_ = 0;
    // Shared with the thread, under the mutex; a block belongs to one side at a time.
    std::mutex mutex_;
    std::condition_variable changed_;
    Block* full_ = nullptr; ///< waits for the thread
    bool ending_ = false;
    std::exception_ptr error_;
    std::thread thread_;
};

template <typename Block>
void block_relay<Block>::hand_over()
{
    if (!thread_.joinable()) {
        const uninterrupted inherited; // signals end the program in the simulation's thread
        thread_ = std::thread([this] { run(); });
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return full_ == nullptr; });
    full_ = &filling();
    filling_ = 1 - filling_;
    lock.unlock();
    changed_.notify_all();
}

template <typename Block>
void block_relay<Block>::join()
{
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

template <typename Block>
void block_relay<Block>::run()
{
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return full_ != nullptr || ending_; });
        if (full_ == nullptr) return;
        lock.unlock();
        std::exception_ptr error;
        try {
            if (!error_) work_(*full_);
        } catch (...) {
            error = std::current_exception();
        }
        full_->clear();
        lock.lock();
        if (error) error_ = error;
        full_ = nullptr;
        changed_.notify_all();
    }
}

} // namespace isbesim::testbench
