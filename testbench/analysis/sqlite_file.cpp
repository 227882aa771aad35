// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/sqlite_file.h"

namespace isbesim::testbench {

sqlite_file::sqlite_file(const std::string& path) : path_(path)
{
    // Only one thread at a time uses the file: SQLite needs no locks.
    constexpr int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path.c_str(), &file_, flags, nullptr) == SQLITE_OK) return;
    const std::string text = file_ != nullptr ? sqlite3_errmsg(file_) : "out of memory";
    sqlite3_close(file_);
    throw database_error("the database '" + path + "' can't be opened (" + text + ")");
}

sqlite_file::~sqlite_file()
{
    sqlite3_close(file_);
}

void sqlite_file::fail(const std::string& what) const
{
    throw database_error("the database '" + path_ + "': " + what + ": " + sqlite3_errmsg(file_));
}

void sqlite_file::execute(const char* sql)
{
    if (sqlite3_exec(file_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("can't be written");
}

std::int64_t sqlite_file::integer(const char* sql)
{
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(file_, sql, -1, &statement, nullptr) != SQLITE_OK) fail("can't be read");
    const int outcome = sqlite3_step(statement);
    const std::int64_t value = outcome == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    if (outcome != SQLITE_ROW && outcome != SQLITE_DONE) fail("can't be read");
    return value;
}

sqlite_insert::sqlite_insert(sqlite_file& file, const std::string& table, unsigned rows) : file_(file), rows_(rows)
{
    sqlite3_stmt* all = nullptr;
    if (sqlite3_prepare_v2(file.handle(), ("SELECT * FROM " + table).c_str(), -1, &all, nullptr) != SQLITE_OK)
        file.fail("can't be written");
    columns_ = static_cast<std::size_t>(sqlite3_column_count(all));
    sqlite3_finalize(all);
    prepare(table, rows_, statement_);
    if (rows_ > 1) prepare(table, 1, single_);
    bound_.resize(columns_ * rows_);
}

sqlite_insert::~sqlite_insert()
{
    sqlite3_finalize(statement_);
    sqlite3_finalize(single_);
}

void sqlite_insert::prepare(const std::string& table, unsigned rows, sqlite3_stmt*& statement)
{
    std::string values = "(?";
    for (std::size_t column = 1; column < columns_; ++column) values += ",?";
    values += ")";
    std::string sql = "INSERT OR REPLACE INTO " + table + " VALUES" + values;
    for (unsigned row = 1; row < rows; ++row) sql += "," + values;
    if (sqlite3_prepare_v3(file_.handle(), sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) !=
        SQLITE_OK)
        file_.fail("can't be written");
}

/// `place` counts from 1.
void sqlite_insert::bind(sqlite3_stmt* statement, std::size_t place, const value& what)
{
    const int index = static_cast<int>(place);
    switch (what.is) {
    case kind::integer:
        sqlite3_bind_int64(statement, index, what.integer);
        return;
    case kind::name:
        sqlite3_bind_text(statement, index, what.name, -1, SQLITE_STATIC);
        return;
    case kind::null:
    case kind::none:
    case kind::other:
        break;
    }
    sqlite3_bind_null(statement, index);
}

sqlite_insert& sqlite_insert::put(double number)
{
    bound_[next_++].is = kind::other;
    sqlite3_bind_double(statement_, static_cast<int>(next_), number);
    return *this;
}

sqlite_insert& sqlite_insert::put(const char* text)
{
    bound_[next_++].is = kind::other;
    sqlite3_bind_text(statement_, static_cast<int>(next_), text, -1, SQLITE_STATIC);
    return *this;
}

void sqlite_insert::step(sqlite3_stmt* statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE) file_.fail("can't be written");
    sqlite3_reset(statement);
}

void sqlite_insert::write()
{
    next_ = 0;
    pending_ = 0;
    step(statement_);
}

void sqlite_insert::flush()
{
    for (unsigned row = 0; row < pending_; ++row) {
        for (std::size_t column = 0; column < columns_; ++column)
            bind(single_, column + 1, bound_[row * columns_ + column]);
        step(single_);
    }
    next_ = 0;
    pending_ = 0;
}

} // namespace isbesim::testbench
