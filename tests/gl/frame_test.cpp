// SPDX-License-Identifier: Apache-2.0
// Draws of a capture one after the other: their table, their page, the picture of what they stream out.
#include <algorithm>
#include <sstream>

#include <boost/json.hpp>

#include "testbench/gl/frame/wire_frame.h"
#include "tests/gl/sample_capture.h"
#include "tests/testbench/browser.h"
#include "tests/testbench/process.h"

namespace isbesim::gl {
namespace {

namespace json = boost::json;
using testbench::run_isbesim;
using testbench::temporary_folder;

const std::string header = "stream,primitive,vertex,0x70,0x74,0x78,0x7c\n";
constexpr auto zero = "0x00000000", one = "0x3f800000", two = "0x40000000", minus_one = "0xbf800000",
               no_number = "0x7fc00000";

std::string row(unsigned primitive, unsigned vertex, const std::string& x, const std::string& y, const std::string& w)
{
    std::ostringstream text;
    text << "0," << primitive << ',' << vertex << ',' << x << ',' << y << ',' << zero << ',' << w << "\n";
    return text.str();
}

wire_frame read(const std::string& text, std::size_t most = 100)
{
    std::istringstream in(text);
    return read_wire_frame(in, most);
}

TEST(wire_frame, a_triangle_has_three_edges_and_a_point_one_of_no_length)
{
    using edge = wire_frame::edge;
    const auto triangle = read(header + row(0, 0, zero, zero, two) + row(0, 1, one, zero, two) +
                               row(0, 2, one, minus_one, two) + row(1, 0, two, one, one));
    // 1 / 2 of 4096.
    const std::vector<edge> expected = {
        {0, 0, 2048, 0}, {2048, 0, 2048, -2048}, {2048, -2048, 0, 0}, {8192, 4096, 8192, 4096}};
    EXPECT_EQ(triangle.edges, expected);
    EXPECT_EQ(triangle.primitives, 2U);
    EXPECT_EQ(triangle.every, 1U);
    EXPECT_TRUE(triangle.has_positions);
    const auto line = read(header + row(0, 0, zero, zero, one) + row(0, 1, one, one, one));
    EXPECT_EQ(line.edges, (std::vector<edge>{{0, 0, 4096, 4096}}));
}

TEST(wire_frame, draws_without_place_are_left_out)
{
    const auto frame = read(header + row(0, 0, one, one, one) + row(0, 1, one, one, minus_one) +
                            row(1, 0, one, one, zero) + row(2, 0, no_number, one, one) + row(3, 0, one, one, one) +
                            "1,0,0,0x3f800000,0x3f800000,0x00000000,0x3f800000\n");
    EXPECT_EQ(frame.edges.size(), 1U);
    EXPECT_EQ(frame.behind_eye, 3U);
    EXPECT_EQ(frame.primitives, 4U);
    EXPECT_FALSE(read("stream,primitive,vertex,0x80\n0,0,0,0x3f800000\n").has_positions);
    EXPECT_FALSE(read("").has_positions);
}

TEST(wire_frame, many_primitives_are_thinned_out)
{
    std::string text = header;
    for (unsigned i = 0; i < 99; ++i) text += row(i, 0, zero, zero, one);
    text += row(99, 0, zero, zero, minus_one); // counts, although its number is not shown
    const auto frame = read(text, 30);
    EXPECT_EQ(frame.every, 4U);
    EXPECT_EQ(frame.edges.size(), 25U); // 0, 4, ..., 96
    ASSERT_EQ(frame.primitive_of.size(), 25U);
    EXPECT_EQ(frame.primitive_of[1], 4U);
    EXPECT_EQ(frame.primitive_of[24], 96U);
    EXPECT_EQ(frame.primitives, 100U);
    EXPECT_EQ(frame.behind_eye, 1U);
}

class frame_run : public testing::Test {
protected:
    frame_run() { sample_capture(4).write(folder_.path("a.capture"), 5); }
    testbench::process_result run(std::vector<std::string> more) const
    {
        std::vector<std::string> line = {"run", folder_.path("a.capture"), "--out", folder_.path("out")};
        line.insert(line.end(), more.begin(), more.end());
        return run_isbesim(line);
    }
    std::string result(const std::string& name) const { return temporary_folder::read(folder_.path("out/" + name)); }

