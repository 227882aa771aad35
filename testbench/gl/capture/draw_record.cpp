// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/capture/draw_record.h"

#include <cstring>

#include "models/isa/encoding/binary.h"
#include "testbench/scenario/scenario_forms.h"

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

constexpr std::size_t stage_bytes = 21;    ///< of a stage without banks
constexpr std::size_t bank_bytes = 5;      ///< of a bank
constexpr std::size_t attribute_bytes = 9; ///< of an attribute

// Layouts, for a byte_writer and a const object or a byte_reader.

struct stage_record {
    isbesim::stage stage{};
    std::uint32_t header = 0, code = 0, library_address = 0, library = 0;
    std::vector<std::pair<std::uint8_t, std::uint32_t>> banks;
};

template <typename Stream, typename Record>
void stage_fields(Stream& stream, Record& record)
{
    enum_field(stream, record.stage, stage::mesh);
    for (auto* each : {&record.header, &record.code, &record.library_address, &record.library})
        field<std::uint32_t>(stream, *each);
    list_fields(stream, record.banks, bank_bytes, [&](auto& bank) {
        field<std::uint8_t>(stream, bank.first);
        if (bank.first >= isa::constant_banks().size())
            throw record_error("a record names constant bank " + std::to_string(bank.first));
        field<std::uint32_t>(stream, bank.second);
    });
}

void restart_fields(byte_writer& out, const std::optional<std::uint32_t>& index)
{
    field<std::uint8_t>(out, index.has_value());
    field<std::uint32_t>(out, index.value_or(0));
}
void restart_fields(byte_reader& in, std::optional<std::uint32_t>& index)
{
    const bool restarts = in.get<std::uint8_t>() != 0;
    field<std::uint32_t>(in, index.emplace());
    if (!restarts) index.reset();
}

/// Members of mesh draws only.
template <typename Stream, typename Draw>
void mesh_fields(Stream& stream, Draw& draw)
{
    auto& task = draw.task;
    auto& mesh = draw.mesh;
    for (auto* each : {&task.threads, &task.local_lines, &task.output_lines}) field<std::uint16_t>(stream, *each);
    enum_field<std::uint16_t>(stream, mesh.output, mesh_output::triangles);
    for (auto* each : {&mesh.max_vertices, &mesh.max_primitives, &mesh.shared_lines, &mesh.threads})
        field<std::uint16_t>(stream, *each);
    number_fields<std::uint16_t>(stream, mesh.per_primitive);
}

/// The part before the stages.
template <typename Stream, typename Draw>
void draw_fields(Stream& stream, Draw& draw)
{
    enum_field(stream, draw.arch, isa::architecture::sm120);
    enum_field(stream, draw.topology, topology::mesh);
    field<std::uint64_t>(stream, draw.vertex_count);
    field<std::uint64_t>(stream, draw.first_vertex);
    field<std::uint32_t>(stream, draw.instance_count);
    restart_fields(stream, draw.restart_index);
    field<std::uint32_t>(stream, draw.patch_vertices);
    auto& tessellation = draw.tessellation;
    enum_field(stream, tessellation.domain, tess_domain::quads);
    enum_field(stream, tessellation.spacing, tess_spacing::fractional_even);
    enum_field(stream, tessellation.output, tess_output::triangles_ccw);
    for (auto& level : tessellation.defaults.outer) field<float>(stream, level);
    for (auto& level : tessellation.defaults.inner) field<float>(stream, level);
    auto& cull = draw.cull;
    bool several = draw.vertices_per_draw != 0 || draw.record_bytes != 0;
    bool sized = draw.index_bytes != draw_call::whole_index;
    flag_fields(stream, {&draw.indexed, &draw.first_provokes, &several, &cull.front, &cull.back,
                         &cull.clockwise_is_front, &cull.depth_from_zero, &sized});
    if (several) {
        field<std::uint64_t>(stream, draw.vertices_per_draw);
        field<std::uint32_t>(stream, draw.record_bytes);
    }
    if (sized) field<std::uint8_t>(stream, draw.index_bytes);
    if (!is_index_size(draw.index_bytes)) throw record_error("a record holds an unknown value");
    if (draw.topology == topology::mesh) mesh_fields(stream, draw);
}

/// An attribute without its address; `words` is the blob.
template <typename Stream, typename Source, typename Blob>
void attribute_fields(Stream& stream, Source& source, Blob& words)
{
    field<std::uint8_t>(stream, source.components);
    bool placed = source.address != 0;
    flag_fields(stream, {&source.per_instance, &placed});
    field<std::uint8_t>(stream, source.repeat);
    if (placed) {
        field<std::uint64_t>(stream, source.address);
        field<std::uint32_t>(stream, source.stride);
        field<std::uint32_t>(stream, source.bytes);
    }
    field<std::uint32_t>(stream, words);
}

