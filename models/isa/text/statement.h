// SPDX-License-Identifier: Apache-2.0
// One statement of program text: guard, mnemonic, operands, annotations.
#pragma once

#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/opcode_row.h"
#include "models/isa/program.h"

namespace isbesim::isa {

/// A place in one line of program text.
class cursor {
public:
    cursor(std::string_view line, unsigned line_number) : text_(line), line_(line_number) {}

    /// Skips blanks and comments.
    void skip_blanks();
    bool at_end();

    /// The next character that is not blank, 0 at the end.
    char peek();
    /// The character at this position, which may be a blank.
    char here() const { return position_ < text_.size() ? text_[position_] : '\0'; }

    bool accept(char c);
    void expect(char c, const char* context);

    /// A run of letters, digits, `_` and characters of `also`, which may be empty.
    std::string_view word(std::string_view also = {});

    /// Signed integer, decimal or 0x; throws unless `minimum` <= value <= `maximum`.
    std::int64_t integer(std::int64_t minimum, std::int64_t maximum, const char* what);

    /// Everything from here to the end of the line.
    std::string_view rest() const { return text_.substr(position_); }

    std::size_t position() const { return position_; }
    /// Skips blanks and comments. Returns the position after them.
    std::size_t start()
    {
        skip_blanks();
        return position_;
    }
    void rewind(std::size_t position) { position_ = position; }
    unsigned line() const { return line_; }
    /// The text at this place, for error messages.
    std::string found();

    [[noreturn]] void fail(const std::string& what) const { fail(what, position_); }
    [[noreturn]] void fail(const std::string& what, std::size_t position) const;
    /// "expected WHAT, found ...", the text at `start`.
    [[noreturn]] void expected(const std::string& what, std::size_t start);

private:
    std::string_view text_;
    unsigned line_;
    std::size_t position_ = 0;
};

/// Branch targets by name; null in the first pass, which collects them and accepts any name.
using label_map = std::map<std::string, std::uint32_t, std::less<>>;

/// Reads one instruction with its annotations, up to but not including `;` or the end of the line. Appends warnings to
/// `warnings`, unless that is null.
instruction parse_statement(cursor& input, architecture arch, std::uint32_t address, const label_map* labels,
                            std::vector<program_warning>* warnings = nullptr);

/// The same for a text that holds nothing else.
instruction parse_instruction(std::string_view text, architecture arch, std::uint32_t address);

/// Whether the text of an operand may be left out: it is optional, and absent means this value.
bool is_default(const operand_spec& spec, const operand& value);

/// Suffix that selects a part of a register: H1, B2, H0_H0.
std::string part_name(const instruction& shown, const operand_spec& spec, unsigned part);

/// P0..P6 or PT.
std::uint8_t read_predicate(cursor& input);

/// UP0..UP6 or UPT.
std::uint8_t read_uniform_predicate(cursor& input);

/// Reads the operand into its slot; also sets .CC and the reuse flags of `result`.
void read_operand(cursor& input, architecture arch, const operand_spec& spec, instruction& result,
                  const label_map* labels);

} // namespace isbesim::isa
