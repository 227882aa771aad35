// SPDX-License-Identifier: Apache-2.0
// Breaks each rule of the protocol checker once: only that rule is reported; a clean exchange gives no report.
#define SC_INCLUDE_DYNAMIC_PROCESSES // for sc_spawn, required at each #include of <systemc>

#include "tlm/protocol_checker.h"

#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/warp_operations.h"
#include "tlm/has_process.h"
#include "tlm/payload_pool.h"

namespace isbesim::test {
namespace {

using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

/// The test controls both ends; the checker is between them.
class checker_bench : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>, public tlm::tlm_bw_transport_if<> {
public:
    cycle_clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
    tlm::tlm_initiator_socket<> initiator{"initiator"};
    tlm::tlm_target_socket<> target{"target"};
    protocol_checker checker{"checker", clock};
    payload_pool pool;
    std::function<tlm_sync_enum(tlm_generic_payload&, tlm_phase&, sc_core::sc_time&)> on_forward;
    std::function<tlm_sync_enum(tlm_generic_payload&, tlm_phase&, sc_core::sc_time&)> on_backward;
    std::function<void(tlm_generic_payload&, sc_core::sc_time&)> on_block =
        [](tlm_generic_payload& payload, sc_core::sc_time&) { payload.set_response_status(tlm::TLM_OK_RESPONSE); };

    explicit checker_bench(const sc_core::sc_module_name& name = "bench") : sc_core::sc_module(name)
    {
        initiator.bind(*this);
        target.bind(*this);
        initiator.bind(checker.target);
        checker.initiator.bind(target);
        ISBESIM_HAS_PROCESS(checker_bench);
        SC_THREAD(run);
        sensitive << body_event_;
        dont_initialize();
        SC_METHOD(run_once);
        sensitive << method_event_;
        dont_initialize();
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }

