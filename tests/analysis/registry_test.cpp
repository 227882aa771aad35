// SPDX-License-Identifier: Apache-2.0
// The registry of figures and everything that shows figures: each entry is in its stated places, and no other is shown.
#include <set>
#include <sstream>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "models/pe/stages/draw_counters.h"
#include "test_paths.h"
#include "testbench/analysis/run_database.h"
#include "testbench/analysis/run_series.h"
#include "testbench/analysis/run_timeline.h"
#include "testbench/figures/figures.h"
#include "testbench/report/report_figures.h"
#include "testbench/rtl/lockstep.h"
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

/// Names of the leaves of nested objects and arrays.
void leaves(const json::value& value, const std::string& name, std::vector<std::string>& found)
{
    const auto inner = [&](const std::string& key) { return name.empty() ? key : name + "." + key; };
    if (value.is_object()) {
        for (const auto& entry : value.get_object()) leaves(entry.value(), inner(entry.key()), found);
    } else if (value.is_array()) {
        for (std::size_t i = 0; i < value.get_array().size(); ++i)
            leaves(value.get_array()[i], inner(std::to_string(i)), found);
    } else {
        found.push_back(name);
    }
}

class registry : public testing::Test {
protected:
    json::object report(const options& words) { return report_of(words, folder_.path("out")); }
    std::string text(const std::string& file) const { return temporary_folder::read(folder_.path(file)); }

    temporary_folder folder_;
    const std::string scenario_ = samples + "gs_streams/scenario.json";
};

TEST_F(registry, has_an_entry_for_every_number_of_a_report_and_a_report_for_every_entry)
{
    std::vector<json::object> reports = {
        report({"run", scenario_, "--set", "sm_count=2", "--set", "isbe.ports=1", "--record", folder_.path("trace")}),
        report({"run", samples + "tess_quads_odd/scenario.json"}),
        report({"run", samples + "mesh_limits/scenario.json"}),
        report({"run", scenario_, "--set", "chip.tpcs=2"}),
        report({"run", scenario_, "--set", "memory.model=hierarchy", "--set", "pe.consumer=rasteriser"}),
        report({"replay", folder_.path("trace")}),
        report({"crosscheck", "--isbe", "at", "--transactions", "200"}),
        report({"crosscheck", "--isbe", "at", "--transactions", "200", "--runs", "2"}),
        report({"traffic", "--outstanding", "2", "--operations", "200"}),
        report({"traffic", "--rate", "0.1", "--operations", "200"}),
        report({"traffic", "--curve", "--points", "2", "--operations", "200"})};
#ifdef ISBESIM_HAS_RTL
    reports.push_back(report({"crosscheck", "--transactions", "200", "--phase", "resets"}));
    reports.push_back(report({"run", scenario_, "--isbe", "lockstep"}));
    reports.push_back(report({"traffic", "--rate", "0.1", "--operations", "200", "--isbe", "lockstep"}));
#else
    reports.push_back({{"crosscheck", account_json(lockstep_statistics(), {1, 0, 0, 0, 1, 1})}});
#endif
    std::set<const figure*> shown;
    for (auto& each : reports) {
        // Words, records, the machine and the parts that figures_test adds up are not figures.
        for (const auto* key :
             {"tool", "scenario", "draw", "traffic", "backend", "result", "config", "covers", "traps", "warnings",
              "bottleneck", "measured", "of", "rests_on", "stacks", "critical_path", "runs", "failed_runs"})
            each.erase(key);
        std::vector<std::string> names;
        leaves(each, "", names);
        for (const auto& name : names) {
            if (name.rfind("per_instance.", 0) == 0 && name.substr(name.rfind('.')) == ".sm") continue;
            const auto* found = find_figure(name);
            EXPECT_NE(found, nullptr) << name << " is in a report and not in the registry";
            if (found != nullptr) shown.insert(found);
        }
    }
    // tests/pipeline/losses_test.cpp has a draw for each of these, which are in no other's report.
    for (const auto& row : draw_loss_rows) shown.insert(find_figure(std::string("output.") + row.name));
    for (const auto& f : figures()) EXPECT_EQ(shown.count(&f), 1U) << f.key() << " is in no report";
}

