// SPDX-License-Identifier: Apache-2.0
#include "tlm/warp_initiator.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "tlm/has_process.h"
#include "tlm/process_guard.h"

namespace isbesim {

namespace {
constexpr const char* report_id = "/isbesim/warp_initiator";

/// A payload would delete an extension that it still has when it ends, also after an exception.
class attached_block {
public:
    attached_block(tlm::tlm_generic_payload& payload, block_read& block) : payload_(payload), block_(block)
    {
        payload_.set_extension(&block_);
    }
    ~attached_block() { payload_.clear_extension(&block_); }
    attached_block(const attached_block&) = delete;
    attached_block& operator=(const attached_block&) = delete;

private:
    tlm::tlm_generic_payload& payload_;
    block_read& block_;
};

} // namespace

warp_initiator::warp_initiator(const sc_core::sc_module_name& name, style initiator_style, const cycle_clock& clock,
                               unsigned queue_depth, client& owner)
    : sc_core::sc_module(name),
      socket("socket"),
      style_(initiator_style),
      clock_(clock),
      queue_depth_(queue_depth),
      owner_(owner),
      records_(64)
{
    ISBESIM_HAS_PROCESS(warp_initiator);
    socket.bind(*this);
    if (style_ != style::approximately_timed) {
        SC_THREAD(blocking_thread);
    } else {
        SC_METHOD(request_method);
    }
    sensitive << request_event_;
    dont_initialize();
    SC_METHOD(response_method);
    sensitive << response_event_;
    dont_initialize();
    SC_METHOD(end_response_method);
    sensitive << end_response_event_;
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
    sc_assert(style_ == style::decoupled);
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
    if (style_ != style::approximately_timed) {
        request_event_.notify(sc_core::SC_ZERO_TIME);
    } else if (queued_ == 1 && !requesting_) {
        send_next();
    }
}

void warp_initiator::request_method()
{
    guard_process([this] {
        if (waiting() == 0) owner_.channel_free();
        send_next();
    });
}

void warp_initiator::send_next()
{
    if (queued_ == 0 || requesting_) return;
    // One transfer a cycle: after an accept in this cycle the channel is free in the next.
    if (clock_.now() < next_request_) {
        request_event_.notify(clock_.until(next_request_));
        return;
    }
    request();
}

void warp_initiator::request()
{
    record& current = records_[records_.size() - queued_];
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

// b_transport may wait, which only a thread can: 11.1.1.4 b of the standard.
void warp_initiator::blocking_thread()
{
    guard_process([this] {
        for (;; wait())
            while (queued_ != 0) block_next();
    });
}

void warp_initiator::block_next()
{
    record& next = records_[records_.size() - queued_];
    const std::uint64_t now = clock_.now();
    const std::uint64_t begin = style_ == style::decoupled ? std::max(now, next_request_) : now;
    next.times.begin_request = next.times.accept = begin;
    tlm::tlm_generic_payload& payload = *next.payload;
    block_read* const block = next.block;
    --queued_;
    because_ = &payload_pool::extension(payload).because;
    owner_.accepted(next.tag); // may send, which moves the records
    sc_core::sc_time delay = begin > now ? clock_.until(begin) : sc_core::SC_ZERO_TIME;
    const auto& answered = payload_pool::extension(payload);
    std::uint64_t passes = 0;
    if (block == nullptr) {
        socket->b_transport(payload, delay);
        passes = answered.result.passes;
    } else {
        block->passes = 0;
        {
            const attached_block attached(payload, *block);
            socket->b_transport(payload, delay);
        }
        passes = block->passes != 0 ? block->passes : read_one_by_one(payload, *block, begin, delay);
    }
    next_request_ = begin + std::max(passes, answered.interval);
    expect_response(cycle_after(delay), true);
}

std::uint64_t warp_initiator::read_one_by_one(tlm::tlm_generic_payload& payload, const block_read& block,
                                              std::uint64_t begin, sc_core::sc_time& delay)
{
    isbe_extension& extension = payload_pool::extension(payload);
    std::uint64_t passes = 0;
    for (const auto& run : block.runs) {
        if (&run != &block.runs.front()) {
            make_read(run, extension.op);
            auto own = clock_.until(begin + passes);
            payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            socket->b_transport(payload, own);
            delay = std::max(delay, own);
        }
        if (payload.is_response_error() || !finish_read(run, extension.result))
            throw std::logic_error(std::string(name()) + ": a read of a block was refused");
        passes += extension.result.passes;
    }
    return passes;
}

std::uint64_t warp_initiator::cycle_after(const sc_core::sc_time& delay) const
{
    return delay.value() == 0 ? clock_.now() : clock_.cycle_from(sc_core::sc_time_stamp() + delay);
}

void warp_initiator::accepted(std::uint64_t cycle)
{
    if (!requesting_) return;
    record& current = records_[records_.size() - queued_ - 1];
    current.times.accept = cycle;
    requesting_ = false;
    next_request_ = cycle + 1;
    if (queued_ != 0) request_event_.notify(clock_.until(next_request_));
    because_ = &payload_pool::extension(*current.payload).because;
    owner_.accepted(current.tag);
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
    while (!early_.empty() && stalled_ == nullptr) {
        const early_response next = early_.front();
        if (next.cycle > clock_.now()) {
            response_event_.notify(clock_.until(next.cycle));
            return;
        }
        early_.pop();
        tlm::tlm_generic_payload& payload = *records_.front().payload;
        payload.acquire();
        const bool ended = deliver();
        if (next.completed) {
            if (!ended) stalled_ = nullptr; // no END_RESP is awaited: nothing to hold back
        } else if (ended) {
            tlm::tlm_phase phase = tlm::END_RESP;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            socket->nb_transport_fw(payload, phase, delay);
        } else {
            payload.acquire();
            end_response_event_.notify(clock_.until(clock_.now() + stall_));
        }
        payload.release();
    }
}

bool warp_initiator::deliver()
{
    const record responded = records_.front();
    records_.pop();
    tlm::tlm_generic_payload& payload = *responded.payload;
    if (payload.is_response_error()) SC_REPORT_ERROR(report_id, payload.get_response_string().c_str());
    transaction_times times = responded.times;
    times.response = clock_.now();
    const isbe_extension& extension = payload_pool::extension(payload);
    because_ = &extension.because;
    owner_.response(responded.tag, extension.op, extension.result, times);
    stall_ = owner_.response_stall(responded.tag);
    if (stall_ != 0) stalled_ = &payload;
    payload.release();
    return stall_ == 0;
}

tlm::tlm_sync_enum warp_initiator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay)
{
    const std::uint64_t cycle = cycle_after(delay);
    if (phase == tlm::END_REQ) {
        accepted(cycle);
        return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED; // an ignorable phase
    if (records_.empty() || records_.front().payload != &payload) {
        SC_REPORT_ERROR(report_id, "response of an operation that is not the oldest of this port");
        return tlm::TLM_ACCEPTED;
    }
    if (records_.size() == queued_ + 1) accepted(clock_.now()); // BEGIN_RESP implies END_REQ
    if (cycle > clock_.now() || !early_.empty()) {
        expect_response(cycle, false);
        return tlm::TLM_ACCEPTED;
    }
    payload.acquire();
    const bool ended = deliver();
    if (ended) {
        payload.release();
        return tlm::TLM_COMPLETED;
    }
    end_response_event_.notify(clock_.until(clock_.now() + stall_)); // keeps the reference until then
    return tlm::TLM_ACCEPTED;
}

void warp_initiator::end_response_method()
{
    guard_process([this] { end_response(); });
}

void warp_initiator::end_response()
{
    tlm::tlm_generic_payload& payload = *stalled_;
    stalled_ = nullptr;
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, phase, delay);
    payload.release();
    if (!early_.empty()) response_event_.notify(clock_.until(std::max(early_.front().cycle, clock_.now())));
}

} // namespace isbesim
