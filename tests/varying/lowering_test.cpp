// SPDX-License-Identifier: Apache-2.0
// Emitted sequences on the simulator: random declarations, random indices, every strategy and architecture, on every
// modelled back end, against what the declarations mean.
#include "models/varying/lowering/lowering.h"

#include <algorithm>
#include <fstream>
#include <random>

#include "models/isa/encoding/binary.h"
#include "models/varying/allocation/evaluation.h"
#include "test_paths.h"
#include "tests/support/repetitions.h"
#include "tests/varying/random_text.h"
#include "tests/varying/vertex_bench.h"
#include "tlm/float_bits.h"

namespace isbesim::varying {
namespace {

constexpr isa::architecture architectures[] = {isa::architecture::sm50, isa::architecture::sm75};

constexpr unsigned index_attribute = (0x80 + 31 * 16) / 4;

class lowering : public testing::TestWithParam<std::string> {
protected:
    void check(const std::string& text, unsigned seed, strategy how, isa::architecture arch)
    {
        const auto code = parse_one(text);
        const auto placed = allocate(code);
        const auto produced = lower(code, placed, {arch, how, true});
        const auto program = isa::assemble(produced.text(), arch);
        std::mt19937 twister(seed);
        std::array<std::array<word, warp_lanes>, attribute_ids> values{};
        for (unsigned id = 0; id < attribute_ids; ++id)
            for (auto& value : values[id]) {
                // Small fractions are exact in every operation above; two components are indices.
                value = static_cast<word>(twister());
                const bool is_index = id == index_attribute || id == index_attribute + 1;
                value = is_index ? value % 15 - 3 : to_bits(static_cast<float>(value % 4096) * 0.25F);
            }
        const auto input = [&](unsigned id, unsigned lane) { return values[id][lane]; };
        bench_->run(program, produced.local_bytes, placed, {}, input);
        if (HasFatalFailure()) FAIL() << text << produced.text();
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            const auto expected =
                evaluate(code, placed, found_inputs([&](unsigned number, unsigned component) {
                             return input(address_of(placed, register_file::input, number, component) / 4, lane);
                         }));
            ASSERT_EQ(expected.size(), 1U);
            std::size_t i = 0;
            for (const auto& place : placed.components()) {
                if (place.owner->declared->file != register_file::output) continue;
                ASSERT_EQ(bench_->output(place.address / 4, lane), expected[0].values[i++])
                    << "OUT[" << place.number << "]."
                    << "xyzw"[place.component] << " lane " << lane << "\n"
                    << text << produced.text();
            }
        }
    }
    void SetUp() override { bench_ = std::make_unique<vertex_bench>(GetParam()); }

