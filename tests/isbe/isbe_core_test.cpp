// SPDX-License-Identifier: Apache-2.0
// Tests of the core beyond the conformance rows: errors, write winners byte by byte, counters, empty values.
#include <gtest/gtest.h>

#include "tests/isbe/core_bench.h"

namespace isbesim::test {
namespace {

TEST(isbe_core, an_error_touches_and_returns_nothing)
{
    core_bench bench;
    bench.bind(simple_context(stage::vertex, ids({0x70})));
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
    auto op = make_ald(0x70, 1);
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

        // Halfwords at 0, 1, 2, … : lanes b-1 and b claim byte b, and each lane keeps one byte, but the last lane
        // keeps two.
        auto bytes = raw(opcode::isbewr, region::attr, space::output, 2, 0);
        for (unsigned i = 0; i < 32; ++i) bytes.address[i] = i, bytes.data[0][i] = 0x8000U + i * 0x0101U;
        auto c = simple_context(stage::mesh, ids({0x70}));
        bench.bind(c);
        bench.run(bytes);
        // The halves of a straddling pair are in two components; the later component follows the earlier.
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

TEST(isbe_core, unset_values_are_empty)
{
    resolved_op resolved;
    EXPECT_FALSE(resolved.store || resolved.raw || resolved.track_shared);
    EXPECT_EQ(resolved.raw_size, 4U);
    for (const auto& access : resolved.component) EXPECT_EQ(access.lanes, 0U);
    EXPECT_EQ(resolved.lookup.inside, 0U);
    discard_counts discarded;
    EXPECT_EQ(discarded.bmap + discarded.out_of_range + discarded.gs_overflow + discarded.bad_register, 0U);
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
    for (const auto count :
         {counters.accesses, counters.passes, counters.ideal_passes, counters.bank_reads, counters.bank_writes,
          counters.crossbar_words, counters.map_lookups, counters.bytes_read, counters.bytes_written,
          counters.discarded_bmap, counters.discarded_out_of_range, counters.discarded_patch_conflict,
          counters.discarded_gs_overflow, counters.discarded_bad_register})
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

TEST(isbe_core, ISBEWR_writes_no_other_bytes)
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

} // namespace
} // namespace isbesim::test