/// Fields of a draw that have a key in scenarios, but no place above: name and value.
void write_other_keys(byte_writer& out, const draw_call& draw, std::string_view fields)
{
    draw_call known;
    byte_reader in(fields);
    draw_fields(in, known);
    for (const auto& [name, key] : testbench::draw_keys()) {
        if (key.is_same(known, draw)) continue;
        field<std::uint8_t>(out, name.size());
        out.put_bytes(name);
        out.put(key.get(draw));
    }
}

void read_other_keys(byte_reader& in, draw_call& draw)
{
    while (!in.at_end()) {
        const auto key = testbench::draw_keys().find(std::string(in.get_bytes(in.get<std::uint8_t>())));
        if (key == testbench::draw_keys().end()) throw record_error("a record names a key that no draw has");
        const auto value = in.get<double>();
        if (!testbench::admits(key->second, value)) throw record_error("a record holds an unknown value");
        key->second.set(draw, value);
    }
}

} // namespace

const isa::program& decoded_programs::find(isa::architecture arch, const std::string& code, const std::string& library,
                                           std::uint32_t address)
{
    content key{arch, code, library, address};
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    if (known_.size() >= most) known_.clear();
    isa::program result;
    if (library.empty()) {
        result = isa::decode_program(reinterpret_cast<const std::uint8_t*>(code.data()), code.size(), arch);
    } else {
        result = find(arch, code, "", 0);
        isa::attach_library(result, find(arch, library, "", 0), address); // many programs call one library
    }
    return known_.emplace(std::move(key), std::move(result)).first->second;
}

std::string write_draw(const built_draw& built, const blob_store& store)
{
    const auto& draw = built.call;
    byte_writer out;
    draw_fields(out, draw);
    const auto fields = out.bytes();
    if (draw.indexed) out.put(store(bytes_of(draw.indices)));
    list_fields(out, draw.stages, stage_bytes, [&](const auto& stage) {
        const auto& uploaded = *built.programs.at(stage.first);
        stage_record record{stage.first,
                            store(uploaded.header_bytes),
                            store(uploaded.code_bytes),
                            uploaded.library_address,
                            store(uploaded.library_bytes),
                            {}};
        const auto& banks = stage.second.constants;
        for (std::size_t i = 0; i < banks.size(); ++i)
            if (!banks[i].empty()) record.banks.emplace_back(static_cast<std::uint8_t>(i), store(bytes_of(banks[i])));
        stage_fields(out, record);
    });
    list_fields(out, draw.attributes, attribute_bytes, [&](const auto& attribute) {
        field<std::uint16_t>(out, attribute.first);
        const auto words = store(bytes_of(attribute.second.words));
        attribute_fields(out, attribute.second, words);
    });
    for (const auto& columns : draw.capture) number_fields<std::uint16_t>(out, columns);
    write_memory(out, built, store);
    write_other_keys(out, draw, fields);
    return out.bytes();
}

draw_call read_draw(const std::string& record, const blob_source& blobs, decoded_programs& programs,
                    const std::shared_ptr<memory_contents>& shared)
{
    byte_reader in(record);
    draw_call draw;
    draw_fields(in, draw);
    if (draw.indexed) draw.indices = words_of(blobs(in.get<std::uint32_t>()));
    for (auto left = in.get_count(stage_bytes); left > 0; --left) {
        stage_record found;
        stage_fields(in, found);
        auto& program = draw.stages[found.stage];
        const auto& header = blobs(found.header);
        program.header = decode_header(reinterpret_cast<const std::uint8_t*>(header.data()), header.size());
        program.program = programs.find(draw.arch, blobs(found.code), blobs(found.library), found.library_address);
        for (const auto& [bank, blob] : found.banks) program.constants[bank] = words_of(blobs(blob));
    }
    for (auto left = in.get_count(attribute_bytes); left > 0; --left) {
        auto& source = draw.attributes[in.get<std::uint16_t>()];
        std::uint32_t words = 0;
        attribute_fields(in, source, words);
        source.words = words_of(blobs(words));
    }
    for (auto& columns : draw.capture) number_fields<std::uint16_t>(in, columns);
    read_memory(in, draw, blobs, shared);
    read_other_keys(in, draw);
    return draw;
}

draw_outline read_outline(const std::string& record)
{
    byte_reader in(record);
    draw_call draw;
    draw_fields(in, draw);
    draw_outline result;
    result.topology = draw.topology;
    result.vertices = draw.vertex_count;
    result.instances = draw.instance_count;
    result.indexed = draw.indexed;
    if (draw.indexed) in.get<std::uint32_t>();
    for (auto left = in.get_count(stage_bytes); left > 0; --left) {
        stage_record found;
        stage_fields(in, found);
        result.programs[found.stage] = {found.header, found.code};
    }
    result.attributes = in.get_count(attribute_bytes);
    for (std::size_t i = 0; i < result.attributes; ++i) {
        attribute_source source;
        std::uint32_t words = 0;
        in.get<std::uint16_t>();
        attribute_fields(in, source, words);
    }
    for (auto& columns : draw.capture) {
        number_fields<std::uint16_t>(in, columns);
        result.captured += columns.size();
    }
    return result;
}

} // namespace isbesim::gl
