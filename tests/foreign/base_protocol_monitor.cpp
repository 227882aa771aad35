// SPDX-License-Identifier: Apache-2.0
#include "tests/foreign/base_protocol_monitor.h"

#include <algorithm>

namespace isbesim::test {

namespace {

std::vector<unsigned char> bytes(const unsigned char* first, unsigned count)
{
    return first == nullptr ? std::vector<unsigned char>() : std::vector<unsigned char>(first, first + count);
}

sc_core::sc_time now_plus(const sc_core::sc_time& delay)
{
    return sc_core::sc_time_stamp() + delay;
}

} // namespace

base_protocol_monitor::attributes::attributes(const tlm::tlm_generic_payload& payload)
    : command(payload.get_command()),
      data(payload.get_data_ptr()),
      length(payload.get_data_length()),
      enables(payload.get_byte_enable_ptr()),
      enable_length(payload.get_byte_enable_length()),
      streaming_width(payload.get_streaming_width()),
      option(payload.get_gp_option()),
      enable_contents(bytes(enables, enable_length))
{
    if (command != tlm::TLM_READ_COMMAND) contents = bytes(data, length);
}

bool base_protocol_monitor::attributes::operator==(const attributes& other) const
{
    return command == other.command && data == other.data && length == other.length && enables == other.enables &&
           enable_length == other.enable_length && streaming_width == other.streaming_width && option == other.option &&
           contents == other.contents && enable_contents == other.enable_contents;
}

base_protocol_monitor::base_protocol_monitor(const sc_core::sc_module_name& name) : sc_core::sc_module(name)
{
    target.bind(*this);
    initiator.bind(*this);
}

void base_protocol_monitor::breach(const std::string& text)
{
    if (breaches_.size() < 100)
        breaches_.push_back(std::string(name()) + ", " + sc_core::sc_time_stamp().to_string() + ": " + text);
}

// ---- the generic payload --------------------------------------------------------------------------------------------

void base_protocol_monitor::check_request(const tlm::tlm_generic_payload& payload)
{
    ++transactions_;
    if (payload.get_command() != tlm::TLM_READ_COMMAND && payload.get_command() != tlm::TLM_WRITE_COMMAND &&
        payload.get_command() != tlm::TLM_IGNORE_COMMAND)
        breach("the command is unknown");
    if (payload.get_data_ptr() == nullptr) breach("the data pointer is null");
    if (payload.get_data_length() == 0) breach("the data length is 0");
    if (payload.get_streaming_width() == 0) breach("the streaming width is 0");
    if (payload.get_byte_enable_ptr() != nullptr) {
        if (payload.get_byte_enable_length() == 0) breach("the byte enable length is 0");
        for (const unsigned char enable : bytes(payload.get_byte_enable_ptr(), payload.get_byte_enable_length()))
            if (enable != 0 && enable != 0xff) breach("a byte enable is neither 0 nor 0xff");
    }
    if (payload.get_gp_option() != tlm::TLM_MIN_PAYLOAD && payload.get_gp_option() != tlm::TLM_FULL_PAYLOAD)
        breach("the option is not the initiator's to set");
    if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) breach("the status of a request is set");
    if (payload.is_dmi_allowed()) breach("the DMI hint of a request is set");
}

void base_protocol_monitor::check_response(const tlm::tlm_generic_payload& payload, const attributes& sent)
{
    if (!(attributes(payload) == sent)) breach("attributes changed between request and response");
    const int status = payload.get_response_status();
    if (status == tlm::TLM_INCOMPLETE_RESPONSE) breach("a response with an incomplete status");
    if (status < tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE || status > tlm::TLM_OK_RESPONSE) breach("the status is unknown");
}

// ---- blocking transport ---------------------------------------------------------------------------------------------