    tlm_generic_payload& request()
    {
        tlm_generic_payload& payload = pool.acquire();
        payload_pool::extension(payload).op = make_ald(0x80, 1);
        payload_pool::extension(payload).result = {};
        return payload;
    }
    tlm_sync_enum forward(tlm_generic_payload& payload, tlm_phase phase, double delay_ns = 0)
    {
        sc_core::sc_time delay(delay_ns, sc_core::SC_NS);
        return initiator->nb_transport_fw(payload, phase, delay);
    }
    tlm_sync_enum backward(tlm_generic_payload& payload, tlm_phase phase, double delay_ns = 0)
    {
        if (phase == tlm::BEGIN_RESP && answers_) payload.set_response_status(tlm::TLM_OK_RESPONSE);
        sc_core::sc_time delay(delay_ns, sc_core::SC_NS);
        return target->nb_transport_bw(payload, phase, delay);
    }
    void block(tlm_generic_payload& payload, double delay_ns = 0)
    {
        sc_core::sc_time delay(delay_ns, sc_core::SC_NS);
        initiator->b_transport(payload, delay);
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
    void leave_status_incomplete() { answers_ = false; }
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
    std::string described() const
    {
        std::string text;
        for (const auto& v : checker.violations()) text += v.describe() + "\n";
        return text;
    }

private:
    void run()
    {
        for (;; wait()) body_();
    }
    void run_once() { body_(); }
    tlm_sync_enum nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase, sc_core::sc_time& delay) override
    {
        return on_forward ? on_forward(payload, phase, delay) : tlm::TLM_ACCEPTED;
    }
    tlm_sync_enum nb_transport_bw(tlm_generic_payload& payload, tlm_phase& phase, sc_core::sc_time& delay) override
    {
        return on_backward ? on_backward(payload, phase, delay) : tlm::TLM_ACCEPTED;
    }
    void b_transport(tlm_generic_payload& payload, sc_core::sc_time& delay) override { on_block(payload, delay); }
    bool get_direct_mem_ptr(tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm_generic_payload&) override { return 0; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    bool answers_ = true;
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

/// A read of memory, without a warp operation.
class plain_read {
public:
    explicit plain_read(checker_bench& bench) : payload(&bench.pool)
    {
        payload.acquire();
        payload.set_read();
        payload.set_data_ptr(data);
        payload.set_data_length(8);
        payload.set_streaming_width(8);
    }
    unsigned char data[8] = {};
    tlm_generic_payload payload;
};

/// Steps that break a rule once, for run_steps().
struct broken {
    const char* name;
    protocol_rule rule;
    const char* steps;
};
void PrintTo(const broken& each, std::ostream* out)
{
    *out << each.name;
}

const std::map<std::string, tlm_phase> phases = {{"BEGIN_REQ", tlm::BEGIN_REQ},
                                                 {"END_REQ", tlm::END_REQ},
                                                 {"BEGIN_RESP", tlm::BEGIN_RESP},
                                                 {"END_RESP", tlm::END_RESP}};
const std::map<std::string, tlm_sync_enum> statuses = {
    {"ACCEPTED", tlm::TLM_ACCEPTED}, {"UPDATED", tlm::TLM_UPDATED}, {"COMPLETED", tlm::TLM_COMPLETED}};

void begin(checker_bench& bench, tlm_generic_payload& payload)
{
    bench.forward(payload, tlm::BEGIN_REQ);
    bench.backward(payload, tlm::END_REQ);
}

/// Runs PAYLOAD.PHASE, PAYLOAD.CHANGE, PATH.STATUS.PHASE (later calls on it are answered so) and what `general` has.
/// Payloads: a, b are requests, p is a plain read. +N: annotated with N ns. !: on the forward path.
void run_steps(checker_bench& bench, const std::string& steps)
{
    plain_read plain(bench);
    unsigned char enables[2] = {0xff, 0};
    const std::map<std::string, tlm_generic_payload*> payloads = {
        {"a", &bench.request()}, {"b", &bench.request()}, {"p", &plain.payload}};
    using change = std::function<void(tlm_generic_payload&)>;
    const std::map<std::string, change> changes = {
        {"begin", [&](auto& p) { begin(bench, p); }},
        {"operation", [](auto& p) { payload_pool::extension(p).op.address[17] ^= 1; }},
        {"result", [](auto& p) { payload_pool::extension(p).result.status[31] = lane_status::defaulted; }},
        {"address", [](auto& p) { p.set_address(4); }},
        {"data", [&](auto&) { ++plain.data[3]; }},
        {"read", [](auto& p) { p.set_read(); }},
        {"write", [](auto& p) { p.set_write(); }},
        {"ignore", [](auto& p) { p.set_command(tlm::TLM_IGNORE_COMMAND); }},
        {"option", [](auto& p) { p.set_gp_option(tlm::TLM_FULL_PAYLOAD); }},
        {"error", [](auto& p) { p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE); }},
        {"no_status", [](auto& p) { p.set_response_status(static_cast<tlm::tlm_response_status>(2)); }},
        {"enable", [&](auto& p) { p.set_byte_enable_ptr(enables), p.set_byte_enable_length(2); }},
        {"enable_all", [&](auto&) { enables[1] = 0xff; }}};
    const std::map<std::string, std::function<void()>> general = {
        {"finish", [&] { bench.checker.finish(); }},
        {"leave_status", [&] { bench.leave_status_incomplete(); }},
        {"hang", [&] { bench.on_block = [](auto&, auto&) { sc_core::wait(sc_core::sc_event{}); }; }},
        {"reduce_delay", [&] {
             bench.on_block = [](tlm_generic_payload& payload, sc_core::sc_time& delay) {
                 payload.set_response_status(tlm::TLM_OK_RESPONSE);
                 delay = sc_core::SC_ZERO_TIME;
             };
         }}};
    static const std::regex form(R"((\w+)(?:\.(\w+))?(?:\.(\w+))?(!?)(?:\+(\d))?)");
    std::istringstream list(steps);
    for (std::string step; list >> step;) {
        std::smatch part;
        ASSERT_TRUE(std::regex_match(step, part, form)) << step;
        const std::string subject = part[1], action = part[2];
        const double delay = part[5].length() == 0 ? 0 : std::stod(part[5]);
        const auto phase = phases.find(action);
        if (part[3].length() != 0) {
            (subject == "forward" ? bench.on_forward : bench.on_backward) =
                [status = statuses.at(action), answered = phases.at(part[3]),
                 delay](tlm_generic_payload&, tlm_phase& left, sc_core::sc_time& time) {
                    left = answered;
                    time = sc_core::sc_time(delay, sc_core::SC_NS);
                    return status;
                };
        } else if (action.empty()) {
            general.at(subject)();
        } else if (action == "block") {
            bench.in_thread([&] { bench.block(*payloads.at(subject), delay); });
        } else if (phase == phases.end()) {
            changes.at(action)(*payloads.at(subject));
        } else if (phase->second == tlm::BEGIN_REQ || phase->second == tlm::END_RESP || part[4].length() != 0) {
            bench.forward(*payloads.at(subject), phase->second, delay);
        } else {
            bench.backward(*payloads.at(subject), phase->second, delay);
        }
    }
}

const broken broken_rules[] = {
    {"response_without_request", protocol_rule::phase_order, "b.BEGIN_RESP"},
    {"second_end_of_a_request", protocol_rule::phase_order, "a.begin a.END_REQ"},
    {"end_of_a_response_that_did_not_begin", protocol_rule::phase_order, "a.begin a.END_RESP"},
    {"payload_reused_before_its_end", protocol_rule::phase_order, "a.begin a.BEGIN_REQ"},
    {"phase_on_the_wrong_path", protocol_rule::phase_order, "a.BEGIN_REQ a.BEGIN_RESP!"},
    {"operation_changed_before_its_accept", protocol_rule::request_changed, "a.BEGIN_REQ a.operation a.END_REQ"},
    {"attribute_changed_before_the_accept", protocol_rule::request_changed, "a.BEGIN_REQ a.address a.END_REQ"},
    {"write_data_changed_before_the_accept", protocol_rule::request_changed, "p.write p.BEGIN_REQ p.data p.END_REQ"},
    {"result_changed_while_the_response_waits", protocol_rule::result_changed,
     "a.begin a.BEGIN_RESP a.result a.END_RESP"},
    {"response_status_changed_while_the_response_waits", protocol_rule::result_changed,
     "a.BEGIN_REQ a.BEGIN_RESP a.error a.END_RESP"},
    {"two_requests_at_a_time", protocol_rule::request_exclusion, "a.BEGIN_REQ b.BEGIN_REQ"},
    {"two_responses_at_a_time", protocol_rule::response_exclusion, "a.begin b.begin a.BEGIN_RESP b.BEGIN_RESP"},
    {"run_that_ends_without_the_response", protocol_rule::response_missing, "a.begin finish"},
    {"annotated_times_that_go_back", protocol_rule::time_backwards,
     "a.BEGIN_REQ a.BEGIN_RESP b.BEGIN_REQ+5 a.END_RESP+3"},
    {"phase_annotated_before_the_one_it_follows", protocol_rule::time_backwards, "a.BEGIN_REQ+5 a.END_REQ+4"},
    {"target_that_reduces_the_delay", protocol_rule::time_backwards, "reduce_delay a.block+3"},
    {"operation_with_a_command_of_memory", protocol_rule::payload_attributes, "a.read a.BEGIN_REQ"},
    {"option_changed_before_the_accept", protocol_rule::request_changed, "a.BEGIN_REQ a.option a.END_REQ"},
    {"response_that_is_still_incomplete", protocol_rule::response_status, "leave_status a.BEGIN_REQ a.BEGIN_RESP"},
    {"data_changed_while_the_response_waits", protocol_rule::result_changed,
     "p.BEGIN_REQ p.data p.BEGIN_RESP p.data p.END_RESP"}, // the first is the target's response
    {"data_that_no_command_lets_the_target_write", protocol_rule::request_changed,
     "p.ignore p.BEGIN_REQ p.data p.END_REQ"},
    {"byte_enables_changed_before_the_accept", protocol_rule::request_changed,
     "p.enable p.BEGIN_REQ p.enable_all p.END_REQ"},
    {"response_with_a_status_that_does_not_exist", protocol_rule::response_status,
     "leave_status a.BEGIN_REQ a.no_status a.BEGIN_RESP"},
    {"request_for_a_time_at_which_another_is_under_way", protocol_rule::request_exclusion,
     "a.BEGIN_REQ a.END_REQ+4 b.BEGIN_REQ+3"},
    {"response_for_a_time_at_which_another_is_under_way", protocol_rule::response_exclusion,
     "a.begin b.begin a.BEGIN_RESP+4 a.END_RESP+6 b.BEGIN_RESP+5"},
    {"blocking_call_with_a_payload_in_four_phases", protocol_rule::phase_order, "a.BEGIN_REQ a.block"},
    {"run_that_ends_in_a_blocking_call", protocol_rule::response_missing, "hang a.block finish"},
    {"delay_changed_by_a_call_that_was_accepted", protocol_rule::phase_order,
     "forward.ACCEPTED.BEGIN_REQ+2 a.BEGIN_REQ+1"},
    {"phase_changed_by_a_call_that_was_accepted", protocol_rule::phase_order,
     "forward.ACCEPTED.END_REQ+1 a.BEGIN_REQ+1"},
    {"phase_that_can_not_follow_a_request", protocol_rule::phase_order, "forward.UPDATED.END_RESP+1 a.BEGIN_REQ+1"},
    {"phase_that_can_not_follow_a_response", protocol_rule::phase_order,
     "a.BEGIN_REQ+1 backward.UPDATED.BEGIN_REQ+1 a.BEGIN_RESP+1"},
    {"end_of_a_request_that_is_answered", protocol_rule::phase_order,
     "a.BEGIN_REQ+1 backward.COMPLETED.END_REQ+1 a.END_REQ+1"},
};

class protocol_rules : public testing::TestWithParam<broken> {};
INSTANTIATE_TEST_SUITE_P(broken, protocol_rules, testing::ValuesIn(broken_rules),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST_P(protocol_rules, one_violation_is_reported)
{
    checker_bench bench;
    run_steps(bench, GetParam().steps);
    bench.expect_only(GetParam().rule);
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

TEST(protocol_checker, payload_without_memory_manager)
{
    checker_bench bench;
    isbe_extension extension;
    tlm_generic_payload a;
    make_request(a, extension);
    bench.forward(a, tlm::BEGIN_REQ);
    bench.expect_only(protocol_rule::memory_management);
    a.clear_extension(&extension);
}

TEST(protocol_checker, payload_without_reference)
{
    checker_bench bench;
    isbe_extension extension;
    tlm_generic_payload a(&bench.pool);
    make_request(a, extension);
    bench.forward(a, tlm::BEGIN_REQ);
    bench.expect_only(protocol_rule::memory_management);
    a.clear_extension(&extension);
}

// For every command, with a warp operation or without: every component may read every attribute.
TEST(protocol_checker, request_attributes_that_may_not_be)
{
    checker_bench bench;
    std::uint64_t seen = 0;
    const auto block = [&](tlm_generic_payload& payload) { bench.in_thread([&] { bench.block(payload); }); };
    unsigned char enables[3] = {0xff, 0, 0xff};
    const auto expect_one = [&](const char* what, auto change) {
        const auto expect_found = [&](const char* form, tlm_generic_payload& payload) {
            block(payload);
            ASSERT_EQ(bench.checker.violation_count(), seen) << form << " without " << what << bench.described();
            payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            change(payload);
            block(payload);
            ASSERT_EQ(bench.checker.violation_count(), seen + 1) << form << ", " << what << "\n" << bench.described();
            EXPECT_EQ(bench.checker.violations()[seen].rule, protocol_rule::payload_attributes) << form << ", " << what;
            ++seen;
        };
        for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND, tlm::TLM_IGNORE_COMMAND}) {
            tlm_generic_payload plain;
            unsigned char data[8] = {};
            plain.set_command(command);
            plain.set_data_ptr(data);
            plain.set_data_length(8);
            plain.set_streaming_width(8);
            plain.set_byte_enable_ptr(enables);
            plain.set_byte_enable_length(3);
            expect_found("plain", plain);
        }
        tlm_generic_payload& operation = bench.request();
        expect_found("operation", operation);
        operation.release();
    };
    unsigned char other_enables[3] = {0xff, 0, 1};
    expect_one("length", [](tlm_generic_payload& p) { p.set_data_length(0); });
    expect_one("data", [](tlm_generic_payload& p) { p.set_data_ptr(nullptr); });
    expect_one("streaming", [](tlm_generic_payload& p) { p.set_streaming_width(0); });
    expect_one("enables", [&](tlm_generic_payload& p) {
        p.set_byte_enable_ptr(enables);
        p.set_byte_enable_length(0);
    });
    expect_one("value of an enable", [&](tlm_generic_payload& p) {
        p.set_byte_enable_ptr(other_enables);
        p.set_byte_enable_length(3);
    });
    expect_one("option", [](tlm_generic_payload& p) { p.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED); });
    expect_one("command", [](tlm_generic_payload& p) {
        p.set_command(static_cast<tlm::tlm_command>(3));
        p.clear_extension<isbe_extension>(); // otherwise two things are wrong
    });
    expect_one("dmi", [](tlm_generic_payload& p) { p.set_dmi_allowed(true); });
    expect_one("status", [](tlm_generic_payload& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); });
}

TEST(protocol_checker, operation_fields_that_do_not_exist)
{
    checker_bench bench;
    std::uint64_t seen = 0;
    const auto expect_one = [&](const char* what, auto change) {
        tlm_generic_payload& payload = bench.request();
        change(payload_pool::extension(payload).op);
        bench.in_thread([&] { bench.block(payload); });
        payload.release();
        ASSERT_EQ(bench.checker.violation_count(), seen + 1) << what << "\n" << bench.described();
        EXPECT_EQ(bench.checker.violations()[seen].rule, protocol_rule::payload_attributes) << what;
        ++seen;
    };
    expect_one("opcode 7", [](warp_op& op) { op.op = static_cast<opcode>(7); });
    expect_one("no words", [](warp_op& op) { op.size = 0; });
    expect_one("5 words", [](warp_op& op) { op.size = 5; });
    expect_one("3 bytes", [](warp_op& op) {
        op.op = opcode::isberd;
        op.size = 3;
    });
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

TEST(protocol_checker, phase_without_a_meaning)
{
    checker_bench bench;
    bench.forward(bench.request(), tlm::UNINITIALIZED_PHASE);
    bench.expect_only(protocol_rule::phase_order);
    bench.backward(bench.request(), tlm::UNINITIALIZED_PHASE);
    EXPECT_EQ(bench.checker.violation_count(), 2U);
}

TEST(protocol_checker, initiator_that_reduces_the_delay)
{
    checker_bench bench;
    tlm_generic_payload& a = bench.request();
    bench.forward(a, tlm::BEGIN_REQ);
    bench.backward(a, tlm::END_REQ);
    bench.on_backward = [](tlm_generic_payload&, tlm_phase&, sc_core::sc_time& delay) {
        delay = sc_core::SC_ZERO_TIME;
        return tlm::TLM_COMPLETED;
    };
    bench.backward(a, tlm::BEGIN_RESP, 3);
    // The end of the response is before its beginning as well.
    ASSERT_EQ(bench.checker.violation_count(), 2U) << bench.described();
    for (const auto& each : bench.checker.violations()) EXPECT_EQ(each.rule, protocol_rule::time_backwards);
}

TEST(protocol_checker, payload_of_two_blocking_calls)
{
    checker_bench bench;
    tlm_generic_payload& a = bench.request();
    const auto call = [&] { bench.block(a); };
    bool nested = false;
    bench.on_block = [&](tlm_generic_payload& payload, sc_core::sc_time&) {
        if (!std::exchange(nested, true)) call();
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    bench.in_thread(call);
    bench.expect_only(protocol_rule::phase_order);
    bench.checker.finish();
    EXPECT_EQ(bench.checker.violation_count(), 1U) << bench.described();
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
    begin(bench, a);
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
