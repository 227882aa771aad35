// SPDX-License-Identifier: Apache-2.0
// The schemas have the keys that the readers have, no more and no fewer, and the same ranges.
#include <set>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "models/machine_config.h"
#include "testbench/files/files.h"
#include "testbench/scenario/scenario.h"
#include "testbench/schema/schemas.h"
#include "testbench/system/config.h"
#include "tests/support/error_text.h"
#include "tests/support/repetitions.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

/// An object of a file, and the definition that the schema has for it ("": the whole file).
struct place {
    std::string pointer;
    std::string definition;
};

/// A file beside those of a shipped scenario.
struct sample {
    std::string folder;
    json::value content;
    std::vector<place> places;
};

class schema_keys : public testing::Test {
protected:
    const json::object& definition(const std::string& name) const
    {
        return name.empty() ? schema_.get_object() : schema_.at("definitions").at(name).get_object();
    }
    std::set<std::string> keys(const std::string& name) const
    {
        std::set<std::string> result;
        for (const auto& entry : definition(name).at("properties").get_object()) result.emplace(entry.key());
        return result;
    }
    /// Every key of every object.
    std::set<std::string> all_keys() const
    {
        auto all = keys("");
        for (const auto& entry : schema_.at("definitions").get_object())
            if (entry.value().get_object().contains("properties")) all.merge(keys(std::string(entry.key())));
        return all;
    }
    std::string scenario_error(const std::string& shipped, const json::value& content)
    {
        if (!std::filesystem::exists(folder_.path(shipped)))
            std::filesystem::copy(samples + shipped, folder_.path(shipped));
        return error_text([&] { load_scenario(folder_.write(shipped + "/changed.json", json::serialize(content))); });
    }
    static std::string machine_error(const json::value& content)
    {
        return error_text([&] {
            machine_config config;
            load_config_text(json::serialize(content), {"m.json", 1, 1}, config);
        });
    }

    temporary_folder folder_;
    json::value schema_ = find_schema("scenario");
};

/// "unknown key", "unknown header field", ...: the reader does not know it, whatever its value.
bool unknown(const std::string& error)
{
    return error.find("unknown") != std::string::npos ||
           error.find("expected a stage of this draw") != std::string::npos;
}

/// A value that no key of a scenario or a machine admits.
const json::value nonsense = json::array{json::array{json::array{json::object{}}}};

sample draw_sample()
{
    auto content = json::parse(R"({
        "arch": "sm50",
        "stages": {"vertex": {"code": "vs.code.bin", "sph": {"omap": ["0x70..0x8c"]}},
                   "geometry": {"code": "gs.code.bin", "sph": "gs.sph.bin"}},
        "draw": {"topology": "triangles", "vertex_count": 3},
        "attributes": {"0x80": {"components": 1, "words": [0], "repeat": true}},
        "capture": {"0": []}})");
    return {"gs_pass",
            content,
            {{"", ""},
             {"/stages", "stages"},
             {"/stages/vertex", "stage"},
             {"/stages/vertex/sph", "header"},
             {"/draw", "draw"},
             {"/attributes/0x80", "attribute"},
             {"/capture", "capture"}}};
}

sample memory_sample()
{
    auto content = json::parse(R"({
        "arch": "sm50",
        "stages": {"vertex": {"code": "vs.code.bin", "sph": "vs.sph.bin"}},
        "draw": {"topology": "points", "vertex_count": 0},
        "memory": [{"address": "0x1000", "file": "vs.code.bin"}],
        "expect_memory": [{"address": "0x1000", "file": "vs.code.bin"}],
        "textures": {"headers": {"address": "0x1000", "count": 1}},
        "windows": {"local": "0xff000000"},
        "uniforms": {"u": {"type": "vec2", "places": [{"stage": "vertex", "bank": 1, "offset": "0x0"}], "value": [1, 2.5]}},
        "library": {"address": "0x7fd60", "code": "vs.code.bin"}})");
    return {"gs_pass",
            content,
            {{"/memory/0", "memory"},
             {"/expect_memory/0", "expect_memory"},
             {"/textures", "textures"},
             {"/textures/headers", "texture_table"},
             {"/windows", "windows"},
             {"/uniforms/u", "uniform"},
             {"/uniforms/u/places/0", "uniform_place"},
             {"/library", "library"}}};
}

sample shipped_sample(const std::string& folder, std::vector<place> places)
{
    return {folder, json::parse(read_file(samples + folder + "/scenario.json", "a scenario")), std::move(places)};
}

