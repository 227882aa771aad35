#include "models/sm/attribute_unit.h"

namespace isbesim {

namespace {

// A tag names the operation and the part.
constexpr std::uint64_t tag_of(unsigned index, unsigned part)
{
    return std::uint64_t{index} * max_components + part;
}

/// Component `part` of a vector .PHYS access as a scalar one: the AL2P results of consecutive attributes differ by one
/// in the attribute id (bits 15:8) and in the rank (bits 7:0), micro-architecture section 4.4.
void make_part(const warp_op& whole, unsigned part, warp_op& scalar)
{
    scalar = whole;
    scalar.size = 1;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) scalar.address[lane] += part * 0x101U;
    scalar.data[0] = whole.data[part];
}

} // namespace

attribute_unit::attribute_unit(const sc_core::sc_module_name& name, const sm_config& config, const cycle_clock& clock,
                               warp_initiator::style style, client& owner)
    : sc_core::sc_module(name),
      clock_(clock),
      depth_(config.attribute_queue_depth),
      client_(owner),
      // The queue is counted here; the initiator holds its operations, of up to four parts each.
      initiator_("initiator", style, clock, config.attribute_queue_depth * max_components, *this)
{
}

bool attribute_unit::full(std::uint64_t cycle) const
{
    return occupied_ + (freed_cycle_ >= cycle ? freed_ : 0U) >= depth_;
}

attribute_operation& attribute_unit::prepare()
{
    if (idle_.empty()) {
        operations_.push_back(std::make_unique<attribute_operation>());
        operations_.back()->index = static_cast<unsigned>(operations_.size() - 1);
        idle_.push_back(operations_.back()->index);
    }
    return *operations_[idle_.back()];
}

void attribute_unit::submit(std::uint64_t now)
{
    attribute_operation& operation = *operations_[idle_.back()];
    idle_.pop_back();
    operation.issued = now;
    operation.parts = operation.op.form == address_form::phys ? operation.op.size : 1;
    if ((operation.op.op != opcode::ald && operation.op.op != opcode::ast) || operation.parts == 0) operation.parts = 1;
    operation.accepted_parts = 0;
    operation.answered_parts = 0;
    ++occupied_;
    unsent_.push(operation.index);
}

void attribute_unit::send()
{
    while (!unsent_.empty()) {
        const attribute_operation& operation = *operations_[unsent_.front()];
        unsent_.pop();
        if (operation.parts == 1) {
            initiator_.prepare() = operation.op;
            initiator_.send(tag_of(operation.index, 0));
            continue;
        }
        for (unsigned part = 0; part < operation.parts; ++part) {
            make_part(operation.op, part, initiator_.prepare());
            initiator_.send(tag_of(operation.index, part));
        }
    }
}

void attribute_unit::accepted(std::uint64_t tag)
{
    attribute_operation& operation = *operations_[tag / max_components];
    if (++operation.accepted_parts < operation.parts) return;
    const std::uint64_t now = clock_.now();
    if (freed_cycle_ != now) {
        freed_cycle_ = now;
        freed_ = 0;
    }
    ++freed_;
    --occupied_;
    client_.attribute_accepted(operation);
}

void attribute_unit::response(std::uint64_t tag, const warp_op&, const warp_result& result, const transaction_times&)
{
    attribute_operation& operation = *operations_[tag / max_components];
    if (operation.parts == 1) {
        client_.attribute_answered(operation, result);
    } else {
        warp_result& combined = operation.combined;
        const auto part = static_cast<unsigned>(tag % max_components);
        if (part == 0) {
            combined = warp_result{};
        }
        combined.data[part] = result.data[0];
        for (unsigned lane = 0; lane < warp_lanes; ++lane) combined.status[lane] |= result.status[lane];
        if (combined.error == op_error::none) combined.error = result.error;
        combined.passes = static_cast<std::uint16_t>(combined.passes + result.passes);
        if (++operation.answered_parts < operation.parts) return;
        client_.attribute_answered(operation, combined);
    }
    idle_.push_back(operation.index);
}

} // namespace isbesim
