// SPDX-License-Identifier: Apache-2.0
#include "models/sm/attribute_unit.h"

#include <utility>

namespace isbesim {

attribute_unit::attribute_unit(const sc_core::sc_module_name& name, const sm_config& config, const cycle_clock& clock,
                               warp_initiator::style style, client& owner)
    : sc_core::sc_module(name),
      clock_(clock),
      depth_(config.attribute_queue_depth),
      client_(owner),
      initiator_(
          warp_initiator::make("initiator", style, clock, config.attribute_queue_depth + max_components - 1, *this))
{
}

attribute_unit::~attribute_unit()
{
    payload_.clear_extension<isbe_extension>(); // belongs to an operation
}

const isbe_extension& attribute_unit::transport(sc_core::sc_time& delay)
{
    auto& request = operations_[idle_.back()]->request;
    if (payload_.get_extension<isbe_extension>() != &request) make_request(payload_, request);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    initiator_->socket->b_transport(payload_, delay);
    return request;
}

bool attribute_unit::full(std::uint64_t cycle) const
{
    return occupied_ + (freed_cycle_ >= cycle ? freed_ : 0U) >= depth_;
}

void attribute_unit::add_operation()
{
    operations_.push_back(std::make_unique<attribute_operation>());
    operations_.back()->index = static_cast<unsigned>(operations_.size() - 1);
    idle_.push_back(operations_.back()->index);
}

void attribute_unit::submit(std::uint64_t now)
{
    attribute_operation& operation = *operations_[idle_.back()];
    idle_.pop_back();
    operation.issued = now;
    ++occupied_;
    occupancy_.add(now + 1, 1);
    unsent_.push(operation.index);
}

void attribute_unit::send()
{
    while (!unsent_.empty()) {
        const attribute_operation& operation = *operations_[unsent_.front()];
        unsent_.pop();
        initiator_->send(operation.op, operation.index,
                         operation.because.then(clock_.now(), path_reason::attribute_unit));
    }
}

void attribute_unit::accepted(std::uint64_t tag)
{
    const std::uint64_t now = clock_.now();
    if (freed_cycle_ != now) {
        freed_cycle_ = now;
        freed_ = 0;
    }
    if (freed_because_.cycle() != now) freed_earlier_ = std::move(freed_because_);
    freed_because_ = initiator_->because();
    ++freed_;
    --occupied_;
    occupancy_.subtract(now + 1, 1);
    client_.attribute_accepted(*operations_[tag]);
}

void attribute_unit::response(std::uint64_t tag, const warp_op&, const warp_result& result, const transaction_times&)
{
    client_.attribute_responded(*operations_[tag], result);
    idle_.push_back(static_cast<unsigned>(tag));
}

} // namespace isbesim
