// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/random_operation.h"

#include <algorithm>
#include <array>

#include "models/attribute/al2p.h"
#include "models/attribute/layout.h"
#include "models/isbe/functional/passes.h"
#include "models/isbe/rules/geometry_state.h"
#include "models/isbe/rules/physical_address.h"
#include "testbench/crosscheck/traffic/random_context.h"

namespace isbesim::testbench {

lane_mask random_lanes(random_numbers& random)
{
    switch (random.below(6)) {
    case 0:
        return random.bits();
    case 1:
        return lane_mask{1} << random.below(warp_lanes);
    case 2:
        return (lane_mask{1} << random.below(warp_lanes)) - 1U; // the first n, 0 included
    case 3:
        return random.bits() & random.bits() & random.bits();
    default:
        return all_lanes;
    }
}

namespace {

void random_handles(random_numbers& random, word vertex_count, warp_op& op)
{
    const auto mode = random.below(5);
    const word base = random.below(64);
    const word stride = random.below(34);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        switch (mode) {
        case 0:
            op.handle[lane] = lane;
            break;
        case 1:
            op.handle[lane] = base;
            break;
        case 2:
            op.handle[lane] = base + lane * stride;
            break;
        case 3:
            op.handle[lane] = random.below(vertex_count + 2);
            break;
        default:
            op.handle[lane] = random.chance(80) ? random.below(vertex_count + 1) : random.bits();
            break;
        }
    }
}

/// Mostly a state that OUT can have made in a thread of this warp; the others have one defect.
word random_state(random_numbers& random, const context& slot)
{
    if (random.chance(20)) return 0;
    if (random.chance(5)) return random.bits();
    const auto maximum = slot.geometry.max_vertices;
    word emitted = random.below(maximum + 1);
    if (random.chance(10)) emitted = maximum - std::min(maximum, random.below(3));
    if (random.chance(3)) emitted = random.below(0x10000);
    const bool has_stream = emitted != 0 ? random.chance(98) : random.chance(50);
    word fields = emitted | random.below(4) << 16;
    fields |= random.below(16) << 20;
    if (has_stream) fields |= rules::state_started;
    if (random.chance(3)) fields |= rules::state_zero;
    const auto value = fields | rules::state_checksum(fields) << 24;
    return random.chance(5) ? value ^ word { 1 } << random.below(32) : value;
}

/// Mostly around the usual attributes, generated ones most often; sometimes colours, which have their own defaults.
unsigned physical_id(random_numbers& random)
{
    const auto kind = random.below(10);
    if (kind == 0) return 24;
    if (kind == 1) return 0x280 / 4 + random.below(16);
    if (kind == 3) return 190 + random.below(2); // INSTANCE_ID, VERTEX_ID
    if (kind > 6) return 28 + random.below(4);   // POSITION
    return kind == 2 ? random.below(attribute_ids) : 24 + random.below(16);
}

} // namespace

bool loads_far_apart(const context& slot)
{
    return loads_by_handle(slot) && slot.input.vertex_count > 4 * warp_lanes;
}

void load_far_apart(random_numbers& random, const context& slot, warp_op& op)
{
    op.op = opcode::ald;
    op.form = address_form::logical;
    op.space = space::input;
    op.size = max_components;
    op.lanes = all_lanes;
    op.immediate = 0x70;
    word stride = 4U << random.below(6);
    while (stride > 1 && (warp_lanes - 1) * stride >= slot.input.vertex_count) stride /= 2;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) op.handle[lane] = lane * stride;
}

void random_attribute_access(random_numbers& random, const context& slot, warp_op& op)
{
    if (loads_far_apart(slot) && random.chance(10)) {
        load_far_apart(random, slot, op);
        return;
    }
    const auto kind = random.below(8);
    op.op = kind < 4 ? opcode::ald : kind < 7 ? opcode::ast : opcode::al2p;
    op.size = static_cast<std::uint8_t>(1 + random.below(4));
    op.space = random.chance(50) ? space::output : space::input;
    if (slot.stage == stage::geometry && op.op == opcode::ald && random.chance(80)) op.space = space::input;
    const auto form = random.below(10);
    op.form = form < 6 ? address_form::logical : form < 8 ? address_form::patch : address_form::phys;
    if (op.op == opcode::al2p) op.form = address_form::logical;
    if (op.form == address_form::phys && random.chance(90)) op.size = 1;
    const auto& region = op.space == space::input && op.op != opcode::ast ? slot.input : slot.output;

    // Addresses around the usual attributes, anywhere, and beyond both ends.
    const auto where = random.below(5);
    const auto address = [&]() -> std::int32_t {
        switch (where) {
        case 0:
            return random.between(0x60, 0x9f);
        case 1:
            return random.between(0, 0x3ff);
        case 2:
            return random.between(-32, 0x41f);
        case 3: // colours and textures, which have their own default values
            return random.between(0x278, 0x3a7);
        default:
            return random.chance(40) ? 0x60 : random.chance(60) ? 0x70 : random.between(0x2f0, 0x2ff);
        }
    };
    op.immediate = address();
    const bool per_lane_address = op.op == opcode::al2p || op.form == address_form::patch || random.chance(10);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        if (op.form == address_form::phys) {
            const auto id = physical_id(random);
            al2p_result result;
            result.id = static_cast<std::uint8_t>(id);
            result.rank = static_cast<std::uint8_t>(random.chance(95) ? region.allocated.rank(id) : random.below(256));
            result.enabled =
                random.chance(95) ? region.enabled.contains(id) && region.allocated.contains(id) : random.chance(50);
            result.out_of_range = random.chance(3);
            result.space = op.op == opcode::ast ? space::output : op.space;
            if (random.chance(3)) result.space = result.space == space::input ? space::output : space::input;
            result.per_primitive = id == 24 || (id / 2 == 95 && random.chance(50));
            op.address[lane] = encode_al2p(result);
            if (random.chance(3)) op.address[lane] |= rules::al2p_out_of_range; // with an id, which AL2P never returns
            if (random.chance(2)) op.address[lane] ^= word{1} << random.below(32);
        } else if (per_lane_address) {
            const auto span = op.form == address_form::patch ? static_cast<std::int32_t>(region.patch_words * 4) : 0x80;
            const auto sum = random.between(-16, span + 16);
            op.address[lane] = static_cast<word>(sum - (random.chance(80) ? op.immediate : 0));
        }
    }
    if (op.form == address_form::patch && random.chance(30)) { // uniform addresses: same-word conflicts
        for (auto& value : op.address) value = op.address[0];
    }
    if (op.op == opcode::ast && slot.stage == stage::geometry) {
        for (auto& handle : op.handle) handle = random_state(random, slot);
    } else {
        random_handles(random, region.vertex_count, op);
    }
    for (auto& component : op.data) random.fill(component);
}

