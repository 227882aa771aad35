// SPDX-License-Identifier: Apache-2.0
#include "models/clocked/clocked_isbe.h"

#include <algorithm>

namespace isbesim {

clocked_isbe::clocked_isbe(const isbe_config& config)
    : core_(config), in_engine_(config), channels_(config.ports), valid_(config.ports)
{
    scheduler_.emplace(core_);
    for (auto& channel : channels_) channel.slots.resize(config.request_queue_depth + config.response_queue_depth);
    begin_cycle();
}

void clocked_isbe::begin_cycle()
{
    if (scheduler_->next_grant() < cycle_) { // at most one grant: those of earlier cycles are done
        granted_ = scheduler_->next_grant();
        in_engine_.begin(*scheduler_->next_granted().op, core_);
    }
    scheduler_->advance_to(cycle_);
    for (unsigned port = 0; port < ports(); ++port) {
        if (valid_[port] != nullptr) continue; // stays until its transfer
        const auto* const due = scheduler_->response(port, cycle_);
        if (due != nullptr) valid_[port] = due->result;
    }
}

void clocked_isbe::clock(const port_inputs* inputs)
{
    for (unsigned port = 0; port < ports(); ++port) check(port, inputs[port]);
    for (unsigned port = 0; port < ports(); ++port) {
        const bool responds = valid_[port] != nullptr && inputs[port].response_ready;
        if (inputs[port].request != nullptr && request_ready(port)) take(port, *inputs[port].request);
        if (!responds) continue;
        scheduler_->transfer(port, cycle_);
        valid_[port] = nullptr;
    }
    ++cycle_;
    begin_cycle();
}

void clocked_isbe::check(unsigned port, const port_inputs& inputs) const
{
    const auto* const op = inputs.request;
    if (op == nullptr || op->op != opcode::bind || op->context >= core_.config().contexts || !request_ready(port))
        return;
    check_context(unpack_context(*op), core_.storage().bytes());
}

void clocked_isbe::take(unsigned port, const warp_op& request)
{
    auto& channel = channels_[port];
    auto& place = channel.slots[channel.next];
    channel.next = (channel.next + 1) % channel.slots.size();
    place.op = request;
    port_operation operation;
    operation.op = &place.op;
    operation.result = &place.result;
    operation.begin = operation.accept = cycle_;
    scheduler_->accept(port, operation);
}

void clocked_isbe::clock_in_reset()
{
    if (scheduler_->engine_free() >= cycle_) // the last operation holds it in granted_ + 1 .. engine_free()
        in_engine_.cut(core_, static_cast<unsigned>(cycle_ - 1 - granted_));
    scheduler_.emplace(core_);
    std::fill(valid_.begin(), valid_.end(), nullptr);
    core_.unbind_all();
    ++cycle_;
    begin_cycle();
}

} // namespace isbesim
