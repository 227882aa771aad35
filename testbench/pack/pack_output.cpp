// SPDX-License-Identifier: Apache-2.0
#include "testbench/pack/pack_output.h"

#include <sstream>

#include <boost/json.hpp>

#include "models/isa/text/text.h"
#include "testbench/files/files.h"
#include "testbench/files/json_text.h"
#include "testbench/files/program_file.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

json::array hex_words(const std::vector<word>& words)
{
    json::array result;
    for (const auto each : words) result.emplace_back(hex(each, 8));
    return result;
}

json::array words_of(const std::vector<std::uint32_t>& header, unsigned first, unsigned last)
{
    json::array words;
    for (unsigned i = first; i <= last; ++i) words.emplace_back(hex(header[i], 8));
    return words;
}

json::object addresses_of(const packed_program& program)
{
    json::array components;
    for (const auto& each : program.placed.components()) {
        json::object row;
        row["file"] = varying::file_name(each.owner->declared->file);
        row["register"] = each.number;
        row["component"] = std::string(1, "xyzw"[each.component]);
        row["address"] = hex(each.address, 2);
        row["semantic"] = varying::row_of(each.owner->meaning).name;
        row["index"] = each.index;
        row["array"] = each.owner->declared->array;
        if (each.owner->space == varying::address_space::patch) row["space"] = "patch";
        components.push_back(std::move(row));
    }
    program_header maps;
    maps.imap = program.placed.inputs;
    maps.omap = program.placed.outputs;
    const auto words = encode_header(maps);
    json::object result;
    result["components"] = std::move(components);
    result["imap"] = words_of(words, 5, 12);
    result["omap"] = words_of(words, 12, 19);
    return result;
}

varying::lowered_program lowered(const packed_program& program, const varying::lowering_options& options)
{
    try {
        return varying::lower(program.code, program.placed, options);
    } catch (const varying::shader_error& error) {
        rethrow(program.file, error);
    }
}

/// The disassembly has a line per instruction; comments are put back between the lines.
std::string scheduled(const varying::lowered_program& lowered, isa::architecture arch)
{
    std::istringstream instructions(isa::disassemble(isa::assemble(lowered.text(), arch, {true})));
    std::string result;
    for (const auto& line : lowered.lines) {
        std::string text = "// " + line.text;
        if (!line.comment) std::getline(instructions, text);
        result += text + "\n";
    }
    for (std::string rest; std::getline(instructions, rest);) result += rest + "\n"; // padding of the last bundle
    return result;
}

json::object draw_of(const sample_draw& sample)
{
    return {{"topology", sample.topology}, {"vertex_count", sample.vertex_count}};
}

json::value capture_of(const sample_draw& sample)
{
    const auto addresses = [](const std::vector<unsigned>& list) {
        json::array result;
        for (const auto each : list) result.emplace_back(hex(each, 2));
        return result;
    };
    if (sample.capture.size() == 1 && sample.capture.count(0) != 0) return addresses(sample.capture.at(0));
    json::object streams;
    for (const auto& [stream, from] : sample.capture) streams[std::to_string(stream)] = addresses(from);
    return streams;
}

json::object scenario_of(const sample_draw& sample, const std::vector<packed_program>& programs,
                         const varying::lowering_options& options)
{
    json::object result;
    result["description"] = "Made by isbesim pack from declarations.tgsi.";
    result["arch"] = architecture_name(options.arch);
    json::object stages;
    stages["vertex"] = json::object{{"code", "vs.sass"}, {"sph", "vs.sph.bin"}};
    if (programs.size() > 1) stages["geometry"] = json::object{{"code", "gs.sass"}, {"sph", "gs.sph.bin"}};
    result["stages"] = std::move(stages);
    result["draw"] = draw_of(sample);
    json::object attributes;
    for (const auto& [address, words] : sample.attributes)
        attributes[hex(address, 2)] = json::object{{"components", 4}, {"words", hex_words(words)}};
    if (!attributes.empty()) result["attributes"] = std::move(attributes);
    json::object constants;
    for (const auto& [bank, words] : sample.constants) {
        json::object offsets;
        for (const auto& [offset, value] : words) offsets[hex(offset, 1)] = hex_words({value});
        constants[std::to_string(bank)] = std::move(offsets);
    }
    if (!constants.empty()) result["constants"] = std::move(constants);
    result["capture"] = capture_of(sample);
    result["expect"] = "expected.csv";
    return result;
}

} // namespace

std::string addresses_text(const std::vector<packed_program>& programs)
{
    json::object result;
    for (auto each = programs.rbegin(); each != programs.rend(); ++each) {
        auto stage = addresses_of(*each);
        if (!result.empty()) stage["next"] = std::move(result);
        result = std::move(stage);
    }
    return json_text(result, 160) + "\n";
}

program_header packed_header(const packed_program& program, isa::architecture arch)
{
    try {
        return varying::make_header(program.code, program.placed, arch == isa::architecture::sm50 ? 3 : 4);
    } catch (const varying::shader_error& error) {
        rethrow(program.file, error);
    }
}

std::string header_bytes(const program_header& header)
{
    std::string bytes;
    for (const auto each : encode_header(header))
        for (unsigned b = 0; b < 4; ++b) bytes += static_cast<char>(each >> (8 * b) & 0xffU);
    return bytes;
}

std::string lowered_text(const packed_program& program, const varying::lowering_options& options)
{
    return scheduled(lowered(program, options), options.arch);
}

void write_packed_scenario(std::vector<packed_program> programs, const varying::lowering_options& options,
                           const result_place& folder)
{
    using varying::processor;
    // A fragment program only served to check the outputs.
    if (programs.size() > 1 && programs.back().code.effective_kind() == processor::fragment) programs.pop_back();
    for (const auto& each : programs) {
        const auto kind = each.code.effective_kind();
        if (kind == processor::vertex || kind == processor::geometry) continue;
        throw input_error({each.file, each.code.at.line, each.code.at.column},
                          "scenarios are made of vertex and geometry programs, expected VERT or GEOM");
    }
    if (programs.front().code.effective_kind() == processor::geometry)
        programs.insert(programs.begin(), make_supplier(programs.front()));
    std::vector<varying::lowered_program> sequences; // a program that cannot be lowered has no sample
    sequences.reserve(programs.size());
    for (const auto& each : programs) sequences.push_back(lowered(each, options));
    const auto sample = make_sample(programs);

    result_folder target(folder);
    const auto write = [&](const std::string& name, const std::string& content) {
        if (write_file(target.file(name), content)) return;
        throw input_error(folder.asked_at, "'" + name + "' can't be written to '" + folder.path +
                                               "', expected a folder with room for all files of the scenario");
    };
    std::string text;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const auto& each = programs[i];
        const auto& lowered = sequences[i];
        const bool geometry = each.code.effective_kind() == processor::geometry;
        const std::string name = geometry ? "gs" : "vs";
        auto header = packed_header(each, options.arch);
        header.local_memory_low_size = lowered.local_bytes;
        write(name + ".sass", scheduled(lowered, options.arch));
        write(name + ".sph.bin", header_bytes(header));
        auto printed = each.code;
        printed.kind = geometry ? processor::geometry : processor::vertex;
        text += varying::print(printed);
    }
    write("declarations.tgsi", text);
    write("expected.csv", sample.expected);
    write("scenario.json", json_text(scenario_of(sample, programs, options), 120) + "\n");
    target.commit();
}

} // namespace isbesim::testbench
