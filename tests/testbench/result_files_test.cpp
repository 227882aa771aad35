// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <random>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "testbench/files/checksum.h"
#include "testbench/files/whole_file.h"
#include "testbench/report/result_folder.h"
#include "testbench/scenario/expectation.h"
#include "testbench/scenario/vertex_csv.h"
#include "tests/support/error_text.h"
#include "tests/testbench/temporary_folder.h"
#include "tlm/hex.h"

namespace isbesim::testbench {
namespace {

/// --out of isbesim run.
result_place place(const std::string& path)
{
    return {path, {"command-line", 1, 2}, "run"};
}

TEST(whole_file, is_there_whole_or_not_at_all)
{
    const temporary_folder folder;
    const auto path = folder.write("log", "earlier");
    {
        whole_file given_up(path);
        ASSERT_TRUE(given_up.open());
        given_up.write("half", 4);
    }
    EXPECT_EQ(temporary_folder::read(path), "earlier");
    {
        whole_file file(path);
        file.write("whole", 5);
        EXPECT_EQ(temporary_folder::read(path), "earlier");
        EXPECT_TRUE(file.good());
        EXPECT_TRUE(file.finish());
    }
    EXPECT_EQ(temporary_folder::read(path), "whole");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path("")), {}), 1);
}

TEST(whole_file, removes_files_of_killed_processes_only)
{
    const temporary_folder folder;
    folder.write(".log.partial-1", "of a process that has ended");
    folder.write(".log.partial-x", "somebody's");
    const auto busy = folder.write(".log.partial-2", "of one that writes");
    const int lock = lock_partial(busy);
    ASSERT_GE(lock, 0);
    whole_file file(folder.path("log"));
    EXPECT_FALSE(std::filesystem::exists(folder.path(".log.partial-1")));
    EXPECT_TRUE(std::filesystem::exists(folder.path(".log.partial-x")));
    EXPECT_TRUE(std::filesystem::exists(busy));
    close(lock);
}

