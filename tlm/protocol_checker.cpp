// SPDX-License-Identifier: Apache-2.0
#include "tlm/protocol_checker.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "tlm/enum_table.h"
#include "tlm/warp_fields.h"

namespace isbesim {

namespace {

constexpr std::size_t kept_violations = 100;
constexpr std::uint64_t no_id = ~std::uint64_t{0};

} // namespace

const char* to_string(protocol_rule rule)
{
    static constexpr auto names = enum_names<protocol_rule::response_status>(
        "phase order", "request changed", "result changed", "request exclusion", "response exclusion",
        "response missing", "time goes backwards", "memory management", "payload attributes", "blocking caller",
        "response status");
    return names[static_cast<std::size_t>(rule)];
}

std::string protocol_violation::describe() const
{
    std::ostringstream out;
    out << time << ": ";
    if (transaction != no_id) out << "transaction " << transaction << ", ";
    out << phase << ": " << to_string(rule) << ": " << text;
    return out.str();
}

/// The attributes that an initiator must not change while the transaction lasts.
struct protocol_checker::attributes {
    tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
    sc_dt::uint64 address = 0;
    unsigned char* data_ptr = nullptr;
    unsigned length = 0;
    unsigned char* enables = nullptr;
    unsigned enable_length = 0;
    unsigned streaming_width = 0;
    tlm::tlm_gp_option option = tlm::TLM_MIN_PAYLOAD;
    std::vector<unsigned char> contents; ///< data that the target may not write, then byte enables

    explicit attributes(const tlm::tlm_generic_payload& p)
        : command(p.get_command()),
          address(p.get_address()),
          data_ptr(p.get_data_ptr()),
          length(p.get_data_length()),
          enables(p.get_byte_enable_ptr()),
          enable_length(p.get_byte_enable_length()),
          streaming_width(p.get_streaming_width()),
          option(p.get_gp_option())
    {
        const bool operation = p.get_extension<isbe_extension>() != nullptr; // its data lie in the extension
        if (!operation && !p.is_read() && data_ptr != nullptr) contents.assign(data_ptr, data_ptr + length);
        if (enables != nullptr) contents.insert(contents.end(), enables, enables + enable_length);
    }
    bool operator==(const attributes& o) const
    {
        return command == o.command && address == o.address && data_ptr == o.data_ptr && length == o.length &&
               enables == o.enables && enable_length == o.enable_length && streaming_width == o.streaming_width &&
               option == o.option && contents == o.contents;
    }
};

struct protocol_checker::flight {
    std::uint64_t id;
    isbesim::protocol_checker::state state = state::requested;
    sc_core::sc_time last; // annotated time of the last phase
    attributes request;
    warp_op op;
    warp_result result;
    std::vector<unsigned char> data; // of the response, unless it lies in the extension
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    transaction_times times;

