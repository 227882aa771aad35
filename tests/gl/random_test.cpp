// SPDX-License-Identifier: Apache-2.0
// Random shader programs of tests/gl/random_program.py: what the model captures is what llvmpipe captures, word for
// word.
#include <sstream>

#include "tests/gl/gl_session.h"

namespace isbesim::testbench {
namespace {

/// Several hundred more by hand: isbesim gl -- tests/gl/random_program.py SEED COUNT, and the same with
/// LIBGL_ALWAYS_SOFTWARE=1 instead of `isbesim gl`.
const words twelve = {"/usr/bin/python3", ISBESIM_SOURCE_DIR "/tests/gl/random_program.py", "101", "12"};

class gl_random : public gl_driver, public testing::WithParamInterface<const char*> {};

TEST_P(gl_random, random_captures_equal_llvmpipes)
{
    const auto expected = run({"--quiet"}, words{"/usr/bin/env", "LIBGL_ALWAYS_SOFTWARE=1"} + twelve);
    ASSERT_EQ(expected.status, 0) << expected.err;
    const auto result = run({"--chip", GetParam()}, twelve);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err.find(": ", result.err.find('\n')), std::string::npos) << result.err;
    // A line a seed: `random_program.py SEED words` shows what differs.
    std::istringstream here(result.out);
    std::istringstream there(expected.out);
    std::string line;
    std::string reference;
    unsigned seeds = 0;
    for (; std::getline(there, reference); ++seeds) {
        std::getline(here, line);
        EXPECT_EQ(line, reference);
    }
    EXPECT_EQ(seeds, 12U);
}

/// ... and what random programs leave out, because llvmpipe of Mesa 25.0 does not do it.
TEST_P(gl_random, control_programs_read_outputs_of_other_vertices)
{
    const auto result = run({"--chip", GetParam()}, {"/usr/bin/python3", ISBESIM_SOURCE_DIR "/tests/gl/read_back.py"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "read back\n");
    EXPECT_NE(result.err.find(", 4 run; "), std::string::npos) << result.err;
}

INSTANTIATE_TEST_SUITE_P(chips, gl_random, testing::Values("gm107", "tu102"),
                         [](const auto& each) { return std::string(each.param); });

} // namespace
} // namespace isbesim::testbench
