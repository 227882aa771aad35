// SPDX-License-Identifier: Apache-2.0
// Double precision in register pairs. Compiled with -frounding-math.
#include <cmath>

#include "models/isa/execution/register_lanes.h"
#include "models/isa/execution/rounding.h"
#include "tlm/float_bits.h"

namespace isbesim::isa::run {

namespace {

using doubles = per_lane<double>;

doubles double_source(const machine& m, slot where)
{
    const operand& source = m.now.at(where);
    const bool immediate = source.kind == operand::source::immediate;
    operand aligned = source;
    if (source.kind == operand::source::constant) aligned.value &= ~7U; // the low bits of a double's offset are dropped
    const words low = immediate ? words{} : raw(m, aligned);
    const words high = raw(m, aligned, 1);
    doubles value;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        value[i] = to_double(low[i], high[i]);
        if (source.absolute) value[i] = std::fabs(value[i]);
        if (source.negate) value[i] = -value[i];
    }
    return value;
}

void finish(machine& m, const doubles& value)
{
    words low, high;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const std::uint64_t bits = std::isnan(value[i]) ? 0x7fffffffffffffffULL : to_bits(value[i]);
        low[i] = static_cast<word>(bits);
        high[i] = static_cast<word>(bits >> 32);
    }
    write_pair(m, low, high);
    set_codes(m, high);
}

template <typename Function>
void compute(machine& m, Function f)
{
    doubles value;
    {
        const rounding_scope rounding(modifier(m, mod::round));
        for (unsigned i = 0; i < warp_lanes; ++i) value[i] = f(i);
    }
    finish(m, value);
}

lane_mask double_compare(const machine& m)
{
    const doubles a = double_source(m, slot::a), b = double_source(m, slot::b);
    const unsigned code = modifier(m, mod::compare);
    return where_lanes(
        [&](unsigned i) { return compare(code, a[i]<b[i], a[i] == b[i], a[i]> b[i], std::isunordered(a[i], b[i])); });
}

} // namespace

void dadd(machine& m)
{
    const doubles a = double_source(m, slot::a), b = double_source(m, slot::b);
    compute(m, [&](unsigned i) { return a[i] + b[i]; });
}

void dmul(machine& m)
{
    const doubles a = double_source(m, slot::a), b = double_source(m, slot::b);
    compute(m, [&](unsigned i) { return a[i] * b[i]; });
}

void dfma(machine& m)
{
    const doubles a = double_source(m, slot::a), b = double_source(m, slot::b), c = double_source(m, slot::c);
    compute(m, [&](unsigned i) { return std::fma(a[i], b[i], c[i]); });
}

void dmnmx(machine& m)
{
    const doubles a = double_source(m, slot::a), b = double_source(m, slot::b);
    const lane_mask minimum = read_predicate(m, slot::ps);
    doubles value;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const bool a_less = a[i] < b[i] || (a[i] == b[i] && std::signbit(a[i]));
        const bool take_a = std::isnan(b[i]) || (!std::isnan(a[i]) && a_less == (((minimum >> i) & 1U) != 0));
        value[i] = take_a ? a[i] : b[i];
    }
    finish(m, value);
}

void dset(machine& m)
{
    write_truth(m, with_condition(m, double_compare(m)));
}

void dsetp(machine& m)
{
    write_comparison(m, double_compare(m));
}

void dsetp_minmax(machine& m)
{
    refuse(m,
           "is a step of a minimum or maximum of doubles as the vendor's compiler makes them; no document says which "
           "two predicates it leaves");
}

} // namespace isbesim::isa::run
