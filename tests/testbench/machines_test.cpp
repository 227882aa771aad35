// SPDX-License-Identifier: Apache-2.0
// The presets.
#include <map>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "models/attribute/layout.h"
#include "test_paths.h"
#include "testbench/system/config.h"
#include "testbench/system/known_chips.h"
#include "testbench/system/presets.h"
#include "tests/support/error_text.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

const source_place anywhere{"command-line", 1, 2};

/// HARDWARE.md F.1, F.2: default sizes of the circular buffers of a TPC in units of 32 bytes, SMs that share them,
/// warps.
struct public_figures {
    const char* name;
    unsigned alpha;
    unsigned attribute;
    unsigned sms;
    unsigned warps;
};
constexpr public_figures figures[] = {
    {"ad102", 0x800, 0x4a1, 2, 48},  {"ga102", 0x800, 0x4a1, 2, 48},  {"gb202", 0x800, 0x4a1, 2, 48},
    {"gm107", 0x1000, 0xaa0, 1, 64}, {"gm200", 0x1000, 0x400, 1, 64}, {"gp102", 0x800, 0x320, 1, 64},
    {"gv100", 0x800, 0x480, 2, 64},  {"tu102", 0x800, 0x700, 2, 32},  {"tu106", 0x800, 0x700, 2, 32}};

TEST(machines, all_of_them_ship)
{
    ASSERT_EQ(presets().size(), 2 * std::size(figures));
    for (std::size_t i = 0; i < std::size(figures); ++i) {
        EXPECT_STREQ(presets()[2 * i].name, figures[i].name);
        EXPECT_EQ(presets()[2 * i + 1].name, std::string(figures[i].name) + "_chip");
    }
    EXPECT_EQ(find_machine("gk104"), nullptr);
}

TEST(machines, have_the_public_figures)
{
    for (const auto& known : figures) {
        machine_config config;
        load_config(known.name, anywhere, config);
        EXPECT_EQ(config.sm_count, known.sms) << known.name;
        const auto lines = [&](unsigned units) { return units * 32 / line_bytes / known.sms / 8 * 8; };
        EXPECT_EQ(config.isbe.lines, lines(known.alpha) + lines(known.attribute)) << known.name;
        EXPECT_EQ(config.pe.buffers, buffer_rule::alpha_beta) << known.name;
        EXPECT_EQ(config.pe.alpha_lines, lines(known.alpha)) << known.name;
        EXPECT_EQ(config.pe.beta_lines, lines(known.attribute)) << known.name;
        EXPECT_EQ(config.sm.warps, known.warps) << known.name;
        EXPECT_EQ(config.sm.schedulers, 4U) << known.name;
        EXPECT_EQ(config.pe.batch_vertices, 32U) << known.name;
        EXPECT_EQ(config.pe.batch_indices, 96U) << known.name;
        EXPECT_EQ(config.pe.gs_output_vertices, 300U) << known.name;
        EXPECT_EQ(config.pe.gs_instances, 64U) << known.name;
        EXPECT_EQ(config.pe.patches_per_batch, 12U) << known.name;
        EXPECT_EQ(config.pe.low_watermark, 8U) << known.name;
        EXPECT_EQ(config.pe.high_watermark, 64U) << known.name;
    }
}

/// GPCs and TPCs of each in the vendor's white papers and data sheets: SMs of the full chip are their product and the
/// SMs of a TPC.
TEST(machines, chips_are_so_many_of_their_tpc)
{
    struct size {
        unsigned gpcs;
        unsigned tpcs;
        unsigned all_sms;
    };
    constexpr size sizes[] = {{12, 6, 144}, {7, 6, 84}, {12, 8, 192}, {1, 5, 5}, {6, 4, 24},
                              {6, 5, 30},   {6, 7, 84}, {6, 6, 72},   {3, 5, 30}};
    static_assert(std::size(sizes) == std::size(figures));
    for (std::size_t i = 0; i < std::size(figures); ++i) {
        machine_config tpc, chip;
        const auto tpc_programs = load_config(figures[i].name, anywhere, tpc);
        const auto chip_programs = load_config(std::string(figures[i].name) + "_chip", anywhere, chip);
        EXPECT_EQ(chip_programs.architectures, tpc_programs.architectures);
        EXPECT_EQ(chip.chip.gpcs, sizes[i].gpcs) << figures[i].name;
        EXPECT_EQ(chip.chip.tpcs, sizes[i].tpcs) << figures[i].name;
        EXPECT_EQ(chip.chip.all_tpcs() * chip.sm_count, sizes[i].all_sms) << figures[i].name;
        EXPECT_EQ(tpc.chip.all_tpcs(), 1U);
        chip.chip = {};
        // Rates after the stages are assumed for a chip, not for a single TPC.
        chip.pe.vertices_per_cycle = tpc.pe.vertices_per_cycle;
        chip.pe.geometry_threads_per_cycle = tpc.pe.geometry_threads_per_cycle;
        EXPECT_EQ(config_to_json(chip), config_to_json(tpc)) << figures[i].name;
    }
}

