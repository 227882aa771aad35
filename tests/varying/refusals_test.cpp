// What a text may say and no program can do: each is refused where it stands, with what was expected. And constants,
// which are read from a bank at a fixed place or at an index.
#include <gtest/gtest.h>

#include "models/isa/text/text.h"
#include "models/varying/allocation/allocation.h"
#include "models/varying/language/evaluation.h"
#include "models/varying/lowering/lowering.h"
#include "tests/varying/vertex_bench.h"

namespace isbesim::varying {
namespace {

std::string refusal_of(const std::string& text)
{
    try {
        const auto code = parse_one(text);
        const auto placed = allocate(code);
        lower(code, placed, {isa::architecture::sm50, strategy::chain, true});
        make_header(code, placed, 3);
    } catch (const shader_error& error) {
        return error.what();
    }
    return "not refused";
}

TEST(refusals, VAR_04_name_what_was_expected)
{
    const std::string vertex = "VERT\nIN[0], GENERIC[0]\nOUT[0], POSITION\n";
    const std::string geometry = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                                 "IN[][0], GENERIC[0]\nIN[1], PRIMID\nOUT[0], POSITION\n";
    const std::pair<std::string, std::string> wrong[] = {
        {"GEOM\nPROPERTY GS_OUTPUT_PRIMITIVE QUADS\nOUT[0], POSITION\nMOV OUT[0], CONST[0]\nEMIT\nEND\n",
         "GS_OUTPUT_PRIMITIVE is 'QUADS', expected POINTS, LINE_STRIP or TRIANGLE_STRIP"},
        {"VERT\nOUT[0], FACE[]\n", "FACE[] leaves the index open, expected GENERIC[] or a number"},
        {vertex + "EMIT\nEND\n", "EMIT outside a geometry program, expected GEOM"},
        {"FRAG\nIN[0], GENERIC[0]\nOUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n",
         "a fragment program has no attribute instructions"},
        {vertex + "IN[1..4], GENERIC[1], ARRAY(1)\nMOV OUT[0], IN(1)[CONST[0].x+1]\nEND\n",
         "the index is in CONST, expected ADDR or TEMP"},
        {vertex + "ADDR[0]\nMOV OUT[0], ADDR[ADDR[0].x]\nEND\n", "ADDR has no array, expected a fixed register"},
        {geometry + "MOV OUT[0], IN[0]\nEMIT\nEND\n", "IN[0] lacks its vertex, expected IN[vertex][register]"},
        {geometry + "MOV OUT[0], IN[1][1]\nEMIT\nEND\n", "has a vertex, expected IN[register]"},
        {vertex + "MOV OUT[0], SV[0]\nEND\n", "SV[0] is not declared, expected DCL SV"},
        {vertex + "SV[0], PRIMID\nMOV OUT[0], SV[0]\nEND\n", "has no value in this stage, expected VERTEXID or"},
        {vertex + "MOV OUT[0], CONST[18][0]\nEND\n", "has no fixed constant buffer, expected CONST[0..17]"},
        {vertex + "MOV OUT[0], CONST[4096]\nEND\n", "is beyond the constant buffer, expected a register below 4096"},
        {vertex + "MOV OUT[0], OUT[0]\nEND\n", "OUT[0] is read, expected outputs to be written only"},
        {vertex + "MOV OUT[0], SAMP[0]\nEND\n", "can't be read here, expected IN, TEMP, CONST, IMM, SV or ADDR"},
        {vertex + "UADD OUT[0], |IN[0]|, IN[0]\nEND\n", "an integer has no absolute value here"},
        {vertex + "MOV CONST[0], IN[0]\nEND\n", "CONST[0] can't be written, expected OUT, TEMP or ADDR"},
    };
    for (const auto& [text, part] : wrong)
        EXPECT_NE(refusal_of(text).find(part), std::string::npos) << text << refusal_of(text);
}

/// Registers of bank 0 and 3 hold their number and bank.
word constant_of(unsigned bank, unsigned number, unsigned component)
{
    return bank * 0x10000 + number * 0x10 + component;
}

class lane_inputs : public thread_inputs {
public:
    explicit lane_inputs(unsigned lane) : lane_(lane) {}
    word input(unsigned, unsigned, unsigned) const override { return lane_ % 4; }
    word system_value(semantic) const override { return 0; }
    word constant(unsigned bank, unsigned number, unsigned component) const override
    {
        return constant_of(bank, number, component);
    }

private:
    unsigned lane_;
};

class constants_of_texts : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(on, constants_of_texts, testing::ValuesIn(test::back_ends()),
                         [](const auto& chosen) { return chosen.param; });

/// At a fixed register, of another bank, and at a lane's own index.
TEST_P(constants_of_texts, VAR_04_are_read_from_their_bank)
{
    isa::constant_banks banks;
    for (const unsigned bank : {0U, 3U})
        for (unsigned number = 0; number < 16; ++number)
            for (unsigned c = 0; c < 4; ++c) banks[bank].push_back(constant_of(bank, number, c));
    vertex_bench bench(GetParam());
    const auto code = parse_one("VERT\nIN[0], GENERIC[0]\nOUT[0], POSITION\nOUT[1], GENERIC[0]\nOUT[2], GENERIC[1]\n"
                                "ADDR[0]\nUARL ADDR[0].x, IN[0]\nMOV OUT[0], CONST[5].wzyx\nMOV OUT[1], CONST[3][2]\n"
                                "MOV OUT[2], CONST[3][ADDR[0].x+1]\nEND\n");
    const auto placed = allocate(code);
    for (const auto arch : {isa::architecture::sm50, isa::architecture::sm75}) {
        const auto made = lower(code, placed, {arch, strategy::chain, true});
        bench.run(isa::assemble(made.text(), arch), made.local_bytes, placed, banks,
                  [](unsigned, unsigned lane) { return lane % 4; });
        ASSERT_FALSE(HasFatalFailure()) << made.text();
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            const auto events = evaluate(code, placed, lane_inputs(lane));
            ASSERT_EQ(events.size(), 1U);
            std::size_t at = 0;
            for (const auto& place : placed.components()) {
                if (place.owner->declared->file != register_file::output) continue;
                const unsigned c = place.component;
                const word expected = place.number == 0   ? constant_of(0, 5, 3 - c)
                                      : place.number == 1 ? constant_of(3, 2, c)
                                                          : constant_of(3, lane % 4 + 1, c);
                EXPECT_EQ(bench.output(place.address / 4, lane), expected) << place.number << " lane " << lane;
                EXPECT_EQ(events[0].values[at++], expected) << place.number << " lane " << lane << ", evaluated";
            }
        }
    }
}

/// Numbers of 64 bits stand in two words, the low one first.
TEST(immediates, VAR_01_of_64_bits_are_two_words)
{
    const auto code = parse_one("VERT\nIN[0], GENERIC[0]\nOUT[0], POSITION\nIMM[0] FLT64 {1.0, -2.5}\n"
                                "MOV OUT[0], IMM[0]\nEND\n");
    ASSERT_EQ(code.immediates.size(), 1U);
    EXPECT_EQ(code.immediates[0].words, (std::vector<word>{0, 0x3ff00000, 0, 0xc0040000}));
}

} // namespace
} // namespace isbesim::varying
