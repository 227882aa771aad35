#include "testbench/calibration/vcd_file.h"

#include <algorithm>
#include <charconv>

#include "testbench/files/input_error.h"

namespace isbesim::testbench {

std::uint32_t vcd_value::field(std::size_t first, unsigned bits) const
{
    const std::uint64_t pair = word_at(first / 32) | std::uint64_t{word_at(first / 32 + 1)} << 32;
    return static_cast<std::uint32_t>(pair >> first % 32 & ((std::uint64_t{1} << bits) - 1));
}

void vcd_value::assign(const std::string& digits)
{
    std::fill(words_.begin(), words_.end(), 0);
    for (std::size_t i = 0; i < digits.size() && i / 32 < words_.size(); ++i)
        if (digits[digits.size() - 1 - i] == '1') words_[i / 32] |= std::uint32_t{1} << i % 32;
}

namespace {

/// Every variable has its path, so that a long one of all would take memory by the square of the file.
constexpr std::size_t most_of_a_path = 1000;

} // namespace

vcd_file::vcd_file(std::istream& in, std::string file) : in_(in), file_(std::move(file))
{
    std::string path;
    std::vector<std::size_t> outer; // lengths of the paths around it
    for (;;) {
        const auto word = needed("$enddefinitions");
        if (word == "$enddefinitions") break;
        if (word == "$scope") {
            needed("the kind of a scope");
            outer.push_back(path.size());
            path += needed("the name of a scope") + ".";
            if (path.size() > most_of_a_path)
                fail("the scopes' names come to " + std::to_string(path.size()) + " characters, expected at most " +
                     std::to_string(most_of_a_path));
            skip_to_end();
        } else if (word == "$upscope") {
            if (outer.empty()) fail("$upscope without a scope, expected $scope before it");
            path.resize(outer.back());
            outer.pop_back();
            skip_to_end();
        } else if (word == "$var") {
            declare();
            variables_.back().name.insert(0, path);
        } else if (word.front() == '$') {
            skip_to_end();
        } else {
            fail("'" + word + "' in the declarations, expected a VCD file with $var and $enddefinitions");
        }
    }
    skip_to_end();
}

std::size_t vcd_file::keep(const vcd_variable& variable)
{
    kept_[variable.code].push_back(values_.size());
    values_.emplace_back(variable.bits);
    return values_.size() - 1;
}

bool vcd_file::next_time()
{
    for (const auto& [number, digits] : changes_) values_[number].assign(digits);
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
        case '0':
        case '1':
        case 'x':
        case 'X':
        case 'z':
        case 'Z':
            change(word.substr(1), word.substr(0, 1));
            break;
        case 'b':
        case 'B':
            if (word.size() == 1) fail("'" + word + "' without digits, expected a value");
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
            fail("'" + word + "', expected a change of a value or a time");
        }
    }
    ended_ = true;
    return true;
}

bool vcd_file::rises(std::size_t number) const
{
    bool level = values_[number].bit(0);
    bool rose = false;
    for (const auto& [changed, digits] : changes_) {
        if (changed != number) continue;
        rose = rose || (!level && digits.back() == '1');
        level = digits.back() == '1';
    }
    return rose;
}

void vcd_file::fail(const std::string& text) const
{
    throw input_error({file_, line_, 1}, text);
}

std::string vcd_file::token()
{
    using traits = std::istream::traits_type;
    auto& buffer = *in_.rdbuf();
    std::string word;
    for (auto c = buffer.sgetc(); c != traits::eof(); c = buffer.sgetc()) {
        const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (space && !word.empty()) break; // its line is not over before it has been looked at
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

void vcd_file::declare()
{
    needed("the kind of a variable");
    const auto size = needed("the bits of a variable");
    vcd_variable variable;
    const auto read = std::from_chars(size.data(), size.data() + size.size(), variable.bits);
    if (read.ec != std::errc() || read.ptr != size.data() + size.size() || variable.bits > 1U << 20)
        fail("'" + size + "' bits, expected a number");
    variable.code = needed("the code of a variable");
    variable.name = needed("the name of a variable");
    variable.name.resize(std::min(variable.name.find('['), variable.name.size()));
    skip_to_end();
    variables_.push_back(std::move(variable));
}

void vcd_file::change(const std::string& code, const std::string& digits)
{
    const auto found = kept_.find(code);
    if (found == kept_.end()) return;
    for (const auto number : found->second) changes_.emplace_back(number, digits);
}

} // namespace isbesim::testbench
