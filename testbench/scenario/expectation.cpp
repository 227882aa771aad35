// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/expectation.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <vector>

#include "models/attribute/attribute_set.h"
#include "models/pe/front_end/assembly.h"
#include "testbench/files/checksum.h"
#include "testbench/files/hex_text.h"
#include "testbench/files/input_error.h"
#include "testbench/scenario/unordered_primitives.h"
#include "tlm/float_bits.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace {

std::string rest_line(std::uint64_t rows, const checksum& sum)
{
    return "rest," + std::to_string(rows) + "," + hex(sum.value(), 16);
}

/// One CSV row: its fields point into `line`.
class csv_rows {
public:
    explicit csv_rows(const std::string& path) : path_(path), file_(path)
    {
        buffer_.resize(1U << 16);
        if (!file_) throw input_error({path}, "cannot be read, expected a CSV of vertices");
    }

    bool next()
    {
        if (!std::getline(file_, line_)) return false;
        if (!line_.empty() && line_.back() == '\r') line_.pop_back();
        ++number_;
        fields_.clear();
        const std::string_view line = line_;
        std::size_t index = 0;
        for (;;) {
            const auto comma = line.find(',', index);
            fields_.push_back(line.substr(index, comma == std::string_view::npos ? comma : comma - index));
            if (comma == std::string_view::npos) break;
            index = comma + 1;
        }
        return true;
    }

    const std::string& line() const { return line_; }
    /// The last line of an expectation that leaves rows out: rest,<rows>,<their checksum>.
    bool is_rest() const { return fields_[0] == "rest"; }
    /// Reads all further rows and returns the line that replaces them.
    std::string read_rest()
    {
        checksum sum;
        std::uint64_t rows = 0;
        for (; next(); ++rows) sum.add_bytes((line_ + "\n").data(), line_.size() + 1);
        return rest_line(rows, sum);
    }
    const std::vector<std::string_view>& fields() const { return fields_; }
    std::uint64_t number() const { return number_; } ///< line in the file, from 1

    [[noreturn]] void fail(std::size_t field, const std::string& text) const
    {
        const auto column = static_cast<std::size_t>(fields_[field].data() - line_.data()) + 1;
        throw input_error({path_, number_, column}, text);
    }

private:
    std::string path_;
    std::vector<char> buffer_;
    std::ifstream file_;
    std::string line_;
    std::vector<std::string_view> fields_;
    std::uint64_t number_ = 0;
};

