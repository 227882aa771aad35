// SPDX-License-Identifier: Apache-2.0
// A file that is there whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "testbench/processes/interruption.h"

namespace isbesim::testbench {

/// Written beside its final place, as .NAME.partial-PROCESS, and renamed when it is complete: a killed process leaves
/// an earlier file of that name as it was. Pipes, devices and open files (/dev/fd/3) are written in place, and so is a
/// file in a folder that takes no new ones.
class whole_file {
public:
    /// Removes what killed processes were writing there, and opens; open() tells whether that was possible.
    explicit whole_file(const std::string& path);
    /// Removes the partial file unless finish() was called, as a signal that ends the program does.
    ~whole_file();
    whole_file(const whole_file&) = delete;
    whole_file& operator=(const whole_file&) = delete;

    bool open() const { return stream_.is_open(); }
    /// False when not all written so far could be kept.
    bool good() const { return stream_.good(); }
    void write(const void* bytes, std::size_t count);
    /// Puts the file in its place. False when not all of it could be written: then it is removed. Until the command's
    /// results are complete (unfinished::keep_all) a signal removes it still.
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

} // namespace isbesim::testbench
