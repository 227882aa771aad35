// SPDX-License-Identifier: Apache-2.0
// Work in processes of its own: a process can run one SystemC simulation, and what crashes there is an answer here.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace isbesim::testbench {

/// Empty: there is time without end.
using deadline = std::optional<std::chrono::steady_clock::time_point>;

/// The outcome of a piece of work.
struct work_end {
    bool whole = false; ///< it returned
    std::string bytes;  ///< what it returned; else why it did not: what it threw, or how its process ended
};

/// A process that returned nothing: "the model crashed: Segmentation fault". `status` is waitpid()'s.
std::string text_of_end(int status);

/// Ends this process when `parent`, which has made it, is gone; at once when it is gone already.
void end_with(int parent);

/// Copies of this process at work. They end with it.
class process_pool {
public:
    process_pool() = default;
    process_pool(const process_pool&) = delete;
    process_pool& operator=(const process_pool&) = delete;
    ~process_pool();

    std::size_t size() const { return running_.size(); }
    /// Throws std::runtime_error when there is no process to be had. What std::exit() would do is not done in the copy:
    /// streams must be flushed.
    void begin(std::size_t i, const std::function<std::string()>& work);
    /// Until one says something, or it is `until`; Calls `ended` for each that has ended. True when there is
    /// something to be read from the file `input`, too.
    bool wait(const std::function<void(std::size_t, const work_end&)>& ended, const deadline& until, int input = -1);

private:
    struct member {
        pid_t process;
        int from; // end of its pipe
        std::size_t work;
        std::string bytes; // so far
    };

    static bool read_some(member& of); // false at the end
    static int finish(const member& of);
    static work_end end_of_work(const member& of, int status);

    std::vector<member> running_;
};

/// work(i) for every i below `count`, each in a copy of this process, at most `at_once` (at least 1) of them at a time;
/// `ended` is called here, as each ends, in any order. At `until` the rest end without a call. Throws
/// std::runtime_error when no process can be made, and what `ended` throws, after ending those that run.
void run_in_processes(std::size_t count, unsigned at_once, const std::function<std::string(std::size_t)>& work,
                      const std::function<void(std::size_t, const work_end&)>& ended, const deadline& until = {});

/// One piece of work in a process of its own.
work_end run_in_process(const std::function<std::string()>& work);

} // namespace isbesim::testbench
