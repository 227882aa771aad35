// SPDX-License-Identifier: Apache-2.0
#include "tlm/at_initiator.h"

#include <utility>

#include "tlm/has_process.h"
#include "tlm/process_guard.h"

namespace isbesim {

at_initiator::at_initiator(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned queue_depth,
                           client& owner)
    : warp_initiator(name, clock, queue_depth, owner)
{
    ISBESIM_HAS_PROCESS(at_initiator);
    SC_METHOD(request_method);
    sensitive << request_event_;
    dont_initialize();
    SC_METHOD(end_response_method);
    sensitive << end_response_event_;
    dont_initialize();
}

void at_initiator::queued()
{
    if (queued_ == 1 && !requesting_) send_next();
}

void at_initiator::request_method()
{
    guard_process([this] {
        if (waiting() == 0) owner_.channel_free();
        send_next();
    });
}

void at_initiator::send_next()
{
    if (queued_ == 0 || requesting_) return;
    // One transfer a cycle: after an accept in this cycle the channel is free in the next.
    if (clock_.now() < next_request_) {
        request_event_.notify(clock_.until(next_request_));
        return;
    }
    request();
}

void at_initiator::request()
{
    record& current = first_queued();
    tlm::tlm_generic_payload& payload = *current.payload;
    current.times.begin_request = clock_.now();
    --queued_;
    requesting_ = true;

    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) return;
    const std::uint64_t cycle = cycle_after(delay);
    if (status == tlm::TLM_COMPLETED) {
        accepted(clock_.now());
        expect_response(cycle, true);
    } else if (phase == tlm::END_REQ) {
        accepted(cycle);
    } else if (phase == tlm::BEGIN_RESP) {
        accepted(clock_.now());
        expect_response(cycle, false);
    }
}

void at_initiator::accepted(std::uint64_t cycle)
{
    if (!requesting_) return;
    record& current = records_[records_.size() - queued_ - 1];
    current.times.accept = cycle;
    requesting_ = false;
    next_request_ = cycle + 1;
    if (queued_ != 0) request_event_.notify(clock_.until(next_request_));
    report_accepted(current);
}

tlm::tlm_sync_enum at_initiator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay)
{
    const std::uint64_t cycle = cycle_after(delay);
    if (phase == tlm::END_REQ) {
        accepted(cycle);
        return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED; // an ignorable phase
    if (records_.empty() || records_.front().payload != &payload) {
        SC_REPORT_ERROR("/isbesim/warp_initiator", "response of an operation that is not the oldest of this port");
        return tlm::TLM_ACCEPTED;
    }
    if (records_.size() == queued_ + 1) accepted(clock_.now()); // BEGIN_RESP implies END_REQ
    if (cycle > clock_.now() || expects_response()) {
        expect_response(cycle, false);
        return tlm::TLM_ACCEPTED;
    }
    payload.acquire();
    const unsigned stall = deliver();
    if (stall != 0) end_response_in(payload, stall);
    payload.release();
    return stall == 0 ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void at_initiator::end_response(tlm::tlm_generic_payload& payload, unsigned stall)
{
    if (stall != 0) return end_response_in(payload, stall);
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, phase, delay);
}

void at_initiator::end_response_in(tlm::tlm_generic_payload& payload, unsigned stall)
{
    payload.acquire();
    stalled_ = &payload;
    hold();
    end_response_event_.notify(clock_.until(clock_.now() + stall));
}

void at_initiator::end_response_method()
{
    guard_process([this] {
        tlm::tlm_generic_payload& payload = *std::exchange(stalled_, nullptr);
        end_response(payload, 0);
        payload.release();
        resume();
    });
}

} // namespace isbesim
