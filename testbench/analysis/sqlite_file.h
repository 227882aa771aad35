// The little of SQLite that writing a file needs, with errors as exceptions.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include <sqlite3.h>

namespace isbesim::testbench {

class database_error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

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
    /// The first column of the first row as an integer; 0 without one.
    std::int64_t integer(const char* sql);
    [[noreturn]] void fail(const std::string& what) const;
    sqlite3* handle() const { return file_; }

private:
    std::string path_;
    sqlite3* file_ = nullptr;
};

} // namespace isbesim::testbench
