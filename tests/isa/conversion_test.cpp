// SPDX-License-Identifier: Apache-2.0
// Conversions between integers of all types and floats, against exact integers of 128 bits and the host's rounding; of
// all 65536 halves, and to halves in all modes, against halves as multiples of 2^-24.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

__extension__ using wide = __int128;

struct conversion_mode {
    const char* name;     ///< of F2F, I2F
    const char* integral; ///< of F2I, FRND
    int host;
};
constexpr conversion_mode modes[] = {{"", "", FE_TONEAREST},
                                     {".RM", ".FLOOR", FE_DOWNWARD},
                                     {".RP", ".CEIL", FE_UPWARD},
                                     {".RZ", ".TRUNC", FE_TOWARDZERO}};

struct run_result {
    word low, high;
};

/// R4 and R5 after `text` with a number in R0 and R1, in a lane that takes part; R4 and R5 were all ones.
run_result converted(const std::string& text, std::uint64_t bits, architecture arch)
{
    lab bench(text, 0x00f0'0000U, 0, arch);
    bench.fill_pair(0, bits);
    bench.fill(4, {~0U, ~0U});
    bench.run();
    EXPECT_EQ(bench[4][0] & bench[5][0], ~0U);
    return {bench[4][22], bench[5][22]};
}

/// The same for many numbers, 32 at a time.
std::vector<run_result> converted(const std::string& text, const std::vector<std::uint64_t>& numbers, architecture arch)
{
    std::vector<run_result> results;
    while (results.size() < numbers.size()) {
        lab bench(text, arch);
        const std::size_t first = results.size(), count = std::min<std::size_t>(warp_lanes, numbers.size() - first);
        for (std::size_t i = 0; i < count; ++i) bench.set_pair(0, i, numbers[first + i]);
        bench.fill(4, {~0U, ~0U});
        bench.run();
        for (std::size_t i = 0; i < count; ++i) results.push_back({bench[4][i], bench[5][i]});
    }
    return results;
}

std::uint64_t both(run_result r)
{
    return std::uint64_t{r.high} << 32 | r.low;
}

struct integer_type {
    const char* name;
    unsigned bits;
    bool is_signed;
};
constexpr integer_type types[] = {{"U8", 8, false}, {"U16", 16, false}, {"U32", 32, false}, {"U64", 64, false},
                                  {"S8", 8, true},  {"S16", 16, true},  {"S32", 32, true},  {"S64", 64, true}};

/// The value of the lowest bits of a number of the type.
wide value_of(std::uint64_t bits, const integer_type& type)
{
    wide value = bits & (type.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << type.bits) - 1);
    if (type.is_signed && (bits >> (type.bits - 1) & 1U) != 0) value -= wide{1} << type.bits;
    return value;
}

wide lowest(const integer_type& type)
{
    return type.is_signed ? -(wide{1} << (type.bits - 1)) : 0;
}
wide highest(const integer_type& type)
{
    return (wide{1} << (type.is_signed ? type.bits - 1 : type.bits)) - 1;
}

const std::vector<std::uint64_t> awkward = {
    0x0000000000000000, 0x0000000000000001, 0x000000000000007f, 0x0000000000000080, 0x00000000000000ff,
    0x0000000000007fff, 0x0000000000008000, 0x0000000000008001, 0x0000000001000001, 0x000000007fffffff,
    0x0000000080000000, 0x0000000080000081, 0x00000000ffffffff, 0x0020000000000001, 0x4000000000000001,
    0x7fffffffffffffff, 0x8000000000000000, 0x8000008000000001, 0xc000000000000401, 0xfffffffffffffc01,
    0xffffffffffffffff};

/// `number` as the host rounds it straight to Float.
template <typename Float>
Float rounded(wide number, int mode)
{
    // A wide integer of 64 bits and a sign: through unsigned, so that the host rounds once.
    const bool negative = number < 0;
    volatile std::uint64_t magnitude = static_cast<std::uint64_t>(negative ? -number : number);
    // Rounding of a magnitude goes the other way for negative numbers.
    const int turned = negative && mode == FE_DOWNWARD ? FE_UPWARD : negative && mode == FE_UPWARD ? FE_DOWNWARD : mode;
    std::fesetround(turned);
    volatile Float result =
        static_cast<Float>(magnitude >> 63 == 0 ? static_cast<Float>(static_cast<std::int64_t>(magnitude))
                                                : static_cast<Float>(magnitude));
    std::fesetround(FE_TONEAREST);
    return negative ? -result : result;
}