    std::unique_ptr<vertex_bench> bench_;
};

INSTANTIATE_TEST_SUITE_P(on, lowering, testing::ValuesIn(test::back_ends()),
                         [](const auto& chosen) { return chosen.param; });

TEST_P(lowering, VAR_04_VAR_06_VAR_07_random_programs_match_their_declarations)
{
    for (unsigned seed = 0; seed < repetitions(250); ++seed) {
        const auto text = test::random_vertex_text(seed);
        for (const auto arch : architectures)
            for (const auto how : strategies) {
                ASSERT_NO_FATAL_FAILURE(check(text, seed, how, arch))
                    << "seed " << seed << " strategy " << static_cast<int>(how);
            }
    }
}

/// The attribute instructions of a program without guards and registers: "AL2P.O 0xb4", "AST.128 0x70".
std::vector<std::string> accesses_of(const isa::program& code)
{
    std::vector<std::string> result;
    for (const auto& each : code.code) {
        if (each.issue.latency != isa::latency_class::attribute) continue;
        auto text = isa::instruction_text(each);
        if (text[0] == '@') text.erase(0, text.find(' ') + 1);
        const auto hex = text.find("0x"), end = text.find_first_of("],", hex == std::string::npos ? 0 : hex);
        auto name = text.substr(0, text.find(' '));
        if (hex != std::string::npos) name += " " + text.substr(hex, end == std::string::npos ? end : end - hex);
        result.push_back(name);
    }
    std::sort(result.begin(), result.end());
    return result;
}

isa::program lowered(const std::string& text, strategy how, isa::architecture arch, bool defined)
{
    const auto code = parse_one(text);
    return isa::assemble(lower(code, allocate(code), {arch, how, defined}).text(), arch);
}

isa::program compiled_program(const std::string& name, isa::architecture arch)
{
    const auto* folder = arch == isa::architecture::sm50 ? "sm50/" : "sm75/";
    std::ifstream file(std::string(ISBESIM_SOURCE_DIR "/tests/data/") + folder + name + ".code.bin", std::ios::binary);
    return isa::decode_program(std::vector<std::uint8_t>{std::istreambuf_iterator<char>(file), {}}, arch);
}

/// A driver's compiler made this program of TGSI with indexed input and output arrays.
TEST(compiled, VAR_04_a_compiled_program_with_indexed_arrays_accesses_the_same_addresses)
{
    const std::string text = "VERT\nIN[0..1]\nIN[2..5], ARRAY(1)\nOUT[0], POSITION\nOUT[1], GENERIC[0]\n"
                             "OUT[2..5], GENERIC[3], ARRAY(1)\n"
                             "MOV OUT[0], IN[0]\nUARL ADDR[0].x, IN[1].xxxx\nUARL ADDR[0].y, CONST[0].yyyy\n"
                             "MOV TEMP[0], IN[ADDR[0].x+2](1)\nADD TEMP[1], TEMP[0], IN[ADDR[0].y+3](1).zzzz\n"
                             "MOV OUT[2], TEMP[0]\nMOV OUT[ADDR[0].x+2](1), TEMP[1]\n"
                             "MOV OUT[ADDR[0].y+3](1).yw, TEMP[0]\nMOV OUT[1], TEMP[1]\nEND\n";
    for (const auto arch : architectures) {
        const auto compiled = accesses_of(compiled_program("tgsi_indirect.tg01_vs_in_out_dyn.vs", arch));
        EXPECT_EQ(std::count(compiled.begin(), compiled.end(), "AL2P.O 0xc4"), 1);
        EXPECT_EQ(accesses_of(lowered(text, strategy::indirect, arch, false)), compiled);
        EXPECT_EQ(accesses_of(lowered(text, strategy::split, arch, false)), compiled) << "vectors are never split";
        EXPECT_NE(accesses_of(lowered(text, strategy::chain, arch, false)), compiled);
    }
}

/// The same of a tessellation control program: other vertices, outputs of other threads, an indexed patch array.
TEST(compiled, VAR_04_a_compiled_tessellation_program_accesses_the_same_addresses)
{
    const std::string text = "TESS_CTRL\nIN[][0], POSITION\nIN[][1..4], GENERIC[0], ARRAY(1)\nOUT[][0], POSITION\n"
                             "OUT[][1..3], GENERIC[5], ARRAY(1)\nOUT[4..7], PATCH, ARRAY(2)\nSV[0], INVOCATIONID\n"
                             "UARL ADDR[0].x, SV[0].xxxx\nUARL ADDR[0].y, CONST[0].xxxx\n"
                             "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n"
                             "MOV OUT[ADDR[0].x][1], IN[ADDR[0].x][ADDR[0].y+1](1)\n"
                             "MOV OUT[ADDR[0].x][ADDR[0].y+1](1), IN[2][3]\nMOV OUT[ADDR[0].x+4](2), IN[ADDR[0].x][2]\n"
                             "ADD OUT[ADDR[0].x][3], OUT[ADDR[0].y][ADDR[0].y+2](1), OUT[ADDR[0].y+4](2)\nEND\n";
    for (const auto arch : architectures) {
        // The compiler keeps handles where the text names the same vertex again, and stores tessellation levels, too.
        const auto other = [](const std::string& access) {
            const auto is_level = access.rfind("AST.P", 0) == 0 && access.find("0x2") == std::string::npos;
            return is_level || access.rfind("ISBERD", 0) == 0;
        };
        auto compiled = accesses_of(compiled_program("tgsi_indirect.tg06_tcs_dyn.ti", arch));
        auto produced = accesses_of(lowered(text, strategy::indirect, arch, false));
        for (auto* list : {&compiled, &produced})
            list->erase(std::remove_if(list->begin(), list->end(), other), list->end());
        EXPECT_EQ(produced, compiled);
        EXPECT_EQ(std::count(produced.begin(), produced.end(), "AL2P.O 0xec"), 1);
        EXPECT_EQ(std::count(produced.begin(), produced.end(), "AST.P 0x2c"), 1);
        EXPECT_EQ(std::count(produced.begin(), produced.end(), "ALD.O.P 0x2c"), 1);
    }
}

/// The sequences of the mail's examples, word by word.
TEST(sequences, VAR_04_direct_accesses_split_at_vectors)
{
    const std::string declared = "OUT[0..3].xyz, GENERIC[0].x\nOUT[4..5].xyz, GENERIC[3].x\nOUT[6].xy, GENERIC[4].zw\n";
    const auto accesses = [&](const std::string& text) {
        return accesses_of(lowered(declared + text, strategy::indirect, isa::architecture::sm50, false));
    };
    using list = std::vector<std::string>;
    EXPECT_EQ(accesses("ADD OUT[5].xyz, TEMP[0], TEMP[1]"), (list{"AST 0xbc", "AST.64 0xc0"}));
    EXPECT_EQ(accesses("ADD OUT[0].xyz, TEMP[0], TEMP[1]"), (list{"AST.96 0x80"}));
    EXPECT_EQ(accesses("ADD OUT[1], TEMP[0], TEMP[1]"), (list{"AST 0x8c", "AST.64 0x90"}));
    EXPECT_EQ(accesses("ADD OUT[2], TEMP[0], TEMP[1]"), (list{"AST 0xa0", "AST.64 0x98"}));
    EXPECT_EQ(accesses("ADD OUT[6], TEMP[0], TEMP[1]"), (list{"AST.64 0xc8"}));
    EXPECT_EQ(accesses("ADD OUT[2].yz, TEMP[0], TEMP[1]"), (list{"AST 0x9c", "AST 0xa0"}));
}

/// Element 0 is 70 elements beyond ADDR: more than an instruction's offset reaches.
TEST(sequences, VAR_04_an_offset_beyond_its_field_is_added_to_the_address)
{
    const std::string text = "VERT\nIN[0], GENERIC[0]\nIN[1..8], GENERIC[1], ARRAY(1)\nOUT[0], POSITION\n"
                             "OUT[1..8], GENERIC[4], ARRAY(2)\nADDR[0]\nUARL ADDR[0].x, IN[0].xxxx\n"
                             "MOV OUT[0], IN[0]\nMOV OUT(2)[ADDR[0].x+70].xy, IN(1)[ADDR[0].x+70].yxxx\nEND\n";
    const auto code = parse_one(text);
    const auto placed = allocate(code);
    const auto input = [](unsigned id, unsigned lane) { return id == 0x80 / 4 ? lane % 8 - 70 : 0x100 * id + lane; };
    vertex_bench bench("at");
    for (const auto arch : architectures) {
        bench.run(lowered(text, strategy::indirect, arch, false), 0, placed, {}, input);
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            const auto source = (0x90 + 16 * (lane % 8)) / 4, to = (0xc0 + 16 * (lane % 8)) / 4;
            EXPECT_EQ(bench.output(to, lane), input(source + 1, lane));
            EXPECT_EQ(bench.output(to + 1, lane), input(source, lane));
            EXPECT_EQ(bench.output(to + 2, lane), 0xdead0000U + to + 2);
        }
    }
}

