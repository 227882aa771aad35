// SPDX-License-Identifier: Apache-2.0
#include "testbench/system/machine_schema.h"

#include <map>
#include <string>

#include "testbench/files/architecture_name.h"
#include "testbench/files/object_form.h"
#include "testbench/system/config.h"
#include "testbench/system/presets.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// A value, or an object with the value and its source, as in the presets.
json::object sourced(const json::object& value)
{
    const object_form both({{"value", value, "The value.", true},
                            {"source", {{"type", "string"}, {"minLength", 1}}, "Where it is from.", true}});
    return form::either({value, both.schema()});
}

json::object property(const config_key& key)
{
    auto result = sourced(key.schema());
    const machine_config defaults;
    result["description"] = std::string(key.description) + (*key.unit == 0 ? "" : " [" + std::string(key.unit) + "]");
    result["default"] = key.json_in(defaults);
    return result;
}

} // namespace

const object_form& machine_file_form()
{
    static const object_form keys({
        schema_key(),
        {"description", form::text(), "For people."},
        {"base", form::one_of(machine_names()), "A preset: keys that the file does not have are as there."},
        {"architectures", sourced(form::list(form::one_of(architecture_names()))),
         "Programs that the machine runs; those of others run with a warning."},
    });
    return keys;
}

json::object machine_schema()
{
    auto schema = machine_file_form().schema();
    auto& properties = schema.at("properties").as_object();
    std::map<std::string, json::object> groups;
    for (const auto& key : config_keys()) {
        const std::string name = key.name;
        properties[name] = property(key);
        if (const auto dot = name.find('.'); dot != std::string::npos)
            groups[name.substr(0, dot)][name.substr(dot + 1)] = properties[name];
    }
    for (auto& [name, keys] : groups)
        properties[name] = {{"type", "object"}, {"properties", std::move(keys)}, {"additionalProperties", false}};
    return schema;
}

} // namespace isbesim::testbench
