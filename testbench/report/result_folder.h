// SPDX-License-Identifier: Apache-2.0
// The folder of results: written beside its final place and moved there as a whole.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/files/command_file.h"
#include "testbench/files/input_error.h"
#include "testbench/processes/interruption.h"

namespace isbesim::testbench {

/// Where results go. Without --out, that is the folder `out`, or, beside other contents there, `out_COMMAND`.
struct result_place {
    std::string path;
    source_place asked_at;
    std::string command;                  ///< whose results they are
    bool is_default = false;              ///< the command line does not name the path
    std::vector<command_file> files = {}; ///< of the command; the results must not replace them
};

class result_folder {
public:
    /// Makes a partial folder beside the place. Throws input_error if that is not possible, or if the folder there has
    /// other contents than an earlier result of the command, which would be lost. Removes the partial folders of killed
    /// runs.
    explicit result_folder(result_place place);
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

    std::string command_;
    std::filesystem::path final_;
    std::filesystem::path partial_;
    std::optional<unfinished> unfinished_;
    int lock_ = -1; ///< of partial_ until this process ends; an unlocked folder is a leftover
    bool committed_ = false;
};

} // namespace isbesim::testbench
