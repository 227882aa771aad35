// SPDX-License-Identifier: Apache-2.0
#include "tlm/warp_initiator.h"

#include <algorithm>
#include <utility>

#include "tlm/at_initiator.h"
#include "tlm/has_process.h"
#include "tlm/lt_initiator.h"
#include "tlm/process_guard.h"

namespace isbesim {

std::unique_ptr<warp_initiator> warp_initiator::make(const std::string& name, style how, const cycle_clock& clock,
                                                     unsigned queue_depth, client& owner)
{
    if (how == style::approximately_timed)
        return std::make_unique<at_initiator>(name.c_str(), clock, queue_depth, owner);
    return std::make_unique<lt_initiator>(name.c_str(), clock, how == style::decoupled, owner);
}

warp_initiator::warp_initiator(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned queue_depth,
                               client& owner)
    : sc_core::sc_module(name), socket("socket"), clock_(clock), owner_(owner), records_(64), queue_depth_(queue_depth)
{
    ISBESIM_HAS_PROCESS(warp_initiator);
    socket.bind(*this);
    SC_METHOD(response_method);
    sensitive << response_event_;
    dont_initialize();
}

warp_initiator::~warp_initiator() = default;

warp_op& warp_initiator::prepare()
{
    warp_op& op = prepare_over();
    op = warp_op{};
    return op;
}

warp_op& warp_initiator::prepare_over()
{
    if (prepared_ == nullptr) prepared_ = &pool_.acquire();
    return payload_pool::extension(*prepared_).op;
}

void warp_initiator::send(const warp_op& op, std::uint64_t tag, cause because)
{
    prepare_over() = op;
    send(tag, std::move(because));
}

void warp_initiator::send(block_read& block, std::uint64_t tag, cause because)
{
    make_read(block.runs.front(), prepare());
    prepared_block_ = &block;
    send(tag, std::move(because));
}

void warp_initiator::send(std::uint64_t tag, cause because)
{
    sc_assert(prepared_ != nullptr);
    payload_pool::extension(*prepared_).because = std::move(because);
    records_.push(record{prepared_, tag, {}, std::exchange(prepared_block_, nullptr)});
    prepared_ = nullptr;
    ++queued_;
    queued();
}

std::uint64_t warp_initiator::cycle_after(const sc_core::sc_time& delay) const
{
    return delay.value() == 0 ? clock_.now() : clock_.cycle_from(sc_core::sc_time_stamp() + delay);
}

void warp_initiator::report_accepted(const record& accepted)
{
    because_ = &payload_pool::extension(*accepted.payload).because;
    owner_.accepted(accepted.tag); // may send, which moves the records
}

void warp_initiator::expect_response(std::uint64_t cycle, bool completed)
{
    // Responses leave in port order, so a faster operation waits for the one before it.
    if (!early_.empty()) cycle = std::max(cycle, early_.back().cycle);
    early_.push(early_response{cycle, completed});
    if (early_.size() == 1) response_event_.notify(clock_.until(cycle));
}

void warp_initiator::response_method()
{
    guard_process([this] { deliver_due(); });
}

void warp_initiator::deliver_due()
{
    while (!early_.empty() && !held_) {
        const early_response next = early_.front();
        if (next.cycle > clock_.now()) {
            response_event_.notify(clock_.until(next.cycle));
            return;
        }
        early_.pop();
        tlm::tlm_generic_payload& payload = *records_.front().payload;
        payload.acquire();
        const unsigned stall = deliver();
        if (!next.completed) end_response(payload, stall);
        payload.release();
    }
}

void warp_initiator::resume()
{
    held_ = false;
    if (!early_.empty()) response_event_.notify(clock_.until(std::max(early_.front().cycle, clock_.now())));
}

unsigned warp_initiator::deliver()
{
    const record responded = records_.front();
    records_.pop();
    tlm::tlm_generic_payload& payload = *responded.payload;
    if (payload.is_response_error()) SC_REPORT_ERROR("/isbesim/warp_initiator", payload.get_response_string().c_str());
    transaction_times times = responded.times;
    times.response = clock_.now();
    const isbe_extension& extension = payload_pool::extension(payload);
    because_ = &extension.because;
    owner_.response(responded.tag, extension.op, extension.result, times);
    const unsigned stall = owner_.response_stall(responded.tag);
    payload.release();
    return stall;
}

} // namespace isbesim