bool is_number(std::string_view text)
{
    return !text.empty() && text.size() < 20 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Reads the header: stream,primitive,vertex and addresses.
void check_header(csv_rows& want, const std::string& file)
{
    if (!want.next()) throw input_error({file}, "the file is empty, expected a header and rows of vertices");
    const auto& fields = want.fields();
    if (want.line().compare(0, 3, "\xef\xbb\xbf") == 0)
        want.fail(0, "the file begins with a byte order mark, expected stream,primitive,vertex,<address>,...");
    if (fields.size() < 3 || fields[0] != "stream" || fields[1] != "primitive" || fields[2] != "vertex")
        want.fail(0, "the header is '" + want.line() + "', expected stream,primitive,vertex,<address>,...");
    for (std::size_t i = 3; i < fields.size(); ++i) {
        word address = 0;
        if (!parse_hex_word(fields[i], address) || address % 4 != 0 || address >= mapped_attribute_ids * 4)
            want.fail(i, "'" + std::string(fields[i]) +
                             "' heads a column, expected the address of an attribute, 0x and a hexadecimal multiple "
                             "of 4 below 0x3c0");
        if (std::find(fields.begin() + 3, fields.begin() + static_cast<std::ptrdiff_t>(i), fields[i]) !=
            fields.begin() + static_cast<std::ptrdiff_t>(i))
            want.fail(i, "'" + std::string(fields[i]) + "' heads two columns, expected each address once");
    }
}

/// Checks that an expectation's row has the header's number of fields, each empty or a word.
void check_row(const csv_rows& rows, std::size_t width)
{
    if (rows.is_rest()) rows.fail(0, "rows are left out, expected all of them where words may differ");
    if (rows.fields().size() != width) {
        rows.fail(0, "the row has " + std::to_string(rows.fields().size()) + " fields, expected " +
                         std::to_string(width) + " as in the header");
    }
    for (std::size_t i = 0; i < 3; ++i) {
        if (!is_number(rows.fields()[i]))
            rows.fail(i, "'" + std::string(rows.fields()[i]) +
                             "' is no number, expected that of the stream, the "
                             "primitive or the vertex");
    }
    for (std::size_t i = 3; i < width; ++i) {
        const auto field = rows.fields()[i];
        word value = 0;
        if (!field.empty() && !parse_hex_word(field, value)) {
            rows.fail(i, "'" + std::string(field) + "' is no word, expected hexadecimal such as 0x3f800000 or nothing");
        }
    }
}

bool has_slack(const expectation& expect)
{
    return expect.ulp != 0 || expect.tolerance != 0;
}

/// Checks that a line for left-out rows is well-formed and the last line.
void check_rest(csv_rows& rows)
{
    const auto& fields = rows.fields();
    if (fields.size() != 3 || !is_number(fields[1]) || fields[2].size() != 18 || fields[2].substr(0, 2) != "0x" ||
        fields[2].find_first_not_of("0123456789abcdef", 2) != std::string_view::npos)
        rows.fail(0,
                  "'" + rows.line() + "' does not say which rows are left out, expected rest,<number>,0x<16 digits>");
    if (rows.next()) rows.fail(0, "a row follows those that are left out, expected the end of the file");
}

std::optional<vertex_difference> compare_in_order(csv_rows& got, csv_rows& want, const std::vector<std::string>& header,
                                                  const expectation& expect)
{
    for (std::uint64_t row = 1;; ++row) {
        const bool more = want.next();
        if (more && want.is_rest() && !has_slack(expect)) {
            const auto found = got.read_rest();
            if (found == want.line()) return std::nullopt;
            return vertex_difference{row, "", want.line(), found};
        }
        if (more) check_row(want, header.size());
        if (!got.next()) {
            if (!more) return std::nullopt;
            return vertex_difference{row, "", want.line(), "the end of the vertices"};
        }
        if (!more) return vertex_difference{row, "", "the end of the vertices", got.line()};
        if (got.line() == want.line()) continue;
        for (std::size_t i = 0; i < header.size(); ++i) {
            const bool same =
                i < 3 ? got.fields()[i] == want.fields()[i] : field_matches(got.fields()[i], want.fields()[i], expect);
            if (same) continue;
            return vertex_difference{row, header[i], std::string(want.fields()[i]), std::string(got.fields()[i])};
        }
    }
}

/// Reads primitives up to the line for left-out rows, which is only allowed if no word has slack.
std::vector<primitive> read_primitives(csv_rows& rows, std::size_t width, bool slack = true)
{
    std::vector<primitive> result;
    std::string stream, number;
    for (std::uint64_t row = 1; rows.next() && (slack || !rows.is_rest()); ++row) {
        check_row(rows, width);
        const auto& fields = rows.fields();
        if (result.empty() || fields[0] != stream || fields[1] != number) {
            stream = fields[0];
            number = fields[1];
            result.push_back({row, stream, {}});
        }
        auto& vertices = result.back().vertices;
        if (vertices.size() == max_primitive_vertices)
            rows.fail(1, "primitive " + number + " has more than " + std::to_string(max_primitive_vertices) +
                             " vertices, expected at most as many as a patch has");
        vertices.emplace_back(fields.begin() + 3, fields.end());
    }
    for (auto& p : result) p.normalise();
    return result;
}

/// The line for the primitives of `got` that are not in `want`, in any order.
std::string rest_of(std::vector<primitive> got, std::vector<primitive> want)
{
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    std::vector<primitive> left;
    std::set_difference(got.begin(), got.end(), want.begin(), want.end(), std::back_inserter(left));
    checksum sum;
    std::size_t rows = 0;
    for (const auto& p : left) {
        const auto text = p.stream + ": " + p.text() + "\n";
        sum.add_bytes(text.data(), text.size());
        rows += p.vertices.size();
    }
    return rest_line(rows, sum);
}

std::optional<vertex_difference> compare_as_sets(csv_rows& got_rows, csv_rows& want_rows,
                                                 const std::vector<std::string>& header, const expectation& expect)
{
    const auto got = read_primitives(got_rows, header.size());
    const auto want = read_primitives(want_rows, header.size(), has_slack(expect));
    const auto alone = find_unpaired(got, want, expect);
    if (alone && alone->want != nullptr)
        return vertex_difference{alone->want->first_row, "", alone->want->text(),
                                 "none of " + std::to_string(got.size()) + " primitives"};
    if (want_rows.is_rest()) {
        const auto found = rest_of(got, want);
        if (found == want_rows.line()) return std::nullopt;
        return vertex_difference{want_rows.number() - 1, "", want_rows.line(), found};
    }
    if (!alone) return std::nullopt;
    return vertex_difference{alone->got->first_row, "", "no such primitive", alone->got->text()};
}

/// True for a float that may have slack: zero, or with a normal exponent.
bool is_float(word w)
{
    const word exponent = w >> 23 & 0xffU;
    return exponent == 0 ? (w & 0x7fffffffU) == 0 : exponent != 0xffU;
}

/// The position of a float in the order of all floats; adjacent floats differ by one.
std::int64_t place_of(word w)
{
    const auto magnitude = static_cast<std::int64_t>(w & 0x7fffffffU);
    return (w >> 31) != 0 ? -magnitude : magnitude;
}
double float_at(std::int64_t place)
{
    constexpr std::int64_t largest = 0x7f7fffff;
    const auto magnitude = static_cast<word>(std::min(std::abs(place), largest));
    const double value = to_float(magnitude);
    return place < 0 ? -value : value;
}

double tolerated(double expected, const expectation& expect)
{
    return expect.tolerance * std::max(1.0, std::abs(expected));
}

} // namespace

