// SPDX-License-Identifier: Apache-2.0
// Runs work in separate processes: a process can only run one SystemC simulation, and a crash becomes a result here.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace isbesim::testbench {

/// Empty: no deadline.
using deadline = std::optional<std::chrono::steady_clock::time_point>;

/// The outcome of a piece of work.
struct work_end {
    bool whole = false; ///< the work returned
    std::string bytes;  ///< its result, otherwise the reason: its exception or the end of its process
};

/// Text about a process without a result: "the model crashed: Segmentation fault". `status`: from waitpid().
std::string text_of_end(int status);

/// Ends this process when its parent `parent` ends, or at once if the parent has already ended.
void end_with(int parent);

/// Working copies of this process, which end with it.
class process_pool {
public:
    process_pool() = default;
    process_pool(const process_pool&) = delete;
    process_pool& operator=(const process_pool&) = delete;
    ~process_pool();

    std::size_t size() const { return running_.size(); }
    /// Throws std::runtime_error if no process can be made. The copy ends without the actions of std::exit(): streams
    /// must be flushed.
    void begin(std::size_t i, const std::function<std::string()>& work);
    /// Waits until a copy sends data, or until `until`. Calls `ended` for each ended copy. Returns true if the file
    /// `input` has data to read.
    bool wait(const std::function<void(std::size_t, const work_end&)>& ended, const deadline& until, int input = -1);

private:
    struct member {
        pid_t process;
        int from; // read end of its pipe
        std::size_t work;
        std::string bytes; // so far
    };

    static bool read_some(member& worker); // returns false at the end
    static int finish(const member& worker);
    static work_end end_of_work(const member& worker, int status);

    std::vector<member> running_;
};

/// Runs work(i) for every i below `count` in copies of this process, at most `at_once` (at least 1) at a time. Calls
/// `ended` in this process when a copy ends, in any order. At `until` the remaining copies are ended without a call.
/// Throws std::runtime_error if no process can be made, and what `ended` throws, after ending the running copies.
void run_in_processes(std::size_t count, unsigned at_once, const std::function<std::string(std::size_t)>& work,
                      const std::function<void(std::size_t, const work_end&)>& ended, const deadline& until = {});

/// Runs one piece of work in a separate process.
work_end run_in_process(const std::function<std::string()>& work);

} // namespace isbesim::testbench
