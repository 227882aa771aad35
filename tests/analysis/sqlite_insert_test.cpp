// SPDX-License-Identifier: Apache-2.0
// The file has the rows as they were put, for any number of rows written at once and any values bound before.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "testbench/analysis/sqlite_file.h"
#include "tests/analysis/sql.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

class sqlite_insert_of : public testing::TestWithParam<unsigned> {};

TEST_P(sqlite_insert_of, rows_keep_values_and_order)
{
    const temporary_folder folder;
    const auto path = folder.path("rows.sqlite");
    std::vector<sql_file::row> expected;
    {
        sqlite_file file(path);
        file.execute("CREATE TABLE rows(id INTEGER PRIMARY KEY, number INTEGER, name TEXT, other INTEGER)");
        sqlite_insert rows(file, "rows", GetParam());
        constexpr std::array names{"ald", "ast", "out"};
        std::mt19937 random(GetParam());
        for (unsigned i = 1; i <= 1000; ++i) {
            const auto number = static_cast<std::int64_t>(random() % 3) - 1; // mostly the same as earlier
            const auto name = random() % 4;
            const auto other = random() % 3;
            rows.put_null().put(number);
            name == 3 ? rows.put_null() : rows.put_name(names[name]);
            other == 0 ? rows.put_null() : rows.put(other);
            rows.row();
            expected.push_back({std::to_string(i), std::to_string(number), name == 3 ? "" : names[name],
                                other == 0 ? "" : std::to_string(other)});
            if (random() % 50 == 0) rows.flush();
        }
        rows.flush();
    }
    EXPECT_EQ(sql_file(path).rows("SELECT * FROM rows ORDER BY id"), expected);
}

INSTANTIATE_TEST_SUITE_P(at_once, sqlite_insert_of, testing::Values(1U, 2U, 7U, 20U));

TEST(sqlite_insert, texts_and_fractions_are_bound_again)
{
    const temporary_folder folder;
    const auto path = folder.path("rows.sqlite");
    {
        sqlite_file file(path);
        file.execute("CREATE TABLE rows(key TEXT PRIMARY KEY, value) WITHOUT ROWID");
        sqlite_insert rows(file, "rows");
        std::string text = "a";
        rows.put("first").put(text.c_str()).row();
        text[0] = 'b'; // in the same memory
        rows.put("second").put(text.c_str()).row();
        rows.put("third").put(0.5).row();
        rows.put("fourth").put(1).row();
        rows.put("fourth").put(1).row(); // replaces
        rows.put("fifth").put_null().row();
    }
    const std::vector<sql_file::row> expected{
        {"fifth", ""}, {"first", "a"}, {"fourth", "1"}, {"second", "b"}, {"third", "0.5"}};
    EXPECT_EQ(sql_file(path).rows("SELECT * FROM rows ORDER BY key"), expected);
}

} // namespace
} // namespace isbesim::testbench
