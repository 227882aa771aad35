#include <gtest/gtest.h>

#include <set>

#include "testbench/config.h"
#include "testbench/rtl/rtl_parameters.h"

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

TEST(rtl_parameters, the_nearest_differs_in_the_fewest_keys)
{
    isbe_config small, other, wanted;
    small.lines = 64;
    small.banks = 8;
    other.ports = 1;
    other.skew = false;
    other.contexts = 1;
    wanted.lines = 96;
    wanted.banks = 8;
    wanted.arbitration = arbitration_rule::fixed_priority;
    const std::vector<std::string> lists = {rtl_parameter_list(other), rtl_parameter_list(small),
                                            rtl_parameter_list(isbe_config{})};
    EXPECT_EQ(nearest_rtl_parameters(wanted, lists), 1U);
    EXPECT_EQ(rtl_differences(wanted, lists[1]),
              "isbe.lines = 96 (compiled: 64), isbe.arbitration = fixed_priority (compiled: round_robin)");
    EXPECT_EQ(rtl_differences(small, lists[1]), "");
}

} // namespace
} // namespace isbesim::testbench
