// Work in processes of its own: a process can run one SystemC simulation, and what crashes there is an answer here.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

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

/// work(i) for every i below `count`, each in a copy of this process, at most `at_once` (at least 1) of them at a time;
/// `ended` is called here, as each ends, in any order. The copies skip the work of std::exit(): streams must
/// be flushed. They end with this process, and at `until`; `ended` is not called for those. Throws
/// std::runtime_error when there is no process to be had, and what `ended` throws, after ending those that run.
void run_in_processes(std::size_t count, unsigned at_once, const std::function<std::string(std::size_t)>& work,
                      const std::function<void(std::size_t, const work_end&)>& ended, const deadline& until = {});

/// One piece of work in a process of its own.
work_end run_in_process(const std::function<std::string()>& work);

} // namespace isbesim::testbench
