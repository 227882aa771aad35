// SPDX-License-Identifier: Apache-2.0
#include "testbench/system/config.h"

#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "testbench/files/json_text.h"
#include "testbench/rtl/rtl_parameters.h"
#include "tests/testbench/another_value.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

const source_place command_line_place{"command-line", 1, 3};

TEST(config, every_key_is_documented_and_its_default_lies_in_its_range)
{
    const machine_config defaults;
    std::set<std::string> names;
    for (const auto& key : config_keys()) {
        EXPECT_TRUE(names.insert(key.name).second) << key.name << " stands twice";
        EXPECT_GT(std::string(key.description).size(), 10U) << key.name;
        EXPECT_EQ(std::string(key.description).back(), '.') << key.name;
        const double value = key.get(defaults);
        EXPECT_GE(value, key.low) << key.name;
        EXPECT_LE(value, key.high) << key.name;
        if (key.kind == key_kind::integer) {
            EXPECT_NE(std::string(key.unit) + key.name, key.name) << key.name << " has no unit";
        }
        // As text and back: over another value, for a reader that does nothing leaves the default standing.
        machine_config again;
        key.set(again, another_value(key));
        set_config(std::string(key.name) + "=" + key.value_text(value), command_line_place, again);
        EXPECT_EQ(key.get(again), value) << key.name;
        set_config(std::string(key.name) + "=" + key.value_text(another_value(key)), command_line_place, again);
        EXPECT_EQ(key.get(again), another_value(key)) << key.name;
    }
}

TEST(config, has_every_key_of_the_interface)
{
    std::istringstream names(R"(
        clock_ghz sm_count schedulers_per_sm warps_per_sm scheduler_policy isbe.lines isbe.banks isbe.bank_map
        isbe.access isbe.skew isbe.request_queue_depth isbe.response_queue_depth isbe.pipeline_latency
        isbe.write_latency isbe.al2p_latency isbe.out_latency isbe.ports isbe.arbitration isbe.gs_slot_order
        isbe.map_byte_swap isbe.contexts sm.alu_latency pe.batch_vertices pe.batch_indices pe.fetch_bytes_per_cycle
        pe.allocation_policy pe.buffers attribute_default position_w_default poison trap_vertex_range
        allow_phys_vector patch_winner trap_gs_state
    )");
    for (std::string name; names >> name;) EXPECT_NE(find_config_key(name), nullptr) << name;
}

TEST(config, each_key_reaches_a_member_of_its_own)
{
    // Moving one key off its default must change the dump in exactly that key.
    const auto defaults = json_text(config_to_json(machine_config{}), 1);
    std::set<std::string> seen = {defaults};
    for (const auto& key : config_keys()) {
        machine_config config;
        const double other = another_value(key);
        key.set(config, other);
        EXPECT_EQ(key.get(config), other) << key.name;
        EXPECT_TRUE(seen.insert(json_text(config_to_json(config), 1)).second) << key.name;
    }
}

TEST(config, set_reads_every_kind)
{
    machine_config config;
    for (const auto* assignment :
         {"clock_ghz=1.5", "isbe.lines=256", "isbe.access=line", "isbe.bank_map=xor", "isbe.skew=false",
          "attribute_default=0x12", "position_w_default=0", "scheduler_policy=greedy_then_oldest", "poison=1"}) {
        set_config(assignment, command_line_place, config);
    }
    EXPECT_EQ(config.clock_ghz, 1.5);
    EXPECT_EQ(config.isbe.lines, 256U);
    EXPECT_EQ(config.isbe.access, access_rule::line);
    EXPECT_EQ(config.isbe.bank_map, bank_map::exclusive_or);
    EXPECT_FALSE(config.isbe.skew);
    EXPECT_EQ(config.isbe.attribute_default, 0x12U);
    EXPECT_EQ(config.isbe.position_w_default, 0U);
    EXPECT_EQ(config.sm.scheduler_policy, scheduler_rule::greedy_then_oldest);
    EXPECT_TRUE(config.pe.poison);
}

TEST(config, machine_states_architecture_of_its_programs)
{
    const auto load = [](const std::string& text) {
        machine_config config;
        return load_config_text("{\"architectures\": " + text + "}", {"m.json", 1, 1}, config);
    };
    const auto two = load("{\"value\": [\"sm75\", \"sm86\"], \"source\": \"assumed\"}");
    EXPECT_EQ(foreign_architecture(two, isa::architecture::sm86), "");
    EXPECT_EQ(foreign_architecture(two, isa::architecture::sm50),
              "the machine m.json runs sm75 or sm86, the draw's programs are of sm50: the figures are of no machine "
              "that exists");
    EXPECT_EQ(foreign_architecture({}, isa::architecture::sm50), "") << "a machine that does not say runs all";
    machine_config config;
    for (const auto* name : {"gm107", "gm200", "gp102"})
        EXPECT_EQ(load_config(name, command_line_place, config).architectures,
                  std::vector<isa::architecture>{isa::architecture::sm50});
    for (const auto* name : {"gv100", "tu102"})
        EXPECT_EQ(load_config(name, command_line_place, config).architectures,
                  std::vector<isa::architecture>{isa::architecture::sm75});
    EXPECT_EQ(load_config("ga102", command_line_place, config).architectures,
              std::vector<isa::architecture>{isa::architecture::sm86});
    EXPECT_EQ(load_config("ad102", command_line_place, config).architectures,
              std::vector<isa::architecture>{isa::architecture::sm89});
    EXPECT_EQ(load_config("gb202", command_line_place, config).architectures,
              std::vector<isa::architecture>{isa::architecture::sm120});
}

TEST(config, a_file_may_be_nested_or_dotted)
{
    const temporary_folder folder;
    machine_config config;
    const auto file = folder.write("m.json", "{\"isbe\": {\"lines\": 64, \"access\": \"line\"}, \"isbe.banks\": 8,\n"
                                             " \"position_w_default\": \"0x1\", \"poison\": true}");
    load_config(file, command_line_place, config);
    EXPECT_EQ(config.isbe.lines, 64U);
    EXPECT_EQ(config.isbe.access, access_rule::line);
    EXPECT_EQ(config.isbe.banks, 8U);
    EXPECT_EQ(config.isbe.position_w_default, 1U);
    EXPECT_TRUE(config.pe.poison);
}

TEST(config, the_dump_is_a_configuration_file)
{
    const temporary_folder folder;
    machine_config config;
    config.isbe.lines = 72;
    config.isbe.position_w_default = 0xdeadbeefU;
    config.clock_ghz = 1.125;
    config.sm.trap_gs_state = true;
    const auto dump = json_text(config_to_json(config));
    machine_config again;
    load_config(folder.write("dump.json", dump), command_line_place, again);
    EXPECT_EQ(json_text(config_to_json(again)), dump);
    EXPECT_EQ(again.isbe.position_w_default, 0xdeadbeefU);
}

TEST(config, the_help_names_every_key)
{
    std::ostringstream help;
    EXPECT_TRUE(print_config_help(help, ""));
    for (const auto& key : config_keys()) EXPECT_NE(help.str().find(key.name), std::string::npos) << key.name;
}

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
