// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/scenario_writer.h"

#include <boost/json.hpp>

#include "models/texture/texture_unit.h"
#include "testbench/files/json_text.h"
#include "testbench/files/program_file.h"
#include "testbench/scenario/draw_names.h"
#include "testbench/scenario/scenario_forms.h"
#include "testbench/scenario/texture_tables.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

const char* key_of(stage which)
{
    for (const auto& each : stage_keys)
        if (each.stage == which) return each.name;
    return "";
}

json::array words_json(const std::vector<word>& words)
{
    json::array result;
    for (const auto each : words) result.emplace_back(hex(each, 8));
    return result;
}

json::array addresses_json(const std::vector<unsigned>& addresses)
{
    json::array result;
    for (const auto address : addresses) result.emplace_back(hex(address));
    return result;
}

json::object mesh_json(const draw_call& draw)
{
    draw_call base; // the values of keys that need not be written: the default, or none that is possible
    base.mesh = {mesh_output::triangles, 0, 0, most_word, 0, {}};
    base.task = {0, 0, 0};
    base.vertex_count = ~std::uint64_t{0};
    auto result = mesh_draw_form().write(draw, &base, {{"topology", "mesh"}});
    result["mesh"] = mesh_form().write(draw, &base,
                                       {{"output_topology", name_of_value(mesh_output_names, draw.mesh.output)},
                                        {"per_primitive", addresses_json(draw.mesh.per_primitive)}});
    if (draw.stages.count(stage::task) != 0) result["task"] = task_form().write(draw, &base);
    return result;
}

json::object draw_json(const draw_call& draw)
{
    if (draw.topology == topology::mesh) return mesh_json(draw);
    draw_call base;
    base.topology = topology::mesh;
    base.vertex_count = base.first_vertex = ~std::uint64_t{0};
    base.instance_count = most_word;
    base.patch_vertices = draw.topology == topology::patches ? 0 : draw.patch_vertices;
    if (!draw.indexed) {
        base.index_bytes = draw.index_bytes;
        base.restart_index = draw.restart_index;
    }
    json::object others;
    if (draw.indexed) others["indices"] = json::array(draw.indices.begin(), draw.indices.end());
    const auto& levels = draw.tessellation.defaults;
    if (draw.stages.count(stage::tess) != 0)
        others["tessellation"] =
            tessellation_form().write(draw, nullptr,
                                      {{"default_outer", json::array(levels.outer.begin(), levels.outer.end())},
                                       {"default_inner", json::array(levels.inner.begin(), levels.inner.end())}});
    return draw_form().write(draw, &base, std::move(others));
}

json::object attributes_json(const draw_call& draw)
{
    json::object result;
    for (const auto& [address, source] : draw.attributes) {
        json::object one{{"components", source.components}};
        if (source.per_instance) one["per_instance"] = true;
        if (source.repeat) one["repeat"] = true;
        one["words"] = words_json(source.words);
        result[hex(address)] = std::move(one);
    }
    return result;
}

json::object constants_json(const isa::constant_banks& banks)
{
    json::object result;
    for (std::size_t i = 0; i < banks.size(); ++i) {
        auto words = banks[i];
        while (words.size() > 1 && words.back() == 0) words.pop_back(); // one word shows that the bank is bound
        if (!words.empty()) result[std::to_string(i)] = json::object{{"0x0", words_json(words)}};
    }
    return result;
}

json::object capture_json(const capture_list& capture)
{
    json::object result;
    for (std::size_t stream = 0; stream < capture.size(); ++stream) {
        if (capture[stream].empty()) continue;
        result[std::to_string(stream)] = addresses_json(capture[stream]);
    }
    return result;
}

using file_writer = std::function<void(const std::string&, std::string_view)>;

/// The buffers of memory, without tables; files end after the last byte that is not 0.
json::array memory_json(global_memory& memory, const texture::tables& tables, const file_writer& write)
{
    json::array result;
    for (const auto& each : memory.buffers()) {
        const auto region = memory.region(each.address);
        if (is_table(region, tables.headers, tables.header_count) ||
            is_table(region, tables.samplers, tables.sampler_count))
            continue;
        std::string_view bytes{reinterpret_cast<const char*>(each.bytes.data()), each.bytes.size()};
        json::object one{{"address", hex(each.address)}, {"size", bytes.size()}};
        if (const auto last = bytes.find_last_not_of('\0'); last != bytes.npos) {
            const auto name = "memory_" + hex(each.address) + ".bin";
            write(name, bytes.substr(0, last + 1));
            one["file"] = name;
        }
        result.push_back(std::move(one));
    }
    return result;
}

} // namespace

void write_scenario(const written_draw& written, const std::string& description, const file_writer& write)
{
    const auto& draw = written.call;
    json::object stages;
    json::object constants;
    json::object library;
    for (const auto& [which, bytes] : written.programs) {
        const std::string name = key_of(which);
        write(name + ".code.bin", bytes.code);
        write(name + ".sph.bin", bytes.header);
        stages[name] = json::object{{"code", name + ".code.bin"}, {"sph", name + ".sph.bin"}};
        if (!bytes.library.empty()) { // the same for all stages, as in the driver
            write("library.bin", bytes.library);
            library = json::object{{"address", hex(bytes.library_address)}, {"code", "library.bin"}};
        }
        if (auto banks = constants_json(draw.stages.at(which).constants); !banks.empty())
            constants[name] = std::move(banks);
    }
    json::object root{{"description", description},
                      {"arch", architecture_name(draw.arch)},
                      {"stages", std::move(stages)},
                      {"draw", draw_json(draw)}};
    if (draw.topology != topology::mesh) root["attributes"] = attributes_json(draw);
    if (!library.empty()) root["library"] = std::move(library);
    if (written.memory != nullptr) {
        texture::tables tables;
        if (const auto& textures = draw.stages.begin()->second.textures) {
            tables = textures->where();
            root["textures"] = textures_json(tables, *written.memory);
        }
        root["memory"] = memory_json(*written.memory, tables, write);
    }
    if (!constants.empty()) root["stage_constants"] = std::move(constants);
    if (!written.uniforms.empty()) root["uniforms"] = uniforms_json(written.uniforms);
    if (auto capture = capture_json(draw.capture); !capture.empty()) root["capture"] = std::move(capture);
    write("scenario.json", json_text(root));
}

} // namespace isbesim::testbench