TEST(conversion, ISA_03_every_integer_type_to_floats)
{
    for (const auto& type : types)
        for (const auto& mode : modes)
            for (const std::string sign : {"", "-", "|"}) {
                const std::string source = (sign == "|" ? "|R0|" : sign + "R0") + ";";
                const std::string suffix = std::string(".") + type.name + mode.name + " R4, " + source;
                const auto singles = converted("I2F.F32" + suffix, awkward, architecture::sm50);
                const auto doubles = converted("I2F.F64" + suffix, awkward, architecture::sm50);
                for (std::size_t k = 0; k < awkward.size(); ++k) {
                    wide exact = value_of(awkward[k], type);
                    if (sign == "|" && exact < 0) exact = -exact;
                    // Minus wraps around in the type, which becomes a signed one.
                    const integer_type as_signed = {type.name, type.bits, true};
                    if (sign == "-") exact = value_of(0 - static_cast<std::uint64_t>(exact), as_signed);
                    EXPECT_EQ(singles[k].low, to_bits(rounded<float>(exact, mode.host))) << suffix << awkward[k];
                    EXPECT_EQ(both(doubles[k]), to_bits(rounded<double>(exact, mode.host))) << suffix << awkward[k];
                }
            }
}

TEST(conversion, ISA_03_integers_to_integers)
{
    for (const auto& source : types)
        for (const auto& target : types)
            for (const bool saturating : {false, true}) {
                if (source.bits == 64 || target.bits == 64) continue; // below
                const std::string text =
                    std::string("I2I.") + target.name + "." + source.name + (saturating ? ".SAT" : "") + " R4, R0;";
                const auto results = converted(text, awkward, architecture::sm50);
                for (std::size_t k = 0; k < awkward.size(); ++k) {
                    const wide exact = value_of(awkward[k], source);
                    const wide nearest = std::min(std::max(exact, lowest(target)), highest(target));
                    // Cut off: the upper bits are 0. Saturated: the sign is extended.
                    const auto cut = static_cast<word>(exact) & static_cast<word>((wide{1} << target.bits) - 1);
                    EXPECT_EQ(results[k].low, saturating ? static_cast<word>(nearest) : cut) << text << awkward[k];
                }
            }
    EXPECT_EQ(both(converted("I2I.S64.S32 R4, R0;", 0x80000000U, architecture::sm50)), 0xffffffff80000000U);
    EXPECT_EQ(both(converted("I2I.U64.S32.SAT R4, R0;", 0x80000000U, architecture::sm50)), 0U);
    EXPECT_EQ(both(converted("I2I.S64.U64.SAT R4, R0;", ~std::uint64_t{0}, architecture::sm50)), 0x7fffffffffffffffU);
    EXPECT_EQ(converted("I2I.U32.S64.SAT R4, R0;", 0x100000000U, architecture::sm50).low, 0xffffffffU);
}

template <typename Float>
void expect_integers_of(const std::vector<Float>& numbers, const std::string& format)
{
    std::vector<std::uint64_t> bits;
    bits.reserve(numbers.size());
    for (const Float number : numbers) bits.push_back(to_bits(number));
    for (const auto& mode : modes)
        for (const auto& type : types) {
            const std::string text = std::string("F2I.") + type.name + "." + format + mode.integral + " R4, R0;";
            const auto results = converted(text, bits, architecture::sm50);
            for (std::size_t k = 0; k < numbers.size(); ++k) {
                std::fesetround(mode.host);
                const Float integral = std::nearbyint(numbers[k]);
                std::fesetround(FE_TONEAREST);
                const bool outside = !std::isfinite(integral) || std::fabs(integral) >= std::ldexp(Float{1}, 100);
                wide exact = outside ? (integral > 0 ? highest(type) : lowest(type)) : static_cast<wide>(integral);
                exact = std::min(std::max(exact, lowest(type)), highest(type));
                // Not a number is 0, but the lowest number of 64 bits on either side.
                if (std::isnan(integral)) exact = type.bits == 64 || format == "F64" ? wide{1} << (type.bits - 1) : 0;
                const auto expected = static_cast<std::uint64_t>(exact);
                EXPECT_EQ(results[k].low, static_cast<word>(expected)) << text << numbers[k];
                EXPECT_EQ(results[k].high, type.bits == 64 ? static_cast<word>(expected >> 32) : ~0U)
                    << text << numbers[k];
            }
        }
}