TEST(sequences, VAR_04_a_system_value_is_the_same_however_it_is_written)
{
    const auto accesses = [](const std::string& declared, const std::string& access) {
        return accesses_of(lowered("VERT\nOUT[0], POSITION\n" + declared + "\nMOV OUT[0], " + access + "\nEND\n",
                                   strategy::indirect, isa::architecture::sm50, false));
    };
    const std::vector<std::string> vertex_id = {"ALD 0x2fc", "AST.128 0x70"};
    EXPECT_EQ(accesses("SV[3], VERTEXID", "SV[3]"), vertex_id);
    for (const auto* access : {"SV[3]", "SV[3](1)", "SV(1)[0]"})
        EXPECT_EQ(accesses("SV[3], VERTEXID, ARRAY(1)", access), vertex_id) << access;
    for (const auto* access : {"SV[0]", "SV[0](1)", "SV(1)[0]"}) {
        const auto code = parse_one("GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                                    "OUT[0], POSITION\nSV[0], INVOCATIONID, ARRAY(1)\nMOV OUT[0], " +
                                    std::string(access) + "\nEMIT\nEND\n");
        const auto text = lower(code, allocate(code), {isa::architecture::sm50, strategy::indirect, true}).text();
        EXPECT_NE(text.find("SR_INVOCATION_ID"), std::string::npos) << access;
    }
}

