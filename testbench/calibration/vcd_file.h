// Reads value change dumps (IEEE 1364, section 18): the variables by their names, then their changes in order.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace isbesim::testbench {

/// A variable whose values are wanted.
struct vcd_variable {
    std::string name; ///< with its scopes: "tb.dut.req_valid"
    std::string code; ///< what its changes are written with
    unsigned bits = 0;
};

/// Bits of a value, bit i in bit i % 32 of word i / 32. x and z count as 0.
class vcd_value {
public:
    explicit vcd_value(unsigned bits = 0) : words_((bits + 31) / 32) {}
    std::uint32_t word_at(std::size_t index) const { return index < words_.size() ? words_[index] : 0; }
    /// At most 32 bits from `first` on.
    std::uint32_t field(std::size_t first, unsigned bits) const;
    bool bit(std::size_t index) const { return field(index, 1) != 0; }
    /// Digits of a change, the highest bit first; those that are missing on the left are 0.
    void assign(const std::string& digits);

private:
    std::vector<std::uint32_t> words_;
};

class vcd_file {
public:
    /// Reads the declarations. Throws input_error, with `file` in its place.
    vcd_file(std::istream& in, std::string file);

    const std::vector<vcd_variable>& variables() const { return variables_; }

    /// From now on keeps the values of this variable; returns the number under which value() has it.
    std::size_t keep(const vcd_variable& variable);
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
    void declare();
    void change(const std::string& code, const std::string& digits);

    std::istream& in_;
    std::string file_;
    std::size_t line_ = 1;
    std::vector<vcd_variable> variables_;
    std::unordered_map<std::string, std::vector<std::size_t>> kept_; ///< by code: which values it changes
    std::vector<vcd_value> values_;
    std::vector<std::pair<std::size_t, std::string>> changes_; ///< of this time: value, digits
    std::uint64_t time_ = 0;
    std::uint64_t next_ = 0; ///< time that was read last
    bool ended_ = false;
};

} // namespace isbesim::testbench
