// SPDX-License-Identifier: Apache-2.0
// Whole files as texts.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/files/input_error.h"

namespace isbesim::testbench {

/// Reads a whole file as bytes. Throws input_error at FILE:1:1 with the expectation.
std::string read_file(const std::string& path, const std::string& expected);

/// Collects the files that read_file() reads during its lifetime, to detect later changes. Only one object at a time.
class files_read {
public:
    files_read();
    ~files_read();
    files_read(const files_read&) = delete;
    files_read& operator=(const files_read&) = delete;

    void add(const std::string& path);
    /// True if none of them has been written or replaced since.
    bool are_as_before() const;

private:
    struct entry {
        std::string path;
        std::vector<std::int64_t> state; ///< data from stat(); empty if the file is missing
    };
    std::vector<entry> entries_;
};

/// Name of an input in errors: standard-input for "-".
std::string input_name(const std::string& file);
/// read_file(), or all of standard input for "-".
std::string read_input(const std::string& file, const std::string& expected);

/// Returns false if something could not be written, with the reason in errno.
[[nodiscard]] bool write_file(const std::string& path, std::string_view content);
/// Throws input_error at `asked_at`, the option that names the file.
void write_file(const std::string& path, std::string_view content, const source_place& asked_at);
/// The same, but to `out`, standard output, for "-". Refuses binary data on a terminal.
void write_output(const std::string& path, std::string_view content, const source_place& asked_at, std::ostream& out,
                  bool binary);

} // namespace isbesim::testbench
