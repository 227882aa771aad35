// SPDX-License-Identifier: Apache-2.0
// Every atomic operation on every type, in global and in shared memory, against PTX ISA's account of atom and red in
// numbers of 128 bits; the combinations that do not exist are refused.
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "models/memory/global_memory.h"
#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

struct number_type {
    std::string sm50, sm75; ///< spelling of the global instructions
    unsigned bits;
    bool is_signed;
};
const number_type number_types[] = {
    {"", "", 32, false}, {".S32", ".S32", 32, true}, {".U64", ".64", 64, false}, {".S64", ".S64", 64, true}};

std::uint64_t cut(wide_integer value, unsigned bits)
{
    return bits == 64 ? static_cast<std::uint64_t>(value) : static_cast<word>(value);
}

/// The memory's new content; both numbers by their bits.
std::uint64_t after(const std::string& operation, const number_type& type, std::uint64_t here, std::uint64_t operand)
{
    const auto number = [&](std::uint64_t bits) {
        const wide_integer value = cut(bits, type.bits);
        return type.is_signed && (bits >> (type.bits - 1) & 1U) != 0 ? value - (wide_integer{1} << type.bits) : value;
    };
    const std::map<std::string, wide_integer> results = {
        {"ADD", number(here) + number(operand)},
        {"MIN", std::min(number(here), number(operand))},
        {"MAX", std::max(number(here), number(operand))},
        {"INC", here >= operand ? 0 : here + 1},
        {"DEC", here == 0 || here > operand ? operand : here - 1},
        {"AND", here & operand},
        {"OR", here | operand},
        {"XOR", here ^ operand},
        {"EXCH", operand},
    };
    return cut(results.at(operation), type.bits);
}

constexpr std::uint64_t base = 0x10'0000'1000;

/// Runs with the old numbers in 8 bytes of memory for each lane, operands in R4 and R5; R8 and R9 get the old content.
struct atomic_lab : lab {
    atomic_lab(const std::string& text, architecture arch, const std::vector<std::uint64_t>& numbers)
        : lab("@P0 " + text, arch), here(warp_lanes), operands(warp_lanes)
    {
        std::vector<std::uint8_t> bytes(8 * warp_lanes);
        for (unsigned i = 0; i < warp_lanes; ++i) {
            here[i] = numbers[i % numbers.size()];
            operands[i] = numbers[i * 7 / 3 % numbers.size()];
            std::memcpy(&bytes[8 * i], &here[i], 8);
            (*this)[0][i] = static_cast<word>(base) + 8 * i;
            (*this)[2][i] = 8 * i;
            set_pair(4, i, operands[i]);
        }
        fill(1, static_cast<word>(base >> 32));
        fill(8, {0x88, 0x99});
        memory.add(base, bytes);
        warp.global = &memory;
        warp.shared = bytes;
        warp.predicates[0] = some;
        run();
    }
    std::uint64_t left(unsigned lane, bool shared, unsigned bits)
    {
        std::uint64_t value = 0;
        std::memcpy(&value, shared ? &warp.shared[8 * lane] : memory.find(base + 8 * lane, 8), bits / 8);
        return value;
    }
    /// `expected(here, operand)` where a lane takes part; the rest is as it was.
    template <typename Function>
    void expect(const std::string& text, bool shared, unsigned bits, bool keeps_old, Function expected)
    {
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const bool in = in_some(i);
            EXPECT_EQ(left(i, shared, bits),
                      in ? expected(cut(here[i], bits), cut(operands[i], bits)) : cut(here[i], bits))
                << text << std::hex << " " << here[i] << " " << operands[i];
            EXPECT_TRUE(bits == 64 || left(i, shared, 64) >> 32 == here[i] >> 32) << text << ": the next word";
            EXPECT_EQ((*this)[8][i], in && keeps_old ? static_cast<word>(here[i]) : 0x88U) << text;
            EXPECT_EQ((*this)[9][i], in && keeps_old && bits == 64 ? static_cast<word>(here[i] >> 32) : 0x99U) << text;
        }
    }
    global_memory memory;
    std::vector<std::uint64_t> here, operands;
};

