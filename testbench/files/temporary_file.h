// SPDX-License-Identifier: Apache-2.0
// An unnamed file, by a path that this process, its copies and the programs that it starts can open.
#pragma once

#include <cerrno>
#include <cstdio>
#include <string>

#include "testbench/files/write_error.h"

namespace isbesim::testbench {

class temporary_file {
public:
    /// Throws write_error.
    temporary_file() : file_(std::tmpfile())
    {
        if (file_ == nullptr) throw write_error::incomplete("a temporary file", errno);
        path_ = "/proc/self/fd/" + std::to_string(fileno(file_));
    }
    ~temporary_file() { std::fclose(file_); }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;

    const std::string& path() const { return path_; }

private:
    std::FILE* file_;
    std::string path_;
};

} // namespace isbesim::testbench
