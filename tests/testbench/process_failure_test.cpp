// SPDX-License-Identifier: Apache-2.0
// Exceptions inside the simulation's processes, through the two harnesses that the commands use: they come out as they
// were thrown, and a command prints them on one line.
#include <sstream>

#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/command_line.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/processes/exit_status.h"
#include "testbench/scenario/scenario.h"
#include "testbench/system/system.h"
#include "tests/testbench/temporary_folder.h"
#include "tlm/process_guard.h"

namespace isbesim::testbench {
namespace {

const source_place some_place{"some.file", 3, 4};

/// Takes `rows` vertices, then throws.
template <typename Exception>
class failing_sink : public vertex_sink {
public:
    failing_sink(Exception exception, unsigned rows) : exception_(std::move(exception)), left_(rows) {}
    void vertex(unsigned, std::uint64_t, unsigned, const word*, std::size_t) override
    {
        if (left_-- == 0) throw exception_;
    }

private:
    Exception exception_;
    unsigned left_;
};

class process_failure : public testing::TestWithParam<const char*> {
protected:
    template <typename Exception>
    void run_draw(const Exception& exception)
    {
        const auto scenario = load_scenario(ISBESIM_SOURCE_DIR "/testbench/scenarios/gs_conditional/scenario.json");
        failing_sink<Exception> sink(exception, 5);
        const machine_config config;
        simulated_system system({config, *find_isbe_backend(GetParam()), scenario.draw, sink, true});
        system.run({}, {});
    }
};
INSTANTIATE_TEST_SUITE_P(on, process_failure, testing::Values("lt", "at"),
                         [](const auto& chosen) { return std::string(chosen.param); });

TEST_P(process_failure, wrong_input_found_in_a_draw_stays_wrong_input)
{
    EXPECT_THROW(run_draw(input_error(some_place, "wrong")), input_error);
    EXPECT_FALSE(failed_process().empty());
}

TEST_P(process_failure, an_internal_error_of_a_draw_names_the_process)
{
    EXPECT_THROW(run_draw(std::logic_error("impossible")), std::logic_error);
    EXPECT_NE(failed_process().find(" at "), std::string::npos) << failed_process();
}

/// Hands out some items, then throws.
class failing_source : public traffic_source {
public:
    const traffic_item* draw(unsigned) override
    {
        if (left_-- == 0) throw input_error(some_place, "damaged");
        item_.op.op = opcode::isberd;
        item_.op.region = region::physical;
        item_.op.size = 4;
        return &item_;
    }

private:
    traffic_item item_;
    unsigned left_ = 20;
};

TEST_P(process_failure, wrong_input_found_in_traffic_stays_wrong_input)
{
    failing_source source;
    traffic_request request;
    request.backend = GetParam();
    EXPECT_THROW(run_traffic(request, source), input_error);
    EXPECT_NE(failed_process().find("process issuer"), std::string::npos) << failed_process();
}

/// Throws whatever is written to it, as the command's standard output.
class throwing_buffer : public std::streambuf {
    int_type overflow(int_type) override
    {
        SC_REPORT_ERROR("/test/report", "a\nb");
        return 0;
    }
};

/// The error line of a command with an internal error.
std::string internal_error_line()
{
    throwing_buffer buffer;
    std::ostream out(&buffer);
    out.exceptions(std::ios::badbit); // passes on what the buffer throws
    std::ostringstream err;
    EXPECT_EQ(run_command_line({"help"}, out, err), exit_status::internal_error);
    return err.str();
}

TEST(process_failure_of_command, systemc_report_takes_a_single_line)
{
    EXPECT_EQ(internal_error_line(), "isbesim: internal error: /test/report: a b\n");
}

TEST_P(process_failure, the_error_line_names_the_process)
{
    EXPECT_THROW(run_draw(std::logic_error("impossible")), std::logic_error);
    EXPECT_EQ(internal_error_line(), "isbesim: internal error: /test/report: a b (" + failed_process() + ")\n");
}

TEST(process_failure_of_command, a_trace_that_can_not_be_written_is_wrong_input)
{
    const temporary_folder folder;
    std::ostringstream out, err;
    EXPECT_EQ(run_command_line({"run", ISBESIM_SOURCE_DIR "/testbench/scenarios/gs_conditional/scenario.json",
                                "--quiet", "--out", folder.path("out"), "--record", "/dev/full"},
                               out, err),
              exit_status::wrong_input);
    EXPECT_EQ(err.str(),
              "isbesim: error: command-line:1:6: /dev/full can't be written completely, expected room for it\n");
}

} // namespace
} // namespace isbesim::testbench
