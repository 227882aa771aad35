#include "testbench/crosscheck/traffic/rare_bins.h"

#include "models/isbe/functional/gs_state.h"
#include "models/isbe/functional/lanes.h"
#include "models/isbe/functional/names.h"

namespace isbesim::testbench {

namespace {

enum field { of_space, of_region, of_form, of_type, of_size, of_immediate, of_handle, of_data };
constexpr std::array field_names{"space", "region", "form", "type", "size", "immediate", "handle", "data"};

/// Micro-architecture section 2: the opcode gives the field no meaning. Of ALD and AST, which look at some only in one
/// form, those are counted that no form looks at.
constexpr bool ignores(opcode op, field f)
{
    switch (f) {
    case of_space:
        return op == opcode::ast || op == opcode::out || op == opcode::bind;
    case of_region:
        return !is_raw(op);
    case of_form:
        return !is_attribute(op);
    case of_type:
        return op != opcode::out;
    case of_size:
    case of_immediate:
        return op == opcode::out || op == opcode::bind;
    case of_handle:
        return op != opcode::ald && op != opcode::ast && op != opcode::out;
    case of_data:
        return !is_store(op) && op != opcode::bind;
    }
    return false;
}

/// Something that would mean something else to another opcode.
bool has_noise(const warp_op& op, field f)
{
    switch (f) {
    case of_space:
        return op.space == space::input;
    case of_region:
        return op.region == region::physical;
    case of_form:
        return op.form != address_form::logical;
    case of_type:
        return op.type != out_type::final;
    case of_size:
        return op.size != 1;
    case of_immediate:
        return op.immediate != 0;
    case of_handle:
        return op.handle[0] != 0;
    case of_data:
        return op.data[0][0] != 0;
    }
    return false;
}

bool sum_wraps(const warp_op& op)
{
    bool found = false;
    for_each_lane(op.lanes, [&](unsigned lane) {
        const auto sum = std::int64_t{static_cast<std::int32_t>(op.address[lane])} + op.immediate;
        found = found || sum != static_cast<std::int32_t>(sum);
    });
    return found;
}

constexpr unsigned index_of(opcode op)
{
    return static_cast<unsigned>(op);
}

} // namespace

rare_bins::rare_bins(const isbe_config& config, const namer& add) : contexts_(config.contexts)
{
    static_assert(field_names.size() == fields);
    for (unsigned code = 0; code < opcode_count; ++code)
        for (unsigned f = 0; f < fields; ++f)
            if (ignores(static_cast<opcode>(code), static_cast<field>(f)))
                noise_[f][code] = add(std::string("ignored.") + opcode_names[code] + "." + field_names[f]);
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

void rare_bins::sample(const context& slot, const warp_op& op, const warp_result& result, const counter& count)
{
    sample_noise(op, count);
    sample_slot(op, result, count);
    if (result.error != op_error::none) return;
    if (op.op == opcode::bind) sample_descriptor(op, count);
    const bool phys = is_attribute(op.op) && op.form == address_form::phys;
    if (op.op != opcode::bind && op.op != opcode::out && !phys && sum_wraps(op)) count(wraps_[index_of(op.op)]);
    sample_states(slot, op, count);
}

void rare_bins::sample_noise(const warp_op& op, const counter& count) const
{
    for (unsigned f = 0; f < fields; ++f) {
        const auto of_field = noise_[f][index_of(op.op)];
        if (of_field != 0 && has_noise(op, static_cast<field>(f))) count(of_field);
    }
}

void rare_bins::sample_slot(const warp_op& op, const warp_result& result, const counter& count)
{
    const bool bind = op.op == opcode::bind;
    if (is_raw(op.op) && op.region == region::physical) return;
    if (op.context >= contexts_) {
        if (op.context % max_contexts < contexts_) count(no_slot_[bind ? 1 : 0]);
        return;
    }
    if (op.context + 1U == contexts_) count(last_slot_);
    if (bind && result.error == op_error::none) bound_[op.context] = true;
    if (!bound_[op.context]) count(unbound_);
}

void rare_bins::sample_states(const context& slot, const warp_op& op, const counter& count) const
{
    const bool out = op.op == opcode::out;
    const bool stored = op.op == opcode::ast && op.form != address_form::patch;
    if ((!out && !stored) || slot.stage != stage::geometry || slot.fast_geometry) return;
    constexpr word long_slot = 1U << 11;
    for_each_lane(op.lanes & first_lanes(slot.geometry.thread_count), [&](unsigned lane) {
        const auto state = op.handle[lane];
        const auto place = rules::state_slot(state);
        if (state >> 24 != rules::state_checksum(state)) return;
        if ((state & rules::state_zero) != 0) count(zero_bit_[out ? 1 : 0]);
        if (gs_state_valid(state, slot.geometry.max_vertices) && place >= long_slot) count(long_slot_[out ? 1 : 0]);
        if (place > slot.geometry.max_vertices) count(beyond_maximum_[out ? 1 : 0]);
    });
}

void rare_bins::sample_descriptor(const warp_op& op, const counter& count) const
{
    const auto slot = unpack_context(op);
    if (slot.stage == stage::none) return;
    constexpr unsigned last_word_of_first_set = 31;
    if (op.data[0][last_word_of_first_set] >> 16 != 0) count(ids_noise_);
    if (op.data[0][0] >> 6 != 0) count(descriptor_noise_);
    const std::array spaces{&slot.input, &slot.output};
    for (unsigned side = 0; side < spaces.size(); ++side) {
        const std::array sizes{spaces[side]->attr_bytes, spaces[side]->map_bytes, spaces[side]->prim_bytes};
        for (unsigned i = 0; i < sizes.size(); ++i)
            if (sizes[i] % 4 != 0) count(odd_bytes_[side][i]);
    }
}

} // namespace isbesim::testbench