    flight(std::uint64_t number, const tlm::tlm_generic_payload& payload) : id(number), request(payload)
    {
        if (const auto* extension = payload.get_extension<isbe_extension>()) op = extension->op;
    }
};

namespace {

std::vector<unsigned char> data_of(const tlm::tlm_generic_payload& payload)
{
    const unsigned char* const first = payload.get_data_ptr();
    return first == nullptr ? std::vector<unsigned char>{}
                            : std::vector<unsigned char>(first, first + payload.get_data_length());
}

} // namespace

protocol_checker::protocol_checker(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port)
    : sc_core::sc_module(name), target("target"), initiator("initiator"), clock_(clock), port_(port)
{
    target.bind(*this);
    initiator.bind(*this);
}

protocol_checker::~protocol_checker() = default;

void protocol_checker::violation(protocol_rule rule, const place& where, std::string text)
{
    ++violation_count_;
    if (violations_.size() < kept_violations)
        violations_.push_back({rule, where.id, where.phase, sc_core::sc_time_stamp() + where.delay, std::move(text)});
}

protocol_checker::flight* protocol_checker::find(tlm::tlm_generic_payload& payload)
{
    const auto found = flights_.find(&payload);
    return found == flights_.end() ? nullptr : &found->second;
}

void protocol_checker::check_request(const tlm::tlm_generic_payload& payload, const place& where)
{
    const auto wrong = [&](const char* text) { violation(protocol_rule::payload_attributes, where, text); };
    if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) wrong("response status is not incomplete");
    if (payload.is_dmi_allowed()) wrong("DMI hint is set");
    if (payload.get_gp_option() == tlm::TLM_FULL_PAYLOAD_ACCEPTED)
        wrong("option is the one that a target sets, TLM_FULL_PAYLOAD_ACCEPTED");
    const tlm::tlm_command command = payload.get_command();
    if (command != tlm::TLM_READ_COMMAND && command != tlm::TLM_WRITE_COMMAND && command != tlm::TLM_IGNORE_COMMAND)
        wrong("no such command");
    if (payload.get_data_ptr() == nullptr) wrong("no data array");
    if (payload.get_data_length() == 0) wrong("data length 0");
    if (payload.get_streaming_width() == 0) wrong("streaming width 0");
    if (const unsigned char* const enables = payload.get_byte_enable_ptr()) {
        const unsigned count = payload.get_byte_enable_length();
        if (count == 0) wrong("byte enables of length 0");
        if (std::any_of(enables, enables + count,
                        [](unsigned char e) { return e != TLM_BYTE_ENABLED && e != TLM_BYTE_DISABLED; }))
            wrong("a byte enable other than 0 and 0xff");
    }
    if (const auto* extension = payload.get_extension<isbe_extension>()) {
        if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) wrong("a warp operation uses TLM_IGNORE_COMMAND");
        const std::string error = field_error(extension->op);
        if (!error.empty()) wrong(error.c_str());
    }
}

void protocol_checker::check_unchanged(tlm::tlm_generic_payload& payload, const flight& f, const place& where)
{
    if (!(attributes(payload) == f.request))
        violation(protocol_rule::request_changed, where, "attributes differ from those of BEGIN_REQ");
    const auto* extension = payload.get_extension<isbe_extension>();
    if (extension != nullptr && extension->op != f.op)
        violation(protocol_rule::request_changed, where, "warp_op differs from that of BEGIN_REQ");
}

void protocol_checker::check_result(tlm::tlm_generic_payload& payload, const flight& f, const place& where)
{
    const auto* extension = payload.get_extension<isbe_extension>();
    if (extension != nullptr && extension->result != f.result)
        violation(protocol_rule::result_changed, where, "warp_result differs from that of BEGIN_RESP");
    if (extension == nullptr && data_of(payload) != f.data)
        violation(protocol_rule::result_changed, where, "data differ from those of BEGIN_RESP");
    if (payload.get_response_status() != f.status)
        violation(protocol_rule::result_changed, where, "response status differs from that of BEGIN_RESP");
}

void protocol_checker::check_status(const tlm::tlm_generic_payload& payload, const place& where)
{
    const int status = payload.get_response_status();
    if (status == tlm::TLM_INCOMPLETE_RESPONSE)
        violation(protocol_rule::response_status, where, "the target left it incomplete");
    if (status < tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE || status > tlm::TLM_OK_RESPONSE)
        violation(protocol_rule::response_status, where, "no such status");
}

void protocol_checker::check_exclusion(protocol_rule rule, bool under_way, const sc_core::sc_time& free,
                                       const place& where)
{
    if (under_way)
        violation(rule, where,
                  rule == protocol_rule::request_exclusion ? "the request before has not been accepted"
                                                           : "the response before has not ended");
    else if (sc_core::sc_time_stamp() + where.delay < free)
        violation(rule, where, "the one before ends at " + free.to_string());
}