void random_raw_access(random_numbers& random, const isbe_config& config, const context& slot, warp_op& op)
{
    op.op = random.chance(50) ? opcode::isberd : opcode::isbewr;
    op.space = op.op == opcode::isbewr ? (random.chance(95) ? space::output : space::input)
                                       : (random.chance(50) ? space::input : space::output);
    op.region = static_cast<region>(random.below(5));
    op.skew = random.chance(30);
    const std::array<std::uint8_t, 3> sizes{1, 2, 4};
    op.size = sizes[random.below(3)];
    // To reach every conflict degree soon: whole words of the physical region, all lanes, a chosen number of rows.
    const bool degrees = random.chance(20);
    if (degrees) {
        op.region = region::physical;
        op.space = space::output;
        op.size = 4;
        op.lanes = all_lanes;
    }
    const auto& layout = op.space == space::input ? slot.input : slot.output;
    word bytes = 0;
    switch (op.region) {
    case region::map:
        bytes = layout.map_bytes;
        break;
    case region::patch:
        bytes = layout.patch_words * layout.patch_count * 4;
        break;
    case region::prim:
        bytes = layout.prim_bytes;
        break;
    case region::attr:
        bytes = layout.attr_bytes;
        break;
    case region::physical:
        bytes = config.lines * line_bytes;
        break;
    }
    const auto mode = degrees ? (config.access == access_rule::line ? 4U : 2U) : random.below(7);
    const word base = random.below(bytes + 1) & ~3U;
    const word degree = 1 + random.below(warp_lanes);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        word address = 0;
        switch (mode) {
        case 0:
            address = base + lane * op.size;
            break; // a run
        case 1:
            address = random.below(bytes + 8);
            break; // anywhere, unaligned
        case 2:
            address = word_in_column(config, 0, lane % degree) * 4;
            break; // `degree` rows of one bank
        case 3:
            address = base;
            break; // all lanes in one word
        case 4:
            address = (lane % degree) * line_bytes + lane * 4;
            break; // `degree` lines
        case 5:    // both ends
            address = random.chance(50) ? bytes : 0;
            address += random.below(9) - 4;
            break;
        default:
            address = random.below(bytes + 1) & ~3U;
            break; // scattered words
        }
        op.address[lane] = address;
    }
    op.immediate = degrees || random.chance(70) ? 0 : random.between(-16, 16);
    random.fill(op.data[0]);
}

void random_out(random_numbers& random, const context& slot, warp_op& op)
{
    op.op = opcode::out;
    op.type = static_cast<out_type>(random.below(4));
    const auto uniform = random.below(4);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        op.address[lane] = random.chance(50) ? uniform : random.bits();
        op.handle[lane] = random_state(random, slot);
    }
}

void move_to_the_ends(random_numbers& random, warp_op& op)
{
    if (op.op == opcode::out || op.op == opcode::bind) return;
    const auto before = static_cast<word>(op.immediate);
    const word near = random.below(0x200);
    const word after = random.chance(50) ? 0x80000000U + near : random.chance(50) ? 0x7fffffffU - near : random.bits();
    op.immediate = static_cast<std::int32_t>(after);
    if (op.form == address_form::phys && is_attribute(op.op)) return;
    for (auto& address : op.address) address += before - after;
}

void add_noise(random_numbers& random, warp_op& op)
{
    const bool raw = is_raw(op.op);
    const bool attribute = is_attribute(op.op);
    const bool bind = op.op == opcode::bind;
    const bool out = op.op == opcode::out;
    const bool phys = attribute && op.form == address_form::phys;
    if (!raw) {
        op.region = static_cast<region>(random.below(region_count));
        op.skew = random.chance(50);
    }
    if (!attribute) op.form = static_cast<address_form>(random.below(form_count));
    if (!out) op.type = static_cast<out_type>(random.below(4));
    if (op.op == opcode::ast || out || bind) op.space = static_cast<space>(random.below(space_count));
    if (out || bind) op.size = static_cast<std::uint8_t>(random.below(max_components + 1));
    if (out || bind || phys) op.immediate = static_cast<std::int32_t>(random.bits());
    if (bind) random.fill(op.address);
    if (raw || bind || op.op == opcode::al2p || (attribute && op.form == address_form::patch)) random.fill(op.handle);
    if (bind || op.op == opcode::ast) return; // all data are used, or are noise already
    for (unsigned c = op.op == opcode::isbewr ? 1 : 0; c < max_components; ++c) random.fill(op.data[c]);
}

} // namespace isbesim::testbench
