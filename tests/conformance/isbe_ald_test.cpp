// SPDX-License-Identifier: Apache-2.0
// Rows ALD-*: the results of loads. Expected values: HARDWARE.md A.4, B.4, D.2 and worked examples E1, E2, E4, E8, E18.
#include <algorithm>
#include <iterator>
#include <tuple>
#include <vector>

#include "models/isbe/functional/names.h"
#include "tests/conformance/isbe_fixture.h"

namespace isbesim::test {
namespace {

class ald : public isbe_conformance {};
ISBESIM_ON_EVERY_BACK_END(ald);

word numbered(unsigned rank, unsigned vertex)
{
    return 1000 * (rank + 1) + vertex;
}

TEST_P(ald, ALD_01_four_sizes_load_1_to_4_consecutive_components)
{
    const context c = bind(make_context(stage::vertex, generic0, {}));
    fill(c.input, numbered);
    for (unsigned size = 1; size <= 4; ++size) {
        const warp_result r = run(make_ald(0x80, size));
        EXPECT_EQ(r.error, op_error::none);
        EXPECT_EQ(r.status, all_statuses(0));
        for (unsigned i = 0; i < 4; ++i)
            EXPECT_EQ(r.data[i], i < size ? counting(numbered(i, 0)) : per_lane<word>{}) << size << ' ' << i;
    }
}

TEST_P(ald, ALD_02_address_bits_below_the_size_are_dropped)
{
    const attribute_set set = ids({0x70, 0x74, 0x78, 0x7c, 0x90, 0x94, 0x98, 0x9c});
    const context c = bind(make_context(stage::vertex, set, {}));
    fill(c.input, numbered);
    const auto ranks = [&](unsigned address, unsigned size) {
        const warp_result r = run(make_ald(address, size));
        std::vector<unsigned> loaded;
        for (unsigned i = 0; i < size; ++i) loaded.push_back(r.data[i][5] / 1000 - 1);
        return loaded;
    };
    using list = std::vector<unsigned>;
    EXPECT_EQ(ranks(0x74, 2), (list{0, 1}));
    EXPECT_EQ(ranks(0x78, 4), (list{0, 1, 2, 3}));
    EXPECT_EQ(ranks(0x73, 1), (list{0}));
    EXPECT_EQ(ranks(0x9c, 3), (list{4, 5, 6}));
    EXPECT_EQ(ranks(0x7f, 2), (list{2, 3}));
    EXPECT_EQ(ranks(0x9d, 4), (list{4, 5, 6, 7}));
}

TEST_P(ald, ALD_03_each_component_defaults_alone)
{
    // E1: .x and .y are enabled, .z and .w are not.
    context c = make_context(stage::vertex, generic0, {});
    c.input.enabled = ids({0x80, 0x84});
    bench().bind(0, c);
    const word written[] = {0x41300000, 0x41b00000, 0x42040000, 0x42300000}; // 11, 22, 33, 44
    fill(c.input, [&](unsigned rank, unsigned) { return written[rank]; });
    const warp_result r = run(make_ald(0x80, 4));
    EXPECT_EQ(r.data[0], all_lanes_have(written[0]));
    EXPECT_EQ(r.data[1], all_lanes_have(written[1]));
    EXPECT_EQ(r.data[2], all_lanes_have(0));
    EXPECT_EQ(r.data[3], all_lanes_have(one));
    EXPECT_EQ(r.status, all_statuses(lane_status::defaulted));
}

TEST_P(ald, ALD_03_without_the_generic_bit_w_is_0)
{
    config() = alternative_isbe();
    context c = make_context(stage::vertex, generic0, {});
    c.input.enabled = ids({0x80, 0x84});
    bench().bind(0, c);
    EXPECT_EQ(run(make_ald(0x80, 4)).data[3], all_lanes_have(0));
}

/// Values of SET_ATTRIBUTE_DEFAULT (HARDWARE.md A.4): no bit, each of the bits 0 to 3, which have a meaning, the bits
/// without a meaning, the default, all bits.
constexpr unsigned default_bits[] = {0x00, 0x01, 0x02, 0x04, 0x08, 0x30, 0x0e, 0x3f};

/// The table of HARDWARE.md A.4: the components x, y, z, w of every vector from `first` to `last`, for each of
/// default_bits. 1 means 0x3f800000, p the value of position_w_default.
const struct {
    unsigned first, last;
    const char* vectors[std::size(default_bits)];
} default_table[] = {
    //              0x00    0x01    0x02    0x04    0x08    0x30    0x0e    0x3f
    {0x000, 0x06c, {"0000", "0000", "0000", "0000", "0000", "0000", "0000", "0000"}}, // system values, POINT_SIZE
    {0x070, 0x07c, {"000p", "000p", "000p", "000p", "000p", "000p", "000p", "000p"}}, // POSITION
    {0x080, 0x27c, {"0000", "0000", "0000", "0001", "0000", "0000", "0001", "0001"}}, // GENERIC
    {0x280, 0x28c, {"0001", "1111", "0001", "0001", "0001", "0001", "0001", "1111"}}, // front diffuse
    {0x290, 0x29c, {"0000", "0000", "0001", "0000", "0000", "0000", "0001", "0001"}}, // front specular
    {0x2a0, 0x2ac, {"0001", "1111", "0001", "0001", "0001", "0001", "0001", "1111"}}, // back diffuse
    {0x2b0, 0x2bc, {"0000", "0000", "0001", "0000", "0000", "0000", "0001", "0001"}}, // back specular
    {0x2c0, 0x2fc, {"0000", "0000", "0000", "0000", "0000", "0000", "0000", "0000"}}, // clip, point, fog, tess, ids
    {0x300, 0x39c, {"0000", "0000", "0000", "0000", "0001", "0000", "0001", "0001"}}, // FIXED_FNC_TEXTURE
    {0x3a0, 0x3fc, {"0000", "0000", "0000", "0000", "0000", "0000", "0000", "0000"}}, // masks, barycentrics, the rest
};

class ald_defaults : public testing::TestWithParam<std::tuple<std::string, unsigned, word>> {};
INSTANTIATE_TEST_SUITE_P(on, ald_defaults,
                         testing::Combine(testing::ValuesIn(back_ends()), testing::ValuesIn(default_bits),
                                          testing::Values(one, 0U, 0xc0490fdbU)));
// RTL exists with the defaults and, in the alternative machine, without any.
INSTANTIATE_TEST_SUITE_P(on_rtl, ald_defaults,
                         testing::Values(std::make_tuple("rtl", 0xeU, one), std::make_tuple("rtl", 0U, word{0})));

TEST_P(ald_defaults, ALD_04_default_of_every_address)
{
    const auto [back_end, bits, position_w] = GetParam();
    isbe_config config;
    config.attribute_default = bits;
    config.position_w_default = position_w;
    if (back_end == "rtl" && bits == 0) config = alternative_isbe();
    if (!can_build(back_end, config)) GTEST_SKIP() << "no RTL in this build";
    isbe_bench bench(back_end, config);
    bench.bind(0, make_context(stage::vertex, {}, {}));

    const auto column = std::find(std::begin(default_bits), std::end(default_bits), bits) - std::begin(default_bits);
    std::vector<word> expected;
    for (const auto& row : default_table) {
        ASSERT_EQ(row.first, 4 * expected.size()) << "the table has a gap";
        for (unsigned address = row.first; address <= row.last; address += 4) {
            const char value = row.vectors[column][address % 16 / 4];
            expected.push_back(value == '1' ? 0x3f800000U : value == 'p' ? position_w : 0U);
        }
    }
    ASSERT_EQ(expected.size(), 256U);
    for (unsigned address = 0; address < 0x400; address += 4 * warp_lanes) {
        warp_op op = make_ald(address, 1);
        op.address = counting(0, 4);
        const warp_result r = bench.run(op).result;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            SCOPED_TRACE(address + 4 * lane);
            expect_lane(r, lane, {expected[address / 4 + lane]}, lane_status::defaulted);
        }
    }
}

TEST_P(ald, ALD_05_below_0_and_from_0x400_on_loads_0)
{
    const context c = bind(make_context(stage::vertex, generic0, {}));
    fill(c.input, numbered);
    warp_op op = make_ald(0x7f, 1);
    op.address = all_lanes_have(1);           // 0x80
    op.address[1] = static_cast<word>(-0x80); // -1
    op.address[2] = 0x3ff - 0x7f;             // 0x3ff: the last valid address
    op.address[3] = 0x400 - 0x7f;             // the first invalid address
    op.address[4] = 0x7fffffff;               // the sum does not wrap around
    op.address[5] = 0x80000000;
    const warp_result r = run(op);
    EXPECT_EQ(r.data[0][0], numbered(0, 0));
    EXPECT_EQ(r.status[2], lane_status::defaulted);
    for (const unsigned lane : {1U, 3U, 4U, 5U}) expect_lane(r, lane, {0}, lane_status::out_of_range);
}

TEST_P(ald, ALD_06_enabled_and_written_by_the_previous_stage)
{
    const context vertex = bind(make_context(stage::vertex, {}, generic0));
    bench().bind(1, consumer(stage::geometry, vertex, generic0));
    run(make_ast(0x80, 4, 0x5000));
    warp_op load = make_ald(0x80, 4);
    load.context = 1;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) load.handle[lane] = 31 - lane;
    const warp_result r = run(load);
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(r.data[i], counting(0x5000 + 0x100 * i + 31, static_cast<word>(-1)));
}

