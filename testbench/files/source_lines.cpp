// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/source_lines.h"

#include <charconv>
#include <sstream>
#include <string_view>

#include "testbench/files/files.h"
#include "testbench/files/input_error.h"

namespace isbesim::testbench {

namespace {

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
