// SPDX-License-Identifier: Apache-2.0
// Breaks each rule of the protocol checker once: only that rule is reported; a clean exchange gives no report.
#define SC_INCLUDE_DYNAMIC_PROCESSES // for sc_spawn, required at each #include of <systemc>

#include <gtest/gtest.h>

#include "testbench/crosscheck/protocol_cases.h"
#include "tlm/has_process.h"

namespace isbesim::test {
namespace {

using testbench::protocol_case;
using testbench::protocol_cases;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

/// Runs steps in processes, and advances the time.
class checker_bench : public testbench::checker_bench {
public:
    explicit checker_bench(const sc_core::sc_module_name& name = "bench") : testbench::checker_bench(name)
    {
        ISBESIM_HAS_PROCESS(checker_bench);
        SC_THREAD(run);
        sensitive << body_event_;
        dont_initialize();
        SC_METHOD(run_once);
        sensitive << method_event_;
        dont_initialize();
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    /// Blocking calls must come from a thread.
    void in_thread(std::function<void()> body)
    {
        body_ = std::move(body);
        body_event_.notify();
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void in_method(std::function<void()> body)
    {
        body_ = std::move(body);
        method_event_.notify();
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void advance(double ns) { sc_core::sc_start(ns, sc_core::SC_NS); }

    /// Ends the test: exactly this rule must have been broken, once.
    void expect_only(protocol_rule rule)
    {
        ASSERT_EQ(checker.violation_count(), 1U) << described();
        EXPECT_EQ(checker.violations()[0].rule, rule) << described();
        EXPECT_NE(checker.violations()[0].describe().find(to_string(rule)), std::string::npos);
    }
    void expect_clean()
    {
        checker.finish();
        EXPECT_EQ(checker.violation_count(), 0U) << described();
    }

private:
    void run()
    {
        for (;; wait()) body_();
    }
    void run_once() { body_(); }

    std::function<void()> body_;
    sc_core::sc_event body_event_, method_event_;
};

TEST(protocol_checker, four_phases_on_the_paths_are_clean)
{
    checker_bench bench;
    tlm_generic_payload& a = bench.request();
    tlm_generic_payload& b = bench.request();
    bench.forward(a, tlm::BEGIN_REQ);
    bench.advance(2);
    bench.backward(a, tlm::END_REQ);
    bench.forward(b, tlm::BEGIN_REQ);
    bench.advance(2);
    bench.backward(a, tlm::BEGIN_RESP);
    bench.advance(2);
    bench.forward(a, tlm::END_RESP);
    bench.backward(b, tlm::BEGIN_RESP); // END_REQ implied
    bench.forward(b, tlm::END_RESP);
    EXPECT_EQ(bench.checker.transactions(), 2U);
    bench.expect_clean();
}

TEST(protocol_checker, phases_in_return_values_are_clean)
{
    checker_bench bench;
    bench.on_forward = [](tlm_generic_payload&, tlm_phase& phase, sc_core::sc_time&) {
        if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    };
    bench.on_backward = [](tlm_generic_payload&, tlm_phase&, sc_core::sc_time&) { return tlm::TLM_COMPLETED; };
    tlm_generic_payload& a = bench.request();
    bench.forward(a, tlm::BEGIN_REQ);
    bench.backward(a, tlm::BEGIN_RESP);
    bench.on_forward = [](tlm_generic_payload& payload, tlm_phase&, sc_core::sc_time& delay) {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        delay += sc_core::sc_time(5, sc_core::SC_NS);
        return tlm::TLM_COMPLETED;
    };
    bench.forward(bench.request(), tlm::BEGIN_REQ);
    bench.expect_clean();
}

class protocol_rules : public testing::TestWithParam<protocol_case> {};
INSTANTIATE_TEST_SUITE_P(broken, protocol_rules, testing::ValuesIn(protocol_cases()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST_P(protocol_rules, its_violations_alone_are_reported)
{
    checker_bench bench;
    std::string wrong;
    bench.in_thread([&] { wrong = wrong_report(GetParam(), bench); });
    EXPECT_EQ(wrong, "");
}

// A request is annotated with the time of its arrival; a response that ends before that in a return value is not a call
// on the forward path.
TEST(protocol_checker, end_of_a_response_in_a_return_value_before_an_annotated_request_is_clean)
{
    checker_bench bench;
    bench.on_backward = [](tlm_generic_payload&, tlm_phase& phase, sc_core::sc_time&) {
        return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    };
    tlm_generic_payload& a = bench.request();
    tlm_generic_payload& b = bench.request();
    bench.forward(a, tlm::BEGIN_REQ);
    bench.backward(a, tlm::END_REQ);
    bench.forward(b, tlm::BEGIN_REQ, 5);
    bench.backward(a, tlm::BEGIN_RESP);
    bench.advance(6);
    bench.backward(b, tlm::BEGIN_RESP);
    bench.expect_clean();
}

TEST(protocol_checker, blocking_call_outside_a_thread)
{
    checker_bench bench;
    const auto call = [&] {
        tlm_generic_payload& payload = bench.request();
        bench.block(payload);
        payload.release();
    };
    bench.in_thread(call);
    EXPECT_EQ(bench.checker.violation_count(), 0U) << bench.described();
    bench.in_method(call);
    bench.expect_only(protocol_rule::blocking_caller);
    call(); // before or between sc_start calls no process can wait, either
    EXPECT_EQ(bench.checker.violation_count(), 2U);
}

TEST(protocol_checker, a_blocking_call_ends_whose_thread_is_killed_or_reset)
{
    checker_bench bench;
    tlm_generic_payload& a = bench.request();
    bench.on_block = [](tlm_generic_payload&, sc_core::sc_time&) { sc_core::wait(10, sc_core::SC_NS); };
    bench.in_thread([&] {
        auto caller = sc_core::sc_spawn([&] { bench.block(a); });
        sc_core::wait(1, sc_core::SC_NS);
        caller.reset(); // calls again, with the same payload
        sc_core::wait(1, sc_core::SC_NS);
        caller.kill();
    });
    bench.advance(3);
    bench.forward(a, tlm::BEGIN_REQ);
    bench.backward(a, tlm::END_REQ);
    bench.backward(a, tlm::BEGIN_RESP);
    bench.forward(a, tlm::END_RESP);
    bench.expect_clean();
}

TEST(protocol_checker, a_violation_names_transaction_phase_and_time)
{
    checker_bench bench;
    bench.advance(7);
    bench.forward(bench.request(), tlm::BEGIN_REQ);
    bench.advance(3);
    bench.forward(bench.request(), tlm::BEGIN_REQ);
    ASSERT_EQ(bench.checker.violations().size(), 1U);
    EXPECT_EQ(bench.checker.violations()[0].describe(),
              "10 ns: transaction 1, BEGIN_REQ: request exclusion: the request before has not been accepted");
}

} // namespace
} // namespace isbesim::test
