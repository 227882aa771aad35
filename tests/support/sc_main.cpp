// SPDX-License-Identifier: Apache-2.0
// SystemC's library has main() and calls sc_main, which runs GoogleTest. With gtest_main instead, no test would run
// and the exit status would be 0. SystemC elaborates once per process, so each of several tests has its own process.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <systemc>

namespace {
// Runs the tests of a filter in a child. Returns its exit status.
int run_in_child(const std::string& filter)
{
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        GTEST_FLAG_SET(filter, filter);
        std::exit(RUN_ALL_TESTS());
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        std::perror("a test could not be started");
        std::exit(2);
    }
    if (WIFSIGNALED(status)) std::printf("[  FAILED  ] %s: %s\n", filter.c_str(), strsignal(WTERMSIG(status)));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// Full names of the tests that the command line's filter selects, as --gtest_list_tests prints them.
std::vector<std::string> selected_tests()
{
    ::testing::internal::CaptureStdout();
    GTEST_FLAG_SET(list_tests, true);
    if (RUN_ALL_TESTS() != 0) std::exit(2);
    GTEST_FLAG_SET(list_tests, false);
    std::vector<std::string> names;
    std::string suite;
    std::istringstream list(::testing::internal::GetCapturedStdout());
    for (std::string line; std::getline(list, line);) {
        const std::string name = line.substr(0, line.find_first_of(" #", 2));
        if (line.rfind("  ", 0) == 0)
            names.push_back(suite + name.substr(2));
        else
            suite = name;
    }
    return names;
}
} // namespace

int sc_main(int argc, char* argv[])
{
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_DO_NOTHING);
    ::testing::InitGoogleTest(&argc, argv);
    const std::string filter = GTEST_FLAG_GET(filter);
    if (GTEST_FLAG_GET(list_tests) || filter.find_first_of("*?:-") == std::string::npos) return RUN_ALL_TESTS();

    const std::vector<std::string> tests = selected_tests();
    const auto failed =
        std::count_if(tests.begin(), tests.end(), [](const auto& test) { return run_in_child(test) != 0; });
    std::printf("%zu tests, %td failed\n", tests.size(), failed);
    return failed == 0 ? 0 : 1;
}
