// SPDX-License-Identifier: Apache-2.0
// Reads value change dumps (IEEE 1364, section 18, and the nine values of IEEE 1164 that VHDL simulators write): the
// variables by their names, then their changes in order.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <unordered_map>
#include <vector>

namespace isbesim::testbench {

/// A variable, or the part of one that a line of the file declares: simulators write an array element by element, and
/// some a vector bit by bit.
struct vcd_variable {
    std::string name; ///< with its scopes, without indices: "tb.dut.req_valid"
    std::string code; ///< identifier of the variable in the lines of its changes
    unsigned bits = 0;
    /// Its indices, then the place of its lowest bit. Sorted by this, the parts of a name have the lowest bits first.
    std::vector<int> place;
};

/// Bits of a value, bit i in bit i % 32 of word i / 32. Anything but 0, 1 and the weak L and H counts as 0.
class vcd_value {
public:
    explicit vcd_value(unsigned bits = 0) : words_((bits + 31) / 32), undefined_(words_.size()), lines_(words_.size())
    {
    }
    /// `bits` (at most 32) bits from `first` on.
    std::uint32_t field(std::size_t first, unsigned bits) const { return field(words_, first, bits); }
    bool undefined(std::size_t first, unsigned bits) const { return field(undefined_, first, bits) != 0; }
    bool bit(std::size_t index) const { return field(index, 1) != 0; }
    /// The line for errors about the first undefined bit from `first` on, 0 without one: the line of the latest change
    /// with an undefined bit in the same 32-bit word.
    std::size_t line_of_undefined(std::size_t first) const;
    /// Sets `bits` bits from `first` on to the digits of the change in `line`, highest first. Missing leading digits
    /// are 0, or undefined if the leftmost digit is undefined.
    void assign(std::size_t first, unsigned bits, const std::string& digits, std::size_t line);

private:
    static std::uint32_t field(const std::vector<std::uint32_t>& words, std::size_t first, unsigned bits);

    std::vector<std::uint32_t> words_, undefined_;
    std::vector<std::size_t> lines_; ///< of the latest change with an undefined bit, by word
};

class vcd_file {
public:
    /// Reads the declarations. Throws input_error that names `file`, and the line unless the text was converted from
    /// another format (`has_lines`).
    vcd_file(std::istream& in, std::string file, bool has_lines);

    const std::vector<vcd_variable>& variables() const { return variables_; }

    /// Keeps the values of a variable from now on. `parts`: all its parts, the lowest first. Its bits are undefined
    /// before their first change. Returns the number of its value.
    std::size_t keep(const std::vector<const vcd_variable*>& parts);
    const vcd_value& value(std::size_t number) const { return values_[number]; }

    /// Advances to the next time with a change; value() has the values before it. Returns false at the end.
    bool next_time();
    std::uint64_t time() const { return time_; }
    /// True if a value of one bit changes from 0 to 1 at this time. An undefined bit that becomes 1 does not.
    bool rises(std::size_t number) const;

private:
    /// For errors; 1 without has_lines.
    std::size_t line() const { return has_lines_ ? line_ : 1; }
    [[noreturn]] void fail(const std::string& text) const;
    std::string token();
    std::string needed(const char* what);
    void skip_to_end();
    /// Declares a variable in the scopes `path`.
    void declare(const std::string& path);
    void change(const std::string& code, const std::string& digits);

    /// Bits of a kept value.
    struct part {
        std::size_t value, first;
        unsigned bits;
    };
    struct changed_part {
        part where;
        std::string digits;
        std::size_t line;
    };

    std::istream& in_;
    std::string file_;
    bool has_lines_;
    std::size_t line_ = 1;
    std::vector<vcd_variable> variables_;
    std::unordered_map<std::string, std::vector<part>> kept_; ///< by code: the bits that it changes
    std::vector<vcd_value> values_;
    std::vector<changed_part> changes_; ///< at time_
    std::uint64_t time_ = 0;
    std::uint64_t next_ = 0; ///< latest time that has been read
    bool ended_ = false;
};

} // namespace isbesim::testbench
