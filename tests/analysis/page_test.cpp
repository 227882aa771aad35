// SPDX-License-Identifier: Apache-2.0
// report.html: self-contained, and an available browser draws every plot without an error.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/report/report_tables.h"
#include "tests/testbench/browser.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/temporary_folder.h"
#include "tlm/path_reason.h"

namespace isbesim::testbench {
namespace {

using options = std::vector<std::string>;

class page : public testing::Test {
protected:
    std::string made_by(options words)
    {
        words.insert(words.end(), {"--quiet", "--out", folder_.path("out")});
        const auto result = run_isbesim(words);
        EXPECT_EQ(result.status, 0) << result.err;
        return temporary_folder::read(folder_.path("out/report.html"));
    }
    std::string make(const options& more = {})
    {
        return made_by(options{"run", ISBESIM_SOURCE_DIR "/testbench/scenarios/gs_amplify_once/scenario.json", "--set",
                               "isbe.banks=8", "--set", "isbe.skew=false", "--set", "sm_count=2"} +
                       more);
    }
    void expect_drawn(const options& plots) { expect_plots(folder_.path("out/report.html"), plots, folder_); }

    temporary_folder folder_;
};

TEST_F(page, needs_nothing_else_and_stays_small)
{
    const auto text = make();
    EXPECT_LT(text.size(), 200'000U);
    for (const auto* elsewhere : {"src=", "href=\"h", "href=\"/", "@import", "url(", "https:"})
        EXPECT_EQ(text.find(elsewhere), std::string::npos) << elsewhere;
    EXPECT_NE(text.find("prefers-color-scheme: dark"), std::string::npos);
    EXPECT_EQ(text.find('<', text.find("id=\"page\"")), text.find("</script>")); // texts of the data have some: <stage>
    const std::string origin(page_in(folder_.path("out/report.html")).at("of").as_string());
    EXPECT_EQ(origin.rfind("Machine default with sm_count 2, isbe.banks 8, isbe.skew false; back end at; isbesim ", 0),
              0U)
        << origin;
    EXPECT_NE(origin.find("; isbesim run " ISBESIM_SOURCE_DIR), std::string::npos) << origin;
}

TEST_F(page, every_plot_is_drawn_in_a_browser)
{
    ISBESIM_NEEDS_BROWSER();
    make();
    expect_drawn({"stacks", "path", "latency_ald", "latency_ast", "latency_out", "latency_isberd", "bandwidth",
                  "occupancy", "warps", "stalls", "stalls_over_time", "banks", "lives", "histogram_request_queue0",
                  "histogram_request_queue1", "histogram_attribute_queue", "histogram_busy_banks",
                  "histogram_isbe_lines", "histogram_warps"});
}

TEST_F(page, text_can_be_read_at_every_width)
{
    ISBESIM_NEEDS_BROWSER();
    const auto shown = folder_.path("out/report.html");
    make();
    expect_readable(shown, folder_);
    made_by({"run", ISBESIM_SOURCE_DIR "/testbench/scenarios/tess_quads_odd/scenario.json", "--what-if", "--profile"});
    expect_readable(shown, folder_);
    made_by({"traffic", "--rate", "0.2", "--conflict", "4", "--operations", "2000"}); // all percentiles close together
    expect_readable(shown, folder_);
    made_by({"traffic", "--curve", "--points", "4", "--operations", "500", "--mix", "ald=3,ast=1"});
    expect_readable(shown, folder_);
    expect_drawn({"curve"});
}

/// The test of readable pages finds the faults that it is meant for.
TEST_F(page, text_that_cannot_be_read_is_found)
{
    ISBESIM_NEEDS_BROWSER();
    const auto problem = [&](const std::string& body) {
        const auto file = folder_.write("bad.html", "<!DOCTYPE html><html><body>" + body + "</body></html>");
        return layout_of(find_browser(), file, 500, folder_);
    };
    const auto drawing = [](const std::string& inner, const char* style) {
        return "<figure><svg viewBox='0 0 400 100' style='" + std::string(style) + "; font: 12px sans-serif'>" + inner +
               "</svg></figure>";
    };
    const std::string label = "<text x='10' y='50'>p50</text>";
    const auto* const wide = "width: 400px";
    EXPECT_EQ(problem(drawing(label, wide)), "1 labels\n");
    EXPECT_NE(problem(drawing(label + "<text x='20' y='53'>p90</text>", wide)).find("over each other"),
              std::string::npos);
    EXPECT_NE(problem(drawing("<text x='390' y='50'>a title</text>", wide)).find("cut"), std::string::npos);
    EXPECT_NE(problem(drawing(label, "width: 200px")).find("6.0 pixels high"), std::string::npos);
    EXPECT_NE(
        problem("<h1 style='overflow: hidden; white-space: nowrap'>" + std::string(200, 'x') + "</h1>").find("cut"),
        std::string::npos);
    EXPECT_NE(problem("<div style='width: 600px'>x</div>").find("the page is 6"), std::string::npos);
}

TEST_F(page, a_replay_and_a_load_have_the_plots_of_an_isbe)
{
    ISBESIM_NEEDS_BROWSER();
    make({"--record", folder_.path("trace")});
    made_by({"replay", folder_.path("trace")});
    expect_drawn({"stacks", "latency_ald", "latency_ast", "latency_out", "latency_isberd", "latency_isbewr",
                  "latency_bind", "bandwidth", "banks", "histogram_busy_banks"});
    made_by({"replay", folder_.path("trace"), "--isbe", "lt"}); // keeps no stacks
    expect_drawn({"latency_ald", "latency_ast", "latency_out", "latency_isberd", "latency_isbewr", "latency_bind",
                  "bandwidth", "banks", "histogram_busy_banks"});
    made_by({"traffic", "--rate", "0.1", "--mix", "al2p=1", "--operations", "500"}); // reaches no bank
    expect_drawn({"stacks", "latency_al2p", "latency_bind"});
}

TEST_F(page, replay_page_names_its_trace_and_no_draw)
{
    make({"--record", folder_.path("trace")});
    made_by({"replay", folder_.path("trace"), "--set", "isbe.pipeline_latency=40"});
    auto shown = page_in(folder_.path("out/report.html"));
    shown.erase("data");
    const auto content = boost::json::serialize(shown);
    for (const auto* words :
         {R"-("title":"Traffic")-", R"-("title":"Transactions")-", R"-("title":"Latency (cycles)")-",
          R"-("title":"Bank conflicts")-", R"-("title":"Where every cycle went")-", R"-("title":"ISBE")-",
          R"-(["replay.differences","0"])-", R"-(["isbe.pipeline_latency","40"])-", R"-(["isbe0.pass_engine",)-"})
        EXPECT_NE(content.find(words), std::string::npos) << words;
    for (const auto* words : {"draw", "Occupancy", "Stalls", "Per instance", "sm_count", "coverage", "Schedulers"})
        EXPECT_EQ(content.find(words), std::string::npos) << words;
    EXPECT_NE(temporary_folder::read(folder_.path("out/report.md")).find("## Transactions"), std::string::npos);
}

TEST_F(page, figures_that_an_instance_lacks_leave_its_cells_empty)
{
    const auto instances = boost::json::parse(
        R"-([{"latency": {"ald": {"count": 0}, "ast": {"count": 2, "p50": 7}}, "ports": [{"operations": 2}]},
             {"latency": {"ald": {"count": 1, "p50": 9}, "ast": {"count": 0}}, "ports": [{"operations": 1}]}])-");
    const auto table = instance_table(instances.as_array());
    EXPECT_EQ(table.header, (options{"figure", "sm 0", "sm 1"}));
    const std::vector<options> rows{{"latency.ald.count", "0", "1"},
                                    {"latency.ald.p50", "", "9"},
                                    {"latency.ast.count", "2", "0"},
                                    {"latency.ast.p50", "7", ""},
                                    {"ports.0.operations", "2", "1"}};
    EXPECT_EQ(table.rows, rows);
}

/// The script names reasons to colour them; unnamed reasons would share a colour.
TEST_F(page, every_reason_of_the_critical_path_has_a_colour)
{
    const auto text = make();
    for (const auto& row : path_rows) {
        if (row.reason == path_reason::none || row.reason == path_reason::unexplained) continue;
        EXPECT_NE(text.find("'" + std::string(row.name) + "'"), std::string::npos) << row.name;
    }
}

} // namespace
} // namespace isbesim::testbench
