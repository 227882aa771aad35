// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/sqlite_insert.h"

namespace isbesim::testbench {

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
    const int at = static_cast<int>(place);
    switch (what.is) {
    case kind::integer:
        sqlite3_bind_int64(statement, at, what.integer);
        return;
    case kind::name:
        sqlite3_bind_text(statement, at, what.name, -1, SQLITE_STATIC);
        return;
    case kind::null:
    case kind::none:
    case kind::other:
        break;
    }
    sqlite3_bind_null(statement, at);
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