std::string vertex_difference::text() const
{
    return "row " + std::to_string(row) + (column.empty() ? "" : ", column " + column) + ": expected " + expected +
           ", got " + got;
}

bool word_matches(word got, word expected, const expectation& expect)
{
    if (got == expected) return true;
    if (!has_slack(expect)) return false;
    if (!is_float(got) || !is_float(expected)) return false;
    if (std::abs(place_of(got) - place_of(expected)) <= static_cast<std::int64_t>(expect.ulp)) return true;
    const double a = to_float(got);
    const double b = to_float(expected);
    return std::abs(a - b) <= tolerated(b, expect);
}

bool field_matches(std::string_view got, std::string_view expected, const expectation& expect)
{
    if (got == expected) return true;
    word a = 0;
    word b = 0;
    return parse_hex_word(got, a) && parse_hex_word(expected, b) && word_matches(a, b, expect);
}

std::optional<float_bounds> float_range(word expected, const expectation& expect)
{
    if (!is_float(expected)) return std::nullopt;
    const double value = to_float(expected);
    const double slack = tolerated(value, expect);
    const auto places = static_cast<std::int64_t>(expect.ulp);
    return float_bounds{value, std::min(value - slack, float_at(place_of(expected) - places)),
                        std::max(value + slack, float_at(place_of(expected) + places))};
}

void check_expectation(const expectation& expect)
{
    csv_rows rows(expect.file);
    check_header(rows, expect.file);
    const auto width = rows.fields().size();
    while (rows.next())
        if (rows.is_rest() && !has_slack(expect))
            check_rest(rows);
        else
            check_row(rows, width);
}

std::optional<vertex_difference> compare_vertices(const std::string& vertices, const expectation& expect)
{
    csv_rows got(vertices);
    csv_rows want(expect.file);
    check_header(want, expect.file);
    const std::vector<std::string> header(want.fields().begin(), want.fields().end());
    got.next();
    if (got.line() != want.line()) return vertex_difference{0, "", want.line(), got.line()};
    return expect.any_order ? compare_as_sets(got, want, header, expect) : compare_in_order(got, want, header, expect);
}

} // namespace isbesim::testbench
