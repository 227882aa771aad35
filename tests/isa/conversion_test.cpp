// SPDX-License-Identifier: Apache-2.0
// Conversions between integers of all types and floats, against exact integers of 128 bits and the host's rounding.
#include <cfenv>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/isa/conversion_lab.h"

namespace isbesim::isa {
namespace {

__extension__ using wide = __int128;

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
                const std::string of = std::string(".") + type.name + mode.name + " R4, " + source;
                const auto singles = converted("I2F.F32" + of, awkward, architecture::sm50);
                const auto doubles = converted("I2F.F64" + of, awkward, architecture::sm50);
                for (std::size_t k = 0; k < awkward.size(); ++k) {
                    wide exact = value_of(awkward[k], type);
                    if (sign == "|" && exact < 0) exact = -exact;
                    // Minus wraps around in the type, which becomes a signed one.
                    const integer_type as_signed = {type.name, type.bits, true};
                    if (sign == "-") exact = value_of(0 - static_cast<std::uint64_t>(exact), as_signed);
                    EXPECT_EQ(singles[k].low, to_bits(rounded<float>(exact, mode.host))) << of << awkward[k];
                    EXPECT_EQ(both(doubles[k]), to_bits(rounded<double>(exact, mode.host))) << of << awkward[k];
                }
            }
}

TEST(conversion, ISA_03_integers_to_integers)
{
    for (const auto& from : types)
        for (const auto& to : types)
            for (const bool saturating : {false, true}) {
                if (from.bits == 64 || to.bits == 64) continue; // below
                const std::string text =
                    std::string("I2I.") + to.name + "." + from.name + (saturating ? ".SAT" : "") + " R4, R0;";
                const auto results = converted(text, awkward, architecture::sm50);
                for (std::size_t k = 0; k < awkward.size(); ++k) {
                    const wide exact = value_of(awkward[k], from);
                    const wide nearest = std::min(std::max(exact, lowest(to)), highest(to));
                    // Cut off: the upper bits are 0. Saturated: the sign is extended.
                    const auto cut = static_cast<word>(exact) & static_cast<word>((wide{1} << to.bits) - 1);
                    EXPECT_EQ(results[k].low, saturating ? static_cast<word>(nearest) : cut) << text << awkward[k];
                }
            }
    EXPECT_EQ(both(converted("I2I.S64.S32 R4, R0;", 0x80000000U, architecture::sm50)), 0xffffffff80000000U);
    EXPECT_EQ(both(converted("I2I.U64.S32.SAT R4, R0;", 0x80000000U, architecture::sm50)), 0U);
    EXPECT_EQ(both(converted("I2I.S64.U64.SAT R4, R0;", ~std::uint64_t{0}, architecture::sm50)), 0x7fffffffffffffffU);
    EXPECT_EQ(converted("I2I.U32.S64.SAT R4, R0;", 0x100000000U, architecture::sm50).low, 0xffffffffU);
}

template <typename Float>
void expect_integers_of(const std::vector<Float>& numbers, const std::string& from)
{
    std::vector<std::uint64_t> bits;
    bits.reserve(numbers.size());
    for (const Float number : numbers) bits.push_back(to_bits(number));
    for (const auto& mode : modes)
        for (const auto& type : types) {
            const std::string text = std::string("F2I.") + type.name + "." + from + mode.integral + " R4, R0;";
            const auto results = converted(text, bits, architecture::sm50);
            for (std::size_t k = 0; k < numbers.size(); ++k) {
                std::fesetround(mode.host);
                const Float integral = std::nearbyint(numbers[k]);
                std::fesetround(FE_TONEAREST);
                const bool outside = !std::isfinite(integral) || std::fabs(integral) >= std::ldexp(Float{1}, 100);
                wide exact = outside ? (integral > 0 ? highest(type) : lowest(type)) : static_cast<wide>(integral);
                exact = std::min(std::max(exact, lowest(type)), highest(type));
                // Not a number is 0, but the lowest number of 64 bits on either side.
                if (std::isnan(integral)) exact = type.bits == 64 || from == "F64" ? wide{1} << (type.bits - 1) : 0;
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

} // namespace
} // namespace isbesim::isa
