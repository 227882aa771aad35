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

} // namespace isbesim::testbench