TEST(sequences, VAR_05_an_array_resolves_to_its_base)
{
    const auto al2p = [](const std::string& access) {
        return accesses_of(
                   lowered("OUT[0], POSITION\nOUT[1..8].x, CLIPDIST, ARRAY(1)\nOUT[9..12], GENERIC[2], ARRAY(2)\nMOV " +
                               access + ", IMM[0].xxxx\nIMM FLT32 {1}",
                           strategy::indirect, isa::architecture::sm75, false))
            .front();
    };
    EXPECT_EQ(al2p("OUT(1)[ADDR[0].x]"), "AL2P.O 0x2c0");
    EXPECT_EQ(al2p("OUT(1)[ADDR[0].x+1]"), "AL2P.O 0x2c4");
    EXPECT_EQ(al2p("OUT(1)[ADDR[0].x-1]"), "AL2P.O 0x2bc");
    EXPECT_EQ(al2p("OUT[ADDR[0].x](1)"), "AL2P.O 0x2bc"); // register 1 is element 0
    EXPECT_EQ(al2p("OUT[ADDR[0].x+1](1)"), "AL2P.O 0x2c0");
    EXPECT_EQ(al2p("OUT(2)[ADDR[0].x-1].y"), "AL2P.O 0x94");
    EXPECT_EQ(al2p("OUT(2)[ADDR[0].x+1].y"), "AL2P.O 0xb4");
}

/// The mail's second suggestion: a[i + 5] = 999 of a float array in whole vectors. The address is that of component
/// 4 * 1 + 1 plus four bytes per i.
TEST(sequences, VAR_07_an_index_that_counts_components)
{
    const std::string declared = "OUT[0..1].xyzw, GENERIC[0], ARRAY(1), COMPONENT_INDEX\nIMM FLT32 {999}\n";
    const auto accesses = [&](const std::string& access, strategy how) {
        return accesses_of(lowered(declared + "MOV " + access + ", IMM[0].xxxx", how, isa::architecture::sm50, false));
    };
    using list = std::vector<std::string>;
    EXPECT_EQ(accesses("OUT(1)[ADDR[0].x+1].y", strategy::indirect), (list{"AL2P.O 0x94", "AST.PHYS"}));
    EXPECT_EQ(accesses("OUT(1)[ADDR[0].x].x", strategy::indirect), (list{"AL2P.O 0x80", "AST.PHYS"}));
    EXPECT_EQ(accesses("OUT(1)[ADDR[0].x-1].w", strategy::indirect), (list{"AL2P.O 0x7c", "AST.PHYS"}));
    EXPECT_EQ(accesses("OUT[ADDR[0].x+1](1).zw", strategy::indirect),
              (list{"AL2P.O 0x98", "AL2P.O 0x9c", "AST.PHYS", "AST.PHYS"}));
    EXPECT_EQ(accesses("OUT(1)[1].y", strategy::indirect), (list{"AST 0x94"})); // a fixed register is what it was
    EXPECT_EQ(accesses("OUT(1)[ADDR[0].x+1].y", strategy::chain),
              (list{"AST 0x80", "AST 0x84", "AST 0x88", "AST 0x8c", "AST 0x90", "AST 0x94", "AST 0x98", "AST 0x9c"}));
    for (const auto how : {strategy::split, strategy::select}) // which of four, in the vector that the rest addresses
        EXPECT_EQ(accesses("OUT(1)[ADDR[0].x+1].y", how),
                  (list{"AL2P.O 0x80", "AL2P.O 0x84", "AL2P.O 0x88", "AL2P.O 0x8c", "AST.PHYS", "AST.PHYS", "AST.PHYS",
                        "AST.PHYS"}));
    EXPECT_EQ(accesses("OUT(1)[ADDR[0].x+1].y", strategy::local), (list{"AST.128 0x80", "AST.128 0x90"}));
}

