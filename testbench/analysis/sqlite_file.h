// SPDX-License-Identifier: Apache-2.0
// The part of SQLite that writing a file needs, with exceptions for errors.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <sqlite3.h>

#include "testbench/files/write_error.h"

namespace isbesim::testbench {

class database_error : public write_error {
public:
    using write_error::write_error;
};

/// Suffixes of the files of a database; the database itself is last.
inline constexpr std::array database_endings{"-wal", "-shm", "-journal", ""};

/// An open database file.
class sqlite_file {
public:
    /// Opens or creates `path`. Throws database_error.
    explicit sqlite_file(const std::string& path);
    ~sqlite_file();
    sqlite_file(const sqlite_file&) = delete;
    sqlite_file& operator=(const sqlite_file&) = delete;

    /// Runs statements that return nothing of interest.
    void execute(const char* sql);
    /// The first column of the first row as an integer; 0 if there is no row.
    std::int64_t integer(const char* sql);
    [[noreturn]] void fail(const std::string& what) const;
    const std::string& path() const { return path_; }
    sqlite3* handle() const { return file_; }

private:
    std::string path_;
    sqlite3* file_ = nullptr;
};

} // namespace isbesim::testbench
