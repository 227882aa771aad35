// SPDX-License-Identifier: Apache-2.0
// Integer instructions whose account is a loop over bits or bytes; the others are cases/integers.txt.
#include <algorithm>
#include <bitset>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

TEST(integer, ISA_03_counting_and_reversing)
{
    const auto top_bit = [](word v) {
        for (int i = 31; i >= 0; --i)
            if ((v >> i & 1U) != 0) return static_cast<word>(i);
        return 0xffffffffU;
    };
    const auto from_top = [=](word v) { return v == 0 ? 0xffffffffU : 31 - top_bit(v); };
    const auto magnitude = [](word v) { return as_signed(v) < 0 ? ~v : v; };
    const auto count = [](word v) { return std::bitset<32>(v).count(); };
    for (const auto arch : {architecture::sm50, architecture::sm75}) {
        check("FLO.U32 R3, R0;", top_bit, arch);
        check(
            "FLO.U32 R3, ~R0;", [=](word a) { return top_bit(~a); }, arch);
        check(
            "FLO R3, R0;", [=](word a) { return top_bit(magnitude(a)); }, arch);
        check(
            "FLO R3, ~R0;", [=](word a) { return top_bit(magnitude(a)); }, arch);
        check("FLO.U32.SH R3, R0;", from_top, arch);
        check(
            "FLO.SH R3, R0;", [=](word a) { return from_top(magnitude(a)); }, arch);
        check("POPC R3, R0;", count, arch);
        check(
            "POPC R3, ~R0;", [=](word a) { return 32 - count(a); }, arch);
        check(
            "POPC R3, 0xf0f;", [](word) { return 8; }, arch);
    }
    const auto reversed = [](word a) {
        std::bitset<32> bits;
        for (unsigned k = 0; k < 32; ++k) bits[k] = (a >> (31 - k) & 1U) != 0;
        return bits.to_ulong();
    };
    check("BREV R3, R0;", reversed, architecture::sm75);
}

TEST(integer, ISA_03_byte_permutation)
{
    const auto permute = [](word a, word selector, word c) {
        word value = 0;
        for (unsigned k = 0; k < 4; ++k) {
            const unsigned pick = selector >> (4 * k) & 15U;
            const word byte = ((pick & 7U) < 4 ? a >> (8 * (pick & 3U)) : c >> (8 * (pick & 3U))) & 0xffU;
            value |= (pick < 8 ? byte : (byte & 0x80U) != 0 ? 0xffU : 0U) << (8 * k);
        }
        return value;
    };
    check("PRMT R3, R0, R1, R2;", permute);
    check("PRMT R3, R0, 0x4442, RZ;", [](word a) { return a >> 16 & 0xffU; });
    check("PRMT R3, R0, 0x4440, RZ;", [](word a) { return a & 0xffU; });
    check("PRMT.F4E R3, R0, 0x1, R2;", [](word a, word, word c) { return a >> 8 | c << 24; });
    check("PRMT.RC16 R3, R0, 0x1, R2;", [](word a) { return a >> 16 | (a >> 16) << 16; });
}

TEST(integer_rules, ISA_03_named_byte_permutations)
{
    // PTX ISA, prmt: bytes of b:a that each mode takes for a selector's two low bits, lowest first.
    const auto byte_of = [](const std::string& mode, unsigned selector, unsigned k) -> unsigned {
        if (mode == "F4E") return selector + k;
        if (mode == "B4E") return (selector + 8 - k) % 8;
        if (mode == "RC8") return selector;
        if (mode == "ECL") return std::max(k, selector);
        if (mode == "ECR") return std::min(k, selector);
        return 2 * (selector % 2) + k % 2; // RC16
    };
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const std::string mode : {"F4E", "B4E", "RC8", "ECL", "ECR", "RC16"})
            for (unsigned selector = 0; selector < 8; ++selector) { // only two bits count
                lab bench("PRMT." + mode + " R10, R1, R2, R3;", arch);
                bench.fill(1, {0x33221100U, selector | 0xfff0U, 0x77665544U});
                bench.run();
                for (unsigned k = 0; k < 4; ++k)
                    EXPECT_EQ(bench[10][5] >> (8 * k) & 0xffU, 0x11 * byte_of(mode, selector % 4, k))
                        << mode << selector;
            }
}

TEST(integer_rules, ISA_03_fields_of_every_place_and_width)
{
    std::vector<unsigned> positions{0x85}; // eight bits of the register count, and eight more for the length
    for (unsigned position = 0; position <= 34; ++position) positions.push_back(position);
    for (const unsigned position : positions) {
        lab bench("BFE R10, R1, R3; BFE.U32 R11, R1, R3; BFI R12, R1, R3, R2; BFE.BREV R13, R1, R3;");
        bench.fill_awkward(1, 2, position);
        for (unsigned i = 0; i < warp_lanes; ++i)
            bench[3][i] = 0x5a0000U | position | (i == 31 ? 0x85U : i + 3 * (position % 2)) << 8;
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const unsigned length = bench[3][i] >> 8 & 0xffU;
            const auto bit = [](word v, unsigned k) { return k < 32 && (v >> k & 1U) != 0; };
            word reversed = 0;
            for (unsigned k = 0; k < 32; ++k) reversed |= (bit(bench[1][i], k) ? 1U : 0U) << (31 - k);
            // PTX ISA, bfe and bfi, bit by bit.
            const auto extracted = [&](word a, bool is_signed) {
                const bool sign = is_signed && length != 0 && bit(a, std::min(position + length - 1, 31U));
                word value = 0;
                for (unsigned k = 0; k < 32; ++k)
                    value |= ((k < length && position + k <= 31 ? bit(a, position + k) : sign) ? 1U : 0U) << k;
                return value;
            };
            word inserted = bench[2][i];
            for (unsigned k = 0; k < length && position + k < 32; ++k)
                inserted = (inserted & ~(1U << (position + k))) | (bit(bench[1][i], k) ? 1U : 0U) << (position + k);
            EXPECT_EQ(bench[10][i], extracted(bench[1][i], true)) << position << " " << length;
            EXPECT_EQ(bench[11][i], extracted(bench[1][i], false)) << position << " " << length;
            EXPECT_EQ(bench[12][i], inserted) << position << " " << length;
            EXPECT_EQ(bench[13][i], extracted(reversed, true)) << position << " " << length;
        }
    }
}

} // namespace
} // namespace isbesim::isa
