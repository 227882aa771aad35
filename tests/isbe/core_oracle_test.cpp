// SPDX-License-Identifier: Apache-2.0
// isbe_core against the plain model of oracle.h, with random contexts and operations on configurations that together
// use every value of every functional parameter.
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/execution/isbe_core.h"
#include "testbench/crosscheck/oracle.h"
#include "tests/isbe/random_operation.h"

namespace isbesim::test {
namespace {

using testbench::oracle;

struct coverage {
    unsigned op[opcode_count] = {};
    unsigned status[9] = {};
    unsigned error = 0;
    unsigned most_passes = 0;
    unsigned uniform[opcode_count] = {};
    unsigned uniform_patch = 0;
    unsigned uniform_state = 0;
};

std::string difference(const warp_result& a, const warp_result& b)
{
    if (a.error != b.error) return "error";
    if (a.passes != b.passes) return "passes " + std::to_string(a.passes) + " " + std::to_string(b.passes);
    for (unsigned i = 0; i < warp_lanes; ++i) {
        if (a.status[i] != b.status[i])
            return "status of lane " + std::to_string(i) + ": " + std::to_string(a.status[i]) + " " +
                   std::to_string(b.status[i]);
        for (unsigned c = 0; c < max_components; ++c)
            if (a.data[c][i] != b.data[c][i])
                return "data of component " + std::to_string(c) + ", lane " + std::to_string(i);
    }
    return {};
}

/// Counters of which a footprint has one operation's share.
constexpr struct {
    const char* name;
    std::uint64_t isbe_counters::*all;
    std::uint32_t access_footprint::*one;
} counted[] = {
    {"passes", &isbe_counters::passes, &access_footprint::passes},
    {"ideal_passes", &isbe_counters::ideal_passes, &access_footprint::ideal_passes},
    {"bytes_read", &isbe_counters::bytes_read, &access_footprint::bytes_read},
    {"bytes_written", &isbe_counters::bytes_written, &access_footprint::bytes_written},
    {"bank_reads", &isbe_counters::bank_reads, &access_footprint::bank_reads},
    {"bank_writes", &isbe_counters::bank_writes, &access_footprint::bank_writes},
    {"crossbar_words", &isbe_counters::crossbar_words, &access_footprint::crossbar_words},
    {"map_lookups", &isbe_counters::map_lookups, &access_footprint::map_lookups},
    {"discarded_bmap", &isbe_counters::discarded_bmap, &access_footprint::discarded_bmap},
    {"discarded_out_of_range", &isbe_counters::discarded_out_of_range, &access_footprint::discarded_out_of_range},
    {"discarded_patch_conflict", &isbe_counters::discarded_patch_conflict, &access_footprint::discarded_patch_conflict},
    {"discarded_gs_overflow", &isbe_counters::discarded_gs_overflow, &access_footprint::discarded_gs_overflow},
    {"discarded_bad_register", &isbe_counters::discarded_bad_register, &access_footprint::discarded_bad_register},
};

std::string unequal(const char* name, std::uint64_t a, std::uint64_t b)
{
    return a == b ? "" : std::string(name) + " " + std::to_string(a) + " " + std::to_string(b) + "; ";
}

std::string difference(const isbe_counters& a, const isbe_counters& b)
{
    std::string found = unequal("accesses", a.accesses, b.accesses);
    for (unsigned op = 0; op < opcode_count; ++op) found += unequal("operations", a.operations[op], b.operations[op]);
    for (const auto& each : counted) found += unequal(each.name, a.*each.all, b.*each.all);
    return found;
}

/// Compares a footprint with the oracle's banks and the increments of its counters.
std::string difference(const access_footprint& got, const isbe_counters& before, const oracle& plain)
{
    std::string found;
    for (const auto& each : counted)
        found += unequal(each.name, got.*each.one, plain.counters.*each.all - before.*each.all);
    for (unsigned b = 0; b < warp_lanes; ++b)
        if (got.bank_words[b] != plain.bank_words[b] || got.bank_excess[b] != plain.bank_excess[b])
            found += "bank " + std::to_string(b) + "; ";
    return found;
}

void note(const warp_op& op, const warp_result& r, coverage& seen)
{
    if (r.error != op_error::none) {
        ++seen.error;
        return;
    }
    ++seen.op[static_cast<unsigned>(op.op)];
    for (const auto s : r.status)
        for (unsigned b = 0; b < 9; ++b) seen.status[b] += (s >> b) & 1U;
    seen.most_passes = std::max(seen.most_passes, unsigned{r.passes});
}

/// Counts operations of the usual kind; `op` is executed next.
void note_uniform(const warp_op& op, const isbe_core& core, coverage& seen)
{
    if (op.op == opcode::bind || op.context >= core.config().contexts) return;
    const context& slot = core.context_at(op.context);
    uniform_access access;
    pass_counter passes(core.config(), core.storage().words());
    if (address_unit::check(op, slot) != op_error::none || !access.resolve(op, slot, core.config(), passes)) return;
    ++seen.uniform[static_cast<unsigned>(op.op)];
    const bool attribute = is_attribute(op.op);
    seen.uniform_patch += attribute && op.form == address_form::patch ? 1U : 0U;
    seen.uniform_state += op.op == opcode::ast && slot.stage == stage::geometry && !slot.fast_geometry ? 1U : 0U;
}

void compare(const isbe_config& config, unsigned seed, unsigned operations)
{
    isbe_core core(config);
    oracle plain(config);
    random_source source(config, seed);
    std::uint64_t passes = 0;
    for (unsigned n = 0; n < operations; ++n) {
        const auto op = source.next(n);
        warp_result got;
        std::memset(static_cast<void*>(&got), 0x5a, sizeof got); // every field must be filled
        const isbe_counters before = plain.counters;
        const auto busy = core.counters().busy_banks;
        access_footprint footprint;
        const bool watched = n % 2 != 0; // the footprint must change nothing
        if (watched)
            core.execute(op, got, footprint);
        else
            core.execute(op, got);
        const auto expected = plain.execute(op);
        const auto described = [&] {
            return "operation " + std::to_string(n) + ", opcode " + std::to_string(int(op.op)) + ", form " +
                   std::to_string(int(op.form)) + ", region " + std::to_string(int(op.region)) + ", size " +
                   std::to_string(op.size);
        };
        ASSERT_EQ(difference(got, expected), "") << described();
        ASSERT_EQ(difference(core.counters(), plain.counters) +
                      (watched ? difference(footprint, before, plain) : std::string()),
                  "")
            << described();
        for (unsigned k = 0; k <= warp_lanes; ++k)
            ASSERT_EQ(core.counters().busy_banks[k] - busy[k],
                      watched ? plain.counters.busy_banks[k] - before.busy_banks[k] : 0)
                << k << " banks, operation " << n;
        passes += got.passes;
        if (n % 64 != 0 && n + 1 != operations) continue;
        ASSERT_EQ(std::memcmp(core.storage().data(), plain.memory.data(), plain.memory.size()), 0)
            << "by operation " << n;
        for (word w = 0; w < plain.flag.size(); ++w) ASSERT_EQ(core.storage().overwritten(w), plain.flag[w]);
    }
    EXPECT_LE(core.counters().ideal_passes, core.counters().passes);
    EXPECT_LE(core.counters().passes, passes);
}

/// Together they have every value of every functional parameter.
std::vector<isbe_config> machines()
{
    std::vector<isbe_config> all;
    unsigned seed = 1;
    for (const auto access : {access_rule::banked, access_rule::line})
        for (const unsigned banks : {8U, 16U, 32U})
            for (const auto map : {bank_map::modulo, bank_map::rotate, bank_map::exclusive_or})
                for (const bool skew : {true, false}) {
                    if (access == access_rule::line && map != bank_map::rotate) continue; // by line maps change nothing
                    isbe_config config;
                    config.lines = seed % 3 == 0 ? 8 : 64 * (1 + seed % 4);
                    config.access = access;
                    config.banks = banks;
                    config.skew = skew;
                    config.bank_map = map;
                    config.gs_slot_order = seed % 2 == 0 ? gs_slot_order::blocked : gs_slot_order::interleaved;
                    config.patch_winner = seed / 2 % 2 == 0 ? lane_winner::highest : lane_winner::lowest;
                    config.map_byte_swap = seed % 3 == 1;
                    config.attribute_default = (seed * 11) % 64;
                    config.position_w_default = seed % 5 == 0 ? 0x12345678U : 0x3f800000U;
                    config.contexts = seed % 4 == 0 ? 1 : 64;
                    all.push_back(config);
                    ++seed;
                }
    return all;
}

constexpr unsigned machine_count = 24;

class core_oracle : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(machine, core_oracle, testing::Range(0U, machine_count), testing::PrintToStringParamName());

TEST_P(core_oracle, ISBE_13_random_operations)
{
    compare(machines()[GetParam()], GetParam() + 1, 5000);
}

// The comparison is meaningful only if it covers every case.
TEST(core_oracle_operations, are_of_all_kinds)
{
    const auto all = machines();
    ASSERT_EQ(all.size(), machine_count);
    coverage seen;
    for (unsigned i = 0; i < machine_count; ++i) {
        isbe_core core(all[i]);
        random_source source(all[i], i + 1);
        for (unsigned n = 0; n < 5000; ++n) {
            const auto op = source.next(n);
            note_uniform(op, core, seen);
            warp_result result;
            core.execute(op, result);
            note(op, result, seen);
        }
    }
    for (unsigned o = 0; o < 6; ++o) EXPECT_GT(seen.op[o], 200U) << "opcode " << o;
    for (unsigned b = 0; b < 9; ++b) EXPECT_GT(seen.status[b], 50U) << "status bit " << b;
    EXPECT_GT(seen.error, 200U);
    EXPECT_GT(seen.most_passes, 60U);
    for (const auto o : {opcode::ald, opcode::ast, opcode::isberd, opcode::isbewr})
        EXPECT_GT(seen.uniform[static_cast<unsigned>(o)], 500U) << "opcode " << int(o);
    EXPECT_GT(seen.uniform_patch, 100U);
    EXPECT_GT(seen.uniform_state, 100U);
}

} // namespace
} // namespace isbesim::test
