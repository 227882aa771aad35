// SPDX-License-Identifier: Apache-2.0
// Rows ISBE-*: regions, layout, raw access. Expected values: HARDWARE.md D and worked examples E9 to E11.

#include "tests/conformance/isbe_fixture.h"

namespace isbesim::test {
namespace {

class regions : public isbe_conformance {};
ISBESIM_ON_EVERY_BACK_END(regions);

const attribute_set two = ids({0x6c, 0x70});

struct region_place {
    region which;
    word input, output; // base
    unsigned bytes;
};

std::vector<region_place> places(const context& c)
{
    return {{region::map, c.input.map_base, c.output.map_base, 128},
            {region::patch, c.input.patch_base, c.output.patch_base, 512},
            {region::prim, c.input.prim_base, c.output.prim_base, 128},
            {region::attr, c.input.attr_base, c.output.attr_base, 256}};
}

TEST_P(regions, ISBE_01_four_regions_of_two_spaces)
{
    const context c = bind(make_context(stage::vertex, two, two));
    word value = 0x01010101;
    for (const region_place& p : places(c))
        for (const word base : {p.input, p.output}) bench().poke(base + 8, value += 0x01010101);
    value = 0x01010101;
    for (const region_place& p : places(c))
        for (const space s : {space::input, space::output}) {
            const warp_result r = run(make_isberd(s, p.which, 4, all_lanes_have(8)));
            EXPECT_EQ(r.error, op_error::none);
            EXPECT_EQ(r.data[0], all_lanes_have(value += 0x01010101));
        }
}

TEST_P(regions, ISBE_02_reads_of_1_2_4_bytes_at_any_address_and_0_outside)
{
    const context c = bind(make_context(stage::vertex, two, two));
    for (const region_place& p : places(c)) {
        for (unsigned i = 0; i < p.bytes; i += 4)
            bench().poke(p.input + i,
                         (i & 0xff) | ((i + 1) & 0xff) << 8 | ((i + 2) & 0xff) << 16 | ((i + 3) & 0xff) << 24);
        bench().poke(p.input + p.bytes, 0xffffffff); // the neighbour
        for (const unsigned bytes : {1U, 2U, 4U}) {
            warp_op op = make_isberd(space::input, p.which, bytes, counting(40));
            op.address[0] = static_cast<word>(-1);
            op.address[1] = 0;
            op.address[2] = p.bytes - bytes;
            op.address[3] = p.bytes - bytes + 1;
            op.address[4] = 0x7fffffff;
            const warp_result r = run(op);
            for (unsigned lane = 0; lane < warp_lanes; ++lane) {
                const bool inside = lane != 0 && lane != 3 && lane != 4;
                word expected = 0;
                for (unsigned i = 0; inside && i < bytes; ++i) expected |= ((op.address[lane] + i) & 0xff) << (8 * i);
                EXPECT_EQ(r.data[0][lane], expected) << bytes << ' ' << lane;
                EXPECT_EQ(r.status[lane], inside ? lane_status::ok : lane_status::out_of_range);
            }
            EXPECT_EQ(r.data[1], per_lane<word>{});
        }
    }
}

TEST_P(regions, ISBE_03_writes_of_1_2_4_bytes_and_none_outside)
{
    const context c = bind(make_context(stage::vertex, two, two));
    for (const region_place& p : places(c)) {
        if (p.which == region::map) continue; // reversed: ISBE_07
        for (const unsigned bytes : {1U, 2U, 4U}) {
            std::vector<std::uint8_t> expected = image();
            warp_op op = make_isbewr(p.which, bytes, counting(13, bytes), counting(0x81828384));
            op.lanes = 0x3f;
            op.address[0] = static_cast<word>(-1);
            op.address[1] = p.bytes - bytes + 1;
            const warp_result r = run(op);
            for (unsigned lane = 2; lane < 6; ++lane)
                for (unsigned i = 0; i < bytes; ++i)
                    expected[p.output + 13 + bytes * lane + i] =
                        static_cast<std::uint8_t>((0x81828384 + lane) >> (8 * i));
            EXPECT_EQ(r.status[0], lane_status::out_of_range);
            EXPECT_EQ(r.status[1], lane_status::out_of_range);
            EXPECT_EQ(r.status[2], lane_status::ok);
            EXPECT_EQ(image(), expected) << bytes;
        }
    }
}

TEST_P(regions, ISBE_03_the_input_space_can_not_be_written)
{
    bind(make_context(stage::vertex, two, two));
    const auto before = image();
    warp_op op = make_isbewr(region::attr, 4, counting(0, 4), counting(1));
    op.space = space::input;
    EXPECT_EQ(run(op).error, op_error::illegal_instr_encoding);
    EXPECT_EQ(image(), before);
}

TEST_P(regions, ISBE_04_skewed_layout_to_the_byte)
{
    // E9: n = 2, 256 vertices; the rows of the corrected table.
    context c = make_context(stage::geometry, two, two);
    c.input.vertex_count = 256;
    c.input.attr_bytes = 0x800;
    bench().bind(0, c);
    const struct {
        unsigned vertex;
        word point_size, position_x;
    } rows[] = {{0, 0x000, 0x080},  {31, 0x07c, 0x0fc}, {32, 0x100, 0x180},  {63, 0x17c, 0x1fc},
                {64, 0x200, 0x280}, {95, 0x27c, 0x2fc}, {224, 0x700, 0x780}, {255, 0x77c, 0x7fc}};
    for (word offset = 0; offset < 0x800; offset += 4) bench().poke(c.input.attr_base + offset, 0xcafe0000 | offset);
    for (const auto& row : rows) {
        warp_op op = make_ald(0x6c, 1);
        op.handle = all_lanes_have(row.vertex);
        EXPECT_EQ(run(op).data[0][9], 0xcafe0000 | row.point_size) << row.vertex;
        op.immediate = 0x70;
        EXPECT_EQ(run(op).data[0][9], 0xcafe0000 | row.position_x) << row.vertex;
    }
}

TEST_P(regions, ISBE_04_without_skew_a_vertex_is_a_record)
{
    config() = unskewed_isbe();
    context c = bind(make_context(stage::geometry, two, two));
    for (word offset = 0; offset < 256; offset += 4) bench().poke(c.input.attr_base + offset, offset);
    EXPECT_EQ(run(make_ald(0x6c, 1)).data[0], counting(0, 8));
    EXPECT_EQ(run(make_ald(0x70, 1)).data[0], counting(4, 8));
}

TEST_P(regions, ISBE_05_raw_access_to_storage_of_ALD_and_AST)
{
    const context c = bind(make_context(stage::vertex, two, two));
    run(make_ast(0x70, 1, 0x4400));
    EXPECT_EQ(run(make_isberd(space::output, region::attr, 4, counting(128, 4))).data[0], counting(0x4400));
    run(make_isbewr(region::attr, 4, counting(0, 4), counting(0x5500)));
    EXPECT_EQ(run(make_ald(0x6c, 1, space::output)).data[0], counting(0x5500));
    // The same words, flat.
    EXPECT_EQ(run(make_isberd(space::input, region::physical, 4, counting(c.output.attr_base, 4))).data[0],
              counting(0x5500));
}

TEST_P(regions, ISBE_06_MAP_input_indices_from_0_output_after_the_count)
{
    const context c = bind(make_context(stage::geometry, two, two));
    // D.5: primitive 5 of triangles, vertex 2: byte 17.
    for (unsigned i = 0; i < 24; i += 4) bench().poke(c.input.map_base + i, 0x1f1e1d1c + i * 0x01010101);
    const warp_result r = run(make_isberd(space::input, region::map, 1, all_lanes_have(5 * 3 + 2)));
    EXPECT_EQ(r.data[0], all_lanes_have(0x1d + 16));

    // E11: two triangles (0,1,2) and (2,1,3).
    const std::uint8_t image_of_map[] = {2, 0, 0, 0, 0, 1, 2, 2, 1, 3};
    warp_op count = make_isbewr(region::map, 4, all_lanes_have(3), all_lanes_have(2));
    count.lanes = 1;
    run(count);
    warp_op indices = make_isbewr(region::map, 1, counting(4), {});
    indices.lanes = 0x3f;
    for (unsigned i = 0; i < 6; ++i) indices.data[0][i] = image_of_map[4 + i];
    run(indices);
    EXPECT_EQ(bench().peek_bytes(c.output.map_base, 10),
              std::vector<std::uint8_t>(std::begin(image_of_map), std::end(image_of_map)));
}

TEST_P(regions, ISBE_07_MAP_writes_are_reversed)
{
    const context c = bind(make_context(stage::mesh, two, two));
    const auto write = [&](unsigned bytes, word address, word value) {
        warp_op op = make_isbewr(region::map, bytes, all_lanes_have(address), all_lanes_have(value));
        op.lanes = 1U << 12;
        return run(op).status[12];
    };
    EXPECT_EQ(write(4, 3, 0x44332211), lane_status::ok);
    EXPECT_EQ(bench().peek(c.output.map_base), 0x44332211U);
    EXPECT_EQ(write(2, 9, 0xbbaa), lane_status::ok) << "E11: bytes 8 and 9, AA at 8";
    EXPECT_EQ(bench().peek(c.output.map_base + 8), 0x0000bbaaU);
    EXPECT_EQ(write(1, 127, 0x77), lane_status::ok);
    const auto before = image();
    EXPECT_EQ(write(4, 2, 1), lane_status::out_of_range) << "E11: would start at -1";
    EXPECT_EQ(write(2, 0, 1), lane_status::out_of_range);
    EXPECT_EQ(write(4, 128, 1), lane_status::out_of_range);
    EXPECT_EQ(write(1, 128, 1), lane_status::out_of_range);
    EXPECT_EQ(image(), before);
}

TEST_P(regions, ISBE_07_the_other_byte_order)
{
    config() = alternative_isbe();
    const context c = bind(make_context(stage::mesh, two, two));
    const auto write = [&](region where, unsigned bytes, word address, word value) {
        warp_op op = make_isbewr(where, bytes, all_lanes_have(address), all_lanes_have(value));
        op.lanes = 1;
        run(op);
    };
    write(region::map, 4, 3, 0x44332211);
    EXPECT_EQ(bench().peek(c.output.map_base), 0x11223344U);
    write(region::map, 2, 5, 0xbbaa);
    EXPECT_EQ(bench().peek(c.output.map_base + 4), 0xaabbU);
    write(region::prim, 4, 0, 0x44332211);
    EXPECT_EQ(bench().peek(c.output.prim_base), 0x44332211U) << "the other regions have one order";
}

TEST_P(regions, ISBE_09_a_read_of_input_after_it_was_overwritten_is_flagged)
{
    context c = make_context(stage::mesh, two, two);
    c.output = c.input;
    c.shared_spaces = true;
    bench().bind(0, c);
    warp_op store = make_ast(0x6c, 1, 0x800);
    store.lanes = 0xffff;
    EXPECT_EQ(run(make_ald(0x6c, 1)).status, all_statuses(0));
    run(store);
    const auto flags = [&](const warp_result& r) {
        lane_mask mask = 0;
        for (unsigned lane = 0; lane < warp_lanes; ++lane)
            if (r.status[lane] == lane_status::overwritten) mask |= 1U << lane;
        return mask;
    };
    const warp_result r = run(make_ald(0x6c, 1));
    EXPECT_EQ(flags(r), 0xffffU);
    EXPECT_EQ(r.data[0][3], 0x803U) << "the data comes all the same";
    EXPECT_EQ(flags(run(make_isberd(space::input, region::attr, 4, counting(0, 4)))), 0xffffU);
    EXPECT_EQ(flags(run(make_ald(0x6c, 1, space::output))), 0U) << "own output";
    EXPECT_EQ(flags(run(make_ald(0x70, 1))), 0U) << "not overwritten";

    c.shared_spaces = false;
    bench().bind(1, c);
    warp_op other = make_ald(0x6c, 1);
    other.context = 1;
    EXPECT_EQ(flags(run(other)), 0U) << "spaces that are not shared";
    other = make_ast(0x6c, 1, 0x900);
    other.context = 1;
    other.lanes = 0xff;
    run(other);
    EXPECT_EQ(flags(run(make_ald(0x6c, 1))), 0xff00U) << "a write of anybody else clears it";
}

TEST_P(regions, ISBE_11_primitive_attributes_and_shared_lines_follow)
{
    // E10: 7 vertex attributes of 64 vertices, 2 primitive attributes of 126 primitives at 0x700, shared lines at
    // 0xb00. The mesh program writes raw words; ALD of the next stage computes the vertices' places itself.
    const attribute_set seven = ids({0x70, 0x74, 0x78, 0x7c, 0x80, 0x84, 0x88});
    context mesh = make_context(stage::mesh, {}, seven);
    const word base = mesh.output.attr_base;
    mesh.output.vertex_count = 64;
    mesh.output.attr_bytes = 0xb00 + 128;
    bench().bind(0, mesh);
    const auto write = [&](word offset, word value, bool skew) {
        warp_op op = make_isbewr(region::attr, 4, all_lanes_have(offset), all_lanes_have(value));
        op.skew = skew;
        op.lanes = 1;
        return run(op).status[0];
    };
    EXPECT_EQ(write(0x420, 0x11111111, true), lane_status::ok); // vertex 40, POSITION_Y
    EXPECT_EQ(write(0x6a0, 0x22222222, true), lane_status::ok); // vertex 40, GENERIC0.z
    EXPECT_EQ(write(0x6fc, 0x33333333, true), lane_status::ok); // vertex 63, GENERIC0.z: the last one

    context vertices = consumer(stage::geometry, mesh, seven);
    bench().bind(1, vertices);
    const auto loaded = [&](unsigned address, unsigned vertex) {
        warp_op op = make_ald(address, 1);
        op.context = 1;
        op.handle = all_lanes_have(vertex);
        return run(op).data[0][0];
    };
    EXPECT_EQ(loaded(0x74, 40), 0x11111111U);
    EXPECT_EQ(loaded(0x88, 40), 0x22222222U);
    EXPECT_EQ(loaded(0x88, 63), 0x33333333U);

    // PRIMITIVE_ID has rank 0 of the two: that of primitive p < 32 is at 0x700 + 4p. Lane i has primitive i / 4.
    for (unsigned p = 0; p < 8; ++p) EXPECT_EQ(write(0x700 + 4 * p, 0x500 + p, true), lane_status::ok);
    context primitives = make_context(stage::geometry, ids({0x60}), {});
    primitives.input.prim_base = base + 0x700;
    bench().bind(2, primitives);
    warp_op primitive_id = make_ald(0x60, 1);
    primitive_id.context = 2;
    const warp_result r = run(primitive_id);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) EXPECT_EQ(r.data[0][lane], 0x500 + lane / 4) << lane;

