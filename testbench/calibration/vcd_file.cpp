// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/vcd_file.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "testbench/files/input_error.h"

namespace isbesim::testbench {

namespace {

enum class level { low, high, undefined };

/// The level of a digit of IEEE 1364 or IEEE 1164, upper or lower case.
level level_of(char digit)
{
    switch (digit) {
    case '0':
    case 'l':
    case 'L':
        return level::low;
    case '1':
    case 'h':
    case 'H':
        return level::high;
    default:
        return level::undefined;
    }
}

bool is_digit(char c)
{
    return std::string_view("01xXzZuUwWlLhH-").find(c) != std::string_view::npos;
}

} // namespace

std::uint32_t vcd_value::field(const std::vector<std::uint32_t>& words, std::size_t first, unsigned bits)
{
    const auto word = [&](std::size_t index) { return index < words.size() ? words[index] : 0U; };
    const std::uint64_t pair = word(first / 32) | std::uint64_t{word(first / 32 + 1)} << 32;
    return static_cast<std::uint32_t>(pair >> first % 32 & ((std::uint64_t{1} << bits) - 1));
}

std::size_t vcd_value::line_of_undefined(std::size_t first) const
{
    while (first / 32 < undefined_.size() && !undefined(first, 1)) ++first;
    return first / 32 < lines_.size() ? lines_[first / 32] : 0;
}

void vcd_value::assign(std::size_t first, unsigned bits, const std::string& digits, std::size_t line)
{
    const bool undefined_left = level_of(digits.front()) == level::undefined;
    for (std::size_t i = 0; i < bits; ++i) {
        auto& word = words_[(first + i) / 32];
        auto& undefined = undefined_[(first + i) / 32];
        const auto mask = std::uint32_t{1} << (first + i) % 32;
        word &= ~mask;
        undefined &= ~mask;
        const auto digit = i < digits.size() ? level_of(digits[digits.size() - 1 - i])
                           : undefined_left  ? level::undefined
                                             : level::low;
        if (digit == level::high) word |= mask;
        if (digit != level::undefined) continue;
        undefined |= mask;
        lines_[(first + i) / 32] = line;
    }
}

namespace {

/// Every variable stores its path, so an unlimited path could take memory quadratic in the size of the file.
constexpr std::size_t longest_path = 1000;

/// "3", "3:0" or "0:3": the place of the lowest bit, which is the last bit of an ascending range.
std::optional<int> place_of(std::string_view text)
{
    int left = 0, right = 0;
    const auto* const end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, left);
    if (read.ec != std::errc()) return std::nullopt;
    if (read.ptr == end) return left;
    if (*read.ptr != ':') return std::nullopt;
    read = std::from_chars(read.ptr + 1, end, right);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return left >= right ? right : -right;
}

/// Moves the indices after a name to `place`: those of "req_op[1][2:0]", or of "[1][2:0]" in a scope req_op.
void take_indices(vcd_variable& variable)
{
    auto& name = variable.name;
    while (!name.empty() && (name.back() == ']' || name.back() == ')')) {
        const auto open = name.find_last_of("[(");
        if (open == std::string::npos) break;
        const auto place = place_of(std::string_view(name).substr(open + 1, name.size() - open - 2));
        if (!place) break;
        variable.place.push_back(*place);
        name.resize(open);
        if (!name.empty() && name.back() == '.') name.pop_back();
    }
    std::reverse(variable.place.begin(), variable.place.end());
}

} // namespace

vcd_file::vcd_file(std::istream& in, std::string file, bool has_lines)
    : in_(in), file_(std::move(file)), has_lines_(has_lines)
{
    std::string path;
    std::vector<std::size_t> outer; // lengths of the enclosing paths
    for (;;) {
        const auto word = needed("$enddefinitions");
        if (word == "$enddefinitions") break;
        if (word == "$scope") {
            needed("the kind of a scope");
            outer.push_back(path.size());
            const auto name = needed("the name of a scope");
            path.append(name, name.front() == '\\' ? 1 : 0).append(".");
            if (path.size() > longest_path)
                fail("the scopes' names come to " + std::to_string(path.size()) + " characters, expected at most " +
                     std::to_string(longest_path));
            skip_to_end();
        } else if (word == "$upscope") {
            if (outer.empty()) fail("$upscope without a scope, expected $scope before it");
            path.resize(outer.back());
            outer.pop_back();
            skip_to_end();
        } else if (word == "$var") {
            declare(path);
        } else if (word.front() == '$') {
            skip_to_end();
        } else {
            fail("'" + word + "' in the declarations, expected a VCD file with $var and $enddefinitions");
        }
    }
    skip_to_end();
}

