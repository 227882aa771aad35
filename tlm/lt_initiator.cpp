// SPDX-License-Identifier: Apache-2.0
#include "tlm/lt_initiator.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "tlm/has_process.h"
#include "tlm/process_guard.h"

namespace isbesim {

namespace {

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

lt_initiator::lt_initiator(const sc_core::sc_module_name& name, const cycle_clock& clock, bool decoupled, client& owner)
    : warp_initiator(name, clock, any_number, owner), decoupled_(decoupled)
{
    ISBESIM_HAS_PROCESS(lt_initiator);
    SC_THREAD(blocking_thread);
    sensitive << request_event_;
    dont_initialize();
}

// b_transport may wait, which only a thread can: 11.1.1.4 b of the standard.
void lt_initiator::blocking_thread()
{
    guard_process([this] {
        for (;; wait()) {
            while (queued_ != 0) {
                if (!channel_is_free()) wait(clock_.until(next_request_));
                block_next();
            }
            if (!asked_) continue;
            if (!channel_is_free()) {
                request_event_.notify(clock_.until(next_request_));
            } else {
                asked_ = false;
                owner_.channel_free();
            }
        }
    });
}

void lt_initiator::block_next()
{
    record& next = first_queued();
    const std::uint64_t now = clock_.now();
    const std::uint64_t begin = decoupled_ ? std::max(now, next_request_) : now;
    next.times.begin_request = next.times.accept = begin;
    tlm::tlm_generic_payload& payload = *next.payload;
    block_read* const block = next.block;
    --queued_;
    report_accepted(next);
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
    next_request_ = decoupled_ ? begin + std::max(passes, answered.interval) : answered.next_request;
    expect_response(cycle_after(delay), true);
}

std::uint64_t lt_initiator::read_one_by_one(tlm::tlm_generic_payload& payload, const block_read& block,
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

} // namespace isbesim