void base_protocol_monitor::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    const auto caller = sc_core::sc_get_current_process_handle();
    if (caller.proc_kind() == sc_core::SC_METHOD_PROC_)
        breach(std::string("b_transport called from the method ") + caller.name());
    if (flying_.count(&payload) != 0) breach("b_transport with a transaction that is in four phases");
    if (!blocking_.insert(&payload).second) breach("b_transport with a transaction that is in such a call");
    check_request(payload);
    const attributes sent(payload);
    const sc_core::sc_time begin = now_plus(delay);
    initiator->b_transport(payload, delay);
    if (now_plus(delay) < begin) breach("b_transport ended before it began");
    check_response(payload, sent);
    blocking_.erase(&payload);
}

// ---- four phases ----------------------------------------------------------------------------------------------------

base_protocol_monitor::transaction* base_protocol_monitor::find(tlm::tlm_generic_payload& payload, const char* phase,
                                                                const sc_core::sc_time& at)
{
    const auto found = flying_.find(&payload);
    if (found == flying_.end()) {
        breach(std::string(phase) + " of a transaction that is not under way");
        return nullptr;
    }
    if (at < found->second.last) breach(std::string(phase) + " before the phase that it follows");
    found->second.last = at;
    return &found->second;
}

void base_protocol_monitor::check_order(sc_core::sc_time& path, const sc_core::sc_time& at, const char* name)
{
    if (at < path) breach(std::string("a call on the ") + name + " path for an earlier time than the one before");
    path = std::max(path, at);
}

void base_protocol_monitor::begin_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at)
{
    if (!payload.has_mm()) breach("four phases without a memory manager");
    if (payload.has_mm() && payload.get_ref_count() < 1) breach("four phases without a reference");
    if (blocking_.count(&payload) != 0) breach("BEGIN_REQ of a transaction that is in b_transport");
    if (request_ != nullptr) breach("BEGIN_REQ while another request is under way");
    if (at < request_free_) breach("BEGIN_REQ for a time at which another request is under way");
    check_request(payload);
    if (!flying_.insert({&payload, transaction{attributes(payload), stage::requested, at, {}, {}}}).second)
        breach("BEGIN_REQ of a transaction that is under way");
    request_ = &payload;
}

void base_protocol_monitor::end_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at)
{
    auto* const found = find(payload, "END_REQ", at);
    if (found == nullptr) return;
    if (found->now != stage::requested) breach("END_REQ twice or after the response");
    if (!(attributes(payload) == found->sent)) breach("attributes changed between BEGIN_REQ and END_REQ");
    found->now = stage::accepted;
    if (request_ == &payload) request_ = nullptr;
    request_free_ = std::max(request_free_, at);
}

void base_protocol_monitor::begin_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at)
{
    auto* const found = find(payload, "BEGIN_RESP", at);
    if (found == nullptr) return;
    if (found->now == stage::responding) breach("BEGIN_RESP twice");
    if (response_ != nullptr) breach("BEGIN_RESP while another response is under way");
    if (at < response_free_) breach("BEGIN_RESP for a time at which another response is under way");
    check_response(payload, found->sent);
    if (request_ == &payload) { // END_REQ is implied
        request_ = nullptr;
        request_free_ = std::max(request_free_, at);
    }
    found->now = stage::responding;
    found->status = payload.get_response_status();
    found->answer = bytes(payload.get_data_ptr(), payload.get_data_length());
    response_ = &payload;
}

void base_protocol_monitor::end_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at)
{
    auto* const found = find(payload, "END_RESP", at);
    if (found == nullptr) return;
    if (found->now != stage::responding)
        breach("END_RESP without a response");
    else if (found->status != payload.get_response_status())
        breach("the status changed after BEGIN_RESP");
    else if (found->answer != bytes(payload.get_data_ptr(), payload.get_data_length()))
        breach("data changed after BEGIN_RESP");
    if (response_ == &payload) response_ = nullptr;
    response_free_ = std::max(response_free_, at);
    flying_.erase(&payload);
}