/// SMs of the full chips in the vendor's white papers; AD103 has 80 of these, in GPCs of different sizes.
TEST(machines, other_chips_are_as_large_as_theirs)
{
    const std::map<std::string, unsigned> sms = {
        {"gm108", 3},  {"gm204", 16}, {"gm206", 8},  {"gp104", 20}, {"gp106", 10}, {"gp107", 6},
        {"gp108", 3},  {"tu104", 48}, {"tu116", 24}, {"tu117", 16}, {"ga103", 60}, {"ga104", 48},
        {"ga106", 30}, {"ga107", 20}, {"ad103", 84}, {"ad104", 60}, {"ad106", 36}, {"ad107", 24},
        {"gb203", 84}, {"gb205", 50}, {"gb206", 36}, {"gb207", 20}};
    EXPECT_EQ(machines().size() - presets().size(), 2 * sms.size());
    for (const auto& each : known_chips()) {
        const std::string name = each.name;
        machine_config base, tpc, chip;
        const auto base_programs = load_config(each.base, anywhere, base);
        EXPECT_EQ(load_config(name, anywhere, tpc).architectures, base_programs.architectures) << name;
        EXPECT_EQ(load_config(name + "_chip", anywhere, chip).architectures, base_programs.architectures) << name;
        EXPECT_EQ(tpc.chip.all_tpcs(), 1U) << name;
        EXPECT_EQ(chip.chip.all_tpcs() * chip.sm_count, sms.at(name)) << name;
        for (const auto* machine : {&tpc, &chip}) {
            EXPECT_EQ(machine->clock_ghz, each.clock_ghz) << name;
            EXPECT_NEAR(machine->memory.dram_bytes_per_cycle * machine->clock_ghz, each.gigabytes, 0.2) << name;
        }
        tpc.clock_ghz = base.clock_ghz;
        tpc.memory = base.memory;
        EXPECT_EQ(config_to_json(tpc), config_to_json(base)) << name;
    }
}

TEST(machines, unmodelled_chip_is_refused_with_its_reason)
{
    for (const auto& [name, needed] : {std::pair{"gk104", "SM30"},
                                       {"gv11b", "which no driver of Mesa knows"},
                                       {"ga100", "SM80"},
                                       {"gh100", "SM90"},
                                       {"gb100", "SM100"},
                                       {"gb110", "SM103"},
                                       {"gb10b", "which shares a processor's memory"},
                                       {"gb20b", "which shares a processor's memory"}}) {
        machine_config config;
        const std::string machine = name;
        const auto text = error_text([&] { load_config(machine, anywhere, config); });
        EXPECT_NE(text.find("unknown machine '" + machine + "', wh"), std::string::npos) << text;
        EXPECT_NE(text.find(needed), std::string::npos) << text;
    }
}

TEST(machines, a_misspelt_one_names_its_neighbours)
{
    machine_config config;
    EXPECT_EQ(
        error_text([&] { load_config("tu106chip", anywhere, config); }),
        "command-line:1:2: unknown machine 'tu106chip', expected tu106_chip, tu102_chip or tu104_chip (isbesim help "
        "config lists all), or a JSON file");
}

TEST(machines, a_base_is_a_preset_whose_keys_a_file_changes)
{
    const temporary_folder folder;
    machine_config config;
    const auto file = folder.write("m.json", R"({"isbe.lines": 64, "base": "tu102"})");
    EXPECT_EQ(load_config(file, anywhere, config).architectures.size(), 1U);
    EXPECT_EQ(config.isbe.lines, 64U);
    EXPECT_EQ(config.sm.warps, 32U);
    const auto text =
        error_text([&] { load_config(folder.write("n.json", R"({"base": "tu103"})"), anywhere, config); });
    EXPECT_NE(text.find("n.json:1:10: base is 'tu103', expected tu102, tu106 or tu104 (isbesim help config lists all)"),
              std::string::npos)
        << text;
}

TEST(machines, every_key_has_a_source)
{
    for (const auto& machine : machines()) {
        const auto document = json::parse(machine.json);
        for (const auto& entry : document.as_object()) {
            if (entry.key() == "description" || entry.key() == "base") continue;
            const auto source = std::string(entry.value().at("source").as_string());
            EXPECT_TRUE(source.rfind("HARDWARE.md ", 0) == 0 || source.rfind("NVIDIA ", 0) == 0 ||
                        source.rfind("assumed", 0) == 0)
                << machine.name << " " << entry.key() << ": " << source;
        }
    }
}

TEST(machines, the_file_and_the_name_are_the_same_machine)
{
    for (const auto& machine : presets()) {
        machine_config by_name, by_file;
        load_config(machine.name, anywhere, by_name);
        load_config(ISBESIM_SOURCE_DIR "/testbench/machines/" + std::string(machine.name) + ".json", anywhere, by_file);
        EXPECT_EQ(config_to_json(by_name), config_to_json(by_file));
    }
}

TEST(machines, a_source_is_a_text_and_never_without_its_value)
{
    const temporary_folder folder;
    machine_config config;
    const auto error = [&](const char* content) {
        return error_text([&] { load_config(folder.write("m.json", content), anywhere, config); });
    };
    EXPECT_EQ(error(R"({"isbe": {"lines": {"value": 64, "source": "x"}}, "description": "small"})"), "");
    EXPECT_EQ(config.isbe.lines, 64U);
}

} // namespace
} // namespace isbesim::testbench
