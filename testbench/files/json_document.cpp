// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/json_document.h"

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>
#include <string>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_stack.hpp>

#include "testbench/files/files.h"
#include "testbench/files/hex_text.h"
#include "testbench/files/json_handler.h"
#include "testbench/files/json_locator.h"
#include "testbench/files/nearest.h"
#include "tlm/float_bits.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::string kind_name(const json::value& value)
{
    switch (value.kind()) {
    case json::kind::null:
        return "null";
    case json::kind::bool_:
        return value.get_bool() ? "true" : "false";
    case json::kind::string: {
        const auto& text = value.get_string();
        if (text.size() > 40) return "a text of " + std::to_string(text.size()) + " characters";
        return "\"" + std::string(text.data(), text.size()) + "\"";
    }
    case json::kind::array:
        return "an array";
    case json::kind::object:
        return "an object";
    default:
        return json::serialize(value);
    }
}

source_place place_in(const std::string& file, std::string_view text, std::size_t offset)
{
    offset = std::min(offset, text.size());
    const auto text_before = text.substr(0, offset);
    const auto line = static_cast<std::size_t>(std::count(text_before.begin(), text_before.end(), '\n')) + 1;
    const auto newline = text_before.rfind('\n');
    return {file, line, newline == std::string_view::npos ? offset + 1 : offset - newline};
}

/// Handler of Boost.JSON's basic_parser that builds the value as its own parser does, but rounds numbers with a point
/// or an exponent correctly and refuses integers beyond 64 bits, silently doubles in Boost, and infinite doubles.
class value_builder : public json_handler {
public:
    static constexpr std::size_t max_object_size = json::object::max_size();
    static constexpr std::size_t max_array_size = json::array::max_size();
    static constexpr std::size_t max_key_size = json::string::max_size();
    static constexpr std::size_t max_string_size = json::string::max_size();

    explicit value_builder(const json::storage_ptr& storage) { stack_.reset(storage); }

    json::value release() { return stack_.release(); }
    /// Number of keys in the text; larger than in the values if there is a duplicate.
    std::size_t keys() const { return keys_; }
    /// Place of a number that is too large for 64 bits; may be null.
    const char* too_large() const { return too_large_; }

    bool on_object_end(std::size_t count, error_code&)
    {
        keys_ += count;
        stack_.push_object(count);
        return true;
    }
    bool on_array_end(std::size_t count, error_code&)
    {
        stack_.push_array(count);
        return true;
    }
    bool on_key_part(string_view part, std::size_t, error_code&)
    {
        stack_.push_chars(part);
        return true;
    }
    bool on_key(string_view part, std::size_t, error_code&)
    {
        stack_.push_key(part);
        return true;
    }
    bool on_string_part(string_view part, std::size_t, error_code&)
    {
        stack_.push_chars(part);
        return true;
    }
    bool on_string(string_view part, std::size_t, error_code&)
    {
        stack_.push_string(part);
        return true;
    }
    bool on_int64(std::int64_t number, string_view, error_code&)
    {
        stack_.push_int64(number);
        return true;
    }
    bool on_uint64(std::uint64_t number, string_view, error_code&)
    {
        stack_.push_uint64(number);
        return true;
    }
    bool on_double(double number, string_view token, error_code& stop)
    {
        // The whole text is written in one call, so the token is the whole number.
        if (!std::isfinite(number) || token.find_first_of(".eE") == string_view::npos) {
            too_large_ = token.data();
            stop = json::error::not_exact;
            return false;
        }
        double nearest = 0;
        std::istringstream text{std::string(token)}; // not from_chars(), which libc++ lacks for double
        text.imbue(std::locale::classic());
        text >> nearest;
        stack_.push_double(nearest);
        return true;
    }
    bool on_bool(bool flag, error_code&)
    {
        stack_.push_bool(flag);
        return true;
    }
    bool on_null(error_code&)
    {
        stack_.push_null();
        return true;
    }

private:
    json::value_stack stack_;
    std::size_t keys_ = 0;
    const char* too_large_ = nullptr;
};

std::size_t key_count(const json::value& value)
{
    std::size_t count = 0;
    if (const auto* object = value.if_object()) {
        count = object->size();
        for (const auto& entry : *object) count += key_count(entry.value());
    } else if (const auto* array = value.if_array()) {
        for (const auto& entry : *array) count += key_count(entry);
    }
    return count;
}

