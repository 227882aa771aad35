// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/rtl_parameters.h"

#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace isbesim::testbench {

namespace {

// An enumerator is the parameter's value (configurations.json, "values").
template <auto member>
std::uint32_t get_member(const isbe_config& config)
{
    return static_cast<std::uint32_t>(config.*member);
}
template <typename T>
void assign(T& member, std::uint32_t value)
{
    member = static_cast<T>(value);
}
template <auto member>
void set_member(isbe_config& config, std::uint32_t value)
{
    assign(config.*member, value);
}

/// The texts of the table are names for a choice, and the allowed values for a number.
std::vector<const char*> names_of(std::string_view kind, std::vector<const char*> texts)
{
    return kind == "choice" || kind == "flag" ? std::move(texts) : std::vector<const char*>{};
}

std::string value_text(const rtl_parameter& parameter, std::uint32_t value)
{
    return parameter.values.empty() ? std::to_string(value) : parameter.values.at(value);
}

} // namespace

const std::vector<rtl_parameter>& rtl_parameters()
{
#define ISBESIM_RTL_PARAMETER(name, key, member, kind, unit, low, high, step, text, ...)                               \
    {#name, key, names_of(#kind, {__VA_ARGS__}), get_member<&isbe_config::member>, set_member<&isbe_config::member>},
    static const std::vector<rtl_parameter> table = {
#include "testbench/rtl/rtl_parameters.inc"
    };
#undef ISBESIM_RTL_PARAMETER
    return table;
}

std::string rtl_parameter_list(const isbe_config& config)
{
    std::string list;
    for (const auto& parameter : rtl_parameters()) {
        if (!list.empty()) list += ' ';
        list += std::string(parameter.name) + "=" + std::to_string(parameter.get(config));
    }
    return list;
}

isbe_config config_of_rtl_parameters(const std::string& list)
{
    isbe_config config;
    std::istringstream words(list);
    for (std::string word; words >> word;) {
        const auto equals = word.find('=');
        bool known = false;
        for (const auto& parameter : rtl_parameters()) {
            if (word.compare(0, equals, parameter.name) != 0) continue;
            parameter.set(config, static_cast<std::uint32_t>(std::stoul(word.substr(equals + 1))));
            known = true;
        }
        if (!known) throw std::invalid_argument("'" + word + "' is no RTL parameter");
    }
    return config;
}

std::string rtl_differences(const isbe_config& config, const std::string& compiled_list)
{
    const auto compiled = config_of_rtl_parameters(compiled_list);
    std::string text;
    for (const auto& each : rtl_parameters()) {
        if (each.get(config) == each.get(compiled)) continue;
        text += (text.empty() ? "" : ", ") + std::string(each.key) + " = " + value_text(each, each.get(config)) +
                " (compiled: " + value_text(each, each.get(compiled)) + ")";
    }
    return text;
}

const std::vector<rtl_configuration>& rtl_configurations()
{
    static const std::vector<rtl_configuration> table = {
#include "testbench/rtl/rtl_configurations.inc"
    };
    return table;
}

isbe_config rtl_configuration_of(const std::string& name)
{
    for (const auto& row : rtl_configurations())
        if (name == row.name) return config_of_rtl_parameters(row.parameters);
    throw std::invalid_argument("no RTL configuration '" + name + "'");
}

} // namespace isbesim::testbench
