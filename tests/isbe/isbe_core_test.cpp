// SPDX-License-Identifier: Apache-2.0
// Rules of the core that the worked examples leave open: errors, AL2P identity, write winners, shared spaces, raw
// accesses, counters. Expected values are closed forms of the layout or the tables of the micro-architecture page.
#include <random>

#include <gtest/gtest.h>

#include "models/attribute/attribute_map.h"
#include "tests/isbe/core_bench.h"

namespace isbesim::test {
namespace {

constexpr stage every_stage[] = {stage::vertex_a, stage::vertex, stage::tess_init, stage::tess,
                                 stage::geometry, stage::task,   stage::mesh};

op_error error_in(stage where, const warp_op& op)
{
    core_bench bench;
    bench.bind(simple_context(where, addresses({0x70})));
    return bench.run(op).error;
}

TEST(isbe_core, errors_by_stage)
{
    const auto combo = op_error::illegal_sph_instr_combo;
    const auto none = op_error::none;
    auto patch_load = ald(0);
    patch_load.form = address_form::patch;
    auto patch_output_load = patch_load;
    patch_output_load.space = space::output;
    auto patch_store = ast(0, 1, [](unsigned, unsigned) { return 1U; });
    patch_store.form = address_form::patch;
    for (const auto s : every_stage) {
        EXPECT_EQ(error_in(s, ald(0x70)), none);
        const bool reads_output = s != stage::geometry && s != stage::task && s != stage::mesh; // ALD-09
        EXPECT_EQ(error_in(s, ald(0x70, 1, space::output)), reads_output ? none : combo);
        auto physical_load = ald(0, 1, space::output);
        physical_load.form = address_form::phys;
        EXPECT_EQ(error_in(s, physical_load), reads_output ? none : combo);
        EXPECT_EQ(error_in(s, patch_load), s == stage::tess ? none : combo);
        EXPECT_EQ(error_in(s, patch_output_load), s == stage::tess_init ? none : combo);
        EXPECT_EQ(error_in(s, patch_store), s == stage::tess_init ? none : combo); // AST-08
        EXPECT_EQ(error_in(s, raw(opcode::isbewr, region::attr, space::input, 4, 0)), op_error::illegal_instr_encoding);
        auto vector = ald(0, 2);
        vector.form = address_form::phys;
        EXPECT_EQ(error_in(s, vector), op_error::illegal_instr_encoding); // ALD-17
    }
}

TEST(isbe_core, an_error_touches_and_returns_nothing)
{
    core_bench bench;
    bench.bind(simple_context(stage::vertex, addresses({0x70})));
    auto store = ast(0, 1, [](unsigned, unsigned) { return 1U; });
    store.form = address_form::patch;
    bench.run(store);
    EXPECT_EQ(bench.memory(0x12000), 0U);
    EXPECT_EQ(bench.result.passes, 1U);
    for (const auto s : bench.result.status) EXPECT_EQ(s, 0U);
    EXPECT_EQ(bench.core.counters().accesses, 0U);
}

TEST(isbe_core, unbound_and_missing_slots)
{
    isbe_config config;
    config.contexts = 4;
    core_bench bench(config);
    auto op = ald(0x70);
    EXPECT_EQ(bench.run(op).error, op_error::illegal_sph_instr_combo);
    op.context = 4;
    EXPECT_EQ(bench.run(op).error, op_error::illegal_sph_instr_combo);
    op.op = opcode::bind;
    EXPECT_EQ(bench.run(op).error, op_error::illegal_sph_instr_combo);
    // The physical region belongs to no context.
    auto write = on_lane(raw(opcode::isbewr, region::physical, space::output, 4, 0x40, 5), 0);
    write.context = 4;
    EXPECT_EQ(bench.run(write).error, op_error::none);
    EXPECT_EQ(bench.memory(0x40), 5U);
}

// ALD-16: translating an address and using the result is the same as using the address, on both sides of the space.
TEST(isbe_core, ALD_16_physical_load_of_a_translated_address_equals_the_logical_load)
{
    std::mt19937 random(5);
    for (const bool skew : {true, false})
        for (const auto which : {space::input, space::output}) {
            isbe_config config;
            config.skew = skew;
            core_bench bench(config);
            attribute_set set;
            for (unsigned id = 0; id < 240; ++id)
                if (random() % 3 == 0) set.insert(id);
            set.insert(24);
            auto c = simple_context(stage::tess, set, 32);
            c.output.attr_base = 0x8000;
            for (unsigned id = 0; id < 240; ++id)
                if (random() % 5 == 0) c.input.enabled.erase(id), c.output.enabled.erase(id);
            for (unsigned i = 0; i < 32; ++i) c.primitive[i] = static_cast<std::uint8_t>(i);
            bench.bind(c);
            for (word w = 0; w < bench.core.storage().words(); ++w)
                bench.core.storage().write(w, static_cast<word>(random()) | 1U, ~0U, false);

            for (std::int32_t x = -0x40; x < 0x440; ++x) {
                auto logical = ald(0, 1, which);
                logical.immediate = x;
                for (unsigned i = 0; i < 32; ++i) logical.handle[i] = 31 - i;
                auto translate = logical;
                translate.op = opcode::al2p;
                auto physical = logical;
                physical.form = address_form::phys;
                physical.immediate = 0;
                physical.address = bench.run(translate).data[0];
                const auto expected = bench.run(logical);
                const auto& got = bench.run(physical);
                ASSERT_EQ(got.data, expected.data) << x;
                ASSERT_EQ(got.status, expected.status) << x;
                ASSERT_EQ(got.passes, expected.passes) << x;
            }
        }
}

TEST(isbe_core, AL2P_02_size_only_aligns)
{
    core_bench bench;
    bench.bind(simple_context(stage::vertex, address_range(0x80, 0xa0)));
    for (unsigned size = 1; size <= 4; ++size) {
        auto op = ald(0x9c, size);
        op.op = opcode::al2p;
        const unsigned aligned = size == 1 ? 0x9c : size == 2 ? 0x98 : 0x90;
        EXPECT_EQ(bench.value(op), 0xa2010000U | aligned / 4 << 8 | (aligned - 0x80) / 4);
        EXPECT_EQ(bench.result.data[1][0], 0U);
    }
}

TEST(isbe_core, AL2P_03_foreign_values_are_reported_and_do_nothing)
{
    core_bench bench;
    bench.bind(simple_context(stage::vertex, addresses({0x70})));
    const word good = 0xa2050000U | 0x1cU << 8; // output, enabled, id of 0x70, rank 0
    auto store = ast(0, 1, [](unsigned, unsigned) { return 9U; });
    store.form = address_form::phys;
    for (const word bad : {0x70U, good ^ (1U << 18), good ^ (1U << 24), good | (1U << 20), good | 1U}) {
        store.address.fill(bad);
        EXPECT_EQ(bench.run(store).status[0], lane_status::not_al2p) << std::hex << bad;
        EXPECT_EQ(bench.memory(0x8000), 0U);
    }
    store.address.fill(good);
    EXPECT_EQ(bench.run(store).status[0], lane_status::ok);
    EXPECT_EQ(bench.memory(0x8000), 9U);
}

TEST(isbe_core, AST_09_one_winner_per_byte)
{
    for (const auto rule : {lane_winner::highest, lane_winner::lowest}) {
        isbe_config config;
        config.patch_winner = rule;
        core_bench bench(config);
        bench.bind(simple_context(stage::tess_init, {}));
        auto store = ast(0x20, 1, [](unsigned, unsigned i) { return 100 + i; });
        store.form = address_form::patch;
        bench.run(store);
        const unsigned winner = rule == lane_winner::highest ? 31 : 0;
        EXPECT_EQ(bench.memory(0x12020), 100 + winner);
        for (unsigned i = 0; i < 32; ++i)
            EXPECT_EQ(bench.result.status[i], i == winner ? lane_status::ok : lane_status::write_conflict);
        EXPECT_EQ(bench.result.passes, 1U);
        EXPECT_EQ(bench.core.counters().discarded_patch_conflict, 31U);
        EXPECT_EQ(bench.core.counters().bytes_written, 4U);

        // Halfwords at 0, 1, 2, … : byte b is claimed by lanes b-1 and b, and each lane keeps one byte but the last
        // two.
        auto bytes = raw(opcode::isbewr, region::attr, space::output, 2, 0);
        for (unsigned i = 0; i < 32; ++i) bytes.address[i] = i, bytes.data[0][i] = 0x8000U + i * 0x0101U;
        auto c = simple_context(stage::mesh, addresses({0x70}));
        bench.bind(c);
        bench.run(bytes);
        // Both halves of a straddling pair lie in two components; the later component follows the earlier.
        for (unsigned b = 0; b < 33; ++b) {
            const bool high_half_of_lower = b == 32 || (rule == lane_winner::lowest && b != 0);
            const bool component_one = b % 4 == 0 && b != 0; // lane b-1 reaches into this word with its component 1
            const unsigned from_low = b == 32 || !(high_half_of_lower || component_one) ? b : b - 1;
            const unsigned lane = b == 32 || component_one ? b - 1 : from_low;
            const unsigned half = lane == b ? 0 : 8;
            EXPECT_EQ(bench.byte(0x8000 + b), ((0x8000U + lane * 0x0101U) >> half) & 0xffU) << b;
        }
    }
}

TEST(isbe_core, ISBE_09_input_read_after_it_was_overwritten)
{
    core_bench bench;
    auto c = simple_context(stage::mesh, addresses({0x70, 0x74}), 32);
    c.shared_spaces = true;
    c.output = c.input;
    bench.bind(c);
    bench.run(on_lane(ast(0x70, 1, [](unsigned, unsigned) { return 1U; }), 4));
    bench.run(ald(0x70, 2));
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(bench.result.status[i], i == 4 ? lane_status::overwritten : 0);
    EXPECT_EQ(bench.value(raw(opcode::isberd, region::attr, space::input, 1, 4 * 4 + 3)), 0U);
    EXPECT_EQ(bench.result.status[0], lane_status::overwritten);
    bench.run(ald(0x70, 1, space::output));
    EXPECT_EQ(bench.result.status[4], lane_status::ok);
    // Any other write, here one byte of physical storage, makes the word input again.
    bench.run(on_lane(raw(opcode::isbewr, region::physical, space::output, 1, 4 * 4), 0));
    bench.run(ald(0x70));
    EXPECT_EQ(bench.result.status[4], lane_status::ok);
}

TEST(isbe_core, ISBE_02_ISBE_03_raw_bytes_of_every_size_and_place)
{
    core_bench bench;
    auto c = simple_context(stage::mesh, addresses({0x70, 0x74}), 32);
    bench.bind(c);
    for (unsigned b = 0; b < 256; ++b) {
        const auto value = static_cast<std::uint8_t>(b * 7 + 1);
        bench.core.storage().write_bytes(0x8000 + b, &value, 1);
    }
    for (const unsigned bytes : {1U, 2U, 4U})
        for (std::int32_t at = -5; at < 260; ++at) {
            const auto got = bench.value(raw(opcode::isberd, region::attr, space::output, bytes, at), 17);
            word expected = 0;
            const bool inside = at >= 0 && at + static_cast<std::int32_t>(bytes) <= 256;
            for (unsigned b = 0; inside && b < bytes; ++b)
                expected |= ((static_cast<word>(at) + b) * 7 + 1) % 256 << (8 * b);
            ASSERT_EQ(got, expected) << at;
            ASSERT_EQ(bench.result.status[17], inside ? 0 : lane_status::out_of_range);
            ASSERT_EQ(bench.result.data[1][17], 0U);
        }
    bench.run(on_lane(raw(opcode::isbewr, region::attr, space::output, 4, 253, 0xffffffff), 0));
    EXPECT_EQ(bench.result.status[0], lane_status::out_of_range);
    EXPECT_EQ(bench.byte(0x8000 + 253), (253 * 7 + 1) % 256);
    EXPECT_EQ(bench.core.counters().discarded_out_of_range, 1U);
}

// ISBE-05: the raw address of (attribute, vertex) is the formula of HARDWARE.md D.2, skewed or not.
TEST(isbe_core, ISBE_05_raw_and_attribute_accesses_see_one_array)
{
    for (const bool skew : {true, false}) {
        isbe_config config;
        config.skew = skew;
        core_bench bench(config);
        bench.bind(simple_context(stage::mesh, addresses({0x70, 0x80, 0x88}), 32));
        bench.run(ast(0x88, 1, [](unsigned, unsigned i) { return 900 + i; }));
        for (unsigned v = 0; v < 32; ++v) {
            const auto at = static_cast<std::int32_t>(skew ? 2 * 128 + 4 * v : 12 * v + 8);
            for (const bool as_skewed : {true, false}) {
                auto read = raw(opcode::isberd, region::attr, space::output, 4, at);
                read.skew = as_skewed;
                EXPECT_EQ(bench.value(read), 900 + v);
            }
        }
    }
}

TEST(isbe_core, inactive_lanes_and_unused_components_are_zero)
{
    core_bench bench;
    bench.bind(simple_context(stage::vertex, address_range(0x80, 0x90), 32));
    for (word w = 0; w < 128; ++w) bench.core.storage().write(w, ~0U, ~0U, false);
    auto load = ald(0x80, 3);
    load.lanes = 0x00f0f00fU;
    bench.run(load);
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned i = 0; i < 32; ++i)
            EXPECT_EQ(bench.result.data[c][i], c < 3 && ((load.lanes >> i) & 1U) != 0 ? ~0U : 0U);
    EXPECT_EQ(bench.core.counters().bytes_read, 3U * 12 * 4);
}

TEST(isbe_core, discards_are_counted_by_reason)
{
    core_bench bench;
    auto c = simple_context(stage::vertex, addresses({0x80, 0x84}), 20);
    c.output.enabled = addresses({0x80});
    bench.bind(c);
    bench.run(ast(0x80, 4, [](unsigned, unsigned) { return 1U; }));
    EXPECT_EQ(bench.core.counters().discarded_bmap, 3U * 20);
    EXPECT_EQ(bench.core.counters().discarded_out_of_range, 4U * 12); // lanes without a vertex
    auto beyond = ast(0x400, 2, [](unsigned, unsigned) { return 1U; });
    bench.run(beyond);
    EXPECT_EQ(bench.core.counters().discarded_out_of_range, 4U * 12 + 2 * 32);
}

TEST(isbe_core, sums_of_address_and_immediate_do_not_wrap)
{
    core_bench bench;
    bench.bind(simple_context(stage::vertex, addresses({0x00, 0x70, 0x3bc})));
    auto op = ald(0);
    for (const auto& [register_value, immediate] :
         {std::pair<word, std::int32_t>{0x7fffffffU, 0x7fffffff}, {0x80000000U, -0x7fffffff}, {0xfffffffcU, 0}}) {
        op.address.fill(register_value);
        op.immediate = immediate;
        bench.run(op);
        EXPECT_EQ(bench.result.status[0], lane_status::out_of_range);
    }
    op.address.fill(0xffffff90U); // -0x70 + 0xe0
    op.immediate = 0xe0;
    EXPECT_EQ(bench.run(op).status[0], lane_status::ok);
}

TEST(isbe_core, values_that_nobody_has_set_are_empty)
{
    resolved_op resolved;
    EXPECT_FALSE(resolved.store || resolved.raw || resolved.track_shared);
    EXPECT_EQ(resolved.raw_size, 4U);
    for (const auto& access : resolved.component) EXPECT_EQ(access.lanes, 0U);
    EXPECT_EQ(resolved.lookup.inside, 0U);
    discard_counts discarded;
    EXPECT_EQ(discarded.bmap + discarded.out_of_range + discarded.gs_overflow, 0U);
    status_masks status;
    warp_result result{};
    status.store(result);
    for (const auto bits : result.status) EXPECT_EQ(bits, 0U);
    uniform_access uniform;
    EXPECT_EQ(uniform.components + uniform.first_id + uniform.lanes + uniform.reachable + uniform.served +
                  uniform.first + uniform.count.passes,
              0U);
    executed_op executed;
    EXPECT_EQ(executed.overwritten_lanes, 0U);
    isbe_counters counters;
    for (const auto count : counters.operations) EXPECT_EQ(count, 0U);
    for (const auto count : {counters.accesses, counters.passes, counters.ideal_passes, counters.bank_reads,
                             counters.bank_writes, counters.crossbar_words, counters.map_lookups, counters.bytes_read,
                             counters.bytes_written, counters.discarded_bmap, counters.discarded_out_of_range,
                             counters.discarded_patch_conflict, counters.discarded_gs_overflow})
        EXPECT_EQ(count, 0U);
}

TEST(isbe_core, a_size_beyond_four_bytes_is_four)
{
    core_bench bench;
    warp_op op;
    op.op = opcode::isberd;
    op.region = region::physical;
    op.lanes = 1;
    bench.core.storage().write(0, 0x44332211U, ~0U, false);
    bench.core.storage().write(1, 0x88776655U, ~0U, false);
    op.address[0] = 1;
    for (const auto size : {4, 5, 255}) {
        op.size = static_cast<std::uint8_t>(size);
        warp_result result;
        bench.core.execute(op, result);
        EXPECT_EQ(result.data[0][0], 0x55443322U) << size;
    }
}

TEST(isbe_core, what_ISBEWR_writes_has_no_other_bytes)
{
    const address_unit unit{isbe_config{}};
    resolved_op resolved;
    warp_result result{};
    warp_op op;
    op.op = opcode::isbewr;
    op.space = space::output;
    op.region = region::physical;
    op.lanes = 1;
    op.data[0][0] = 0x44332211U;
    op.address[0] = 3;
    const auto written = [&](unsigned size, unsigned part) {
        op.size = static_cast<std::uint8_t>(size);
        unit.resolve(op, context{}, resolved, result);
        return resolved.written[part].data[0];
    };
    EXPECT_EQ(written(1, 0), 0x11000000U);
    EXPECT_EQ(written(2, 1), 0x22U);
    EXPECT_EQ(written(4, 1), 0x443322U);
    op.address[0] = 0;
    EXPECT_EQ(written(1, 0), 0x11U);
    EXPECT_EQ(written(2, 0), 0x2211U);
}

TEST(isbe_core, each_slot_has_its_own_context)
{
    core_bench bench;
    for (unsigned slot = 0; slot < 2; ++slot) {
        auto c = simple_context(slot == 0 ? stage::vertex : stage::tess, addresses({0x70}));
        warp_op op;
        op.op = opcode::bind;
        op.context = static_cast<std::uint16_t>(slot);
        pack_context(c, op);
        warp_result result;
        bench.core.execute(op, result);
    }
    EXPECT_EQ(bench.core.context_at(0).stage, stage::vertex);
    EXPECT_EQ(bench.core.context_at(1).stage, stage::tess);
}

} // namespace
} // namespace isbesim::test
