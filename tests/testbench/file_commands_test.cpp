// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/attribute/sph.h"
#include "test_paths.h"
#include "tests/support/bytes.h"
#include "tests/testbench/process.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

TEST(layout_command, ISBE_04_the_corrected_example_of_256_vertices)
{
    program_header header;
    header.omap.insert(0x6c / 4);
    header.omap.insert(0x70 / 4);
    const auto bytes = test::bytes_of<std::string>(encode_header(header));
    const temporary_folder folder;
    const auto result = run_isbesim({"layout", "--sph", folder.write("x.sph.bin", bytes), "--vertices", "256"});
    ASSERT_EQ(result.status, 0) << result.err;
    // HARDWARE.md D.3, corrected: line after line PS and PX of 32 vertices, 0x800 bytes in all.
    std::string expected = "output: 2 attributes, 256 vertices, 0x800 bytes, 16 lines\n";
    for (unsigned line = 0; line < 16; ++line) {
        char row[96];
        std::snprintf(row, sizeof row, "0x%03x-0x%03x  %s  %-24s[%u..%u]\n", line * 0x80, (line + 1) * 0x80,
                      line % 2 == 0 ? "0x06c" : "0x070", line % 2 == 0 ? "POINT_SIZE" : "POSITION_X", line / 2 * 32,
                      line / 2 * 32 + 31);
        expected += row;
    }
    const auto start = result.out.find("output:");
    ASSERT_NE(start, std::string::npos);
    EXPECT_EQ(result.out.substr(start), expected);
    EXPECT_EQ(result.out.rfind("input: 0 attributes", 0), 0U);
}

TEST(layout_command, both_sides_of_a_geometry_stage)
{
    const auto result = run_isbesim({"layout", "--sph", samples + "gs_pass/gs.sph.bin"});
    EXPECT_EQ(result.status, 0);
    EXPECT_NE(result.out.find("input: "), std::string::npos);
    EXPECT_NE(result.out.find("output: "), std::string::npos);
    EXPECT_NE(run_isbesim({"layout", "--sph", samples + "gs_pass/gs.sph.bin", "--set", "isbe.skew=false"}).out,
              result.out);
}

