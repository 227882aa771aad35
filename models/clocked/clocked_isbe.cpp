// SPDX-License-Identifier: Apache-2.0
#include "models/clocked/clocked_isbe.h"

#include <algorithm>

#include "models/isbe/functional/gs_state.h"
#include "models/isbe/functional/lanes.h"

namespace isbesim {

void store_passes::begin(const warp_op& op, const isbe_core& core)
{
    writes_.clear();
    before_.clear();
    passes_ = 0;
    if (!is_store(op.op) && op.op != opcode::out) return;
    static const context no_context;
    const bool raw_storage = is_raw(op.op) && op.region == region::physical;
    if (op.context >= config_.contexts && !raw_storage) return;
    const auto& where = raw_storage ? no_context : core.context_at(op.context);
    if (address_unit::check(op, where) != op_error::none) return;
    resolve(op, where);
    for (const auto& each : writes_)
        before_.push_back({each.index, core.storage().read(each.index), core.storage().overwritten(each.index)});
}

void store_passes::resolve(const warp_op& op, const context& where)
{
    per_lane<word> whole, values;
    whole.fill(0xffffffffU);
    if (op.op == opcode::out) {
        gs_step step;
        step_gs(op, where, config_.gs_slot_order, step);
        component_access tokens;
        tokens.lanes = step.writes;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            tokens.index[i] = step.address[i] / 4;
            values[i] = step.token[i] << step.address[i] % 4 * 8;
            whole[i] = word{0xff} << step.address[i] % 4 * 8;
        }
        overwrites_ = where.shared_spaces;
        add_component(tokens, values, whole);
        return;
    }
    warp_result unused{};
    address_unit_.resolve(op, where, resolved_, unused);
    overwrites_ = resolved_.track_shared;
    for (unsigned c = 0; c < max_components; ++c) {
        const auto& access = resolved_.component[c];
        if (access.lanes == 0) continue;
        if (resolved_.raw)
            add_component(access, resolved_.written[c].data, resolved_.written[c].mask);
        else
            add_component(access, op.data[c], whole);
    }
}

void store_passes::add_component(const component_access& access, const per_lane<word>& values,
                                 const per_lane<word>& masks)
{
    std::vector<word> known; // words in the order of the lanes' requests
    unsigned most = 1;
    const auto first = writes_.size();
    for_each_lane(access.lanes, [&](unsigned lane) {
        const auto pass = pass_of(access.index[lane], known);
        most = std::max(most, pass);
        writes_.push_back({access.index[lane], values[lane], masks[lane], passes_ + pass});
    });
    if (config_.patch_winner == lane_winner::lowest)
        std::reverse(writes_.begin() + static_cast<std::ptrdiff_t>(first), writes_.end());
    passes_ += most;
}

/// Number, from 1, of the pass that serves a word: every bank, or the block of one line, serves the words in lane
/// order. A row of a bank has one word, so rows need no comparison.
unsigned store_passes::pass_of(word index, std::vector<word>& known) const
{
    const bool by_line = config_.access == access_rule::line;
    const auto unit = by_line ? index / 32 : index; // the part of a bank that one pass serves
    const auto bank = [&](word each) {
        return by_line ? 0 : rules::bank_of(rules::code<word>(config_.bank_map), each, word{config_.banks});
    };
    unsigned pass = 1;
    for (const word each : known) {
        if (each == unit) return pass;
        if (bank(each) == bank(unit)) ++pass;
    }
    known.push_back(unit);
    return pass;
}

void store_passes::cut(isbe_core& core, unsigned done) const
{
    for (const auto& each : before_) core.storage().write(each.index, each.value, 0xffffffffU, each.overwritten);
    for (const auto& each : writes_)
        if (each.pass <= done) core.storage().write(each.index, each.value, each.mask, overwrites_);
}

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
