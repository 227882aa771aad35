// SPDX-License-Identifier: Apache-2.0
// Rules of the instructions' pages that an encoding can break. The pages: "the immediate has to be zero", "vector
// ALD/AST disallowed when .PHYS modifier is used", "For OUT.CUT operations, Sb must be Rz", "LSB bits are dropped for
// alignment"; R255 is RZ (HARDWARE.md B).
#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "models/isa/text/text.h"

namespace isbesim::isa {
namespace {

constexpr auto maxwell_code = architecture::sm50, turing_code = architecture::sm75,
               blackwell_code = architecture::sm120;

struct rule_case {
    architecture arch;
    const char* text;
    std::vector<std::pair<const char*, unsigned>> broken; ///< kinds, and columns in the text
};

const rule_case rule_cases[] = {
    {maxwell_code, "ALD R0, a[R1], R5 ;", {}},
    {maxwell_code, "ALD R0, a[R1+0x4], R5 ;", {{"illegal_encoding", 9}}},
    {maxwell_code, "AST a[R1+0x4], R0, R5 ;", {{"illegal_encoding", 5}}},
    {maxwell_code, "ALD.P R0, a[R1+0x4], R5 ;", {}},
    {maxwell_code, "ALD.P.64 R0, a[R1+0x4], R5 ;", {}},
    {maxwell_code, "ALD.PHYS.64 R2, a[R0], R5 ;", {{"illegal_encoding", 17}}},
    {maxwell_code, "ALD.PHYS.64 R2, a[R0+0x8], R5 ;", {{"illegal_encoding", 17}, {"illegal_encoding", 17}}},
    {maxwell_code, "AST.PHYS.128 a[R0], R4, R5 ;", {{"illegal_encoding", 14}}},
    {maxwell_code, "AST.96 a[R0], R4, R5 ;", {{"illegal_encoding", 8}}},
    {turing_code, "ALD.PHYS.64 R2, a[R0], R5 ;", {{"illegal_encoding", 17}}},
    {turing_code, "AST.PHYS a[R0], R4, R5 ;", {}},
    {maxwell_code, "ALD.128 R252, a[0x80] ;", {{"vector_beyond_registers", 9}}},
    {maxwell_code, "ALD.96 R252, a[0x80] ;", {}},
    {maxwell_code, "ALD.128 R251, a[0x80] ;", {{"misaligned_register", 9}}},
    {maxwell_code, "ALD.128 R253, a[0x80] ;", {{"misaligned_register", 9}, {"vector_beyond_registers", 9}}},
    {maxwell_code, "ALD.128 RZ, a[0x80] ;", {}},
    {maxwell_code, "AST.64 a[0x80], R254 ;", {{"vector_beyond_registers", 17}}},
    {maxwell_code, "AST a[0x80], R254 ;", {}},
    {maxwell_code, "ALD.64 R0, a[0x84] ;", {{"misaligned_address", 12}}},
    {maxwell_code, "ALD.96 R0, a[0x88] ;", {{"misaligned_address", 12}}},
    {maxwell_code, "AST.128 a[0x90], R0 ;", {}},
    {maxwell_code, "AL2P.64 R0, R1, 0xc ;", {}}, // the AL2P page's example: the sum may be aligned
    {maxwell_code, "AL2P.64 R0, RZ, 0xc ;", {{"misaligned_address", 17}}},
    {maxwell_code, "AL2P R0, RZ, 0xc ;", {}},
    {maxwell_code, "OUT.CUT R0, R0, 0x1 ;", {{"cut_stream", 17}}},
    {maxwell_code, "OUT.CUT R0, R0, RZ ;", {}},
    {maxwell_code, "OUT.CUT R0, R0, R3 ;", {{"cut_stream", 17}}},
    {maxwell_code, "OUT.EMIT_THEN_CUT R0, R0, 0x1 ;", {}},
    {turing_code, "OUT.CUT R0, R0, 0x1 ;", {{"cut_stream", 17}}},
    {maxwell_code, "OUT.INVALID R0, R0, RZ ;", {{"illegal_encoding", 17}}},
    {maxwell_code, "ISBERD.ATTR R0, [R1] ;", {{"illegal_encoding", 17}}},
    {maxwell_code, "ISBERD R0, [R1] ;", {}},
    {turing_code, "ISBERD.SKEW R0, [R1] ;", {{"skew_ignored", 17}}},
    {turing_code, "ISBERD.ATTR.SKEW R0, [R1] ;", {}},
    {maxwell_code, "LDL.64 R3, [R8] ;", {{"misaligned_register", 8}}},
    {maxwell_code, "STL.128 [R8], R252 ;", {{"vector_beyond_registers", 15}}},
    {turing_code, "LDG.E.128.SYS R254, [R8] ;", {{"misaligned_register", 15}, {"vector_beyond_registers", 15}}},
    {turing_code, "STG.E.64.SYS [R8], R6 ;", {}},
    {turing_code, "LDG.E.SYS R254, [R9] ;", {{"misaligned_register", 17}}},
    {turing_code, "MOV R1, cx[UR4][0x0] ;", {}},
    {turing_code, "MOV R1, cx[UR5][0x0] ;", {{"misaligned_register", 9}}},
    {blackwell_code, "LDC.64 R2, cx[UR78][0x0] ;", {}},
    {blackwell_code, "LDC R1, cx[UR79][0x0] ;", {{"misaligned_register", 9}, {"vector_beyond_registers", 9}}},
};

std::vector<std::string> kinds_of(const program& code)
{
    std::vector<std::string> kinds;
    for (const auto& each : code.warnings) kinds.emplace_back(each.kind);
    return kinds;
}

TEST(page_rules, assembler_and_decoder_warn_of_broken_rules)
{
    for (const auto& each : rule_cases) {
        program code;
        ASSERT_NO_THROW(code = assemble("NOP ;\n" + std::string(each.text), each.arch)) << each.text;
        ASSERT_EQ(code.warnings.size(), each.broken.size())
            << each.text << (code.warnings.empty() ? "" : code.warnings[0].text);
        for (std::size_t i = 0; i < each.broken.size(); ++i) {
            EXPECT_EQ(std::string(code.warnings[i].kind), each.broken[i].first) << each.text;
            EXPECT_EQ(code.warnings[i].line, 2U);
            EXPECT_EQ(code.warnings[i].column, each.broken[i].second) << each.text;
        }
        const auto bytes = encode_program(code);
        const auto again = decode_program(bytes, each.arch);
        EXPECT_EQ(kinds_of(again), kinds_of(code)) << each.text;
        EXPECT_EQ(encode_program(assemble(disassemble(again), each.arch)), bytes) << each.text;
    }
}

} // namespace
} // namespace isbesim::isa
