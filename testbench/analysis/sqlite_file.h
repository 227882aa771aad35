// The little of SQLite that writing a file needs, with errors as exceptions.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

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

/// A prepared INSERT of whole rows: values are put one after the other, row() writes them. A row with the key of an
/// earlier one replaces it.
class sqlite_insert {
public:
    sqlite_insert(sqlite_file& file, const std::string& table);
    ~sqlite_insert();
    sqlite_insert(const sqlite_insert&) = delete;
    sqlite_insert& operator=(const sqlite_insert&) = delete;

    template <typename Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
    sqlite_insert& put(Integer value)
    {
        sqlite3_bind_int64(statement_, next_++, static_cast<std::int64_t>(value));
        return *this;
    }
    sqlite_insert& put(double value)
    {
        sqlite3_bind_double(statement_, next_++, value);
        return *this;
    }
    /// The text must live until row().
    sqlite_insert& put(const char* text)
    {
        sqlite3_bind_text(statement_, next_++, text, -1, SQLITE_STATIC);
        return *this;
    }
    sqlite_insert& put_null()
    {
        sqlite3_bind_null(statement_, next_++);
        return *this;
    }
    void row();

private:
    sqlite_file& file_;
    sqlite3_stmt* statement_ = nullptr;
    int next_ = 1;
};

} // namespace isbesim::testbench
