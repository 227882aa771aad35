// SPDX-License-Identifier: Apache-2.0
#include "tests/proof/counterexample.h"

#include "tests/support/warp_operations.h"

namespace isbesim::proof {

namespace {

std::uint32_t value_of(const field_values& fields, const std::string& name)
{
    const auto found = fields.find(name);
    return found == fields.end() ? 0 : found->second;
}

attribute_set set_of(const field_values& fields, const std::string& name)
{
    std::array<std::uint32_t, attribute_set::words> bits{};
    for (unsigned i = 0; i < bits.size(); ++i) bits[i] = value_of(fields, name + "." + std::to_string(i));
    return attribute_set(bits);
}

space_layout space_of(const field_values& fields, const std::string& name)
{
    const auto value = [&](const char* field) { return value_of(fields, name + "." + field); };
    space_layout space;
    space.attr_base = value("attr_base");
    space.attr_bytes = value("attr_bytes");
    space.vertex_count = value("vertex_count");
    space.map_base = value("map_base");
    space.map_bytes = value("map_bytes");
    space.prim_base = value("prim_base");
    space.prim_bytes = value("prim_bytes");
    space.patch_base = value("patch_base");
    space.patch_words = value("patch_words");
    space.patch_count = value("patch_count");
    space.allocated = set_of(fields, name + ".allocated");
    space.enabled = set_of(fields, name + ".enabled");
    return space;
}

/// The field of lane i: its own, else the one of the example's lane.
std::uint32_t of_lane(const field_values& fields, const std::string& name, unsigned i)
{
    const auto own = fields.find(name + "@" + std::to_string(i));
    return own != fields.end() ? own->second : value_of(fields, name);
}

warp_op line_access(opcode op, unsigned line)
{
    constexpr word factor = 0x9e3779b1U; // odd: no two words are the same
    auto access = test::make_isbewr(region::physical, 4, test::counting(128 * line, 4),
                                    test::counting(factor * (line * warp_lanes + 1), factor));
    access.op = op;
    return access;
}

} // namespace

context context_of(const field_values& fields)
{
    context result;
    result.stage = static_cast<stage>(value_of(fields, "stage"));
    result.fast_geometry = value_of(fields, "fast") != 0;
    result.shared_spaces = value_of(fields, "shared") != 0;
    result.geometry.max_vertices = value_of(fields, "maximum");
    result.geometry.thread_count = value_of(fields, "threads");
    result.geometry.stream_mask = static_cast<std::uint8_t>(value_of(fields, "stream_mask"));
    result.input = space_of(fields, "input");
    result.output = space_of(fields, "output");
    for (unsigned i = 0; i < warp_lanes; ++i)
        result.primitive[i] = static_cast<std::uint8_t>(of_lane(fields, "primitive", i));
    return result;
}

warp_op request_of(const field_values& fields)
{
    warp_op request;
    request.op = static_cast<opcode>(value_of(fields, "op"));
    request.space = static_cast<space>(value_of(fields, "space"));
    request.region = static_cast<region>(value_of(fields, "region"));
    request.form = static_cast<address_form>(value_of(fields, "form"));
    request.type = static_cast<out_type>(value_of(fields, "type"));
    request.size = static_cast<std::uint8_t>(value_of(fields, "size"));
    request.immediate = static_cast<std::int32_t>(value_of(fields, "immediate"));
    request.lanes = fields.count("lane") != 0 ? lane_mask{1} << value_of(fields, "lane") : 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        if (value_of(fields, "active@" + std::to_string(i)) != 0) request.lanes |= lane_mask{1} << i;
        request.address[i] = of_lane(fields, "address", i);
        request.handle[i] = of_lane(fields, "handle", i);
        request.data[0][i] = of_lane(fields, "data", i);
        for (unsigned c = 1; c < max_components; ++c) request.data[c][i] = request.data[0][i] + c;
    }
    return request;
}

std::vector<warp_op> operations_of(const field_values& fields, const isbe_config& config)
{
    std::vector<warp_op> all;
    for (unsigned line = 0; line < config.lines; ++line) all.push_back(line_access(opcode::isbewr, line));
    warp_op bind;
    bind.op = opcode::bind;
    pack_context(context_of(fields), bind);
    all.push_back(bind);
    all.push_back(request_of(fields));
    for (unsigned line = 0; line < config.lines; ++line) all.push_back(line_access(opcode::isberd, line));
    return all;
}

} // namespace isbesim::proof
