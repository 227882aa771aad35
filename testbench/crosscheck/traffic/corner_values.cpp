// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/corner_values.h"

#include <algorithm>
#include <initializer_list>

#include "models/attribute/layout.h"
#include "models/isbe/functional/gs_state.h"
#include "models/isbe/functional/passes.h"
#include "models/isbe/rules/geometry_state.h"
#include "models/isbe/rules/memory_regions.h"
#include "models/isbe/rules/raw_bytes.h"
#include "testbench/crosscheck/traffic/random_context.h"
#include "testbench/crosscheck/traffic/random_operation.h"

namespace isbesim::testbench {

namespace {

constexpr unsigned patch_words_limit = 255;
constexpr unsigned patch_count_limit = 256;

template <typename list>
word pick(random_numbers& random, const list& values)
{
    return values[random.below(static_cast<word>(values.size()))];
}
word pick(random_numbers& random, std::initializer_list<word> values)
{
    return pick(random, std::vector<word>(values));
}

/// An existing handle, or one that aliases an existing handle in a block that drops upper bits of the number or of its
/// offset.
word corner_handle(random_numbers& random, const isbe_config& config, const space_layout& space)
{
    const word count = space.vertex_count, n = space.allocated.count();
    if (n != 0 && random.chance(20)) {
        const word together = config.skew ? warp_lanes : 1; // vertices whose words of an attribute follow each other
        const auto bytes = std::uint64_t{4} * n * together;
        const auto limit = std::uint64_t{1} << (15 + random.below(18));
        return static_cast<word>((limit + bytes - 1) / bytes * together) + random.below(together);
    }
    if (random.chance(70)) return pick(random, handle_corners(count));
    const word low = random.below(count + 1);
    return low | (count > 0x7fff ? 0x8000U : 0x10000U << random.below(16));
}

attribute_set first_ids(word count)
{
    attribute_set set;
    for (unsigned id = 0; id < count; ++id) set.insert(id);
    return set;
}

void limit_region(random_numbers& random, word storage, word& base, word& bytes, word alignment)
{
    bytes = std::min(bytes, storage);
    base = random.chance(50) ? (storage - bytes) / alignment * alignment // ends at the end of the storage
                             : random.below((storage - bytes) / alignment + 1) * alignment;
}

/// Sizes that put vertices, primitives and tokens just inside or just outside.
void limit_space(random_numbers& random, const isbe_config& config, const context& slot, space_layout& space)
{
    const word storage = config.lines * line_bytes;
    const word n = space.allocated.count();
    if (random.chance(50) && space.vertex_count != 0 && n != 0) {
        const auto last = attribute_offset(config.skew, n, random.below(n), space.vertex_count - 1);
        space.attr_bytes = static_cast<word>(std::min<std::uint64_t>(last + 3 + random.below(3), storage));
    } else if (random.chance(50)) {
        space.attr_bytes = storage;
    }
    limit_region(random, storage, space.attr_base, space.attr_bytes, line_bytes);
    if (random.chance(50)) {
        const word primitive = slot.primitive[random.below(warp_lanes)];
        space.prim_bytes = 4 * primitive + line_bytes * random.below(2);
        space.prim_bytes += 3 + random.below(3);
    }
    if (random.chance(10)) space.prim_bytes = storage - random.below(8);
    limit_region(random, storage, space.prim_base, space.prim_bytes, 4);
    if (random.chance(50)) {
        const auto index = std::uint64_t{slot.geometry.max_vertices} * slot.geometry.thread_count;
        space.map_bytes = static_cast<word>(std::min<std::uint64_t>(index + 3 + random.below(4), storage));
    }
    if (random.chance(10)) space.map_bytes = storage - random.below(8);
    limit_region(random, storage, space.map_base, space.map_bytes, 4);
    while (space.patch_words * space.patch_count * 4 > storage)
        (random.chance(50) ? space.patch_words : space.patch_count) /= 2;
    word patch_bytes = space.patch_words * space.patch_count * 4;
    limit_region(random, storage, space.patch_base, patch_bytes, 4);
}

/// One attribute, POSITION, and a region that ends at an arbitrary word: loads of vertices in distinct lines take any
/// number of passes.
void cut_column(random_numbers& random, word storage, space_layout& space)
{
    space.allocated = {};
    for (unsigned id = 28; id < 28 + max_components; ++id) space.allocated.insert(id);
    space.enabled = space.allocated;
    space.vertex_count = std::min(storage / 16, 0xffffU);
    space.attr_base = 0;
    const word lines = max_components * warp_lanes, all = storage / line_bytes;
    const word whole =
        random.chance(50) || all < lines ? random.below(lines + 1) : all - 1 - random.below(max_components);
    space.attr_bytes = std::min<word>(line_bytes * whole + 4, storage);
}

/// Moves the sum of a lane's address and the immediate.
void set_sum(warp_op& op, unsigned lane, word sum)
{
    op.address[lane] = sum - static_cast<word>(op.immediate);
}

/// Address and immediate at the same end of their range: in a block with 32 bits the sum, or the end of the access,
/// wraps to a small number.
void far_sums(random_numbers& random, warp_op& op)
{
    const auto near = [&random, top = random.chance(50)] {
        const word distance = random.below(6);
        return top ? 0x7fffffffU - distance : 0x80000000U + distance;
    };
    op.immediate = static_cast<std::int32_t>(near());
    for (auto& address : op.address) address = near();
}

word state_of(random_numbers& random, const context& slot, const isbe_config& config, unsigned lane)
{
    const auto& geometry = slot.geometry;
    const word maximum = geometry.max_vertices;
    const auto usual = slot_corners(maximum);
    std::vector<word> slots(usual.begin(), usual.end());
    slots.insert(slots.end(), {maximum, maximum - std::min(maximum, 1U), maximum / 2, (maximum + 1) & 0xffffU});
    // The slot whose token or vertex is the last one that fits.
    const word per_slot = config.gs_slot_order == gs_slot_order::interleaved ? std::max(geometry.thread_count, 1U) : 1U;
    const word first = config.gs_slot_order == gs_slot_order::interleaved ? lane : lane * maximum;
    for (const word limit : {slot.output.vertex_count, slot.output.map_bytes - std::min(slot.output.map_bytes, 4U)})
        if (limit > first)
            for (const word place : {(limit - first - 1) / per_slot, (limit - first - 1) / per_slot + 1})
                if (place <= 0xffff) slots.push_back(place);
    const word emitted = pick(random, slots);
    const word strip = pick(random, {0, 1, 14, 15});
    word fields = emitted | random.below(4) << 16 | strip << 20;
    if (fields != 0) fields |= rules::state_started;
    return fields | rules::state_checksum(fields) << 24;
}

/// Patches of 32 words, one per lane: each component of a patch is in one bank.
void crowd_patches(random_numbers& random, const context& slot, warp_op& op)
{
    op.op = slot.stage == stage::tess_init && random.chance(50) ? opcode::ast : opcode::ald;
    op.form = address_form::patch;
    op.space = slot.stage == stage::tess_init ? space::output : space::input;
    op.size = max_components;
    op.lanes = all_lanes;
    op.immediate = 16 * random.between(0, 6);
    op.address = {};
}

/// All components of some lanes, and those of one lane that lie before the end of the region: any number of passes.
void load_up_to_the_cut(random_numbers& random, const context& slot, warp_op& op)
{
    load_far_apart(random, slot, op);
    const word lines = (slot.input.attr_bytes + line_bytes - 4) / line_bytes;
    const word last = std::min<word>(random.below(warp_lanes), lines / max_components);
    op.lanes = all_lanes >> (warp_lanes - 1 - last);
    for (unsigned lane = 0; lane < last; ++lane) op.handle[lane] = lane * warp_lanes;
    op.handle[last] = lines / max_components * warp_lanes;
}

/// Words that reach into the next one, each in a row of its own.
void crowd_bytes(random_numbers& random, const isbe_config& config, warp_op& op)
{
    op.op = random.chance(50) ? opcode::isberd : opcode::isbewr;
    op.space = op.op == opcode::isbewr ? space::output : space::input;
    op.region = region::physical;
    op.size = 4;
    op.immediate = 0;
    const unsigned column = random.below(columns_of(config) - 1);
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        op.address[lane] = word_in_column(config, column, lane) * 4 + random.below(4);
}

void corner_addresses(random_numbers& random, const context& slot, warp_op& op)
{
    const auto& space = op.space == space::input && op.op != opcode::ast ? slot.input : slot.output;
    std::vector<word> sums = attribute_sums();
    if (op.form == address_form::patch)
        for (const word each : {0U, 4U, 4U * op.size, 4U * op.size + 4}) sums.push_back(4 * space.patch_words - each);
    const bool alike = random.chance(50);
    const word sum = pick(random, sums);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) set_sum(op, lane, alike ? sum : pick(random, sums));
}

void corner_bytes(random_numbers& random, const isbe_config& config, const context& slot, warp_op& op)
{
    const auto& space = op.space == space::input ? slot.input : slot.output;
    const word bytes = rules::extent_of(static_cast<word>(op.region), space, config.lines * line_bytes).bytes;
    const auto ends = region_corners(bytes, op.size, op.op == opcode::isbewr && op.region == region::map);
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        if (random.chance(50)) set_sum(op, lane, pick(random, ends));
}

} // namespace

