#include "testbench/crosscheck/traffic/random_traffic.h"

#include <algorithm>

#include "models/attribute/al2p.h"
#include "models/isbe/functional/gs_state.h"

namespace isbesim::testbench {

namespace {

constexpr word line_bytes = 128;

/// Sets with no, a few or many members, or whole vectors: ranks of every size appear.
attribute_set random_set(random_numbers& random)
{
    attribute_set set;
    if (random.chance(4)) return set;
    const auto density = random.below(4);
    for (unsigned id = 0; id < mapped_attribute_ids; ++id) {
        const bool member = density == 0   ? id == 27 || (id >= 28 && id < 28 + 8) // POINT_SIZE .. GENERIC[0].w
                            : density == 1 ? random.chance(5)
                            : density == 2 ? random.chance(50)
                                           : id % 16 < 8;
        if (member) set.insert(id);
    }
    if (random.chance(50)) set.insert(24); // PRIMITIVE_ID
    return set;
}

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

} // namespace

random_traffic::random_traffic(const isbe_config& config, std::uint64_t seed, std::uint64_t transactions)
    : config_(config), slots_(std::min(config.contexts, 6U))
{
    for (unsigned port = 0; port < config.ports; ++port) {
        ports_.emplace_back(seed * 2 + port + 1);
        auto& stream = ports_.back();
        stream.left = transactions / config.ports + (port < transactions % config.ports ? 1 : 0);
        stream.to_bind = slots_;
        stream.bound.resize(slots_);
    }
}

bool random_traffic::next(unsigned port, traffic_item& item)
{
    auto& stream = ports_[port];
    if (stream.left == 0) return false;
    --stream.left;
    item.op = warp_op{};
    item.response_hold = 0;
    rhythm(stream, item);
    if (stream.to_bind > 0)
        fill_bind(stream, item.op, --stream.to_bind);
    else
        fill(stream, item.op);
    return true;
}

/// Bursts, steady trickles and pauses, with answers taken at once, late or very late; a rhythm lasts some dozens of
/// items so that queues fill and drain completely.
void random_traffic::rhythm(port_stream& stream, traffic_item& item)
{
    auto& random = stream.random;
    if (stream.phase_left == 0) {
        stream.phase_left = 8 + random.below(56);
        stream.gap_mode = random.below(4);
        stream.hold_mode = random.below(4);
    }
    --stream.phase_left;
    switch (stream.gap_mode) {
    case 0:
        break;
    case 1:
        stream.cycle += random.below(3);
        break;
    case 2:
        stream.cycle += random.below(12);
        break;
    default:
        stream.cycle += random.chance(10) ? random.below(200) : 0;
        break;
    }
    item.earliest = stream.cycle;
    switch (stream.hold_mode) {
    case 0:
        break;
    case 1:
        item.response_hold = random.below(2);
        break;
    case 2:
        item.response_hold = random.below(8);
        break;
    default:
        item.response_hold = random.chance(10) ? random.below(100) : 0;
        break;
    }
}

void random_traffic::make_space(random_numbers& random, space_layout& space, word first_line, word lines) const
{
    const word storage = config_.lines * line_bytes;
    space.allocated = random_set(random);
    space.enabled = random.chance(30) ? space.allocated : space.allocated & random_set(random);
    if (random.chance(20)) space.enabled = space.enabled | random_set(random); // enabled but not allocated
    space.attr_base = first_line * line_bytes;
    space.vertex_count = random.chance(20) ? random.below(256) : 1 + random.below(64);
    const word groups = (space.vertex_count + warp_lanes - 1) / warp_lanes;
    const word wanted = space.allocated.count() * groups * line_bytes;
    space.attr_bytes = std::min(wanted, lines * line_bytes);
    if (random.chance(10)) space.attr_bytes = random.below(lines * line_bytes + 1);

    // The small regions may overlap anything: nothing in the block relies on regions being apart.
    const auto region = [&](word& base, word bytes) {
        bytes = std::min(bytes, storage);
        base = random.below((storage - bytes) / 4 + 1) * 4;
        return bytes;
    };
    space.map_bytes = region(space.map_base, random.below(std::min(storage, 512U)));
    space.prim_bytes = region(space.prim_base, random.below(33) * 4);
    space.patch_words = random.chance(25) ? random.below(256) : random.below(33);
    space.patch_count = random.below(33);
    while (space.patch_words * space.patch_count * 4 > storage) space.patch_count /= 2;
    region(space.patch_base, space.patch_words * space.patch_count * 4);
}

context random_traffic::make_context(random_numbers& random) const
{
    context slot;
    slot.stage = static_cast<stage>(random.chance(3) ? 0 : 1 + random.below(7));
    if (random.chance(30)) slot.stage = stage::geometry;
    slot.fast_geometry = random.chance(10);
    slot.shared_spaces = random.chance(30);
    const word half = config_.lines / 2;
    const word first = random.below(half);
    make_space(random, slot.input, first, config_.lines - first);
    const word output_first = slot.shared_spaces ? first : random.below(config_.lines);
    make_space(random, slot.output, output_first, config_.lines - output_first);
    if (slot.shared_spaces && random.chance(50)) {
        slot.output.allocated = slot.input.allocated;
        slot.output.attr_bytes = slot.input.attr_bytes;
    }
    if (slot.stage == stage::geometry) {
        slot.geometry.max_vertices = random.chance(10) ? random.below(1025) : random.below(9);
        slot.geometry.thread_count = random.chance(60) ? warp_lanes : random.below(33);
        slot.geometry.stream_mask = static_cast<std::uint8_t>(random.below(16));
        if (random.chance(70)) {
            slot.output.vertex_count = slot.geometry.max_vertices * slot.geometry.thread_count;
            const word tokens = 4 + slot.output.vertex_count;
            slot.output.map_bytes = std::min((tokens + 3U) & ~3U, config_.lines * line_bytes);
            slot.output.map_base = random.below((config_.lines * line_bytes - slot.output.map_bytes) / 4 + 1) * 4;
        }
    }
    for (auto& primitive : slot.primitive) {
        primitive = static_cast<std::uint8_t>(random.chance(90) ? random.below(33) : random.below(256));
    }
    return slot;
}

void random_traffic::fill_bind(port_stream& stream, warp_op& op, unsigned slot)
{
    auto& random = stream.random;
    stream.bound[slot] = make_context(random);
    op.op = opcode::bind;
    op.context = static_cast<std::uint16_t>(slot);
    op.lanes = random_lanes(random);
    pack_context(stream.bound[slot], op);
}

void random_traffic::fill(port_stream& stream, warp_op& op)
{
    auto& random = stream.random;
    const auto slot = random.below(slots_);
    if (random.chance(2)) {
        fill_bind(stream, op, slot);
        if (random.chance(10)) op.context = static_cast<std::uint16_t>(config_.contexts + random.below(4));
        return;
    }
    op.context = static_cast<std::uint16_t>(slot);
    op.lanes = random_lanes(random);
    switch (random.below(10)) {
    case 0:
    case 1:
    case 2:
    case 3:
        fill_attribute(stream, op);
        break;
    case 4:
    case 5:
        fill_out(stream, op);
        break;
    default:
        fill_raw(stream, op);
        break;
    }
    if (random.chance(1)) op.context = static_cast<std::uint16_t>(config_.contexts + random.below(3));
}

void random_traffic::random_handles(random_numbers& random, word vertex_count, warp_op& op) const
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

word random_traffic::random_state(random_numbers& random, const context& slot) const
{
    if (random.chance(20)) return 0;
    if (random.chance(5)) return random.bits();
    gs_state state;
    state.slot = random.below(slot.geometry.max_vertices + 1);
    state.last_stream = random.below(4);
    state.stream_valid = state.slot != 0 || random.chance(50);
    state.strip = random.below(16);
    auto value = encode_gs_state(state);
    if (random.chance(5)) value ^= word{1} << random.below(32);
    return value;
}

void random_traffic::fill_attribute(port_stream& stream, warp_op& op)
{
    auto& random = stream.random;
    const auto& slot = stream.bound[op.context];
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
    const auto where = random.below(4);
    const auto address = [&]() -> std::int32_t {
        switch (where) {
        case 0:
            return random.between(0x60, 0x9f);
        case 1:
            return random.between(0, 0x3ff);
        case 2:
            return random.between(-32, 0x41f);
        default:
            return random.chance(50) ? 0x60 : 0x70;
        }
    };
    op.immediate = address();
    const bool per_lane_address = op.op == opcode::al2p || op.form == address_form::patch || random.chance(10);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        if (op.form == address_form::phys) {
            const auto id = static_cast<unsigned>(random.chance(80) ? 24 + random.below(16) : random.below(256));
            al2p_result result;
            result.id = static_cast<std::uint8_t>(id);
            result.rank = static_cast<std::uint8_t>(random.chance(95) ? region.allocated.rank(id) : random.below(256));
            result.enabled =
                random.chance(95) ? region.enabled.contains(id) && region.allocated.contains(id) : random.chance(50);
            result.out_of_range = random.chance(3);
            result.space = op.op == opcode::ast ? space::output : op.space;
            if (random.chance(3)) result.space = result.space == space::input ? space::output : space::input;
            result.per_primitive = id == 24;
            op.address[lane] = encode_al2p(result);
            if (random.chance(2)) op.address[lane] ^= word{1} << random.below(32);
        } else if (per_lane_address) {
            const auto span = op.form == address_form::patch ? static_cast<std::int32_t>(region.patch_words * 4) : 0x80;
            op.address[lane] =
                static_cast<word>(random.between(-16, span + 16) - op.immediate * (random.chance(80) ? 1 : 0));
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
    for (auto& component : op.data)
        for (auto& value : component) value = random.bits();
}

void random_traffic::fill_raw(port_stream& stream, warp_op& op)
{
    auto& random = stream.random;
    const auto& slot = stream.bound[op.context];
    op.op = random.chance(50) ? opcode::isberd : opcode::isbewr;
    op.space = op.op == opcode::isbewr ? (random.chance(95) ? space::output : space::input)
                                       : (random.chance(50) ? space::input : space::output);
    op.region = static_cast<region>(random.below(5));
    op.skew = random.chance(30);
    const std::array<std::uint8_t, 3> sizes{1, 2, 4};
    op.size = sizes[random.below(3)];
    // Every conflict degree must come up soon: whole words of the bare storage, all lanes, a chosen number of rows.
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
        bytes = config_.lines * line_bytes;
        break;
    }
    const auto mode = degrees ? (config_.access == access_rule::line ? 4U : 2U) : random.below(6);
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
            address = (lane % degree) * config_.banks * 4;
            break; // `degree` rows of one bank
        case 3:
            address = base;
            break; // everybody on one word
        case 4:
            address = (lane % degree) * line_bytes + lane * 4;
            break; // `degree` lines
        default:
            address = random.below(bytes + 1) & ~3U;
            break; // scattered words
        }
        op.address[lane] = address;
    }
    op.immediate = degrees || random.chance(70) ? 0 : random.between(-16, 16);
    for (auto& value : op.data[0]) value = random.bits();
}

void random_traffic::fill_out(port_stream& stream, warp_op& op)
{
    auto& random = stream.random;
    op.op = opcode::out;
    op.space = space::output;
    // Mostly where OUT is legal.
    for (unsigned tries = 0; tries < 8 && stream.bound[op.context].stage != stage::geometry; ++tries)
        op.context = static_cast<std::uint16_t>(random.below(slots_));
    const auto& slot = stream.bound[op.context];
    op.type = static_cast<out_type>(random.below(4));
    const auto uniform = random.below(4);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        op.address[lane] = random.chance(50) ? uniform : random.bits();
        op.handle[lane] = random_state(random, slot);
    }
}

} // namespace isbesim::testbench