void protocol_checker::check_time(flight* f, sc_core::sc_time& path, const place& where)
{
    const sc_core::sc_time time = sc_core::sc_time_stamp() + where.delay;
    if (time < path)
        violation(protocol_rule::time_backwards, where,
                  "an earlier call on this path was annotated with " + path.to_string());
    path = std::max(path, time);
    if (f == nullptr) return;
    if (time < f->last)
        violation(protocol_rule::time_backwards, where, "the phase before was at " + f->last.to_string());
    f->last = std::max(f->last, time);
}

void protocol_checker::begin_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)
{
    const std::uint64_t id = next_id_++;
    const place where{id, "BEGIN_REQ", delay};
    if (!payload.has_mm()) {
        violation(protocol_rule::memory_management, where, "payload without memory manager");
    } else if (payload.get_ref_count() < 1) {
        violation(protocol_rule::memory_management, where, "payload without a reference");
    }
    check_request(payload, where);
    if (const flight* previous = find(payload)) {
        violation(protocol_rule::phase_order, where,
                  "the payload is still in transaction " + std::to_string(previous->id));
        flights_.erase(&payload);
        if (requesting_ == &payload) requesting_ = nullptr;
        if (responding_ == &payload) responding_ = nullptr;
    }
    check_exclusion(protocol_rule::request_exclusion, requesting_ != nullptr, request_free_, where);
    if (is_blocking(payload)) violation(protocol_rule::phase_order, where, "the payload is in a b_transport");
    requesting_ = &payload;
    flight& f = flights_.emplace(&payload, flight(id, payload)).first->second;
    check_time(&f, forward_time_, where);
    f.times.begin_request = clock_.cycles(f.last);
    if (payload.get_extension<isbe_extension>() == nullptr) return;
    for (transaction_observer* observer : observers_) observer->begin_request(id, port_, f.op, f.times.begin_request);
}

void protocol_checker::accept(tlm::tlm_generic_payload& payload, flight& f, const sc_core::sc_time& delay)
{
    f.state = state::accepted;
    if (requesting_ == &payload) requesting_ = nullptr;
    const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
    request_free_ = std::max(request_free_, time);
    f.times.accept = clock_.cycles(time);
    if (payload.get_extension<isbe_extension>() == nullptr) return;
    for (transaction_observer* observer : observers_) observer->accept(f.id, port_, f.times.accept);
}

void protocol_checker::end_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)
{
    flight* const f = find(payload);
    const place where{f == nullptr ? no_id : f->id, "END_REQ", delay};
    check_time(f, backward_time_, where);
    if (f == nullptr || f->state != state::requested) {
        violation(protocol_rule::phase_order, where,
                  f == nullptr ? "no transaction with this payload" : "the request was accepted before");
        return;
    }
    check_unchanged(payload, *f, where);
    accept(payload, *f, delay);
}

void protocol_checker::begin_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)
{
    flight* const f = find(payload);
    const place where{f == nullptr ? no_id : f->id, "BEGIN_RESP", delay};
    check_time(f, backward_time_, where);
    if (f == nullptr || f->state == state::responding) {
        violation(protocol_rule::phase_order, where,
                  f == nullptr ? "no transaction with this payload" : "the response was given before");
        return;
    }
    if (f->state == state::requested) accept(payload, *f, delay); // END_REQ implied
    check_unchanged(payload, *f, where);
    check_exclusion(protocol_rule::response_exclusion, responding_ != nullptr, response_free_, where);
    check_status(payload, where);
    f->state = state::responding;
    responding_ = &payload;
    f->status = payload.get_response_status();
    f->times.response = clock_.cycles(sc_core::sc_time_stamp() + delay);
    const auto* extension = payload.get_extension<isbe_extension>();
    if (extension == nullptr) {
        f->data = data_of(payload);
        return;
    }
    f->result = extension->result;
    for (transaction_observer* observer : observers_) observer->response(f->id, port_, f->op, f->result, f->times);
}

