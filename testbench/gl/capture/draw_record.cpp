// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/capture/draw_record.h"

#include <cstring>

#include "testbench/gl/capture/byte_stream.h"
#include "testbench/gl/capture/memory_record.h"

namespace isbesim::gl {

namespace {

std::string bytes_of(const std::vector<std::uint32_t>& words)
{
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are stored as they lie in memory");
    return {reinterpret_cast<const char*>(words.data()), 4 * words.size()};
}

std::vector<std::uint32_t> words_of(const std::string& bytes)
{
    if (bytes.size() % 4 != 0) throw record_error("a blob of words is cut off");
    std::vector<std::uint32_t> words(bytes.size() / 4);
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

void write_stage(byte_writer& out, stage which, const stage_program& program, const uploaded_program& uploaded,
                 const blob_store& store)
{
    out.put(static_cast<std::uint8_t>(which));
    out.put(store(uploaded.header_bytes));
    out.put(store(uploaded.code_bytes));
    out.put(uploaded.library_address);
    out.put(store(uploaded.library_bytes));
    std::uint32_t banks = 0;
    for (const auto& bank : program.constants) banks += bank.empty() ? 0 : 1;
    out.put(banks);
    for (std::size_t i = 0; i < program.constants.size(); ++i) {
        if (program.constants[i].empty()) continue;
        out.put(static_cast<std::uint8_t>(i));
        out.put(store(bytes_of(program.constants[i])));
    }
}

constexpr std::size_t stage_bytes = 21;    ///< of a stage without banks
constexpr std::size_t bank_bytes = 5;      ///< of a bank
constexpr std::size_t attribute_bytes = 9; ///< of an attribute

struct stage_record {
    isbesim::stage stage;
    std::uint32_t header, code, library_address, library;
    std::vector<std::pair<std::uint8_t, std::uint32_t>> banks;
};

stage_record read_stage(byte_reader& in)
{
    stage_record result{};
    result.stage = in.get_enum(stage::mesh);
    result.header = in.get<std::uint32_t>();
    result.code = in.get<std::uint32_t>();
    result.library_address = in.get<std::uint32_t>();
    result.library = in.get<std::uint32_t>();
    for (auto left = in.get_count(bank_bytes); left > 0; --left) {
        const auto bank = in.get<std::uint8_t>();
        if (bank >= isa::constant_banks().size())
            throw record_error("a record names constant bank " + std::to_string(bank));
        result.banks.emplace_back(bank, in.get<std::uint32_t>());
    }
    return result;
}

/// Fields that only mesh draws have, after the fields of all draws.
void write_mesh(byte_writer& out, const draw_call& draw)
{
    const auto& task = draw.task;
    const auto& mesh = draw.mesh;
    for (const auto value : {task.threads, task.local_lines, task.output_lines, static_cast<unsigned>(mesh.output),
                             mesh.max_vertices, mesh.max_primitives, mesh.shared_lines, mesh.threads})
        out.put(static_cast<std::uint16_t>(value));
    out.put(static_cast<std::uint32_t>(mesh.per_primitive.size()));
    for (const auto address : mesh.per_primitive) out.put(static_cast<std::uint16_t>(address));
}

void read_mesh(byte_reader& in, draw_call& draw)
{
    auto& task = draw.task;
    auto& mesh = draw.mesh;
    for (auto* value : {&task.threads, &task.local_lines, &task.output_lines}) *value = in.get<std::uint16_t>();
    const auto output = in.get<std::uint16_t>();
    if (output > static_cast<unsigned>(mesh_output::triangles)) throw record_error("a record holds an unknown value");
    mesh.output = static_cast<mesh_output>(output);
    for (auto* value : {&mesh.max_vertices, &mesh.max_primitives, &mesh.shared_lines, &mesh.threads})
        *value = in.get<std::uint16_t>();
    for (auto left = in.get_count(2); left > 0; --left) mesh.per_primitive.push_back(in.get<std::uint16_t>());
}

/// The fields before the stages.
void write_fields(byte_writer& out, const draw_call& draw)
{
    out.put(static_cast<std::uint8_t>(draw.arch));
    out.put(static_cast<std::uint8_t>(draw.topology));
    out.put(draw.vertex_count);
    out.put(draw.first_vertex);
    out.put(draw.instance_count);
    out.put(static_cast<std::uint8_t>(draw.restart_index ? 1 : 0));
    out.put(draw.restart_index.value_or(0));
    out.put(static_cast<std::uint32_t>(draw.patch_vertices));
    out.put(static_cast<std::uint8_t>(draw.tessellation.domain));
    out.put(static_cast<std::uint8_t>(draw.tessellation.spacing));
    out.put(static_cast<std::uint8_t>(draw.tessellation.output));
    for (const auto level : draw.tessellation.defaults.outer) out.put_float(level);
    for (const auto level : draw.tessellation.defaults.inner) out.put_float(level);
    const bool several = draw.vertices_per_draw != 0 || draw.record_bytes != 0;
    const bool sized = draw.index_bytes != draw_call::whole_index;
    const auto& cull = draw.cull;
    std::uint8_t flags = 0;
    for (const bool each : {draw.indexed, draw.first_provokes, several, cull.front, cull.back, cull.clockwise_is_front,
                            cull.depth_from_zero, sized})
        flags = static_cast<std::uint8_t>(flags >> 1 | (each ? 0x80 : 0));
    out.put(flags);
    if (several) {
        out.put(draw.vertices_per_draw);
        out.put(static_cast<std::uint32_t>(draw.record_bytes));
    }
    if (sized) out.put(static_cast<std::uint8_t>(draw.index_bytes));
    if (draw.topology == topology::mesh) write_mesh(out, draw);
}

void read_fields(byte_reader& in, draw_call& draw)
{
    draw.arch = in.get_enum(isa::architecture::sm120);
    draw.topology = in.get_enum(topology::mesh);
    draw.vertex_count = in.get<std::uint64_t>();
    draw.first_vertex = in.get<std::uint64_t>();
    draw.instance_count = in.get<std::uint32_t>();
    const auto restarts = in.get<std::uint8_t>() != 0;
    const auto restart = in.get<std::uint32_t>();
    if (restarts) draw.restart_index = restart;
    draw.patch_vertices = in.get<std::uint32_t>();
    draw.tessellation.domain = in.get_enum(tess_domain::quads);
    draw.tessellation.spacing = in.get_enum(tess_spacing::fractional_even);
    draw.tessellation.output = in.get_enum(tess_output::triangles_ccw);
    for (auto& level : draw.tessellation.defaults.outer) level = in.get_float();
    for (auto& level : draw.tessellation.defaults.inner) level = in.get_float();
    const auto flags = in.get<std::uint8_t>();
    bool several = false, sized = false;
    auto& cull = draw.cull;
    unsigned bit = 1;
    for (bool* each : {&draw.indexed, &draw.first_provokes, &several, &cull.front, &cull.back, &cull.clockwise_is_front,
                       &cull.depth_from_zero, &sized}) {
        *each = (flags & bit) != 0;
        bit *= 2;
    }
    if (several) {
        draw.vertices_per_draw = in.get<std::uint64_t>();
        draw.record_bytes = in.get<std::uint32_t>();
    }
    if (sized) draw.index_bytes = in.get<std::uint8_t>();
    if (!is_index_size(draw.index_bytes)) throw record_error("a record holds an unknown value");
    if (draw.topology == topology::mesh) read_mesh(in, draw);
}

/// Of an attribute: elements per instance; its place in memory follows.
constexpr unsigned per_instance_flag = 1, placed_flag = 2;

} // namespace

std::string write_draw(const built_draw& built, const blob_store& store)
{
    const auto& draw = built.call;
    byte_writer out;
    write_fields(out, draw);
    if (draw.indexed) out.put(store(bytes_of(draw.indices)));
    out.put(static_cast<std::uint32_t>(draw.stages.size()));
    for (const auto& [which, program] : draw.stages) write_stage(out, which, program, *built.programs.at(which), store);
    out.put(static_cast<std::uint32_t>(draw.attributes.size()));
    for (const auto& [address, source] : draw.attributes) {
        out.put(static_cast<std::uint16_t>(address));
        out.put(static_cast<std::uint8_t>(source.components));
        const bool placed = source.address != 0;
        out.put(
            static_cast<std::uint8_t>((source.per_instance ? per_instance_flag : 0U) | (placed ? placed_flag : 0U)));
        out.put(static_cast<std::uint8_t>(source.repeat ? 1 : 0));
        if (placed) {
            out.put(source.address);
            out.put(static_cast<std::uint32_t>(source.stride));
            out.put(static_cast<std::uint32_t>(source.bytes));
        }
        out.put(store(bytes_of(source.words)));
    }
    for (const auto& columns : draw.capture) {
        out.put(static_cast<std::uint32_t>(columns.size()));
        for (const auto address : columns) out.put(static_cast<std::uint16_t>(address));
    }
    write_memory(out, built, store);
    return out.bytes();
}

draw_call read_draw(const std::string& record, const blob_source& blobs, decoded_programs& programs,
                    const std::shared_ptr<memory_contents>& shared)
{
    byte_reader in(record);
    draw_call draw;
    read_fields(in, draw);
    if (draw.indexed) draw.indices = words_of(blobs(in.get<std::uint32_t>()));
    for (auto left = in.get_count(stage_bytes); left > 0; --left) {
        const auto found = read_stage(in);
        auto& made = draw.stages[found.stage];
        const auto& header = blobs(found.header);
        made.header = decode_header(reinterpret_cast<const std::uint8_t*>(header.data()), header.size());
        made.program = programs.find(draw.arch, blobs(found.code), blobs(found.library), found.library_address);
        for (const auto& [bank, blob] : found.banks) made.constants[bank] = words_of(blobs(blob));
    }
    for (auto left = in.get_count(attribute_bytes); left > 0; --left) {
        auto& made = draw.attributes[in.get<std::uint16_t>()];
        made.components = in.get<std::uint8_t>();
        const auto flags = in.get<std::uint8_t>();
        made.per_instance = (flags & per_instance_flag) != 0;
        made.repeat = in.get<std::uint8_t>() != 0;
        if ((flags & placed_flag) != 0) {
            made.address = in.get<std::uint64_t>();
            made.stride = in.get<std::uint32_t>();
            made.bytes = in.get<std::uint32_t>();
        }
        made.words = words_of(blobs(in.get<std::uint32_t>()));
    }
    for (auto& columns : draw.capture)
        for (auto left = in.get_count(2); left > 0; --left) columns.push_back(in.get<std::uint16_t>());
    read_memory(in, draw, blobs, shared);
    if (!in.at_end()) throw record_error("a record is longer than a draw");
    return draw;
}

draw_outline read_outline(const std::string& record)
{
    byte_reader in(record);
    draw_call draw;
    read_fields(in, draw);
    draw_outline result;
    result.topology = draw.topology;
    result.vertices = draw.vertex_count;
    result.instances = draw.instance_count;
    result.indexed = draw.indexed;
    if (draw.indexed) in.get<std::uint32_t>();
    for (auto left = in.get_count(stage_bytes); left > 0; --left) {
        const auto found = read_stage(in);
        result.programs[found.stage] = {found.header, found.code};
    }
    result.attributes = in.get_count(attribute_bytes);
    for (std::size_t i = 0; i < result.attributes; ++i) {
        in.get<std::uint16_t>();
        in.get<std::uint8_t>();
        const auto flags = in.get<std::uint8_t>();
        in.get<std::uint8_t>();
        for (unsigned word = (flags & placed_flag) != 0 ? 5 : 1; word > 0; --word) in.get<std::uint32_t>();
    }
    for (unsigned stream = 0; stream < 4; ++stream) {
        const auto columns = in.get_count(2);
        result.captured += columns;
        for (std::size_t i = 0; i < columns; ++i) in.get<std::uint16_t>();
    }
    return result;
}

} // namespace isbesim::gl
