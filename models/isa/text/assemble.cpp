// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <utility>

#include "models/isa/encoding/binary.h"
#include "models/isa/encoding/codec.h"
#include "models/isa/schedule.h"
#include "models/isa/text/statement.h"
#include "models/isa/text/text.h"

namespace isbesim::isa {

namespace {

/// A bare address in front of an instruction, as disassembly listings have it, is a comment too.
void skip_address(cursor& input)
{
    input.skip_blanks();
    if (std::isdigit(static_cast<unsigned char>(input.here())) != 0) input.word();
}

/// `name:` before a statement.
bool read_label(cursor& input, label_map& labels, std::uint32_t address, bool first_pass)
{
    const std::size_t start = input.start();
    const std::string name(input.word(".$"));
    if (name.empty() || !input.accept(':')) {
        input.rewind(start);
        return false;
    }
    if (first_pass && !labels.emplace(name, address).second) input.fail("label '" + name + "' is defined twice", start);
    return true;
}

void read_program(std::string_view text, program& result, label_map& labels, bool first_pass)
{
    unsigned line_number = 0;
    bool padded = false; // only more ?pad may follow
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        cursor input(text.substr(0, end), ++line_number);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        while (!input.at_end()) {
            const std::uint32_t address = result.address_of(result.code.size());
            skip_address(input);
            if (read_label(input, labels, address, first_pass)) continue;
            if (input.accept(';')) continue;
            const std::size_t start = input.position();
            instruction read = parse_statement(input, result.arch, address, first_pass ? nullptr : &labels,
                                               first_pass ? nullptr : &result.warnings);
            if (padded && !read.padding) input.fail("expected the end of the program after ?pad", start);
            padded = read.padding;
            if (!padded) result.code.push_back(read);
            if (!input.at_end()) input.expect(';', "after the instruction");
        }
    }
}

/// Inserts NOPs that wait. Branches still go to the same instructions.
void insert(const waits& rest, program& result)
{
    if (rest.empty()) return;
    program longer = result;
    longer.code.clear();
    const auto moved = [&](std::uint32_t address) {
        const std::size_t index = result.index_of(address);
        if (index == program::npos) return address;
        const auto nops = std::distance(rest.begin(), rest.upper_bound(index));
        return longer.address_of(index + static_cast<std::size_t>(nops));
    };
    for (instruction each : result.code) {
        const auto found = rest.find(result.index_of(each.address));
        if (found != rest.end()) {
            longer.code.push_back(parse_instruction("NOP", result.arch, longer.address_of(longer.code.size())));
            longer.code.back().control.stall = found->second;
        }
        const encoding before = encode_instruction(result.arch, each);
        each.address = moved(each.address);
        for (const auto& spec : each.row->operands)
            if (spec.form == form::target) {
                auto& target = each.operands[static_cast<std::size_t>(spec.where)].value;
                target = moved(target);
            }
        const encoding after = encode_instruction(result.arch, each);
        for (std::size_t i = 0; i < after.size(); ++i) each.word[i] ^= before[i] ^ after[i];
        longer.code.push_back(each);
    }
    for (auto& each : longer.warnings) each.address = moved(each.address);
    result = std::move(longer);
}

} // namespace

program assemble(std::string_view text, architecture arch, const assemble_options& options)
{
    label_map labels;
    program result;
    result.arch = arch;
    if (text.find(':') != std::string_view::npos) { // a label may be defined after its use
        read_program(text, result, labels, true);
        result.code.clear();
    }
    read_program(text, result, labels, false);
    if (result.code.empty()) throw program_error(1, 1, "the program has no instructions, expected at least EXIT");
    if (options.auto_schedule) insert(schedule(result), result);
    count_registers(result);
    warn_of_ignored_bits(result);
    return result;
}

} // namespace isbesim::isa
