// SPDX-License-Identifier: Apache-2.0
// Whatever `pack` emits is derived from one program: addresses, header, program text and scenario agree, for random
// texts with registers and immediates that nothing defines.
#include <regex>
#include <set>
#include <sstream>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "models/attribute/sph.h"
#include "models/isa/text/text.h"
#include "testbench/command_line/commands.h"
#include "testbench/files/input_error.h"
#include "tests/support/repetitions.h"
#include "tests/testbench/temporary_folder.h"
#include "tests/varying/random_text.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;
using addresses = std::set<unsigned>;
using test::text_writer;

constexpr const char* strategies[] = {"chain", "indirect", "split", "select", "local"};

/// The accesses of a program text at fixed addresses: loads of inputs, stores and loads of outputs.
struct touched {
    addresses loaded, stored;
};

touched touched_by(const std::string& sass)
{
    static const std::regex access(R"((ALD|AST)(\.O)?(\.P)?(\.64|\.96|\.128)? .*a\[(0x[0-9a-f]+)\].*)");
    touched result;
    std::istringstream lines(sass);
    for (std::string line; std::getline(lines, line);) {
        std::smatch parts;
        if (line.rfind("//", 0) == 0 || !std::regex_search(line, parts, access) || parts[3].matched) continue;
        const unsigned words = parts[4] == ".64" ? 2 : parts[4] == ".96" ? 3 : parts[4] == ".128" ? 4 : 1;
        auto& set = parts[1] == "AST" || parts[2].matched ? result.stored : result.loaded;
        const auto first = static_cast<unsigned>(std::stoul(parts[5], nullptr, 16));
        for (unsigned i = 0; i < words; ++i) set.insert(first + 4 * i);
    }
    return result;
}

addresses addresses_of(const attribute_set& set)
{
    addresses result;
    for (unsigned id = 0; id < mapped_attribute_ids; ++id)
        if (set.contains(id)) result.insert(4 * id);
    return result;
}

class forms : public testing::Test {
protected:
    std::string pack(const std::string& text, std::vector<std::string> options)
    {
        options.insert(options.begin(), folder_.write("x.tgsi", text));
        std::ostringstream out, err;
        run_pack(options, out, err);
        return out.str();
    }

