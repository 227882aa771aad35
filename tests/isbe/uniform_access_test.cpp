// SPDX-License-Identifier: Apache-2.0
// The operations of the usual kind (uniform_access.h) and their results, by a second implementation of the header:
// lane by lane, component by component, in numbers that never wrap. An operation that is wrongly treated as unusual
// gives the same result, only more slowly: only this test detects it.
#include "models/isbe/access/uniform_access.h"

#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "models/isbe/access/address_unit.h"
#include "models/isbe/functional/gs_state.h"
#include "tests/isbe/random_operation.h"

namespace isbesim::test {
namespace {

using number = std::int64_t;

struct usual_op {
    lane_mask lanes = 0;
    bool run = false;
    unsigned components = 0;
    lane_mask reachable = 0;
    word words[max_components][warp_lanes] = {}; ///< index, for lanes and reachable components
};

class reading {
public:
    reading(const warp_op& op, const context& slot, const isbe_config& config) : op_(op), slot_(slot), config_(config)
    {
    }

    /// Empty for an operation that is not of the usual kind.
    std::optional<usual_op> result()
    {
        if (op_.lanes == 0) return {};
        if (op_.op == opcode::isberd || op_.op == opcode::isbewr) return raw();
        if (op_.op != opcode::ald && op_.op != opcode::ast) return {};
        if (op_.form == address_form::phys || !one_address()) return {};
        return op_.form == address_form::patch ? patch() : logical();
    }

private:
    bool on(unsigned lane, lane_mask lanes) const { return (lanes >> lane & 1U) != 0; }
    number sum(unsigned lane) const { return number{static_cast<std::int32_t>(op_.address[lane])} + op_.immediate; }
    bool store() const { return op_.op == opcode::ast || op_.op == opcode::isbewr; }
    const space_layout& space() const
    {
        return op_.op == opcode::ast || op_.space == space::output ? slot_.output : slot_.input;
    }
    bool line_access() const { return config_.access == access_rule::line; }
    /// Moving all words by the same distance does not change the number of passes.
    bool any_distance() const { return !line_access() && config_.bank_map == bank_map::modulo; }
    bool whole_lines() const { return line_access() || config_.bank_map != bank_map::exclusive_or; }

    bool one_address() const
    {
        for (unsigned a = 0; a < warp_lanes; ++a)
            for (unsigned b = 0; b < warp_lanes; ++b)
                if (on(a, op_.lanes) && on(b, op_.lanes) && op_.address[a] != op_.address[b]) return false;
        return true;
    }
    unsigned lowest() const
    {
        unsigned lane = 0;
        while (!on(lane, op_.lanes)) ++lane;
        return lane;
    }
    number aligned(number address) const
    {
        const number unit = op_.size == 1 ? 4 : op_.size == 2 ? 8 : 16;
        return address / unit * unit;
    }

    /// The lane's vertex, or -1.
    number vertex(unsigned lane) const
    {
        const bool handles = !store() && (slot_.stage == stage::tess_init || slot_.stage == stage::tess ||
                                          slot_.stage == stage::geometry);
        const bool slots = store() && slot_.stage == stage::geometry && !slot_.fast_geometry;
        number v = handles ? op_.handle[lane] : lane;
        if (slots) {
            const auto vertex_slots = slots_of(op_.handle, slot_.geometry, config_.gs_slot_order, space().vertex_count);
            v = on(lane, vertex_slots.bad_state | vertex_slots.overflow) ? -1 : number{vertex_slots.vertex[lane]};
        }
        return v < space().vertex_count ? v : -1;
    }

    /// True if the lanes' values are consecutive, like their numbers.
    static bool consecutive(lane_mask lanes, const number (&value)[warp_lanes])
    {
        for (unsigned a = 0; a < warp_lanes; ++a)
            for (unsigned b = 0; b < warp_lanes; ++b)
                if ((lanes >> a & lanes >> b & 1U) != 0 && value[a] - a != value[b] - b) return false;
        return lanes != 0;
    }

    std::optional<usual_op> logical()
    {
        const auto address = sum(lowest());
        if (address < 0 || address > 0x3ff) return {};
        const auto id = static_cast<unsigned>(aligned(address) / 4);
        if (!store() && id == 24) return {}; // PRIMITIVE_ID has rules of its own
        if (!config_.skew && !any_distance()) return {};
        usual_op found;
        found.components = op_.size;
        number vertices[warp_lanes] = {};
        number highest = 0;
        bool one_line = true;
        number line = -1;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            vertices[lane] = vertex(lane);
            if (!on(lane, op_.lanes) || vertices[lane] < 0) continue;
            found.lanes |= 1U << lane;
            highest = std::max(highest, vertices[lane]);
            one_line = one_line && (line < 0 || line == vertices[lane] / 32);
            line = vertices[lane] / 32;
        }
        found.run = config_.skew && one_line && consecutive(found.lanes, vertices);
        if (!found.run && !whole_lines()) return {};
        const auto& s = space();
        const number n = s.allocated.count();
        for (unsigned c = 0; c < op_.size; ++c) {
            if (!s.allocated.contains(id + c) || !s.enabled.contains(id + c)) continue;
            const number rank = s.allocated.rank(id + c);
            const auto offset = [&](number v) {
                return config_.skew ? (v / 32 * n + rank) * 128 + v % 32 * 4 : (v * n + rank) * 4;
            };
            if (offset(highest) + 4 > s.attr_bytes) return {};
            found.reachable |= 1U << c;
            for (unsigned lane = 0; lane < warp_lanes; ++lane)
                if (on(lane, found.lanes))
                    found.words[c][lane] = static_cast<word>((s.attr_base + offset(vertices[lane])) / 4);
        }
        return found;
    }

