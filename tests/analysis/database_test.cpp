// SPDX-License-Identifier: Apache-2.0
// --database: the file has everything that the report has, is valid however the run ends, and costs little.
#include <cmath>
#include <csignal>
#include <thread>

#include <sys/wait.h>

#include <boost/json.hpp>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "test_paths.h"
#include "testbench/analysis/run_database.h"
#include "testbench/system/config.h"
#include "tests/analysis/sql.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

using options = std::vector<std::string>;

/// Checks that `again` has every figure of `report`, with equal values; rates and means up to rounding.
void expect_equal(const json::value& report, const json::value& again, const std::string& path)
{
    if (report.is_object()) {
        ASSERT_TRUE(again.is_object()) << path;
        for (const auto& entry : report.get_object()) {
            const auto key = path + "." + std::string(entry.key());
            const auto* other = again.get_object().if_contains(entry.key());
            ASSERT_NE(other, nullptr) << key << " can't be had from the database";
            expect_equal(entry.value(), *other, key);
        }
    } else if (report.is_array()) {
        ASSERT_TRUE(again.is_array()) << path;
        ASSERT_EQ(report.get_array().size(), again.get_array().size()) << path;
        for (std::size_t i = 0; i < report.get_array().size(); ++i)
            expect_equal(report.get_array()[i], again.get_array()[i], path + "[" + std::to_string(i) + "]");
    } else if (report.is_number()) {
        const double a = report.to_number<double>();
        const double b = again.to_number<double>();
        EXPECT_LE(std::abs(a - b), 1e-12 * std::abs(a)) << path << ": the report says " << a << ", the database " << b;
    } else {
        EXPECT_EQ(report, again) << path;
    }
}

class database : public testing::Test {
protected:
    /// The figures of the run, from the report.
    json::object run(const std::string& scenario, const options& more, int status = 0)
    {
        auto report = report_of(options{"run", scenario, "--database", path()} + more, folder_.path("out"), status);
        for (const auto* key : {"tool", "covers", "host", "config", "measured", "series", "estimate", "of"})
            report.erase(key);
        report.at("output").as_object().erase("vertices_written"); // an option of the command line
        return report;
    }
    void expect_same(const std::string& scenario, const options& more, int status = 0)
    {
        SCOPED_TRACE(scenario + (more.empty() ? "" : " " + more.back()));
        const auto report = run(scenario, more, status);
        const sql_file file(path());
        EXPECT_EQ(file.text("PRAGMA integrity_check"), "ok");
        expect_equal(report, report_from_sql(file), "report");
    }
    std::string path() const { return folder_.path("run.sqlite"); }

    temporary_folder folder_;
};

TEST_F(database, every_figure_of_the_report_can_be_had_from_it)
{
    for (const auto* backend : {"lt", "at"}) {
        expect_same(samples + "gs_amplify_once/scenario.json", {"--isbe", backend});
        expect_same(samples + "gs_streams/scenario.json", {"--isbe", backend, "--set", "sm_count=3"});
        expect_same(samples + "tess_gs_isolines/scenario.json", {"--isbe", backend});
        expect_same(samples + "vs_output_array/scenario.json", {"--isbe", backend, "--set", "isbe.access=line"});
    }
    expect_same(samples + "gs_amplify_once/scenario.json", {"--set", "isbe.lines=128"});
    expect_same(
        samples + "gs_conditional/scenario.json",
        {"--set", "isbe.ports=1", "--set", "isbe.request_queue_depth=1", "--set", "isbe.response_queue_depth=1"});
    expect_same(samples + "tess_quads_odd/scenario.json", {"--set", "isbe.skew=false", "--set", "isbe.banks=8", "--set",
                                                           "isbe.bank_map=rotate", "--set", "warps_per_sm=2"});
    expect_same(samples + "gs_adjacency/scenario.json",
                {"--set", "sm.attribute_queue_depth=1", "--set", "clock_ghz=1.7"});
}

/// Sum of the numbers in arrays, at any depth.
double total(const json::value& value)
{
    if (!value.is_array()) return value.to_number<double>();
    double sum = 0;
    for (const auto& each : value.get_array()) sum += total(each);
    return sum;
}

