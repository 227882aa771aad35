// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/program_file.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string_view>

#include "models/isa/encoding/binary.h"
#include "models/isa/tables/table.h"
#include "models/isa/text/text.h"
#include "testbench/files/files.h"
#include "testbench/files/input_error.h"
#include "testbench/files/nearest.h"
#include "tlm/enum_table.h"
#include "tlm/hex.h"

namespace isbesim::testbench {
namespace {

std::vector<std::uint8_t> bytes_of(const std::string& text)
{
    return {text.begin(), text.end()};
}

/// No control characters except tabs and line ends.
bool is_text(const std::vector<std::uint8_t>& bytes)
{
    return std::all_of(bytes.begin(), bytes.end(),
                       [](std::uint8_t c) { return (c >= 0x20 && c != 0x7f) || c == '\n' || c == '\r' || c == '\t'; });
}

bool has_exit(const isa::program& program)
{
    return std::any_of(program.code.begin(), program.code.end(),
                       [](const isa::instruction& each) { return std::strcmp(each.row->mnemonic, "EXIT") == 0; });
}

/// True for a program with an EXIT: a few words alone may be valid on every architecture.
bool is_program(const std::vector<std::uint8_t>& bytes, isa::architecture arch)
{
    try {
        return has_exit(isa::decode_program(bytes, arch));
    } catch (const isa::program_error&) {
        return false;
    }
}

bool is_header(const std::vector<std::uint8_t>& bytes)
{
    try {
        decode_header(bytes.data(), bytes.size());
        return true;
    } catch (const header_error&) {
        return false;
    }
}

/// " (the file looks like ...)" for the error about a file of the wrong kind; empty if unclear.
std::string hint(const std::vector<std::uint8_t>& bytes, std::optional<isa::architecture> arch)
{
    const auto found = looks_like(bytes, arch);
    return found.empty() ? "" : " (the file looks like " + found + ")";
}

constexpr std::string_view mark = "//## File \"";
constexpr std::string_view before_number = "\", line ";

/// "NAME:LINE" of a text that begins with the mark; empty if it has no number.
std::string source_of(std::string_view text)
{
    const auto end = text.find(before_number, mark.size());
    if (end == std::string_view::npos) return "";
    const auto number = text.substr(end + before_number.size());
    unsigned line = 0;
    std::from_chars(number.data(), number.data() + number.size(), line);
    if (line == 0) return "";
    return std::string(text.substr(mark.size(), end - mark.size())) + ":" + std::to_string(line);
}

} // namespace

std::string looks_like(const std::vector<std::uint8_t>& bytes, std::optional<isa::architecture> arch)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (bytes.empty()) return ""; // already in the error
    if (text.substr(0, 4) == "\x7f"
                             "ELF")
        return "an ELF file such as a cubin, of which only the bytes of the .text section are a program";
    if (is_header(bytes)) return "a shader program header";
    if (is_text(bytes)) {
        const auto first = text.find_first_not_of(" \t\r\n");
        if (first == std::string_view::npos) return "blanks";
        if (text[first] == '{' || text[first] == '[') return "JSON";
        if (text.substr(0, 7) == "stream,") return "a CSV of vertices";
        return "text; program text has a name that ends in .sass";
    }
    std::vector<std::string> names; // later architectures share most of their encoding
    for (const auto& row : architectures())
        if (row.arch != arch && is_program(bytes, row.arch)) names.emplace_back(row.name);
    return names.empty() ? "" : "a whole program of " + name_list(names);
}

isa::program load_program(const std::string& file, isa::architecture arch, bool auto_schedule)
{
    const bool text = file.size() > 5 && file.compare(file.size() - 5, 5, ".sass") == 0;
    return parse_program(file, read_file(file, "a program (.bin or .sass)"), text, arch, auto_schedule);
}

isa::program parse_program(const std::string& file, const std::string& content, bool text, isa::architecture arch,
                           bool auto_schedule)
{
    const auto bytes = bytes_of(content);
    if (text) {
        try {
            return isa::assemble(content, arch, {auto_schedule});
        } catch (const isa::program_error& error) {
            std::string what = error.what();
            if (what.find("expected") == std::string::npos)
                what += ", expected program text of " + std::string(architecture_name(arch));
            // A wrong statement is a mistake in the text; a file that is not text is of another kind.
            if (!is_text(bytes)) what += hint(bytes, std::nullopt);
            throw input_error({file, std::max(1U, error.line), std::max(1U, error.column)}, what);
        }
    }
    const std::string expected = ", expected a whole program of " + std::string(architecture_name(arch));
    try {
        auto program = isa::decode_program(bytes, arch);
        const auto other = has_exit(program) ? std::string() : hint(bytes, arch);
        if (other.empty()) return program;
        throw input_error({file}, "no instruction is EXIT" + expected + other);
    } catch (const isa::program_error& error) {
        source_place place{file};
        unsigned address = 0; // the error begins with it
        if (std::sscanf(error.what(), "address 0x%x", &address) == 1) place.column = address + 1;
        throw input_error(place, error.what() + expected + hint(bytes, arch));
    }
}

void check_runnable(const std::string& file, const isa::program& program)
{
    for (const auto& instruction : program.code) {
        if (instruction.row->execute != nullptr) continue;
        throw input_error({file}, std::string("the instruction ") + instruction.row->mnemonic + " at " +
                                      hex(instruction.address, 4) +
                                      " is not supported yet, expected one that can be executed");
    }
    if (!has_exit(program)) throw input_error({file}, "the program has no EXIT, expected one on every path");
}

program_header load_header(const std::string& file)
{
    return parse_header(file, read_file(file, "a shader program header of 80 or 128 bytes"));
}

program_header parse_header(const std::string& file, const std::string& content)
{
    const auto bytes = bytes_of(content);
    try {
        return decode_header(bytes.data(), bytes.size());
    } catch (const header_error& error) {
        throw input_error({file}, error.what() + hint(bytes, std::nullopt));
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

source_lines read_source_lines(const std::string& file, const isa::program& program)
{
    std::istringstream all(read_file(file, "a listing with source lines"));
    source_lines lines;
    std::string row, source;
    for (std::size_t number = 1; std::getline(all, row); ++number) {
        const auto begin = row.find_first_not_of(" \t");
        if (begin == std::string::npos) continue;
        const auto text = std::string_view(row).substr(begin);
        if (text.substr(0, mark.size()) == mark) {
            source = source_of(text);
            if (source.empty())
                throw input_error({file, number, begin + 1},
                                  "a source line without its number, expected //## File \"NAME\", line N");
        } else if (text.substr(0, 2) == "/*" && !source.empty()) {
            std::uint32_t address = 0;
            const auto* const last = text.data() + text.size();
            const auto* const end = std::from_chars(text.data() + 2, last, address, 16).ptr;
            const bool is_address = end - text.data() >= 2 + 4; // at least four digits; not /*add*/
            if (!is_address || last - end < 2 || std::string_view(end, 2) != "*/") continue;
            const auto index = program.index_of(address); // a control word has the index of the next instruction
            if (index == isa::program::npos || program.address_of(index) != address)
                throw input_error({file, number, begin + 1},
                                  "the program has no instruction at this address, expected its own listing");
            lines[address] = source;
        }
    }
    if (lines.empty())
        throw input_error({file, 1, 1}, "no instruction has a source line, expected //## File \"NAME\", line N before "
                                        "/*0008*/ ... as nvdisasm -g prints them");
    return lines;
}

} // namespace isbesim::testbench
