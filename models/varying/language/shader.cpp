// SPDX-License-Identifier: Apache-2.0
#include "models/varying/language/shader.h"

#include <algorithm>

#include "models/attribute/attribute_map.h"
#include "tlm/enum_table.h"

namespace isbesim::varying {
namespace {

constexpr const char* fragment_only = "it exists only in fragment programs, outside the attribute space";
constexpr const char* compute_only = "it belongs to compute programs";
constexpr const char* constant_buffer = "drivers pass it in a constant buffer, not as an attribute";
constexpr const char* special = "it is a system register (S2R), not an attribute";

constexpr auto file_names =
    enum_names<register_file::hw_atomic>("IN", "OUT", "SV", "TEMP", "ADDR", "CONST", "IMM", "PRED", "SAMP", "SVIEW",
                                         "RES", "IMAGE", "BUFFER", "MEMORY", "HWATOMIC");

constexpr auto processor_names = enum_names<processor::fragment>("", "VERT", "TESS_CTRL", "TESS_EVAL", "GEOM", "FRAG");

constexpr input_primitive input_primitives[] = {{"POINTS", "points", 1},
                                                {"LINES", "lines", 2},
                                                {"TRIANGLES", "triangles", 3},
                                                {"LINES_ADJACENCY", "lines_adjacency", 4},
                                                {"TRIANGLES_ADJACENCY", "triangles_adjacency", 6}};

/// ".xz" for 0b0101, nothing for 0.
std::string mask_text(unsigned mask)
{
    std::string text;
    for (unsigned c = 0; c < 4; ++c)
        if ((mask >> c & 1U) != 0) text += "xyzw"[c];
    return text.empty() ? text : "." + text;
}

std::string print(const register_index& index)
{
    if (!index.indirect) return std::to_string(index.offset);
    std::string text = std::string(file_name(index.indirect->file)) + "[" + std::to_string(index.indirect->number) +
                       "]." + "xyzw"[index.indirect->component];
    if (index.offset > 0) text += "+";
    if (index.offset != 0) text += std::to_string(index.offset);
    return text;
}

template <typename T, typename Function>
std::string joined(const std::vector<T>& parts, const char* between, Function&& text_of)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : between) + text_of(parts[i]);
    return text;
}

const auto as_is = [](const std::string& text) { return text; };

} // namespace

