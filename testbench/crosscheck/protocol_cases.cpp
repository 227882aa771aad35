// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/protocol_cases.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace isbesim::testbench {

using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

namespace {

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

void begin(checker_bench& bench, tlm_generic_payload& payload)
{
    bench.forward(payload, tlm::BEGIN_REQ);
    bench.backward(payload, tlm::END_REQ);
}

/// Answers a call so, with the phase and delay as the call leaves them.
auto answer(tlm_sync_enum status, tlm_phase answered, double delay_ns = 1)
{
    return [=](tlm_generic_payload&, tlm_phase& phase, sc_core::sc_time& delay) {
        phase = answered;
        delay = sc_core::sc_time(delay_ns, sc_core::SC_NS);
        return status;
    };
}

template <typename T>
void flip_last_byte(T& value)
{
    reinterpret_cast<unsigned char*>(&value)[sizeof value - 1] ^= 1U;
}
/// Changes of a part of a request that has no accept yet, or of a response that waits, each in a transaction.
constexpr void (*changes_of_operation[])(warp_op&) = {
#define ISBESIM_FIELD(name, ...) [](warp_op& op) { flip_last_byte(op.name); },
#define ISBESIM_LANE_FIELD ISBESIM_FIELD
#include "tlm/request_fields.inc"
};
constexpr void (*changes_of_payload[])(tlm_generic_payload&) = {
    [](tlm_generic_payload& p) { p.set_address(4); },
    [](tlm_generic_payload& p) { p.set_command(tlm::TLM_READ_COMMAND); },
    [](tlm_generic_payload& p) { p.set_data_ptr(p.get_data_ptr() + 1); },
    [](tlm_generic_payload& p) { p.set_data_length(4); },
    [](tlm_generic_payload& p) { p.set_streaming_width(4); },
    [](tlm_generic_payload& p) { p.set_gp_option(tlm::TLM_FULL_PAYLOAD); },
    [](tlm_generic_payload& p) { p.set_byte_enable_length(4); },
};
constexpr void (*changes_of_result[])(warp_result&) = {
#define ISBESIM_FIELD(name, ...) [](warp_result& result) { flip_last_byte(result.name); },
#define ISBESIM_LANE_FIELD ISBESIM_FIELD
#include "tlm/response_fields.inc"
};

/// Attributes that no request may have, each with the others legal.
unsigned char some_enables[] = {0xff, 0, 1};
constexpr void (*wrong_attributes[])(tlm_generic_payload&) = {
    [](tlm_generic_payload& p) { p.set_data_length(0); },
    [](tlm_generic_payload& p) { p.set_data_ptr(nullptr); },
    [](tlm_generic_payload& p) { p.set_streaming_width(0); },
    [](tlm_generic_payload& p) { p.set_byte_enable_ptr(some_enables), p.set_byte_enable_length(0); },
    [](tlm_generic_payload& p) { p.set_byte_enable_ptr(some_enables), p.set_byte_enable_length(3); },
    [](tlm_generic_payload& p) { p.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED); },
    [](tlm_generic_payload& p) { p.set_dmi_allowed(true); },
    [](tlm_generic_payload& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); },
    [](tlm_generic_payload& p) {
        p.set_command(static_cast<tlm::tlm_command>(3));
        p.clear_extension<isbe_extension>(); // otherwise two things are wrong
    },
};
constexpr void (*wrong_fields[])(warp_op&) = {
    [](warp_op& op) { op.op = static_cast<opcode>(7); },
    [](warp_op& op) { op.size = 0; },
    [](warp_op& op) { op.size = 5; },
    [](warp_op& op) { op.op = opcode::isberd, op.size = 3; },
};

template <typename part, std::size_t count>
void change_each(checker_bench& bench, part& changed, void (*const (&changes)[count])(part&),
                 tlm_generic_payload& payload)
{
    const bool response = std::is_same_v<part, warp_result>;
    for (const auto change : changes) {
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        payload.set_dmi_allowed(false);
        bench.forward(payload, tlm::BEGIN_REQ);
        const part before = changed;
        if (!response) change(changed);
        bench.backward(payload, tlm::END_REQ);
        if (!response) changed = before;
        bench.backward(payload, tlm::BEGIN_RESP);
        if (response) change(changed);
        bench.forward(payload, tlm::END_RESP);
        changed = before;
    }
}

} // namespace

