// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/json_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <boost/json/serialize.hpp>

#include "testbench/files/growing_text.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// Same result as Boost, which takes several times as long for text without escapes.
void append_string(json::string_view text, growing_text& out)
{
    const auto is_plain = [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; };
    if (!std::all_of(text.begin(), text.end(), is_plain)) return out.append(json::serialize(json::string(text)));
    out.append('"');
    out.append({text.data(), text.size()});
    out.append('"');
}

void append_key(const json::key_value_pair& entry, growing_text& out)
{
    append_string(entry.key(), out);
    out.append(": ");
}

/// For values other than arrays and objects. Most are numbers, for which Boost's serializer takes ten times as long.
void append_scalar(const json::value& value, growing_text& out)
{
    if (value.is_double())
        out.append_number(std::isfinite(value.get_double()) ? value.get_double() : 0);
    else if (value.is_int64())
        out.append_number(value.get_int64());
    else if (value.is_uint64())
        out.append_number(value.get_uint64());
    else if (const auto* text = value.if_string())
        append_string(*text, out);
    else
        out.append(json::serialize(value));
}

/// Appends the value on one line. Returns false as soon as `out` has more than `most` bytes, with a part appended.
bool append_line(const json::value& value, std::size_t most, growing_text& out);

bool append_line(const json::array& array, std::size_t most, growing_text& out)
{
    out.append('[');
    for (const auto& entry : array) {
        if (&entry != array.begin()) out.append(", ");
        if (!append_line(entry, most, out)) return false;
    }
    out.append(']');
    return out.size() <= most;
}

bool append_line(const json::object& object, std::size_t most, growing_text& out)
{
    out.append('{');
    for (const auto& entry : object) {
        out.append(&entry == object.begin() ? " " : ", ");
        append_key(entry, out);
        if (!append_line(entry.value(), most, out)) return false;
    }
    out.append(object.empty() ? "}" : " }");
    return out.size() <= most;
}

bool append_line(const json::value& value, std::size_t most, growing_text& out)
{
    if (const auto* array = value.if_array()) return append_line(*array, most, out);
    if (const auto* object = value.if_object()) return append_line(*object, most, out);
    append_scalar(value, out);
    return out.size() <= most;
}

/// `indent`: of the line; `used`: columns that it already has.
void print(const json::value& value, std::size_t indent, std::size_t used, std::size_t width, growing_text& out);

void print_entry(const json::value& entry, std::size_t indent, std::size_t width, growing_text& out)
{
    print(entry, indent, indent, width, out);
}

void print_entry(const json::key_value_pair& entry, std::size_t indent, std::size_t width, growing_text& out)
{
    const auto begin = out.size();
    append_key(entry, out);
    print(entry.value(), indent, indent + out.size() - begin, width, out);
}

/// An array or an object.
template <typename Container>
void print_all(const Container& all, std::size_t indent, std::size_t used, std::size_t width, growing_text& out)
{
    const auto begin = out.size();
    if (append_line(all, begin + (used < width ? width - used : 0), out)) return;
    out.shrink_to(begin + 1); // the bracket
    const auto margin = ",\n" + std::string(indent + 2, ' ');
    for (const auto& entry : all) {
        out.append(std::string_view(margin).substr(&entry == all.begin() ? 1 : 0));
        print_entry(entry, indent + 2, width, out);
    }
    out.append(std::string_view(margin).substr(1, indent + 1));
    out.append(out[begin] == '[' ? ']' : '}');
}

void print(const json::value& value, std::size_t indent, std::size_t used, std::size_t width, growing_text& out)
{
    if (const auto* array = value.if_array())
        print_all(*array, indent, used, width, out);
    else if (const auto* object = value.if_object())
        print_all(*object, indent, used, width, out);
    else
        append_scalar(value, out);
}

} // namespace

std::string json_text(const json::value& value, std::size_t width)
{
    growing_text out;
    print(value, 0, 0, width, out);
    out.append('\n');
    return out.take();
}

std::string json_text(const json::object& object, std::size_t width)
{
    growing_text out;
    print_all(object, 0, 0, width, out);
    out.append('\n');
    return out.take();
}

std::string number_text(double value)
{
    growing_text out;
    append_scalar(value, out);
    return out.take();
}

} // namespace isbesim::testbench
