// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/json_text.h"

#include <charconv>
#include <cmath>
#include <utility>

#include <boost/json/serialize.hpp>

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::string key_text(json::string_view key)
{
    return json::serialize(json::string(key)) + ": ";
}

template <typename Number>
void append_number(Number value, std::string& out)
{
    char text[32];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

/// Of neither an array nor an object. Numbers are most of a report, and take Boost's serializer ten times as long.
void append_scalar(const json::value& value, std::string& out)
{
    if (value.is_double())
        append_number(std::isfinite(value.get_double()) ? value.get_double() : 0, out);
    else if (value.is_int64())
        append_number(value.get_int64(), out);
    else if (value.is_uint64())
        append_number(value.get_uint64(), out);
    else
        out += json::serialize(value);
}

/// Appends the value on one line. Gives up once `out` has more than `most` bytes: false, with some of it appended.
bool append_line(const json::value& value, std::size_t most, std::string& out)
{
    if (const auto* array = value.if_array()) {
        out += '[';
        for (const auto& entry : *array) {
            if (&entry != array->begin()) out += ", ";
            if (!append_line(entry, most, out)) return false;
        }
        out += ']';
    } else if (const auto* object = value.if_object()) {
        out += '{';
        for (const auto& entry : *object) {
            out.append(&entry == object->begin() ? " " : ", ").append(key_text(entry.key()));
            if (!append_line(entry.value(), most, out)) return false;
        }
        out += object->empty() ? "}" : " }";
    } else {
        append_scalar(value, out);
    }
    return out.size() <= most;
}

void print(const json::value& value, std::size_t indent, std::size_t used, std::size_t width, std::string& out)
{
    if (!value.is_array() && !value.is_object()) return append_scalar(value, out);
    const auto begin = out.size();
    const auto room = used < width ? width - used : 0;
    if (append_line(value, begin + room, out)) return;
    out.resize(begin);
    const auto margin = "\n" + std::string(indent + 2, ' ');
    const bool is_array = value.is_array();
    out += is_array ? '[' : '{';
    bool first = true;
    const auto begin_entry = [&] {
        if (!std::exchange(first, false)) out += ',';
        out += margin;
    };
    if (is_array) {
        for (const auto& entry : value.get_array()) {
            begin_entry();
            print(entry, indent + 2, indent + 2, width, out);
        }
    } else {
        for (const auto& entry : value.get_object()) {
            begin_entry();
            const auto key = key_text(entry.key());
            out += key;
            print(entry.value(), indent + 2, indent + 2 + key.size(), width, out);
        }
    }
    out += "\n" + std::string(indent, ' ') + (is_array ? "]" : "}");
}

} // namespace

std::string json_text(const json::value& value, std::size_t width)
{
    std::string out;
    print(value, 0, 0, width, out);
    out += "\n";
    return out;
}

std::string number_text(double value)
{
    std::string text;
    append_scalar(value, text);
    return text;
}

} // namespace isbesim::testbench
