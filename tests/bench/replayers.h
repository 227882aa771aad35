// SPDX-License-Identifier: Apache-2.0
// Initiators that play a packed trace, one port each: as recorded (every request in its cycle, or as soon after it as
// the port takes it), or back to back. Responses are taken at once.
#pragma once

#include <systemc>
#include <tlm>

#include "tests/bench/packed_trace.h"
#include "tlm/at_initiator.h"
#include "tlm/clock.h"
#include "tlm/has_process.h"
#include "tlm/payload_pool.h"

namespace isbesim::test {

enum class pace { back_to_back, as_recorded };

/// Four phases.
class at_replayer : public sc_core::sc_module, private warp_initiator::client {
public:
    at_initiator initiator;

    at_replayer(const sc_core::sc_module_name& name, const cycle_clock& clock)
        : sc_core::sc_module(name), initiator("initiator", clock, 2, *this), clock_(clock)
    {
        ISBESIM_HAS_PROCESS(at_replayer);
        SC_METHOD(send);
        sensitive << wake_;
        dont_initialize();
    }
    /// Plays when the simulation goes on.
    void start(const packed_port& port, pace how)
    {
        port_ = &port;
        recorded_ = how == pace::as_recorded;
        next_ = answered_ = 0;
        origin_ = clock_.now() + 1;
        wake_.notify(clock_.until(origin_));
    }
    bool finished() const { return port_ == nullptr || answered_ == port_->size(); }

private:
    void send()
    {
        while (next_ < port_->size() && initiator.can_send()) {
            if (recorded_ && origin_ + port_->earliest(next_) > clock_.now()) {
                wake_.notify(clock_.until(origin_ + port_->earliest(next_)));
                return;
            }
            port_->load(next_, initiator.prepare());
            initiator.send(next_++);
        }
    }
    void accepted(std::uint64_t) override { send(); }
    void response(std::uint64_t, const warp_op&, const warp_result&, const transaction_times&) override { ++answered_; }

    cycle_clock clock_;
    const packed_port* port_ = nullptr;
    bool recorded_ = false;
    std::size_t next_ = 0;
    std::size_t answered_ = 0;
    std::uint64_t origin_ = 0; ///< cycle 0 of the trace
    sc_core::sc_event wake_;
};

/// b_transport, temporally decoupled: waits once a quantum.
class lt_replayer : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<> socket{"socket"};

    lt_replayer(const sc_core::sc_module_name& name, const cycle_clock& clock)
        : sc_core::sc_module(name), clock_(clock), quantum_(clock.time(10'000))
    {
        socket.bind(*this);
        ISBESIM_HAS_PROCESS(lt_replayer);
        SC_THREAD(play);
    }
    void start(const packed_port& port, pace how)
    {
        port_ = &port;
        recorded_ = how == pace::as_recorded;
        answered_ = 0;
        wake_.notify(sc_core::SC_ZERO_TIME);
    }
    bool finished() const { return port_ == nullptr || answered_ == port_->size(); }

private:
    void play()
    {
        tlm::tlm_generic_payload& payload = pool_.acquire();
        warp_op& op = payload_pool::extension(payload).op;
        for (;;) {
            sc_core::wait(wake_);
            // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): what it refers to moves on in b_transport
            const sc_core::sc_time origin = sc_core::sc_time_stamp();
            auto local = sc_core::SC_ZERO_TIME;
            for (std::size_t i = 0; i < port_->size(); ++i) {
                if (recorded_) {
                    const auto due = origin + clock_.time(port_->earliest(i));
                    if (due > sc_core::sc_time_stamp() + local) local = due - sc_core::sc_time_stamp();
                }
                port_->load(i, op);
                payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
                socket->b_transport(payload, local);
                ++answered_;
                if (local >= quantum_) {
                    sc_core::wait(local);
                    local = sc_core::SC_ZERO_TIME;
                }
            }
        }
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    cycle_clock clock_;
    sc_core::sc_time quantum_;
    payload_pool pool_;
    const packed_port* port_ = nullptr;
    bool recorded_ = false;
    std::size_t answered_ = 0;
    sc_core::sc_event wake_;
};

} // namespace isbesim::test