const std::vector<semantic_row>& semantic_rows()
{
    namespace at = attribute_address;
    constexpr auto none = address_space::none;
    constexpr auto attribute = address_space::attribute;
    constexpr auto patch = address_space::patch;
    // CLIPDIST[n] holds distances 4n to 4n + 3, and distance i is CLIP_DISTANCE i at 0x2c0 + 4i (HARDWARE.md A.2). The
    // mail's example (A.4b) has CLIPDIST[1] at 0x2c0, which contradicts the hardware's map. A driver reports 120
    // scalars for a patch: addresses 0x20 to 0x1fc (HARDWARE.md A.3).
    static const std::vector<semantic_row> rows = {
        {semantic::position, "POSITION", attribute, at::position, 4, ""},
        {semantic::color, "COLOR", attribute, at::front_diffuse, 8, ""},
        {semantic::bcolor, "BCOLOR", attribute, at::back_diffuse, 8, ""},
        {semantic::fog, "FOG", attribute, at::fog_coordinate, 1, ""},
        {semantic::psize, "PSIZE", attribute, at::point_size, 1, ""},
        {semantic::generic, "GENERIC", attribute, at::generic, 128, ""},
        {semantic::clip_distance, "CLIPDIST", attribute, at::clip_distance, 8, ""},
        {semantic::clip_vertex, "CLIPVERTEX", attribute, 0x270, 4, ""},
        {semantic::texcoord, "TEXCOORD", attribute, at::fixed_texture, 40, ""},
        {semantic::pcoord, "PCOORD", attribute, 0x2e0, 2, ""},
        {semantic::viewport_index, "VIEWPORT_INDEX", attribute, at::viewport_index, 1, ""},
        {semantic::layer, "LAYER", attribute, at::layer, 1, ""},
        {semantic::viewport_mask, "VIEWPORT_MASK", attribute, at::viewport_mask, 1, ""},
        {semantic::primitive_id, "PRIMID", attribute, at::primitive_id, 1, ""},
        {semantic::instance_id, "INSTANCEID", attribute, at::instance_id, 1, ""},
        {semantic::vertex_id, "VERTEXID", attribute, at::vertex_id, 1, ""},
        {semantic::tess_coord, "TESSCOORD", attribute, at::tess_eval_u, 2, ""},
        {semantic::patch, "PATCH", patch, 0x020, 120, ""},
        {semantic::tess_outer, "TESSOUTER", patch, 0x000, 4, ""},
        {semantic::tess_inner, "TESSINNER", patch, 0x010, 2, ""},
        {semantic::face, "FACE", attribute, at::front_face, 1, ""},
        {semantic::normal, "NORMAL", none, 0, 0, "the hardware has no place for it, a GENERIC can carry it"},
        {semantic::edge_flag, "EDGEFLAG", none, 0, 0, "the front end takes edge flags from vertex fetch"},
        {semantic::stencil, "STENCIL", none, 0, 0, fragment_only},
        {semantic::grid_size, "GRID_SIZE", none, 0, 0, compute_only},
        {semantic::block_id, "BLOCK_ID", none, 0, 0, compute_only},
        {semantic::block_size, "BLOCK_SIZE", none, 0, 0, compute_only},
        {semantic::thread_id, "THREAD_ID", none, 0, 0, compute_only},
        {semantic::sample_id, "SAMPLEID", none, 0, 0, fragment_only},
        {semantic::sample_position, "SAMPLEPOS", none, 0, 0, fragment_only},
        {semantic::sample_mask, "SAMPLEMASK", none, 0, 0, fragment_only},
        {semantic::invocation_id, "INVOCATIONID", none, 0, 0, special},
        {semantic::vertex_id_no_base, "VERTEXID_NOBASE", none, 0, 0, constant_buffer},
        {semantic::base_vertex, "BASEVERTEX", none, 0, 0, constant_buffer},
        {semantic::vertices_in, "VERTICESIN", none, 0, 0, special},
        {semantic::helper_invocation, "HELPER_INVOCATION", none, 0, 0, fragment_only},
        {semantic::base_instance, "BASEINSTANCE", none, 0, 0, constant_buffer},
        {semantic::draw_id, "DRAWID", none, 0, 0, constant_buffer},
        {semantic::work_dim, "WORK_DIM", none, 0, 0, compute_only},
        {semantic::subgroup, "SUBGROUP_INVOCATION", none, 0, 0, special},
        {semantic::default_outer_level, "TESS_DEFAULT_OUTER_LEVEL", none, 0, 0, constant_buffer},
        {semantic::default_inner_level, "TESS_DEFAULT_INNER_LEVEL", none, 0, 0, constant_buffer},
    };
    return rows;
}

const semantic_row& row_of(semantic id)
{
    return semantic_rows()[static_cast<std::size_t>(id)];
}

std::optional<semantic> semantic_of(std::string_view name)
{
    if (name == "PRIM_ID") return semantic::primitive_id;
    for (const auto& row : semantic_rows())
        if (name == row.name) return row.id;
    return std::nullopt;
}

const char* processor_name(processor kind)
{
    return processor_names[static_cast<std::size_t>(kind)];
}

const char* file_name(register_file file)
{
    return file_names[static_cast<std::size_t>(file)];
}

unsigned operand::write_mask() const
{
    if (letters.empty()) return 0xf;
    unsigned mask = 0;
    for (const char c : letters) mask |= 1U << std::string_view("xyzw").find(c);
    return mask;
}

unsigned operand::swizzle(unsigned component) const
{
    if (letters.empty()) return component;
    const char c = letters[std::min<std::size_t>(component, letters.size() - 1)];
    return static_cast<unsigned>(std::string_view("xyzw").find(c));
}

processor shader::effective_kind() const
{
    if (kind != processor::unspecified) return kind;
    for (const auto& each : declarations) {
        if (!each.meaning) continue;
        const bool patch = row_of(*each.meaning).space == address_space::patch;
        if (patch && each.file == register_file::output) return processor::tess_control;
        if (patch || *each.meaning == semantic::tess_coord) return processor::tess_eval;
    }
    const bool per_vertex = std::any_of(declarations.begin(), declarations.end(), [](const declaration& each) {
        return each.file == register_file::input && each.dimension != declaration::dimension_kind::none;
    });
    return per_vertex ? processor::geometry : processor::vertex;
}

const property* shader::find_property(const char* name) const
{
    const auto found =
        std::find_if(properties.begin(), properties.end(), [&](const property& p) { return p.name == name; });
    return found == properties.end() ? nullptr : &*found;
}

