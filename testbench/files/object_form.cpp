// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/object_form.h"

#include <algorithm>

namespace isbesim::testbench {

namespace json = boost::json;

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

json::object list(json::object of)
{
    return {{"type", "array"}, {"items", std::move(of)}};
}

json::object list(json::object of, std::uint64_t count)
{
    auto result = list(std::move(of));
    result["minItems"] = result["maxItems"] = count;
    return result;
}

json::object map(const std::string& pattern, json::object of)
{
    return {{"type", "object"}, {"patternProperties", {{pattern, std::move(of)}}}, {"additionalProperties", false}};
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
