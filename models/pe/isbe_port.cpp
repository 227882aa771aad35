#include "models/pe/isbe_port.h"

#include <stdexcept>
#include <utility>

#include "tlm/cause_join.h"

namespace isbesim {

namespace {

/// Operations that wait in the initiator for the request channel: enough that one can follow the other every cycle.
constexpr unsigned request_depth = 32;

} // namespace

isbe_port::isbe_port(const std::string& name, warp_initiator::style style, const cycle_clock& clock, client& owner)
    : clock_(clock), initiator_(name.c_str(), style, clock, request_depth, *this), owner_(owner)
{
}

void isbe_port::write(const component_run& run, lane_mask lanes, const per_lane<word>& values)
{
    queue_.push({opcode::isbewr, run, lanes, values, because_});
    destinations_.push(nullptr);
    ++queued_;
    pump();
}

void isbe_port::read(const component_run& run, lane_mask lanes, word* destination)
{
    queue_.push({opcode::isberd, run, lanes, {}, because_});
    destinations_.push(destination);
    ++queued_;
    pump();
}

void isbe_port::bind(std::uint16_t slot, const context& value)
{
    contexts_.push(value);
    slots_.push(slot);
    queue_.push({opcode::bind, {}, all_lanes, {}, because_});
    destinations_.push(nullptr);
    ++queued_;
    pump();
}

void isbe_port::fence(std::uint64_t tag)
{
    if (is_idle()) throw std::logic_error("isbe_port: a fence with nothing to wait for");
    fences_.push({queued_, tag});
}

// A response may come back while send() runs; it must not send ahead of what is being sent.
void isbe_port::pump()
{
    if (pumping_) return;
    pumping_ = true;
    while (!queue_.empty() && initiator_.can_send()) {
        const auto& next = queue_.front();
        auto& op = initiator_.prepare();
        op.op = next.op;
        op.lanes = next.lanes;
        if (next.op == opcode::bind) {
            pack_context(contexts_.front(), op);
            op.context = slots_.front();
            contexts_.pop();
            slots_.pop();
        } else {
            op.region = region::physical;
            op.size = 4;
            op.data[0] = next.values;
            for (unsigned lane = 0; lane < warp_lanes; ++lane)
                op.address[lane] = next.run.base + lane * next.run.stride;
        }
        // What was queued in an earlier cycle has waited for what happens now.
        auto because = next.because;
        if (because && because.cycle() != clock_.now()) {
            const auto& released = responded_.cycle() == clock_.now() ? responded_ : because_;
            because = released.then(clock_.now(), path_reason::pe_queue, because.place());
            if (machines_) join_wait(because, next.because, released);
        }
        queue_.pop();
        initiator_.send(0, std::move(because));
    }
    pumping_ = false;
}

void isbe_port::join_wait(const cause& event, const cause& queued, const cause& released) const
{
    cause_join join(event);
    join.on(queued, queued.cycle(), path_reason::none);
    for (unsigned i = 0; i < machines_->others.size(); ++i) {
        if (machines_->others[i].unordered) continue;
        const auto half = machines_->half(machines_->others[i], event.place().twin);
        const auto& from = half == 0 ? released : answers_[half];
        join.on(i, from, from.cycle(), path_reason::pe_queue);
    }
}

void isbe_port::response(std::uint64_t, const warp_op& op, const warp_result& result, const transaction_times&)
{
    auto bad = static_cast<unsigned>(result.error);
    for (const auto status : result.status) bad |= status;
    if (bad != 0) throw std::logic_error("isbe_port: the ISBE refused an access of the PE");

    if (auto* destination = destinations_.front(); destination != nullptr)
        for (unsigned lane = 0; lane < warp_lanes; ++lane)
            if ((op.lanes >> lane & 1U) != 0) destination[lane] = result.data[0][lane];
    destinations_.pop();
    ++done_;
    responded_ = initiator_.because();
    if (machines_) answers_[1U + responded_.place().twin] = responded_;
    pump();
    while (!fences_.empty() && fences_.front().after <= done_) {
        const auto tag = fences_.front().tag;
        fences_.pop();
        owner_.responded(tag);
    }
    if (is_idle()) owner_.idle();
}

} // namespace isbesim