TEST_P(ald, ALD_07_unwritten_attributes_keep_earlier_contents)
{
    const context c = bind(make_context(stage::vertex, generic0, {}));
    fill(c.input, [](unsigned rank, unsigned) { return 0xdead0000U + 0x20 + rank; });
    EXPECT_EQ(run(make_ald(0x88, 1)).data[0], all_lanes_have(0xdead0022));
    EXPECT_EQ(run(make_ald(0x88, 1)).status, all_statuses(0));
}

TEST_P(ald, ALD_08_O_returns_own_output_default_or_leftover)
{
    // E18: lane 3 stores 7.0 to 0x80, 0x84 is enabled but not written, 0x88 and 0x8c are not enabled.
    context c = bind(make_context(stage::tess_init, {}, ids({0x80, 0x84})));
    fill(c.output, [](unsigned, unsigned) { return 0xdeadbeefU; });
    warp_op store = make_ast(0x80, 1, 0);
    store.lanes = 1U << 3;
    store.data[0][3] = 0x40e00000;
    run(store);
    warp_op load = make_ald(0x80, 4, space::output);
    load.handle = all_lanes_have(3);
    const warp_result r = run(load);
    EXPECT_EQ(r.data[0][5], 0x40e00000U);
    EXPECT_EQ(r.data[1][5], 0xdeadbeefU);
    EXPECT_EQ(r.data[2][5], 0U);
    EXPECT_EQ(r.data[3][5], one);
    EXPECT_EQ(r.status[5], lane_status::defaulted);
}

