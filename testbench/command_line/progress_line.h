// SPDX-License-Identifier: Apache-2.0
// How far a command is: one line of the terminal that is drawn over and over, or now and then a line of a log.
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

/// "41 %, 1:05 left", from the share of the work that is done and the time that it took. At most 99 % before the end.
/// No time before anything can be said about it, and "" when `total` is 0: not known.
std::string progress_share(std::uint64_t done, std::uint64_t total, std::chrono::steady_clock::duration taken);

class progress_line {
public:
    /// Shown when --progress asks for it, or on a terminal unless --quiet.
    progress_line(std::ostream& err, const command_arguments& arguments);
    /// Leaves nothing on the terminal.
    ~progress_line();
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;

    /// Shown at all; if not, callers need not count.
    bool shown() const { return shown_; }
    /// It is time to show() something.
    bool due() const;
    /// "TEXT (SHARE)"; as much of it as fits into a line of the terminal.
    void show(const std::string& text, std::uint64_t done, std::uint64_t total);

private:
    std::ostream& err_;
    bool shown_ = false;
    bool terminal_ = false;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point begin_;
    std::chrono::steady_clock::time_point last_;
};

} // namespace isbesim::testbench