TEST_F(registry, matches_help_and_pages)
{
    report({"run", scenario_});
    const auto help = run_isbesim({"help", "figures"}).out;
    const auto table = json::parse(run_isbesim({"help", "figures", "--json"}).out).as_array();
    ASSERT_EQ(table.size(), figures().size());
    for (std::size_t i = 0; i < figures().size(); ++i) {
        const auto& f = figures()[i];
        SCOPED_TRACE(f.key());
        EXPECT_NE(help.find("\n  " + f.key() + " "), std::string::npos);
        EXPECT_NE(help.find("\n      " + f.description + "\n"), std::string::npos);
        EXPECT_EQ(table[i].at("key").as_string(), f.key());
        EXPECT_EQ(table[i].at("unit").as_string(), f.unit);
        EXPECT_EQ(table[i].at("description").as_string(), f.description);
        EXPECT_EQ(table[i].at("merge").as_string(), row_of(f.merge).name);
    }
    EXPECT_EQ(run_isbesim({"help", "figures", "--set", "isbe.lines=1"}).status, 2);

    const auto page = page_in(folder_.path("out/report.html"));
    const auto plain = text("out/report.md");
    const auto& data = page.at("data");
    const auto shown = json::serialize(page.at("parts"));
    for (const auto& section : figure_sections()) {
        if (section.page_place == 0 && section.name != std::string(port_section)) continue;
        for (const auto& f : figures()) {
            if (f.section != section.name) continue;
            SCOPED_TRACE(f.key());
            const auto unit = f.unit.empty() ? "" : " (" + f.unit + ")";
            EXPECT_NE(plain.find("\n- `" + f.path + "`" + unit + ": " + f.description + "\n"), std::string::npos);
            EXPECT_NE(shown.find(json::serialize(json::array{f.path, f.unit, f.description})), std::string::npos);
            if (section.page_place == 0) continue;
            EXPECT_EQ(data.at("figures").at(f.key()).at("unit").as_string(), f.unit);
            EXPECT_EQ(data.at("figures").at(f.key()).at("description").as_string(), f.description);
        }
    }
    for (const auto& row : stall_rows) {
        EXPECT_NE(plain.find(std::string("\n| ") + row.name + " |"), std::string::npos) << row.name;
        EXPECT_NE(shown.find("[\"" + std::string(row.name) + "\","), std::string::npos) << row.name;
    }
}

TEST_F(registry, names_columns_and_series_that_are_there)
{
    const auto result = report({"run", scenario_, "--database", folder_.path("run.sqlite")});
    const sql_file file(folder_.path("run.sqlite"));
    for (const auto& f : figures()) {
        SCOPED_TRACE(f.key());
        if (!f.database.empty()) {
            const auto dot = f.database.find('.');
            auto column = f.database.substr(dot + 1);
            if (column == "<opcode>") column = "isbewr";
            EXPECT_EQ(file.integer("SELECT COUNT(*) FROM pragma_table_info('" + f.database.substr(0, dot) +
                                   "') WHERE name = '" + column + "'"),
                      1U)
                << f.database;
        }
        if (!f.series.empty()) {
            const auto* value = &result.at("series");
            std::istringstream path(f.series);
            for (std::string key; std::getline(path, key, '.');) {
                const auto* inner = value->as_object().if_contains(key);
                ASSERT_NE(inner, nullptr) << f.series;
                value = inner;
            }
            EXPECT_TRUE(value->is_array());
        }
    }
}

/// One event of each reason, with different lengths.
TEST_F(registry, shows_every_stall_reason_over_time)
{
    const machine_config config;
    run_series series(config);
    run_timeline timeline(folder_.path("timeline.json"), config, true, true, cycle_window());
    {
        run_database database(folder_.path("stalls.sqlite"), config_to_json(config), false);
        std::uint64_t cycle = 0;
        for (const auto& row : stall_rows) {
            const auto cycles = 10 + static_cast<std::uint64_t>(row.reason);
            if (row.place == stall_place::scheduler) {
                const stall_event event{0, 0, row.reason, cycle, cycles};
                for (run_listener* each : {static_cast<run_listener*>(&series), static_cast<run_listener*>(&timeline),
                                           static_cast<run_listener*>(&database)})
                    each->stall(event);
                cycle += cycles;
            } else if (row.place == stall_place::pe) {
                wait_event event;
                event.cycles[row.reason] = cycles;
                database.wait(event);
            }
        }
        database.finish();
        timeline.finish(false);
    }
    const sql_file file(folder_.path("stalls.sqlite"));
    const auto over_time = series.json(1000);
    const auto events = text("timeline.json");
    for (const auto& row : stall_rows) {
        SCOPED_TRACE(row.name);
        const std::string name = row.name;
        const auto cycles = 10 + static_cast<std::uint64_t>(row.reason);
        if (row.place == stall_place::pe) {
            EXPECT_EQ(file.integer("SELECT SUM(" + name + ") FROM waits"), cycles);
        } else if (row.place == stall_place::scheduler) {
            EXPECT_EQ(file.integer("SELECT SUM(cycles) FROM stalls WHERE reason = '" + name + "'"), cycles);
            std::uint64_t sum = 0;
            for (const auto& bin : over_time.at("stalls").at(name).as_array()) sum += bin.to_number<std::uint64_t>();
            EXPECT_EQ(sum, cycles);
            EXPECT_NE(events.find("\"name\":\"" + name + "\""), std::string::npos);
            EXPECT_NE(events.find("\"dur\":" + std::to_string(cycles) + ","), std::string::npos);
        }
        EXPECT_EQ(over_time.at("stalls").as_object().contains(name), row.place == stall_place::scheduler);
    }
}

} // namespace
} // namespace isbesim::testbench
