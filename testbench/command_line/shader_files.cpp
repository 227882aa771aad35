// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/shader_files.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "testbench/files/files.h"

namespace isbesim::testbench {

namespace fs = std::filesystem;

namespace {

constexpr const char* endings[] = {".vert", ".tesc", ".tese", ".geom", ".mesh", ".task", ".spv"};

/// Throws input_error if the file is no SPIR-V module, or if its first entry point is of a stage that no draw has
/// before pixels.
void check_module(const std::string& file, const std::string& module)
{
    constexpr std::uint32_t magic = 0x07230203, entry_point = 15, fragment = 4, compute = 5, kernel = 6;
    constexpr std::size_t head = 5;
    std::vector<std::uint32_t> words(module.size() / sizeof(std::uint32_t));
    std::memcpy(words.data(), module.data(), words.size() * sizeof(std::uint32_t));
    if (words.empty() || words[0] != magic)
        throw input_error({file}, "no SPIR-V module, expected one that begins with the word 0x07230203");
    for (std::size_t position = head; position + 1 < words.size(); position += std::max(words[position] >> 16U, 1U)) {
        if ((words[position] & 0xffffU) != entry_point) continue;
        const auto stage = words[position + 1];
        if (stage == fragment || stage == compute || stage == kernel)
            throw input_error({file}, std::string("a program of the ") + (stage == fragment ? "fragment" : "compute") +
                                          " stage, expected stages of a draw before pixels: vertex, tessellation, "
                                          "geometry, task, mesh");
        return;
    }
}

} // namespace

shader_files read_shader_files(const source_place& end, const command_arguments& arguments)
{
    shader_files result;
    for (const auto& file : arguments.get<std::vector<std::string>>("FILE")) {
        const auto ending = fs::path(file).extension().string();
        if (std::find(std::begin(endings), std::end(endings), ending) == std::end(endings))
            throw input_error(arguments.place_of_positional(result.paths.size()),
                              "'" + file +
                                  "' is no shader of a draw before pixels, expected a name that ends in .vert, .tesc, "
                                  ".tese, .geom, .mesh, .task or .spv");
        const auto content = read_file(file, "a shader");
        if (ending == ".spv") check_module(file, content);
        result.paths.push_back(fs::absolute(file).string());
    }
    const auto has = [&](const char* ending) {
        return std::any_of(result.paths.begin(), result.paths.end(),
                           [&](const std::string& file) { return fs::path(file).extension() == ending; });
    };
    const bool spirv = has(".spv");
    if (has(".mesh") || has(".task") || spirv) result.api = gl::graphics_api::vulkan;
    if (!has(".vert") && !has(".mesh") && !spirv)
        throw input_error(end, "no vertex and no mesh shader, expected a .vert, a .mesh or .spv");
    if (has(".tesc") && !has(".tese") && !spirv) throw input_error(end, "a .tesc without a .tese, expected both");
    return result;
}

} // namespace isbesim::testbench