const std::vector<protocol_case>& protocol_cases()
{
    static const std::vector<protocol_case> cases{
        {"any_field_of_the_operation_changed", protocol_rule::request_changed,
         [](checker_bench& bench, tlm_generic_payload& a) {
             change_each(bench, payload_pool::extension(a).op, changes_of_operation, a);
         },
         std::size(changes_of_operation)},
        {"any_attribute_changed", protocol_rule::request_changed,
         [](checker_bench& bench, tlm_generic_payload&) {
             for (const auto change : changes_of_payload) {
                 tlm_generic_payload& b = bench.request();
                 bench.forward(b, tlm::BEGIN_REQ);
                 change(b);
                 bench.backward(b, tlm::END_REQ);
             }
         },
         std::size(changes_of_payload)},
        {"any_part_of_the_result_changed", protocol_rule::result_changed,
         [](checker_bench& bench, tlm_generic_payload& a) {
             change_each(bench, payload_pool::extension(a).result, changes_of_result, a);
         },
         std::size(changes_of_result)},
        {"response_without_request", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload&) { bench.backward(bench.request(), tlm::BEGIN_RESP); }},
        {"second_end_of_a_request", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload& a) {
             begin(bench, a);
             bench.backward(a, tlm::END_REQ);
         }},
        {"end_of_a_response_that_did_not_begin", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload& a) {
             begin(bench, a);
             bench.forward(a, tlm::END_RESP);
         }},
        {"payload_reused_before_its_end", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload& a) {
             begin(bench, a);
             bench.forward(a, tlm::BEGIN_REQ);
         }},
        {"phase_on_the_wrong_path", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.forward(a, tlm::BEGIN_REQ);
             bench.forward(a, tlm::BEGIN_RESP);
         }},
        {"write_data_changed_before_the_accept", protocol_rule::request_changed,
         [](checker_bench& bench, tlm_generic_payload&) {
             plain_read plain(bench);
             plain.payload.set_write();
             bench.forward(plain.payload, tlm::BEGIN_REQ);
             plain.data[2] = 9;
             bench.backward(plain.payload, tlm::END_REQ);
         }},
        {"response_status_changed_while_the_response_waits", protocol_rule::result_changed,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.forward(a, tlm::BEGIN_REQ);
             bench.backward(a, tlm::BEGIN_RESP);
             a.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
             bench.forward(a, tlm::END_RESP);
         }},
        {"two_requests_at_a_time", protocol_rule::request_exclusion,
         [](checker_bench& bench, tlm_generic_payload&) {
             bench.forward(bench.request(), tlm::BEGIN_REQ);
             bench.forward(bench.request(), tlm::BEGIN_REQ);
         }},
        {"two_responses_at_a_time", protocol_rule::response_exclusion,
         [](checker_bench& bench, tlm_generic_payload& a) {
             tlm_generic_payload& b = bench.request();
             begin(bench, a);
             begin(bench, b);
             bench.backward(a, tlm::BEGIN_RESP);
             bench.backward(b, tlm::BEGIN_RESP);
         }},
        {"run_that_ends_without_the_response", protocol_rule::response_missing,
         [](checker_bench& bench, tlm_generic_payload& a) {
             begin(bench, a);
             bench.checker.finish();
         }},
        {"annotated_times_that_go_back", protocol_rule::time_backwards,
         [](checker_bench& bench, tlm_generic_payload& a) {
             tlm_generic_payload& b = bench.request();
             bench.forward(a, tlm::BEGIN_REQ);
             bench.backward(a, tlm::BEGIN_RESP);
             bench.forward(b, tlm::BEGIN_REQ, 5);
             bench.forward(a, tlm::END_RESP, 3);
         }},
        {"phase_annotated_before_the_one_it_follows", protocol_rule::time_backwards,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.forward(a, tlm::BEGIN_REQ, 5);
             bench.backward(a, tlm::END_REQ, 4);
         }},
        {"target_that_reduces_the_delay", protocol_rule::time_backwards,
         [](checker_bench& bench, tlm_generic_payload&) {
             bench.on_block = [](tlm_generic_payload& payload, sc_core::sc_time& delay) {
                 payload.set_response_status(tlm::TLM_OK_RESPONSE);
                 delay = sc_core::SC_ZERO_TIME;
             };
             bench.block(bench.request(), 3);
         }},
        {"operation_with_a_command_of_memory", protocol_rule::payload_attributes,
         [](checker_bench& bench, tlm_generic_payload& a) {
             a.set_read();
             bench.forward(a, tlm::BEGIN_REQ);
         }},
        {"attribute_that_may_not_be", protocol_rule::payload_attributes,
         [](checker_bench& bench, tlm_generic_payload&) {
             for (const auto change : wrong_attributes) {
                 tlm_generic_payload& operation = bench.request();
                 change(operation);
                 bench.block(operation);
                 // Every component may read every attribute, whatever the command.
                 for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND, tlm::TLM_IGNORE_COMMAND}) {
                     plain_read plain(bench);
                     plain.payload.set_command(command);
                     change(plain.payload);
                     bench.block(plain.payload);
                 }
             }
         },
         4 * std::size(wrong_attributes)},
        {"field_that_does_not_exist", protocol_rule::payload_attributes,
         [](checker_bench& bench, tlm_generic_payload&) {
             for (const auto change : wrong_fields) {
                 tlm_generic_payload& operation = bench.request();
                 change(payload_pool::extension(operation).op);
                 bench.block(operation);
             }
         },
         std::size(wrong_fields)},
        {"payload_without_manager_or_reference", protocol_rule::memory_management,
         [](checker_bench& bench, tlm_generic_payload&) {
             isbe_extension extension;
             tlm_generic_payload unmanaged, unreferenced(&bench.pool);
             for (auto* const payload : {&unmanaged, &unreferenced}) {
                 make_request(*payload, extension);
                 begin(bench, *payload);
                 payload->clear_extension(&extension);
             }
         },
         2},
        {"phase_without_a_meaning", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.forward(a, tlm::UNINITIALIZED_PHASE);
             bench.backward(a, tlm::UNINITIALIZED_PHASE);
         },
         2},
        {"initiator_that_reduces_the_delay", protocol_rule::time_backwards, // and so ends before the beginning
         [](checker_bench& bench, tlm_generic_payload& a) {
             begin(bench, a);
             bench.on_backward = answer(tlm::TLM_COMPLETED, tlm::BEGIN_RESP, 0);
             bench.backward(a, tlm::BEGIN_RESP, 3);
         },
         2},
        {"run_that_ends_in_a_blocking_call", protocol_rule::response_missing,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.on_block = [&bench](tlm_generic_payload& payload, sc_core::sc_time&) {
                 bench.checker.finish();
                 payload.set_response_status(tlm::TLM_OK_RESPONSE);
             };
             bench.block(a);
         }},
        {"blocking_call_outside_a_thread", protocol_rule::blocking_caller,
         [](checker_bench& bench, tlm_generic_payload& a) { bench.block_in_method(a); }},
        {"payload_of_two_blocking_calls", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.on_block = [&bench, nested = false](tlm_generic_payload& payload, sc_core::sc_time&) mutable {
                 if (!std::exchange(nested, true)) bench.block(payload);
                 payload.set_response_status(tlm::TLM_OK_RESPONSE);
             };
             bench.block(a);
             bench.checker.finish();
         }},
        {"response_that_is_still_incomplete", protocol_rule::response_status,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.leave_status_incomplete();
             bench.forward(a, tlm::BEGIN_REQ);
             bench.backward(a, tlm::BEGIN_RESP);
         }},
        {"data_changed_while_the_response_waits", protocol_rule::result_changed,
         [](checker_bench& bench, tlm_generic_payload&) {
             plain_read plain(bench);
             bench.forward(plain.payload, tlm::BEGIN_REQ);
             plain.data[3] = 1; // the target's response
             bench.backward(plain.payload, tlm::BEGIN_RESP);
             plain.data[3] = 2;
             bench.forward(plain.payload, tlm::END_RESP);
         }},
        {"data_that_no_command_lets_the_target_write", protocol_rule::request_changed,
         [](checker_bench& bench, tlm_generic_payload&) {
             plain_read plain(bench);
             plain.payload.set_command(tlm::TLM_IGNORE_COMMAND);
             bench.forward(plain.payload, tlm::BEGIN_REQ);
             plain.data[4] = 1;
             bench.backward(plain.payload, tlm::END_REQ);
         }},
        {"byte_enables_changed_before_the_accept", protocol_rule::request_changed,
         [](checker_bench& bench, tlm_generic_payload&) {
             plain_read plain(bench);
             unsigned char enables[2] = {0xff, 0};
             plain.payload.set_byte_enable_ptr(enables);
             plain.payload.set_byte_enable_length(2);
             bench.forward(plain.payload, tlm::BEGIN_REQ);
             enables[1] = 0xff;
             bench.backward(plain.payload, tlm::END_REQ);
         }},
        {"response_with_a_status_that_does_not_exist", protocol_rule::response_status,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.leave_status_incomplete();
             bench.forward(a, tlm::BEGIN_REQ);
             a.set_response_status(static_cast<tlm::tlm_response_status>(2));
             bench.backward(a, tlm::BEGIN_RESP);
         }},
        {"request_for_a_time_at_which_another_is_under_way", protocol_rule::request_exclusion,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.forward(a, tlm::BEGIN_REQ);
             bench.backward(a, tlm::END_REQ, 4);
             bench.forward(bench.request(), tlm::BEGIN_REQ, 3);
         }},
        {"response_for_a_time_at_which_another_is_under_way", protocol_rule::response_exclusion,
         [](checker_bench& bench, tlm_generic_payload& a) {
             tlm_generic_payload& b = bench.request();
             begin(bench, a);
             begin(bench, b);
             bench.backward(a, tlm::BEGIN_RESP, 4);
             bench.forward(a, tlm::END_RESP, 6);
             bench.backward(b, tlm::BEGIN_RESP, 5);
         }},
        {"blocking_call_with_a_payload_in_four_phases", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.forward(a, tlm::BEGIN_REQ);
             bench.block(a);
         }},
        {"delay_changed_by_a_call_that_was_accepted", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.on_forward = answer(tlm::TLM_ACCEPTED, tlm::BEGIN_REQ, 2);
             bench.forward(a, tlm::BEGIN_REQ, 1);
         }},
        {"phase_changed_by_a_call_that_was_accepted", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.on_forward = answer(tlm::TLM_ACCEPTED, tlm::END_REQ);
             bench.forward(a, tlm::BEGIN_REQ, 1);
         }},
        {"phase_that_can_not_follow_a_request", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.on_forward = answer(tlm::TLM_UPDATED, tlm::END_RESP);
             bench.forward(a, tlm::BEGIN_REQ, 1);
         }},
        {"phase_that_can_not_follow_a_response", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.forward(a, tlm::BEGIN_REQ, 1);
             bench.on_backward = answer(tlm::TLM_UPDATED, tlm::BEGIN_REQ);
             bench.backward(a, tlm::BEGIN_RESP, 1);
         }},
        {"end_of_a_request_that_is_answered", protocol_rule::phase_order,
         [](checker_bench& bench, tlm_generic_payload& a) {
             bench.forward(a, tlm::BEGIN_REQ, 1);
             bench.on_backward = answer(tlm::TLM_COMPLETED, tlm::END_REQ);
             bench.backward(a, tlm::END_REQ, 1);
         }},
    };
    return cases;
}

std::string wrong_report(const protocol_case& each, checker_bench& bench)
{
    each.steps(bench, bench.request());
    const auto& found = bench.checker.violations();
    const auto as_expected = [&each](const protocol_violation& violation) { return violation.rule == each.rule; };
    if (found.size() == each.reports && std::all_of(found.begin(), found.end(), as_expected)) return {};
    return std::string("  case ") + each.name + ": expected reports: " + std::to_string(each.reports) + " of " +
           to_string(each.rule) + "\n" + bench.described();
}

} // namespace isbesim::testbench
