// SPDX-License-Identifier: Apache-2.0
// The part of SQLite that writing a file needs, with exceptions for errors.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

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

// Rows for a table of an SQLite file.

/// A prepared INSERT of whole rows: put() adds values one after the other, row() ends a row. A row replaces an earlier
/// row with the same key. SQLite keeps bound values: a value equal to that of the previous row is not bound again.
class sqlite_insert {
public:
    /// `rows`: number of rows written at once; flush() writes the remaining rows. With more than one, texts must come
    /// from put_name().
    sqlite_insert(sqlite_file& file, const std::string& table, unsigned rows = 1);
    ~sqlite_insert();
    sqlite_insert(const sqlite_insert&) = delete;
    sqlite_insert& operator=(const sqlite_insert&) = delete;

    template <typename Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
    sqlite_insert& put(Integer number)
    {
        const value next{kind::integer, static_cast<std::int64_t>(number), nullptr};
        if (is_new(next)) bind(statement_, next_, next);
        return *this;
    }
    sqlite_insert& put(double number);
    /// The text must live until row().
    sqlite_insert& put(const char* text);
    /// A text that lives as long as the program.
    sqlite_insert& put_name(const char* text)
    {
        const value next{kind::name, 0, text};
        if (is_new(next)) bind(statement_, next_, next);
        return *this;
    }
    sqlite_insert& put_null()
    {
        const value next{kind::null, 0, nullptr};
        if (is_new(next)) bind(statement_, next_, next);
        return *this;
    }
    void row()
    {
        if (++pending_ == rows_) write();
    }
    void flush();

private:
    enum class kind : std::uint8_t { none, null, integer, name, other };
    struct value {
        kind is = kind::none;
        std::int64_t integer = 0;
        const char* name = nullptr;
    };

    /// Moves to the next column; true if its value differs from the bound one.
    bool is_new(const value& next)
    {
        value& bound = bound_[next_++];
        if (bound.is == next.is && bound.integer == next.integer && bound.name == next.name) return false;
        bound = next;
        return true;
    }
    static void bind(sqlite3_stmt* statement, std::size_t place, const value& what);
    void prepare(const std::string& table, unsigned rows, sqlite3_stmt*& statement);
    void step(sqlite3_stmt* statement);
    void write();

    sqlite_file& file_;
    unsigned rows_;
    std::size_t columns_ = 0;
    sqlite3_stmt* statement_ = nullptr; ///< for rows_ rows
    sqlite3_stmt* single_ = nullptr;    ///< for one row
    std::vector<value> bound_;          ///< to statement_
    std::size_t next_ = 0;
    unsigned pending_ = 0; ///< complete rows that are not written yet
};

} // namespace isbesim::testbench
