// SPDX-License-Identifier: Apache-2.0
// Reads an SQLite file in tests: single figures and lists.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/json/object.hpp>
#include <sqlite3.h>

namespace isbesim::testbench {

class sql_file {
public:
    explicit sql_file(const std::string& path)
    {
        if (sqlite3_open_v2(path.c_str(), &file_, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK)
            throw std::runtime_error(path + ": " + sqlite3_errmsg(file_));
    }
    ~sql_file() { sqlite3_close(file_); }
    sql_file(const sql_file&) = delete;
    sql_file& operator=(const sql_file&) = delete;

    using row = std::vector<std::string>;

    /// All rows as text; NULL is "".
    std::vector<row> rows(const std::string& sql) const
    {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(file_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
            throw std::runtime_error(std::string(sqlite3_errmsg(file_)) + " in " + sql);
        std::vector<row> result;
        while (sqlite3_step(statement) == SQLITE_ROW) {
            row values;
            for (int c = 0; c < sqlite3_column_count(statement); ++c) {
                const auto* text = sqlite3_column_text(statement, c);
                values.emplace_back(text != nullptr ? reinterpret_cast<const char*>(text) : "");
            }
            result.push_back(std::move(values));
        }
        if (sqlite3_finalize(statement) != SQLITE_OK)
            throw std::runtime_error(std::string(sqlite3_errmsg(file_)) + " in " + sql);
        return result;
    }
    /// The first value; "" if there is no row.
    std::string text(const std::string& sql) const
    {
        const auto all = rows(sql);
        return all.empty() ? "" : all[0][0];
    }
    /// 0 for NULL and for no row.
    std::uint64_t integer(const std::string& sql) const
    {
        const auto value = text(sql);
        return value.empty() ? 0 : std::stoull(value);
    }
    double real(const std::string& sql) const
    {
        const auto value = text(sql);
        return value.empty() ? 0 : std::stod(value);
    }

private:
    sqlite3* file_ = nullptr;
};

// Computes report.json a second time, from the database of the run alone.

/// Every key of a run's report.json except keys without figures (tool, covers), host and series.
boost::json::object report_from_sql(const sql_file& file);

} // namespace isbesim::testbench