const input_primitive& input_primitive_of(const shader& program)
{
    const auto* named = program.find_property("GS_INPUT_PRIMITIVE");
    const std::string name = named == nullptr ? "TRIANGLES" : named->values.front();
    for (const auto& each : input_primitives)
        if (name == each.name) return each;
    throw shader_error(named->at, "GS_INPUT_PRIMITIVE is " + quoted(name) +
                                      ", expected POINTS, LINES, TRIANGLES, LINES_ADJACENCY or TRIANGLES_ADJACENCY");
}

std::string print(const declaration& shown)
{
    using kind = declaration::dimension_kind;
    std::string text = std::string("DCL ") + file_name(shown.file);
    if (shown.dimension == kind::open) text += "[]";
    if (shown.dimension == kind::number) text += "[" + std::to_string(shown.dimension_number) + "]";
    text += "[" + std::to_string(shown.first);
    if (shown.last != shown.first) text += ".." + std::to_string(shown.last);
    text += "]" + mask_text(shown.mask);
    if (shown.meaning) {
        text += std::string(", ") + row_of(*shown.meaning).name;
        const bool numbered = *shown.meaning == semantic::generic || *shown.meaning == semantic::texcoord ||
                              *shown.meaning == semantic::patch;
        if (shown.anywhere)
            text += "[]";
        else if (shown.last_index)
            text += "[" + std::to_string(shown.index) + ".." + std::to_string(*shown.last_index) + "]";
        else if (shown.index != 0 || shown.fraction != 0 || numbered)
            text += "[" + std::to_string(shown.index) + "]";
        text += mask_text(shown.fraction);
    }
    if (shown.array != 0) text += ", ARRAY(" + std::to_string(shown.array) + ")";
    if (shown.by_component) text += ", COMPONENT_INDEX";
    for (const auto& qualifier : shown.qualifiers) text += ", " + qualifier;
    return text;
}

std::string print(const operand& shown)
{
    if (!shown.word.empty()) return shown.word;
    std::string text = shown.negate ? "-" : "";
    if (shown.absolute) text += "|";
    text += file_name(shown.file);
    const auto array = shown.array != 0 ? "(" + std::to_string(shown.array) + ")" : "";
    if (shown.counts_from_array) text += array;
    if (shown.vertex) text += "[" + print(*shown.vertex) + "]";
    text += "[" + print(shown.index) + "]";
    if (!shown.counts_from_array) text += array;
    if (!shown.letters.empty()) text += "." + shown.letters;
    if (shown.absolute) text += "|";
    return text;
}

std::string print(const instruction& shown)
{
    auto text = shown.opcode;
    if (shown.saturate) text += "_SAT";
    if (shown.precise) text += "_PRECISE";
    if (!shown.operands.empty())
        text += " " + joined(shown.operands, ", ", [](const operand& each) { return print(each); });
    if (shown.target) text += " :" + std::to_string(*shown.target);
    return text;
}

std::string print(const shader& shown)
{
    std::string text = processor_name(shown.kind);
    if (!text.empty()) text += "\n";
    for (const auto& each : shown.properties)
        text += "PROPERTY " + each.name + " " + joined(each.values, ", ", as_is) + "\n";
    for (const auto& each : shown.declarations) text += print(each) + "\n";
    for (std::size_t i = 0; i < shown.immediates.size(); ++i) {
        const auto& each = shown.immediates[i];
        text += "IMM[" + std::to_string(i) + "] " + each.type + " {" + joined(each.values, ", ", as_is) + "}\n";
    }
    for (std::size_t i = 0; i < shown.instructions.size(); ++i)
        text += "  " + std::to_string(i) + ": " + print(shown.instructions[i]) + "\n";
    return text;
}

std::string describe(const declaration& shown)
{
    constexpr std::size_t most = 200; // qualifiers of files other than varyings are arbitrary words
    auto text = print(shown).substr(4);
    if (text.size() > most) text = text.substr(0, most) + "…";
    return text + " (line " + std::to_string(shown.at.line) + ")";
}

std::string quoted(std::string_view text)
{
    constexpr std::size_t most = 40;
    constexpr const char* digits = "0123456789abcdef";
    std::string shown = "'";
    for (const char c : text.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f)
            shown += c;
        else
            shown += {'\\', 'x', digits[byte >> 4], digits[byte & 15U]};
    }
    return shown + (text.size() > most ? "…'" : "'");
}

} // namespace isbesim::varying
