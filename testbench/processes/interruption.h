// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and its kin: the program ends at once and by the signal, but nothing half written stays behind.
#pragma once

#include <csignal>
#include <cstddef>
#include <list>
#include <string>

#include <sys/types.h>

namespace isbesim::testbench {

/// From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove everything that is `unfinished`, print one line (not SIGPIPE,
/// which has no reader) and end the program as they would have: a shell sees 128 + their number. Signals that were
/// ignored when the program began stay so, but for SIGPIPE. So does SIGBUS for a page of a file that the disk has no
/// room for, with exit status 3: waveforms are written through memory. For main().
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

    /// Now, as a signal would.
    void remove() const;

    /// The results of this command are complete: everything that is unfinished now is to stay.
    static void keep_all();

private:
    std::size_t slot_;
};

/// Files that a command writes: where it fails, an exception removes them as a signal would.
class unfinished_files {
public:
    unfinished_files() = default;
    ~unfinished_files()
    {
        if (complete_) return;
        for (const auto& each : files_) each.remove();
    }
    unfinished_files(const unfinished_files&) = delete;
    unfinished_files& operator=(const unfinished_files&) = delete;

    /// One that may be replaced: it has been opened.
    void add(const std::string& path) { files_.emplace_back(path); }
    void complete() { complete_ = true; }

private:
    std::list<unfinished> files_;
    bool complete_ = false;
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

/// fork(), for work that this process waits for: in the new one a signal says nothing and removes only what that
/// process has begun. Ctrl-C comes to both, and the rest is this process's matter.
pid_t fork_worker();

/// There is a line on the terminal that ends without a line feed: it is cleared before anything is said.
void open_line_on_terminal(bool open);

} // namespace isbesim::testbench
