// report.html: complete by itself, and every plot drawn without an error by a browser that is at hand.
#include <regex>

#include <gtest/gtest.h>

#include "test_paths.h"
#include "tests/testbench/browser.h"
#include "tests/testbench/process.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

class page : public testing::Test {
protected:
    std::string make()
    {
        const auto result = run_isbesim({"run", ISBESIM_SOURCE_DIR "/testbench/scenarios/gs_amplify_once/scenario.json",
                                         "--quiet", "--set", "isbe.banks=8", "--set", "isbe.skew=false", "--set",
                                         "sm_count=2", "--out", folder_.path("out")});
        EXPECT_EQ(result.status, 0) << result.err;
        return temporary_folder::read(folder_.path("out/report.html"));
    }
    temporary_folder folder_;
};

TEST_F(page, needs_nothing_else_and_stays_small)
{
    const auto text = make();
    EXPECT_LT(text.size(), 200'000U);
    for (const auto* elsewhere : {"src=", "href=", "@import", "url(", "https:"})
        EXPECT_EQ(text.find(elsewhere), std::string::npos) << elsewhere;
    EXPECT_NE(text.find("prefers-color-scheme: dark"), std::string::npos);
}

TEST_F(page, every_plot_is_drawn_in_a_browser)
{
    const auto browser = find_browser();
    if (browser.empty()) GTEST_SKIP() << "no Chromium here";
    make();
    std::string messages;
    const auto dom = shown_in_browser(browser, folder_.path("out/report.html"), folder_, messages);
    EXPECT_EQ(messages.find("CONSOLE"), std::string::npos) << messages;
    for (const auto* id : {"stacks", "latency_ald", "latency_ast", "latency_out", "bandwidth", "occupancy", "warps",
                           "stalls", "stalls_over_time", "banks", "lives"}) {
        const auto begin = dom.find("<figure id=\"" + std::string(id) + "\">");
        ASSERT_NE(begin, std::string::npos) << id;
        const auto figure = dom.substr(begin, dom.find("</figure>", begin) - begin);
        EXPECT_TRUE(std::regex_search(figure, std::regex("class=\"data\"><(rect|path)"))) << id << " has no data";
        EXPECT_EQ(figure.find("NaN"), std::string::npos) << id;
        EXPECT_EQ(figure.find("undefined"), std::string::npos) << id;
    }
}

} // namespace
} // namespace isbesim::testbench
