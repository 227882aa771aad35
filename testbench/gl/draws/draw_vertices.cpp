// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/draw_vertices.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "models/attribute/attribute_map.h"
#include "testbench/gl/channel/three_d_methods.h"
#include "testbench/gl/draws/draw_programs.h"
#include "testbench/gl/draws/vertex_format.h"

namespace isbesim::gl {

namespace {

/// BEGIN's codes of primitives that become lists.
enum : std::uint32_t { triangles = 4, triangle_strip = 5, triangle_fan = 6, quads = 7, quad_strip = 8, polygon = 9 };

struct vertex_stream {
    bool indexed = false;     ///< false: the vertices are first, first + 1, ...
    unsigned index_bytes = 0; ///< of an index in memory; 0: none is read
    std::uint32_t first = 0, count = 0;
    std::vector<std::uint32_t> positions{}; ///< if indexed: elements of the arrays
    std::vector<std::uint32_t> restarts{};  ///< indices of positions before which primitives restart, ascending
};

struct attribute_parts {
    const three_d_state& state;
    const gl::chip& chip;
    const gpu_memory& memory;
    const attribute_set& inputs; ///< inputs of the vertex program
};

/// `primitive`: BEGIN's code, after quads and polygons were split.
topology topology_of(std::uint32_t primitive)
{
    static constexpr topology by_code[] = {topology::points,
                                           topology::lines,
                                           topology::line_loop,
                                           topology::line_strip,
                                           topology::triangles,
                                           topology::triangle_strip,
                                           topology::triangle_fan,
                                           topology::triangles,
                                           topology::triangles,
                                           topology::triangles,
                                           topology::lines_adjacency,
                                           topology::line_strip_adjacency,
                                           topology::triangles_adjacency,
                                           topology::triangle_strip_adjacency,
                                           topology::patches};
    if (primitive >= std::size(by_code)) throw draw_refused("primitive code " + std::to_string(primitive));
    return by_code[primitive];
}

/// OpenGL's draws stay in the model's order, since OpenGL does not define the captured order.
bool first_vertex_provokes(const three_d_state& state, const gpu_memory& memory)
{
    constexpr std::uint32_t provoking_last = 0x1684;
    const bool vulkan = memory.for_mapping();
    return vulkan && (state.at(provoking_last) & 1) == 0;
}

/// Reads index values, before the base is added.
class index_reader {
public:
    index_reader(const three_d_state& state, const chip& chip, const gpu_memory& memory)
        : memory_(memory),
          address_(state.address_at(three_d::index_address)),
          size_(1U << (state.at(three_d::index_format) & 3))
    {
        constexpr std::uint32_t limit = 0x17d0;
        constexpr std::uint32_t limit_turing = 0x238;
        limit_ = array_end(address_, state.address_at(chip.limit_base == 0x600 ? limit_turing : limit));
    }

    /// Bytes of an index.
    unsigned size() const
    {
        if (size_ > sizeof(std::uint32_t)) throw draw_refused("index format 3");
        return size_;
    }
    /// An index past the end of the buffer is 0.
    std::uint32_t at(std::uint64_t position) const
    {
        const auto place = address_ + position * size_;
        const auto* bytes = place + size_ - 1 <= limit_ ? memory_.at(place, size_) : nullptr;
        std::uint32_t value = 0;
        if (bytes != nullptr) std::memcpy(&value, bytes, size_);
        return value;
    }

private:
    const gpu_memory& memory_;
    std::uint64_t address_;
    std::uint64_t limit_ = 0;
    unsigned size_;
};

constexpr unsigned first_attribute = 0x80; ///< generic attribute 0, 16 bytes each (HARDWARE.md A.1)

/// One attribute's array, or its constant value.
class attribute_array {
public:
    attribute_array(const attribute_parts& parts, unsigned number)
        : memory_(parts.memory), format_(vertex_format::of(parts.state.at(three_d::attribute_format + 4 * number)))
    {
        const auto& state = parts.state;
        const auto registers = three_d::vertex_array + 0x10 * format_.buffer;
        const auto fetch = state.at(registers);
        // A format that was never set has no array.
        format_.constant = format_.constant || format_.size == 0;
        constant_ = parts.state.attribute_values[number];
        enabled_ = !format_.constant && (fetch & (1U << 12)) != 0;
        if (!enabled_ && !format_.constant) constant_ = format_.defaults();
        if (!enabled_) return;
        const auto bytes = format_.bytes();
        if (!bytes)
            throw draw_refused("vertex attribute of format " + std::to_string(format_.size) + ", type " +
                               std::to_string(format_.type));
        bytes_ = *bytes;
        stride_ = fetch & 0xfff;
        address_ = state.address_at(registers + 4);
        limit_ = array_end(address_, state.address_at(parts.chip.limit_base + 8 * format_.buffer));
        per_instance_ = (state.at(three_d::per_instance + 4 * format_.buffer) & 1) != 0;
        divisor_ = state.at(registers + 0xc);
        instance_base_ = state.at(three_d::instance_base);
    }

