#include "models/pe/spaces.h"

namespace isbesim {

namespace {

constexpr unsigned up_to(unsigned bytes, unsigned unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/// Whole lines in both layouts, so that what follows never shares a line with attributes.
unsigned attribute_region_bytes(const space_needs& needs, bool skew)
{
    const auto vertices = attribute_bytes(skew, needs.allocated.count(), needs.vertices);
    return up_to(static_cast<unsigned>(vertices), line_bytes) + needs.extra_lines * line_bytes;
}

/// `output` with as many ATTR lines as `input` has at least.
space_needs with_room(const space_needs& input, const space_needs& output, bool skew)
{
    auto result = output;
    const auto wanted = attribute_region_bytes(input, skew);
    const auto bytes = attribute_region_bytes(output, skew);
    if (wanted > bytes) result.extra_lines += (wanted - bytes) / line_bytes;
    return result;
}

} // namespace

unsigned shared_space_lines(const space_needs& input, const space_needs& output, bool skew)
{
    return space_lines(with_room(input, output, skew), skew);
}

space_pair place_shared_spaces(const space_needs& input, const space_needs& output, unsigned first_line, bool skew)
{
    space_pair spaces{place_space(input, first_line, skew),
                      place_space(with_room(input, output, skew), first_line, skew)};
    spaces.output.attr_bytes = attribute_region_bytes(output, skew);
    return spaces;
}

unsigned space_lines(const space_needs& needs, bool skew)
{
    const auto bytes = attribute_region_bytes(needs, skew) + up_to(needs.map_bytes, 4) + up_to(needs.prim_bytes, 4) +
                       needs.patches * needs.patch_words * 4;
    return up_to(bytes, line_bytes) / line_bytes;
}

space_layout place_space(const space_needs& needs, unsigned first_line, bool skew)
{
    space_layout space;
    space.allocated = needs.allocated;
    space.vertex_count = needs.vertices;
    space.attr_base = first_line * line_bytes;
    space.attr_bytes = attribute_region_bytes(needs, skew);
    space.map_base = space.attr_base + space.attr_bytes;
    space.map_bytes = needs.map_bytes;
    space.prim_base = space.map_base + up_to(needs.map_bytes, 4);
    space.prim_bytes = needs.prim_bytes;
    space.patch_base = space.prim_base + up_to(needs.prim_bytes, 4);
    space.patch_words = needs.patch_words;
    space.patch_count = needs.patches;
    return space;
}

component_run attribute_run(const space_layout& space, unsigned attribute, unsigned group, bool skew)
{
    const auto n = space.allocated.count();
    const auto rank = space.allocated.rank(attribute);
    const auto first = attribute_offset(skew, n, rank, std::uint64_t{group} * vertices_per_line);
    return {space.attr_base + static_cast<word>(first), skew ? 4 : n * 4};
}

} // namespace isbesim