const std::vector<std::uint64_t> awkward_numbers = {
    0x0000000000000000, 0x0000000000000001, 0x0000000000000002, 0x000000007fffffff, 0x0000000080000000,
    0x00000000ffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x0000000100000005,
    0xffffffff00000003, 0x0000000000000005, 0x0000000000000005};

TEST(atomic_rules, ISA_03_integers_of_every_type)
{
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const auto& type : number_types)
            for (const std::string operation : {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH"}) {
                const bool old = arch == architecture::sm50, counts = operation == "INC" || operation == "DEC";
                const std::string name = "." + operation + (old ? type.sm50 : type.sm75);
                const auto expected = [&](std::uint64_t a, std::uint64_t b) { return after(operation, type, a, b); };
                const std::string order = old ? "" : ".STRONG.GPU";
                const std::string atom =
                    (old ? "ATOM.E" + name + " R8" : "ATOMG.E" + name + order + " P1, R8") + ", [R0], R4;";
                const std::string red = "RED.E" + name + order + " [R0], R4;",
                                  atoms = "ATOMS" + name + " R8, [R2], R4;";
                if (counts && (type.bits == 64 || type.is_signed)) {
                    EXPECT_THROW(atomic_lab(atom, arch, awkward_numbers), execution_error) << atom;
                    continue;
                }
                atomic_lab global(atom, arch, awkward_numbers);
                global.expect(atom, false, type.bits, true, expected);
                EXPECT_EQ(global.warp.predicates[1], old ? 0U : some) << atom;
                if (operation != "EXCH") {
                    atomic_lab reduced(red, arch, awkward_numbers);
                    reduced.expect(red, false, type.bits, false, expected);
                    EXPECT_EQ(reduced.warp.predicates[1], 0U);
                }
                if (old || type.sm75 != ".S64")
                    atomic_lab(atoms, arch, awkward_numbers).expect(atoms, true, type.bits, true, expected);
            }
}