TEST_P(ald, ALD_08_O_of_the_tessellation_coordinate)
{
    const context c = bind(make_context(stage::tess, {}, ids({0x2f0, 0x2f4})));
    fill(c.output, numbered);
    const warp_result r = run(make_ald(0x2f0, 2, space::output)); // handle = lane
    EXPECT_EQ(r.data[0], counting(numbered(0, 0)));
    EXPECT_EQ(r.data[1], counting(numbered(1, 0)));
}

TEST_P(ald, ALD_09_O_is_legal_in_VSa_VSb_TI_TS_and_an_error_in_GS_task_and_mesh)
{
    const struct {
        stage warp_stage;
        bool legal;
    } rows[] = {{stage::vertex_a, true},  {stage::vertex, true}, {stage::tess_init, true}, {stage::tess, true},
                {stage::geometry, false}, {stage::task, false},  {stage::mesh, false}};
    for (const auto& row : rows)
        for (const bool fast : {false, true}) {
            if (fast && row.warp_stage != stage::geometry) continue;
            context c = make_context(row.warp_stage, {}, generic0);
            c.fast_geometry = fast;
            bench().bind(0, c);
            fill(c.output, numbered);
            const auto before = image();
            const auto error = row.legal ? op_error::none : op_error::illegal_sph_instr_combo;
            warp_result r = run(make_ald(0x80, 4, space::output));
            EXPECT_EQ(r.error, error) << name_of(row.warp_stage);
            for (unsigned k = 0; k < 4; ++k)
                EXPECT_EQ(r.data[k], row.legal ? counting(numbered(k, 0)) : per_lane<word>{})
                    << name_of(row.warp_stage);
            EXPECT_EQ(r.status, all_statuses(0));

            warp_op physical = make_ald(0, 1, space::output);
            physical.form = address_form::phys;
            physical.address = run(make_al2p(0x88, space::output)).data[0];
            r = run(physical);
            EXPECT_EQ(r.error, error) << name_of(row.warp_stage);
            EXPECT_EQ(r.data[0], row.legal ? counting(numbered(2, 0)) : per_lane<word>{}) << name_of(row.warp_stage);
            EXPECT_EQ(image(), before);
        }
}

