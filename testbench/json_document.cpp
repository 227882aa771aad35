#include "testbench/json_document.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>
#include <boost/json/serialize.hpp>

#include "testbench/files.h"
#include "testbench/hex_text.h"
#include "testbench/json_locator.h"
#include "testbench/nearest.h"

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
    const auto before = text.substr(0, offset);
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const auto newline = before.rfind('\n');
    return {file, line, newline == std::string_view::npos ? offset + 1 : offset - newline};
}

/// Depth-first search for the value at `target`; fills the path to it, last step first.
bool path_to(const json::value& from, const json::value* target, std::vector<json_step>& path,
             std::vector<std::string>& keys)
{
    if (&from == target) return true;
    if (const auto* object = from.if_object()) {
        for (const auto& entry : *object) {
            if (!path_to(entry.value(), target, path, keys)) continue;
            keys.emplace_back(entry.key().data(), entry.key().size());
            path.push_back({&keys.back(), 0});
            return true;
        }
    } else if (const auto* array = from.if_array()) {
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
    json::parser parser(root_.storage());
    json::error_code failure;
    const auto parsed = parser.write(text_, failure);
    if (!failure) {
        root_ = parser.release();
        return;
    }
    // write() reports no offset with its error; write_some() does.
    json::parser again;
    json::error_code ignored;
    const auto offset = std::max(parsed, again.write_some(text_, ignored));
    auto near = text_.substr(offset, std::min<std::size_t>(12, text_.find_first_of("\r\n", offset) - offset));
    for (auto& c : near) {
        if (static_cast<unsigned char>(c) >= 0x80) c = '?'; // what is wrong may be the encoding
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
    keys.reserve(64); // deeper than the parser allows: the steps point into it
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
    json::error_code failure;
    const double number = value.is_number() ? value.to_number<double>(failure) : 0.0;
    if (value.is_number() && !failure && number >= low && number <= high) return number;
    std::ostringstream range;
    range << low << " to " << high;
    fail(value, std::string(what) + " is " + kind_name(value) + ", expected a number from " + range.str());
}

std::uint64_t json_document::integer(const json::value& value, std::string_view what, std::uint64_t low,
                                     std::uint64_t high) const
{
    json::error_code failure;
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
                            ", expected a hexadecimal word such as \"0x3f800000\"");
        }
        result[i] =
            static_cast<word>(integer(entry, "word " + std::to_string(i) + " of " + std::string(what), 0, 0xffffffffU));
    }
    return result;
}

void json_document::only_keys(const json::value& value, std::string_view what,
                              std::initializer_list<std::string_view> keys) const
{
    for (const auto& entry : object(value, what)) {
        const std::string_view key(entry.key().data(), entry.key().size());
        if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
        const std::vector<std::string> names(keys.begin(), keys.end());
        fail_key(value, key,
                 "unknown key '" + std::string(key) + "' in " + std::string(what) + ", expected " +
                     name_list(nearest_names(key, names)));
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
    const auto& given = member(value, "value", what);
    const auto& source = member(value, "source", what);
    auto words = text(source, "source");
    if (words.empty()) fail(source, "source is empty, expected where the value is from, or 'assumed'");
    return {given, std::move(words)};
}

const json::value* json_document::find(const json::value& value, std::string_view key)
{
    const auto* object = value.if_object();
    return object == nullptr ? nullptr : object->if_contains(json::string_view(key.data(), key.size()));
}

} // namespace isbesim::testbench