/// TLM_COMPLETED of BEGIN_REQ: there is no response phase.
void base_protocol_monitor::complete_early(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at)
{
    auto* const found = find(payload, "TLM_COMPLETED", at);
    if (found == nullptr) return;
    check_response(payload, found->sent);
    if (request_ == &payload) request_ = nullptr;
    flying_.erase(&payload);
}

void base_protocol_monitor::check_untouched(const tlm::tlm_phase& sent, const tlm::tlm_phase& phase, bool same_delay)
{
    if (sent != phase || !same_delay) breach("phase or delay changed by a call that returned TLM_ACCEPTED");
}

tlm::tlm_sync_enum base_protocol_monitor::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                          sc_core::sc_time& delay)
{
    const tlm::tlm_phase sent = phase;
    const sc_core::sc_time sent_delay = delay;
    check_order(forward_, now_plus(delay), "forward");
    if (sent == tlm::BEGIN_REQ)
        begin_request(payload, now_plus(delay));
    else if (sent == tlm::END_RESP)
        end_response(payload, now_plus(delay)); // before the call, in which the transaction may come back as another
    else if (sent == tlm::UNINITIALIZED_PHASE || sent == tlm::END_REQ || sent == tlm::BEGIN_RESP)
        breach(std::string(sent.get_name()) + " on the forward path");

    const tlm::tlm_sync_enum status = initiator->nb_transport_fw(payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) {
        check_untouched(sent, phase, delay == sent_delay);
        return status;
    }
    if (delay < sent_delay) breach("the target reduced the delay");
    if (sent == tlm::BEGIN_REQ && status == tlm::TLM_COMPLETED)
        complete_early(payload, now_plus(delay));
    else if (sent == tlm::BEGIN_REQ && phase == tlm::END_REQ)
        end_request(payload, now_plus(delay));
    else if (sent == tlm::BEGIN_REQ && phase == tlm::BEGIN_RESP)
        begin_response(payload, now_plus(delay));
    else if (status == tlm::TLM_UPDATED)
        breach("TLM_UPDATED with a phase that can't follow");
    return status;
}

tlm::tlm_sync_enum base_protocol_monitor::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                          sc_core::sc_time& delay)
{
    const tlm::tlm_phase sent = phase;
    const sc_core::sc_time sent_delay = delay;
    check_order(backward_, now_plus(delay), "backward");
    if (sent == tlm::END_REQ)
        end_request(payload, now_plus(delay));
    else if (sent == tlm::BEGIN_RESP)
        begin_response(payload, now_plus(delay));
    else if (sent == tlm::UNINITIALIZED_PHASE || sent == tlm::BEGIN_REQ || sent == tlm::END_RESP)
        breach(std::string(sent.get_name()) + " on the backward path");

    const tlm::tlm_sync_enum status = target->nb_transport_bw(payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) {
        check_untouched(sent, phase, delay == sent_delay);
        return status;
    }
    if (delay < sent_delay) breach("the initiator reduced the delay");
    if (sent != tlm::BEGIN_RESP)
        breach("an answer other than TLM_ACCEPTED to END_REQ");
    else if (status == tlm::TLM_UPDATED && phase != tlm::END_RESP)
        breach("TLM_UPDATED with a phase that can't follow BEGIN_RESP");
    else
        end_response(payload, now_plus(delay));
    return status;
}

void base_protocol_monitor::finish()
{
    if (!flying_.empty()) breach(std::to_string(flying_.size()) + " transactions have not ended");
    if (!blocking_.empty()) breach(std::to_string(blocking_.size()) + " blocking calls have not returned");
}

// ---- the rest passes ------------------------------------------------------------------------------------------------

bool base_protocol_monitor::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi)
{
    return initiator->get_direct_mem_ptr(payload, dmi);
}

unsigned base_protocol_monitor::transport_dbg(tlm::tlm_generic_payload& payload)
{
    return initiator->transport_dbg(payload);
}

void base_protocol_monitor::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last)
{
    target->invalidate_direct_mem_ptr(first, last);
}

} // namespace isbesim::test