TEST_F(database, the_series_of_the_report_add_up_to_it)
{
    run(samples + "gs_amplify_once/scenario.json", {"--set", "isbe.banks=8", "--set", "isbe.skew=false"});
    const auto report = report_in(folder_.path("out"));
    const auto& series = report.at("series");
    const sql_file file(path());
    const auto sum = [&](const char* what, const char* table) {
        return file.real("SELECT SUM(" + std::string(what) + ") * 1.0 FROM " + table);
    };
    // The mean of a bin is over the cycles that it covers.
    const auto integral = [&](const char* key) {
        const auto& means = series.at(key).as_array();
        double result = total(series.at(key)) * series.at("bin_cycles").to_number<double>();
        result += means.back().to_number<double>() *
                  (series.at("last_bin_cycles").to_number<double>() - series.at("bin_cycles").to_number<double>());
        return result;
    };
    EXPECT_EQ(total(series.at("read_bytes")), sum("bytes_read", "transactions"));
    EXPECT_EQ(total(series.at("write_bytes")), sum("bytes_written", "transactions"));
    EXPECT_EQ(total(series.at("passes")), sum("bank_passes", "transactions"));
    EXPECT_EQ(total(series.at("busy_cycles")), sum("passes", "transactions"));
    EXPECT_EQ(total(series.at("bank_words")), sum("bank_reads + bank_writes", "transactions"));
    EXPECT_GE(total(series.at("bank_excess")), sum("bank_passes - ideal_passes", "transactions"));
    EXPECT_DOUBLE_EQ(integral("warps"), sum("completed - launched", "warps"));
    EXPECT_DOUBLE_EQ(integral("isbe_lines"), sum("lines * (released - allocated)", "spaces"));
    double stalls = 0;
    for (const auto& reason : series.at("stalls").as_object()) stalls += total(reason.value());
    EXPECT_EQ(stalls, sum("cycles", "stalls"));
    EXPECT_EQ(series.at("first_warps").as_array().size(), file.integer("SELECT COUNT(*) FROM warps"));
    EXPECT_GT(total(series.at("bank_excess")), 0);
}

TEST_F(database, stopped_run_is_recorded_too)
{
    expect_same(samples + "gs_amplify_once/scenario.json", {"--max-cycles", "300"}, 1);
    const sql_file file(path());
    EXPECT_EQ(file.text("SELECT value FROM run WHERE key = 'status'"), "watchdog");
    EXPECT_GT(file.integer("SELECT COUNT(*) FROM transactions WHERE responded IS NULL"), 0U);
    EXPECT_GT(file.integer("SELECT COUNT(*) FROM warps WHERE completed IS NULL"), 0U);
    EXPECT_GT(file.integer("SELECT COUNT(*) FROM spaces WHERE released IS NULL"), 0U);
}

TEST_F(database, traps_and_warnings_are_in_it)
{
    // The ISBERD is beyond its region, and the register of the ALD is used before its value arrives.
    folder_.write("trap.sass", "MOV32I R1, 0x10000 ?stall=6 ;\nALD R0, a[0x80] &wr=0 ;\n"
                               "ISBERD.MAP.U8 R4, [R1] &wr=1 ;\nMOV R5, R0 ;\nAST a[0x70], R5 ;\nEXIT ;\n");
    const auto scenario = folder_.write("trap.json", R"({"arch": "sm50", "stages": {"vertex": {"code": "trap.sass",
        "sph": {"shader_type": "vertex", "imap": ["0x80"], "omap": ["0x70"]}}},
        "draw": {"topology": "points", "vertex_count": 70},
        "attributes": {"0x80": {"components": 1, "words": [1], "repeat": true}}})");
    expect_same(scenario, {"--set", "trap_isbe_range=true"});
    const sql_file file(path());
    EXPECT_GT(file.integer("SELECT COUNT(*) FROM traps"), 0U);
    EXPECT_GT(file.integer("SELECT COUNT(*) FROM warnings WHERE kind = 'register_hazard' AND stage = 'vertex' AND "
                           "pc > 0 AND first_cycle > 0 AND sm = 0"),
              0U);
}

TEST_F(database, phases_come_in_order)
{
    run(samples + "gs_amplify_once/scenario.json", {"--set", "isbe.request_queue_depth=1"});
    const sql_file file(path());
    EXPECT_GT(file.integer("SELECT COUNT(*) FROM transactions"), 0U);
    EXPECT_EQ(file.integer("SELECT COUNT(*) FROM transactions WHERE NOT (begun <= accepted AND accepted < granted AND "
                           "granted + passes < responded AND responded <= transferred)"),
              0U);
    EXPECT_EQ(
        file.integer("SELECT COUNT(*) FROM transactions WHERE client = 'sm' AND NOT (issued < begun AND written = "
                     "responded)"),
        0U);
    // Every SM operation is within the life of its warp.
    EXPECT_EQ(file.integer("SELECT COUNT(*) FROM transactions t LEFT JOIN warps w USING (warp) WHERE client = 'sm' AND "
                           "NOT COALESCE(issued > launched AND written < completed, 0)"),
              0U);
    EXPECT_EQ(file.integer("SELECT COUNT(*) FROM phases"),
              file.integer("SELECT 5 * COUNT(*) + 2 * SUM(client = 'sm') FROM transactions"));
    // A warp's issues and the cycles that it was held back take no longer than its life.
    EXPECT_EQ(file.integer("SELECT COUNT(*) FROM warps WHERE stall_count_cycles + scoreboard_cycles + pipe_cycles + "
                           "issue_cycles + "
                           "ald + ast + al2p + out + isberd + isbewr + other > completed - launched"),
              0U);
}

