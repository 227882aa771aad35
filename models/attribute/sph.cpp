// SPDX-License-Identifier: Apache-2.0
#include "models/attribute/sph.h"

#include <algorithm>
#include <array>

#include "models/attribute/attribute_map.h"

namespace isbesim {

namespace {

constexpr unsigned common_words = 20;
constexpr unsigned all_words = 32;
constexpr unsigned imap_first_bit = 160;
constexpr unsigned omap_first_bit = 400;

// Limits of the hardware (HARDWARE.md E.3, F.1); a header beyond them is corrupt, not a program's request.
constexpr unsigned most_output_vertices = 1024;
constexpr unsigned most_threads = 32;
constexpr std::uint32_t most_local_bytes = 512U * 1024U;

struct raw_patch_count {
    unsigned byte = 0;
    unsigned low_nibble = 0;
    unsigned high_nibble = 0;
    unsigned nibbles() const { return high_nibble << 4 | low_nibble; }
};

/// The only list of header fields: f(name, first bit, width, value) in bit order. Decoding, encoding and printing use
/// it. Values are unsigned, bool or enumerations.
template <typename Header, typename Patch, typename F>
void for_each_field(Header& h, Patch& patch, F&& f)
{
    f("SphType", 0, 5, h.sph_type);
    f("Version", 5, 5, h.version);
    f("ShaderType", 10, 4, h.shader_type);
    f("MrtEnable", 14, 1, h.mrt_enable);
    f("KillsPixels", 15, 1, h.kills_pixels);
    f("DoesGlobalStore", 16, 1, h.does_global_store);
    f("SassVersion", 17, 4, h.sass_version);
    f("GeometryPassthrough", 24, 1, h.geometry_passthrough);
    f("SharedSpaces", 25, 1, h.shared_spaces);
    f("DoesLoadOrStore", 26, 1, h.does_load_or_store);
    f("DoesFp64", 27, 1, h.does_fp64);
    f("StreamOutMask", 28, 4, h.stream_out_mask);
    f("ShaderLocalMemoryLowSize", 32, 24, h.local_memory_low_size);
    f("PerPatchAttributeCount", 56, 8, patch.byte);
    f("ShaderLocalMemoryHighSize", 64, 24, h.local_memory_high_size);
    f("ThreadsPerInputPrimitive", 88, 8, h.threads_per_input_primitive);
    f("ShaderLocalMemoryCrsSize", 96, 24, h.local_memory_crs_size);
    f("OutputTopology", 120, 4, h.output_topology);
    f("PerPatchAttributeCountLow", 124, 4, patch.low_nibble);
    f("MaxOutputVertexCount", 128, 12, h.max_output_vertex_count);
    f("StoreReqStart", 140, 8, h.store_req_start);
    f("PerPatchAttributeCountHigh", 148, 4, patch.high_nibble);
    f("StoreReqEnd", 152, 8, h.store_req_end);
}

[[noreturn]] void fail(const std::string& what)
{
    throw header_error("shader program header: " + what);
}

std::uint32_t get_bits(const std::vector<std::uint32_t>& words, unsigned first, unsigned width)
{
    const auto value = words[first / 32] >> (first % 32);
    return value & ((std::uint32_t{1} << width) - 1U); // no field crosses a word
}

attribute_set get_map(const std::vector<std::uint32_t>& words, unsigned first_bit)
{
    attribute_set set;
    for (unsigned id = 0; id < mapped_attribute_ids; ++id)
        if (get_bits(words, first_bit + id, 1) != 0) set.insert(id);
    return set;
}

void put_map(std::vector<std::uint32_t>& words, unsigned first_bit, const attribute_set& set)
{
    for (unsigned id = 0; id < mapped_attribute_ids; ++id)
        if (set.contains(id)) words[(first_bit + id) / 32] |= std::uint32_t{1} << ((first_bit + id) % 32);
}

raw_patch_count split_patch_count(const program_header& h)
{
    raw_patch_count raw;
    if (h.patch_count_encoding != patch_count_encoding::nibbles) raw.byte = h.per_patch_attribute_count;
    if (h.patch_count_encoding != patch_count_encoding::byte) {
        raw.low_nibble = h.per_patch_attribute_count & 0xfU;
        raw.high_nibble = h.per_patch_attribute_count >> 4;
    }
    return raw;
}

void join_patch_count(const raw_patch_count& raw, program_header& h)
{
    if (raw.byte != 0 && raw.nibbles() != 0 && raw.byte != raw.nibbles())
        fail("two different PerPatchAttributeCount: bits 63:56 say " + std::to_string(raw.byte) +
             ", bits 151:148 and 127:124 say " + std::to_string(raw.nibbles()) +
             ", expected one number, or 0 in one place");
    h.per_patch_attribute_count = std::max(raw.byte, raw.nibbles());
    h.patch_count_encoding = raw.byte == raw.nibbles() ? patch_count_encoding::both
                             : raw.byte != 0           ? patch_count_encoding::byte
                                                       : patch_count_encoding::nibbles;
}

void check_limit(const char* name, unsigned value, unsigned low, unsigned high)
{
    if (value < low || value > high)
        fail(std::string(name) + " is " + std::to_string(value) + ", expected " + std::to_string(low) + ".." +
             std::to_string(high));
}

void check_values(const program_header& h)
{
    if (h.local_memory_low_size + h.local_memory_high_size > most_local_bytes) // no overflow: 24 bits each
        fail("local memory of " + std::to_string(h.local_memory_low_size) + " + " +
             std::to_string(h.local_memory_high_size) + " bytes per thread, expected at most " +
             std::to_string(most_local_bytes));
    if (h.shader_type == shader_type::tess_init)
        check_limit("ThreadsPerInputPrimitive", h.threads_per_input_primitive, 1, most_threads);
    if (h.shader_type != shader_type::geometry) return;
    check_limit("ThreadsPerInputPrimitive", h.threads_per_input_primitive, 1, most_threads);
    check_limit("MaxOutputVertexCount", h.max_output_vertex_count, 1, most_output_vertices);
    const auto topology = h.output_topology;
    if (topology != output_topology::points && topology != output_topology::line_strip &&
        topology != output_topology::triangle_strip)
        fail("OutputTopology is " + std::to_string(static_cast<unsigned>(topology)) +
             ", expected 1 (points), 6 (line strip) or 7 (triangle strip)");
}

std::string size_description(std::size_t size)
{
    return std::to_string(size) + " bytes, expected 80 (version 3) or 128 (version 4)";
}

std::string names_of(const attribute_set& set)
{
    std::string text;
    for (unsigned id = 0; id < mapped_attribute_ids; ++id)
        if (set.contains(id)) text += (text.empty() ? "" : " ") + attribute_name(id * 4);
    return text.empty() ? "-" : text;
}

bool has_range(const program_header& h)
{
    return h.store_req_start <= h.store_req_end;
}

} // namespace

unsigned vertices_per_output_primitive(output_topology kind)
{
    switch (kind) {
    case output_topology::points:
        return 1;
    case output_topology::line_strip:
        return 2;
    case output_topology::triangle_strip:
        return 3;
    case output_topology::none:
        break;
    }
    return 0;
}

program_header decode_header(const std::uint8_t* bytes, std::size_t size)
{
    if (size != header_bytes_v3 && size != header_bytes_v4) fail(size_description(size));
    std::vector<std::uint32_t> words(size / 4);
    for (std::size_t i = 0; i < size; ++i) words[i / 4] |= std::uint32_t{bytes[i]} << (8 * (i % 4));

    program_header h;
    raw_patch_count patch;
    for_each_field(h, patch, [&](const char*, unsigned first, unsigned width, auto& value) {
        value = static_cast<std::remove_reference_t<decltype(value)>>(get_bits(words, first, width));
    });
    if (h.sph_type == 2) fail("type 2 (pixel), expected 1 (vertex, tessellation, geometry)");
    if (h.sph_type != 1) fail("type " + std::to_string(h.sph_type) + ", expected 1 (vertex, tessellation, geometry)");
    if (h.version != 3 && h.version != 4) fail("version " + std::to_string(h.version) + ", expected 3 or 4");
    if (h.version == 4 && size != header_bytes_v4)
        fail("version 4 in " + std::to_string(size) + " bytes, expected 128");
    const auto type = static_cast<unsigned>(h.shader_type);
    if (type < 1 || type > 4)
        fail("ShaderType " + std::to_string(type) + ", expected 1 (vertex), 2 (tess init), 3 (tess) or 4 (geometry)");

    join_patch_count(patch, h);
    check_values(h);
    h.imap = get_map(words, imap_first_bit);
    h.omap = get_map(words, omap_first_bit);
    h.tail.assign(words.begin() + common_words, words.end());
    return h;
}

std::vector<std::uint32_t> encode_header(const program_header& header)
{
    const bool wide = header.version == 4 || !header.tail.empty();
    if (!header.tail.empty() && header.tail.size() != all_words - common_words)
        fail(std::to_string(header.tail.size()) + " words after word 19, expected 0 or 12");
    std::vector<std::uint32_t> words(wide ? all_words : common_words);

    const auto patch = split_patch_count(header);
    for_each_field(header, patch, [&](const char* name, unsigned first, unsigned width, const auto& value) {
        const auto bits = static_cast<std::uint32_t>(value);
        if (bits >> width != 0) fail(std::string(name) + " does not fit " + std::to_string(width) + " bits");
        words[first / 32] |= bits << (first % 32);
    });
    put_map(words, imap_first_bit, header.imap);
    put_map(words, omap_first_bit, header.omap);
    std::copy(header.tail.begin(), header.tail.end(), words.begin() + common_words);
    return words;
}

attribute_set store_request(const program_header& header)
{
    if (header.shader_type == shader_type::geometry) return {};
    attribute_set set;
    for (unsigned id = header.store_req_start; id <= header.store_req_end; ++id) set.insert(id);
    return set;
}

std::vector<std::string> warnings_of_header(const program_header& header)
{
    std::vector<std::string> warnings;
    const bool geometry = header.shader_type == shader_type::geometry;
    const bool tess_init = header.shader_type == shader_type::tess_init;
    const unsigned patch = header.per_patch_attribute_count;

    static constexpr std::array<unsigned, 6> usual{6, 8, 16, 32, 64, 128};
    if (patch != 0 && std::find(usual.begin(), usual.end(), patch) == usual.end())
        warnings.push_back("PerPatchAttributeCount " + std::to_string(patch) +
                           " is neither 6 nor one of 8 16 32 64 128, which NVIDIA's page names; Mesa's compilers "
                           "write such counts, of the words in use, and the model takes them as they stand");
    if (tess_init && patch == 0) warnings.emplace_back("PerPatchAttributeCount 0: no tessellation level can be stored");
    if (patch != 0 && !tess_init && header.shader_type != shader_type::tess)
        warnings.emplace_back("PerPatchAttributeCount in a header that is neither tess init nor tess is ignored");
    // Compilers leave 0..0 if there is no range.
    if (geometry && has_range(header) && header.store_req_end != 0)
        warnings.emplace_back("StoreReqStart..StoreReqEnd is ignored in a geometry header");
    if (!geometry && has_range(header) && header.store_req_end >= mapped_attribute_ids)
        warnings.push_back("StoreReqEnd " + std::to_string(header.store_req_end) +
                           " is beyond the last attribute, 239");
    if (!geometry && header.max_output_vertex_count != 0)
        warnings.emplace_back("MaxOutputVertexCount is ignored outside a geometry header");
    if (header.geometry_passthrough && !geometry)
        warnings.emplace_back("the passthrough bit is ignored outside a geometry header");
    return warnings;
}

std::vector<std::string> warnings_of_patch_size(const program_header& tess_init, const program_header& tess,
                                                bool zero_is_a_size)
{
    const auto ti = tess_init.per_patch_attribute_count;
    const auto ts = tess.per_patch_attribute_count;
    if ((ts == 0 && !zero_is_a_size) || ti == ts) return {};
    return {"tess declares PerPatchAttributeCount " + std::to_string(ts) + ", tess init " + std::to_string(ti) +
            ": the patch has the size of tess init"};
}

std::vector<std::pair<std::string, std::string>> describe_header(const program_header& header)
{
    std::vector<std::pair<std::string, std::string>> rows;
    const auto patch = split_patch_count(header);
    for_each_field(header, patch, [&](const std::string& name, unsigned, unsigned, const auto& value) {
        auto text = std::to_string(static_cast<std::uint32_t>(value));
        if (name == "PerPatchAttributeCount") text = std::to_string(header.per_patch_attribute_count);
        if (name != "PerPatchAttributeCountLow" && name != "PerPatchAttributeCountHigh") rows.emplace_back(name, text);
    });
    rows.emplace_back("Imap", names_of(header.imap));
    rows.emplace_back("Omap", names_of(header.omap));
    return rows;
}

} // namespace isbesim
