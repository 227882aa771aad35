// SPDX-License-Identifier: Apache-2.0
// An initiator that knows TLM-2.0 and the ISBE's extension: simple sockets and its own payloads; loosely timed with
// temporal decoupling, or in four phases with every way of ending a response.
#pragma once

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES // for the simple sockets: before systemc is included for the first time
#endif

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include "tlm/has_process.h"
#include "tlm/payload_extension.h"

namespace foreign {

/// A payload with all attributes that it needs, set by hand as the headers require.
class own_payload : public tlm::tlm_generic_payload {
public:
    isbesim::isbe_extension extension;
    std::vector<unsigned char> data;
    bool responded = false;

    explicit own_payload(tlm::tlm_mm_interface& manager) : tlm::tlm_generic_payload(&manager) { acquire(); }
    ~own_payload() override { clear_extension(&extension); }

    void plain(bool write, std::uint64_t address, std::vector<unsigned char> bytes)
    {
        data = std::move(bytes);
        set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        set_address(address);
        set_array(data.data(), static_cast<unsigned>(data.size()));
    }
    void operation(const isbesim::warp_op& op)
    {
        extension.op = op;
        set_command(tlm::TLM_IGNORE_COMMAND);
        set_address(0);
        set_array(reinterpret_cast<unsigned char*>(&extension.op.data), 512);
        set_extension(&extension);
    }

private:
    void set_array(unsigned char* first, unsigned bytes)
    {
        set_data_ptr(first);
        set_data_length(bytes);
        set_streaming_width(bytes);
    }
};

enum class manner { loosely_timed, approximately_timed };

class foreign_initiator : public sc_core::sc_module, public tlm::tlm_mm_interface {
public:
    tlm_utils::simple_initiator_socket<foreign_initiator> socket{"socket"};

    foreign_initiator(const sc_core::sc_module_name& name, manner how, std::function<void(foreign_initiator&)> body)
        : sc_core::sc_module(name), how_(how), body_(std::move(body))
    {
        socket.register_nb_transport_bw(this, &foreign_initiator::backward);
        ISBESIM_HAS_PROCESS(foreign_initiator);
        SC_THREAD(run);
        SC_METHOD(end_response);
        sensitive << end_response_;
        dont_initialize();
    }
    bool ran() const { return ran_; }
    sc_core::sc_time ahead() const { return ahead_; } ///< the maximum time by which it ran ahead of simulated time

    own_payload& write(std::uint64_t address, std::vector<unsigned char> bytes)
    {
        own_payload& payload = make();
        payload.plain(true, address, std::move(bytes));
        return start(payload);
    }
    own_payload& read(std::uint64_t address, unsigned count)
    {
        own_payload& payload = make();
        payload.plain(false, address, std::vector<unsigned char>(count));
        return start(payload);
    }
    own_payload& operation(const isbesim::warp_op& op)
    {
        own_payload& payload = make();
        payload.operation(op);
        return start(payload);
    }
    /// Waits until all started operations have responded.
    void finish()
    {
        for (const auto& payload : payloads_) {
            while (!payload->responded) wait(answer_);
            require(payload->get_response_status() == tlm::TLM_OK_RESPONSE, payload->get_response_string());
        }
    }

private:
    own_payload& make()
    {
        payloads_.push_back(std::make_unique<own_payload>(*this));
        return *payloads_.back();
    }
    own_payload& start(own_payload& payload)
    {
        if (how_ == manner::loosely_timed)
            block(payload);
        else
            request(payload);
        return payload;
    }
    void block(own_payload& payload)
    {
        sc_core::sc_time delay = keeper_.get_local_time();
        socket->b_transport(payload, delay);
        payload.responded = true;
        keeper_.set(delay);
        ahead_ = std::max(ahead_, delay);
        if (keeper_.need_sync()) keeper_.sync();
    }
    void request(own_payload& payload)
    {
        while (requesting_ != nullptr) wait(channel_);
        requesting_ = &payload;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        const auto status = socket->nb_transport_fw(payload, phase, delay);
        if (status == tlm::TLM_ACCEPTED) return;
        if (delay != sc_core::SC_ZERO_TIME) wait(delay);
        requesting_ = nullptr;
        if (status == tlm::TLM_COMPLETED) responded(payload);
        require(status == tlm::TLM_COMPLETED || phase == tlm::END_REQ, "a phase that is neither END_REQ nor the end");
    }
    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay)
    {
        if (requesting_ == &payload) {
            requesting_ = nullptr;
            channel_.notify(delay);
        }
        if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
        switch (responses_++ % 3) {
        case 0:
            responded(payload);
            return tlm::TLM_COMPLETED;
        case 1: // ends 2 ns later, announced at once
            responded(payload);
            phase = tlm::END_RESP;
            delay += sc_core::sc_time(2, sc_core::SC_NS);
            return tlm::TLM_UPDATED;
        default: // ends 1.5 ns later, announced then
            ending_ = &payload;
            end_response_.notify(delay + sc_core::sc_time(1.5, sc_core::SC_NS));
            return tlm::TLM_ACCEPTED;
        }
    }
    void end_response()
    {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay;
        socket->nb_transport_fw(*ending_, phase, delay);
        responded(*ending_);
    }
    static void require(bool holds, const std::string& seen)
    {
        if (!holds) SC_REPORT_ERROR("foreign_initiator", seen.c_str());
    }
    void responded(tlm::tlm_generic_payload& payload)
    {
        static_cast<own_payload&>(payload).responded = true;
        answer_.notify(sc_core::SC_ZERO_TIME);
    }
    void run()
    {
        tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_core::sc_time(20, sc_core::SC_NS));
        keeper_.reset();
        body_(*this);
        ran_ = true;
    }
    void free(tlm::tlm_generic_payload*) override {}

    manner how_;
    std::function<void(foreign_initiator&)> body_;
    bool ran_ = false;
    sc_core::sc_time ahead_;
    unsigned responses_ = 0;
    tlm_utils::tlm_quantumkeeper keeper_;
    std::vector<std::unique_ptr<own_payload>> payloads_;
    tlm::tlm_generic_payload* requesting_ = nullptr;
    tlm::tlm_generic_payload* ending_ = nullptr;
    sc_core::sc_event channel_, answer_, end_response_;
};

} // namespace foreign