TEST_P(ald, ALD_09_the_input_space_is_read_in_every_stage)
{
    for (const stage warp_stage :
         {stage::vertex_a, stage::vertex, stage::tess_init, stage::tess, stage::geometry, stage::task, stage::mesh}) {
        const context c = bind(make_context(warp_stage, generic0, {}));
        fill(c.input, numbered);
        EXPECT_EQ(run(make_ald(0x84, 1)).error, op_error::none) << name_of(warp_stage);
        EXPECT_EQ(run(make_ald(0x84, 1)).data[0], counting(numbered(1, 0))) << name_of(warp_stage);
    }
}

TEST_P(ald, ALD_11_handles)
{
    // E4: vertex count 12.
    for (const stage warp_stage : {stage::tess_init, stage::tess, stage::geometry}) {
        context c = make_context(warp_stage, ids({0x70}), {});
        c.input.vertex_count = 12;
        bench().bind(0, c);
        fill(c.input, numbered);
        warp_op op = make_ald(0x70, 1);
        op.handle = all_lanes_have(3); // in range, another lane's vertex
        op.handle[0] = 12;
        op.handle[1] = 11;
        op.handle[2] = 0x80000000;
        const warp_result r = run(op);
        for (const unsigned lane : {0U, 2U}) expect_lane(r, lane, {0}, lane_status::handle_range);
        expect_lane(r, 1, {numbered(0, 11)});
        for (unsigned lane = 3; lane < warp_lanes; ++lane) expect_lane(r, lane, {numbered(0, 3)});
    }
}

TEST_P(ald, ALD_12_primitive_id_ignores_the_handle)
{
    context c = bind(make_context(stage::geometry, ids({0x60, 0x70}), {}));
    for (unsigned p = 0; p < 8; ++p) bench().poke(c.input.prim_base + 4 * p, 700 + p);
    warp_op op = make_ald(0x60, 1);
    op.handle = all_lanes_have(0x80000000);
    warp_result r = run(op);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) EXPECT_EQ(r.data[0][lane], 700 + lane / 4);
    EXPECT_EQ(r.status, all_statuses(0));

    c.input.enabled = ids({0x70});
    bench().bind(0, c);
    r = run(op);
    EXPECT_EQ(r.data[0], per_lane<word>{});
    EXPECT_EQ(r.status, all_statuses(lane_status::defaulted));

    // It takes no place: 0x70 has rank 0.
    c.input.allocated = ids({0x70});
    c.input.enabled = ids({0x60, 0x64, 0x70});
    bench().bind(0, c);
    fill(c.input, numbered);
    op.size = 4;
    r = run(op);
    EXPECT_EQ(r.data[0][31], 707U);
    EXPECT_EQ(r.status, all_statuses(lane_status::handle_range)) << "of the other components";
    op.handle = counting(0);
    expect_lane(run(op), 5, {701, 0}, lane_status::defaulted);
    op.size = 1;
    op.immediate = 0x70;
    expect_lane(run(op), 5, {numbered(0, 5)});
    const auto translated = run(make_al2p(0x60, space::input)).data[0];
    EXPECT_EQ(translated[0], 0xa2091800U);
    op.form = address_form::phys;
    op.immediate = 0;
    op.address = translated;
    EXPECT_EQ(run(op).data[0][9], 702U);
    op = make_ald(0x60, 1);
    op.handle = all_lanes_have(0x80000000);

    c.input.prim_bytes = 16; // primitives 0..3
    bench().bind(0, c);
    r = run(op);
    EXPECT_EQ(r.data[0][15], 703U);
    expect_lane(r, 16, {0}, lane_status::out_of_range);
}

