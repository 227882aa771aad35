// SPDX-License-Identifier: Apache-2.0
// A file that exists completely or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

#include "testbench/processes/interruption.h"

namespace isbesim::testbench {

/// Written beside its final place, as .NAME.partial-PROCESS, and renamed when complete: a killed process leaves an
/// earlier file of that name unchanged. Pipes, devices and open files (/dev/fd/3) are written in place, as are files in
/// folders that accept no new files.
class whole_file {
public:
    /// Removes partial files of killed processes and opens the file; open() returns whether that worked.
    explicit whole_file(const std::string& path);
    /// Removes the partial file unless finish() was called, as a signal that ends the program does.
    ~whole_file();
    whole_file(const whole_file&) = delete;
    whole_file& operator=(const whole_file&) = delete;

    bool open() const { return stream_.is_open(); }
    /// False if a write has failed.
    bool good() const { return stream_.good(); }
    void write(const void* bytes, std::size_t count);
    /// Moves the file to its place. Returns false and removes it if something could not be written. A signal still
    /// removes it until the command's results are complete (unfinished::keep_all).
    [[nodiscard]] bool finish();

private:
    void remove_partial() const;

    std::filesystem::path final_;
    std::filesystem::path partial_; ///< empty: written in place
    std::optional<unfinished> unfinished_;
    std::ofstream stream_;
    int lock_ = -1;
    int owner_; ///< process: a forked copy does not finish its parent's file
    bool finished_ = false;
};

// Partial files and folders, written beside their final places.

/// .NAME.partial-PROCESS in the folder of `final`.
std::filesystem::path partial_path(const std::filesystem::path& final);

/// Opens and locks a file or folder until the descriptor is closed, at the latest when the process ends. Returns -1 if
/// another process holds the lock, or if that is unknown (not every file system has locks).
int lock_partial(const std::filesystem::path& path);

/// Calls `make`, which creates `path`, and locks it by `lock` if possible; repeats this if another process has removed
/// it as a leftover meanwhile. Returns false if `path` does not exist in the end.
bool make_and_lock(const std::filesystem::path& path, int& lock, const std::function<void()>& make);

/// Removes the leftovers of killed processes for `final`: unlocked partial paths.
void remove_leftovers(const std::filesystem::path& final);

} // namespace isbesim::testbench
