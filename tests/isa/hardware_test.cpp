// SPDX-License-Identifier: Apache-2.0
// Values that real Maxwell GPUs returned, collected from published measurements of single instructions. Nothing here
// was computed by this project: these rows advance_to what documentation leaves open (what carries out, what saturates
// how).
#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

struct measurement {
    const char* text;
    word a, b, c; ///< R2, R3, R4 before
    word result;  ///< R2 after
};

template <std::size_t N>
void expect_measured(const measurement (&rows)[N])
{
    for (const auto& row : rows) {
        lab bench(row.text);
        bench.fill(2, {row.a, row.b, row.c});
        bench.run();
        EXPECT_EQ(bench[2][0], row.result) << row.text << std::hex << " of " << row.a << " " << row.b << " " << row.c;
    }
}

TEST(hardware, ISA_03_funnel_shifts_as_measured)
{
    expect_measured({
        {"SHF.R R2, R2, R3, R4;", 0x0ee00ff0, 4, 0x0cc00dd0, 0x00ee00ff},
        {"SHF.R R2, R2, R3, R4;", 0x0ee00ff0, 24, 0x0cc00dd0, 0xc00dd00e},
        {"SHF.R R2, R2, R3, R4;", 0x0ee00ff0, 40, 0x0cc00dd0, 0x0cc00dd0},
        {"SHF.R R2, R2, 0x4, R4;", 0x0ee00ff0, 0, 0x0cc00dd0, 0x00ee00ff},
        {"SHF.R.U64 R2, R2, R3, R4;", 0x0ee00ff0, 40, 0x0cc00dd0, 0x000cc00d},
        {"SHF.R.U64 R2, R2, R3, R4;", 0x0ee00ff0, 70, 0x0cc00dd0, 0},
        {"SHF.R.S64 R2, R2, R3, R4;", 0x0ee00ff0, 48, 0xcc000dd0, 0xffffcc00},
        {"SHF.R.S64 R2, R2, R3, R4;", 0x0ee00ff0, 70, 0xcc000dd0, 0xffffffff},
        {"SHF.R.W R2, R2, R3, R4;", 0x0ee00ff0, 40, 0x0cc00dd0, 0xd00ee00f},
        {"SHF.R.W.U64 R2, R2, R3, R4;", 0x0ee00ff0, 70, 0x0cc00dd0, 0x403b803f},
        {"SHF.R.W.S64 R2, R2, R3, R4;", 0x0ee00ff0, 110, 0xcc000dd0, 0xffff3000},
        {"SHF.L R2, R2, R3, R4;", 0x0ee00ff0, 4, 0x0cc00dd0, 0xcc00dd00},
        {"SHF.L R2, R2, R3, R4;", 0x0ee00ff0, 40, 0x0cc00dd0, 0x0ee00ff0},
        {"SHF.L.U64 R2, R2, R3, R4;", 0x0ee00ff0, 36, 0x0cc00dd0, 0xee00ff00},
        {"SHF.L.U64 R2, R2, R3, R4;", 0x0ee00ff0, 70, 0x0cc00dd0, 0},
        {"SHF.L.W R2, R2, R3, R4;", 0x0ee00ff0, 40, 0x0cc00dd0, 0xc00dd00e},
        {"SHF.L.W.U64 R2, R2, R3, R4;", 0x0ee00ff0, 70, 0x0cc00dd0, 0x30037403},
    });
}

TEST(hardware, ISA_03_xmad_as_measured)
{
    constexpr word a = 0x12345678, b = 0x8a24c923, c = 0x9123064a;
    expect_measured({
        {"XMAD R2, R2, R3, R4;", a, b, c, 0xd51310b2},
        {"XMAD.CLO R2, R2, R3, R4;", a, b, c, 0x43f010b2},
        {"XMAD.CHI R2, R2, R3, R4;", a, b, c, 0x43f09b8b},
        {"XMAD.CBCC R2, R2, R3, R4;", a, b, c, 0x9e3610b2},
        {"XMAD R2, R2, 0x22, R4;", a, b, c, 0x912e823a},
        {"XMAD.CBCC R2, R2, 0x22, R4;", a, b, c, 0x9150823a},
        {"XMAD.PSL R2, R2, R3, R4;", a, b, c, 0x9b8b064a},
        {"XMAD.PSL.CLO R2, R2, R3, R4;", a, b, c, 0x0a68064a},
        {"XMAD.PSL.CHI R2, R2, R3, R4;", a, b, c, 0x0a689123},
        {"XMAD.PSL.CBCC R2, R2, R3, R4;", a, b, c, 0x64ae064a},
        {"XMAD.MRG R2, R2, R3, R4;", a, b, c, 0xc92310b2},
        {"XMAD.MRG.CHI R2, R2, R3, R4;", a, b, c, 0xc9239b8b},
        {"XMAD.MRG.CBCC R2, R2, R3, R4;", a, b, c, 0xc92310b2},
        {"XMAD.S16.S16 R2, R2.H1, R3, R4;", 0xfffffffe, 2, 1, 0xffffffff},
        {"XMAD.U16.U16 R2, R2.H1, R3, R4;", 0xfffffffe, 2, 1, 0x0001ffff},
        {"XMAD.S16.U16 R2, R2.H1, R3, R4;", 0xfffffffe, 2, 1, 0xffffffff},
        {"XMAD.U16.S16 R2, R2.H1, R3, R4;", 0xfffffffe, 2, 1, 0x0001ffff},
    });
}