// Micro-architecture section 4.2: the ids of VSb after a VSa that does not store them are two lines of PRIM.
TEST_P(ald, ALD_07_generated_ids_without_a_place_lie_in_PRIM)
{
    context c = make_context(stage::vertex, ids({0x70, 0x300}), ids({0x70}));
    for (unsigned lane = 0; lane < warp_lanes; ++lane) c.primitive[lane] = static_cast<std::uint8_t>(31 - lane);
    c.input.enabled = ids({0x70, 0x2f8, 0x2fc, 0x300});
    c.output.enabled = c.input.enabled;
    c.input.prim_base = c.output.attr_base + 0x1000;
    c.input.prim_bytes = 256;
    bench().bind(0, c);
    fill(c.input, numbered);
    for (unsigned i = 0; i < 64; ++i) bench().poke(c.input.prim_base + 4 * i, 1000 + i);
    const auto id = [](unsigned lane, bool vertex) { return 1000 + (31 - lane) + (vertex ? 32 : 0); };
    const auto quad = run(make_ald(0x2f0, 4));
    const auto pair = run(make_ald(0x2f8, 2));
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        expect_lane(quad, lane, {0, 0, id(lane, false), id(lane, true)}, lane_status::defaulted);
        expect_lane(pair, lane, {id(lane, false), id(lane, true)});
    }
    expect_lane(run(make_ald(0x2fc, 1)), 7, {id(7, true)});
    expect_lane(run(make_ald(0x300, 1)), 7, {numbered(1, 7)});
    expect_lane(run(make_ald(0x2fc, 1, space::output)), 7, {0}, lane_status::defaulted);

    const auto translated = run(make_al2p(0x2fc, space::input)).data[0];
    EXPECT_EQ(translated[0], 0xa209bf01U) << "generated, enabled, rank 1";
    EXPECT_EQ(run(make_al2p(0x2fc, space::output)).data[0][0], 0xa204bf01U);
    warp_op physical = make_ald(0, 1);
    physical.form = address_form::phys;
    physical.address = translated;
    expect_lane(run(physical), 7, {id(7, true)});

    c.input.prim_bytes = 128 + 4 * 31; // primitives 0..30
    bench().bind(0, c);
    expect_lane(run(make_ald(0x2f8, 2)), 0, {id(0, false), 0}, lane_status::out_of_range);

    c.input.allocated = c.input.enabled; // stored: ranks 1 and 2
    c.input.attr_bytes = 4 * 128;
    bench().bind(0, c);
    fill(c.input, numbered);
    expect_lane(run(make_ald(0x2f8, 2)), 7, {numbered(1, 7), numbered(2, 7)});
    EXPECT_EQ(run(make_al2p(0x2fc, space::input)).data[0][0], 0xa201bf02U);
}

