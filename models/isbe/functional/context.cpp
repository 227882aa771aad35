// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/functional/context.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "tlm/vector_clones.h"

namespace isbesim {

namespace {

// Word numbers of the table in micro-architecture section 3.
constexpr unsigned input_words = 4;
constexpr unsigned output_words = 14;
constexpr unsigned input_allocated = 24;
constexpr unsigned input_enabled = 32;
constexpr unsigned output_allocated = 40;
constexpr unsigned output_enabled = 48;
constexpr unsigned primitive_words = 56;
constexpr unsigned space_words = 10;

// Each part ends where the next one begins; the output space's words follow the input space's.
static_assert(input_words + space_words == output_words && output_words + space_words == input_allocated);
static_assert(input_allocated + attribute_set::words == input_enabled &&
              input_enabled + attribute_set::words == output_allocated &&
              output_allocated + attribute_set::words == output_enabled &&
              output_enabled + attribute_set::words == primitive_words &&
              primitive_words + warp_lanes / 4 == context_words);

word& payload_word(warp_op& op, unsigned i)
{
    return op.data[i / warp_lanes][i % warp_lanes];
}
word payload_word(const warp_op& op, unsigned i)
{
    return op.data[i / warp_lanes][i % warp_lanes];
}

/// The ten words of a space in descriptor order.
template <typename Layout, typename F>
void for_each_field(Layout& s, F f)
{
    f(s.attr_base), f(s.attr_bytes), f(s.vertex_count), f(s.map_base), f(s.map_bytes);
    f(s.prim_base), f(s.prim_bytes), f(s.patch_base), f(s.patch_words), f(s.patch_count);
}

void pack_set(const attribute_set& set, warp_op& op, unsigned first)
{
    for (unsigned i = 0; i < attribute_set::words; ++i) payload_word(op, first + i) = set.bits(i);
}

attribute_set unpack_set(const warp_op& op, unsigned first)
{
    std::array<word, attribute_set::words> bits{};
    for (unsigned i = 0; i < attribute_set::words; ++i) bits[i] = payload_word(op, first + i);
    return attribute_set(bits);
}

void require(bool holds, const char* space_name, const char* what)
{
    if (!holds) throw std::invalid_argument(std::string("context descriptor, ") + space_name + ": " + what);
}

void check_space(const space_layout& s, const char* name, std::uint64_t storage_bytes)
{
    const auto fits = [storage_bytes](std::uint64_t base, std::uint64_t bytes) {
        return bytes == 0 || (base % 4 == 0 && base + bytes <= storage_bytes);
    };
    require(s.vertex_count <= 65535, name, "vertex_count is above 65535");
    require(s.patch_words <= 255, name, "patch_words is above 255");
    require(s.patch_count <= 256, name, "patch_count is above 256");
    require(s.attr_bytes == 0 || s.attr_base % 128 == 0, name, "attr_base is not a multiple of 128");
    require(fits(s.attr_base, s.attr_bytes), name, "the ATTR region is not inside the storage");
    require(fits(s.map_base, s.map_bytes), name, "the MAP region is not inside the storage or not word aligned");
    require(fits(s.prim_base, s.prim_bytes), name, "the PRIM region is not inside the storage or not word aligned");
    require(fits(s.patch_base, std::uint64_t{4} * s.patch_words * s.patch_count), name,
            "the PATCH region is not inside the storage or not word aligned");
}

} // namespace

void pack_context(const context& value, warp_op& bind)
{
    payload_word(bind, 0) = (static_cast<word>(value.stage) & 0xfU) | (value.fast_geometry ? 0x10U : 0U) |
                            (value.shared_spaces ? 0x20U : 0U);
    payload_word(bind, 1) = value.geometry.max_vertices & 0xffffU;
    payload_word(bind, 2) = value.geometry.thread_count & 0x3fU;
    payload_word(bind, 3) = value.geometry.stream_mask & 0xfU;
    unsigned i = input_words;
    for_each_field(value.input, [&](word field) { payload_word(bind, i++) = field; });
    for_each_field(value.output, [&](word field) { payload_word(bind, i++) = field; });
    pack_set(value.input.allocated, bind, input_allocated);
    pack_set(value.input.enabled, bind, input_enabled);
    pack_set(value.output.allocated, bind, output_allocated);
    pack_set(value.output.enabled, bind, output_enabled);
    for (unsigned n = primitive_words; n < context_words; ++n) payload_word(bind, n) = 0;
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        payload_word(bind, primitive_words + lane / 4) |= word{value.primitive[lane]} << (8 * (lane % 4));
}

ISBESIM_VECTOR_CLONES
context unpack_context(const warp_op& bind)
{
    context value;
    value.stage = static_cast<stage>(payload_word(bind, 0) & 0xfU);
    value.fast_geometry = (payload_word(bind, 0) & 0x10U) != 0;
    value.shared_spaces = (payload_word(bind, 0) & 0x20U) != 0;
    value.geometry.max_vertices = payload_word(bind, 1) & 0xffffU;
    value.geometry.thread_count = payload_word(bind, 2) & 0x3fU;
    value.geometry.stream_mask = static_cast<std::uint8_t>(payload_word(bind, 3) & 0xfU);
    unsigned i = input_words;
    for_each_field(value.input, [&](word& field) { field = payload_word(bind, i++); });
    for_each_field(value.output, [&](word& field) { field = payload_word(bind, i++); });
    value.input.allocated = unpack_set(bind, input_allocated);
    value.input.enabled = unpack_set(bind, input_enabled);
    value.output.allocated = unpack_set(bind, output_allocated);
    value.output.enabled = unpack_set(bind, output_enabled);
    static_assert(primitive_words % warp_lanes + sizeof value.primitive / 4 <= warp_lanes); // in one row of the data
    std::memcpy(value.primitive.data(), &bind.data[primitive_words / warp_lanes][primitive_words % warp_lanes],
                sizeof value.primitive); // little-endian words, as in storage.cpp
    return value;
}

void check_context(const context& value, std::uint64_t storage_bytes)
{
    if (value.stage == stage::none) return;
    require(static_cast<unsigned>(value.stage) < stage_count, "stage", "above 7");
    require(value.geometry.thread_count <= warp_lanes, "geometry", "thread_count is above 32");
    check_space(value.input, "input space", storage_bytes);
    check_space(value.output, "output space", storage_bytes);
}

} // namespace isbesim
