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

/// Whole file as bytes. Throws input_error at FILE:1:1 with the expectation.
std::string read_file(const std::string& path, const std::string& expected);

/// Names what read_file() reads while it lives, one at a time, to see later whether it would read the same.
class files_read {
public:
    files_read();
    ~files_read();
    files_read(const files_read&) = delete;
    files_read& operator=(const files_read&) = delete;

    void add(const std::string& path);
    /// Whether none of them has been written or replaced since.
    bool are_as_before() const;

private:
    struct entry {
        std::string path;
        std::vector<std::int64_t> state; ///< what stat() says of it; empty where the file is missing
    };
    std::vector<entry> entries_;
};

/// How errors name an input: "-" is standard-input.
std::string input_name(const std::string& file);
/// read_file(), or all of standard input for "-".
std::string read_input(const std::string& file, const std::string& expected);

/// False when not all of it could be written; errno says why.
[[nodiscard]] bool write_file(const std::string& path, std::string_view content);
/// Throws input_error at `asked_at`, the option that names the file.
void write_file(const std::string& path, std::string_view content, const source_place& asked_at);
/// The same, or to `out`, which is standard output, for "-". A terminal gets no binary.
void write_output(const std::string& path, std::string_view content, const source_place& asked_at, std::ostream& out,
                  bool binary);

} // namespace isbesim::testbench