TEST_P(ald, ALD_13_ALD_14_P_reads_the_patch_section_of_the_lane)
{
    // E3: R0 = 48, a[R0 - 16] is byte 0x20.
    context c = bind(make_context(stage::tess, {}, {}));
    for (unsigned p = 0; p < 8; ++p)
        for (unsigned i = 0; i < 16; ++i) bench().poke(c.input.patch_base + 64 * p + 4 * i, 100 * p + i);
    warp_op op = make_ald(0, 2);
    op.form = address_form::patch;
    op.immediate = -16;
    op.address = all_lanes_have(48);
    op.handle = all_lanes_have(0x80000000); // ignored
    op.address[1] = 8;                      // -8
    op.address[2] = 16 + 60;                // aligned down to 56: words 14, 15
    op.address[3] = 16 + 64;                // beyond the declared 16 words
    const warp_result r = run(op);
    for (unsigned lane = 4; lane < warp_lanes; ++lane)
        expect_lane(r, lane, {100 * (lane / 4) + 8, 100 * (lane / 4) + 9});
    expect_lane(r, 2, {14, 15});
    for (const unsigned lane : {1U, 3U}) expect_lane(r, lane, {0, 0}, lane_status::out_of_range);
}

TEST_P(ald, ALD_13_P_is_legal_for_input_in_TS_and_output_in_TI)
{
    for (const stage warp_stage :
         {stage::vertex_a, stage::vertex, stage::tess_init, stage::tess, stage::geometry, stage::mesh}) {
        bind(make_context(warp_stage, {}, {}));
        for (const space side : {space::input, space::output}) {
            warp_op op = make_ald(0, 1, side);
            op.form = address_form::patch;
            const bool legal = side == space::input ? warp_stage == stage::tess : warp_stage == stage::tess_init;
            EXPECT_EQ(run(op).error, legal ? op_error::none : op_error::illegal_sph_instr_combo);
        }
    }
}

TEST_P(ald, ALD_16_PHYS_of_AL2P_is_the_logical_load_for_every_address)
{
    context c = make_context(stage::vertex, ids({0x60, 0x70, 0x74, 0x80, 0x84, 0x88, 0x2c0, 0x3bc}),
                             ids({0x60, 0x80, 0x8c, 0x90}));
    c.input.enabled.erase(0x84 / 4); // allocated, not enabled
    c.output.enabled.erase(0x8c / 4);
    bench().bind(0, c);
    fill(c.input, numbered);
    fill(c.output, numbered);
    for (unsigned p = 0; p < 8; ++p) bench().poke(c.input.prim_base + 4 * p, 700 + p);
    for (const space which : {space::input, space::output}) {
        for (std::int32_t first = -64; first < 0x460; first += static_cast<std::int32_t>(warp_lanes)) {
            warp_op translate = make_al2p(first, which);
            translate.address = counting(0);
            warp_op logical = make_ald(0, 1, which);
            logical.immediate = first;
            logical.address = counting(0);
            warp_op physical = make_ald(0, 1, which);
            physical.form = address_form::phys;
            physical.immediate = 0;
            physical.address = run(translate).data[0];
            const warp_result expected = run(logical);
            const warp_result got = run(physical);
            ASSERT_EQ(got.data, expected.data) << first;
            ASSERT_EQ(got.status, expected.status) << first;
        }
    }
}

TEST_P(ald, ALD_17_PHYS_with_a_vector_is_an_illegal_encoding)
{
    bind(make_context(stage::vertex, generic0, {}));
    for (unsigned size = 1; size <= 4; ++size) {
        warp_op op = make_ald(0, size);
        op.form = address_form::phys;
        op.address = all_lanes_have(0xa2012000);
        EXPECT_EQ(run(op).error, size == 1 ? op_error::none : op_error::illegal_instr_encoding) << size;
    }
}

TEST_P(ald, ALD_18_lanes_that_are_off_read_nothing)
{
    const context c = bind(make_context(stage::geometry, generic0, {}));
    fill(c.input, numbered);
    warp_op op = make_ald(0x80, 2);
    op.lanes = 0x80000101;
    // The values of inactive lanes do not matter.
    op.handle = all_lanes_have(0xffffffff);
    op.address = all_lanes_have(0xffffffff);
    for (const unsigned lane : {0U, 8U, 31U}) {
        op.handle[lane] = lane;
        op.address[lane] = 0;
    }
    const warp_result r = run(op);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        const bool on = ((op.lanes >> lane) & 1U) != 0;
        expect_lane(r, lane, {on ? numbered(0, lane) : 0, on ? numbered(1, lane) : 0});
    }
}

} // namespace
} // namespace isbesim::test