TEST(atomic_rules, ISA_03_sums_of_floats)
{
    std::vector<std::uint64_t> singles;
    for (const word w : {0x3f800000U, 0xbf800000U, 0x00000001U, 0x807fffffU, 0x7f800000U, 0xff800000U, 0x7fc00000U,
                         0xffc12345U, 0x33800000U, 0x00800000U, 0x80800001U, 0x7f7fffffU, 0U, 0x80000000U})
        singles.push_back(0x1234'5678'0000'0000U | w);
    const auto flushed = [](word bits) { return (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits; };
    const auto sum = [&](std::uint64_t a, std::uint64_t b) -> std::uint64_t {
        const float value = to_float(flushed(static_cast<word>(a))) + to_float(flushed(static_cast<word>(b)));
        return std::isnan(value) ? 0x7fffffffU : flushed(to_bits(value));
    };
    for (const auto arch : {architecture::sm50, architecture::sm75}) {
        const bool old = arch == architecture::sm50;
        const std::string text =
            old ? "ATOM.E.ADD.F32.FTZ.RN R8, [R0], R4;" : "ATOM.E.ADD.F32.FTZ.RN.STRONG.SYS PT, R8, [R0], R4;";
        atomic_lab(text, arch, singles).expect(text, false, 32, true, sum);
    }
    std::vector<std::uint64_t> doubles;
    for (const double x :
         {1.0, -1.0, 0.1, 1e300, -1e300, 0x1p-1074, -0x1p-1022, HUGE_VAL, -HUGE_VAL, std::nan(""), 0.0, -0.0})
        doubles.push_back(to_bits(x));
    const std::string text = "ATOM.E.ADD.F64.RN.STRONG.SYS PT, R8, [R0], R4;";
    atomic_lab(text, architecture::sm75, doubles).expect(text, false, 64, true, [](std::uint64_t a, std::uint64_t b) {
        double x = 0, y = 0;
        std::memcpy(&x, &a, 8);
        std::memcpy(&y, &b, 8);
        return std::isnan(x + y) ? 0x7fffffffffffffffU : to_bits(x + y);
    });
    // 1, -1, 0.5 and -3 in every pair of halves, and denormals: sums in multiples of 2^-24.
    const std::vector<std::uint64_t> halves = {0x3c00'bc00, 0xbc00'3c00, 0x3800'c200, 0xc200'3800, 0x0001'8001};
    const std::string pairs = "ATOM.E.ADD.F16x2.RN.STRONG.SYS PT, R8, [R0], R4;";
    atomic_lab(pairs, architecture::sm75, halves).expect(pairs, false, 32, true, [&](std::uint64_t a, std::uint64_t b) {
        const auto x = static_cast<word>(a), y = static_cast<word>(b);
        const auto half_sum = [&](word p, word q) { return nearest_half(units(p & 0xffffU) + units(q & 0xffffU)); };
        return std::uint64_t{half_sum(x >> 16, y >> 16) << 16 | half_sum(x, y)};
    });
    for (const char* operation : {"MIN", "MAX", "AND", "EXCH"})
        for (const char* type : {".F32.FTZ.RN", ".F64.RN", ".F16x2.RN"}) {
            const std::string refused = std::string("ATOM.E.") + operation + type + ".STRONG.SYS PT, R8, [R0], R4;";
            EXPECT_THROW(atomic_lab(refused, architecture::sm75, doubles), execution_error) << refused;
        }
}

TEST(atomic_rules, ISA_03_compare_and_swap_of_both_sizes)
{
    // Compared with R4, or R4 and R5; SM50 takes the new value from the following registers.
    struct row {
        const char* text;
        architecture arch;
        unsigned bits;
        bool shared;
    };
    for (const row& each : {row{"ATOM.E.CAS R8, [R0], R4, R5;", architecture::sm50, 32, false},
                            row{"ATOM.E.CAS.64 R8, [R0], R4, R6;", architecture::sm50, 64, false},
                            row{"ATOMS.CAS R8, [R2], R4, R5;", architecture::sm50, 32, true},
                            row{"ATOMS.CAS.64 R8, [R2], R4, R6;", architecture::sm50, 64, true},
                            row{"ATOMG.E.CAS.STRONG.GPU PT, R8, [R0], R4, R6;", architecture::sm75, 32, false},
                            row{"ATOMG.E.CAS.64.STRONG.GPU PT, R8, [R0], R4, R6;", architecture::sm75, 64, false},
                            row{"ATOMS.CAS R8, [R2], R4, R6;", architecture::sm75, 32, true},
                            row{"ATOMS.CAS.64 R8, [R2], R4, R6;", architecture::sm75, 64, true}}) {
        const bool reversed = each.arch == architecture::sm50 && each.bits == 32;
        // Half of the operands equal the content, some only in the lower word.
        atomic_lab bench(each.text, each.arch, {0x1'0000'0007, 0x2'0000'0007, 0x3'0000'0008});
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const std::uint64_t here = cut(bench.here[i], each.bits), compared = cut(bench.operands[i], each.bits);
            const bool in = in_some(i);
            // R6 and R7 are 0.
            const std::uint64_t swapped = in && here == compared ? (reversed ? bench.operands[i] >> 32 : 0) : here;
            EXPECT_EQ(bench.left(i, each.shared, each.bits), swapped) << each.text;
            EXPECT_EQ(bench[8][i], in ? static_cast<word>(here) : 0x88U) << each.text;
            EXPECT_EQ(bench[9][i], in && each.bits == 64 ? here >> 32 : 0x99U) << each.text;
        }
    }
}

} // namespace
} // namespace isbesim::isa
