// SPDX-License-Identifier: Apache-2.0
// one_lane.h and the model agree on each lane, so that proofs about the one hold for the other.
#include "tests/proof/one_lane.h"

#include <string>

#include <gtest/gtest.h>

#include "models/attribute/layout.h"
#include "models/isbe/access/address_unit.h"
#include "models/isbe/functional/gs_state.h"
#include "tests/isbe/random_operation.h"

namespace isbesim::test {
namespace {

proof::lane_space<word> values_of(const space_layout& s)
{
    proof::lane_space<word> v;
    v.attr_base = s.attr_base, v.attr_bytes = s.attr_bytes, v.map_base = s.map_base, v.map_bytes = s.map_bytes;
    v.prim_base = s.prim_base, v.prim_bytes = s.prim_bytes, v.patch_base = s.patch_base;
    v.vertex_count = s.vertex_count, v.patch_words = s.patch_words, v.patch_count = s.patch_count;
    for (unsigned i = 0; i < attribute_set::words; ++i) {
        v.allocated[i] = s.allocated.bits(i);
        v.enabled[i] = s.enabled.bits(i);
    }
    return v;
}

proof::operation<word> values_of(const warp_op& op, const context& c, const isbe_config& config)
{
    using rules::code;
    proof::operation<word> o;
    o.op = code<word>(op.op), o.space = code<word>(op.space), o.region = code<word>(op.region);
    o.form = code<word>(op.form), o.type = code<word>(op.type), o.size = op.size;
    o.immediate = static_cast<word>(op.immediate);
    o.stage = code<word>(c.stage), o.fast = c.fast_geometry, o.shared = c.shared_spaces;
    o.maximum = c.geometry.max_vertices, o.threads = c.geometry.thread_count, o.stream_mask = c.geometry.stream_mask;
    o.input = values_of(c.input), o.output = values_of(c.output);
    o.skew = config.skew, o.blocked = config.gs_slot_order == gs_slot_order::blocked;
    o.attribute_default = config.attribute_default, o.position_w_default = config.position_w_default;
    o.map_byte_swap = config.map_byte_swap, o.storage_bytes = config.lines * line_bytes;
    return o;
}

proof::kind kind_of(const warp_op& op)
{
    if (op.op == opcode::al2p) return proof::kind::al2p;
    if (op.op == opcode::out) return proof::kind::out;
    if (is_raw(op.op)) return proof::kind::raw;
    return op.form == address_form::patch ? proof::kind::patch : proof::kind::attribute;
}

/// A lane of the model's answer in the words of one_lane.h; what it leaves open is as `expected` has it.
proof::outcome<word> model_lane(const resolved_op& resolved, const warp_result& result, unsigned lane,
                                const proof::outcome<word>& expected)
{
    proof::outcome<word> found = expected;
    for (unsigned c = 0; c < max_components; ++c) {
        const auto& access = resolved.component[c];
        found.access[c] = (access.lanes >> lane & 1U) != 0;
        if (found.access[c]) found.word[c] = access.index[lane];
        found.value[c] = result.data[c][lane];
        if (c < 2 && resolved.raw && resolved.store && found.access[c]) {
            found.mask[c] = resolved.written[c].mask[lane];
            found.written[c] = resolved.written[c].data[lane];
        }
    }
    if (resolved.raw && found.access[0]) found.first_byte = resolved.byte_offset[lane];
    found.status = result.status[lane];
    return found;
}

proof::outcome<word> model_token(const gs_step& step, unsigned lane, const proof::outcome<word>& expected)
{
    proof::outcome<word> found = expected;
    found.access[0] = (step.writes >> lane & 1U) != 0;
    if (found.access[0]) {
        const word shift = step.address[lane] % 4 * 8;
        found.word[0] = step.address[lane] / 4;
        found.mask[0] = 0xffU << shift;
        found.written[0] = step.token[lane] << shift;
    }
    found.value[0] = step.state[lane];
    found.status = (step.bad_state >> lane & 1U) != 0 ? lane_status::gs_state : 0;
    if ((step.overflow >> lane & 1U) != 0) found.status |= lane_status::gs_overflow;
    return found;
}

std::string text(const proof::outcome<word>& o)
{
    std::string all;
    for (unsigned c = 0; c < 4; ++c) {
        all += (o.access[c] ? " word " + std::to_string(o.word[c]) : " none") + " value " + std::to_string(o.value[c]);
        if (c < 2 && o.access[c]) all += " mask " + std::to_string(o.mask[c]) + " of " + std::to_string(o.written[c]);
    }
    return all + " byte " + std::to_string(o.first_byte) + " status " + std::to_string(o.status);
}

class one_lane : public ::testing::TestWithParam<unsigned> {
protected:
    /// Compares the active lanes of an operation without an error; how many there are.
    unsigned compare(const warp_op& op, const context& where, const isbe_config& config, const address_unit& unit)
    {
        const auto values = values_of(op, where, config);
        const auto shared = proof::shared_of(values);
        EXPECT_EQ(shared.error, static_cast<word>(address_unit::check(op, where)));
        if (shared.error != 0 || op.lanes == 0) return 0;
        resolved_op resolved;
        warp_result result;
        gs_step step;
        if (op.op == opcode::out)
            step_gs(op, where, config.gs_slot_order, step);
        else
            unit.resolve(op, where, resolved, result);
        if (op.op != opcode::out && op.op != opcode::al2p) {
            EXPECT_EQ(shared.tracks_overwritten, tracks_overwrites(op, where));
        }
        const auto& space = shared.output_space ? where.output : where.input;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            if ((op.lanes >> i & 1U) == 0) continue;
            proof::lane<word> lane;
            lane.number = i, lane.primitive = where.primitive[i];
            lane.address = op.address[i], lane.handle = op.handle[i], lane.data = op.data[0][i];
            lane.count = space.allocated.count();
            for (unsigned k = 0; k < attribute_set::words; ++k) lane.ranks[k] = space.allocated.rank_of_word(k);
            const auto named = proof::name_attribute(
                values, shared, proof::select_space(shared.output_space, values.output, values.input), lane);
            const auto expected = proof::one_lane(kind_of(op), values, shared, lane, named);
            const auto found =
                op.op == opcode::out ? model_token(step, i, expected) : model_lane(resolved, result, i, expected);
            EXPECT_EQ(text(found), text(expected)) << "opcode " << unsigned(op.op) << " lane " << i;
        }
        return lane_count(op.lanes);
    }
};

TEST_P(one_lane, matches_the_model)
{
    const unsigned seed = GetParam();
    isbe_config config;
    config.lines = 64;
    config.skew = seed % 2 == 0;
    config.gs_slot_order = seed % 4 < 2 ? gs_slot_order::interleaved : gs_slot_order::blocked;
    config.map_byte_swap = seed % 3 == 0;
    config.attribute_default = seed * 7 % 64;
    config.position_w_default = seed * 0x01010101U;
    random_source random(config, seed);
    const address_unit unit(config);
    unsigned lanes[opcode_count] = {};
    for (unsigned round = 0; round < 60 && !HasFailure(); ++round) {
        const context where = unpack_context(random.bind());
        for (unsigned n = 0; n < 20; ++n) {
            const warp_op op = random.operation();
            lanes[static_cast<unsigned>(op.op)] += compare(op, where, config, unit);
        }
    }
    for (unsigned i = 0; i < static_cast<unsigned>(opcode::bind); ++i) EXPECT_GT(lanes[i], 100U) << i;
}

INSTANTIATE_TEST_SUITE_P(seeds, one_lane, ::testing::Range(1U, 13U));

} // namespace
} // namespace isbesim::test
