// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/rtl_parameters.h"

#include <set>

#include <gtest/gtest.h>

#include "testbench/system/config.h"

namespace isbesim::testbench {
namespace {

TEST(rtl_parameters, have_the_configuration_keys_that_they_come_from)
{
    // Changing a key of the machine changes the one parameter that names it, and its value is called as the key's is.
    std::set<std::string> keys;
    for (const auto& parameter : rtl_parameters()) {
        const auto* key = find_config_key(parameter.key);
        ASSERT_NE(key, nullptr) << parameter.key;
        EXPECT_TRUE(keys.insert(parameter.key).second) << parameter.key;
        machine_config config;
        const auto before = key->get(config);
        const auto other = before == key->low ? key->high : key->low;
        key->set(config, other);
        const auto text = rtl_differences(config.isbe, rtl_parameter_list(isbe_config{}));
        const auto shown = [&](double value) {
            return key->kind == key_kind::hex ? std::to_string(static_cast<std::uint32_t>(value))
                                              : key->value_text(value);
        };
        EXPECT_EQ(text, std::string(parameter.key) + " = " + shown(other) + " (compiled: " + shown(before) + ")");
    }
}

TEST(rtl_parameters, differences_are_named_as_the_configuration_does)
{
    isbe_config small, wanted;
    small.lines = 64;
    small.banks = 8;
    wanted.lines = 96;
    wanted.banks = 8;
    wanted.arbitration = arbitration_rule::fixed_priority;
    const auto list = rtl_parameter_list(small);
    EXPECT_EQ(rtl_differences(wanted, list),
              "isbe.lines = 96 (compiled: 64), isbe.arbitration = fixed_priority (compiled: round_robin)");
    EXPECT_EQ(rtl_differences(small, list), "");
}

TEST(rtl_parameters, every_isbe_key_of_the_machine_is_a_parameter)
{
    std::set<std::string> parameters;
    for (const auto& parameter : rtl_parameters()) parameters.insert(parameter.key);
    for (const auto& key : config_keys()) {
        if (std::string(key.name).rfind("isbe.", 0) != 0) continue;
        EXPECT_EQ(parameters.count(key.name), 1U) << key.name;
    }
}

} // namespace
} // namespace isbesim::testbench
