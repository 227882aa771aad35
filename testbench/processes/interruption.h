// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and similar signals: the program ends at once by the signal, but leaves nothing half written.
#pragma once

#include <csignal>
#include <cstddef>
#include <list>
#include <string>

#include <sys/types.h>

namespace isbesim::testbench {

/// To be called by main(). From then on SIGINT, SIGTERM, SIGHUP, SIGPIPE and others that end a program from outside
/// remove everything `unfinished`, print a line (except SIGPIPE, which has no reader) and end the program as by
/// default: a shell sees 128 + their number. Signals that were ignored at the start stay ignored, except for SIGPIPE.
/// SIGBUS, for a page of a file without room on the disk, does the same with exit status 3, because waveforms are
/// written through memory; exit() while something is unfinished, with exit status 1. SIGXFSZ ends nothing: writes fail.
void clean_up_when_interrupted();

/// A file or folder to remove if a signal ends the program. Only regular files are removed, not devices or pipes named
/// as files. To be constructed and destroyed in the main thread.
class unfinished {
public:
    enum class kind : unsigned char { file, folder };
    /// Follows a symbolic link at construction, so the file should exist.
    explicit unfinished(const std::string& path, kind what = kind::file);
    ~unfinished();
    unfinished(const unfinished&) = delete;
    unfinished& operator=(const unfinished&) = delete;

    /// Removes it now, as a signal would.
    void remove() const;

    /// The results of this command are complete: keeps everything that is unfinished now.
    static void keep_all();

private:
    std::size_t slot_;
};

/// Files that a command writes: an exception removes them as a signal would.
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

    /// Adds a file that may be replaced and has been opened.
    void add(const std::string& path) { files_.emplace_back(path); }
    void complete() { complete_ = true; }

private:
    std::list<unfinished> files_;
    bool complete_ = false;
};

/// Delays such signals during its lifetime. Threads started meanwhile never receive them: the main thread does.
class uninterrupted {
public:
    uninterrupted();
    ~uninterrupted();
    uninterrupted(const uninterrupted&) = delete;
    uninterrupted& operator=(const uninterrupted&) = delete;

private:
    sigset_t before_{};
};

/// fork(), for work that this process waits for: in the new process a signal prints nothing and removes only files of
/// that process. Ctrl-C reaches both processes; this one does the rest.
pid_t fork_worker();

/// Tells whether the terminal has a line without a line feed, which is cleared before any message.
void open_line_on_terminal(bool open);

} // namespace isbesim::testbench