/// `if ((index & 3) == 0) x; else if ((index & 3) == 1) y; …` of the mail, per component where elements cross vectors.
TEST(sequences, VAR_06_the_chain_of_the_mail_compares_index_and_3)
{
    const auto text_of = [](const std::string& text, isa::architecture arch) {
        const auto code = parse_one(text);
        return lower(code, allocate(code), {arch, strategy::select, false}).text();
    };
    const auto clip = text_of("OUT[0..7].x, CLIPDIST, ARRAY(1)\nIMM FLT32 {1}\nMOV OUT(1)[ADDR[0].x], IMM[0].xxxx",
                              isa::architecture::sm50);
    EXPECT_NE(clip.find("LOP32I.AND R8, R0, 0x3 ;\nSHR.U32 R9, R0, 0x2 ;\nSHL R9, R9, 0x4 ;\n"
                        "ISETP.EQ.AND P0, PT, R8, 0x0, PT ;\nISETP.EQ.AND P1, PT, R8, 0x1, PT ;\n"
                        "ISETP.EQ.AND P2, PT, R8, 0x2, PT ;\nISETP.EQ.AND P3, PT, R8, 0x3, PT ;\n"
                        "@P0 AL2P.O R10, R9, 0x2c0 ;\n@P0 AST.PHYS"),
              std::string::npos)
        << clip;
    const auto vectors = [&](const char* declared) {
        return accesses_of(lowered(std::string(declared) + ", ARRAY(1)\nMOV OUT(1)[ADDR[0].x], TEMP[0]",
                                   strategy::select, isa::architecture::sm75, false))
            .size();
    };
    EXPECT_EQ(vectors("OUT[0..3], GENERIC[0]"), 2U * 4);         // whole vectors: nothing to select
    EXPECT_EQ(vectors("OUT[0..3].xyz, GENERIC[0]"), 2U * 3 * 4); // each of three selects among four
    EXPECT_EQ(vectors("OUT[0..3].xy, GENERIC[0]"), 2U * 2 * 2);  // x or z, y or w
    EXPECT_EQ(vectors("OUT[0..3].xyz, GENERIC[0..3]"), 2U * 3);  // an index each: always cut alike
}

TEST(sequences, unsupported_operation_is_refused_with_a_reason)
{
    const auto refused = [](const std::string& text, const char* part) {
        expect_refusal(text, part, strategy::indirect);
    };
    refused("OUT[0], POSITION\nTEX OUT[0], TEMP[0], SAMP[0], 2D", "no lowering for TEX");
    refused("FRAG\nDCL OUT[0], COLOR", "a fragment program has no attribute instructions");
    refused("OUT[0].xy, GENERIC[0]\nMOV OUT[0].z, TEMP[0]", "has no component z");
    refused("IN[0].xy, GENERIC[0]\nMOV TEMP[0], IN[0].wwww", "has no component w");
    refused("OUT[0], POSITION\nMOV TEMP[0], OUT[0]", "OUT[0] is read, expected outputs to be written only");
    refused("OUT[0], POSITION\nMOV OUT[0], IMM[3]", "no declared immediate");
    refused("OUT[0], POSITION\nMOV OUT[0], TEMP[ADDR[0].x]", "no declared array");
    refused("OUT[0], POSITION\nEMIT", "EMIT outside a geometry program, expected GEOM");
    refused("GEOM\nIN[][0], POSITION\nOUT[0], POSITION\nMOV OUT[0], IN[0]\nEMIT",
            "IN[0] lacks its vertex, expected IN[vertex][register]");
    refused("GEOM\nIN[][0], POSITION\nOUT[0], POSITION\nMOV OUT[0], IN[3][0]\nEMIT", "vertex 3 does not exist");
    refused("OUT[0..127].x, GENERIC[0], ARRAY(1)\nTEMP[0..32767], ARRAY(1)\nTEMP[40000], ARRAY(2)\n"
            "MOV TEMP[ADDR[0].x](1), TEMP[0]\nMOV TEMP[ADDR[0].x](2), TEMP[0]",
            "524288 bytes of local memory");
    std::string endless = "OUT[0..127].x, GENERIC[0], ARRAY(1)\n";
    for (unsigned i = 0; i < 20000; ++i) endless += "MOV OUT(1)[ADDR[0].x], TEMP[0]\n";
    refused(endless, "longer than 100000 instructions");
    std::string many = "OUT[0], POSITION\n";
    for (unsigned i = 0; i < 80; ++i) many += "MOV TEMP[" + std::to_string(i) + "], IMM[0]\n";
    refused("IMM FLT32 {1}\n" + many, "TEMP and ADDR registers");
    EXPECT_EQ(
        refusal_of("OUT[0], POSITION\nTEMP[0..3], ARRAY(1)\nMOV TEMP[2], TEMP[9]\nMOV OUT[0], TEMP[ADDR[0].x+1](1)",
                   strategy::indirect),
        "");
}

