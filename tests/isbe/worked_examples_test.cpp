// SPDX-License-Identifier: Apache-2.0
// The worked examples of HARDWARE.md section G that concern the ISBE itself, with the numbers printed there.
#include <gtest/gtest.h>

#include "models/attribute/attribute_map.h"
#include "models/attribute/bmap.h"
#include "models/isbe/functional/gs_state.h"
#include "tests/isbe/core_bench.h"

namespace isbesim::test {
namespace {

constexpr word one = 0x3f800000U;

std::uint16_t status(core_bench& bench, unsigned lane = 0)
{
    return bench.result.status[lane];
}

// Hands one warp's output to the next as input: the same bytes, another context.
context next_stage(stage stage, const context& previous, const attribute_set& enabled)
{
    context c = simple_context(stage, {});
    c.input = previous.output;
    c.input.enabled = enabled;
    return c;
}

TEST(worked_examples, E1_default_of_each_component)
{
    const unsigned values[] = {0x41300000, 0x41b00000, 0x42040000, 0x42300000}; // 11, 22, 33, 44
    for (const std::uint32_t bits : {0xeU, 0xaU}) {
        isbe_config config;
        config.attribute_default = bits;
        core_bench bench(config);
        const auto previous = simple_context(stage::vertex, address_range(0x80, 0x90));
        bench.bind(previous);
        bench.run(ast(0x80, 4, [&](unsigned c, unsigned) { return values[c]; }));
        bench.bind(next_stage(stage::geometry, previous, addresses({0x80, 0x84})));
        bench.run(ald(0x80, 4));
        EXPECT_EQ(bench.result.data[0][0], values[0]);
        EXPECT_EQ(bench.result.data[1][0], values[1]);
        EXPECT_EQ(bench.result.data[2][0], 0U);
        EXPECT_EQ(bench.result.data[3][0], bits == 0xe ? one : 0U);
        EXPECT_EQ(status(bench), lane_status::defaulted);
    }
}

TEST(worked_examples, E2_low_address_bits_are_dropped_by_size)
{
    core_bench bench;
    auto c = simple_context(stage::vertex, address_range(0x70, 0xa0));
    bench.bind(c);
    for (unsigned a = 0x70; a < 0xa0; a += 4) bench.run(ast(a, 1, [a](unsigned, unsigned) { return a; }));
    c.input = c.output;
    bench.bind(c);
    const auto first = [&](unsigned address, unsigned size) { return bench.value(ald(address, size)); };
    EXPECT_EQ(first(0x74, 2), 0x70U);
    EXPECT_EQ(bench.result.data[1][0], 0x74U);
    EXPECT_EQ(first(0x78, 4), 0x70U);
    EXPECT_EQ(bench.result.data[3][0], 0x7cU);
    EXPECT_EQ(first(0x73, 1), 0x70U);
    EXPECT_EQ(first(0x9c, 3), 0x90U);
    EXPECT_EQ(bench.result.data[2][0], 0x98U);
    EXPECT_EQ(bench.result.data[3][0], 0U);
    // The page's AST.128 a[64]: 0x40..0x4c are reserved and have no storage.
    bench.run(ast(64, 4, [](unsigned, unsigned) { return 1U; }));
    EXPECT_EQ(status(bench), lane_status::dropped_map);
}

TEST(worked_examples, E3_patch_address)
{
    core_bench bench;
    bench.bind(simple_context(stage::tess_init, {}));
    auto store = ast(0, 2, [](unsigned c, unsigned) { return 0x22U + c; });
    store.form = address_form::patch;
    store.lanes = 1;
    store.immediate = -16;
    store.address[0] = 48;
    bench.run(store);
    EXPECT_EQ(bench.memory(0x12020), 0x22U);
    EXPECT_EQ(bench.memory(0x12024), 0x23U);
    store.address[0] = 8;
    bench.run(store);
    EXPECT_EQ(status(bench), lane_status::out_of_range);
    store.address[0] = 0x3fc;
    store.immediate = 8;
    bench.run(store);
    EXPECT_EQ(status(bench), lane_status::out_of_range);
    auto load = store;
    load.op = opcode::ald;
    load.immediate = -16;
    load.address[0] = 8;
    EXPECT_EQ(bench.value(load), 0U);
    load.address[0] = 48;
    EXPECT_EQ(bench.value(load), 0x22U);
}

TEST(worked_examples, E4_handle_range_and_primitive_id)
{
    core_bench bench;
    auto c = simple_context(stage::geometry, addresses({0x60, 0x70}), 12);
    c.primitive.fill(3);
    bench.bind(c);
    bench.core.storage().write(0x11000 / 4 + 3, 77, ~0U, false);
    for (unsigned v = 0; v < 32; ++v) bench.core.storage().write(32 + v, 100 + v, ~0U, false); // rank 1
    auto load = ald(0x70);
    load.handle.fill(12);
    EXPECT_EQ(bench.value(load), 0U);
    EXPECT_EQ(status(bench), lane_status::handle_range);
    load.handle.fill(11);
    EXPECT_EQ(bench.value(load), 111U);
    EXPECT_EQ(status(bench), lane_status::ok);
    load.handle.fill(0x80000000U);
    EXPECT_EQ(bench.value(load), 0U);
    load.handle.fill(3);
    EXPECT_EQ(bench.value(load), 103U);
    EXPECT_EQ(status(bench), lane_status::ok);
    auto primitive = ald(0x60);
    primitive.handle.fill(0x80000000U);
    EXPECT_EQ(bench.value(primitive), 77U);
    EXPECT_EQ(status(bench), lane_status::ok);
}

TEST(worked_examples, E6_bmap_out_with_store_request)
{
    program_header vertex;
    vertex.omap = addresses({0x70, 0x74, 0x80, 0x84});
    const auto imap_next = addresses({0x70, 0x74, 0x80});
    core_bench bench;
    const auto run = [&](stage stage, const program_header& header) {
        auto c = simple_context(stage, bmap_out(header, imap_next));
        bench.bind(c);
        bench.run(ast(0x84, 1, [](unsigned, unsigned) { return 0x84U; }));
    };
    run(stage::vertex, vertex);
    EXPECT_EQ(status(bench), lane_status::dropped_map);
    EXPECT_EQ(bench.value(ald(0x84, 1, space::output)), 0U);
    EXPECT_EQ(status(bench), lane_status::defaulted);
    bench.run(ast(0x80, 1, [](unsigned, unsigned) { return 0x80U; }));
    EXPECT_EQ(bench.value(ald(0x80, 1, space::output)), 0x80U);

    vertex.store_req_start = 0x20;
    vertex.store_req_end = 0x21;
    run(stage::vertex, vertex);
    EXPECT_EQ(bench.value(ald(0x84, 1, space::output)), 0x84U);
    vertex.store_req_end = 0x22;
    run(stage::vertex, vertex);
    bench.run(ast(0x88, 1, [](unsigned, unsigned) { return 0x88U; }));
    EXPECT_EQ(status(bench), lane_status::dropped_map);

    auto geometry = vertex;
    geometry.shader_type = shader_type::geometry;
    EXPECT_FALSE(bmap_out(geometry, imap_next).contains(0x84 / 4));

    program_header next;
    next.imap = imap_next;
    EXPECT_FALSE(bmap_in(stage::geometry, next, vertex.omap).contains(0x84 / 4));
}

TEST(worked_examples, E8_al2p)
{
    core_bench bench;
    bench.bind(simple_context(stage::vertex, addresses({0x70, 0x74, 0x78, 0x7c, 0x80, 0x84})));
    warp_op op;
    op.op = opcode::al2p;
    op.space = space::output;
    op.address.fill(0x10);
    op.immediate = 0x70;
    const word physical = bench.value(op);
    EXPECT_EQ(physical, 0xa2052004U);
    auto store = ast(0, 1, [](unsigned, unsigned i) { return 500 + i; });
    store.form = address_form::phys;
    store.address.fill(physical);
    bench.run(store);
    EXPECT_EQ(bench.value(ald(0x80, 1, space::output), 9), 509U);

    op.immediate = -32;
    const word nowhere = bench.value(op);
    store.address.fill(nowhere);
    bench.run(store);
    EXPECT_EQ(status(bench), lane_status::out_of_range);
    auto load = store;
    load.op = opcode::ald;
    EXPECT_EQ(bench.value(load), 0U);
}

TEST(worked_examples, E9_skewed_addresses_of_vertices)
{
    core_bench bench;
    auto c = simple_context(stage::geometry, addresses({0x6c, 0x70}), 256);
    c.input.attr_bytes = 0x800;
    bench.bind(c);
    for (unsigned w = 0; w < 0x200; ++w) bench.core.storage().write(w, w * 4, ~0U, false); // each word its own address
    const unsigned table[][3] = {{0, 0x000, 0x080},  {31, 0x07c, 0x0fc}, {32, 0x100, 0x180},  {63, 0x17c, 0x1fc},
                                 {64, 0x200, 0x280}, {95, 0x27c, 0x2fc}, {224, 0x700, 0x780}, {255, 0x77c, 0x7fc}};
    for (const auto& row : table) {
        auto load = ald(0x6c);
        load.handle.fill(row[0]);
        EXPECT_EQ(bench.value(load), row[1]);
        load.immediate = 0x70;
        EXPECT_EQ(bench.value(load), row[2]);
    }
}

TEST(worked_examples, E11_reversed_map_writes)
{
    core_bench bench;
    bench.bind(simple_context(stage::mesh, {}));
    const auto write = [&](unsigned bytes, std::int32_t at, word value) {
        bench.run(on_lane(raw(opcode::isbewr, region::map, space::output, bytes, at, value), 0));
    };
    write(4, 3, 2);
    const unsigned indices[] = {0, 1, 2, 2, 1, 3};
    for (unsigned i = 0; i < 6; ++i) write(1, static_cast<std::int32_t>(4 + i), indices[i]);
    const unsigned image[] = {2, 0, 0, 0, 0, 1, 2, 2, 1, 3};
    for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(bench.byte(0x10800 + i), image[i]) << i;
    write(2, 9, 0xbbaa);
    EXPECT_EQ(bench.byte(0x10808), 0xaa);
    EXPECT_EQ(bench.byte(0x10809), 0xbb);
    write(4, 2, 0xffffffff);
    EXPECT_EQ(status(bench), lane_status::out_of_range);
    EXPECT_EQ(bench.memory(0x10800), 2U);
    EXPECT_EQ(bench.value(raw(opcode::isberd, region::map, space::output, 4, 0)), 2U);
}

TEST(worked_examples, E11_other_byte_order_is_a_parameter)
{
    isbe_config config;
    config.map_byte_swap = true;
    core_bench bench(config);
    bench.bind(simple_context(stage::mesh, {}));
    bench.run(on_lane(raw(opcode::isbewr, region::map, space::output, 4, 3, 0x01020304), 0));
    EXPECT_EQ(bench.memory(0x10800), 0x04030201U);
    bench.run(on_lane(raw(opcode::isbewr, region::map, space::output, 2, 5, 0x0a0b), 0));
    EXPECT_EQ(bench.memory(0x10804), 0x0b0aU);
    // ATTR is not reversed and not swapped.
    bench.run(on_lane(raw(opcode::isbewr, region::prim, space::output, 4, 0, 0x01020304), 0));
    EXPECT_EQ(bench.memory(0x11000), 0x01020304U);
}

TEST(worked_examples, E12_handle_lookup_in_the_input_map)
{
    core_bench bench;
    auto c = simple_context(stage::geometry, addresses({0x70}));
    bench.bind(c);
    const std::uint8_t handle = 0x1c;
    bench.core.storage().write_bytes(0x10000 + 17, &handle, 1);
    EXPECT_EQ(bench.value(raw(opcode::isberd, region::map, space::input, 1, 5 * 3 + 2)), 28U);
    bench.core.storage().write(28, 4711, ~0U, false);
    auto load = ald(0x70);
    load.handle = bench.result.data[0];
    EXPECT_EQ(bench.value(load), 4711U);
}

TEST(worked_examples, E18_read_after_write_in_the_output_space)
{
    core_bench bench;
    auto c = simple_context(stage::tess_init, addresses({0x80, 0x84}));
    bench.bind(c);
    for (unsigned w = 0; w < 64; ++w) bench.core.storage().write(0x8000 / 4 + w, 0xdead0000U + w, ~0U, false);
    bench.run(on_lane(ast(0x80, 1, [](unsigned, unsigned) { return 0x40e00000U; }), 3));
    auto load = on_lane(ald(0x80, 4, space::output), 5);
    load.handle.fill(3);
    bench.run(load);
    EXPECT_EQ(bench.result.data[0][5], 0x40e00000U);
    EXPECT_EQ(bench.result.data[1][5], 0xdead0000U + 32 + 3); // enabled, not written: the old content
    EXPECT_EQ(bench.result.data[2][5], 0U);
    EXPECT_EQ(bench.result.data[3][5], one);
}

TEST(worked_examples, E19_line_cycles)
{
    isbe_config config;
    config.access = access_rule::line;
    core_bench bench(config);
    auto c = simple_context(stage::geometry, address_range(0x80, 0x98), 1024);
    c.output = {};
    c.input.attr_bytes = 6 * 128 * 32;
    c.input.map_bytes = 0;
    bench.bind(c);
    const auto passes = [&](unsigned size, auto handle) {
        auto load = ald(0x80, size);
        for (unsigned i = 0; i < 32; ++i) load.handle[i] = handle(i);
        return unsigned{bench.run(load).passes};
    };
    const auto straight = [](unsigned i) { return i; };
    EXPECT_EQ(passes(1, straight), 1U);
    EXPECT_EQ(passes(2, straight), 2U);
    EXPECT_EQ(passes(3, straight), 3U);
    EXPECT_EQ(passes(4, straight), 4U);
    EXPECT_EQ(passes(1, [](unsigned i) { return i < 16 ? i : i + 16; }), 2U);
    EXPECT_EQ(passes(1, [](unsigned) { return 7U; }), 1U);
    EXPECT_EQ(passes(1, [](unsigned i) { return 32 * i; }), 32U);
}

} // namespace
} // namespace isbesim::test