TEST(whole_file, goes_where_a_link_leads_and_into_a_pipe)
{
    const temporary_folder folder;
    folder.write("target", "earlier");
    std::filesystem::create_symlink("target", folder.path("link"));
    {
        whole_file file(folder.path("link"));
        file.write("new", 3);
        EXPECT_TRUE(file.finish());
    }
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
    EXPECT_EQ(temporary_folder::read(folder.path("target")), "new");

    ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
    const int reader = open(folder.path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
    {
        whole_file file(folder.path("pipe"));
        ASSERT_TRUE(file.open());
        file.write("through", 7);
        EXPECT_TRUE(file.finish());
    }
    char text[16] = {};
    EXPECT_EQ(read(reader, text, sizeof text), 7);
    EXPECT_STREQ(text, "through");
    close(reader);
    EXPECT_TRUE(std::filesystem::exists(folder.path("pipe")));
}

TEST(whole_file, a_descriptor_is_written_in_place)
{
    const temporary_folder folder;
    const auto path = folder.write("appended", "earlier, ");
    const int descriptor = open(path.c_str(), O_WRONLY);
    {
        whole_file file("/dev/fd/" + std::to_string(descriptor));
        file.write("later", 5);
        EXPECT_TRUE(file.finish());
    }
    EXPECT_EQ(write(descriptor, "LATER", 5), 5); // the same file, and not one in its place
    close(descriptor);
    EXPECT_EQ(temporary_folder::read(path), "LATER");
}

TEST(whole_file, full_disk_is_reported_and_nothing_stays)
{
    whole_file full("/dev/full");
    ASSERT_TRUE(full.open());
    full.write("text", 4);
    EXPECT_FALSE(full.finish());
    whole_file nowhere("/nonexistent/folder/file");
    EXPECT_FALSE(nowhere.open());
}

TEST(vertex_csv, streams_are_grouped_and_columns_are_the_sorted_union)
{
    const temporary_folder folder;
    capture_list capture;
    capture[0] = {0x74, 0x70};
    capture[2] = {0x80, 0x70};
    vertex_csv csv(folder.path("v.csv"), capture);
    const word first[] = {0x3f800000U, 1U};
    const word second[] = {0xdeadbeefU, 2U};
    csv.vertex(2, 0, 0, second, 2);
    csv.vertex(0, 0, 0, first, 2);
    csv.vertex(2, 12345678901ULL, 2, first, 2);
    csv.vertex(0, 1, 1, second, 2);
    csv.finish();
    EXPECT_EQ(temporary_folder::read(folder.path("v.csv")), "stream,primitive,vertex,0x70,0x74,0x80\n"
                                                            "0,0,0,0x00000001,0x3f800000,\n"
                                                            "0,1,1,0x00000002,0xdeadbeef,\n"
                                                            "2,0,0,0x00000002,,0xdeadbeef\n"
                                                            "2,12345678901,2,0x00000001,,0x3f800000\n");
    EXPECT_EQ(csv.rows(), 4U);
    EXPECT_FALSE(std::filesystem::exists(folder.path("v.csv.2")));
}

TEST(vertex_csv, a_million_rows_pass_through_the_buffer_unchanged)
{
    const temporary_folder folder;
    capture_list capture;
    capture[0] = {0x80};
    vertex_csv csv(folder.path("v.csv"), capture);
    constexpr word rows = 100'000;
    for (word i = 0; i < rows; ++i) csv.vertex(0, i / 3, i % 3, &i, 1);
    csv.finish();
    std::ifstream file(folder.path("v.csv"));
    std::string line;
    std::getline(file, line);
    for (word i = 0; i < rows; ++i) {
        ASSERT_TRUE(std::getline(file, line));
        char expected[64];
        std::snprintf(expected, sizeof expected, "0,%u,%u,0x%08x", i / 3, i % 3, i);
        ASSERT_EQ(line, expected);
    }
    EXPECT_FALSE(std::getline(file, line));
}

TEST(vertex_csv, a_full_disk_is_an_error)
{
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    capture_list capture;
    capture[0] = {0x80};
    vertex_csv csv("/dev/full", capture);
    const word value = 0;
    for (unsigned i = 0; i < 100'000; ++i) csv.vertex(0, i, 0, &value, 1);
    EXPECT_THROW(csv.finish(), std::runtime_error);
}

TEST(result_folder, an_earlier_result_is_replaced_as_a_whole)
{
    const temporary_folder folder;
    const auto out = folder.path("out");
    {
        result_folder results(place(out));
        std::ofstream(results.file("report.json")) << "first";
        std::ofstream(results.file("old.txt")) << "x";
        results.commit();
    }
    {
        result_folder results(place(out));
        std::ofstream(results.file("report.json")) << "second";
        EXPECT_EQ(temporary_folder::read(out + "/report.json"), "first"); // untouched until the end
        results.commit();
    }
    EXPECT_EQ(temporary_folder::read(out + "/report.json"), "second");
    EXPECT_FALSE(std::filesystem::exists(out + "/old.txt"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1); // nothing left beside it
}

TEST(result_folder, a_run_that_fails_leaves_nothing)
{
    const temporary_folder folder;
    {
        result_folder results(place(folder.path("a/b/out")));
        std::ofstream(results.file("vertices.csv")) << "half";
    }
    EXPECT_FALSE(std::filesystem::exists(folder.path("a/b/out")));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path("a/b")));
}

TEST(result_folder, other_folders_are_never_replaced)
{
    const temporary_folder folder;
    folder.write("precious.txt", "x");
    EXPECT_NE(error_text([&] { result_folder(place(folder.path("precious.txt"))); }).find("is a file"),
              std::string::npos);
    EXPECT_NE(error_text([&] { result_folder(place(folder.path())); }).find("no result of isbesim"), std::string::npos);
    EXPECT_NE(error_text([&] { result_folder(place(folder.path("precious.txt/out"))); }).find("can't be written"),
              std::string::npos);
    result_folder results(place(folder.path("results")));
    results.write("report.json", "{}");
    results.commit();
    folder.write("results/precious.txt", "x");
    EXPECT_NE(error_text([&] { result_folder(place(folder.path("results"))); }).find("no result of isbesim"),
              std::string::npos);
    EXPECT_EQ(temporary_folder::read(folder.path("precious.txt")), "x");
    std::filesystem::create_symlink("nothing", folder.path("link"));
    EXPECT_NE(error_text([&] { result_folder(place(folder.path("link"))); }).find("is a link to nothing"),
              std::string::npos);
}

TEST(result_folder, other_files_of_the_command_are_never_replaced)
{
    const temporary_folder folder;
    const auto error = [&](const std::string& name) {
        const auto file = folder.path(name);
        return error_text([&] {
            auto there = place(folder.path("out"));
            there.files = {{"--record", file, {"command-line", 1, 3}, whole_path(file)}};
            result_folder{there};
        });
    };
    const auto text = [&](const std::string& name) { return "command-line:1:3: --record is '" + folder.path(name); };
    EXPECT_EQ(error("out"), text("out") + "', which --out writes, too; expected another file");
    EXPECT_EQ(error("out/t"), text("out/t") + "', in the folder that --out replaces; expected a file elsewhere");
    EXPECT_EQ(error("out_t"), "");
    std::filesystem::create_directory(folder.path("out"));
    folder.write("out/report.json", "{}");
    EXPECT_EQ(error("below/../out/t"),
              text("below/../out/t") + "', in the folder that --out replaces; expected a file elsewhere");
}

TEST(result_folder, results_of_another_command_are_never_replaced)
{
    const temporary_folder folder;
    const auto out = folder.path("out");
    const auto make = [&](const char* command, bool is_default) {
        result_folder results({out, {"command-line", 1, 2}, command, is_default});
        results.write("report.json", command);
        results.commit();
        return results.final_file("report.json");
    };
    EXPECT_EQ(make("compile", true), out + "/report.json");
    // Without --out, each command finds the folder of its earlier result, in any order.
    for (const char* command : {"run", "compare", "run", "traffic", "compile"}) {
        const bool first = command == std::string("compile");
        EXPECT_EQ(make(command, true), out + (first ? "" : std::string("_") + command) + "/report.json");
    }
    EXPECT_EQ(temporary_folder::read(out + "/report.json"), "compile");
    EXPECT_EQ(error_text([&] { make("run", false); }),
              "command-line:1:2: '" + out +
                  "' holds the results of isbesim compile, expected a new or empty folder or "
                  "an earlier result of isbesim run");
    std::filesystem::rename(out + "_run/report.json", out + "_run/of");
    EXPECT_EQ(error_text([&] { make("run", true); }),
              "command-line:1:2: '" + out +
                  "_run' holds files that are no result of isbesim, expected a new or empty "
                  "folder or an earlier result of isbesim run");
    EXPECT_EQ(temporary_folder::read(out + "_run/of"), "run");
}

class comparison : public testing::Test {
protected:
    static constexpr const char* header = "stream,primitive,vertex,0x70,0x80\n";

    std::string compare(const std::string& got, const std::string& expected, const expectation& how = {})
    {
        auto expect = how;
        expect.file = folder_.write("expected.csv", header + expected);
        const auto difference = compare_vertices(folder_.write("got.csv", header + got), expect);
        return difference ? difference->text() : "";
    }

    temporary_folder folder_;
};

TEST_F(comparison, word_for_word_reports_the_first_difference)
{
    const std::string rows = "0,0,0,0x00000001,0x00000002\n0,0,1,0x00000003,\n";
    EXPECT_EQ(compare(rows, rows), "");
    EXPECT_EQ(compare("0,0,0,0x00000001,0x00000002\n0,0,1,0x00000004,\n", rows),
              "row 2, column 0x70: expected 0x00000003, got 0x00000004");
    EXPECT_EQ(compare("0,0,0,0x00000001,0x00000002\n0,1,1,0x00000003,\n", rows),
              "row 2, column primitive: expected 0, got 1");
    EXPECT_EQ(compare("0,0,0,0x00000001,0x00000002\n", rows),
              "row 2: expected 0,0,1,0x00000003,, got the end of the vertices");
    EXPECT_EQ(compare(rows + rows, rows), "row 3: expected the end of the vertices, got 0,0,0,0x00000001,0x00000002");
    EXPECT_EQ(compare("0,0,0,0x00000001,0x00000002\n0,0,1,0x00000003,0x00000000\n", rows),
              "row 2, column 0x80: expected , got 0x00000000");
    EXPECT_NE(compare("", rows), "");
    EXPECT_NE(compare(rows, ""), "");
}

TEST_F(comparison, a_last_line_stands_for_rows_that_are_left_out)
{
    const std::string first = "0,0,0,0x00000001,0x00000002\n", second = "0,0,1,0x00000003,\n", third = "0,1,0,0x4,\n";
    checksum sum;
    sum.add_bytes((second + third).data(), second.size() + third.size());
    const auto rest = "rest,2," + hex(sum.value(), 16);
    EXPECT_EQ(compare(first + second + third, first + rest + "\n"), "");
    for (const auto& other : {second, third + second, second + third + third, std::string()}) {
        const auto text = compare(first + other, first + rest + "\n");
        EXPECT_EQ(text.rfind("row 2: expected " + rest + ", got rest,", 0), 0U) << text;
    }
    EXPECT_NE(compare(second + second + third, first + rest), "");
    // The same of primitives in any order.
    expectation set;
    set.any_order = true;
    const auto lines = [](const std::vector<std::string>& ends) {
        std::string rows;
        for (std::size_t i = 0; i < ends.size(); ++i)
            for (const unsigned end : {0U, 1U})
                rows += "0," + std::to_string(i) + "," + std::to_string(end) + ",0x" + ends[i][end] + ",\n";
        return rows;
    };
    const auto left_out = compare(lines({"12", "34", "56"}), lines({"12"}) + "rest,4,0x0\n", set);
    const auto partial = left_out.substr(left_out.rfind("rest,"));
    EXPECT_EQ(left_out.rfind("row 3: expected rest,4,0x0, got rest,4,0x", 0), 0U) << left_out;
    for (const auto& same : {lines({"12", "34", "56"}), lines({"65", "21", "34"})})
        EXPECT_EQ(compare(same, lines({"12"}) + partial + "\n", set), "");
    for (const auto& other : {lines({"12", "34", "57"}), lines({"12", "34"}), lines({"12", "34", "56", "56"}),
                              lines({"12", "35", "46"}), lines({"34", "56", "34"})})
        EXPECT_NE(compare(other, lines({"12"}) + partial, set), "");
}

TEST_F(comparison, other_columns_differ)
{
    expectation expect;
    expect.file = folder_.write("expected.csv", "stream,primitive,vertex,0x70\n");
    EXPECT_TRUE(compare_vertices(folder_.write("got.csv", header), expect).has_value());
}

TEST_F(comparison, units_in_the_last_place)
{
    expectation how;
    how.ulp = 2;
    const auto row = [](const std::string& value) { return "0,0,0," + value + ",0x00000000\n"; };
    EXPECT_EQ(compare(row("0x3f800002"), row("0x3f800000"), how), "");
    EXPECT_NE(compare(row("0x3f800003"), row("0x3f800000"), how), "");
    EXPECT_EQ(compare(row("0x3f7fffff"), row("0x3f800001"), how), ""); // across a power of two
    EXPECT_EQ(compare(row("0x80000000"), row("0x00000000"), how), ""); // minus zero
    EXPECT_NE(compare(row("0x00000005"), row("0x00000006"), how), ""); // integers have no slack
    EXPECT_NE(compare(row("0x7f800001"), row("0x7f800000"), how), ""); // nor have infinities and NaN
    EXPECT_NE(compare(row("0xbf800000"), row("0x3f800000"), how), "");
}

TEST_F(comparison, tolerance)
{
    expectation how;
    how.tolerance = 0.25;
    const auto row = [](const std::string& value) { return "0,0,0," + value + ",0x00000000\n"; };
    EXPECT_EQ(compare(row("0x3fa00000"), row("0x3f800000"), how), ""); // 1.25, 1: |a-b| = 0.25
    EXPECT_NE(compare(row("0x3fa00001"), row("0x3f800000"), how), "");
    EXPECT_EQ(compare(row("0x42c80000"), row("0x42a00000"), how), ""); // 100, 80: 20 <= 0.25 * 80
    EXPECT_NE(compare(row("0x42ca0000"), row("0x42a00000"), how), ""); // 101, 80
    EXPECT_EQ(compare(row("0x3e800000"), row("0x00000000"), how), ""); // 0.25, 0
    EXPECT_NE(compare(row("0x3e800001"), row("0x00000000"), how), "");
    EXPECT_NE(compare(row("0x00000001"), row("0x00000000"), how), "");
}

TEST_F(comparison, as_a_set_of_primitives_up_to_rotation)
{
    expectation how;
    how.any_order = true;
    const auto triangle = [](int number, const std::string& a, const std::string& b, const std::string& c) {
        const auto n = std::to_string(number);
        return "0," + n + ",0," + a + ",\n0," + n + ",1," + b + ",\n0," + n + ",2," + c + ",\n";
    };
    const std::string a = "0x3f800000", b = "0x40000000", c = "0x40400000", d = "0x40800000";
    const auto expected = triangle(0, a, b, c) + triangle(1, b, c, d);
    EXPECT_EQ(compare(triangle(0, c, d, b) + triangle(1, b, c, a), expected, how), "");
    EXPECT_NE(compare(triangle(0, b, c, d) + triangle(1, b, a, c), expected, how), ""); // winding turned
    EXPECT_NE(compare(triangle(0, a, b, c) + triangle(1, a, b, c), expected, how), ""); // a multiset
    EXPECT_NE(compare(triangle(0, a, b, c), expected, how), "");
    EXPECT_NE(compare(expected + triangle(2, a, b, c), expected, how), "");
    EXPECT_NE(compare(triangle(0, c, d, b) + triangle(1, b, c, a), expected), ""); // order counts without it
    how.ulp = 1;
    EXPECT_EQ(compare(triangle(0, c, "0x40800001", b) + triangle(1, b, "0x403fffff", a), expected, how), "");
    EXPECT_NE(compare(triangle(0, c, "0x40800002", b) + triangle(1, b, c, a), expected, how), "");
}

TEST_F(comparison, primitives_change_partners_where_only_that_pairs_all)
{
    expectation how;
    how.any_order = true;
    how.ulp = 1;
    const auto points = [](const std::vector<std::string>& values) {
        std::string rows;
        for (std::size_t i = 0; i < values.size(); ++i) rows += "0," + std::to_string(i) + ",0," + values[i] + ",\n";
        return rows;
    };
    const std::string one = "0x3f800000", next = "0x3f800001", third = "0x3f800002", fourth = "0x3f800003";
    EXPECT_EQ(compare(points({next, fourth}), points({third, one}), how), ""); // third may not take next from one
    EXPECT_EQ(compare(points({next, third}), points({next, one}), how), "");   // nor may an equal one
    EXPECT_NE(compare(points({third, third}), points({next, one}), how), "");
    EXPECT_NE(compare(points({next, fourth, fourth}), points({next, third, one}), how), "");
}

TEST_F(comparison, of_small_sets_as_in_any_order)
{
    expectation how;
    how.any_order = true;
    std::mt19937 random(20);
    unsigned equal = 0;
    for (unsigned round = 0; round < 200; ++round) {
        how.ulp = round % 3 == 0 ? 0 : 1;
        how.tolerance = round % 3 == 2 ? 0.3 : 0;
        const auto draw = [&random](word below) { return static_cast<word>(random() % below); };
        const auto words = [&] {
            std::vector<word> all(5);
            for (word& w : all) w = (how.tolerance > 0 ? 0x3e000000U + draw(32) * 0x00100000U : 0x3f800000U) + draw(4);
            return all;
        };
        const auto got = words();
        const auto want = words();
        std::vector<unsigned> order{0, 1, 2, 3, 4};
        bool same = false;
        do {
            bool pairs = true;
            for (unsigned i = 0; i < 5; ++i) pairs &= word_matches(got[order[i]], want[i], how);
            same |= pairs;
        } while (std::next_permutation(order.begin(), order.end()));
        const auto rows = [](const std::vector<word>& all) {
            std::string text;
            for (std::size_t i = 0; i < all.size(); ++i)
                text += "0," + std::to_string(i) + ",0," + hex(all[i], 8) + ",\n";
            return text;
        };
        EXPECT_EQ(compare(rows(got), rows(want), how).empty(), same) << round;
        equal += same ? 1 : 0;
    }
    EXPECT_GT(equal, 20U);
    EXPECT_LT(equal, 180U);
}

TEST_F(comparison, a_broken_expectation_is_wrong_input)
{
    const auto error = [&](const std::string& content, bool any_order = false) {
        expectation expect;
        expect.any_order = any_order;
        expect.file = folder_.write("expected.csv", content);
        const auto got = folder_.write("got.csv", std::string(header) + "0,0,0,0x00000001,\n");
        return error_text([&] { compare_vertices(got, expect); });
    };
    const auto checked = [&](const std::string& rows, unsigned ulp = 0) {
        expectation expect;
        expect.ulp = ulp;
        expect.file = folder_.write("expected.csv", header + rows);
        return error_text([&] { check_expectation(expect); });
    };
    EXPECT_EQ(checked("0,0,0,0x1,0x2\r\n0,1,0,,0x2"), "");
    EXPECT_NE(checked("rest,1,0x0123456789abcdef\n", 1).find(":2:1: rows are left out"), std::string::npos);
    // No topology has 33 vertices, and every rotation of them would be tried.
    std::string huge;
    for (unsigned vertex = 0; vertex < 33; ++vertex) huge += "0,7," + std::to_string(vertex) + ",0x1,\n";
    EXPECT_NE(error(header + huge, true).find(":34:3: primitive 7 has more than 32 vertices"), std::string::npos);
}

} // namespace
} // namespace isbesim::testbench