/// Depth-first search for the value at `target`; fills the path to it, last step first.
bool path_to(const json::value& value, const json::value* target, std::vector<json_step>& path,
             std::vector<std::string>& keys)
{
    if (&value == target) return true;
    if (const auto* object = value.if_object()) {
        for (const auto& entry : *object) {
            if (!path_to(entry.value(), target, path, keys)) continue;
            keys.emplace_back(entry.key().data(), entry.key().size());
            path.push_back({&keys.back(), 0});
            return true;
        }
    } else if (const auto* array = value.if_array()) {
        for (std::size_t i = 0; i < array->size(); ++i) {
            if (!path_to((*array)[i], target, path, keys)) continue;
            path.push_back({nullptr, i});
            return true;
        }
    }
    return false;
}

} // namespace

json_document::json_document(std::string file, std::string text)
    : file_(std::move(file)), text_(std::move(text)), root_(json::make_shared_resource<json::monotonic_resource>())
{
    json::basic_parser<value_builder> parser(json::parse_options(), root_.storage());
    boost::system::error_code failure;
    const auto parsed = parser.write_some(false, text_.data(), text_.size(), failure);
    if (const auto* number = parser.handler().too_large()) {
        throw input_error(place_in(file_, text_, static_cast<std::size_t>(number - text_.data())),
                          "an integer of more than 64 bits or a number above 1.8e308, expected a smaller one, or a "
                          "number with a point or an exponent");
    }
    if (!failure && parsed == text_.size()) {
        root_ = parser.handler().release();
        if (key_count(root_) == parser.handler().keys()) return;
        const auto twice = find_duplicate_key(text_);
        throw input_error(place_in(file_, text_, twice->offset),
                          "key '" + twice->key + "' stands twice in this object, expected each key once");
    }
    // Boost's own parser has the error about text after the value; its write_some() finds the place.
    json::parser again;
    again.write(text_, failure);
    again.reset();
    boost::system::error_code ignored;
    const auto offset = std::max(parsed, again.write_some(text_, ignored));
    if (text_.compare(0, 3, "\xef\xbb\xbf") == 0) {
        throw input_error(place_in(file_, text_, 0),
                          "the file begins with a byte order mark, expected JSON in plain UTF-8 without one");
    }
    auto near = text_.substr(offset, std::min<std::size_t>(12, text_.find_first_of("\r\n", offset) - offset));
    for (auto& c : near) {
        if (static_cast<unsigned char>(c) >= 0x80) c = '?'; // the mistake may be the encoding
    }
    throw input_error(place_in(file_, text_, offset), "not valid JSON (" + failure.message() + ")" +
                                                          (near.empty() ? " at the end" : " at '" + near + "'") +
                                                          ", expected a value, a comma or a closing bracket");
}

json_document json_document::load(const std::string& file, const std::string& expected)
{
    return json_document(file, read_file(file, expected));
}

source_place json_document::place_of(const json::value& value) const
{
    std::vector<json_step> path;
    std::vector<std::string> keys;
    keys.reserve(64); // more than the parser's maximum depth: the steps point into it
    path_to(root_, &value, path, keys);
    std::reverse(path.begin(), path.end());
    return place_in(file_, text_, locate_json(text_, path, false));
}

source_place json_document::place_of_key(const json::value& object, std::string_view key) const
{
    std::vector<json_step> path;
    std::vector<std::string> keys;
    keys.reserve(64);
    path_to(root_, &object, path, keys);
    std::reverse(path.begin(), path.end());
    keys.emplace_back(key);
    path.push_back({&keys.back(), 0});
    return place_in(file_, text_, locate_json(text_, path, true));
}

void json_document::fail(const json::value& at, const std::string& text) const
{
    throw input_error(place_of(at), text);
}

void json_document::fail_key(const json::value& object, std::string_view key, const std::string& text) const
{
    throw input_error(place_of_key(object, key), text);
}

const json::object& json_document::object(const json::value& value, std::string_view what) const
{
    if (const auto* object = value.if_object()) return *object;
    fail(value, std::string(what) + " is " + kind_name(value) + ", expected an object");
}

const json::array& json_document::array(const json::value& value, std::string_view what) const
{
    if (const auto* array = value.if_array()) return *array;
    fail(value, std::string(what) + " is " + kind_name(value) + ", expected an array");
}