void protocol_checker::end_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)
{
    flight* const f = find(payload);
    const place where{f == nullptr ? no_id : f->id, "END_RESP", delay};
    if (f == nullptr || f->state != state::responding) {
        violation(protocol_rule::phase_order, where,
                  f == nullptr ? "no transaction with this payload" : "there was no response");
        return;
    }
    check_time(f, forward_time_, where);
    check_unchanged(payload, *f, where);
    check_result(payload, *f, where);
    if (responding_ == &payload) responding_ = nullptr;
    response_free_ = std::max(response_free_, sc_core::sc_time_stamp() + delay);
    flights_.erase(&payload);
}

void protocol_checker::completed_early(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)
{
    const sc_core::sc_time free = std::exchange(response_free_, sc_core::SC_ZERO_TIME); // there is no response phase
    begin_response(payload, delay);
    response_free_ = free;
    flight* const f = find(payload);
    if (f == nullptr || f->state != state::responding) return;
    if (responding_ == &payload) responding_ = nullptr;
    flights_.erase(&payload);
}

tlm::tlm_sync_enum protocol_checker::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay)
{
    const tlm::tlm_phase sent = phase;
    const sc_core::sc_time sent_delay = delay;
    if (sent == tlm::BEGIN_REQ)
        begin_request(payload, delay);
    else if (sent == tlm::END_RESP)
        end_response(payload, delay); // before the call: the payload may be reused in it
    else if (sent == tlm::END_REQ || sent == tlm::BEGIN_RESP || sent == tlm::UNINITIALIZED_PHASE)
        violation(protocol_rule::phase_order, {no_id, sent.get_name(), delay}, "not of the forward path");

    const tlm::tlm_sync_enum status = initiator->nb_transport_fw(payload, phase, delay);
    check_answer(status, sent, phase, sent_delay, delay);
    if (status == tlm::TLM_ACCEPTED) return status;
    if (sent != tlm::BEGIN_REQ) {
        if (status == tlm::TLM_UPDATED)
            violation(protocol_rule::phase_order, {no_id, sent.get_name(), delay}, "no phase can follow in the answer");
        return status;
    }
    // The time of a phase in a return value binds its own transaction only: calls for others may come before it.
    const sc_core::sc_time path = backward_time_;
    const sc_core::sc_time request_free = request_free_;
    backward_time_ = sc_core::SC_ZERO_TIME;
    if (status == tlm::TLM_COMPLETED)
        completed_early(payload, delay);
    else if (phase == tlm::END_REQ)
        end_request(payload, delay);
    else if (phase == tlm::BEGIN_RESP)
        begin_response(payload, delay);
    else
        violation(protocol_rule::phase_order, {no_id, phase.get_name(), delay}, "can't follow BEGIN_REQ");
    backward_time_ = path;
    if (status == tlm::TLM_COMPLETED || phase != tlm::END_REQ) request_free_ = request_free;
    return status;
}

tlm::tlm_sync_enum protocol_checker::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay)
{
    const tlm::tlm_phase sent = phase;
    const sc_core::sc_time sent_delay = delay;
    if (sent == tlm::END_REQ)
        end_request(payload, delay);
    else if (sent == tlm::BEGIN_RESP)
        begin_response(payload, delay);
    else if (sent == tlm::BEGIN_REQ || sent == tlm::END_RESP || sent == tlm::UNINITIALIZED_PHASE)
        violation(protocol_rule::phase_order, {no_id, sent.get_name(), delay}, "not of the backward path");

    const tlm::tlm_sync_enum status = target->nb_transport_bw(payload, phase, delay);
    check_answer(status, sent, phase, sent_delay, delay);
    if (status == tlm::TLM_ACCEPTED) return status;
    if (sent != tlm::BEGIN_RESP || (status == tlm::TLM_UPDATED && phase != tlm::END_RESP)) {
        violation(protocol_rule::phase_order, {no_id, sent.get_name(), delay},
                  "no such phase can follow in the answer");
    } else {
        const sc_core::sc_time path = forward_time_; // a return value is not a call on it either
        forward_time_ = sc_core::SC_ZERO_TIME;
        end_response(payload, delay);
        forward_time_ = path;
    }
    return status;
}

