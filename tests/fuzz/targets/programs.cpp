// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>

#include "models/attribute/sph.h"
#include "models/isa/encoding/binary.h"
#include "models/isa/tables/table.h"
#include "models/isa/text/text.h"
#include "testbench/files/input_error.h"
#include "testbench/files/program_file.h"
#include "tests/fuzz/targets/target.h"
#include "tests/support/bytes.h"

namespace isbesim::fuzz {

namespace {

constexpr std::array architectures{isa::architecture::sm50, isa::architecture::sm75, isa::architecture::sm86,
                                   isa::architecture::sm120};

/// Every input of one kind, for every architecture.
std::vector<std::string> with_architectures(const std::vector<std::string>& all)
{
    std::vector<std::string> seeds;
    for (std::size_t i = 0; i < architectures.size(); ++i)
        for (const auto& one : all) seeds.push_back(static_cast<char>(i) + one);
    return seeds;
}

} // namespace

void program_binary(std::string_view bytes)
{
    const auto arch = architectures[take_byte(bytes) % architectures.size()];
    const std::vector<std::uint8_t> code(bytes.begin(), bytes.end());
    try {
        const auto program = isa::decode_program(code, arch);
        require(isa::encode_program(program) == code, "encode(decode(x)) is x");
        const auto again = isa::assemble(isa::disassemble(program), arch);
        require(isa::encode_program(again) == code, "assemble(disassemble(x)) is x");
    } catch (const isa::program_error& error) {
        require(*error.what() != '\0', "an error has a text");
    }
}

void program_text(std::string_view bytes)
{
    const auto choice = take_byte(bytes);
    const auto arch = architectures[choice % architectures.size()];
    isa::assemble_options options;
    options.auto_schedule = (choice & 0x80U) != 0;
    isa::program program;
    try {
        program = isa::assemble(bytes, arch, options);
    } catch (const isa::program_error& error) {
        require(*error.what() != '\0' && error.line != 0, "an error has a text and a place");
        return;
    }
    const auto code = isa::encode_program(program);
    const auto again = isa::assemble(isa::disassemble(program), arch);
    require(isa::encode_program(again) == code, "assemble(disassemble(assemble(x))) is assemble(x)");
}

void header(std::string_view bytes)
{
    program_header read;
    try {
        read = testbench::parse_header("input", std::string(bytes));
    } catch (const testbench::input_error&) {
        return;
    }
    auto written = test::bytes_of(encode_header(read));
    written[2] =
        static_cast<std::uint8_t>(written[2] | (static_cast<unsigned>(bytes[2]) & 0xe0U)); // bits 23:21: reserved
    require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end(),
                       [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); }),
            "encode(decode(x)) is x");
}

std::vector<std::string> binary_seeds(const std::string& sources)
{
    auto programs = contents(sources + "testbench/scenarios", ".code.bin");
    const auto whole = programs.size();
    constexpr std::size_t bytes = 160; // five bundles of SM50, ten instructions of SM75
    for (std::size_t i = 0; i < whole; ++i)
        for (std::size_t offset = 0; offset + bytes < programs[i].size(); offset += bytes)
            programs.push_back(programs[i].substr(offset, bytes));
    return with_architectures(programs);
}

std::vector<std::string> text_seeds(const std::string& sources)
{
    auto texts = contents(sources + "testbench/scenarios", ".sass");
    for (const auto& code : contents(sources + "testbench/scenarios", ".code.bin"))
        for (const auto arch : architectures) {
            try {
                texts.push_back(isa::disassemble(isa::decode_program({code.begin(), code.end()}, arch)));
            } catch (const isa::program_error&) { // of another architecture
            }
        }
    add_beginnings(texts, 399);
    return with_architectures(texts);
}

std::vector<std::string> header_seeds(const std::string& sources)
{
    return contents(sources + "testbench/scenarios", ".sph.bin");
}

std::vector<std::string> program_words()
{
    std::set<std::string> words = {
        "R0",      "RZ",   "PT",   "!P0",     "a[0x80]", "c[0x0][0x10]", "&req=0x3f", "?word=0x",
        "?stall=", "&wr=", "&rd=", "?reuse=", "?yield",  "`(label)",     "label:",    "SR_LANEID"};
    for (const auto arch : architectures)
        for (const auto& row : isa::instruction_table(arch)) words.insert(row.mnemonic);
    return {words.begin(), words.end()};
}

} // namespace isbesim::fuzz