    // RT_ARRAY_INDEX (rank 1) of primitive 70 is at 0x998, the shared lines at 0xb00; nothing else changes.
    std::vector<std::uint8_t> expected = image();
    const auto put = [&](word address, word value) {
        for (unsigned i = 0; i < 4; ++i) expected[address + i] = static_cast<std::uint8_t>(value >> (8 * i));
    };
    put(output_base + 768 + 0x998, 0x44444444);
    put(output_base + 768 + 0xb00, 0x55555555);
    put(output_base + 768 + 0xb7c, 0x66666666);
    EXPECT_EQ(write(0x998, 0x44444444, true), lane_status::ok);
    EXPECT_EQ(write(0xb00, 0x55555555, false), lane_status::ok);
    EXPECT_EQ(write(0xb7c, 0x66666666, false), lane_status::ok);
    EXPECT_EQ(write(0xb80, 0x77777777, false), lane_status::out_of_range) << "one line is all there is";
    EXPECT_EQ(image(), expected);
}

TEST_P(regions, ISBE_12_SKEW_changes_nothing)
{
    const context c = bind(make_context(stage::mesh, two, two));
    for (const region_place& p : places(c)) {
        const bool reversed = p.which == region::map;
        for (const unsigned bytes : {1U, 2U, 4U}) {
            for (unsigned i = 0; i < p.bytes; i += 4) bench().poke(p.output + i, 0x30003 * (i + 1));
            for (const bool skew : {false, true}) {
                // Every write, including the plain access, stores other values than the previous write.
                const word first = skew ? 0x81828384 : 0x51525354;
                std::vector<std::uint8_t> expected = image();
                for (unsigned lane = 0; lane < 16; ++lane)
                    for (unsigned i = 0; i < bytes; ++i)
                        expected[p.output + 5 + 5 * lane + i] =
                            static_cast<std::uint8_t>((first + 0x01010101 * lane) >> (8 * i));
                warp_op write = make_isbewr(p.which, bytes, counting(5 + (reversed ? bytes - 1 : 0), 5),
                                            counting(first, 0x01010101));
                write.lanes = 0xffff;
                write.skew = skew;
                EXPECT_EQ(run(write).status, all_statuses(0));
                EXPECT_EQ(image(), expected) << bytes << ' ' << skew;

                warp_op read = make_isberd(space::output, p.which, bytes, counting(5, 5));
                read.lanes = 0xffff;
                read.skew = skew;
                const warp_result r = run(read);
                EXPECT_EQ(r.status, all_statuses(0));
                for (unsigned lane = 0; lane < 16; ++lane)
                    EXPECT_EQ(r.data[0][lane], (first + 0x01010101 * lane) & (0xffffffffU >> (32 - 8 * bytes))) << lane;
            }
        }
        warp_op outside = make_isberd(space::output, p.which, 4, all_lanes_have(p.bytes - 3));
        outside.skew = true;
        EXPECT_EQ(run(outside).status, all_statuses(lane_status::out_of_range));
    }
}

} // namespace
} // namespace isbesim::test
