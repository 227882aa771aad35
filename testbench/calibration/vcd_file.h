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
    std::string code; ///< what its changes are written with
    unsigned bits = 0;
    /// Its indices, then the place of its lowest bit: parts of one name in this order are the lowest bits first.
    std::vector<int> place;
};

/// Bits of a value, bit i in bit i % 32 of word i / 32. Anything but 0, 1 and the weak L and H counts as 0.
class vcd_value {
public:
    explicit vcd_value(unsigned bits = 0) : words_((bits + 31) / 32), undefined_(words_.size()) {}
    /// At most 32 bits from `first` on.
    std::uint32_t field(std::size_t first, unsigned bits) const { return field(words_, first, bits); }
    bool undefined(std::size_t first, unsigned bits) const { return field(undefined_, first, bits) != 0; }
    bool bit(std::size_t index) const { return field(index, 1) != 0; }
    /// Digits of a change of `bits` bits from `first` on, the highest one first. To the left of the last one it goes on
    /// with 0, or undefined as that is.
    void assign(std::size_t first, unsigned bits, const std::string& digits);

private:
    static std::uint32_t field(const std::vector<std::uint32_t>& words, std::size_t first, unsigned bits);

    std::vector<std::uint32_t> words_, undefined_;
};

class vcd_file {
public:
    /// Reads the declarations. Throws input_error, with `file` in its place.
    vcd_file(std::istream& in, std::string file);

    const std::vector<vcd_variable>& variables() const { return variables_; }

    /// From now on keeps the values of a variable, all parts of it, the lowest first; returns the number under which
    /// value() has it.
    std::size_t keep(const std::vector<const vcd_variable*>& parts);
    const vcd_value& value(std::size_t number) const { return values_[number]; }

    /// Goes on to the next time at which something changes; value() is what it was until then. False at the end.
    bool next_time();
    std::uint64_t time() const { return time_; }
    /// Whether the lowest bit of a value changes from 0 to 1 at this time.
    bool rises(std::size_t number) const;

private:
    [[noreturn]] void fail(const std::string& text) const;
    std::string token();
    std::string needed(const char* what);
    void skip_to_end();
    /// In the scopes `path`.
    void declare(const std::string& path);
    void change(const std::string& code, const std::string& digits);

    /// Bits of a value that is kept.
    struct part {
        std::size_t value, first;
        unsigned bits;
    };
    struct changed_part {
        part where;
        std::string digits;
    };

    std::istream& in_;
    std::string file_;
    std::size_t line_ = 1;
    std::vector<vcd_variable> variables_;
    std::unordered_map<std::string, std::vector<part>> kept_; ///< by code: what it changes
    std::vector<vcd_value> values_;
    std::vector<changed_part> changes_; ///< of this time
    std::uint64_t time_ = 0;
    std::uint64_t next_ = 0; ///< time that was read last
    bool ended_ = false;
};

} // namespace isbesim::testbench
