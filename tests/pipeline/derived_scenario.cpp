// SPDX-License-Identifier: Apache-2.0
#include "tests/pipeline/derived_scenario.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::string hex(unsigned value)
{
    char text[16];
    std::snprintf(text, sizeof text, "0x%x", value);
    return text;
}

} // namespace

std::vector<std::string> scenarios_with(const char* file)
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(samples))
        if (std::filesystem::exists(entry.path() / file)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

derived_scenario::derived_scenario(const std::string& name)
    : root_(json::parse(temporary_folder::read(samples + name + "/scenario.json")).as_object())
{
    const auto place = [&](json::object& holder, const char* key) {
        auto* value = holder.if_contains(key);
        if (value != nullptr && value->is_string()) *value = samples + name + "/" + value->as_string().c_str();
    };
    place(root_, "expect");
    for (auto& entry : stages()) {
        place(entry.value().as_object(), "code");
        place(entry.value().as_object(), "sph");
    }
    if (auto* attributes = root_.if_contains("attributes"))
        for (auto& entry : attributes->as_object()) place(entry.value().as_object(), "file");
    if (auto* memory = root_.if_contains("memory"))
        for (auto& buffer : memory->as_array()) place(buffer.as_object(), "file");
    if (auto* mesh = draw().if_contains("mesh"))
        if (auto* header = mesh->as_object().if_contains("per_primitive"); header != nullptr && header->is_object())
            place(header->as_object(), "sph");
}

void derived_scenario::set_stage(const std::string& stage, const std::string& text, json::value sph)
{
    const auto source = folder_.write(stage + ".sass", text);
    const auto binary = folder_.path(stage + ".bin");
    const auto result = run_isbesim({"asm", source, "--arch", arch(), "--auto-schedule", "--out", binary});
    if (result.status != 0) throw std::runtime_error(result.err);
    stages()[stage] = json::object{{"code", binary}, {"sph", std::move(sph)}};
}

void derived_scenario::set_scheduled_stage(const std::string& stage, const std::string& text, json::value sph)
{
    stages()[stage] = json::object{{"code", folder_.write(stage + ".sass", text)}, {"sph", std::move(sph)}};
}

process_result derived_scenario::run(const std::string& backend, const std::vector<std::string>& options)
{
    const auto file = folder_.write("scenario.json", json::serialize(root_));
    return run_isbesim(
        words{"run", file, "--isbe", backend, "--out", folder_.path("out"), "--check-protocol", "--quiet"} + options);
}

std::string derived_scenario::vertices() const
{
    return temporary_folder::read(folder_.path("out/vertices.csv"));
}

json::object derived_scenario::report() const
{
    return report_in(folder_.path("out"));
}

std::string warnings_of(const derived_scenario& scenario)
{
    return boost::json::serialize(scenario.report().at("warnings"));
}

bool warned_of(const derived_scenario& scenario, const std::string& kind)
{
    return warnings_of(scenario).find("\"" + kind + "\"") != std::string::npos;
}

void expect_trap(derived_scenario& scenario, const std::string& stage, const attempt& expected)
{
    const auto result = scenario.run("at", {"--strict=traps"});
    EXPECT_EQ(result.status, expected.code == 0 ? 0 : 1) << expected.text << result.err;
    const auto traps = scenario.report().at("traps").as_array();
    ASSERT_EQ(traps.empty(), expected.code == 0) << expected.text;
    if (traps.empty()) return;
    EXPECT_EQ(traps[0].at("code").to_number<int>(), expected.code) << expected.text;
    EXPECT_EQ(traps[0].at("stage").as_string(), stage);
}

void expect_wrong_input(derived_scenario& scenario, const std::string& text)
{
    const auto result = scenario.run("lt");
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("scenario.json:1:"), std::string::npos) << result.err;
}

std::string copy_attributes(const std::vector<unsigned>& addresses)
{
    std::string text;
    for (const auto address : addresses)
        text += "ALD R0, a[" + hex(address) + "], RZ ;\nAST a[" + hex(address) + "], R0, RZ ;\n";
    return text + "EXIT ;\n";
}

json::object map_of(const std::vector<unsigned>& addresses)
{
    json::array list;
    for (const auto address : addresses) list.emplace_back(hex(address));
    return {{"imap", list}, {"omap", list}};
}

} // namespace isbesim::testbench
