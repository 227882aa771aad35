// SPDX-License-Identifier: Apache-2.0
#include "models/pe/isbe_port.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace isbesim {

namespace {

/// The port sends an operation only while the request channel is free, so the initiator never queues a second one.
constexpr unsigned request_depth = 1;

/// Tags of the initiator.
constexpr std::uint64_t access_tag = 0;
constexpr std::uint64_t block_tag = 1;

void keep(lane_mask lanes, const per_lane<word>& values, word* destination)
{
    if (lanes == all_lanes)
        std::copy(values.begin(), values.end(), destination);
    else
        for_each_lane(lanes, [&](unsigned lane) { destination[lane] = values[lane]; });
}

} // namespace

isbe_port::isbe_port(const std::string& name, warp_initiator::style style, const cycle_clock& clock, client& owner)
    : clock_(clock),
      ahead_(style == warp_initiator::style::decoupled),
      initiator_(warp_initiator::make(name, style, clock, request_depth, *this)),
      owner_(owner)
{
}

void isbe_port::write(const component_run& run, lane_mask lanes, const per_lane<word>& values)
{
    queue(opcode::isbewr, run, lanes, values, nullptr);
}

void isbe_port::read(const component_run& run, lane_mask lanes, word* destination)
{
    static constexpr per_lane<word> nothing{};
    queue(opcode::isberd, run, lanes, nothing, destination);
}

void isbe_port::read_all(const std::vector<run_read>& runs)
{
    if (!ahead_ || runs.empty()) return isbe_access::read_all(runs);
    if (spare_blocks_.empty()) spare_blocks_.push_back(std::make_unique<block_read>());
    auto block = std::move(spare_blocks_.back());
    spare_blocks_.pop_back();
    block->runs = runs;
    reads_.queued += runs.size();
    initiator_->send(*block, block_tag, because_);
    blocks_.push(std::move(block));
}

void isbe_port::bind(std::uint16_t slot, const context& value)
{
    static constexpr per_lane<word> nothing{};
    contexts_.push(value);
    slots_.push(slot);
    queue(opcode::bind, {}, all_lanes, nothing, nullptr);
}

void isbe_port::queue(opcode op, const component_run& run, lane_mask lanes, const per_lane<word>& values,
                      word* destination)
{
    auto& queue = destination == nullptr ? writes_ : reads_;
    ++queue.queued;
    access what{op, run, lanes, because_};
    if (pumping_ || anything_waits() || !initiator_->is_free()) {
        queue.waiting.push({std::move(what), clock_.now(), values, destination});
    } else {
        pumping_ = true;
        start(what, values, destination);
        pumping_ = false;
    }
    pump();
}

void isbe_port::fence(access_queue& queue, std::uint64_t tag)
{
    if (queue.pending() == 0) throw std::logic_error("isbe_port: a fence with nothing to wait for");
    queue.fences.push({queue.queued, tag});
}

ring<isbe_port::waiting_access>& isbe_port::next_queue()
{
    const bool write_is_older = !writes_.waiting.empty() && writes_.waiting.front().since < clock_.now();
    return write_is_older || reads_.waiting.empty() ? writes_.waiting : reads_.waiting;
}

// A response may arrive during send(); handling it must not send another operation before the current one.
void isbe_port::pump()
{
    if (pumping_) return;
    pumping_ = true;
    while (anything_waits() && initiator_->is_free()) {
        auto& waiting = next_queue();
        sending_ = std::move(waiting.front());
        waiting.pop();
        start(sending_.what, sending_.values, sending_.destination);
    }
    pumping_ = false;
    if (anything_waits()) initiator_->wake_when_free();
}

void isbe_port::start(access& what, const per_lane<word>& values, word* destination)
{
    destinations_.push(destination);
    auto& op = initiator_->prepare();
    if (what.op == opcode::bind) {
        op.op = what.op;
        op.lanes = what.lanes;
        pack_context(contexts_.front(), op);
        op.context = slots_.front();
        contexts_.pop();
        slots_.pop();
    } else {
        make_physical(what.op, {what.run.base, what.run.stride, what.lanes, nullptr}, op);
        op.data[0] = values;
    }
    initiator_->send(access_tag, std::move(what.because));
}

void isbe_port::response(std::uint64_t tag, const warp_op& op, const warp_result& result, const transaction_times&)
{
    if (tag == block_tag) {
        auto block = std::move(blocks_.front());
        blocks_.pop();
        const auto reads = block->runs.size();
        spare_blocks_.push_back(std::move(block));
        return done(reads_, reads);
    }
    auto bad = static_cast<unsigned>(result.error);
    for (const auto status : result.status) bad |= status;
    if (bad != 0) throw std::logic_error("isbe_port: the ISBE refused an access of the PE");

    auto* const destination = destinations_.front();
    destinations_.pop();
    if (destination != nullptr) keep(op.lanes, result.data[0], destination);
    done(destination == nullptr ? writes_ : reads_, 1);
}

void isbe_port::done(access_queue& queue, std::uint64_t accesses)
{
    queue.responses += accesses;
    responded_ = initiator_->because();
    while (!queue.fences.empty() && queue.fences.front().after <= queue.responses) {
        const auto tag = queue.fences.front().tag;
        queue.fences.pop();
        owner_.responded(tag);
    }
    if (is_idle()) owner_.idle();
}

} // namespace isbesim