// HARDWARE.md E10: 7 attributes of 64 vertices, 2 of 126 primitives.
TEST(layout_command, ISBE_11_E10_the_output_of_a_mesh_stage)
{
    program_header header;
    for (const unsigned address : {0x60U, 0x64U, 0x70U, 0x74U, 0x78U, 0x7cU, 0x80U, 0x84U, 0x88U})
        header.omap.insert(address / 4);
    const auto bytes = test::bytes_of<std::string>(encode_header(header));
    const temporary_folder folder;
    const auto result =
        run_isbesim({"layout", "--sph", folder.write("x.sph.bin", bytes), "--vertices", "64", "--primitives", "126",
                     "--per-primitive", "0x60", "--per-primitive", "0x64", "--shared-lines", "2"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(
        result.out.rfind("output: 7 attributes, 64 vertices, 2 attributes, 126 primitives, 0xc00 bytes, 24 lines\n"
                         "0x000-0x080  0x070  POSITION_X              [0..31]\n",
                         0),
        0U)
        << result.out;
    // Vertex 40's POSITION_Y is at 0x420, primitive 70's RT_ARRAY_INDEX at 0x998.
    EXPECT_NE(result.out.find("0x400-0x480  0x074  POSITION_Y              [32..63]\n"), std::string::npos);
    EXPECT_NE(result.out.find("0x980-0xa00  0x064  RT_ARRAY_INDEX          primitive[64..95]\n"), std::string::npos);
    EXPECT_NE(result.out.find("0xa80-0xb00  0x064  RT_ARRAY_INDEX          primitive[96..125]\n"
                              "0xb00-0xc00  shared lines\n"),
              std::string::npos)
        << result.out;
}

TEST(disasm_command, ISA_01_text_and_binary_are_inverse)
{
    const temporary_folder folder;
    const std::pair<std::string, const char*> programs[] = {
        {"gs_pass/gs", "sm50"},         {"gs_conditional/gs", "sm50"},      {"vs_loop/vs", "sm50"},
        {"vs_output_array/vs", "sm50"}, {"sm75_gs_conditional/gs", "sm75"}, {"sm75_vs_loop/vs", "sm86"}};
    for (const auto& [name, arch] : programs) {
        const auto binary = samples + name + ".code.bin";
        const auto text = run_isbesim({"disasm", binary, "--arch", arch});
        ASSERT_EQ(text.status, 0) << text.err;
        const auto source = folder.write("x.sass", text.out);
        const auto result = run_isbesim({"asm", source, "--arch", arch, "--out", folder.path("x.bin")});
        ASSERT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(temporary_folder::read(folder.path("x.bin")), temporary_folder::read(binary)) << name;
    }
}

TEST(disasm_command, a_header_is_shown_by_its_fields)
{
    const auto result = run_isbesim({"disasm", samples + "gs_pass/gs.sph.bin"});
    EXPECT_EQ(result.status, 0);
    EXPECT_NE(result.out.find("shader_type                   4 geometry"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("output_topology               7 triangle_strip"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("omap"), std::string::npos);
    EXPECT_EQ(run_isbesim({"disasm", samples + "gs_pass/gs.code.bin", "--sph"}).status, 2);
}

TEST(disasm_command, file_of_another_kind_is_named_by_its_kind)
{
    const temporary_folder folder;
    const auto expect_error = [&](const std::vector<std::string>& words, const std::string& part) {
        const auto result = run_isbesim(words);
        EXPECT_EQ(result.status, 2) << result.out;
        EXPECT_NE(result.last_error().find("the file looks like " + part), std::string::npos) << result.err;
    };
    const auto maxwell = samples + "gs_pass/gs.code.bin";
    // One EXIT of sm75 is a LOP3 and padding on sm50: a program without an end there.
    folder.write("exit.sass", "EXIT ;\n");
    ASSERT_EQ(run_isbesim({"asm", folder.path("exit.sass"), "--arch", "sm75", "--out", folder.path("exit.bin")}).status,
              0);
    expect_error({"disasm", folder.path("exit.bin"), "--arch", "sm50"}, "a whole program of sm75, sm86, sm89 or sm120");
    expect_error(
        {"disasm", folder.write("h.bin", temporary_folder::read(samples + "gs_pass/gs.sph.bin")), "--arch", "sm50"},
        "a shader program header");
    expect_error(
        {"asm", folder.write("b.sass", temporary_folder::read(maxwell)), "--arch", "sm50", "--out", folder.path("x")},
        "a whole program of sm50");
}

// No word of a program identifies the chip: if both chips can read it, its text is the same except for the scope of
// an atomic operation.
TEST(disasm_command, ISA_02_a_later_chips_program_is_refused_or_means_the_same)
{
    const std::string nak = ISBESIM_SOURCE_DIR "/tests/data/nak/";
    for (const auto* name : {"m01_points.mesh", "m03_perprim.mesh", "m05_dynarr.mesh", "m07_cull.mesh",
                             "m09_shared.mesh", "m11_ballot.mesh", "t01.mesh", "t01.task", "t03.mesh", "t03.task"}) {
        const auto result = run_isbesim({"disasm", nak + "sm86/" + name + ".code.bin", "--arch", "sm75"});
        EXPECT_EQ(result.status, 2) << name;
        EXPECT_NE(result.last_error().find("looks like a whole program of sm86"), std::string::npos) << name;
    }
    unsigned refused = 0;
    for (const auto* draw : {"points", "primitives", "array", "cull", "shared", "ballot", "payload", "grid"}) {
        const auto file = samples + "mesh_nak_" + draw + "/mesh.code.bin";
        const auto as_it_is = run_isbesim({"disasm", file, "--arch", "sm75"}),
                   later = run_isbesim({"disasm", file, "--arch", "sm86"});
        if (later.status == 0) {
            EXPECT_EQ(later.out, as_it_is.out) << draw;
            continue;
        }
        EXPECT_NE(later.last_error().find("looks like a whole program of sm75"), std::string::npos) << draw;
        ++refused;
    }
    EXPECT_EQ(refused, 2U); // those that load from memory
    const auto atomics = run_isbesim({"disasm", nak + "sm75/v11_atomic.vertex.code.bin", "--arch", "sm86"});
    EXPECT_NE(atomics.out.find("ATOMG.E.ADD.STRONG.SYS PT, R3"), std::string::npos) << atomics.err;
}

TEST(asm_command, registers_whose_low_bits_are_dropped_are_warned_of)
{
    const temporary_folder folder;
    const auto file = folder.write("x.sass", "ALD.64 R2, a[0x80] ;\nAST.P.64 a[R0-16], R1 ;\n EXIT ;\n");
    const auto result = run_isbesim({"asm", file, "--arch", "sm50", "--out", folder.path("x.bin")});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "isbesim: warning: " + file +
                              ":2:20: AST of 2 words with R1: the hardware drops the low bits "
                              "of the register, it takes R0 to R1\n");
}

} // namespace
} // namespace isbesim::testbench