TEST(hardware, ISA_03_bits_as_measured)
{
    expect_measured({
        {"FLO.U32 R2, R2;", 0x80000000, 0, 0, 31},
        {"FLO.U32 R2, R2;", 0, 0, 0, 0xffffffff},
        {"FLO R2, R2;", 0xffffffff, 0, 0, 0xffffffff},
        {"FLO R2, R2;", 0xff000000, 0, 0, 23},
        {"FLO.U32.SH R2, R2;", 0x00f00000, 0, 0, 8},
        {"FLO.SH R2, R2;", 0xf0f00000, 0, 0, 4},
        {"FLO.U32 R2, ~R2;", 0xffff0000, 0, 0, 15},
        {"FLO R2, ~R2;", 0x78000000, 0, 0, 30},
        {"BFE.U32 R2, R2, R3;", 0xdead, 0x0808, 0, 0xde},
        {"BFE R2, R2, R3;", 0x8ead, 0x0808, 0, 0xffffff8e},
        {"BFE.U32.BREV R2, R2, R3;", 0xdead, 0x2000, 0, 0xb57b0000},
        {"BFE R2, R2, R3;", 0xdead0000, 0x1018, 0, 0xffffffde},
        {"BFE R2, R2, R3;", 0xdead0000, 0x1820, 0, 0xffffffff},
        {"BFE R2, R2, R3;", 0x7ead0000, 0x1820, 0, 0},
        {"BFE R2, R2, R3;", 0xdead0000, 0x0020, 0, 0},
        {"BFE R2, R2, R3;", 0x80000000, 0xff00, 0, 0x80000000},
        {"BFE R2, R2, R3;", 0x80000000, 0x10000, 0, 0},
        {"BFI R2, R2, R3, R4;", 0xffdd, 0x080c, 0xcccccc32, 0xcccddc32},
        {"BFI R2, R2, R3, R4;", 0xcafe, 0x0008, 0xcccccccc, 0xcccccccc},
        {"BFI R2, R2, R3, R4;", 0xcafe, 0x4008, 0xcccccccc, 0x00cafecc},
        {"BFI R2, R2, R3, R4;", 0xcafe, 0x2020, 0xcccccccc, 0xcccccccc},
        {"LOP.AND R2, ~R2, ~R3;", 0x0ff0, 0x00ff, 0, 0xfffff000},
        {"LOP.PASS_B R2, R2, 0xdead;", 0x0ff0, 0, 0, 0xdead},
        {"LOP.AND.NZ P0, RZ, R2, R2; @P0 MOV R2, 0x4;", 0x0ff0, 0, 0, 4},
        {"LOP.AND P0, RZ, RZ, RZ; @!P0 MOV R2, 0x1;", 0x0ff0, 0, 0, 1},
    });
}

TEST(hardware, ISA_03_condition_codes_as_measured)
{
    // Carry shows as IADD.X of zeros, zero as ISETP.EQ.X after the carry is known.
    expect_measured({
        {"IADD RZ.CC, R2, 0x2; IADD.X R2, RZ, RZ;", 0xffffffff, 0, 0, 1},
        {"IADD RZ.CC, RZ, -0x1; IADD.X R2, RZ, RZ;", 0, 0, 0, 0},
        {"IADD RZ.CC, R2, 0x1; IADD.X R2, RZ, 0x4;", 0xffffffff, 0, 0, 5},
        {"IADD.PO R2, RZ, 0x5;", 0, 0, 0, 6},
        {"IADD32I RZ.CC, R2, 0x3; IADD32I.X R2, RZ, 0x0;", 0xffffffff, 0, 0, 1},
        {"ISCADD R2.CC, R2, 0x0, 0x1; IADD.X R2, R2, RZ;", 0xffffffff, 0, 0, 0xfffffffe}, // no carry from the shift
        {"ISCADD RZ.CC, R2, 0x2, 0x1; IADD.X R2, RZ, RZ;", 0xffffffff, 0, 0, 1},
        {"ISCADD.PO R2, R2, 0x0, 0x1;", 0xffffffff, 0, 0, 0xffffffff},
        {"ISCADD R2, -R2, R3, 0x2;", 3, 16, 0, 4},
        {"ISCADD R2, R2, -R3, 0x2;", 3, 16, 0, 0xfffffffc},
    });
}

