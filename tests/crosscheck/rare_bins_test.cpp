// SPDX-License-Identifier: Apache-2.0
// XC-02: what counts as noise, as an address beyond 32 bits, as a slot or state that only its upper bits tell.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "models/isbe/functional/gs_state.h"
#include "testbench/crosscheck/traffic/coverage.h"

namespace isbesim::testbench {
namespace {

std::set<std::string> hit_by(const warp_op& op, const context& slot = {}, const warp_result& result = {})
{
    coverage bins{isbe_config{}};
    bins.sample(0, slot, op, result, {}, 0);
    std::set<std::string> names;
    for (const auto& [name, hits] : bins.bins())
        if (hits != 0) names.insert(name);
    return names;
}

bool hits(const std::string& bin, const warp_op& op, const context& slot = {})
{
    return hit_by(op, slot).count(bin) != 0;
}

TEST(rare_bins, XC_02_noise_in_a_field_counts_only_where_the_field_is_ignored)
{
    warp_op op;
    op.region = region::physical;
    op.form = address_form::phys;
    EXPECT_TRUE(hits("ignored.ald.region", op));
    op.op = opcode::al2p;
    EXPECT_TRUE(hits("ignored.al2p.region", op));
    EXPECT_TRUE(hits("ignored.al2p.form", op));
    op.op = opcode::isberd;
    EXPECT_FALSE(hits("ignored.isberd.region", op));
    EXPECT_TRUE(hits("ignored.isberd.form", op));
    op.region = region::map;
    op.op = opcode::ald;
    EXPECT_FALSE(hits("ignored.ald.region", op));
}

TEST(rare_bins, XC_02_a_sum_beyond_32_bits)
{
    warp_op op;
    op.lanes = 1U << 3;
    op.immediate = 0x7fffffff;
    EXPECT_FALSE(hits("address.wraps.ald", op));
    op.address[4] = 1; // not active
    EXPECT_FALSE(hits("address.wraps.ald", op));
    op.address[3] = 1;
    EXPECT_TRUE(hits("address.wraps.ald", op));
    op.address[3] = ~word{0}; // -1
    EXPECT_FALSE(hits("address.wraps.ald", op));
    op.immediate = -0x7fffffff - 1;
    EXPECT_TRUE(hits("address.wraps.ald", op));
    op.form = address_form::phys; // no sum
    EXPECT_FALSE(hits("address.wraps.ald", op));
}

TEST(rare_bins, XC_02_slots)
{
    warp_op op;
    op.context = 63;
    EXPECT_TRUE(hits("slot.last", op));
    EXPECT_TRUE(hits("slot.unbound", op));
    op.context = 64 + 3;
    EXPECT_TRUE(hits("slot.upper_bits", op));
    EXPECT_FALSE(hits("slot.unbound", op));
    op.op = opcode::bind;
    EXPECT_TRUE(hits("slot.upper_bits.bind", op));
    op.context = 3;
    EXPECT_FALSE(hits("slot.unbound", op)); // from now on it is bound
}

TEST(rare_bins, XC_02_states_of_geometry_threads)
{
    context slot;
    slot.stage = stage::geometry;
    slot.geometry.max_vertices = 0x1000;
    slot.geometry.thread_count = 4;
    warp_op op;
    op.op = opcode::out;
    op.lanes = 1U << 2;
    const auto with = [&](word fields) {
        op.handle[2] = fields | rules::state_checksum(fields) << 24;
        return op;
    };
    const word started = rules::state_started;
    EXPECT_TRUE(hits("state.out.slot_of_12_bits", with(started | 0x800), slot));
    EXPECT_FALSE(hits("state.out.slot_of_12_bits", with(started | 0x7ff), slot));
    EXPECT_FALSE(hits("state.out.slot_beyond_maximum_with_its_checksum", with(started | 0x1000), slot));
    EXPECT_TRUE(hits("state.out.slot_beyond_maximum_with_its_checksum", with(started | 0x1001), slot));
    EXPECT_TRUE(hits("state.out.zero_bit_with_its_checksum", with(started | rules::state_zero), slot));
    op.handle[2] ^= 1U << 31; // not its checksum
    EXPECT_FALSE(hits("state.out.zero_bit_with_its_checksum", op, slot));
}

TEST(rare_bins, XC_02_descriptors)
{
    context slot;
    slot.stage = stage::vertex;
    slot.output.prim_bytes = 6;
    warp_op op;
    op.op = opcode::bind;
    pack_context(slot, op);
    auto names = hit_by(op);
    EXPECT_EQ(names.count("context.output.odd_bytes.prim"), 1U);
    EXPECT_EQ(names.count("context.input.odd_bytes.prim") + names.count("ignored.bind.ids_240_and_up"), 0U);
    op.data[0][31] |= 1U << 31; // id 255 of the allocated set
    EXPECT_EQ(hit_by(op).count("ignored.bind.ids_240_and_up"), 1U);
}

} // namespace
} // namespace isbesim::testbench