std::size_t vcd_file::keep(const std::vector<const vcd_variable*>& parts)
{
    unsigned bits = 0;
    for (const auto* each : parts) {
        kept_[each->code].push_back({values_.size(), bits, each->bits});
        bits += each->bits;
    }
    values_.emplace_back(bits);
    values_.back().assign(0, bits, "x", 0);
    return values_.size() - 1;
}

bool vcd_file::next_time()
{
    for (const auto& [where, digits, line] : changes_)
        values_[where.value].assign(where.first, where.bits, digits, line);
    changes_.clear();
    if (ended_) return false;
    time_ = next_;
    for (auto word = token(); !word.empty(); word = token()) {
        switch (word.front()) {
        case '#': {
            std::uint64_t time = 0;
            const auto read = std::from_chars(word.data() + 1, word.data() + word.size(), time);
            if (read.ec != std::errc() || read.ptr != word.data() + word.size() || time < time_)
                fail("'" + word + "', expected a time not before " + std::to_string(time_));
            if (time == time_) continue;
            next_ = time;
            return true;
        }
        case 'b':
        case 'B':
            if (word.size() == 1 || !std::all_of(word.begin() + 1, word.end(), is_digit))
                fail("'" + word + "', expected the digits of a value behind b");
            change(needed("the code of a variable"), word.substr(1));
            break;
        case 'r':
        case 'R':
        case 's':
            needed("the code of a variable");
            break;
        case '$':
            if (word == "$comment") skip_to_end();
            break; // $dumpvars ... $end hold changes
        default:
            if (is_digit(word.front())) {
                change(word.substr(1), word.substr(0, 1));
                break;
            }
            fail("'" + word + "', expected a change of a value or a time");
        }
    }
    ended_ = true;
    return true;
}

bool vcd_file::rises(std::size_t number) const
{
    const auto& value = values_[number];
    auto now = value.undefined(0, 1) ? level::undefined : value.bit(0) ? level::high : level::low;
    bool rose = false;
    for (const auto& [where, digits, line] : changes_) {
        if (where.value != number) continue;
        const auto before = std::exchange(now, level_of(digits.back()));
        rose = rose || (before == level::low && now == level::high);
    }
    return rose;
}

void vcd_file::fail(const std::string& text) const
{
    throw input_error({file_, line(), 1}, text);
}

std::string vcd_file::token()
{
    using traits = std::istream::traits_type;
    auto& buffer = *in_.rdbuf();
    std::string word;
    for (auto c = buffer.sgetc(); c != traits::eof(); c = buffer.sgetc()) {
        const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (space && !word.empty()) break; // the line feed stays: line_ is still the word's line
        if (c == '\n') ++line_;
        if (!space) word += traits::to_char_type(c);
        buffer.sbumpc();
    }
    return word;
}

std::string vcd_file::needed(const char* what)
{
    auto word = token();
    if (word.empty()) fail(std::string("the file ends here, expected ") + what);
    return word;
}

void vcd_file::skip_to_end()
{
    while (needed("$end") != "$end") continue;
}

void vcd_file::declare(const std::string& path)
{
    if (needed("the kind of a variable") == "port")
        fail("an extended VCD file ($var port), expected one of $dumpvars in place of $dumpports");
    const auto size = needed("the bits of a variable");
    vcd_variable variable;
    const auto read = std::from_chars(size.data(), size.data() + size.size(), variable.bits);
    constexpr unsigned most = 1U << 20;
    if (read.ec != std::errc() || read.ptr != size.data() + size.size() || variable.bits > most)
        fail("'" + size + "' bits, expected a number up to " + std::to_string(most));
    variable.code = needed("the code of a variable");
    variable.name = needed("the name of a variable");
    for (auto word = needed("$end"); word != "$end"; word = needed("$end")) variable.name += word;
    if (variable.name.front() == '\\') variable.name.erase(0, 1); // an escaped name
    variable.name.insert(0, path);
    take_indices(variable);
    variables_.push_back(std::move(variable));
}

void vcd_file::change(const std::string& code, const std::string& digits)
{
    const auto found = kept_.find(code);
    if (found == kept_.end()) return;
    for (const auto& where : found->second) changes_.push_back({where, digits, line()});
}

} // namespace isbesim::testbench
