// SPDX-License-Identifier: Apache-2.0
#include "models/sm/launch_sockets.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "tlm/process_guard.h"

namespace isbesim {

tlm::tlm_extension_base* launch_extension::clone() const
{
    return new launch_extension(*this);
}

void launch_extension::copy_from(const tlm::tlm_extension_base& other)
{
    *this = static_cast<const launch_extension&>(other);
}

launch_pool::~launch_pool()
{
    // The extensions belong to their payloads, whose destructors free them.
    for (const auto& transaction : all_) transaction->set_mm(nullptr);
}

tlm::tlm_generic_payload& launch_pool::acquire()
{
    if (idle_.empty()) {
        all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
        all_.back()->set_extension(new launch_extension);
        idle_.reserve(all_.size());
        idle_.push_back(all_.back().get());
    }
    tlm::tlm_generic_payload& transaction = *idle_.back();
    idle_.pop_back();
    transaction.acquire();
    transaction.set_command(tlm::TLM_IGNORE_COMMAND);
    transaction.set_address(0);
    auto& tag = transaction.get_extension<launch_extension>()->tag;
    transaction.set_data_ptr(reinterpret_cast<unsigned char*>(&tag));
    transaction.set_data_length(sizeof tag);
    transaction.set_streaming_width(sizeof tag);
    transaction.set_byte_enable_ptr(nullptr);
    transaction.set_byte_enable_length(0);
    transaction.set_dmi_allowed(false);
    transaction.set_gp_option(tlm::TLM_MIN_PAYLOAD);
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return transaction;
}

void launch_pool::free(tlm::tlm_generic_payload* transaction)
{
    transaction->reset(); // drops extensions that others attached for this launch; the launch_extension stays
    idle_.push_back(transaction);
}

launch_initiator::launch_initiator(const sc_core::sc_module_name& name, const cycle_clock& clock, client& owner)
    : sc_core::sc_module(name),
      socket("socket"),
      clock_(clock),
      client_(owner),
      delayed_(this, &launch_initiator::arrive_later)
{
    socket.bind(*this);
}

void launch_initiator::launch(const warp_launch& launch, std::uint64_t tag, cause because)
{
    tlm::tlm_generic_payload& transaction = pool_.acquire();
    auto* extension = transaction.get_extension<launch_extension>();
    extension->launch = launch;
    extension->tag = tag;
    extension->because = std::move(because);
    waiting_.push(&transaction);
    send();
}

void launch_initiator::send()
{
    while (pending_ == nullptr && !waiting_.empty()) {
        tlm::tlm_generic_payload& transaction = *waiting_.front();
        waiting_.pop();
        pending_ = &transaction;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        const tlm::tlm_sync_enum status = socket->nb_transport_fw(transaction, phase, delay);
        if (status == tlm::TLM_ACCEPTED) continue;
        if (status == tlm::TLM_COMPLETED) phase = tlm::END_RESP;
        if (delay == sc_core::SC_ZERO_TIME)
            arrive(transaction, phase);
        else
            delayed_.notify(transaction, phase, delay);
    }
}

tlm::tlm_sync_enum launch_initiator::nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay)
{
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED; // an ignorable phase
    if (delay != sc_core::SC_ZERO_TIME) {
        delayed_.notify(transaction, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::END_REQ) {
        accepted(transaction);
        send();
        return tlm::TLM_ACCEPTED;
    }
    accepted(transaction); // END_REQ may be implied
    finish(transaction);
    send();
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

void launch_initiator::arrive_later(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase)
{
    guard_process([&] { // called by the queue's process
        arrive(transaction, phase);
        send();
    });
}

void launch_initiator::arrive(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase)
{
    accepted(transaction);
    if (phase == tlm::END_REQ) return;
    transaction.acquire();
    finish(transaction);
    if (phase == tlm::BEGIN_RESP) {
        tlm::tlm_phase end = tlm::END_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_fw(transaction, end, delay);
    }
    transaction.release();
}

void launch_initiator::accepted(const tlm::tlm_generic_payload& transaction)
{
    if (pending_ == &transaction) pending_ = nullptr;
}

void launch_initiator::finish(tlm::tlm_generic_payload& transaction)
{
    if (transaction.is_response_error())
        throw std::logic_error("launch_initiator: " + transaction.get_response_string());
    last_completion_ = clock_.now();
    auto* extension = transaction.get_extension<launch_extension>();
    because_ = extension->because;
    client_.completed(extension->tag, extension->completion);
    transaction.release();
}

namespace {

const warp_launch& launch_of(const tlm::tlm_generic_payload& transaction)
{
    return transaction.get_extension<launch_extension>()->launch;
}

} // namespace

launch_target::launch_target(tlm::tlm_target_socket<>& socket, unsigned slots, client& owner)
    : socket_(socket), slots_(slots), client_(owner), responses_(slots), delayed_(this, &launch_target::arrive_later)
{
    socket.bind(*this);
}

tlm::tlm_sync_enum launch_target::nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay)
{
    if (phase != tlm::BEGIN_REQ && phase != tlm::END_RESP) return tlm::TLM_ACCEPTED; // an ignorable phase
    if (phase == tlm::BEGIN_REQ) {
        const auto* extension = transaction.get_extension<launch_extension>();
        if (extension == nullptr || extension->launch.program == nullptr ||
            extension->launch.context >= slots_) { // not a launch, or not into one of the warp slots
            transaction.set_response_status(extension == nullptr ? tlm::TLM_COMMAND_ERROR_RESPONSE
                                                                 : tlm::TLM_GENERIC_ERROR_RESPONSE);
            return tlm::TLM_COMPLETED;
        }
        if (!transaction.has_mm())
            throw std::logic_error(std::string(socket_.name()) + ": a launch without memory manager");
    }
    if (delay != sc_core::SC_ZERO_TIME) {
        delayed_.notify(transaction, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::END_RESP) {
        end_response(transaction);
        return tlm::TLM_COMPLETED;
    }
    if (!begin_request(transaction)) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void launch_target::arrive_later(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase)
{
    guard_process([&] { // called by the queue's process
        if (phase == tlm::END_RESP)
            end_response(transaction);
        else if (begin_request(transaction))
            accept(transaction);
    });
}

/// False when the launch is held until its slot is free.
bool launch_target::begin_request(tlm::tlm_generic_payload& transaction)
{
    if (held_ != nullptr) throw std::logic_error(std::string(socket_.name()) + ": a second launch before END_REQ");
    transaction.acquire();
    const auto& launch = launch_of(transaction);
    if (!client_.has_free_slot(launch.context)) {
        held_ = &transaction;
        return false;
    }
    client_.start(transaction, launch);
    return true;
}

void launch_target::accept(tlm::tlm_generic_payload& transaction)
{
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket_->nb_transport_bw(transaction, phase, delay);
}

void launch_target::end_response(tlm::tlm_generic_payload& transaction)
{
    if (!responding_ || responses_.front() != &transaction)
        throw std::logic_error(std::string(socket_.name()) + ": END_RESP of a launch without a response");
    responses_.pop();
    responding_ = false;
    transaction.release();
    respond();
}

void launch_target::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&)
{
    // A warp needs an ISBE that responds while it runs: there is no loosely timed short cut.
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
}

void launch_target::complete(tlm::tlm_generic_payload& transaction, const warp_completion& completion)
{
    transaction.get_extension<launch_extension>()->completion = completion;
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    responses_.push(&transaction);
    if (held_ != nullptr && client_.has_free_slot(launch_of(*held_).context)) {
        tlm::tlm_generic_payload& held = *held_;
        held_ = nullptr;
        client_.start(held, launch_of(held));
        accept(held);
    }
    respond();
}

void launch_target::respond()
{
    // One response at a time (base protocol's exclusion rule); the slots are free already.
    while (!responding_ && !responses_.empty()) {
        tlm::tlm_generic_payload& transaction = *responses_.front();
        responding_ = true;
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        const tlm::tlm_sync_enum status = socket_->nb_transport_bw(transaction, phase, delay);
        if (status == tlm::TLM_ACCEPTED) return; // END_RESP follows
        if (delay != sc_core::SC_ZERO_TIME) {
            delayed_.notify(transaction, tlm::END_RESP, delay);
            return;
        }
        responses_.pop();
        responding_ = false;
        transaction.release();
    }
}

} // namespace isbesim