    bool constant() const { return !enabled_; }
    bool per_instance() const { return per_instance_; }

    std::array<std::uint32_t, 4> element(std::uint64_t number) const
    {
        if (!enabled_) return constant_;
        const auto place = address_ + number * stride_ + format_.offset;
        const auto* bytes = place + bytes_ - 1 <= limit_ ? memory_.at(place, bytes_) : nullptr;
        return bytes != nullptr ? format_.decode(bytes) : format_.defaults();
    }
    /// Tells where the elements from `number` on are in memory.
    void place(std::uint64_t number, attribute_source& source) const
    {
        source.address = address_ + number * stride_ + format_.offset;
        source.stride = stride_;
        source.bytes = bytes_;
    }
    std::uint64_t number_of_instance(std::uint32_t instance) const
    {
        return std::uint64_t{divisor_ != 0 ? instance / divisor_ : 0} + instance_base_;
    }
    std::array<std::uint32_t, 4> of_instance(std::uint32_t instance) const
    {
        return element(number_of_instance(instance));
    }

private:
    const gpu_memory& memory_;
    vertex_format format_;
    bool enabled_ = false;
    bool per_instance_ = false;
    unsigned bytes_ = 0;
    std::uint32_t stride_ = 0, divisor_ = 1, instance_base_ = 0;
    std::uint64_t address_ = 0, limit_ = 0;
    std::array<std::uint32_t, 4> constant_{};
};

bool reads(const attribute_set& inputs, unsigned address, unsigned words)
{
    for (unsigned i = 0; i < words; ++i)
        if (inputs.contains(address / 4 + i)) return true;
    return false;
}

/// Elements of the arrays by their number in the draw.
std::vector<std::uint32_t> number_elements(vertex_stream& vertices, draw_call& draw)
{
    std::vector<std::uint32_t> elements;
    if (!vertices.indexed) {
        elements.resize(vertices.count);
        for (std::uint32_t i = 0; i < vertices.count; ++i) elements[i] = vertices.first + i;
        draw.vertex_count = vertices.count;
        return elements;
    }
    elements = vertices.positions;
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    // No element has this number, whereas a position may be any number, since a base is added to the index.
    constexpr std::uint32_t restart = 0xffffffffU;
    draw.indexed = true;
    draw.index_bytes = vertices.index_bytes;
    draw.vertex_count = vertices.positions.size() + vertices.restarts.size();
    draw.indices.reserve(draw.vertex_count);
    auto next = vertices.restarts.begin();
    for (std::uint32_t i = 0; i < vertices.count; ++i) {
        for (; next != vertices.restarts.end() && *next == i; ++next) draw.indices.push_back(restart);
        draw.indices.push_back(static_cast<std::uint32_t>(
            std::lower_bound(elements.begin(), elements.end(), vertices.positions[i]) - elements.begin()));
    }
    draw.indices.resize(draw.vertex_count, restart);
    if (!vertices.restarts.empty()) draw.restart_index = restart;
    return elements;
}

void add_ids(const attribute_parts& parts, const drawn_vertices& drawn, const std::vector<std::uint32_t>& elements,
             bool indexed, draw_call& draw)
{
    const auto& state = parts.state;
    if (reads(parts.inputs, attribute_address::vertex_id, 1)) {
        auto& ids = draw.attributes[attribute_address::vertex_id];
        ids.components = 1;
        const auto replace = state.at(three_d::vertex_id_replace);
        if ((replace & 1) != 0) {
            // The x component of an attribute replaces the id.
            constexpr std::uint32_t words_to_number = 4;
            const attribute_array source(parts, (((replace >> 4) & 0xff) - first_attribute / 4) / words_to_number);
            for (const auto element : elements) ids.words.push_back(source.element(element)[0]);
        } else {
            const auto shift = indexed ? state.at(three_d::vertex_id_base) - state.at(three_d::element_base) : 0;
            for (const auto element : elements) ids.words.push_back(element + shift);
        }
    }
    if (drawn.first_instance != 0 && reads(parts.inputs, attribute_address::instance_id, 1)) {
        auto& ids = draw.attributes[attribute_address::instance_id];
        ids.components = 1;
        ids.per_instance = true;
        for (std::uint32_t i = 0; i < drawn.instances; ++i) ids.words.push_back(drawn.first_instance + i);
    }
}

/// Reads the index buffer if the draw has one.
vertex_stream read_vertices(const three_d_state& state, const drawn_vertices& drawn, const chip& chip,
                            const gpu_memory& memory)
{
    using source = vertex_run::source;
    const auto total = drawn.count();
    if (total * drawn.instances > most_vertices) throw draw_refused("more than 100,000,000 vertices in one draw");
    vertex_stream result;
    const auto restarts = (state.at(three_d::restart_enable) & 1) != 0;
    const auto restart_index = state.at(three_d::restart_index);
    const auto restarts_in_arrays = restarts && state.at(three_d::restart_in_arrays) != 0;
    const auto only_arrays = drawn.runs.size() == 1 && drawn.runs[0].from == source::arrays;
    if (only_arrays && !(restarts_in_arrays && restart_index - drawn.runs[0].first < drawn.runs[0].count)) {
        result.first = drawn.runs[0].first;
        result.count = drawn.runs[0].count;
        return result;
    }
    result.indexed = true;
    result.positions.reserve(total);
    const auto base = state.at(three_d::element_base);
    const index_reader indices(state, chip, memory);
    const auto add = [&](std::uint32_t index, bool may_restart, std::uint32_t offset) {
        if (may_restart && index == restart_index)
            result.restarts.push_back(static_cast<std::uint32_t>(result.positions.size()));
        else
            result.positions.push_back(index + offset);
    };
    for (const auto& run : drawn.runs) {
        if (run.from == source::index_buffer) result.index_bytes = indices.size();
        for (std::uint32_t i = 0; i < run.count; ++i) {
            if (run.from == source::arrays)
                add(run.first + i, restarts_in_arrays, 0);
            else
                add(run.from == source::index_buffer ? indices.at(std::uint64_t{run.first} + i) : run.indices[i],
                    restarts, base);
        }
    }
    result.count = static_cast<std::uint32_t>(result.positions.size());
    return result;
}

/// Replaces the vertices by a list of primitives without restarts. `split` appends those of a run between restarts.
template <typename Split>
void make_list(vertex_stream& vertices, Split&& split)
{
    std::vector<std::uint32_t> run;
    std::vector<std::uint32_t> list;
    auto restart = vertices.restarts.begin();
    for (std::uint32_t i = 0; i < vertices.count; ++i) {
        for (; restart != vertices.restarts.end() && *restart == i; ++restart) {
            split(run, list);
            run.clear();
        }
        run.push_back(vertices.indexed ? vertices.positions[i] : vertices.first + i);
    }
    split(run, list);
    vertices.indexed = true;
    vertices.restarts.clear();
    vertices.positions = std::move(list);
    vertices.first = 0;
    vertices.count = static_cast<std::uint32_t>(vertices.positions.size());
}

/// Splits quads, quad strips and polygons into triangles, as the hardware does. Changes `primitive`, BEGIN's code.
void split_polygons(std::uint32_t& primitive, vertex_stream& vertices)
{
    if (primitive == polygon) {
        primitive = triangle_fan;
        return;
    }
    if (primitive != quads && primitive != quad_strip) return;
    const auto strip = primitive == quad_strip;
    primitive = triangles;
    make_list(vertices, [strip](const std::vector<std::uint32_t>& run, std::vector<std::uint32_t>& list) {
        for (std::size_t i = 0; i + 3 < run.size(); i += strip ? 2 : 4) {
            const auto* v = run.data() + i;
            // Both triangles end with the quad's last vertex, which provides flat attributes.
            if (strip)
                list.insert(list.end(), {v[0], v[1], v[3], v[2], v[0], v[3]});
            else
                list.insert(list.end(), {v[0], v[1], v[3], v[1], v[2], v[3]});
        }
    });
}

void add_attributes(const attribute_parts& parts, const drawn_vertices& drawn, vertex_stream vertices, draw_call& draw)
{
    const auto elements = number_elements(vertices, draw);
    constexpr unsigned attributes = 16;
    for (unsigned number = 0; number < attributes; ++number) {
        const auto address = first_attribute + 16 * number;
        if (!reads(parts.inputs, address, 4)) continue;
        const attribute_array array(parts, number);
        auto& source = draw.attributes[address];
        const auto append = [&](const std::array<std::uint32_t, 4>& words) {
            source.words.insert(source.words.end(), words.begin(), words.end());
        };
        if (array.constant()) {
            source.repeat = true;
            append(array.element(0));
        } else if (array.per_instance()) {
            source.per_instance = true;
            array.place(array.number_of_instance(drawn.first_instance), source);
            for (std::uint32_t i = 0; i < drawn.instances; ++i) append(array.of_instance(drawn.first_instance + i));
        } else {
            source.words.reserve(elements.size() * 4);
            if (!elements.empty()) array.place(elements.front(), source);
            for (const auto element : elements) append(array.element(element));
        }
    }
    add_ids(parts, drawn, elements, vertices.indexed, draw);
}

void add_tessellation(const three_d_state& state, draw_call& draw)
{
    static constexpr tess_domain domains[] = {tess_domain::isolines, tess_domain::triangles, tess_domain::quads,
                                              tess_domain::quads};
    static constexpr tess_spacing spacings[] = {tess_spacing::equal, tess_spacing::fractional_odd,
                                                tess_spacing::fractional_even, tess_spacing::equal};
    // The class calls 2 clockwise, which it is with v down; in GL and the model v points up.
    static constexpr tess_output outputs[] = {tess_output::points, tess_output::lines, tess_output::triangles_ccw,
                                              tess_output::triangles_cw};
    const auto mode = state.at(three_d::tessellation);
    auto& result = draw.tessellation;
    result.domain = domains[mode & 3];
    result.spacing = spacings[(mode >> 4) & 3];
    result.output = outputs[(mode >> 8) & 3];
    const auto* levels = state.registers.data() + three_d::default_levels / 4;
    std::memcpy(result.defaults.outer.data(), levels, sizeof result.defaults.outer);
    std::memcpy(result.defaults.inner.data(), levels + result.defaults.outer.size(), sizeof result.defaults.inner);
}

} // namespace

std::uint64_t array_end(std::uint64_t address, std::uint64_t limit)
{
    return limit >= address ? limit : address + limit - 1;
}

std::uint64_t add_vertices(const three_d_state& state, const chip& chip, const gpu_memory& memory,
                           const drawn_vertices& drawn, draw_call& draw)
{
    auto primitive = drawn.primitive;
    auto vertices = read_vertices(state, drawn, chip, memory);
    const auto count = vertices.count;
    split_polygons(primitive, vertices);
    draw.first_provokes = first_vertex_provokes(state, memory);
    draw.topology = topology_of(primitive);
    draw.instance_count = drawn.instances;
    if (draw.topology == topology::patches) {
        draw.patch_vertices = state.at(three_d::patch_vertices);
        if (draw.stages.count(stage::tess) == 0) throw draw_refused("patches without an evaluation program");
        add_tessellation(state, draw);
    }
    const auto& inputs = draw.stages.at(stage::vertex).header.imap;
    add_attributes({state, chip, memory, inputs}, drawn, std::move(vertices), draw);
    return count;
}

} // namespace isbesim::gl