TEST(hardware, ISA_03_iset_x_as_measured)
{
    struct codes {
        const char* setup; ///< leaves the condition codes
        word upper;        ///< right upper word; the left one is 75
        const char* holds; ///< comparisons that gave true
    };
    const codes table[] = {
        {"IADD RZ.CC, R3, RZ;", 74, "GT NE GE"},  // nothing set
        {"IADD RZ.CC, R3, RZ;", 75, "LT LE NE"},  //
        {"IADD RZ.CC, RZ, RZ;", 74, "EQ LE GE"},  // zero
        {"IADD RZ.CC, RZ, RZ;", 75, "LT LE NE"},  //
        {"IADD RZ.CC, R3, 0x2;", 74, "GT NE GE"}, // carry
        {"IADD RZ.CC, R3, 0x2;", 75, "GT NE GE"}, //
        {"IADD RZ.CC, R3, 0x1;", 74, "GT NE GE"}, // carry and zero
        {"IADD RZ.CC, R3, 0x1;", 75, "EQ LE GE"}, //
    };
    for (const auto& row : table)
        for (const std::string name : {"LT", "EQ", "LE", "GT", "NE", "GE"}) {
            lab bench(std::string(row.setup) + " ISET." + name + ".X.AND R2, R4, R5, PT;");
            bench.fill(3, {0xffffffff, 75, row.upper});
            bench.run();
            const bool expected = std::string(row.holds).find(name) != std::string::npos;
            EXPECT_EQ(bench[2][0], expected ? 0xffffffffU : 0U) << row.setup << " " << row.upper << " " << name;
        }
}

TEST(hardware, ISA_03_conversions_as_measured)
{
    constexpr word one_and_half = 0x3fc00000, two_and_half = 0x40200000, nan = 0x7fc00000, tiny = 0x000116c2;
    expect_measured({
        {"F2I.FTZ.S32.F32 R2, R2;", one_and_half, 0, 0, 2},
        {"F2I.FTZ.S32.F32 R2, R2;", two_and_half, 0, 0, 2},
        {"F2I.FTZ.S32.F32 R2, -R2;", one_and_half, 0, 0, 0xfffffffe},
        {"F2I.FTZ.U16.F32 R2, R2;", 0x47800080, 0, 0, 0xffff},
        {"F2I.FTZ.S16.F32 R2, -R2;", 0x47800000, 0, 0, 0xffff8000},
        {"F2I.FTZ.U32.F32 R2, R2;", 0x4f800000, 0, 0, 0xffffffff},
        {"F2I.FTZ.S32.F32 R2, -R2;", 0x4f800000, 0, 0, 0x80000000},
        {"F2I.FTZ.S32.F32 R2, R2;", nan, 0, 0, 0},
        {"F2I.FTZ.U64.F32 R2, R2; MOV R2, R3;", nan, 0, 0, 0x80000000},
        {"F2I.FTZ.S32.F32.CEIL R2, R2;", tiny, 0, 0, 0},
        {"F2I.S32.F32.CEIL R2, R2;", tiny, 0, 0, 1},
        {"F2I.S32.F32.FLOOR R2, -R2;", tiny, 0, 0, 0xffffffff},
        {"F2I.FTZ.U32.F64 R2, R2;", 0, 0x7ff80000, 0, 0x80000000},
        {"I2F.F32.S16 R2, -R2;", 17, 0, 0, 0xc1880000},
        {"I2F.F32.U16 R2, -R2;", 17, 0, 0, 0xc1880000},
        {"I2F.F32.S16 R2, R2.H1;", 0xffff0000, 0, 0, 0xbf800000},
        {"I2F.F32.U8 R2, R2.B3;", 0xff000000, 0, 0, 0x437f0000},
        {"I2F.F32.S32 R2, -R2;", 0x80000000, 0, 0, 0xcf000000},
        {"I2F.F32.U64 R2, R2;", 0xffffff00, 0xffffffff, 0, 0x5f800000},
        {"I2F.F32.U64.RZ R2, R2;", 0xffffff00, 0xffffffff, 0, 0x5f7fffff},
        {"F2F.FTZ.F32.F32.ROUND R2, R2;", two_and_half, 0, 0, 0x40000000},
        {"F2F.FTZ.F32.F32 R2, R2;", tiny, 0, 0, 0},
        {"F2F.F32.F32 R2, R2;", tiny, 0, 0, tiny},
        {"F2F.FTZ.F64.F32 R2, R2; MOV R2, R3;", tiny, 0, 0, 0x37a16c20}, // .FTZ does not reach doubles
        {"F2F.FTZ.F16.F32 R2, R2;", nan, 0, 0, 0x7fff},
        {"F2F.FTZ.F16.F16 R2, -R2.H1;", 0x47004200, 0, 0, 0xc700},
        {"I2I.S32.S8 R2, R2.B1;", 0xff7f, 0, 0, 0xffffffff},
        {"I2I.S32.S16 R2, R2.H1;", 0xffccff7f, 0, 0, 0xffffffcc},
        {"I2I.S32.S8 R2, -|R2|;", 0xff, 0, 0, 0xffffffff},
        {"I2I.S8.S8 R2, R2;", 0xfffffffb, 0, 0, 0x000000fb}, // cut off, not extended
        {"I2I.S16.S32 R2, R2;", 0xffff8000, 0, 0, 0x00008000},
        {"I2I.S8.S32.SAT R2, R2;", 0xffffff00, 0, 0, 0xffffff80},
        {"I2I.U16.S32.SAT R2, R2;", 0xffffff00, 0, 0, 0},
        {"I2I.S32.U32.SAT R2, R2;", 0xffffff00, 0, 0, 0x7fffffff},
    });
}