TEST_F(database, the_queries_that_ship_run_and_find_something)
{
    run(samples + "gs_amplify_once/scenario.json", {"--set", "isbe.banks=8", "--set", "isbe.skew=false"});
    const sql_file file(path());
    unsigned queries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(ISBESIM_SOURCE_DIR "/scripts/queries")) {
        if (entry.path().extension() != ".sql") continue;
        ++queries;
        EXPECT_FALSE(file.rows(temporary_folder::read(entry.path().string())).empty()) << entry.path();
    }
    EXPECT_GE(queries, 5U);
}

TEST_F(database, the_rates_of_the_bandwidth_query_are_over_the_cycles_that_a_window_has)
{
    const auto report = run(samples + "gs_amplify_once/scenario.json", {"--set", "sm_count=2"});
    const auto cycles = report.at("cycles").to_number<std::uint64_t>();
    ASSERT_NE(cycles % 1000, 0U);
    const sql_file file(path());
    const auto rows = file.rows(temporary_folder::read(ISBESIM_SOURCE_DIR "/scripts/queries/bandwidth_over_time.sql"));
    ASSERT_FALSE(rows.empty());
    double bytes = 0, busy = 0;
    for (const auto& row : rows) { // first_cycle, window_cycles, bytes_read, bytes_written, bytes_per_cycle, busy
        const auto length = std::stoull(row[1]);
        EXPECT_EQ(length, std::min<std::uint64_t>(1000, cycles - std::stoull(row[0])));
        EXPECT_NEAR(std::stod(row[4]) * static_cast<double>(length), std::stod(row[2]) + std::stod(row[3]),
                    0.005 * static_cast<double>(length));
        bytes += std::stod(row[2]) + std::stod(row[3]);
        busy += std::stod(row[5]) * 2 * static_cast<double>(length);
    }
    EXPECT_EQ(bytes, file.real("SELECT SUM(bytes_read + bytes_written) * 1.0 FROM transactions"));
    EXPECT_NEAR(busy, report.at("bank_conflicts").at("passes").to_number<double>(),
                0.0001 * static_cast<double>(cycles));
}

TEST_F(database, unknown_values_are_null_and_negative_addresses_are_not)
{
    {
        run_database written(path(), config_to_json(machine_config()), true);
        transaction_event event;
        event.address = -1;
        written.transaction(event);
        written.finish();
    }
    const auto row = sql_file(path()).rows("SELECT address, client, warp IS NULL, pc IS NULL, issued IS NULL, "
                                           "written IS NULL, contention IS NULL, passes FROM transactions");
    EXPECT_EQ(row, (std::vector<sql_file::row>{{"-1", "trace", "1", "1", "1", "1", "1", "0"}}));
}

TEST_F(database, a_replayed_trace_is_in_it)
{
    const auto trace = folder_.path("t.trace");
    run(samples + "gs_amplify_once/scenario.json", {"--record", trace});
    const auto before = sql_file(path()).integer("SELECT COUNT(*) FROM transactions");
    for (const auto* backend : {"lt", "at"}) {
        const auto report = report_of({"replay", trace, "--isbe", backend, "--database", path()}, folder_.path("out"));
        const sql_file file(path());
        EXPECT_EQ(file.integer("SELECT COUNT(*) FROM transactions WHERE client = 'trace'"), before);
        EXPECT_EQ(file.integer("SELECT SUM(bytes_read) FROM transactions"),
                  report.at("bandwidth").at("read").at("bytes").to_number<std::uint64_t>());
        EXPECT_EQ(file.integer("SELECT SUM(bank_passes) FROM transactions"),
                  report.at("bank_conflicts").at("passes").to_number<std::uint64_t>());
        EXPECT_EQ(file.integer("SELECT MAX(responded) FROM transactions"),
                  report.at("cycles").to_number<std::uint64_t>());
        // How the ISBE spent every cycle, as in a run's database; a loosely timed run does not record that.
        const auto stacks = file.rows("SELECT resource, SUM(cycles), SUM(work * cycles) FROM cycle_stacks GROUP BY 1");
        EXPECT_EQ(stacks.size(), std::string(backend) == "at" ? 3U : 0U);
        for (const auto& row : stacks) {
            const auto& stack = report.at("stacks").at(row[0]);
            EXPECT_EQ(row[1], std::to_string(report.at("cycles").to_number<std::uint64_t>())) << row[0];
            EXPECT_EQ(row[1], std::to_string(stack.at("cycles").to_number<std::uint64_t>())) << row[0];
            EXPECT_EQ(row[2], std::to_string(stack.at("busy").to_number<std::uint64_t>())) << row[0];
        }
    }
}

