// SPDX-License-Identifier: Apache-2.0
// Data exchange between the lanes of a warp. Compiled with -frounding-math for FSWZADD.
#include <algorithm>

#include "models/isa/execution/register_lanes.h"
#include "models/isa/execution/rounding.h"
#include "tlm/float_bits.h"

namespace isbesim::isa::run {

void vote(machine& m)
{
    enum function : unsigned { all, any };
    const lane_mask ballot = read_predicate(m, slot::ps) & m.lanes;
    const unsigned which = modifier(m, mod::function);
    const bool result = which == all   ? ballot == m.lanes
                        : which == any ? ballot != 0
                                       : ballot == 0 || ballot == m.lanes;
    write_result(m, broadcast(ballot));
    write_predicate(m, slot::pd, result ? all_lanes : 0);
}

void redux(machine& m)
{
    enum function : unsigned { all_bits, any_bits, odd_bits, sum, least, most };
    const words a = raw(m, m.now.at(slot::a));
    const unsigned which = modifier(m, mod::function);
    // Signed numbers are in the order of unsigned numbers with the sign bit inverted.
    const word flip = modifier(m, mod::is_signed) != 0 ? 0x8000'0000U : 0;
    const auto both = [&](word x, word y) -> word {
        switch (which) {
        case all_bits:
            return x & y;
        case any_bits:
            return x | y;
        case odd_bits:
            return x ^ y;
        case sum:
            return x + y;
        case least:
            return std::min(x ^ flip, y ^ flip) ^ flip;
        default:
            return std::max(x ^ flip, y ^ flip) ^ flip;
        }
    };
    lane_mask left = m.lanes & (m.lanes - 1);
    word result = a[static_cast<unsigned>(__builtin_ctz(m.lanes))];
    for (; left != 0; left &= left - 1) result = both(result, a[static_cast<unsigned>(__builtin_ctz(left))]);
    write_result(m, broadcast(result));
}

void shfl(machine& m)
{
    enum function : unsigned { idx, up, down };
    const unsigned which = modifier(m, mod::function);
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b)), c = raw(m, m.now.at(slot::c));
    words value;
    lane_mask inside = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        // c: limit in bits 4:0; bits 12:8 are the lane bits that name a segment. No lane reads outside of its segment.
        const int limit = static_cast<int>(c[i] & 31U), segment = static_cast<int>(c[i] >> 8 & 31U);
        const int lane = static_cast<int>(i), step = static_cast<int>(b[i] & 31U);
        const int first = lane & segment, last = first | (limit & ~segment);
        const int source = which == idx    ? first | (step & ~segment)
                           : which == up   ? lane - step
                           : which == down ? lane + step
                                           : lane ^ step;
        const bool in_range = which == up ? source >= last : source <= last;
        value[i] = a[in_range ? static_cast<unsigned>(source) & 31U : i];
        inside |= static_cast<lane_mask>(in_range ? 1U : 0U) << i;
    }
    write_result(m, value);
    write_predicate(m, slot::pd, inside);
}

namespace {

/// Participating lanes whose value equals that of lane i, in both words of a 64-bit value.
per_lane<lane_mask> equal_lanes(const machine& m)
{
    const operand& source = m.now.at(slot::a);
    const words low = raw(m, source), high = has(m, mod::size) ? raw(m, source, 1) : words{};
    per_lane<lane_mask> result;
    for (unsigned i = 0; i < warp_lanes; ++i)
        result[i] = m.lanes & where_lanes([&](unsigned k) { return low[k] == low[i] && high[k] == high[i]; });
    return result;
}

} // namespace

void match_any(machine& m)
{
    const auto equal = equal_lanes(m);
    write_result(m, map_lanes([&](unsigned i) { return equal[i]; }));
}

void match_all(machine& m)
{
    const bool alike = equal_lanes(m)[static_cast<unsigned>(__builtin_ctz(m.lanes))] == m.lanes;
    write_result(m, broadcast(alike ? m.lanes : 0));
    write_predicate(m, slot::pd, alike ? all_lanes : 0);
}

void fswzadd(machine& m)
{
    enum signs : unsigned { both_plus, second_minus, first_minus, first_zero };
    const bool flush = has(m, mod::flush);
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b));
    const unsigned pattern = m.now.at(slot::extra).value;
    words value;
    {
        const rounding_scope rounding(modifier(m, mod::round));
        value = map_lanes([&](unsigned i) {
            const unsigned how = pattern >> (6 - 2 * (i & 3U)) & 3U; // the first lane's signs are in the upper bits
            word x = a[i], y = b[i];
            if (flush) x = flush_denormal(x), y = flush_denormal(y);
            if (how == first_minus) x ^= 0x80000000U;
            if (how == second_minus) y ^= 0x80000000U;
            return to_bits((how == first_zero ? 0.0F : to_float(x)) + to_float(y));
        });
    }
    for (auto& v : value) {
        if ((v & 0x7fffffffU) > 0x7f800000U) v = canonical_nan;
        if (flush) v = flush_denormal(v);
    }
    write_with_codes(m, value);
}

} // namespace isbesim::isa::run