TEST(hardware, ISA_03_floats_as_measured)
{
    constexpr word one = 0x3f800000, two = 0x40000000, three = 0x40400000, infinity = 0x7f800000, nan = 0x7fc00000;
    expect_measured({
        {"FMNMX.FTZ R2, R2, R3, PT;", 0, nan, 0, 0},
        {"FMNMX.FTZ R2, R2, R3, !PT;", nan, infinity, 0, infinity},
        {"FMNMX.FTZ R2, |R2|, R3, PT;", 0xbf800000, 0xc0400000, 0, 0xc0400000},
        {"FMUL.FTZ.D8.SAT R2, R2, R3;", two, two, 0, 0x3f000000},
        {"FMUL.FTZ.M8 R2, R2, R3;", two, 0x40800000, 0, 0x42800000},
        {"FMUL.FTZ.SAT R2, R2, R3;", two, nan, 0, 0},
        {"FMUL.FMZ R2, R2, R3;", 0x80000000, infinity, 0, 0},
        {"FMUL.FMZ R2, R2, R3;", two, infinity, 0, infinity},
        {"FFMA.FTZ R2, R2, -R2, -R3;", two, one, 0, 0xc0a00000},
        {"FFMA.FTZ R2, R2, 2 .NEG, R3;", two, one, 0, 0xc0400000},
        {"FFMA.FTZ R2, R2, -2 .NEG, -R3;", two, one, 0, three},
        {"FFMA32I.FTZ R2, -R3, 2, -R2;", one, two, 0, 0xc0a00000},
        {"FFMA.FMZ R2, RZ, R3, R2;", one, nan, 0, one},
        {"FCMP.NUM.FTZ R2, R3, RZ, R2;", nan, 0xffffffff, 0, 0},
        {"FCMP.NE.FTZ R2, R3, RZ, R2;", nan, 0xffffffff, 0, 0},
        {"FCMP.NEU.FTZ R2, R3, RZ, R2;", nan, 0xffffffff, 0, 0xffffffff},
        {"RRO.EX2 R2, R2; MUFU.EX2 R2, R2;", infinity | 0x80000000, 0, 0, 0},
        {"MUFU.LG2 R2, R2;", 0x80000000, 0, 0, 0xff800000},
        {"MUFU.RCP R2, R2;", infinity | 0x80000000, 0, 0, 0x80000000},
        {"MUFU.RSQ R2, R2;", 0x80000000, 0, 0, 0xff800000},
        {"MUFU.SQRT R2, R2;", 0x80000000, 0, 0, 0x80000000},
        {"MUFU.SQRT.SAT R2, R2;", two, 0, 0, one},
    });
}

} // namespace
} // namespace isbesim::isa
