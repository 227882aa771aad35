// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/progress_line.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include "testbench/arguments/command_arguments.h"
#include "testbench/processes/interruption.h"

namespace isbesim::testbench {

namespace {

using clock = std::chrono::steady_clock;
constexpr auto redraw_interval = std::chrono::milliseconds(200); ///< on a terminal
constexpr auto line_interval = std::chrono::seconds(2);          ///< in a log
constexpr auto first_estimate = std::chrono::milliseconds(500);

std::string two_digits(std::int64_t number)
{
    return (number < 10 ? "0" : "") + std::to_string(number);
}

bool has_escapes()
{
    const char* kind = std::getenv("TERM");
    return kind == nullptr || std::strcmp(kind, "dumb") != 0;
}

std::size_t columns_of_terminal()
{
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? size.ws_col - 1U : 79;
}

} // namespace

void add_progress_option(boost::program_options::options_description& options)
{
    options.add_options()("progress", "progress on stderr: how much is done, time left (by itself on a terminal)");
}

std::string progress_share(std::uint64_t done, std::uint64_t total, clock::duration taken)
{
    if (total == 0) return "";
    const auto share = std::min(static_cast<double>(done) / static_cast<double>(total), 1.0);
    auto text = std::to_string(std::min(static_cast<unsigned>(share * 100), 99U)) + " %";
    if (done == 0 || done >= total || taken < first_estimate) return text;
    const auto left = std::chrono::duration<double>(taken).count() * (1 - share) / share;
    constexpr double most = 1e9;
    const auto seconds = static_cast<std::int64_t>(std::llround(std::min(left, most)));
    const auto minutes = seconds / 60 % 60;
    const auto hours = seconds / 3600;
    text += ", " + (hours != 0 ? std::to_string(hours) + ":" + two_digits(minutes) : std::to_string(minutes));
    return text + ":" + two_digits(seconds % 60) + " left";
}

progress_line::progress_line(std::ostream& err, const command_arguments& arguments)
    : err_(err), terminal_(isatty(STDERR_FILENO) != 0 && has_escapes()), begin_(clock::now()), last_(begin_)
{
    shown_ = arguments.has("progress") || (isatty(STDERR_FILENO) != 0 && !arguments.has("quiet"));
}

progress_line::~progress_line()
{
    if (drawn_) err_ << "\r\033[K" << std::flush;
    open_line_on_terminal(false);
}

bool progress_line::due() const
{
    const auto interval = terminal_ ? clock::duration(redraw_interval) : clock::duration(line_interval);
    return shown_ && clock::now() - last_ >= interval;
}

void progress_line::show(const std::string& text, std::uint64_t done, std::uint64_t total)
{
    last_ = clock::now();
    const auto share = progress_share(done, total, last_ - begin_);
    auto line = (share.empty() ? "" : share + ": ") + text; // a narrow terminal shows the beginning
    if (!terminal_) {
        err_ << line << std::endl;
        return;
    }
    line.resize(std::min(line.size(), columns_of_terminal())); // a longer line cannot be overwritten
    open_line_on_terminal(true);
    drawn_ = true;
    err_ << "\r\033[K" << line << std::flush;
}

} // namespace isbesim::testbench