TEST(sequences, VAR_04_unlowered_operations_are_not_evaluated)
{
    const auto code = parse_one("VERT\nIN[0], GENERIC[0]\nOUT[0], POSITION\nLIT OUT[0], IN[0]\nEND\n");
    const auto placed = allocate(code);
    try {
        evaluate(code, placed, found_inputs([](unsigned, unsigned) { return word{0}; }));
        FAIL();
    } catch (const shader_error& error) {
        EXPECT_STREQ(error.what(), "LIT is not evaluated, expected an opcode that is lowered");
        EXPECT_EQ(error.at.line, 4U);
    }
}

TEST(sequences, VAR_04_refusals_state_expectation)
{
    const std::string vertex = "VERT\nIN[0], GENERIC[0]\nOUT[0], POSITION\n";
    const std::string geometry = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                                 "IN[][0], GENERIC[0]\nIN[1], PRIMID\nOUT[0], POSITION\n";
    const std::pair<std::string, std::string> wrong[] = {
        {"GEOM\nPROPERTY GS_OUTPUT_PRIMITIVE QUADS\nOUT[0], POSITION\nMOV OUT[0], CONST[0]\nEMIT\nEND\n",
         "GS_OUTPUT_PRIMITIVE is 'QUADS', expected POINTS, LINE_STRIP or TRIANGLE_STRIP"},
        {"VERT\nOUT[0], FACE[]\n", "FACE[] leaves the index open, expected GENERIC[] or a number"},
        {vertex + "IN[1..4], GENERIC[1], ARRAY(1)\nMOV OUT[0], IN(1)[CONST[0].x+1]\nEND\n",
         "the index is in CONST, expected ADDR or TEMP"},
        {vertex + "ADDR[0]\nMOV OUT[0], ADDR[ADDR[0].x]\nEND\n", "ADDR has no array, expected a fixed register"},
        {geometry + "MOV OUT[0], IN[1][1]\nEMIT\nEND\n", "has a vertex, expected IN[register]"},
        {vertex + "MOV OUT[0], SV[0]\nEND\n", "SV[0] is not declared, expected DCL SV"},
        {vertex + "SV[0], VERTEXID, ARRAY(1)\nADDR[0]\nMOV OUT[0], SV(1)[ADDR[0].x]\nEND\n",
         "SV(1)[ADDR[0].x] is chosen by a register, expected one number, as in SV[0]"},
        {geometry + "SV[0], INVOCATIONID\nADDR[0]\nMOV OUT[0], SV[ADDR[0].x]\nEMIT\nEND\n",
         "is chosen by a register, expected one number"},
        {vertex + "SV[0]\nMOV OUT[0], SV[0]\nEND\n", "SV[0] has no semantic, expected one like INSTANCEID"},
        {vertex + "SV[0], PRIMID\nMOV OUT[0], SV[0]\nEND\n", "has no value in this stage, expected VERTEXID or"},
        {vertex + "MOV OUT[0], CONST[18][0]\nEND\n", "has no fixed constant buffer, expected CONST[0..17]"},
        {vertex + "MOV OUT[0], CONST[4096]\nEND\n", "is beyond the constant buffer, expected a register below 4096"},
        {vertex + "MOV OUT[0], SAMP[0]\nEND\n", "can't be read here, expected IN, TEMP, CONST, IMM, SV or ADDR"},
        {vertex + "UADD OUT[0], |IN[0]|, IN[0]\nEND\n", "an integer has no absolute value here"},
        {vertex + "MOV CONST[0], IN[0]\nEND\n", "CONST[0] can't be written, expected OUT, TEMP or ADDR"},
    };
    for (const auto& [text, part] : wrong) expect_refusal(text, part);
}

} // namespace
} // namespace isbesim::varying