#define SPACE_CORNER(side, field, ...)                                                                                 \
    context_corner                                                                                                     \
    {                                                                                                                  \
#side "." #field, [](const context& c) { return c.side.field; },                                               \
                                                                      [](context & c, word v) { c.side.field = v; },   \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define GEOMETRY_CORNER(field, ...)                                                                                    \
    context_corner                                                                                                     \
    {                                                                                                                  \
#field, [](const context& c) { return c.geometry.field; }, [](context & c, word v) { c.geometry.field = v; },  \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define SIDE_CORNERS(side)                                                                                             \
    SPACE_CORNER(side, vertex_count, 0, 1, 31, 32, 33, 127, 128, 255, 256, 32767, 32768, 65535),                       \
        SPACE_CORNER(side, patch_words, 0, 1, 32, 127, 128, patch_words_limit),                                        \
        SPACE_CORNER(side, patch_count, 0, 1, 32, 127, 128, 255, patch_count_limit), context_corner                    \
    {                                                                                                                  \
#side ".ids", [](const context& c) { return word{c.side.allocated.count()}; },                                 \
            [](context& c, word v) { c.side.allocated = c.side.enabled = first_ids(v); },       \
        {                                                                                                              \
            0, 1, 32, 127, 128, 239, mapped_attribute_ids                                                              \
        }                                                                                                              \
    }

const std::vector<context_corner>& context_corners()
{
    static const std::vector<context_corner> corners{
        SIDE_CORNERS(input),
        SIDE_CORNERS(output),
        GEOMETRY_CORNER(max_vertices, 0, 1, 2, 32, 255, 256, 32767, 32768, 65534, 65535),
        GEOMETRY_CORNER(thread_count, 0, 1, 16, 31, 32),
        {"primitive.first_lane",
         [](const context& c) { return word{c.primitive[0]}; },
         [](context& c, word v) { c.primitive[0] = static_cast<std::uint8_t>(v); },
         {0, 1, 127, 128, 254, 255}},
        {"primitive.last_lane",
         [](const context& c) { return word{c.primitive[warp_lanes - 1]}; },
         [](context& c, word v) { c.primitive[warp_lanes - 1] = static_cast<std::uint8_t>(v); },
         {0, 1, 127, 128, 254, 255}},
    };
    return corners;
}

const std::vector<word>& attribute_sums()
{
    static const std::vector<word> sums = [] {
        std::vector<word> all{0U - 16, 0U - 4, 0U - 1, 0x3f0, 0x3f4, 0x3f8, 0x3fc, 0x3ff, 0x400, 0x404, 0x40c, 0x410};
        // First and last attribute of each word of a set and of each vector with default values, and the generated
        // ones.
        for (const word id : {0U,   23U,  24U,  25U,  31U,  32U,  63U,  64U,  127U, 128U, 159U, 160U, 162U,
                              163U, 164U, 166U, 167U, 168U, 170U, 171U, 172U, 174U, 175U, 176U, 189U, 190U,
                              191U, 192U, 195U, 223U, 224U, 230U, 231U, 232U, 235U, 238U, 239U, 240U})
            all.push_back(4 * id);
        return all;
    }();
    return sums;
}

const std::vector<word>& lane_corners()
{
    static const std::vector<word> masks{0, 1, 0x80000000, 0x7fffffff, 0xfffffffe, 0x0000ffff, 0x55555555, all_lanes};
    return masks;
}

std::array<word, 13> handle_corners(word vertex_count)
{
    return {0,     31,    32,    vertex_count - 1, vertex_count, vertex_count + 1, 32767,
            32768, 65535, 65536, 0x7fffffff,       0x80000000,   ~word{0}};
}

std::array<word, 9> slot_corners(word maximum)
{
    return {0, 1, 255, 256, 32767, 32768, 65534, 65535, maximum};
}

std::vector<word> region_corners(word bytes, word size, bool downwards)
{
    const word first = downwards ? size - 1 : 0; // the lowest valid address
    return {first - 1, first, first + 1, bytes - size + first - 1, bytes - size + first, bytes - size + first + 1,
            bytes,     0U - 1};
}

void draw_corners(random_numbers& random, const isbe_config& config, context& slot)
{
    for (const auto& corner : context_corners())
        if (random.chance(30)) corner.set(slot, pick(random, corner.values));
    // Few threads, so that the last slots and their tokens are inside.
    if (slot.geometry.max_vertices > 0xff && random.chance(60)) {
        slot.geometry.thread_count = 1 + random.below(2);
        slot.output.map_bytes = config.lines * line_bytes;
    }
    if (random.chance(10)) { // one thread reaches the last of its slots
        slot.geometry.max_vertices = 0xffff;
        slot.geometry.thread_count = 1;
        slot.output.map_bytes = config.lines * line_bytes;
    }
    const bool a_patch_per_lane = random.chance(20);
    for (unsigned lane = 0; a_patch_per_lane && lane < warp_lanes; ++lane)
        slot.primitive[lane] = static_cast<std::uint8_t>(lane);
    for (auto* space : {&slot.input, &slot.output}) {
        if (a_patch_per_lane) space->patch_words = space->patch_count = warp_lanes;
        // Few attributes leave room for many vertices, which are then accessed, not just out of range.
        if (space->vertex_count > 0xff && random.chance(60)) {
            space->allocated = {};
            space->allocated.insert(28); // POSITION.x
            space->enabled = space->allocated;
        }
        limit_space(random, config, slot, *space);
    }
    if (!loads_by_handle(slot)) return;
    const auto chosen = random.below(100);
    if (chosen < 40) cut_column(random, config.lines * line_bytes, slot.input);
    if (chosen < 85) return;
    slot.input.allocated = slot.input.enabled = first_ids(mapped_attribute_ids); // the largest offsets
    slot.input.vertex_count = 0xffff;
    slot.input.attr_base = 0;
    slot.input.attr_bytes = config.lines * line_bytes;
}

void draw_corners(random_numbers& random, const isbe_config& config, const context& slot, warp_op& op)
{
    if (random.chance(30)) op.lanes = pick(random, lane_corners());
    const bool sums = (is_attribute(op.op) && op.form != address_form::phys) || op.op == opcode::al2p || is_raw(op.op);
    if (sums && random.chance(5)) return far_sums(random, op);
    const bool attribute = is_attribute(op.op) || op.op == opcode::al2p;
    if (attribute && op.form != address_form::phys && random.chance(50)) corner_addresses(random, slot, op);
    if (is_raw(op.op) && random.chance(70)) corner_bytes(random, config, slot, op);
    const bool by_state = op.op == opcode::out || (op.op == opcode::ast && slot.stage == stage::geometry);
    const auto& space = op.space == space::input ? slot.input : slot.output;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        if (by_state && random.chance(70))
            op.handle[lane] = state_of(random, slot, config, lane);
        else if (op.op == opcode::ald && random.chance(50))
            op.handle[lane] = corner_handle(random, config, space);
    }
}

void make_general(random_numbers& random, warp_op& op)
{
    if (!is_attribute(op.op) || op.form == address_form::phys) return;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        const word before = op.address[lane];
        set_sum(op, lane, ((before + static_cast<word>(op.immediate)) & ~word{3}) + random.below(4));
        if ((before ^ op.address[lane]) >> 31 != 0) op.address[lane] = before; // keeps the 33-bit sum
    }
}

void crowd_one_bank(random_numbers& random, const isbe_config& config, const context& slot, warp_op& op)
{
    const bool patches = slot.stage == stage::tess_init || slot.stage == stage::tess;
    if (loads_far_apart(slot) && random.chance(50)) return load_up_to_the_cut(random, slot, op);
    if (loads_far_apart(slot) && random.chance(50))
        load_far_apart(random, slot, op);
    else if (patches && random.chance(50))
        crowd_patches(random, slot, op);
    else
        crowd_bytes(random, config, op);
    if (is_attribute(op.op) && random.chance(40)) op.size = static_cast<std::uint8_t>(1 + random.below(max_components));
    if (random.chance(20)) op.lanes = random_lanes(random);
}

} // namespace isbesim::testbench
