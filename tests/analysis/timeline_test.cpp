// SPDX-License-Identifier: Apache-2.0
// --timeline: valid JSON of the Trace Event Format whose tracks agree with the database of the same run.
#include <algorithm>
#include <map>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "testbench/analysis/run_timeline.h"
#include "tests/analysis/sql.h"
#include "tests/testbench/process.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

std::uint64_t number(const json::object& event, const char* key)
{
    return event.at(key).to_number<std::uint64_t>();
}

std::string text(const json::object& event, const char* key)
{
    return std::string(event.at(key).as_string());
}

class timeline : public testing::Test {
protected:
    using track = std::pair<std::uint64_t, std::uint64_t>;
    struct span {
        std::string name;
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        json::object arguments;
    };

    void run(const std::vector<std::string>& words, int status = 0)
    {
        auto all = words;
        all.insert(all.end(), {"--quiet", "--out", folder_.path("out"), "--timeline", folder_.path("t.json"),
                               "--database", folder_.path("d.sqlite")});
        const auto result = run_isbesim(all);
        ASSERT_EQ(result.status, status) << result.err;
        read();
    }
    /// Names and spans by track; checks the rules for every file of this format.
    void read()
    {
        spans_.clear();
        counters_.clear();
        names_.clear();
        std::map<std::string, json::object> open;
        std::map<std::uint64_t, std::string> processes;
        const auto document = json::parse(temporary_folder::read(folder_.path("t.json")));
        for (const auto& value : document.as_array()) {
            const auto& event = value.as_object();
            const auto kind = text(event, "ph");
            if (kind == "M") {
                if (text(event, "name") == "process_name")
                    processes[number(event, "pid")] = event.at("args").at("name").as_string();
                if (text(event, "name") == "thread_name")
                    names_[{number(event, "pid"), number(event, "tid")}] =
                        processes.at(number(event, "pid")) + "/" + std::string(event.at("args").at("name").as_string());
                continue;
            }
            if (kind == "C") {
                counters_[processes.at(number(event, "pid")) + "/" + text(event, "name")].emplace_back(
                    number(event, "ts"), event.at("args").at("value").to_number<double>());
                continue;
            }
            const auto where = names_.find({number(event, "pid"), number(event, "tid")});
            ASSERT_NE(where, names_.end()) << json::serialize(event);
            if (kind == "X") {
                const auto begin = number(event, "ts");
                spans_[where->second].push_back(
                    {text(event, "name"), begin, begin + number(event, "dur"), event.at("args").as_object()});
            } else if (kind == "b") {
                ASSERT_TRUE(open.emplace(text(event, "cat") + text(event, "id"), event).second);
            } else if (kind == "e") {
                const auto begin = open.find(text(event, "cat") + text(event, "id"));
                ASSERT_NE(begin, open.end()) << json::serialize(event);
                ASSERT_EQ(text(begin->second, "name"), text(event, "name"));
                ASSERT_LE(number(begin->second, "ts"), number(event, "ts"));
                spans_[where->second].push_back({text(event, "name"), number(begin->second, "ts"), number(event, "ts"),
                                                 begin->second.at("args").as_object()});
                open.erase(begin);
            } else {
                ASSERT_EQ(kind, "i");
                ++instants_[where->second];
            }
        }
        EXPECT_TRUE(open.empty());
    }
    std::uint64_t cycles(const std::string& title, const std::string& name = "") const
    {
        std::uint64_t total = 0;
        const auto found = spans_.find(title);
        if (found == spans_.end()) return 0;
        for (const auto& each : found->second)
            if (name.empty() || each.name == name) total += each.end - each.begin;
        return total;
    }
    /// The level of a counter track, summed over the cycles from `first` to its last change.
    double integral(const std::string& title, std::uint64_t first = 0) const
    {
        double sum = 0;
        const auto& changes = counters_.at(title);
        for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
            EXPECT_LT(changes[i].first, changes[i + 1].first) << title;
            EXPECT_GE(changes[i].first, first);
            sum += changes[i].second * static_cast<double>(changes[i + 1].first - changes[i].first);
        }
        EXPECT_EQ(changes.back().second, 0) << title;
        return sum;
    }
    std::uint64_t sql(const std::string& query) const { return sql_file(folder_.path("d.sqlite")).integer(query); }

    temporary_folder folder_;
    std::map<track, std::string> names_;
    std::map<std::string, std::vector<span>> spans_;
    std::map<std::string, unsigned> instants_;
    std::map<std::string, std::vector<std::pair<std::uint64_t, double>>> counters_; ///< cycle, level from there on
};

