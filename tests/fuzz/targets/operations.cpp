// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets/operations.h"

#include <algorithm>

#include "models/isbe/functional/context.h"

namespace isbesim::fuzz {

namespace {

void read_space(field_reader& in, word storage, space_layout& space)
{
    const auto region = [&](word& base, word wanted) {
        const word bytes = std::min(wanted, storage);
        base = std::min(in.half() & ~3U, (storage - bytes) & ~3U);
        return bytes;
    };
    space.attr_bytes = region(space.attr_base, in.half());
    space.attr_base &= ~127U;
    space.map_bytes = region(space.map_base, in.half() % 1024);
    space.prim_bytes = region(space.prim_base, in.byte());
    space.vertex_count = in.byte();
    space.patch_words = in.byte();
    space.patch_count = std::min(in.byte(), space.patch_words == 0 ? 256 : storage / 4 / space.patch_words);
    region(space.patch_base, 4 * space.patch_words * space.patch_count);
    const auto pattern = in.whole();
    for (unsigned i = 0; i < attribute_set::words; ++i) {
        space.allocated.set_bits(i, i == 0 ? in.whole() : pattern >> i);
        space.enabled.set_bits(i, i == 0 ? in.whole() : pattern);
    }
}

void read_bind(field_reader& in, word storage, warp_op& op)
{
    context slot;
    const auto flags = in.byte();
    slot.stage = static_cast<stage>(flags & 7U);
    slot.fast_geometry = (flags & 8U) != 0;
    slot.shared_spaces = (flags & 16U) != 0;
    read_space(in, storage, slot.input);
    read_space(in, storage, slot.output);
    if ((flags & 32U) != 0)
        slot.output.attr_base = slot.input.attr_base, slot.output.attr_bytes = slot.input.attr_bytes;
    slot.geometry.max_vertices = (flags & 64U) != 0 ? in.half() : in.byte() % 8;
    slot.geometry.thread_count = std::min(in.byte(), warp_lanes);
    slot.geometry.stream_mask = static_cast<std::uint8_t>(in.byte() & 15U);
    per_lane<word> primitives;
    in.lanes(primitives);
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        slot.primitive[lane] = static_cast<std::uint8_t>(primitives[lane]);
    pack_context(slot, op);
}

} // namespace

void read_operation(field_reader& in, word storage, warp_op& op)
{
    const auto kind = in.byte();
    op.op = static_cast<opcode>((kind & 7U) % opcode_count);
    op.space = static_cast<space>(kind >> 3 & 1U);
    op.form = static_cast<address_form>((kind >> 4 & 3U) % form_count);
    op.type = static_cast<out_type>(kind >> 6);
    const auto more = in.byte();
    op.region = static_cast<region>((more & 7U) % region_count);
    op.context = static_cast<std::uint16_t>((more >> 3 & 3U));
    op.size = static_cast<std::uint8_t>(1 + (more >> 5 & 3U));
    if (is_raw(op.op)) op.size = op.size == 3 ? 4 : op.size;
    op.skew = (more & 128U) != 0;
    if (op.op == opcode::bind) return read_bind(in, storage, op);
    op.immediate = static_cast<std::int32_t>((more & 128U) != 0 ? in.whole() : in.half());
    op.lanes = in.whole();
    in.lanes(op.address);
    in.lanes(op.handle);
    if (is_store(op.op))
        for (auto& component : op.data) in.lanes(component);
}

} // namespace isbesim::fuzz
