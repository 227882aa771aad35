// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/scenario.h"

#include <algorithm>
#include <filesystem>

#include "models/isbe/functional/names.h"
#include "testbench/files/files.h"
#include "testbench/files/hex_text.h"
#include "testbench/files/json_document.h"
#include "testbench/files/nearest.h"
#include "testbench/files/shipped_files.h"
#include "testbench/scenario/scenario_forms.h"
#include "testbench/scenario/scenario_reader.h"

namespace isbesim::testbench {
namespace {

void read(scenario_reader in)
{
    const auto& root = in.document.root();
    in.document.only_keys(root, "the scenario", scenario_form().names());
    for (const auto* key : {"$schema", "description"}) // for editors and people
        if (const auto* words = json_document::find(root, key)) in.document.text(*words, key);
    const auto& arch = in.document.member(root, "arch", "the scenario");
    const auto name = in.document.text(arch, "arch");
    const auto parsed = parse_architecture(name);
    if (!parsed) in.document.fail(arch, "arch is '" + name + "'" + architecture_expected(name));
    in.result.draw.arch = *parsed;
    read_stages(in, in.document.member(root, "stages", "the scenario"));
    const auto& draw = in.document.member(root, "draw", "the scenario");
    read_draw(in, draw);
    if (const auto* attributes = json_document::find(root, "attributes")) {
        if (in.result.draw.topology == topology::mesh) {
            in.document.fail_key(root, "attributes",
                                 "'attributes' in a mesh draw, which has no vertices to fetch, expected none");
        }
        read_attributes(in, *attributes);
    }
    read_constants(in, json_document::find(root, "constants"), json_document::find(root, "stage_constants"));
    read_capture(in, json_document::find(root, "capture"));
    read_expectation(in, root);
    in.result.memory = read_memory_image(in.document, in.files, in.result.draw);
    read_uniforms(in, json_document::find(root, "uniforms"));
    warn_of_maps(in, root);
    warn_of_capture(in, root);
}

/// GLSL, or SPIR-V.
bool is_shader(const std::string& text)
{
    const auto has = [&](const char* words) { return text.find(words) != text.npos; };
    return has("#version") || has("void main") || text.rfind("\x03\x02\x23\x07", 0) == 0;
}

} // namespace

scenario load_scenario(const std::string& file, file_access access)
{
    const auto load = [file] {
        constexpr const char* expected = "a scenario (JSON)";
        try {
            return json_document::load(file, expected);
        } catch (const input_error&) {
            const auto text = read_file(file, expected);
            if (!is_shader(text)) throw;
            throw input_error({file}, "a shader, expected a scenario (JSON), which isbesim compile makes of it");
        }
    };
    const auto document = load();
    scenario result;
    result.file = file;
    result.draw_place = [load] {
        const auto again = load();
        return again.place_of(again.member(again.root(), "draw", "the scenario"));
    };
    read({document, named_files(document, access, result.files), result});
    return result;
}

void scenario_reader::warn(const std::string& kind, const source_place& place, const std::string& text)
{
    result.warnings.emplace_back(kind, place, text);
}

void scenario_reader::warn_of_stage(const std::string& kind, stage which, const source_place& place,
                                    const std::string& text)
{
    warn(kind, place, text);
    result.warnings.back().stage = name_of(which);
}

void scenario_reader::warn_unused(const boost::json::value& object, const char* key, const std::string& why)
{
    const auto* value = json_document::find(object, key);
    if (value == nullptr || value->is_null()) return;
    warn("no_effect", document.place_of_key(object, key), std::string(key) + " has no effect: " + why);
}

bool parse_mapped_attribute(std::string_view text, word& address)
{
    return parse_hex_word(text, address) && address % 4 == 0 && address < mapped_attribute_ids * 4;
}

namespace fs = std::filesystem;

bool is_scenario_name(const std::string& name)
{
    constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    std::error_code ignored;
    return !name.empty() && name.find_first_not_of(letters) == std::string::npos && !fs::exists(name, ignored);
}

std::string scenario_file_of(const std::string& name)
{
    std::error_code ignored;
    if (fs::is_directory(name, ignored)) return (fs::path(name) / "scenario.json").string();
    if (!is_scenario_name(name)) return name;
    const auto shipped = find_shipped("scenarios/" + name + "/scenario.json");
    return shipped.empty() ? name : shipped;
}

std::vector<std::string> shipped_scenarios()
{
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(find_shipped("scenarios"), ignored))
        if (fs::exists(entry.path() / "scenario.json", ignored)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace isbesim::testbench
