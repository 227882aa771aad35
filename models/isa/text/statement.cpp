// SPDX-License-Identifier: Apache-2.0
#include "models/isa/text/statement.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/isa/encoding/codec.h"
#include "models/isa/tables/table.h"
#include "models/isa/text/text.h"

namespace isbesim::isa {

namespace {

/// The mnemonic with its modifiers, split at the dots.
struct dotted_name {
    std::vector<std::string_view> parts;
    std::vector<std::size_t> positions;
};

dotted_name read_name(cursor& input)
{
    dotted_name name;
    do {
        name.positions.push_back(input.start());
        name.parts.push_back(input.word());
        if (name.parts.back().empty())
            input.fail(name.parts.size() == 1 ? "expected an instruction, found " + input.found()
                                              : "expected a modifier after '.', found " + input.found());
    } while (input.here() == '.' && input.accept('.'));
    return name;
}

/// Number of parts of `text`, if the parts of `name` from `first` on begin with them, otherwise 0. Called for every row
/// of the table.
std::size_t matches(const dotted_name& name, std::size_t first, std::string_view text)
{
    for (std::size_t i = first; i < name.parts.size(); ++i) {
        const std::size_t dot = text.find('.');
        if (name.parts[i] != text.substr(0, dot)) return 0;
        if (dot == std::string_view::npos) return i + 1 - first;
        text.remove_prefix(dot + 1);
    }
    return 0;
}

std::string modifier_names(const opcode_row& row)
{
    std::string names;
    for (const auto& modifier : row.modifiers)
        for (const auto& value : modifier.values)
            if (value.name[0] != '\0') names.append(" .").append(value.name);
    return names;
}

void set(instruction& result, mod id, unsigned value)
{
    result.modifiers[static_cast<std::size_t>(id)] = static_cast<std::uint8_t>(value);
}

/// Whether the type of the result is still missing; it comes before the type of the source.
bool needs_result_type(const opcode_row& row, const std::vector<bool>& chosen)
{
    for (std::size_t i = 0; i < row.modifiers.size(); ++i)
        if (row.modifiers[i].id == mod::to_type && !chosen[i])
            return std::all_of(row.modifiers[i].values.begin(), row.modifiers[i].values.end(),
                               [](const choice& value) { return value.shown; });
    return false;
}

/// Sets every modifier of the row. Names may come in any order; if two modifiers share names (F2F.F32.F64), the first
/// name belongs to the first modifier.
void read_modifiers(cursor& input, const dotted_name& name, std::size_t first, instruction& result)
{
    const opcode_row& row = *result.row;
    std::vector<bool> chosen(row.modifiers.size());
    for (std::size_t part = first; part < name.parts.size();) {
        std::size_t used = 0;
        for (std::size_t i = 0; i < row.modifiers.size() && used == 0; ++i) {
            if (chosen[i] || (row.modifiers[i].id == mod::from_type && needs_result_type(row, chosen))) continue;
            for (const auto& value : row.modifiers[i].values) {
                const std::size_t length = value.name[0] == '\0' ? 0 : matches(name, part, value.name);
                if (length <= used) continue;
                used = length;
                chosen[i] = true;
                set(result, row.modifiers[i].id, value.value);
            }
        }
        if (used == 0) {
            const std::string all = modifier_names(row);
            input.fail(std::string(row.mnemonic) + " has no modifier '." + std::string(name.parts[part]) +
                           (all.empty() ? "', expected none" : "' here, expected one of" + all),
                       name.positions[part]);
        }
        part += used;
    }
    for (std::size_t i = 0; i < row.modifiers.size(); ++i) {
        if (chosen[i]) continue;
        std::optional<unsigned> implied;
        std::string names;
        for (const auto& value : row.modifiers[i].values) {
            names.append(" .").append(value.name);
            if (!value.shown) implied = value.value;
        }
        if (!implied)
            input.fail(std::string(row.mnemonic) + " needs a modifier, expected one of" + names, name.positions[0]);
        set(result, row.modifiers[i].id, *implied);
    }
}

/// Whether an optional operand is present, including its comma.
bool present(cursor input, const operand_spec& spec, bool first)
{
    if (!first && !spec.after_blank && !input.accept(',')) return false;
    const char c = input.peek();
    if (spec.form == form::predicate) {
        if (c == '!') return true;
        const auto word = input.word();
        return word == "PT" ||
               (word.size() == 2 && word[0] == 'P' && std::isdigit(static_cast<unsigned char>(word[1])) != 0);
    }
    if (spec.form == form::uniform || spec.form == form::uniform_predicate) {
        const auto name = input.word();
        return c == '!' || name.substr(0, 2) == (spec.form == form::uniform ? "UR" : "UP");
    }
    if (spec.form == form::scoreboard_set) return c == '{';
    if (spec.form == form::code_test) return input.word() == "CC";
    return spec.form == form::gpr ? c == 'R' : c == '-' || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The kind and number of an operand that is not in the text.
void set_left_out(const operand_spec& spec, operand& value)
{
    value.kind = operand::source::immediate;
    value.index = is_predicate(spec.form) ? predicate_true : register_zero; // URZ has the same number
    if (spec.form == form::gpr) value.kind = operand::source::reg;
    if (spec.form == form::uniform) value.kind = operand::source::uniform;
    if (spec.form == form::predicate) value.kind = operand::source::predicate;
    if (spec.form == form::uniform_predicate) value.kind = operand::source::uniform_predicate;
}

/// `columns`: the column of each operand, by its index in the row.
void read_operands(cursor& input, architecture arch, instruction& result, const label_map* labels,
                   std::vector<std::size_t>& columns)
{
    bool first = true;
    columns.clear();
    for (const auto& spec : result.row->operands) {
        columns.push_back(input.position());
        if (spec.optional && !present(input, spec, first)) {
            operand& value = result.operands[static_cast<std::size_t>(spec.where)];
            set_left_out(spec, value);
            value.value = spec.usual;
            continue;
        }
        if (!first && !spec.after_blank) input.expect(',', "before the next operand");
        first = false;
        columns.back() = input.start();
        read_operand(input, arch, spec, result, labels);
    }
    const char next = input.peek();
    if (next != '\0' && next != ';' && next != '&' && next != '?')
        input.fail("expected ';' or a scheduling annotation after the operands of " +
                   std::string(result.row->mnemonic) + ", found " + input.found());
}

bool same(const operand& a, const operand& b)
{
    return a.index == b.index && a.part == b.part && a.bank == b.bank && a.uniform == b.uniform &&
           a.negate == b.negate && a.absolute == b.absolute && a.invert == b.invert && a.value == b.value;
}

/// A logical attribute address has no register; from SM70 on .PHYS has its own bit, which no operand implies.
bool needs_address_form(const instruction& read, const operand_spec& spec)
{
    return read.row->latency == latency_class::attribute && spec.form == form::attribute &&
           read.modifier(mod::patch) == 0 && read.at(spec.where).index != register_zero;
}

/// Encodes and decodes again: content that the encoding cannot express is an error, and never dropped.
void finish(cursor& input, architecture arch, std::size_t start, instruction& result)
{
    const encoding word = encode_instruction(arch, result);
    const opcode_row* row = find_row(arch, word);
    const auto cannot = [&](const std::string& why) {
        input.fail("there is no encoding for this combination: " + why, start);
    };
    if (row != result.row && !result.row->long_form)
        cannot(std::string("it would mean ") + (row == nullptr ? "nothing" : row->mnemonic));
    instruction again = decode_instruction(arch, word, result.address);
    for (const auto& spec : row->operands) {
        if (spec.form != form::literal && !same(again.at(spec.where), result.at(spec.where)))
            cannot("two operands of " + std::string(row->mnemonic) + " share a field and differ");
        if (spec.form == form::attribute && again.modifier(mod::patch) < result.modifier(mod::patch))
            cannot(".PHYS needs an address register");
        if (needs_address_form(again, spec))
            input.fail(std::string(row->mnemonic) +
                           " with an address in a register needs .PHYS or .P here: only SM50 takes "
                           "a register without .P for a physical address, later architectures raise "
                           "ILLEGAL_INSTR_ENCODING (HARDWARE.md B.4)",
                       start);
    }
    again.control = result.control;
    again.guard = result.guard;
    again.guard_not = result.guard_not;
    result = again;
}

/// The number of `?word=`: up to 64 bits on SM50, without the control bits on later architectures.
encoding read_word(cursor& input, architecture arch)
{
    input.expect('=', "after the annotation's name");
    const std::size_t start = input.position();
    const std::string text(input.word());
    const std::string digits = text.rfind("0x", 0) == 0 ? text.substr(2) : "";
    const std::size_t most = arch == architecture::sm50 ? 16 : 32;
    if (digits.empty() || digits.size() > most ||
        digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
        input.fail("expected the instruction word in hexadecimal, 0x and up to " + std::to_string(most) + " digits",
                   start);
    const std::size_t low = digits.size() > 16 ? digits.size() - 16 : 0;
    const encoding word = {std::stoull(digits.substr(low), nullptr, 16),
                           low == 0 ? 0 : std::stoull(digits.substr(0, low), nullptr, 16)};
    if ((word[1] & ~instruction_mask(arch)[1]) != 0)
        input.fail("bits above 104 belong to the scheduling control", start);
    return word;
}

void read_annotations(cursor& input, architecture arch, instruction& result)
{
    std::vector<std::string_view> names;
    while (input.peek() == '&' || input.peek() == '?') {
        const bool barrier = input.accept('&');
        if (!barrier) input.accept('?');
        const std::size_t start = input.position();
        const auto name = input.word();
        if (std::find(names.begin(), names.end(), name) != names.end())
            input.fail("'" + std::string(name) + "' stands twice, expected each annotation once", start);
        names.push_back(name);
        const auto number = [&](std::int64_t maximum, const char* what) {
            input.expect('=', "after the annotation's name");
            return static_cast<std::uint8_t>(input.integer(0, maximum, what));
        };
        control& scheduling = result.control;
        if (barrier && name == "req") {
            scheduling.wait_mask = number(0x3f, "a mask of six scoreboards");
        } else if (barrier && name == "rd") {
            scheduling.read_barrier = number(6, "a scoreboard number");
        } else if (barrier && name == "wr") {
            scheduling.write_barrier = number(6, "a scoreboard number");
        } else if (!barrier && name == "stall") {
            scheduling.stall = number(15, "a stall count");
        } else if (!barrier && name == "yield") {
            scheduling.yield = true;
        } else if (!barrier && name == "reuse") {
            scheduling.reuse = number(15, "a mask of reuse flags");
        } else if (!barrier && name == "pad") {
            result.padding = true;
        } else if (!barrier && name == "word") {
            const control scheduling_so_far = scheduling;
            const auto word = read_word(input, arch);
            try {
                result = decode_instruction(arch, word, result.address);
            } catch (const program_error& error) { // the decoder does not know the line
                input.fail(error.what(), start);
            }
            result.control = scheduling_so_far;
        } else {
            input.fail(barrier ? "expected &req=, &rd= or &wr=" : "expected ?stall=, ?yield, ?reuse=, ?word= or ?pad",
                       start);
        }
    }
}

/// `@P0`, `@!UP1`.
struct guard_text {
    std::uint8_t index = predicate_true;
    bool inverted = false, present = false, uniform = false;
};

guard_text read_guard(cursor& input)
{
    guard_text guard;
    if (!input.accept('@')) return guard;
    guard.present = true;
    guard.inverted = input.accept('!');
    guard.uniform = input.peek() == 'U';
    guard.index = guard.uniform ? read_uniform_predicate(input) : read_predicate(input);
    return guard;
}

std::string without_blanks(std::string_view text)
{
    std::string result;
    for (const char c : text)
        if (std::isspace(static_cast<unsigned char>(c)) == 0) result += c;
    return result;
}

/// `columns`: of each operand of the row, or one for all.
void warn_of_broken_rules(const cursor& input, architecture arch, const instruction& read,
                          const std::vector<std::size_t>& columns, std::vector<program_warning>& warnings)
{
    const auto& operands = read.row->operands;
    for (auto& rule : broken_rules(read, arch)) {
        std::size_t i = 0;
        while (i < operands.size() && operands[i].where != rule.where) ++i;
        const auto column = columns[i < columns.size() ? i : 0];
        warnings.push_back(
            {input.line(), static_cast<unsigned>(column) + 1, read.address, std::move(rule.text), rule.kind});
    }
}

/// Reads a statement with ?word= : the word decides, and the text must be its disassembly.
instruction parse_exact(cursor& input, architecture arch, std::uint32_t address)
{
    const std::size_t start = input.position();
    const std::string_view rest = input.rest();
    const std::size_t length = rest.find_first_of("&?");
    input.rewind(start + length);
    instruction result;
    result.address = address;
    read_annotations(input, arch, result);
    // Other text between the annotations ends them before ?word=.
    if (result.row == nullptr) input.fail("expected &req=, ?stall= and the like up to ?word=, found " + input.found());
    const std::string expected = instruction_text(result);
    if (without_blanks(rest.substr(0, length)) != without_blanks(expected))
        input.fail("text and ?word= disagree, the word is '" + expected + "'", start);
    return result;
}

/// Reports the attempts that got furthest if no row fits. An error about a value (wrong range, ...) takes precedence
/// over errors that expected another kind of operand, which are listed together.
[[noreturn]] void report(const std::vector<program_error>& errors)
{
    unsigned column = 0;
    for (const auto& error : errors) column = std::max(column, error.column);
    const std::string expected = "expected ", found = ", found ";
    std::string alternatives, tail;
    for (const auto& error : errors) {
        if (error.column != column) continue;
        const std::string what = error.what();
        const std::size_t split_at = what.find(found);
        if (what.rfind(expected, 0) != 0 || split_at == std::string::npos) throw error;
        const std::string one = what.substr(expected.size(), split_at - expected.size());
        if (alternatives.find(one) == std::string::npos) alternatives += (alternatives.empty() ? "" : " or ") + one;
        tail = what.substr(split_at);
    }
    throw program_error(errors.front().line, column, expected + alternatives + tail);
}

} // namespace

instruction parse_statement(cursor& input, architecture arch, std::uint32_t address, const label_map* labels,
                            std::vector<program_warning>* warnings)
{
    input.skip_blanks();
    const std::string_view statement = input.rest().substr(0, input.rest().find(';'));
    if (statement.find("?word") != std::string_view::npos) {
        const std::size_t begin = input.position();
        const instruction exact = parse_exact(input, arch, address);
        if (warnings != nullptr) warn_of_broken_rules(input, arch, exact, {begin}, *warnings);
        return exact;
    }

    const std::size_t guard_start = input.position();
    const guard_text guard = read_guard(input);
    const std::size_t start = input.start();
    const dotted_name name = read_name(input);
    const std::size_t operands = input.position();

    // Rows of one mnemonic differ in operand forms: takes the first row that fits.
    std::vector<program_error> errors, late_errors; // the latter got further, regardless of their columns
    std::vector<std::size_t> columns;
    for (const auto& row : instruction_table(arch)) {
        const std::size_t own_parts = matches(name, 0, row.mnemonic);
        if (own_parts == 0) continue;
        input.rewind(operands);
        instruction result;
        result.row = &row;
        result.address = address;
        result.guard = guard.index;
        result.guard_not = guard.inverted;
        bool whole = false;
        try {
            if (guard.present && row.guarded && guard.uniform != row.uniform)
                input.fail(std::string(row.mnemonic) + " takes a " + (row.uniform ? "uniform predicate" : "predicate") +
                               " as its guard",
                           guard_start);
            if (guard.present && !row.guarded)
                input.fail(std::string(row.mnemonic) + " takes no guard predicate", guard_start);
            read_modifiers(input, name, own_parts, result);
            read_operands(input, arch, result, labels, columns);
            whole = true;
            finish(input, arch, start, result);
            read_annotations(input, arch, result);
            if (warnings != nullptr) warn_of_broken_rules(input, arch, result, columns, *warnings);
            return result;
        } catch (const program_error& error) {
            (whole ? late_errors : errors).push_back(error);
        }
    }
    if (!late_errors.empty()) report(late_errors);
    if (errors.empty())
        input.fail("unknown instruction '" + std::string(name.parts[0]) + "', expected a mnemonic such as ALD", start);
    report(errors);
}

instruction parse_instruction(std::string_view text, architecture arch, std::uint32_t address)
{
    cursor input(text, 1);
    instruction result = parse_statement(input, arch, address, nullptr);
    if (!input.at_end()) input.fail("expected the end of the instruction, found " + input.found());
    return result;
}

} // namespace isbesim::isa