    program_header header(const std::string& text, const std::string& strategy)
    {
        const auto file = folder_.path("x.sph.bin");
        pack(text, {"--emit", "sph", "--strategy", strategy, "--out", file});
        const auto bytes = temporary_folder::read(file);
        return decode_header(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }

    /// Scalars by direction, out of the JSON.
    static touched components_of(const std::string& shown)
    {
        touched result;
        const auto root = json::parse(shown);
        for (const auto& each : root.at("components").as_array()) {
            if (each.as_object().contains("space")) continue;
            const bool output = each.at("file") == "OUT" || each.at("semantic") == "TESSCOORD";
            (output ? result.stored : result.loaded)
                .insert(static_cast<unsigned>(std::stoul(std::string(each.at("address").as_string()), nullptr, 16)));
        }
        return result;
    }

    /// Checks a text that reads all that it declares.
    void check(const std::string& text)
    {
        const auto json_text = pack(text, {});
        const auto declared = components_of(json_text);
        for (const auto* strategy : strategies) {
            const auto words = header(text, strategy);
            EXPECT_EQ(addresses_of(words.imap), declared.loaded) << text;
            EXPECT_EQ(addresses_of(words.omap), declared.stored) << text;
            const auto sass = pack(text, {"--emit", "sass", "--strategy", strategy});
            const auto fixed = touched_by(sass);
            EXPECT_TRUE(
                std::includes(declared.loaded.begin(), declared.loaded.end(), fixed.loaded.begin(), fixed.loaded.end()))
                << text << sass;
            EXPECT_TRUE(
                std::includes(declared.stored.begin(), declared.stored.end(), fixed.stored.begin(), fixed.stored.end()))
                << text << sass;
            // The chain has no other addresses than fixed ones: this is all that the program can reach.
            if (std::string(strategy) != "chain") continue;
            EXPECT_EQ(sass.find("AL2P"), std::string::npos);
            EXPECT_EQ(fixed.loaded, declared.loaded) << text << sass;
            EXPECT_EQ(fixed.stored, declared.stored) << text << sass;
        }
        // The texts that the command prints are the same program.
        for (const auto* form : {"text", "completed"}) {
            const auto again = pack(text, {"--emit", form});
            EXPECT_EQ(pack(again, {"--emit", form}), again);
            EXPECT_EQ(pack(again, {}), json_text) << text << again;
            EXPECT_EQ(pack(again, {"--emit", "sph"}), pack(text, {"--emit", "sph"})) << text << again;
        }
    }

    /// The draw has the same programs and headers.
    void check_scenario(const std::string& text, const std::string& stage)
    {
        for (const auto* strategy : {"local", "select"}) {
            const auto folder = folder_.path("made");
            pack(text, {"--emit", "scenario", "--strategy", strategy, "--out", folder});
            EXPECT_EQ(temporary_folder::read(folder + "/" + stage + ".sass"),
                      pack(text, {"--emit", "sass", "--strategy", strategy}));
            const auto file = folder_.path("x.sph.bin");
            pack(text, {"--emit", "sph", "--strategy", strategy, "--out", file});
            EXPECT_EQ(temporary_folder::read(folder + "/" + stage + ".sph.bin"), temporary_folder::read(file));
            const auto whole = pack(text, {"--emit", "completed"});
            const auto written = temporary_folder::read(folder + "/declarations.tgsi");
            EXPECT_NE(written.find(whole.substr(whole.find("DCL"))), std::string::npos) << written << whole;
        }
    }

    temporary_folder folder_;
};

/// Registers, TEMP, ADDR and IMM that nothing defines; every input is read.
std::string random_accesses(unsigned seed, const std::string& kind)
{
    text_writer make(seed);
    const bool geometry = kind == "GEOM", control = kind == "TESS_CTRL", evaluation = kind == "TESS_EVAL";
    const auto vertex_in = geometry || control || evaluation ? "[]" : "";
    const auto inputs = make.arrays("GENERIC", make.pick(3), 0, 60, 1 + make.pick(2));
    const auto outputs = make.arrays("GENERIC", make.pick(3), 0, 60, 1 + make.pick(2));
    std::string text = kind + "\n", body;
    for (const auto& each : inputs) text += text_writer::declare(std::string("IN") + vertex_in, each);
    for (const auto& each : outputs) text += text_writer::declare(control ? "OUT[]" : "OUT", each);
    text += control ? "DCL OUT[][80], POSITION\n" : "DCL OUT[80], POSITION\n";
    if (evaluation) text += "DCL SV[0], TESSCOORD\n";
    const std::vector<std::string> indices = {"ADDR[0].x", "TEMP[1].w", "ADDR[1].z"};
    const std::string corner = *vertex_in != 0 ? "[0]" : "", own = control ? "[0]" : "";
    for (const auto& each : inputs) {
        // An element at a run-time index: all of them can be touched.
        const auto source = "IN(" + std::to_string(each.id) + ")" + corner + "[" + indices[make.pick(3)] + "]";
        for (unsigned c = 0; c < each.width; ++c)
            body += "ADD TEMP[0], TEMP[0], " + source + "." + std::string(4, "xyzw"[c]) + "\n";
    }
    if (evaluation) body += "ADD TEMP[0], TEMP[0], SV[0].xyxy\n";
    for (const auto& each : outputs)
        body += make.transfer("OUT(" + std::to_string(each.id) + ")" + own + "[" + indices[make.pick(3)] + "]" +
                                  (control ? "" : make.mask(each.width)),
                              "TEMP[" + std::to_string(make.pick(4)) + "]");
    body += "MOV OUT" + own + "[80], IMM[" + std::to_string(make.pick(3)) + "]\n";
    if (geometry) body += "EMIT\n";
    return text + body;
}

TEST_F(forms, VAR_02_registers_that_get_attributes_are_in_the_header_too)
{
    const std::string text = "IN[0..6].x, GENERIC[0], ARRAY(1)\nOUT[0], POSITION\nMOV OUT[0], IN(1)[ADDR[0].x].xxxx\n";
    const auto words = header(text, "indirect");
    for (unsigned address = 0x80; address <= 0xa8; address += 4) EXPECT_TRUE(words.imap.contains(address / 4));
    EXPECT_EQ(words.imap.count(), 11U);
    const auto fixed = touched_by(pack(text, {"--emit", "sass"}));
    EXPECT_EQ(fixed.loaded, (addresses{0x9c, 0xa0, 0xa4, 0xa8}));
    check(text);
    check_scenario(text, "vs");
}

TEST_F(forms, random_accesses_without_a_program_around_them)
{
    for (const auto* kind : {"VERT", "GEOM", "TESS_CTRL", "TESS_EVAL"})
        for (unsigned seed = 0; seed < repetitions(25); ++seed) {
            const auto text = random_accesses(seed, kind);
            check(text);
            if (seed % 5 == 0 && std::string(kind) == "VERT") check_scenario(text, "vs");
            if (seed % 5 == 0 && std::string(kind) == "GEOM") check_scenario(text, "gs");
            if (HasFailure()) FAIL() << "seed " << seed << " " << kind;
        }
}

/// Added instructions touch only declared registers: the declarations' header is the program's.
TEST_F(forms, declarations_alone_get_a_program_that_touches_all_of_them)
{
    for (const auto* kind : {"VERT", "GEOM", "TESS_CTRL", "TESS_EVAL"})
        for (unsigned seed = 0; seed < repetitions(25); ++seed) {
            auto text = random_accesses(seed, kind);
            text = text.substr(0, text.find("ADD "));
            check(text);
            EXPECT_EQ(pack(text, {"--emit", "text"}).find("MOV"), std::string::npos);
            EXPECT_NE(pack(text, {"--emit", "completed"}).find("MOV"), std::string::npos);
            if (HasFailure()) FAIL() << "seed " << seed << " " << kind << "\n" << text;
        }
    check("VERT\nDCL SV[0], VERTEXID\nDCL IN[0], GENERIC[3]\nDCL IN[1..3].xy, GENERIC[5]\nDCL OUT[0], POSITION\n");
    check("GEOM\nDCL SV[0], PRIMID\nDCL SV[1], INVOCATIONID\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n");
}

/// Without room for another attribute the registers get values that are the same for all vertices.
TEST_F(forms, a_text_without_room_is_completed_all_the_same)
{
    const std::string text = "IN[0..31], GENERIC[0], ARRAY(1)\nOUT[0], POSITION\nMOV OUT[0], IN(1)[ADDR[0].x+1]\n";
    check(text);
    EXPECT_EQ(header(text, "indirect").imap.count(), 128U);
    check_scenario(text, "vs");
}

/// A dot product reads components by its own rule, an output takes those that it has: nothing else is missing.
TEST_F(forms, unread_outputs_are_not_completed)
{
    for (const auto* text : {"IN[0]\nOUT[0], POSITION\nMOV TEMP[0].xyz, IN[0]\nDP3 OUT[0].w, TEMP[0], TEMP[0]\n",
                             "IN[0]\nOUT[0].x, GENERIC[0]\nMOV TEMP[0].x, IN[0]\nMOV OUT[0], TEMP[0]\n",
                             "IN[0]\nOUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\nMOV OUT[0], TEMP[0]\n",
                             // Other tools know these opcodes: the text is unchanged.
                             "IN[0]\nOUT[0], POSITION\nIF TEMP[0].xxxx\nMOV OUT[0], IN[0]\nENDIF\n"})
        EXPECT_EQ(header(text, "indirect").imap.count(), 4U) << text;
    EXPECT_EQ(header("IN[0]\nOUT[0], POSITION\nDP4 OUT[0].w, TEMP[0], IN[0]\n", "indirect").imap.count(), 8U);
}

} // namespace
} // namespace isbesim::testbench