    temporary_folder folder_;
};

TEST_F(frame_run, the_draws_of_a_frame_add_up)
{
    const auto done = run({"--frame", "1"});
    ASSERT_EQ(done.status, 0) << done.err;
    const auto report = json::parse(result("report.json"));
    const auto& draws = report.at("draws").as_array();
    ASSERT_EQ(draws.size(), 2U);
    std::uint64_t cycles = 0;
    for (const auto& each : draws) {
        const auto name = "draws/000" + std::to_string(each.at("draw").to_number<unsigned>()) + "/";
        const auto own = json::parse(result(name + "report.json"));
        EXPECT_EQ(each.at("frame"), 1);
        EXPECT_EQ(each.at("cycles").to_number<std::uint64_t>(), own.at("cycles").to_number<std::uint64_t>());
        EXPECT_DOUBLE_EQ(each.at("line_cycles").to_number<double>(),
                         own.at("cycles").to_number<double>() *
                             own.at("occupancy").at("isbe_lines_mean").to_number<double>());
        cycles += each.at("cycles").to_number<std::uint64_t>();
        EXPECT_NE(result("frame.html").find("\"" + name + "report.html\""), std::string::npos);
        EXPECT_NE(result(name + "report.html"), "");
    }
    EXPECT_GT(cycles, 0U);
    EXPECT_EQ(report.at("cycles").to_number<std::uint64_t>(), cycles);
}

/// Each of the files and the summary, of both loosely timed kinds; nothing where cycles are exact.
TEST_F(frame_run, cycles_of_loosely_timed_draws_are_labelled_as_estimate)
{
    for (const auto& [option, mode] : {std::pair{"--timing", "lt"}, {"--isbe", "lt"}, {"--isbe", "at"}}) {
        const auto done = run({option, mode});
        ASSERT_EQ(done.status, 0) << done.err;
        const bool is_estimate = std::string(mode) == "lt";
        const auto text = "An estimate (" + std::string(option) + " lt), within ";
        EXPECT_EQ(done.out.find(" cycles (estimate)") != std::string::npos, is_estimate) << done.out;
        for (const auto& place : {done.out, result("frame.html")})
            EXPECT_EQ(place.find(text) != std::string::npos, is_estimate) << text;
        EXPECT_EQ(json::parse(result("report.json")).as_object().contains("estimate"), is_estimate);
        EXPECT_EQ(result("draws.csv").find("end,estimate.of\n") != std::string::npos, is_estimate);
    }
}

TEST_F(frame_run, draws_in_sequence_on_one_machine)
{
    const auto spans = [&](const char* rule) {
        EXPECT_EQ(run({"--frame", "1", "--set", std::string("pe.draws=") + rule}).status, 0);
        return json::parse(result("report.json"));
    };
    const auto drained = spans("drain"), overlapped = spans("overlap");
    const auto number = [](const json::value& object, const char* key) {
        return object.at(key).to_number<std::uint64_t>();
    };
    EXPECT_EQ(number(drained, "machine_cycles"), number(drained, "cycles"));
    EXPECT_LT(number(overlapped, "machine_cycles"), number(drained, "machine_cycles"));
    const auto &first = drained.at("draws").at(0), &second = drained.at("draws").at(1);
    EXPECT_EQ(number(first, "begin"), 0U);
    EXPECT_EQ(number(first, "end"), number(first, "cycles"));
    EXPECT_EQ(number(second, "begin"), number(first, "end"));
    EXPECT_EQ(number(second, "end"), number(drained, "machine_cycles"));
    const auto table = result("draws.csv");
    EXPECT_EQ(table.substr(0, table.find('\n')), "draw,status,cycles,begin,end");
}

TEST_F(frame_run, a_draw_of_a_frame_is_the_draw_alone)
{
    ASSERT_EQ(run({"--frame", "1"}).status, 0);
    const auto command = json::serialize(json::parse(result("report.json")).at("of").at("command"));
    EXPECT_NE(command.find(R"("--frame","1")"), std::string::npos) << command;
    EXPECT_EQ(command.find("--draw"), std::string::npos) << command;
    EXPECT_NE(result("frame.html").find(" --frame 1"), std::string::npos);
    const auto vertices = result("draws/0003/vertices.csv");
    EXPECT_NE(vertices, "");
    ASSERT_EQ(run({"--draw", "3"}).status, 0);
    EXPECT_EQ(result("vertices.csv"), vertices);
}

TEST_F(frame_run, as_many_draws_at_a_time_as_one_likes_give_the_same)
{
    std::vector<std::string> results;
    setenv("SOURCE_DATE_EPOCH", "86400", 1);
    for (const auto* jobs : {"1", "2", "9"}) {
        const auto done = run({"--jobs", jobs, "--max-cycles", "40"}); // each reports the watchdog
        EXPECT_EQ(done.status, 1);
        EXPECT_NE(done.err, "");
        results.push_back(done.err + done.out + result("draws.csv") + result("frame.html"));
    }
    unsetenv("SOURCE_DATE_EPOCH");
    EXPECT_EQ(results[1], results[0]);
    EXPECT_EQ(results[2], results[0]);
    const auto none = run({"--jobs", "0"});
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("--jobs is 0"), std::string::npos) << none.err;
    const auto single = run({"--jobs", "2", "--draw", "1"});
    EXPECT_EQ(single.status, 2);
    EXPECT_NE(single.err.find("--jobs with one draw"), std::string::npos) << single.err;
}

TEST_F(frame_run, draws_that_did_not_end_well_are_counted)
{
    const auto whole = run({"--frame", "1"});
    EXPECT_EQ(whole.out.find("end well"), std::string::npos) << whole.out;
    const auto cycles = json::parse(result("report.json")).at("draws").at(0).at("cycles").to_number<std::uint64_t>();
    const auto given_up = run({"--frame", "1", "--max-cycles", std::to_string(cycles / 2)});
    EXPECT_EQ(given_up.status, 1);
    EXPECT_NE(given_up.out.find(" of which did not end well, "), std::string::npos) << given_up.out;
    EXPECT_EQ(given_up.out.find("when each starts on an idle one"), std::string::npos) << "they did not end";
    EXPECT_EQ(json::parse(result("report.json")).at("draws").at(0).at("cycles").to_number<std::uint64_t>(), cycles / 2);
    // Without a report there are no cycles, not 0.
    const auto refused = run({"--frame", "1", "--set", "isbe.lines=16"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.out.substr(0, refused.out.find('\n')),
              "2 draws, 2 of which did not end well, not on one machine: no draw ended well");
    EXPECT_NE(result("draws.csv").find(",2,,,\n"), std::string::npos) << result("draws.csv");
    const auto report = json::parse(result("report.json")).as_object();
    EXPECT_FALSE(report.contains("cycles"));
    for (const auto* key : {"cycles", "line_cycles"}) EXPECT_FALSE(report.at("draws").at(0).as_object().contains(key));
}

TEST_F(frame_run, progress_is_shown_on_request)
{
    EXPECT_EQ(run({}).err, "");
    // Before it, where the draws take their time, how many are done.
    EXPECT_EQ(run({"--progress"}).last_error(), "all draws in a row on one machine");
}

TEST_F(frame_run, many_draws_have_no_one_file)
{
    for (const auto* option :
         {"--record", "--database", "--timeline", "--kanata", "--wave", "--cycles", "--wave-cycles"}) {
        const auto done = run({option, folder_.path("file")});
        EXPECT_EQ(done.status, 2) << option;
        EXPECT_NE(done.err.find(std::string(option) + " with many draws, expected one of them: --draw N"),
                  std::string::npos)
            << done.err;
    }
    const auto done = run({"--coefficients", folder_.path("none")});
    EXPECT_EQ(done.status, 2);
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
}

TEST_F(frame_run, the_page_shows_every_draw)
{
    ASSERT_EQ(run({"--profile"}).status, 0);
    const auto page = result("frame.html");
    for (const auto* elsewhere : {"src=", "@import", "url(", "https:"})
        EXPECT_EQ(page.find(elsewhere), std::string::npos) << elsewhere;
    const auto browser = testbench::find_browser();
    ISBESIM_NEEDS_BROWSER();
    std::string messages;
    const auto dom = testbench::shown_in_browser(browser, folder_.path("out/frame.html"), folder_, messages);
    EXPECT_EQ(messages.find("CONSOLE"), std::string::npos) << messages;
    EXPECT_NE(dom.find("3 frames: 5 draws, "), std::string::npos);
    // Five draws of the same program, vertices and cycles: none takes most.
    EXPECT_NE(dom.find("all draws take about the same, 20.0 % each; all are of vertex 0, geometry 1."),
              std::string::npos);
    EXPECT_NE(dom.find("Stream 0 of 20 primitives"), std::string::npos); // two triangles, two instances, five draws
    EXPECT_NE(dom.find("<canvas"), std::string::npos);
    EXPECT_NE(dom.find("Where in the programs"), std::string::npos);
    EXPECT_NE(dom.find("geometry 0x"), std::string::npos);
    for (unsigned i = 0; i < 5; ++i)
        EXPECT_NE(dom.find("href=\"draws/000" + std::to_string(i) + "/report.html\""), std::string::npos);
    EXPECT_EQ(dom.find(">NaN"), std::string::npos);
    EXPECT_EQ(dom.find(">undefined"), std::string::npos);
}

TEST_F(frame_run, the_page_shows_no_numbers_of_draws_that_did_not_run)
{
    ISBESIM_NEEDS_BROWSER();
    ASSERT_EQ(run({"--set", "isbe.lines=16"}).status, 2);
    std::string messages;
    const auto dom =
        testbench::shown_in_browser(testbench::find_browser(), folder_.path("out/frame.html"), folder_, messages);
    for (const auto* words : {">NaN", ">undefined", "0 cycles"}) EXPECT_EQ(dom.find(words), std::string::npos) << words;
}

TEST_F(frame_run, the_page_can_be_read_at_every_width)
{
    ISBESIM_NEEDS_BROWSER();
    ASSERT_EQ(run({}).status, 0);
    testbench::expect_readable(folder_.path("out/frame.html"), folder_);
}

TEST_F(frame_run, missing_frames_are_refused)
{
    const auto wrong = run({"--frame", "3"});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_NE(wrong.err.find("--frame is 3, the capture has 3 frames, expected one of them"), std::string::npos);
}

} // namespace
} // namespace isbesim::gl