TEST_F(timeline, counters_are_those_of_the_database)
{
    run({"run", samples + "gs_amplify_once/scenario.json", "--set", "sm_count=2", "--set",
         "isbe.request_queue_depth=2"});
    for (const std::string sm : {"0", "1"}) {
        const auto sm_rows = " WHERE sm = " + sm;
        const auto exactly = [&](const std::string& title, const std::string& query) {
            EXPECT_DOUBLE_EQ(integral(title), static_cast<double>(sql(query))) << title;
        };
        exactly("ISBE " + sm + "/lines in use", "SELECT SUM(lines * (released - allocated)) FROM spaces" + sm_rows);
        exactly("SM " + sm + "/resident warps", "SELECT SUM(completed - launched) FROM warps" + sm_rows);
        exactly("SM " + sm + "/attribute queue",
                "SELECT SUM(accepted - issued) FROM transactions" + sm_rows + " AND warp IS NOT NULL");
        for (const std::string port : {"0", "1"})
            exactly("ISBE " + sm + "/request queue of port " + port,
                    "SELECT SUM(granted - accepted) FROM transactions" + sm_rows + " AND port = " + port);
        exactly("ISBE " + sm + "/bytes read per cycle", "SELECT SUM(bytes_read) FROM transactions" + sm_rows);
        exactly("ISBE " + sm + "/bytes written per cycle", "SELECT SUM(bytes_written) FROM transactions" + sm_rows);
    }
}

TEST_F(timeline, cycles_cut_it)
{
    run({"run", samples + "gs_amplify_once/scenario.json"});
    const auto all = spans_;
    const auto levels = counters_.at("ISBE 0/lines in use");
    const std::uint64_t first = 200, last = 400;
    run({"run", samples + "gs_amplify_once/scenario.json", "--cycles", "200:400"});
    for (const auto& [title, spans] : all) {
        std::size_t inside = 0;
        for (const auto& each : spans) inside += each.begin <= last && each.end >= first ? 1 : 0;
        const auto found = spans_.find(title);
        EXPECT_EQ(found == spans_.end() ? 0 : found->second.size(), inside) << title;
    }
    std::vector<std::pair<std::uint64_t, double>> expected = {{first, 0}};
    for (const auto& [cycle, level] : levels) {
        if (cycle <= first)
            expected.front().second = level;
        else if (cycle <= last)
            expected.emplace_back(cycle, level);
    }
    EXPECT_EQ(counters_.at("ISBE 0/lines in use"), expected);
}

TEST_F(timeline, durations_are_those_of_the_database)
{
    run({"run", samples + "gs_amplify_once/scenario.json", "--set", "sm_count=2", "--set",
         "isbe.request_queue_depth=2"});
    for (const std::string sm : {"0", "1"}) {
        const auto sm_rows = " WHERE sm = " + sm;
        EXPECT_GT(cycles("ISBE " + sm + "/bank passes"), 0U);
        EXPECT_EQ(cycles("ISBE " + sm + "/bank passes"), sql("SELECT SUM(passes) FROM transactions" + sm_rows));
        for (const std::string port : {"0", "1"}) {
            const auto port_rows = sm_rows + " AND port = " + port;
            EXPECT_EQ(cycles("ISBE " + sm + "/port " + port + " request"),
                      sql("SELECT SUM(accepted - begun + 1) FROM transactions" + port_rows));
            EXPECT_EQ(cycles("ISBE " + sm + "/port " + port + " queue"),
                      sql("SELECT SUM(granted - accepted) FROM transactions" + port_rows));
            EXPECT_EQ(cycles("ISBE " + sm + "/port " + port + " response"),
                      sql("SELECT SUM(transferred - responded + 1) FROM transactions" + port_rows));
        }
        for (const std::string opcode : {"ald", "ast", "out"}) {
            EXPECT_GT(cycles("SM " + sm + "/attribute unit", opcode), 0U);
            EXPECT_EQ(
                cycles("SM " + sm + "/attribute unit", opcode),
                sql("SELECT SUM(written - issued) FROM transactions" + sm_rows + " AND opcode = '" + opcode + "'"));
        }
        std::uint64_t warps = 0;
        for (unsigned slot = 0; slot < 64; ++slot) warps += cycles("SM " + sm + "/warp slot " + std::to_string(slot));
        EXPECT_EQ(warps, sql("SELECT SUM(completed - launched) FROM warps" + sm_rows));
        std::uint64_t stalls = 0;
        for (unsigned s = 0; s < 4; ++s) stalls += cycles("SM " + sm + "/scheduler " + std::to_string(s) + " stalls");
        EXPECT_EQ(stalls, sql("SELECT SUM(cycles) FROM stalls" + sm_rows));
    }
    EXPECT_EQ(cycles("PE/batch fetch"), sql("SELECT SUM(fetched - begun) FROM batches"));
    for (const std::string stage : {"vertex", "geometry"})
        EXPECT_EQ(cycles("PE/" + stage + " spaces"),
                  sql("SELECT SUM(released - allocated) FROM spaces WHERE stage = '" + stage + "'"));
    EXPECT_EQ(instants_["PE/stream out"], sql("SELECT COUNT(*) FROM outputs"));
}

