// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/object_form.h"

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <sstream>

#include "testbench/files/nearest.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

bool admits(const key_description& key, double value)
{
    if (std::isnan(value)) return key.optional;
    if (value < key.low || value > key.high) return false;
    if (key.kind == key_kind::real) return true;
    if (value != std::floor(value) || std::fmod(value, key.step) != 0.0) return false;
    if (key.kind != key_kind::integer || key.choices.empty()) return true;
    return std::any_of(key.choices.begin(), key.choices.end(),
                       [&](const char* admitted) { return value == std::strtod(admitted, nullptr); });
}

std::string key_description::range_text() const
{
    if (!choices.empty()) return name_list({choices.begin(), choices.end()});
    std::string text = value_text(low) + " to " + value_text(high);
    if (step > 1) text += ", a multiple of " + value_text(step);
    return text;
}

std::string key_description::value_text(double value) const
{
    if (kind == key_kind::flag || kind == key_kind::choice) return choices[static_cast<std::size_t>(value)];
    if (kind == key_kind::hex) return hex(static_cast<std::uint64_t>(value));
    std::ostringstream text;
    text << std::setprecision(12) << value;
    return text.str();
}

json::value key_description::json(double value) const
{
    if (std::isnan(value)) return nullptr;
    switch (kind) {
    case key_kind::integer:
        return static_cast<std::uint64_t>(value);
    case key_kind::real:
        return value;
    case key_kind::flag:
        return value != 0.0;
    default:
        return json::string(value_text(value));
    }
}

json::object key_description::schema() const
{
    json::object result;
    if (kind == key_kind::flag) {
        result = form::flag();
    } else if (kind == key_kind::choice) {
        result = form::one_of({choices.begin(), choices.end()});
    } else if (kind == key_kind::real) {
        result = form::real(low, high);
    } else if (!choices.empty()) {
        json::array admitted;
        for (const auto* each : choices) admitted.emplace_back(std::stoull(each));
        result["enum"] = std::move(admitted);
    } else {
        result = form::integer(static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high));
        if (step > 1) result["multipleOf"] = static_cast<std::uint64_t>(step);
        if (kind == key_kind::hex) result = form::either({form::hex_word(), std::move(result)});
    }
    return optional ? form::or_null(std::move(result)) : result;
}

double key_description::read(const json_document& document, const json::value& value) const
{
    if (optional && value.is_null()) return std::nan("");
    if (kind == key_kind::flag) return document.boolean(value, name) ? 1 : 0;
    if (kind == key_kind::real) return document.real(value, name, low, high);
    if (kind == key_kind::choice) {
        const auto text = document.text(value, name);
        const auto found = std::find(choices.begin(), choices.end(), text);
        if (found == choices.end())
            document.fail(value, "unknown " + std::string(name) + " '" + text + "', expected " +
                                     nearest_list(text, {choices.begin(), choices.end()}));
        return static_cast<double>(found - choices.begin());
    }
    const auto number = static_cast<double>(
        document.integer(value, name, static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high)));
    if (!admits(*this, number))
        document.fail(value, std::string(name) + " is " + value_text(number) + ", expected " + range_text());
    return number;
}

key_names object_form::names() const
{
    key_names names;
    for (const auto& key : keys_) names.emplace_back(key.name);
    return names;
}

integer_range object_form::range(std::string_view key) const
{
    const auto found = std::find_if(keys_.begin(), keys_.end(), [&](const form_key& each) { return key == each.name; });
    const auto bound = [&](const char* which) { return found->value.at(which).to_number<std::uint64_t>(); };
    return {bound("minimum"), bound("maximum")};
}

json::object object_form::schema() const
{
    json::object properties;
    json::array required;
    for (const auto& key : keys_) {
        auto value = key.value;
        // Draft 7 ignores everything beside a reference.
        if (value.contains("$ref")) value = json::object{{"allOf", json::array{value}}};
        value["description"] = key.description;
        properties[key.name] = std::move(value);
        if (key.required) required.emplace_back(key.name);
    }
    json::object result = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
    if (!required.empty()) result["required"] = std::move(required);
    return result;
}

namespace form {

json::object text()
{
    return {{"type", "string"}};
}

json::object text(const std::string& pattern)
{
    return {{"type", "string"}, {"pattern", pattern}};
}

json::object flag()
{
    return {{"type", "boolean"}};
}

json::object integer(const integer_range& range)
{
    return {{"type", "integer"}, {"minimum", range.low}, {"maximum", range.high}};
}

json::object real(double low, double high)
{
    return {{"type", "number"}, {"minimum", low}, {"maximum", high}};
}

json::object one_of(const std::vector<std::string>& names)
{
    return {{"enum", json::array(names.begin(), names.end())}};
}

json::object list(json::object item)
{
    return {{"type", "array"}, {"items", std::move(item)}};
}

json::object list(json::object item, std::uint64_t count)
{
    auto result = list(std::move(item));
    result["minItems"] = result["maxItems"] = count;
    return result;
}

json::object map(const std::string& pattern, json::object item)
{
    return {{"type", "object"}, {"patternProperties", {{pattern, std::move(item)}}}, {"additionalProperties", false}};
}

json::object either(std::vector<json::object> values)
{
    return {{"anyOf", json::array(values.begin(), values.end())}};
}

json::object or_null(json::object value)
{
    return either({std::move(value), {{"type", "null"}}});
}

json::object reference(const std::string& name)
{
    return {{"$ref", "#/definitions/" + name}};
}

json::object hex_word()
{
    return text("^0[xX][0-9a-fA-F]{1,8}$");
}

json::object words()
{
    // A number with a point is a float, an integer gives the bits: the schema of both is "number".
    return list(either({hex_word(), {{"type", "number"}}}));
}

} // namespace form

form_key schema_key()
{
    return {"$schema", form::text(), "Where the schema of this file is, for editors."};
}

} // namespace isbesim::testbench
