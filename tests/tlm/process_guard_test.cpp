// SPDX-License-Identifier: Apache-2.0
// An exception in a process ends the simulation, and start_simulation() throws it unchanged.
#include "tlm/process_guard.h"

#include <functional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <systemc>

#include "tlm/has_process.h"

namespace isbesim::test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// Two methods and two threads whose bodies the test defines; all first run at 10 ns.
class guarded_module : public sc_core::sc_module {
public:
    std::function<void()> first_body = [] {}, second_body = [] {}, thread_body = [] {}, late_thread_body = [] {};

    explicit guarded_module(const sc_core::sc_module_name& name) : sc_core::sc_module(name)
    {
        ISBESIM_HAS_PROCESS(guarded_module);
        SC_METHOD(first);
        sensitive << first_event_;
        dont_initialize();
        SC_METHOD(second);
        sensitive << second_event_;
        dont_initialize();
        SC_THREAD(thread);
        SC_THREAD(late_thread);
        first_event_.notify(10, SC_NS);
        second_event_.notify(sc_time(11, SC_NS));
    }

private:
    void first()
    {
        guard_process([this] { first_body(); });
    }
    void second()
    {
        guard_process([this] { second_body(); });
    }
    void thread()
    {
        guard_process([this] {
            wait(10, SC_NS);
            thread_body();
        });
    }
    void late_thread()
    {
        guard_process([this] {
            wait(20, SC_NS);
            late_thread_body();
        });
    }

    sc_core::sc_event first_event_, second_event_;
};

struct own_error : std::runtime_error {
    int number;
    own_error(const std::string& text, int n) : std::runtime_error(text), number(n) {}
};

/// The exception's text and number; fails if there is no exception or one of another type.
std::pair<std::string, int> thrown_by(const std::function<void()>& start)
{
    try {
        start();
    } catch (const own_error& error) {
        return {error.what(), error.number};
    }
    ADD_FAILURE() << "no exception";
    return {};
}

TEST(process_guard, exception_of_a_method_keeps_its_type)
{
    guarded_module model("model");
    bool later = false;
    model.first_body = [] { throw own_error("in a method", 7); };
    model.second_body = [&] { later = true; };
    EXPECT_EQ(thrown_by([] { start_simulation(); }), (std::pair<std::string, int>{"in a method", 7}));
    EXPECT_EQ(failed_process(), "process model.first at 10 ns");
    EXPECT_FALSE(later) << "the simulation went on";
    EXPECT_EQ(sc_core::sc_get_status(), sc_core::SC_STOPPED);
}

TEST(process_guard, exception_of_a_thread_keeps_its_type)
{
    guarded_module model("model");
    model.thread_body = [] { throw own_error("in a thread", 8); };
    EXPECT_EQ(thrown_by([] { start_simulation(sc_time(1, sc_core::SC_US)); }),
              (std::pair<std::string, int>{"in a thread", 8}));
    EXPECT_EQ(failed_process(), "process model.thread at 10 ns");
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(10, SC_NS));
}

TEST(process_guard, the_first_of_two_exceptions_counts)
{
    guarded_module model("model");
    unsigned thrown = 0;
    const auto fail = [&] { throw own_error("exception", static_cast<int>(++thrown)); };
    model.first_body = fail; // same time, same delta cycle
    model.thread_body = fail;
    EXPECT_EQ(thrown_by([] { start_simulation(); }).second, 1);
}

TEST(process_guard, a_report_of_systemc_is_an_exception_like_others)
{
    guarded_module model("model");
    model.thread_body = [] { SC_REPORT_ERROR("/test/report", "something is wrong"); };
    try {
        start_simulation();
        FAIL() << "no exception";
    } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg(), "something is wrong");
        EXPECT_STREQ(report.get_msg_type(), "/test/report");
    }
}

TEST(process_guard, without_exceptions_equals_sc_start)
{
    guarded_module model("model");
    unsigned ran = 0;
    model.first_body = model.second_body = model.thread_body = model.late_thread_body = [&] { ++ran; };
    start_simulation(sc_time(15, SC_NS));
    EXPECT_EQ(ran, 3U);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(15, SC_NS));
    start_simulation();
    EXPECT_EQ(ran, 4U);
    EXPECT_EQ(failed_process(), "");
}

// A plain sc_start does not rethrow the exception, which must not get lost.
TEST(process_guard, under_sc_start_exceptions_go_the_way_of_systemc)
{
    guarded_module model("model");
    model.first_body = [] { throw own_error("in a method", 7); };
    try {
        sc_core::sc_start();
        FAIL() << "no exception";
    } catch (const sc_core::sc_report& report) {
        EXPECT_NE(std::string(report.what()).find("in a method"), std::string::npos) << report.what();
    }
}

/// A foreign process, not guarded.
class foreign_module : public sc_core::sc_module {
public:
    explicit foreign_module(const sc_core::sc_module_name& name) : sc_core::sc_module(name)
    {
        ISBESIM_HAS_PROCESS(foreign_module);
        SC_THREAD(run);
    }

private:
    void run()
    {
        wait(10, SC_NS);
        throw std::runtime_error("foreign");
    }
};

TEST(process_guard, a_process_that_is_not_guarded_fails_as_ever)
{
    foreign_module foreign("foreign");
    try {
        start_simulation();
        FAIL() << "no exception";
    } catch (const sc_core::sc_report& report) {
        EXPECT_NE(std::string(report.what()).find("foreign"), std::string::npos) << report.what();
    }
    EXPECT_EQ(failed_process(), "");
}

/// Ends a thread of another module while it is inside its guarded body.
TEST(process_guard, killing_a_thread_is_no_failure)
{
    guarded_module model("model");
    bool ran = false, ended = false;
    sc_core::sc_process_handle victim;
    model.thread_body = [&] {
        struct on_end {
            bool& flag;
            ~on_end() { flag = true; }
        } const guard{ended};
        victim = sc_core::sc_get_current_process_handle();
        sc_core::wait(100, SC_NS);
        ran = true;
    };
    model.late_thread_body = [&] { victim.kill(); };
    start_simulation();
    EXPECT_TRUE(ended);
    EXPECT_FALSE(ran);
    EXPECT_EQ(failed_process(), "");
}

} // namespace
} // namespace isbesim::test
