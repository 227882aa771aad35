// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/random_context.h"

#include <algorithm>
#include <array>

#include "models/attribute/layout.h"
#include "models/isbe/rules/attribute_tests.h"

namespace isbesim::testbench {

namespace {

/// Sets with no, a few, many or all members, or whole vectors, so that ranks of every size appear.
attribute_set random_set(random_numbers& random)
{
    attribute_set set;
    if (random.chance(4)) return set;
    if (random.chance(4)) {
        for (unsigned id = 0; id < mapped_attribute_ids; ++id) set.insert(id);
        return set;
    }
    const auto density = random.below(4);
    for (unsigned id = 0; id < mapped_attribute_ids; ++id) {
        const bool member = density == 0   ? id == 27 || (id >= 28 && id < 28 + 8) // POINT_SIZE .. GENERIC[0].w
                            : density == 1 ? random.chance(5)
                            : density == 2 ? random.chance(50)
                                           : id % 16 < 8;
        if (member) set.insert(id);
    }
    if (random.chance(50)) set.insert(24);                    // PRIMITIVE_ID
    if (random.chance(20)) set.insert(190 + random.below(2)); // INSTANCE_ID, VERTEX_ID
    return set;
}

/// Bytes of a region that ends inside the word of a usual attribute of a vertex.
word end_inside_a_word(random_numbers& random, bool skew, const space_layout& space)
{
    const unsigned id = random.chance(70) ? 28 + random.below(4) : 24 + random.below(16);
    const auto vertex = random.below(std::min(space.vertex_count + 1, warp_lanes));
    const auto offset = attribute_offset(skew, space.allocated.count(), space.allocated.rank(id), vertex);
    return static_cast<word>(offset) + 1 + random.below(3);
}

void make_space(random_numbers& random, bool skew, word storage, space_layout& space, word first_line, word lines)
{
    space.allocated = random_set(random);
    space.enabled = random.chance(30) ? space.allocated : space.allocated & random_set(random);
    if (random.chance(20)) space.enabled = space.enabled | random_set(random); // enabled but not allocated
    space.attr_base = first_line * line_bytes;
    space.vertex_count = random.chance(20) ? random.below(256) : 1 + random.below(64);
    if (random.chance(5)) space.vertex_count = random.below(0x10000);
    const word groups = (space.vertex_count + warp_lanes - 1) / warp_lanes;
    const word wanted = space.allocated.count() * groups * line_bytes;
    space.attr_bytes = std::min(wanted, lines * line_bytes);
    if (random.chance(10)) space.attr_bytes = random.below(lines * line_bytes + 1);
    if (random.chance(40)) space.attr_bytes = std::min(end_inside_a_word(random, skew, space), lines * line_bytes);
    if (random.chance(10)) space.attr_bytes -= std::min(space.attr_bytes, random.below(8)); // part of a word

    // The small regions may overlap anything: nothing in the block relies on regions being apart.
    const auto region = [&](word& base, word bytes) {
        bytes = std::min(bytes, storage);
        base = random.below((storage - bytes) / 4 + 1) * 4;
        return bytes;
    };
    space.map_bytes = region(space.map_base, random.chance(4) ? 0 : random.below(std::min(storage, 512U)));
    const word words = random.below(random.chance(80) ? 65 : 257);
    space.prim_bytes = region(space.prim_base, words * 4 + (random.chance(30) ? random.below(4) : 0));
    space.patch_words = random.chance(25) ? random.below(256) : random.below(33);
    space.patch_count = random.below(random.chance(90) ? 33 : 257);
    while (space.patch_words * space.patch_count * 4 > storage) space.patch_count /= 2;
    region(space.patch_base, space.patch_words * space.patch_count * 4);
}

/// Mostly a few vertices per thread; sometimes many, so that slots, vertices and tokens need all of their bits.
void make_geometry(random_numbers& random, word storage, context& slot)
{
    auto& geometry = slot.geometry;
    const bool many = random.chance(12);
    geometry.max_vertices = many ? 1 + random.below(0xffff) : random.chance(10) ? random.below(1025) : random.below(9);
    geometry.thread_count = many && random.chance(70) ? 1 + random.below(2)
                            : random.chance(60)       ? warp_lanes
                                                      : random.below(33);
    if (random.chance(5)) geometry.thread_count = 0;
    geometry.stream_mask = static_cast<std::uint8_t>(random.below(16));
    if (random.chance(30)) return;
    auto& output = slot.output;
    output.vertex_count = std::min(geometry.max_vertices * geometry.thread_count, 0xffffU);
    const word tokens = 4 + output.vertex_count;
    output.map_bytes = std::min(random.chance(80) ? (tokens + 3U) & ~3U : tokens, storage);
    output.map_base = random.below((storage - output.map_bytes) / 4 + 1) * 4;
    if (many && random.chance(50)) { // vertices in as little storage as possible
        output.allocated = {};
        output.allocated.insert(28); // POSITION.x
        output.enabled = output.allocated;
        output.attr_base = 0;
        output.attr_bytes = storage;
    }
}

/// As many vertices, read by handle, as there is room for: with one vector each, lanes can access 32 rows of one bank
/// in every component.
void make_column(word storage, space_layout& space)
{
    space.allocated = {};
    for (unsigned id = 28; id < 32; ++id) space.allocated.insert(id); // POSITION
    space.enabled = space.allocated;
    space.attr_base = 0;
    space.attr_bytes = storage;
    space.vertex_count = std::min(storage / 16, 0xffffU);
}

} // namespace

bool loads_by_handle(const context& slot)
{
    return rules::vertex_is_handle<word>(true, rules::code<word>(slot.stage));
}

context random_context(random_numbers& random, const isbe_config& config)
{
    const word storage = config.lines * line_bytes;
    context slot;
    slot.stage = static_cast<stage>(random.chance(3) ? 0 : 1 + random.below(7));
    if (random.chance(30)) slot.stage = stage::geometry;
    slot.fast_geometry = random.chance(20);
    slot.shared_spaces = random.chance(30);
    const word half = config.lines / 2;
    const word first = random.below(half);
    make_space(random, config.skew, storage, slot.input, first, config.lines - first);
    const word output_first = slot.shared_spaces ? first : random.below(config.lines);
    make_space(random, config.skew, storage, slot.output, output_first, config.lines - output_first);
    if (slot.shared_spaces && random.chance(50)) {
        slot.output.allocated = slot.input.allocated;
        slot.output.attr_bytes = slot.input.attr_bytes;
    }
    if (slot.stage == stage::geometry) make_geometry(random, storage, slot);
    if (loads_by_handle(slot) && random.chance(20)) make_column(storage, slot.input);
    for (auto& primitive : slot.primitive) {
        primitive = static_cast<std::uint8_t>(random.chance(90) ? random.below(33) : random.below(256));
    }
    return slot;
}

void random_descriptor(random_numbers& random, const context& value, warp_op& bind)
{
    // Section 3: bits with a meaning. Sizes and counts use whole words, whose bounds are the writer's duty.
    constexpr unsigned first_set = 24;
    constexpr unsigned words_of_set = 8;
    constexpr unsigned sets = 4;
    std::array<word, context_words> named;
    named.fill(0);
    named[0] = 0x0000000f;
    if (value.stage != stage::none) { // otherwise no other word has a meaning
        named.fill(~word{0});
        named[0] = 0x0000003f;
        named[1] = 0x0000ffff;
        named[2] = 0x0000003f;
        named[3] = 0x0000000f;
        for (unsigned set = 0; set < sets; ++set) named[first_set + set * words_of_set + 7] = 0x0000ffff;
    }
    pack_context(value, bind);
    for (unsigned i = 0; i < max_components * warp_lanes; ++i) {
        auto& data = bind.data[i / warp_lanes][i % warp_lanes];
        const word kept = i < context_words ? named[i] : 0;
        data = (data & kept) | (random.bits() & ~kept);
    }
}

} // namespace isbesim::testbench
