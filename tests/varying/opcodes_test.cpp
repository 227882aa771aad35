// SPDX-License-Identifier: Apache-2.0
// Every lowered TGSI opcode with a result, by itself: the simulator and evaluate() are compared with formulas.
#include <algorithm>
#include <cmath>
#include <functional>

#include "models/isa/encoding/binary.h"
#include "models/varying/allocation/evaluation.h"
#include "models/varying/lowering/lowering.h"
#include "tests/varying/vertex_bench.h"
#include "tlm/float_bits.h"

namespace isbesim::varying {
namespace {

using vector4 = std::array<word, 4>;
struct operands {
    vector4 a, b, c;
};
using meaning = std::function<word(const operands&, unsigned component)>;

meaning on_floats(float (*formula)(float, float, float))
{
    return [=](const operands& in, unsigned i) {
        return to_bits(formula(to_float(in.a[i]), to_float(in.b[i]), to_float(in.c[i])));
    };
}

/// The word of a constant: its bank, register and component.
word constant_of(unsigned bank, unsigned number, unsigned component)
{
    return bank * 0x10000 + number * 0x10 + component;
}

isa::constant_banks all_constants()
{
    isa::constant_banks banks;
    for (unsigned bank = 0; bank < banks.size(); ++bank)
        for (unsigned number = 0; number < 16; ++number)
            for (unsigned c = 0; c < 4; ++c) banks[bank].push_back(constant_of(bank, number, c));
    return banks;
}

/// Adds up from the first component on; each step is rounded once.
word dot(const operands& in, unsigned count)
{
    float sum = to_float(in.a[0]) * to_float(in.b[0]);
    for (unsigned i = 1; i < count; ++i) sum = std::fma(to_float(in.a[i]), to_float(in.b[i]), sum);
    return to_bits(sum);
}

/// An integer as a word; values beyond the range become its ends.
word whole(double value, double low, double high)
{
    return static_cast<word>(static_cast<std::int64_t>(std::min(std::max(value, low), high)));
}
constexpr double int_low = -2147483648.0, int_high = 2147483647.0, uint_high = 4294967295.0;

float between_0_and_1(float value)
{
    return value > 0 ? std::min(value, 1.0F) : 0.0F;
}

enum class numbers { floats, integers };

struct opcode_row {
    const char* instruction;
    numbers in;
    meaning result;
};

const std::vector<opcode_row>& rows()
{
    using in = const operands&;
    static const auto f = numbers::floats;
    static const auto i = numbers::integers;
    static const std::vector<opcode_row> all{
        {"MOV TEMP[0], IN[0]", f, [](in o, unsigned n) { return o.a[n]; }},
        {"MOV TEMP[0], IN[0]\nMOV TEMP[0], TEMP[0].wzyx", f, [](in o, unsigned n) { return o.a[3 - n]; }},
        {"MOV TEMP[0], IN[0]\nMOV TEMP[0].xz, TEMP[0].zyxw", f,
         [](in o, unsigned n) { return o.a[n % 2 ? n : 2 - n]; }},
        {"NOP\nMOV TEMP[0], IN[0]", f, [](in o, unsigned n) { return o.a[n]; }},
        {"ADD TEMP[0], IN[0], IN[1]", f, on_floats([](float a, float b, float) { return a + b; })},
        {"ADD TEMP[0], -IN[0], |IN[1]|", f, on_floats([](float a, float b, float) { return -a + std::fabs(b); })},
        {"SUB TEMP[0], IN[0], IN[1]", f, on_floats([](float a, float b, float) { return a - b; })},
        {"MUL TEMP[0], IN[0], IN[1]", f, on_floats([](float a, float b, float) { return a * b; })},
        {"MAD TEMP[0], IN[0], IN[1], IN[2]", f, on_floats([](float a, float b, float c) { return std::fma(a, b, c); })},
        {"FMA TEMP[0], IN[0], IN[1], IN[2]", f, on_floats([](float a, float b, float c) { return std::fma(a, b, c); })},
        {"MIN TEMP[0], IN[0], IN[1]", f, on_floats([](float a, float b, float) { return b < a ? b : a; })},
        {"MAX TEMP[0], IN[0], IN[1]", f, on_floats([](float a, float b, float) { return a < b ? b : a; })},
        {"DP2 TEMP[0], IN[0], IN[1]", f, [](in o, unsigned) { return dot(o, 2); }},
        {"DP3 TEMP[0], IN[0], IN[1]", f, [](in o, unsigned) { return dot(o, 3); }},
        {"DP4 TEMP[0], IN[0], IN[1]", f, [](in o, unsigned) { return dot(o, 4); }},
        {"DP4_SAT TEMP[0], IN[0], IN[1]", f,
         [](in o, unsigned) { return to_bits(between_0_and_1(to_float(dot(o, 4)))); }},
        {"ARL TEMP[0], IN[0]", f,
         [](in o, unsigned n) { return whole(std::floor(to_float(o.a[n])), int_low, int_high); }},
        {"F2I TEMP[0], IN[0]", f,
         [](in o, unsigned n) { return whole(std::trunc(to_float(o.a[n])), int_low, int_high); }},
        {"F2U TEMP[0], IN[0]", f, [](in o, unsigned n) { return whole(std::trunc(to_float(o.a[n])), 0, uint_high); }},
        {"UARL TEMP[0], IN[0]", i, [](in o, unsigned n) { return o.a[n]; }},
        {"UADD TEMP[0], IN[0], IN[1]", i, [](in o, unsigned n) { return o.a[n] + o.b[n]; }},
        {"UADD TEMP[0], IN[0], -IN[1]", i, [](in o, unsigned n) { return o.a[n] - o.b[n]; }},
        {"UMUL TEMP[0], IN[0], IN[1]", i, [](in o, unsigned n) { return o.a[n] * o.b[n]; }},
        {"UMAD TEMP[0], IN[0], IN[1], IN[2]", i, [](in o, unsigned n) { return o.a[n] * o.b[n] + o.c[n]; }},
        {"AND TEMP[0], IN[0], IN[1]", i, [](in o, unsigned n) { return o.a[n] & o.b[n]; }},
        {"OR TEMP[0], IN[0], IN[1]", i, [](in o, unsigned n) { return o.a[n] | o.b[n]; }},
        {"XOR TEMP[0], IN[0], IN[1]", i, [](in o, unsigned n) { return o.a[n] ^ o.b[n]; }},
        {"SHL TEMP[0], IN[0], IN[1]", i, [](in o, unsigned n) { return o.a[n] << (o.b[n] % 32); }},
        {"INEG TEMP[0], IN[0]", i, [](in o, unsigned n) { return ~o.a[n] + 1; }},
        {"I2F TEMP[0], IN[0]", i,
         [](in o, unsigned n) { return to_bits(static_cast<float>(static_cast<std::int32_t>(o.a[n]))); }},
        {"U2F TEMP[0], IN[0]", i, [](in o, unsigned n) { return to_bits(static_cast<float>(o.a[n])); }},
        {"MOV TEMP[0], CONST[5].wzyx", i, [](in, unsigned n) { return constant_of(0, 5, 3 - n); }},
        {"MOV TEMP[0], CONST[3][2]", i, [](in, unsigned n) { return constant_of(3, 2, n); }},
        // Each lane has an index of its own.
        {"ADDR[0]\nIMM[0] UINT32 {3, 3, 3, 3}\nAND TEMP[0], IN[0], IMM[0]\nUARL ADDR[0].x, TEMP[0]\n"
         "MOV TEMP[0], CONST[3][ADDR[0].x+1]",
         i, [](in o, unsigned n) { return constant_of(3, (o.a[0] & 3) + 1, n); }},
        {"MOV_SAT TEMP[0], IN[0]", f, on_floats([](float a, float, float) { return between_0_and_1(a); })},
        {"ADD_SAT TEMP[0], IN[0], IN[1]", f, on_floats([](float a, float b, float) { return between_0_and_1(a + b); })},
        {"SUB_SAT TEMP[0], IN[0], IN[1]", f, on_floats([](float a, float b, float) { return between_0_and_1(a - b); })},
        {"MUL_SAT TEMP[0], IN[0], IN[1]", f, on_floats([](float a, float b, float) { return between_0_and_1(a * b); })},
        {"MAD_SAT TEMP[0], IN[0], IN[1], IN[2]", f,
         on_floats([](float a, float b, float c) { return between_0_and_1(std::fma(a, b, c)); })},
    };
    return all;
}

/// Ends of ranges and small values. Each operand steps through all of them with a stride of its own.
word value_of(numbers kind, unsigned operand, unsigned component, unsigned lane)
{
    static constexpr float floats[] = {0.5F,  -2.75F, 1.0F,          -1.0F,   3.5F,           0.25F, 1024.0F,
                                       -0.5F, 5.0e9F, 2147483648.0F, -5.0e9F, -2147483648.0F, 7.125F};
    static constexpr word integers[] = {0,  1,          2,          0xffffffff, 31, 0x80000000, 0x7fffffff,
                                        32, 0x12345678, 0xfffffff0, 33,         7,  0x01000001};
    const unsigned which = lane * (operand + 1) + 3 * component + 5 * operand;
    return kind == numbers::floats ? to_bits(floats[which % std::size(floats)]) : integers[which % std::size(integers)];
}

std::string text_with(const std::string& instruction)
{
    return "VERT\nIN[0], GENERIC[0]\nIN[1], GENERIC[1]\nIN[2], GENERIC[2]\nOUT[0], POSITION\nOUT[1], GENERIC[0]\n"
           "TEMP[0]\n" +
           instruction + "\nMOV OUT[1], TEMP[0]\nMOV OUT[0], IN[0]\nEND\n";
}

class opcodes : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(on, opcodes, testing::ValuesIn(test::back_ends()),
                         [](const auto& chosen) { return chosen.param; });

TEST_P(opcodes, VAR_04_each_follows_tgsi)
{
    vertex_bench bench(GetParam());
    const auto constants = all_constants();
    for (const auto& row : rows()) {
        const auto code = parse_one(text_with(row.instruction));
        const auto placed = allocate(code);
        const auto id_of = [&](register_file file, unsigned number, unsigned component) {
            return address_of(placed, file, number, component) / 4;
        };
        const auto input = [&](unsigned id, unsigned lane) {
            for (unsigned number = 0; number < 3; ++number)
                for (unsigned c = 0; c < 4; ++c)
                    if (id_of(register_file::input, number, c) == id) return value_of(row.in, number, c, lane);
            return word{0};
        };
        for (const auto arch : {isa::architecture::sm50, isa::architecture::sm75}) {
            const auto lowered = lower(code, placed, {arch, strategy::chain, true});
            bench.run(isa::assemble(lowered.text(), arch), lowered.local_bytes, placed, constants, input);
            ASSERT_FALSE(HasFatalFailure()) << row.instruction << "\n" << lowered.text();
            for (unsigned lane = 0; lane < warp_lanes; ++lane) {
                const auto found = [&](unsigned number, unsigned c) { return value_of(row.in, number, c, lane); };
                const auto events = evaluate(code, placed, found_inputs(found, constant_of));
                ASSERT_EQ(events.size(), 1U);
                operands given{};
                for (unsigned c = 0; c < 4; ++c) {
                    given.a[c] = value_of(row.in, 0, c, lane);
                    given.b[c] = value_of(row.in, 1, c, lane);
                    given.c[c] = value_of(row.in, 2, c, lane);
                }
                std::size_t output = 0;
                for (const auto& place : placed.components()) {
                    if (place.owner->declared->file != register_file::output) continue;
                    const word evaluated = events[0].values[output++];
                    if (place.number != 1) continue;
                    const word expected = row.result(given, place.component);
                    EXPECT_EQ(bench.output(place.address / 4, lane), expected)
                        << row.instruction << " component " << place.component << " lane " << lane;
                    EXPECT_EQ(evaluated, expected)
                        << row.instruction << " component " << place.component << " lane " << lane << ", evaluated";
                }
            }
        }
    }
}

TEST(opcodes_without, VAR_04_saturation_and_lowering_are_refused)
{
    expect_refusal(text_with("MIN_SAT TEMP[0], IN[0], IN[1]"), "MIN has no saturation here");
    expect_refusal(text_with("UADD_SAT TEMP[0], IN[0], IN[1]"), "UADD has no saturation here");
    expect_refusal(text_with("RCP TEMP[0], IN[0]"), "there is no lowering for RCP, expected an opcode that has one");
}

} // namespace
} // namespace isbesim::varying
