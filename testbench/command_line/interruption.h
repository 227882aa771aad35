// Ctrl-C and its kin: the program ends at once and by the signal, but nothing half written stays behind.
#pragma once

#include <csignal>
#include <cstddef>
#include <string>

namespace isbesim::testbench {

/// From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove everything that is `unfinished`, say so in one line (SIGPIPE:
/// nobody reads, so nothing) and end the program as they would have: a shell sees 128 + their number. Signals that were
/// ignored when the program began stay so, but for SIGPIPE. For main().
void clean_up_when_interrupted();

/// A file or folder that must not be left when a signal ends the program now. Of files only regular ones are removed:
/// not a device or pipe that was given as one. Made and ended in the main thread.
class unfinished {
public:
    enum class kind : unsigned char { file, folder };
    /// Follows a symbolic link now, when the file should be there.
    explicit unfinished(const std::string& path, kind what = kind::file);
    ~unfinished();
    unfinished(const unfinished&) = delete;
    unfinished& operator=(const unfinished&) = delete;

    /// The results of this command are complete: everything that is unfinished now is to stay.
    static void keep_all();

private:
    std::size_t slot_;
};

/// While it lives, such signals wait. Threads that are started meanwhile never get one: they are the main thread's.
class uninterrupted {
public:
    uninterrupted();
    ~uninterrupted();
    uninterrupted(const uninterrupted&) = delete;
    uninterrupted& operator=(const uninterrupted&) = delete;

private:
    sigset_t before_{};
};

/// There is a line on the terminal that ends without a line feed: it is cleared before anything is said.
void open_line_on_terminal(bool open);

} // namespace isbesim::testbench