void protocol_checker::check_answer(tlm::tlm_sync_enum status, const tlm::tlm_phase& sent, const tlm::tlm_phase& phase,
                                    const sc_core::sc_time& sent_delay, const sc_core::sc_time& delay)
{
    if (status == tlm::TLM_ACCEPTED) {
        if (sent != phase || delay != sent_delay)
            violation(protocol_rule::phase_order, {no_id, sent.get_name(), delay},
                      "phase or delay changed by a call that returned TLM_ACCEPTED");
    } else if (delay < sent_delay) {
        violation(protocol_rule::time_backwards, {no_id, phase.get_name(), delay}, "the answer reduced the delay");
    }
}

/// A call of b_transport; it is over too when its thread is killed or reset in it (IEEE 1666, process control).
class protocol_checker::blocking_call {
public:
    blocking_call(protocol_checker& checker, const tlm::tlm_generic_payload& payload)
        : calls_(checker.blocking_), payload_(&payload)
    {
        calls_.push_back(payload_);
    }
    ~blocking_call() { calls_.erase(std::find(calls_.begin(), calls_.end(), payload_)); }
    blocking_call(const blocking_call&) = delete;
    blocking_call& operator=(const blocking_call&) = delete;

private:
    std::vector<const tlm::tlm_generic_payload*>& calls_;
    const tlm::tlm_generic_payload* payload_;
};

bool protocol_checker::is_blocking(const tlm::tlm_generic_payload& payload) const
{
    return std::find(blocking_.begin(), blocking_.end(), &payload) != blocking_.end();
}

void protocol_checker::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    flight f(next_id_++, payload);
    const place where{f.id, "b_transport", delay};
    const auto caller = sc_core::sc_get_current_process_handle().proc_kind();
    if (caller != sc_core::SC_THREAD_PROC_ && caller != sc_core::SC_CTHREAD_PROC_)
        violation(protocol_rule::blocking_caller, where, "called outside a thread, where nothing can wait");
    if (find(payload) != nullptr || is_blocking(payload))
        violation(protocol_rule::phase_order, where, "the payload is in another transaction");
    const blocking_call call(*this, payload);
    check_request(payload, where);
    const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay;
    const auto* extension = payload.get_extension<isbe_extension>();
    f.times.begin_request = f.times.accept = clock_.cycles(begin);
    if (extension != nullptr)
        for (transaction_observer* observer : observers_) {
            observer->begin_request(f.id, port_, f.op, f.times.begin_request);
            observer->accept(f.id, port_, f.times.accept);
        }
    initiator->b_transport(payload, delay);
    const sc_core::sc_time end = sc_core::sc_time_stamp() + delay;
    check_unchanged(payload, f, where);
    if (end < begin) violation(protocol_rule::time_backwards, where, "the call ended before it began");
    check_status(payload, where);
    f.times.response = clock_.cycles(end);
    if (extension != nullptr)
        for (transaction_observer* observer : observers_)
            observer->response(f.id, port_, f.op, extension->result, f.times);
}

bool protocol_checker::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi)
{
    return initiator->get_direct_mem_ptr(payload, dmi);
}

unsigned protocol_checker::transport_dbg(tlm::tlm_generic_payload& payload)
{
    return initiator->transport_dbg(payload);
}

void protocol_checker::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last)
{
    target->invalidate_direct_mem_ptr(first, last);
}

void protocol_checker::finish()
{
    std::vector<std::uint64_t> open;
    for (const auto& entry : flights_) open.push_back(entry.second.id);
    std::sort(open.begin(), open.end());
    for (const std::uint64_t id : open)
        violation(protocol_rule::response_missing, {id, "end of run", sc_core::SC_ZERO_TIME},
                  "the transaction has not ended");
    if (!blocking_.empty())
        violation(protocol_rule::response_missing, {no_id, "end of run", sc_core::SC_ZERO_TIME},
                  std::to_string(blocking_.size()) + " calls of b_transport have not returned");
    flights_.clear();
    requesting_ = responding_ = nullptr;
}

} // namespace isbesim
