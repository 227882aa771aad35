// SPDX-License-Identifier: Apache-2.0
// Counts that a program reads after a fence of the driver (channel/fence_queue.h).
#include <sstream>

#include "tests/gl/gl_session.h"
#include "tests/testbench/report_of.h"

namespace isbesim::testbench {
namespace {

struct counts_row {
    const char* what;
    const char* expected; ///< vertices that were drawn
};

void PrintTo(const counts_row& row, std::ostream* out)
{
    *out << row.what;
}

class gl_counts : public gl_driver, public testing::WithParamInterface<counts_row> {};

TEST_P(gl_counts, are_there_when_they_are_read)
{
    for (const std::string chip : {"gm107", "tu102"}) {
        const auto result =
            run({"--chip", chip, "--quiet"},
                {"/usr/bin/python3", ISBESIM_SOURCE_DIR "/tests/gl/counts_program.py", GetParam().what});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(result.out, GetParam().expected + std::string("\n")) << chip;
    }
}

INSTANTIATE_TEST_SUITE_P(all, gl_counts,
                         testing::Values(counts_row{"conditional", "4 5 6 9"}, counts_row{"buffer", "4 7 7"},
                                         counts_row{"poll", "4"}, counts_row{"mapped", "1 4"}, counts_row{"sync", "4"},
                                         counts_row{"thread", "4 5 6 7 8 9"}, counts_row{"child", "4"},
                                         counts_row{"left", ""}),
                         [](const auto& each) { return std::string(each.param.what); });

TEST_F(gl_driver, draws_on_a_chip_take_the_cycles_of_a_run)
{
    const auto capture = folder_.path("a.capture");
    const words machine = {"--config", "gm107_chip", "--set", "clock_ghz=1", "--set", "pe.batch_vertices=8"};
    const auto result = run(machine + words{"--execute", "at", "--capture", capture, "--quiet"},
                            {"/usr/bin/python3", ISBESIM_SOURCE_DIR "/tests/gl/counts_program.py", "elapsed"});
    EXPECT_EQ(result.status, 0) << result.err;
    std::istringstream nanoseconds(result.out);
    std::vector<std::int64_t> fetched;
    for (const std::string draw : {"0", "1", "2", "3", "4", "5", "6"}) {
        std::uint64_t elapsed = 0;
        nanoseconds >> elapsed;
        const auto report = report_of(words{"run", capture, "--draw", draw} + machine, folder_.path(draw));
        EXPECT_EQ(report.at("cycles"), elapsed) << draw;
        fetched.push_back(report.at("output").at("fetched_bytes").as_int64());
    }
    // Indices of 1, 2 and 4 bytes of the same 300 points.
    EXPECT_EQ(fetched[5] - fetched[4], 300);
    EXPECT_EQ(fetched[6] - fetched[5], 600);
}

} // namespace
} // namespace isbesim::testbench
