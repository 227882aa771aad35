// SPDX-License-Identifier: Apache-2.0
// Computes the new memory value of an atomic operation (PTX ISA: atom, red).
#include <cmath>

#include "models/isa/execution/half_bits.h"
#include "models/isa/execution/memory_access.h"
#include "tlm/float_bits.h"

namespace isbesim::isa {

namespace {

enum operation : unsigned { add, minimum, maximum, increment, decrement, bit_and, bit_or, bit_xor, exchange };
enum type : unsigned { u32, s32, u64, f32, f16x2, s64, f64 };

/// For integers of one width; `Compared` determines whether comparisons are signed.
template <typename Unsigned, typename Compared>
Unsigned integer_change(unsigned what, Unsigned here, Unsigned operand)
{
    const auto less = [](Unsigned a, Unsigned b) { return static_cast<Compared>(a) < static_cast<Compared>(b); };
    switch (what) {
    case add:
        return here + operand;
    case minimum:
        return less(operand, here) ? operand : here;
    case maximum:
        return less(here, operand) ? operand : here;
    case increment: // both wrap around at the operand, the highest value
        return here >= operand ? 0 : here + 1;
    case decrement:
        return here == 0 || here > operand ? operand : here - 1;
    case bit_and:
        return here & operand;
    case bit_or:
        return here | operand;
    case bit_xor:
        return here ^ operand;
    default:
        return operand;
    }
}

word add_floats(word a, word b)
{
    const word sum = to_bits(to_float(flush_denormal(a)) + to_float(flush_denormal(b)));
    return (sum & 0x7fffffffU) > 0x7f800000U ? canonical_nan : flush_denormal(sum);
}

/// Adds the lower halves; denormals stay (PTX: atom.add.noftz.f16x2).
word add_halves(word a, word b)
{
    return double_to_half(half_to_double(a & 0xffffU) + half_to_double(b & 0xffffU));
}

std::uint64_t add_doubles(std::uint64_t a, std::uint64_t b)
{
    const auto value = [](std::uint64_t bits) {
        return to_double(static_cast<word>(bits), static_cast<word>(bits >> 32));
    };
    const double sum = value(a) + value(b);
    return std::isnan(sum) ? 0x7fffffffffffffffU : to_bits(sum);
}

} // namespace

bool change_atomically(unsigned what, unsigned type, std::uint64_t operand, std::uint64_t& value)
{
    const auto here = static_cast<word>(value), other = static_cast<word>(operand);
    switch (type) {
    case u32:
        value = integer_change<word, word>(what, here, other);
        return true;
    case s32:
        value = integer_change<word, std::int32_t>(what, here, other);
        return what != increment && what != decrement;
    case u64:
        value = integer_change<std::uint64_t, std::uint64_t>(what, value, operand);
        return what != increment && what != decrement;
    case s64:
        value = integer_change<std::uint64_t, std::int64_t>(what, value, operand);
        return what != increment && what != decrement;
    case f32:
        if (what == add) value = add_floats(here, other);
        return what == add;
    case f64:
        if (what == add) value = add_doubles(value, operand);
        return what == add;
    default: // f16x2
        if (what == add) value = add_halves(here, other) | add_halves(here >> 16, other >> 16) << 16;
        return what == add;
    }
}

} // namespace isbesim::isa