std::string json_document::text(const json::value& value, std::string_view what) const
{
    if (const auto* text = value.if_string()) return std::string(text->data(), text->size());
    fail(value, std::string(what) + " is " + kind_name(value) + ", expected a text in quotes");
}

bool json_document::boolean(const json::value& value, std::string_view what) const
{
    if (const auto* flag = value.if_bool()) return *flag;
    fail(value, std::string(what) + " is " + kind_name(value) + ", expected true or false");
}

double json_document::real(const json::value& value, std::string_view what, double low, double high) const
{
    boost::system::error_code failure;
    const double number = value.is_number() ? value.to_number<double>(failure) : 0.0;
    if (value.is_number() && !failure && number >= low && number <= high) return number;
    std::ostringstream range;
    range << low << " to " << high;
    fail(value, std::string(what) + " is " + kind_name(value) + ", expected a number from " + range.str());
}

std::uint64_t json_document::integer(const json::value& value, std::string_view what, std::uint64_t low,
                                     std::uint64_t high) const
{
    boost::system::error_code failure;
    const auto number = value.is_number() ? value.to_number<std::uint64_t>(failure) : 0;
    if (value.is_number() && !failure && number >= low && number <= high) return number;
    fail(value, std::string(what) + " is " + kind_name(value) + ", expected an integer from " + std::to_string(low) +
                    " to " + std::to_string(high));
}

std::vector<word> json_document::words(const json::value& value, std::string_view what) const
{
    const auto& list = array(value, what);
    std::vector<word> result(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto& entry = list[i];
        if (const auto* text = entry.if_string()) {
            if (parse_hex_word({text->data(), text->size()}, result[i])) continue;
            fail(entry, "word " + std::to_string(i) + " of " + std::string(what) + " is " + kind_name(entry) +
                            ", expected 0x and up to 8 hexadecimal digits, such as \"0x3f800000\"");
        }
        if (const auto* number = entry.if_double()) {
            constexpr double beyond = 0x1.ffffffp127; // the nearest float of larger numbers is infinity
            const auto nearest = std::abs(*number) < beyond ? static_cast<float>(*number) : 0.0F;
            result[i] = to_bits(nearest);
            if (nearest != 0 || *number == 0) continue;
            fail(entry, "word " + std::to_string(i) + " of " + std::string(what) + " is " + kind_name(entry) +
                            ", expected a number in the range of a 32-bit float, or its bits such as \"0x7f800000\"");
        }
        boost::system::error_code failure;
        const auto bits = entry.is_number() ? entry.to_number<std::uint64_t>(failure) : 0;
        if (!entry.is_number() || failure || bits > 0xffffffffU) {
            fail(entry, "word " + std::to_string(i) + " of " + std::string(what) + " is " + kind_name(entry) +
                            ", expected the bits as a text such as \"0x3f800000\" or as an integer from 0 to "
                            "4294967295, or a float with a point, such as -1.0");
        }
        result[i] = static_cast<word>(bits);
    }
    return result;
}

void json_document::only_keys(const json::value& value, std::string_view what, const key_names& keys) const
{
    for (const auto& entry : object(value, what)) {
        const std::string_view key(entry.key().data(), entry.key().size());
        if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
        const std::vector<std::string> names(keys.begin(), keys.end());
        fail_key(value, key,
                 "unknown key '" + std::string(key) + "' in " + std::string(what) + ", expected " +
                     nearest_list(key, names));
    }
}

const json::value& json_document::member(const json::value& value, std::string_view key, std::string_view what) const
{
    object(value, what);
    if (const auto* found = find(value, key)) return *found;
    fail(value, std::string(what) + " has no '" + std::string(key) + "', expected one");
}

sourced_value json_document::sourced(const json::value& value, std::string_view what) const
{
    only_keys(value, what, {"value", "source"});
    const auto& content = member(value, "value", what);
    const auto& source = member(value, "source", what);
    auto words = text(source, "source");
    if (words.empty()) fail(source, "source is empty, expected where the value is from, or 'assumed'");
    return {content, std::move(words)};
}

const json::value* json_document::find(const json::value& value, std::string_view key)
{
    const auto* object = value.if_object();
    return object == nullptr ? nullptr : object->if_contains(json::string_view(key.data(), key.size()));
}

} // namespace isbesim::testbench
