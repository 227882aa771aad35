#include "testbench/files/json_text.h"

#include <charconv>
#include <cmath>

#include <boost/json/serialize.hpp>

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::string key_text(json::string_view key)
{
    return json::serialize(json::string(key)) + ": ";
}

std::string one_line(const json::value& value)
{
    std::string text;
    if (value.is_double()) return number_text(value.get_double());
    if (const auto* array = value.if_array()) {
        for (const auto& entry : *array) text += (text.empty() ? "" : ", ") + one_line(entry);
        return "[" + text + "]";
    }
    if (const auto* object = value.if_object()) {
        for (const auto& entry : *object) {
            text += (text.empty() ? " " : ", ") + key_text(entry.key()) + one_line(entry.value());
        }
        return text.empty() ? "{}" : "{" + text + " }";
    }
    return json::serialize(value);
}

void print(const json::value& value, std::size_t indent, std::size_t used, std::size_t width, std::string& out)
{
    const auto flat = one_line(value);
    if ((!value.is_array() && !value.is_object()) || used + flat.size() <= width) {
        out += flat;
        return;
    }
    const std::string margin(indent + 2, ' ');
    const bool is_array = value.is_array();
    out += is_array ? "[" : "{";
    bool first = true;
    const auto begin_entry = [&] {
        out += first ? "\n" : ",\n";
        out += margin;
        first = false;
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
    if (!std::isfinite(value)) return "0";
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

} // namespace isbesim::testbench
