#include "testbench/program_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "models/isa/binary.h"
#include "models/isa/table.h"
#include "models/isa/text.h"
#include "testbench/files.h"
#include "testbench/hex_text.h"

namespace isbesim::testbench {

namespace {

struct architecture_row {
    const char* name;
    isa::architecture arch;
};
constexpr architecture_row architectures[] = {
    {"sm50", isa::architecture::sm50}, {"sm75", isa::architecture::sm75}, {"sm86", isa::architecture::sm86}};

std::vector<std::uint8_t> bytes_of(const std::string& text)
{
    return {text.begin(), text.end()};
}

} // namespace

std::optional<isa::architecture> parse_architecture(std::string_view name)
{
    for (const auto& row : architectures) {
        if (name == row.name) return row.arch;
    }
    return std::nullopt;
}

const char* architecture_name(isa::architecture arch)
{
    return architectures[static_cast<std::size_t>(arch)].name;
}

isa::program load_program(const std::string& file, isa::architecture arch, bool auto_schedule)
{
    const auto content = read_file(file, "a program (.bin or .sass)");
    const bool is_text = file.size() > 5 && file.compare(file.size() - 5, 5, ".sass") == 0;
    try {
        return is_text ? isa::assemble(content, arch, {auto_schedule}) : isa::decode_program(bytes_of(content), arch);
    } catch (const isa::program_error& error) {
        source_place place{file, std::max(1U, error.line), std::max(1U, error.column)};
        if (is_text) throw input_error(place, error.what());
        unsigned address = 0; // the error names it first
        if (std::sscanf(error.what(), "address 0x%x", &address) == 1) place.column = address + 1;
        throw input_error(place,
                          std::string(error.what()) + ", expected a whole program of " + architecture_name(arch));
    }
}

void check_runnable(const std::string& file, const isa::program& program)
{
    bool exits = false;
    for (const auto& instruction : program.code) {
        exits |= std::strcmp(instruction.row->mnemonic, "EXIT") == 0;
        if (instruction.row->execute != nullptr) continue;
        throw input_error({file}, std::string("the instruction ") + instruction.row->mnemonic + " at " +
                                      hex_text(instruction.address, 4) +
                                      " is not supported yet, expected one that can be executed");
    }
    if (!exits) throw input_error({file}, "the program has no EXIT, expected one on every path");
}

program_header load_header(const std::string& file)
{
    const auto bytes = bytes_of(read_file(file, "a shader program header of 80 or 128 bytes"));
    try {
        return decode_header(bytes.data(), bytes.size());
    } catch (const header_error& error) {
        throw input_error({file}, error.what());
    }
}

std::vector<word> load_words(const std::string& file, const std::string& expected)
{
    const auto bytes = read_file(file, expected);
    if (bytes.size() % 4 != 0) {
        throw input_error({file, 1, bytes.size() + 1}, "the file has " + std::to_string(bytes.size()) +
                                                           " bytes, expected a multiple of 4 (" + expected + ")");
    }
    std::vector<word> words(bytes.size() / 4);
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (unsigned b = 0; b < 4; ++b) {
            words[i] |= static_cast<word>(static_cast<std::uint8_t>(bytes[4 * i + b])) << (8 * b);
        }
    }
    return words;
}

} // namespace isbesim::testbench
