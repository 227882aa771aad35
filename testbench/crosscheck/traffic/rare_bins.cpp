// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/rare_bins.h"

#include "models/isbe/functional/lanes.h"
#include "models/isbe/functional/names.h"
#include "testbench/crosscheck/traffic/sampled_lanes.h"
#include "tlm/warp_fields.h"

namespace isbesim::testbench {

namespace {

/// Fields that can have a value for nothing, in the order of their bins.
constexpr std::array noisy{request_field::space, request_field::region,    request_field::form,   request_field::type,
                           request_field::size,  request_field::immediate, request_field::handle, request_field::data};

/// Those with a value that would have a meaning for another opcode: bit i is noisy[i].
unsigned fields_with_noise(const warp_op& op)
{
    const std::array noise{op.space == space::input,
                           op.region == region::physical,
                           op.form != address_form::logical,
                           op.type != out_type::final,
                           op.size != 1,
                           op.immediate != 0,
                           op.handle[0] != 0,
                           op.data[0][0] != 0};
    static_assert(noise.size() == noisy.size());
    unsigned bits = 0;
    for (unsigned i = 0; i < noise.size(); ++i) bits |= unsigned{noise[i]} << i;
    return bits;
}

constexpr unsigned index_of(opcode op)
{
    return static_cast<unsigned>(op);
}

} // namespace

rare_bins::rare_bins(const isbe_config& config, const bin_namer& add) : contexts_(config.contexts)
{
    static_assert(noisy.size() == fields);
    for (unsigned code = 0; code < opcode_count; ++code)
        for (unsigned f = 0; f < fields; ++f)
            if (!uses(static_cast<opcode>(code), noisy[f])) {
                noise_[f][code] = add(std::string("ignored.") + opcode_names[code] + "." + name_of(noisy[f]));
                ignored_[code] = static_cast<std::uint8_t>(ignored_[code] | 1U << f);
            }
    no_slot_ = {add("slot.upper_bits"), add("slot.upper_bits.bind")};
    unbound_ = add("slot.unbound");
    last_slot_ = add("slot.last");
    for (const auto op : {opcode::ald, opcode::ast, opcode::al2p, opcode::isberd, opcode::isbewr})
        wraps_[index_of(op)] = add(std::string("address.wraps.") + name_of(op));
    for (unsigned out = 0; out < 2; ++out) {
        const std::string name = out != 0 ? "state.out." : "state.ast.";
        long_slot_[out] = add(name + "slot_of_12_bits");
        zero_bit_[out] = add(name + "zero_bit_with_its_checksum");
        beyond_maximum_[out] = add(name + "slot_beyond_maximum_with_its_checksum");
    }
    for (unsigned side = 0; side < space_count; ++side) {
        const auto name = std::string("context.") + space_names[side] + ".odd_bytes.";
        odd_bytes_[side] = {add(name + "attr"), add(name + "map"), add(name + "prim")};
    }
    descriptor_noise_ = add("ignored.bind.descriptor");
    ids_noise_ = add("ignored.bind.ids_240_and_up");
}

void rare_bins::sample(const context& slot, const warp_op& op, const warp_result& result, bin_hits& hits)
{
    sample_noise(op, hits);
    sample_slot(op, result, hits);
    if (result.error != op_error::none) return;
    if (op.op == opcode::bind) sample_descriptor(op, hits);
    const bool phys = is_attribute(op.op) && op.form == address_form::phys;
    if (op.op != opcode::bind && op.op != opcode::out && !phys && wrapping_lanes(op) != 0)
        ++hits[wraps_[index_of(op.op)]];
    sample_states(slot, op, hits);
}

void rare_bins::sample_noise(const warp_op& op, bin_hits& hits) const
{
    const auto code = index_of(op.op);
    for (unsigned left = fields_with_noise(op) & ignored_[code]; left != 0; left &= left - 1)
        ++hits[noise_[static_cast<unsigned>(__builtin_ctz(left))][code]];
}

void rare_bins::sample_slot(const warp_op& op, const warp_result& result, bin_hits& hits)
{
    const bool bind = op.op == opcode::bind;
    if (is_raw(op.op) && op.region == region::physical) return;
    if (op.context >= contexts_) {
        if (op.context % max_contexts < contexts_) ++hits[no_slot_[bind ? 1 : 0]];
        return;
    }
    if (op.context + 1U == contexts_) ++hits[last_slot_];
    if (bind && result.error == op_error::none) bound_[op.context] = true;
    if (!bound_[op.context]) ++hits[unbound_];
}

void rare_bins::sample_states(const context& slot, const warp_op& op, bin_hits& hits) const
{
    const bool out = op.op == opcode::out;
    const bool stored = op.op == opcode::ast && op.form != address_form::patch;
    if ((!out && !stored) || slot.stage != stage::geometry || slot.fast_geometry) return;
    const auto found = state_lanes_of(op.handle, slot.geometry.max_vertices);
    const auto checked = found.checked & op.lanes & first_lanes(slot.geometry.thread_count);
    hits[zero_bit_[out ? 1 : 0]] += lane_count(checked & found.zero_bit);
    hits[long_slot_[out ? 1 : 0]] += lane_count(checked & found.valid & found.long_slot);
    hits[beyond_maximum_[out ? 1 : 0]] += lane_count(checked & found.beyond);
}

void rare_bins::sample_descriptor(const warp_op& op, bin_hits& hits) const
{
    const auto slot = unpack_context(op);
    if (slot.stage == stage::none) return;
    constexpr unsigned last_word_of_first_set = 31;
    if (op.data[0][last_word_of_first_set] >> 16 != 0) ++hits[ids_noise_];
    if (op.data[0][0] >> 6 != 0) ++hits[descriptor_noise_];
    const std::array spaces{&slot.input, &slot.output};
    for (unsigned side = 0; side < spaces.size(); ++side) {
        const std::array sizes{spaces[side]->attr_bytes, spaces[side]->map_bytes, spaces[side]->prim_bytes};
        for (unsigned i = 0; i < sizes.size(); ++i)
            if (sizes[i] % 4 != 0) ++hits[odd_bytes_[side][i]];
    }
}

} // namespace isbesim::testbench