TEST_F(timeline, exclusive_tracks_never_overlap)
{
    run({"run", samples + "gs_streams/scenario.json", "--set", "isbe.ports=1"});
    for (auto& [name, spans] : spans_) {
        if (name.find(" queue") != std::string::npos || name.find("attribute unit") != std::string::npos ||
            name.find(" spaces") != std::string::npos)
            continue;
        std::sort(spans.begin(), spans.end(), [](const span& a, const span& b) { return a.begin < b.begin; });
        for (std::size_t i = 1; i < spans.size(); ++i)
            EXPECT_LE(spans[i - 1].end, spans[i].begin) << name << " " << spans[i].name;
    }
}

TEST_F(timeline, runs_that_are_loosely_timed_given_up_or_replayed_are_whole_too)
{
    run({"run", samples + "gs_amplify_once/scenario.json", "--isbe", "lt"});
    EXPECT_EQ(cycles("ISBE 0/bank passes"), sql("SELECT SUM(passes) FROM transactions"));
    run({"run", samples + "gs_amplify_once/scenario.json", "--max-cycles", "300", "--record", folder_.path("r.trace")},
        1);
    EXPECT_GT(cycles("ISBE 0/bank passes"), 0U);
    run({"replay", folder_.path("r.trace")});
    EXPECT_EQ(cycles("ISBE 0/bank passes"), sql("SELECT SUM(passes) FROM transactions"));
    for (const auto& [where, name] : names_) EXPECT_EQ(name.rfind("ISBE 0/", 0), 0U) << name;
}

TEST_F(timeline, the_same_run_gives_the_same_file)
{
    const auto content = [&] {
        run({"run", samples + "gs_amplify_once/scenario.json"});
        return temporary_folder::read(folder_.path("t.json"));
    };
    const auto first = content();
    EXPECT_EQ(content(), first);
}

TEST_F(timeline, a_file_that_cant_be_written_is_wrong_input)
{
    const auto result = run_isbesim(
        {"run", samples + "gs_pass/scenario.json", "--quiet", "--out", folder_.path("out"), "--timeline", "/no/x"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.last_error().find("can't be written"), std::string::npos) << result.err;
}

// Late changes appear in order, though not all of them are kept.

using levels = std::vector<std::pair<std::uint64_t, std::int64_t>>;

class counter : public testing::Test {
protected:
    counter_track track(const cycle_window& window = {})
    {
        return {window, [this](std::uint64_t cycle, std::int64_t level) { shown_.emplace_back(cycle, level); }};
    }
    levels shown_;
};

TEST_F(counter, changes_come_in_order_and_once_a_cycle)
{
    auto level = track();
    level.add(30, -2);
    level.add(10, 2);
    level.add(20, 1);
    level.add(20, 1);
    level.add(25, 1);
    level.add(25, -1);
    level.finish();
    EXPECT_EQ(shown_, (levels{{10, 2}, {20, 4}, {30, 2}}));
}

TEST_F(counter, a_window_begins_with_the_level_that_there_is)
{
    auto level = track({100, 200});
    level.add(50, 3);
    level.add(150, 1);
    level.add(250, -4);
    level.finish();
    EXPECT_EQ(shown_, (levels{{100, 3}, {150, 4}}));
}

TEST_F(counter, a_window_without_changes_has_its_level)
{
    auto level = track({100, 200});
    level.add(50, 3);
    level.add(250, -3);
    level.finish();
    EXPECT_EQ(shown_, (levels{{100, 3}}));
}

TEST_F(counter, old_changes_are_written_early_and_late_ones_count)
{
    auto level = track();
    level.add(10, 1);
    level.add(10 + 3 * counter_track::horizon, 1);
    EXPECT_EQ(shown_, (levels{{10, 1}}));
    level.add(11, 5); // too late: counts from the horizon on
    level.finish();
    EXPECT_EQ(shown_, (levels{{10, 1}, {10 + 2 * counter_track::horizon, 6}, {10 + 3 * counter_track::horizon, 7}}));
}

} // namespace
} // namespace isbesim::testbench