    std::optional<usual_op> patch() const
    {
        if (!any_distance()) return {};
        const auto address = sum(lowest());
        const auto& s = space();
        if (address < 0 || aligned(address) + 4 * number{op_.size} > 4 * number{s.patch_words}) return {};
        usual_op found{op_.lanes, false, op_.size, (1U << op_.size) - 1U, {}};
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            if (!on(lane, op_.lanes)) continue;
            if (slot_.primitive[lane] >= s.patch_count) return {};
            for (unsigned c = 0; c < op_.size; ++c)
                found.words[c][lane] = static_cast<word>(
                    (s.patch_base + slot_.primitive[lane] * s.patch_words * 4 + aligned(address)) / 4 + c);
        }
        return found;
    }

    std::optional<usual_op> raw() const
    {
        if (op_.size != 4 || (store() && op_.region == region::map)) return {};
        const auto& s = op_.space == space::output ? slot_.output : slot_.input;
        const std::pair<number, number> regions[] = {{s.map_base, s.map_bytes},
                                                     {s.patch_base, number{4} * s.patch_words * s.patch_count},
                                                     {s.prim_base, s.prim_bytes},
                                                     {s.attr_base, s.attr_bytes},
                                                     {0, number{config_.lines} * 128}};
        const auto [base, bytes] = regions[static_cast<unsigned>(op_.region)];
        usual_op found{op_.lanes, false, 1, 1, {}};
        number fourths[warp_lanes] = {};
        bool inside = true, words = true, small = op_.immediate >= 0 && op_.immediate < 1 << 30;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            if (!on(lane, op_.lanes)) continue;
            const auto begin = sum(lane);
            inside = inside && begin >= 0 && begin + 4 <= bytes;
            words = words && (base + begin) % 4 == 0;
            small = small && op_.address[lane] < 1U << 30;
            found.words[0][lane] = static_cast<word>((base + begin) / 4);
            fourths[lane] = (base + begin) / 4;
        }
        if (!inside || !words) return {};
        found.run = consecutive(op_.lanes, fourths);
        // Scattered accesses with a negative immediate or negative addresses are left to the general path.
        if (!found.run && !small) return {};
        return found;
    }

    const warp_op& op_;
    const context& slot_;
    const isbe_config& config_;
};

struct seen_kinds {
    unsigned usual = 0, unusual = 0, run = 0, no_lane = 0, unreachable = 0, patches = 0;
};

/// Random operations, with additional neighbours and edges that are rare at random.
class operations {
public:
    operations(const isbe_config& config, unsigned seed) : random_(config, seed) {}
    context slot() { return unpack_context(random_.bind()); }
    warp_op next()
    {
        if (!random_.chance(80)) return random_.operation();
        auto op = random_.usual_operation();
        const bool raw = op.op == opcode::isberd || op.op == opcode::isbewr;
        if (op.op == opcode::ald && random_.chance(40)) { // consecutive vertices, in one line or in two
            const auto first = random_.number(100);
            for (unsigned i = 0; i < warp_lanes; ++i) op.handle[i] = first + i;
        }
        if (raw && random_.chance(20)) op.immediate = -4 * static_cast<std::int32_t>(random_.number(10));
        if (raw && random_.chance(20)) { // negative addresses with an immediate that lifts them
            op.immediate = 64;
            for (auto& address : op.address) address = 4 * random_.number(16) - 32;
        }
        return op;
    }

private:
    random_source random_;
};

/// The region of the operation.
word& region_bytes(const warp_op& op, context& slot)
{
    auto& s = op.op == opcode::ast || op.space == space::output ? slot.output : slot.input;
    const bool raw = op.op == opcode::isberd || op.op == opcode::isbewr;
    return !raw || op.region == region::attr ? s.attr_bytes : op.region == region::map ? s.map_bytes : s.prim_bytes;
}