std::vector<sample> all_samples()
{
    return {
        draw_sample(), memory_sample(), shipped_sample("tess_points", {{"/draw/tessellation", "tessellation"}}),
        shipped_sample("task_mesh_payload", {{"/draw", "mesh_draw"}, {"/draw/task", "task"}, {"/draw/mesh", "mesh"}}),
        shipped_sample("mesh_nak_payload", {{"/draw/methods", "mesh_methods"}})};
}

TEST_F(schema_keys, reader_accepts_exactly_the_keys_of_the_schema)
{
    std::set<std::string> seen;
    share cases;
    for (const auto& [folder, content, places] : all_samples()) {
        ASSERT_EQ(scenario_error(folder, content), "");
        for (const auto& [pointer, name] : places) {
            seen.insert(name);
            const auto known = keys(name);
            for (const auto& key : all_keys()) {
                if (cases.skips_next()) continue;
                auto changed = content;
                changed.at_pointer(pointer).as_object()[key] = nonsense;
                const auto error = scenario_error(folder, changed);
                EXPECT_NE(error, "") << pointer << " takes anything as '" << key << "'";
                // A draw accepts the keys of both kinds, and then refuses those of the other kind.
                const bool other_draw =
                    pointer == "/draw" && (keys("draw").count(key) + keys("mesh_draw").count(key)) != 0;
                if (known.count(key) != 0) {
                    EXPECT_FALSE(unknown(error)) << pointer << " " << key << ": " << error;
                } else if (!other_draw) {
                    EXPECT_TRUE(unknown(error)) << pointer << " " << key << ": " << error;
                }
            }
        }
    }
    seen.insert({"constants", "stage_constants", "any_draw"}); // no objects of keys
    for (const auto& entry : schema_.at("definitions").get_object())
        EXPECT_EQ(seen.count(std::string(entry.key())), 1U) << entry.key() << " is tested nowhere";
}

TEST_F(schema_keys, ranges_are_those_of_the_reader)
{
    unsigned tested = 0;
    for (const auto& [folder, content, places] : all_samples()) {
        for (const auto& [pointer, name] : places) {
            for (const auto& entry : definition(name).at("properties").get_object()) {
                const auto* high = entry.value().get_object().if_contains("maximum");
                if (high == nullptr || !high->is_number() || entry.value().at("type") != "integer") continue;
                auto changed = content;
                changed.at_pointer(pointer).as_object()[entry.key()] = high->to_number<std::uint64_t>() + 1;
                EXPECT_NE(scenario_error(folder, changed).find("expected an integer from"), std::string::npos)
                    << entry.key() << ": " << scenario_error(folder, changed);
                ++tested;
            }
        }
    }
    EXPECT_GT(tested, 10U);
}

TEST_F(schema_keys, a_machine_has_the_keys_of_help_config)
{
    const auto machine = find_schema("machine");
    std::set<std::string> named;
    for (const auto& entry : machine.at("properties").get_object()) {
        const auto& value = entry.value().get_object();
        const std::string name(entry.key());
        if (const auto* group = value.if_contains("properties")) {
            for (const auto& inner : group->get_object()) {
                EXPECT_NE(find_config_key(name + "." + std::string(inner.key())), nullptr);
                const auto error = machine_error({{name, {{inner.key(), nonsense}}}});
                EXPECT_FALSE(error.empty() || unknown(error)) << error;
            }
            EXPECT_TRUE(unknown(machine_error({{name, {{"nothing", 1}}}})));
            continue;
        }
        const auto error = machine_error({{name, nonsense}});
        EXPECT_FALSE(error.empty() || unknown(error)) << name << ": " << error;
        named.insert(name);
    }
    for (const auto& key : config_keys()) EXPECT_EQ(named.erase(key.name), 1U) << key.name;
    EXPECT_EQ(named, (std::set<std::string>{"$schema", "architectures", "base", "description"}));
    EXPECT_TRUE(unknown(machine_error({{"nothing", 1}})));
}

TEST_F(schema_keys, the_defaults_of_a_machine_pass_their_own_schema)
{
    const auto machine = find_schema("machine");
    for (const auto& key : config_keys()) {
        const auto& entry = machine.at("properties").at(key.name);
        EXPECT_EQ(machine_error({{key.name, entry.at("default")}}), "") << key.name;
    }
}

TEST(schema_names, an_unknown_schema_is_none)
{
    EXPECT_TRUE(find_schema("scenarios").is_null());
}

} // namespace
} // namespace isbesim::testbench
