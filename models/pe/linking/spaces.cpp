// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/spaces.h"

#include <algorithm>

#include "tlm/rounded_up.h"

namespace isbesim {

namespace {

/// Whole lines in both layouts, so that the next region never shares a line with attributes.
unsigned attribute_region_bytes(const space_needs& needs, bool skew)
{
    const auto vertices = attribute_bytes(skew, needs.allocated.count(), needs.vertices);
    return rounded_up(static_cast<unsigned>(vertices), line_bytes) + needs.extra_lines * line_bytes;
}

unsigned other_region_bytes(const space_needs& needs)
{
    return rounded_up(needs.map_bytes, 4U) + rounded_up(needs.prim_bytes, 4U) + needs.patches * needs.patch_words * 4;
}

space_layout lay_out(const space_needs& needs, word attr_base, word map_base, bool skew)
{
    space_layout space;
    space.allocated = needs.allocated;
    space.vertex_count = needs.vertices;
    space.attr_base = attr_base;
    space.attr_bytes = attribute_region_bytes(needs, skew);
    space.map_base = map_base;
    space.map_bytes = needs.map_bytes;
    space.prim_base = space.map_base + rounded_up(needs.map_bytes, 4U);
    space.prim_bytes = needs.prim_bytes;
    space.patch_base = space.prim_base + rounded_up(needs.prim_bytes, 4U);
    space.patch_words = needs.patch_words;
    space.patch_count = needs.patches;
    return space;
}

shared_room with(shared_room room, const space_needs& input, bool skew)
{
    room.add(input, skew);
    return room;
}

} // namespace

void shared_room::add(const space_needs& needs, bool skew)
{
    attr_bytes = std::max(attr_bytes, attribute_region_bytes(needs, skew));
    rest_bytes += other_region_bytes(needs);
}

unsigned space_lines(const space_needs& needs, bool skew, const shared_room& room)
{
    const auto attributes = std::max(attribute_region_bytes(needs, skew), room.attr_bytes);
    return rounded_up(attributes + other_region_bytes(needs) + room.rest_bytes, line_bytes) / line_bytes;
}

space_layout place_space(const space_needs& needs, unsigned first_line, bool skew, const shared_room& room)
{
    const auto base = first_line * line_bytes;
    return lay_out(needs, base, base + std::max(attribute_region_bytes(needs, skew), room.attr_bytes), skew);
}

space_layout place_over(const space_layout& input, const space_needs& needs, bool skew)
{
    return lay_out(needs, input.attr_base, end_of(input), skew);
}

word end_of(const space_layout& space)
{
    return space.patch_base + space.patch_count * space.patch_words * 4;
}

unsigned shared_space_lines(const space_needs& input, const space_needs& output, bool skew, const shared_room& room)
{
    return space_lines(output, skew, with(room, input, skew));
}

space_pair place_shared_spaces(const space_needs& input, const space_needs& output, unsigned first_line, bool skew,
                               const shared_room& room)
{
    return {place_space(input, first_line, skew), place_space(output, first_line, skew, with(room, input, skew))};
}

component_run attribute_run(const space_layout& space, unsigned attribute, unsigned group, bool skew)
{
    const auto n = space.allocated.count();
    const auto rank = space.allocated.rank(attribute);
    const auto first = attribute_offset(skew, n, rank, std::uint64_t{group} * vertices_per_line);
    return {space.attr_base + static_cast<word>(first), skew ? 4 : n * 4};
}

unsigned workgroup_lines(const workgroup_needs& needs)
{
    return needs.shared ? shared_space_lines(needs.input, needs.output, true)
                        : space_lines(needs.output, true) + space_lines(needs.input, true);
}

space_pair place_workgroup(const workgroup_needs& needs, unsigned first_line)
{
    if (needs.shared) return place_shared_spaces(needs.input, needs.output, first_line, true);
    return {place_space(needs.input, first_line + space_lines(needs.output, true), true),
            place_space(needs.output, first_line, true)};
}

} // namespace isbesim