TEST_F(database, a_killed_run_leaves_a_valid_file)
{
    const auto child =
        start_isbesim({"run", samples + "gs_amplify/scenario.json", "--quiet", "--set", "isbe.request_queue_depth=1",
                       "--out", folder_.path("out"), "--database", path()});
    // As soon as rows are committed in addition to the schema.
    const auto size = [&](const std::string& file) {
        std::error_code error;
        const auto bytes = std::filesystem::file_size(file, error);
        return error ? 0 : bytes;
    };
    int status = 0;
    for (int i = 0; i < 10'000 && size(path() + "-wal") + size(path()) < 4'000'000; ++i) {
        ASSERT_EQ(waitpid(child, &status, WNOHANG), 0) << "the run ended before it could be killed";
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_EQ(kill(child, SIGKILL), 0);
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    const sql_file file(path());
    EXPECT_EQ(file.text("PRAGMA integrity_check"), "ok");
    EXPECT_EQ(file.text("SELECT value FROM run WHERE key = 'status'"), "running");
    EXPECT_GT(file.integer("SELECT COUNT(*) FROM transactions"), 0U);
    EXPECT_EQ(file.integer("SELECT COUNT(*) FROM transactions"), file.integer("SELECT MAX(id) FROM transactions"));
}

TEST_F(database, memory_does_not_grow_with_the_run)
{
    const auto peak = [&](const char* scenario) {
        return run_isbesim({"run", samples + scenario + "/scenario.json", "--quiet", "--out", folder_.path("out"),
                            "--database", path()})
            .peak_memory_mb;
    };
    const auto small = peak("gs_amplify_once"); // 300 transactions
    EXPECT_LT(peak("gs_amplify"), small + 12);  // 106,000: two blocks of records and SQLite's page cache
}

TEST_F(database, replaces_an_earlier_one_and_nothing_else)
{
    const auto scenario = samples + "gs_pass/scenario.json";
    run(scenario, {});
    run(scenario, {});
    const auto other = folder_.write("notes.txt", "precious");
    const auto refused = run_isbesim({"run", scenario, "--quiet", "--out", folder_.path("o2"), "--database", other});
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.last_error().find("was not written by --database"), std::string::npos) << refused.err;
    EXPECT_EQ(temporary_folder::read(other), "precious");
    const auto nowhere = run_isbesim({"run", scenario, "--quiet", "--out", folder_.path("o2"), "--database", "/no/x"});
    EXPECT_EQ(nowhere.status, 2);
    EXPECT_NE(nowhere.last_error().find("can't be opened"), std::string::npos) << nowhere.err;
}

TEST_F(database, foreign_file_is_replaced_only_without_tables)
{
    const auto scenario = samples + "gs_pass/scenario.json";
    const auto make = [&](const char* statements) {
        sqlite3* file = nullptr;
        ASSERT_EQ(sqlite3_open(path().c_str(), &file), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(file, statements, nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(file);
        ASSERT_GT(std::filesystem::file_size(path()), 0U);
    };
    make("PRAGMA journal_mode = WAL"); // as a killed run leaves it
    run(scenario, {});
    EXPECT_EQ(sql_file(path()).text("SELECT value FROM run WHERE key = 'status'"), "done");
    std::filesystem::remove(path());
    make("CREATE TABLE precious (a); INSERT INTO precious VALUES (7)");
    const auto refused = run_isbesim({"run", scenario, "--quiet", "--out", folder_.path("o2"), "--database", path()});
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.last_error().find("was not written by --database"), std::string::npos) << refused.err;
    EXPECT_EQ(sql_file(path()).integer("SELECT a FROM precious"), 7U);
}

} // namespace
} // namespace isbesim::testbench