TEST(conversion, ISA_03_floats_to_every_integer_type)
{
    const std::vector<double> doubles = {
        0.0,    -0.0,    0.25,     -0.5,     0.5,          1.5,           -2.5,         127.5,       -128.75,
        255.5,  32767.5, -32769.0, 65535.75, 2147483647.5, -2147483649.0, 4294967295.5, 0x1p53 + 2,  -0x1p63,
        0x1p63, 0x1p64,  -0x1p64,  1e30,     -1e30,        HUGE_VAL,      -HUGE_VAL,    std::nan("")};
    expect_integers_of(doubles, "F64");
    std::vector<float> singles;
    singles.reserve(doubles.size());
    for (const double x : doubles) singles.push_back(static_cast<float>(x));
    expect_integers_of(singles, "F32");
}

TEST(conversion, ISA_03_registers_beside_the_result_and_the_source)
{
    // R5 keeps its ones where the result has one word; the next register is not part of the source.
    const auto high = [](const std::string& text) {
        return converted(text, 0xaabbccdd'3fc01234U, architecture::sm50).high;
    };
    for (const char* text : {"F2F.F32.F32 R4, R0;", "F2F.F16.F32 R4, R0;", "F2F.F32.F64 R4, R0;", "I2F.F32.S32 R4, R0;",
                             "I2I.S32.S8 R4, R0;", "F2I.S32.F32 R4, R0;"})
        EXPECT_EQ(high(text), ~0U) << text;
    const auto low = [](const std::string& text) {
        return converted(text, 0xffffffff'81828384U, architecture::sm50).low;
    };
    EXPECT_EQ(low("I2I.U32.U16 R4, R0.B3;"), 0x81U);
    EXPECT_EQ(low("I2I.U32.U32 R4, R0.B1;"), 0x818283U);
    EXPECT_EQ(low("I2F.F32.U16 R4, R0.H1;"), to_bits(static_cast<float>(0x8182)));
    // Numbers in the instruction: a double's is its upper word, an integer's its lower one.
    EXPECT_EQ(both(converted("F2F.F64.F64 R4, 2.5;", 0, architecture::sm50)), std::uint64_t{to_bits(2.5F)} << 32);
    EXPECT_EQ(converted("F2F.F32.F32 R4, 2.5;", 0, architecture::sm50).low, to_bits(2.5F));
    EXPECT_EQ(both(converted("I2F.F64.S64 R4, 0x5;", 0, architecture::sm50)), to_bits(5.0));
    EXPECT_EQ(both(converted("F2F.F64.F64 R4, RZ;", ~std::uint64_t{0}, architecture::sm50)), 0U);
}

TEST(conversion, ISA_03_rounding_to_integral_values_flushes)
{
    const auto integral = [](const std::string& how, float x) {
        return converted("FRND" + how + " R4, R0;", to_bits(x), architecture::sm75).low;
    };
    EXPECT_EQ(integral(".FTZ.CEIL", 0x1p-140F), 0U);
    EXPECT_EQ(integral(".CEIL", 0x1p-140F), to_bits(1.0F));
    EXPECT_EQ(integral(".FTZ.FLOOR", -0x1p-140F), to_bits(-0.0F));
    EXPECT_EQ(integral(".FLOOR", -0x1p-140F), to_bits(-1.0F));
    EXPECT_EQ(integral("", NAN), 0x7fffffffU);
}

double half_value(word half)
{
    if ((half & 0x7c00U) != 0x7c00U) {
        const double value = std::ldexp(static_cast<double>(std::abs(units(half))), -24);
        return (half & 0x8000U) != 0 ? -value : value;
    }
    if ((half & 0x3ffU) != 0) return std::nan("");
    return (half & 0x8000U) != 0 ? -HUGE_VAL : HUGE_VAL;
}

/// The half to which a mode rounds a number, found by search among all of them.
word half_of(double number, int mode)
{
    if (std::isnan(number)) return 0x7fffU;
    const word sign = std::signbit(number) ? 0x8000U : 0;
    const double magnitude = std::fabs(number);
    if (std::isinf(magnitude)) return sign | 0x7c00U;
    // 0x7c00 stands for 2^16 where it is a question of distance.
    const auto as_number = [](word half) { return half == 0x7c00U ? 65536.0 : half_value(half); };
    word low = 0, high = 0x7c00;
    if (magnitude >= 65536.0) {
        low = 0x7bff;
    } else {
        while (high - low > 1) {
            const word middle = (low + high) / 2;
            (as_number(middle) <= magnitude ? low : high) = middle;
        }
        if (as_number(low) == magnitude) return sign | low;
    }
    const bool away = (mode == FE_UPWARD && sign == 0) || (mode == FE_DOWNWARD && sign != 0);
    if (mode == FE_TONEAREST) {
        const double below = magnitude - as_number(low), above = as_number(low + 1) - magnitude;
        return sign | (below < above || (below == above && low % 2 == 0) ? low : low + 1);
    }
    return sign | (away ? low + 1 : low);
}

TEST(half_conversion, ISA_03_every_half_to_float_and_double)
{
    lab benches[] = {lab("F2F.F32.F16 R10, R0; F2F.F32.F16 R11, -|R1.H1|; F2F.F64.F16 R12, R0;"),
                     lab("F2F.F32.F16 R10, R0; F2F.F32.F16 R11, -|R1.H1|; F2F.F64.F16 R12, R0;", architecture::sm75)};
    for (word first = 0; first < 0x10000; first += 32)
        for (lab& bench : benches) {
            bench.warp.code = &bench.code;
            bench.warp.launch(bench.code, all_lanes, 0);
            for (unsigned i = 0; i < warp_lanes; ++i) {
                bench[0][i] = (first + i) | 0x55aa0000U;
                bench[1][i] = (first + i) << 16 | 0x1234U;
            }
            bench.run();
            for (unsigned i = 0; i < warp_lanes; ++i) {
                const double value = half_value(first + i);
                const auto single = [](double v) {
                    return std::isnan(v) ? 0x7fffffffU : to_bits(static_cast<float>(v));
                };
                const std::uint64_t whole = bench.pair(12, i);
                const bool right = bench[10][i] == single(value) && bench[11][i] == single(-std::fabs(value)) &&
                                   whole == (std::isnan(value) ? 0x7fffffffffffffffU : to_bits(value));
                ASSERT_TRUE(right) << std::hex << first + i;
            }
        }
}

TEST(half_conversion, ISA_03_floats_to_halves_in_every_mode)
{
    std::vector<float> numbers = {
        0.0F,         -0.0F,        65504.0F,     65519.0F, 65520.0F,   -65520.0F,  65536.0F,    70000.0F, -1e6F,
        INFINITY,     -INFINITY,    NAN,          0x1p-24F, 0x1p-25F,   -0x1p-25F,  0x1.8p-25F,  0x1p-26F, 0x1p-14F,
        0x1.ffcp-15F, 0x1.ffep-15F, 0x1.fffp-15F, 1.0F,     0x1.002p0F, 0x1.006p0F, -0x1.0021p0F};
    std::mt19937 random{11};
    for (unsigned k = 0; k < 400; ++k)
        numbers.push_back(
            std::ldexp(static_cast<float>(static_cast<int>(random())), static_cast<int>(random() % 44) - 58));
    std::vector<std::uint64_t> bits;
    bits.reserve(numbers.size());
    for (const float x : numbers) bits.push_back(to_bits(x));
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const auto& mode : modes)
            for (const bool ftz : {false, true}) {
                const std::string text = std::string("F2F") + (ftz ? ".FTZ" : "") + ".F16.F32" + mode.name + " R4, R0;";
                const auto results = converted(text, bits, arch);
                for (std::size_t k = 0; k < numbers.size(); ++k)
                    EXPECT_EQ(results[k].low, half_of(static_cast<double>(numbers[k]), mode.host))
                        << text << std::hexfloat << numbers[k];
            }
}

TEST(half_conversion, ISA_03_doubles_to_narrow_floats_round_once)
{
    // Just above the middle of two halves and of two floats: a rounding to float before would lose that.
    for (const auto& mode : modes) {
        const double near_half = 0x1.002p0 + 0x1p-40, near_float = 0x1.000001p0 + 0x1p-50;
        const std::string name = mode.name;
        for (const auto arch : {architecture::sm50, architecture::sm75}) {
            EXPECT_EQ(converted("F2F.F16.F64" + name + " R4, R0;", to_bits(near_half), arch).low,
                      half_of(near_half, mode.host));
            EXPECT_EQ(converted("F2F.F16.F64" + name + " R4, -R0;", to_bits(near_half), arch).low,
                      half_of(-near_half, mode.host));
            std::fesetround(mode.host);
            volatile double number = near_float;
            volatile float expected = static_cast<float>(number);
            std::fesetround(FE_TONEAREST);
            EXPECT_EQ(converted("F2F.F32.F64" + name + " R4, R0;", to_bits(near_float), arch).low, to_bits(expected));
        }
    }
    EXPECT_EQ(both(converted("F2F.F64.F64 R4, -R0;", to_bits(0.1), architecture::sm50)), to_bits(-0.1));
    EXPECT_EQ(both(converted("F2F.F64.F64.SAT R4, R0;", to_bits(7.5), architecture::sm50)), to_bits(1.0));
    EXPECT_EQ(both(converted("F2F.F64.F32 R4, R0;", 0x7fc00000U, architecture::sm50)), 0x7fffffffffffffffU);
    EXPECT_EQ(converted("F2F.F32.F64 R4, R0;", to_bits(0x1p-140), architecture::sm50).low, to_bits(0x1p-140F));
    EXPECT_EQ(converted("F2F.FTZ.F32.F64 R4, R0;", to_bits(0x1p-140), architecture::sm50).low, to_bits(0x1p-140F));
}

TEST(half_conversion, ISA_03_saturated_conversions)
{
    for (const float x : {-1.0F, -0.0F, 0.0F, 0.25F, 1.0F, 1.25F, NAN}) {
        const float expected = x > 0.0F ? std::fmin(x, 1.0F) : 0.0F;
        EXPECT_EQ(converted("F2F.F32.F32.SAT R4, R0;", to_bits(x), architecture::sm50).low, to_bits(expected)) << x;
        EXPECT_EQ(converted("F2F.F16.F32.SAT R4, R0;", to_bits(x), architecture::sm50).low,
                  half_of(static_cast<double>(expected), FE_TONEAREST))
            << x;
    }
}

TEST(half_conversion, ISA_03_integers_to_halves)
{
    for (const auto& mode : modes)
        for (const std::int64_t x : {0LL, 1LL, -2047LL, 2049LL, 2051LL, -4098LL, 65504LL, 65519LL, 65520LL, -70000LL,
                                     (1LL << 62) + 1, -(1LL << 62)})
            for (const auto arch : {architecture::sm50, architecture::sm75}) {
                const std::string type = x == static_cast<std::int32_t>(x) ? ".S32" : ".S64";
                const std::string text =
                    "I2F.F16" + (arch == architecture::sm75 && type == ".S32" ? "" : type) + mode.name + " R4, R0;";
                EXPECT_EQ(converted(text, static_cast<std::uint64_t>(x), arch).low,
                          half_of(static_cast<double>(x), mode.host))
                    << text << x;
            }
}

} // namespace
} // namespace isbesim::isa