void check(const warp_op& op, const context& slot, const isbe_config& config, pass_counter& passes, seen_kinds& seen)
{
    uniform_access access;
    const auto expected = reading(op, slot, config).result();
    ASSERT_EQ(access.resolve(op, slot, config, passes), expected.has_value());
    ++(expected ? seen.usual : seen.unusual);
    if (!expected) return;
    ASSERT_EQ(access.lanes, expected->lanes);
    ASSERT_EQ(access.components, expected->components);
    ASSERT_EQ(access.reachable, expected->reachable);
    unsigned served = 0;
    for (unsigned c = 0; c < max_components; ++c) served += expected->reachable >> c & 1U;
    ASSERT_EQ(access.served, expected->lanes == 0 ? 0 : served);
    ASSERT_EQ(access.store, op.op == opcode::ast || op.op == opcode::isbewr);
    seen.no_lane += expected->lanes == 0 ? 1U : 0U;
    if (expected->reachable == 0) {
        ++seen.unreachable;
        return;
    }
    ASSERT_EQ(access.run, expected->run);
    seen.run += access.run ? 1U : 0U;
    const auto words = access.words();
    for (unsigned c = 0; c < access.components; ++c) {
        if ((access.reachable >> c & 1U) == 0) continue;
        per_lane<word> index{};
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            if ((access.lanes >> lane & 1U) == 0) {
                ASSERT_TRUE(access.run || access.index[lane] == 0) << "lane " << lane;
                continue;
            }
            index[lane] = expected->words[c][lane];
            ASSERT_EQ(access.base[c] + words[lane], index[lane]) << "component " << c << ", lane " << lane;
        }
        const auto count = passes.count(access.lanes, index);
        ASSERT_EQ(access.count.passes, count.passes);
        ASSERT_EQ(access.count.words, count.words);
        ASSERT_EQ(access.count.shared, count.shared);
    }
}

/// The end of the bytes that the operation reaches, counted from the base of its region.
word reached(const warp_op& op, const context& slot, const usual_op& found)
{
    const auto& s = op.op == opcode::ast || op.space == space::output ? slot.output : slot.input;
    const bool raw = op.op == opcode::isberd || op.op == opcode::isbewr;
    const word base = !raw || op.region == region::attr ? s.attr_base
                      : op.region == region::map        ? s.map_base
                                                        : s.prim_base;
    word last = base / 4;
    for (unsigned c = 0; c < max_components; ++c)
        for (unsigned lane = 0; lane < warp_lanes; ++lane)
            if ((found.reachable >> c & found.lanes >> lane & 1U) != 0) last = std::max(last, found.words[c][lane] + 1);
    return last * 4 - base;
}

void compare(const isbe_config& config, unsigned seed, unsigned count, seen_kinds& seen)
{
    operations source(config, seed);
    pass_counter passes(config, std::size_t{config.lines} * 32);
    context slot;
    for (unsigned n = 0; n < count; ++n) {
        if (n % 40 == 0) slot = source.slot();
        const auto op = source.next();
        if (op.op == opcode::bind || address_unit::check(op, slot) != op_error::none) continue;
        SCOPED_TRACE("operation " + std::to_string(n) + " of seed " + std::to_string(seed));
        check(op, slot, config, passes, seen);
        const auto found = reading(op, slot, config).result();
        const bool has_bytes = op.form != address_form::patch && op.region != region::patch &&
                               op.region != region::physical && found && found->lanes != 0 && found->reachable != 0;
        // The region ends with the last byte that is reached, and one byte earlier.
        for (const word less : {0U, 1U}) {
            if (!has_bytes) break;
            auto tight = slot;
            region_bytes(op, tight) = reached(op, slot, *found) - less;
            check(op, tight, config, passes, seen);
        }
        // As many patches as lanes name, and one patch less.
        for (const word less : {0U, 1U}) {
            if (!found || !is_attribute(op.op) || op.form != address_form::patch) break;
            auto tight = slot;
            word highest = 0;
            for (unsigned lane = 0; lane < warp_lanes; ++lane)
                if ((op.lanes >> lane & 1U) != 0) highest = std::max<word>(highest, slot.primitive[lane]);
            (op.op == opcode::ast || op.space == space::output ? tight.output : tight.input).patch_count =
                highest + 1 - less;
            check(op, tight, config, passes, seen);
            ++seen.patches;
        }
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(uniform_access, the_usual_operations_and_no_others)
{
    seen_kinds seen;
    unsigned seed = 100;
    for (const auto rule : {access_rule::banked, access_rule::line})
        for (const auto map : {bank_map::modulo, bank_map::rotate, bank_map::exclusive_or})
            for (const bool skew : {true, false}) {
                isbe_config config;
                config.lines = 64 * (1 + seed % 4);
                config.access = rule;
                config.banks = 8U << seed % 3;
                config.skew = skew;
                config.bank_map = map;
                config.gs_slot_order = seed % 2 == 0 ? gs_slot_order::blocked : gs_slot_order::interleaved;
                compare(config, seed++, 1500, seen);
                if (HasFatalFailure()) return;
            }
    // The comparison is meaningful only if it met all kinds.
    EXPECT_GT(seen.usual, 2000U);
    EXPECT_GT(seen.unusual, 2000U);
    EXPECT_GT(seen.run, 400U);
    EXPECT_GT(seen.no_lane, 20U);
    EXPECT_GT(seen.unreachable, 200U);
    EXPECT_GT(seen.patches, 50U);
}

} // namespace
} // namespace isbesim::test
