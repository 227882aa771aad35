// SPDX-License-Identifier: Apache-2.0
// The folder of results: written beside its final place and put there as a whole.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "testbench/files/input_error.h"
#include "testbench/processes/interruption.h"

namespace isbesim::testbench {

/// What every result of `isbesim compare` holds.
inline constexpr const char* comparison_file = "compare.json";

class result_folder {
public:
    /// Makes the folder that is being written, beside `path`. Throws input_error at `asked_at` when that is not
    /// possible, or when `path` holds something that no earlier run wrote: that would be lost.
    /// `mark` is a file that every earlier result holds. What killed runs were writing there is removed.
    result_folder(const std::string& path, const source_place& asked_at, const char* mark = "report.json");
    /// Removes the partial folder unless commit() was called, as a signal that ends the program does.
    ~result_folder();
    result_folder(const result_folder&) = delete;
    result_folder& operator=(const result_folder&) = delete;

    /// Path of a file being written.
    std::string file(const std::string& name) const { return (partial_ / name).string(); }
    /// Path of the same file once committed.
    std::string final_file(const std::string& name) const { return (final_ / name).string(); }

    /// Writes a file of the folder. Throws std::runtime_error.
    void write(const std::string& name, std::string_view content) const;

    /// Puts the new results in place of the old ones, without a moment in which a signal could end the program. All
    /// that this command has written is complete then (unfinished::keep_all). Throws std::runtime_error.
    void commit();

private:
    void make_partial();

    std::filesystem::path final_;
    std::filesystem::path partial_;
    std::optional<unfinished> unfinished_;
    int lock_ = -1; ///< of partial_, as long as this process lives: without it no process writes there
    bool committed_ = false;
};

} // namespace isbesim::testbench
