// SPDX-License-Identifier: Apache-2.0
// The progress of a command: one line on a terminal that is redrawn, or an occasional line in a log.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

#include <boost/program_options.hpp>

namespace isbesim::testbench {

class command_arguments;

/// Adds --progress.
void add_progress_option(boost::program_options::options_description& options);

/// "41 %, 1:05 left", from the work done and the time taken; at most 99 %. Without the time left while it cannot be
/// estimated; "" if `total` is unknown (0).
std::string progress_share(std::uint64_t done, std::uint64_t total, std::chrono::steady_clock::duration taken);

class progress_line {
public:
    /// Shown with --progress, or on a terminal unless --quiet.
    progress_line(std::ostream& err, const command_arguments& arguments);
    /// Clears the line on the terminal.
    ~progress_line();
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;

    /// False: callers need not count.
    bool shown() const { return shown_; }
    /// True when the next show() is due.
    bool due() const;
    /// "SHARE: TEXT"; cut to a line of the terminal.
    void show(const std::string& text, std::uint64_t done, std::uint64_t total);
    /// The same for "DONE of TOTAL UNITS", if it is due.
    void count(std::uint64_t done, std::uint64_t total, const char* units)
    {
        if (due()) show(std::to_string(done) + " of " + std::to_string(total) + " " + units, done, total);
    }

private:
    std::ostream& err_;
    bool shown_ = false;
    bool terminal_ = false;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point begin_;
    std::chrono::steady_clock::time_point last_;
};

} // namespace isbesim::testbench
