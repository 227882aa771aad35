// SPDX-License-Identifier: Apache-2.0
// The folder of results: written beside its final place and moved there as a whole.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "testbench/files/input_error.h"
#include "testbench/processes/interruption.h"

namespace isbesim::testbench {

/// The file that every result of `isbesim compare` has.
inline constexpr const char* comparison_file = "compare.json";

class result_folder {
public:
    /// Makes a partial folder beside `path`. Throws input_error at `asked_at` if that is not possible, or if `path` has
    /// contents of no earlier run, which would be lost. `mark` is a file that every earlier result has. Removes the
    /// partial folders of killed runs.
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

    /// Replaces the old results by the new ones; signals cannot end the program in between. Everything written by this
    /// command is complete then (unfinished::keep_all). Throws std::runtime_error.
    void commit();

private:
    void make_partial();

    std::filesystem::path final_;
    std::filesystem::path partial_;
    std::optional<unfinished> unfinished_;
    int lock_ = -1; ///< of partial_ until this process ends; an unlocked folder is a leftover
    bool committed_ = false;
};

} // namespace isbesim::testbench
