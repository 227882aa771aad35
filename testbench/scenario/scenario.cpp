#include "testbench/scenario/scenario.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>

#include "models/isbe/functional/names.h"
#include "models/pe/front_end/validation.h"
#include "testbench/command_line/nearest.h"
#include "testbench/files/header_fields.h"
#include "testbench/files/hex_text.h"
#include "testbench/files/json_document.h"
#include "testbench/files/program_file.h"
#include "testbench/scenario/draw_warnings.h"
#include "testbench/scenario/expectation.h"
#include "testbench/scenario/mesh_draw.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

struct stage_key {
    const char* name;
    isbesim::stage stage;
    isbesim::shader_type type;
};
constexpr stage_key stage_keys[] = {
    {name_of(stage::vertex_a), stage::vertex_a, shader_type::vertex},
    {name_of(stage::vertex), stage::vertex, shader_type::vertex},
    {name_of(stage::geometry), stage::geometry, shader_type::geometry},
    {name_of(stage::tess_init), stage::tess_init, shader_type::tess_init},
    {name_of(stage::tess), stage::tess, shader_type::tess},
    {name_of(stage::task), stage::task, shader_type::vertex},
    {name_of(stage::mesh), stage::mesh, shader_type::vertex},
};

struct topology_name {
    const char* name;
    isbesim::topology topology;
};
constexpr topology_name topology_names[] = {
    {"points", topology::points},
    {"lines", topology::lines},
    {"line_strip", topology::line_strip},
    {"line_loop", topology::line_loop},
    {"triangles", topology::triangles},
    {"triangle_strip", topology::triangle_strip},
    {"triangle_fan", topology::triangle_fan},
    {"lines_adjacency", topology::lines_adjacency},
    {"line_strip_adjacency", topology::line_strip_adjacency},
    {"triangles_adjacency", topology::triangles_adjacency},
    {"triangle_strip_adjacency", topology::triangle_strip_adjacency},
    {"patches", topology::patches},
    {"mesh", topology::mesh},
};

struct mode_name {
    const char* name;
    geometry_mode mode;
};
constexpr mode_name mode_names[] = {{"any", geometry_mode::any}, {"fast", geometry_mode::fast}};

struct domain_name {
    const char* name;
    tess_domain domain;
};
constexpr domain_name domain_names[] = {
    {"isolines", tess_domain::isolines}, {"triangles", tess_domain::triangles}, {"quads", tess_domain::quads}};

struct spacing_name {
    const char* name;
    tess_spacing spacing;
};
constexpr spacing_name spacing_names[] = {{"equal", tess_spacing::equal},
                                          {"fractional_odd", tess_spacing::fractional_odd},
                                          {"fractional_even", tess_spacing::fractional_even}};

struct output_name {
    const char* name;
    tess_output output;
};
constexpr output_name output_names[] = {{"points", tess_output::points},
                                        {"lines", tess_output::lines},
                                        {"triangles_cw", tess_output::triangles_cw},
                                        {"triangles_ccw", tess_output::triangles_ccw}};

template <typename Table>
std::vector<std::string> names_of(const Table& table)
{
    std::vector<std::string> names;
    for (const auto& entry : table) names.emplace_back(entry.name);
    return names;
}

template <typename Table>
const auto* find_name(const Table& table, std::string_view name)
{
    const auto found = std::find_if(std::begin(table), std::end(table), [&](const auto& e) { return name == e.name; });
    return found == std::end(table) ? nullptr : &*found;
}

class reader {
public:
    reader(const json_document& document, scenario& result)
        : document_(document), folder_(std::filesystem::path(document.file()).parent_path()), result_(result)
    {
    }

    void read()
    {
        const auto& root = document_.root();
        document_.only_keys(root, "the scenario",
                            {"description", "arch", "stages", "draw", "attributes", "constants", "stage_constants",
                             "capture", "expect", "expect_ulp", "expect_tolerance", "expect_order", "library", "memory",
                             "expect_memory"});
        if (const auto* description = json_document::find(root, "description"))
            document_.text(*description, "description");
        const auto& arch = document_.member(root, "arch", "the scenario");
        const auto name = document_.text(arch, "arch");
        const auto parsed = parse_architecture(name);
        if (!parsed) document_.fail(arch, "arch is '" + name + "', expected sm50, sm75 or sm86");
        result_.draw.arch = *parsed;
        read_stages(document_.member(root, "stages", "the scenario"));
        read_draw(document_.member(root, "draw", "the scenario"));
        if (const auto* attributes = json_document::find(root, "attributes")) {
            if (result_.draw.topology == topology::mesh) {
                document_.fail_key(root, "attributes", "'attributes' in a mesh draw, which has no vertices to fetch");
            }
            read_attributes(*attributes);
        }
        read_constants(json_document::find(root, "constants"), json_document::find(root, "stage_constants"));
        read_capture(json_document::find(root, "capture"));
        read_expectation(root);
        result_.memory = read_memory_image(document_, result_.draw);
        warn_of_maps(root);
        warn_of_capture(root);
    }

private:
    void warn(const std::string& kind, const source_place& place, const std::string& text)
    {
        result_.warnings.emplace_back(kind, place, text);
    }

    /// Warnings of a stage's program or header.
    void warn_of_stage(const std::string& kind, isbesim::stage which, const source_place& place,
                       const std::string& text)
    {
        warn(kind, place, text);
        result_.warnings.back().stage = name_of(which);
    }

    /// A key that the draw does not look at.
    void warn_unused(const json::value& object, const char* key, const std::string& why)
    {
        const auto* value = json_document::find(object, key);
        if (value == nullptr || value->is_null()) return;
        warn("no_effect", document_.place_of_key(object, key), std::string(key) + " has no effect: " + why);
    }

    /// Programs, headers and data that do not agree on attributes.
    void warn_of_maps(const json::value& root)
    {
        const auto& draw = result_.draw;
        const auto& stages = document_.member(root, "stages", "the scenario");
        const auto* attributes = json_document::find(root, "attributes");
        const auto& first = draw.stages.begin()->first;
        if (const auto missing = missing_inputs(draw); !missing.empty()) {
            const auto place = attributes != nullptr ? document_.place_of_key(root, "attributes")
                                                     : document_.place_of_key(root, "draw");
            warn_of_stage("missing_attribute", first, place,
                          std::string("the program of stage '") + name_of(first) + "' loads attributes " +
                              address_list(missing) + ", of which the scenario has no data: it gets their defaults");
        }
        attribute_set per_primitive;
        for (const auto address : draw.mesh.per_primitive) per_primitive.insert(address / 4);
        for (const auto& [which, program] : draw.stages) {
            const std::string name = name_of(which);
            const auto place = document_.place_of_key(stages, name);
            if (const auto loads = loads_beside_map(program); !loads.empty())
                warn_of_stage("beside_imap", which, place,
                              "the program of stage '" + name + "' loads attributes " + address_list(loads) +
                                  ", which the imap of its header lacks: it gets their defaults");
            if (const auto stores = stores_beside_map(program, per_primitive); !stores.empty())
                warn_of_stage("beside_omap", which, place,
                              "the program of stage '" + name + "' stores attributes " + address_list(stores) +
                                  ", which the omap of its header lacks: they are dropped");
            if (which == stage::geometry && !is_fast_geometry(draw) && program.header.max_output_vertex_count == 0)
                warn_of_stage("one_vertex", which, place,
                              "max_output_vertex_count of the geometry header is 0 or left out: a thread has room for "
                              "one vertex only");
        }
    }

    /// Columns and streams of vertices.csv that nothing comes to.
    void warn_of_capture(const json::value& root)
    {
        const auto& draw = result_.draw;
        const auto* capture = json_document::find(root, "capture");
        const auto place = document_.place_of_key(root, capture != nullptr ? "capture" : "stages");
        const auto geometry = draw.stages.find(stage::geometry);
        const bool streams = geometry != draw.stages.end() && !is_fast_geometry(draw);
        for (unsigned stream = 0; stream < draw.capture.size(); ++stream) {
            if (draw.capture[stream].empty()) continue;
            const auto number = std::to_string(stream);
            if (streams && (geometry->second.header.stream_out_mask >> stream & 1U) == 0)
                warn("no_stream", place,
                     "stream " + number +
                         " is captured, but stream_out_mask of the geometry header leaves it out: "
                         "vertices.csv gets no rows of it");
            else if (!streams && stream != 0)
                warn("no_stream", place,
                     "stream " + number +
                         " is captured, but the last stage of this draw has stream 0 only: "
                         "vertices.csv gets no rows of it");
            else if (const auto never = unwritten_captures(draw, stream); !never.empty())
                warn("unwritten_capture", place,
                     "attributes " + address_list(never) +
                         " are captured, but the last stage's header does not write "
                         "them: the columns hold their defaults");
        }
    }

    /// Path of a file that the scenario names; the error stands where the scenario names it.
    std::string path_of(const json::value& value, std::string_view what, const std::string& expected) const
    {
        const auto name = document_.text(value, what);
        const auto path = (folder_ / name).string();
        std::error_code failure;
        if (!std::filesystem::is_regular_file(path, failure)) {
            document_.fail(value, std::string(what) + " '" + name + "' cannot be read (" +
                                      (failure ? failure.message() : std::string("not a file")) + "), expected " +
                                      expected);
        }
        return path;
    }

    void read_stages(const json::value& stages)
    {
        for (const auto& entry : document_.object(stages, "stages")) {
            const std::string key(entry.key().data(), entry.key().size());
            const auto* known = find_name(stage_keys, key);
            if (known == nullptr) {
                document_.fail_key(stages, key,
                                   "unknown stage '" + key + "', expected " +
                                       name_list(nearest_names(key, names_of(stage_keys))));
            }
            auto here = *known;
            // Behind a task stage a mesh program is a tessellation program (HARDWARE.md D.6).
            if (here.stage == stage::mesh && json_document::find(stages, "task") != nullptr)
                here.type = shader_type::tess;
            read_stage(entry.value(), here, result_.draw.stages[here.stage]);
        }
        const auto& found = result_.draw.stages;
        if (found.count(stage::vertex) == 0 && found.count(stage::mesh) == 0) {
            document_.fail(stages, "stages has no 'vertex' and no 'mesh', expected one of them");
        }
    }

    void read_stage(const json::value& value, const stage_key& known, stage_program& stage)
    {
        const std::string what = std::string("stage '") + known.name + "'";
        document_.only_keys(value, what, {"code", "sph"});
        const auto& sph = document_.member(value, "sph", what);
        if (sph.is_string()) {
            stage.header = load_header(path_of(sph, "sph", "a shader program header of 80 or 128 bytes"));
        } else if (sph.is_array()) {
            const auto words = document_.words(sph, "sph");
            std::vector<std::uint8_t> bytes;
            for (const auto w : words) {
                for (unsigned b = 0; b < 4; ++b) bytes.push_back(static_cast<std::uint8_t>(w >> (8 * b)));
            }
            try {
                stage.header = decode_header(bytes.data(), bytes.size());
            } catch (const header_error& error) {
                document_.fail(sph, error.what());
            }
        } else if (sph.is_object()) {
            program_header base;
            base.shader_type = known.type;
            base.version = result_.draw.arch == isa::architecture::sm50 ? 3 : 4;
            if (base.version == 4) base.tail.resize(12);
            if (known.type == shader_type::geometry) base.stream_out_mask = 1; // a header by names: stream 0
            stage.header = read_header_fields(document_, sph, base);
        } else {
            document_.fail(sph, "sph of " + what +
                                    " is none, expected a file name, an array of words or an object of "
                                    "header fields");
        }
        if (!accepts_header_type(known.stage, known.type, stage.header.shader_type)) {
            document_.fail(sph, "the header says shader type " +
                                    std::to_string(static_cast<unsigned>(stage.header.shader_type)) + ", expected " +
                                    std::to_string(static_cast<unsigned>(known.type)) + " for " + what);
        }
        const bool wide = result_.draw.arch != isa::architecture::sm50;
        if (stage.header.tail.empty() == wide)
            warn_of_stage("header_size", known.stage, document_.place_of(sph),
                          "the header of " + what + " has " + (wide ? "80" : "128") + " bytes, those of " +
                              architecture_name(result_.draw.arch) + " programs have " + (wide ? "128" : "80"));
        // A geometry stage that passes its input on needs no program (HARDWARE.md E.4).
        const auto optional = known.stage == stage::geometry && stage.header.geometry_passthrough;
        if (optional && json_document::find(value, "code") == nullptr) return;
        const auto file = path_of(document_.member(value, "code", what), "code", "a program (.bin or .sass)");
        stage.program = load_program(file, result_.draw.arch);
        check_runnable(file, stage.program);
        for (const auto& each : stage.program.warnings) {
            // In a binary the place is the byte, as for errors.
            const source_place place = each.line != 0 ? source_place{file, each.line, each.column}
                                                      : source_place{file, 1, each.address + std::size_t{1}};
            warn_of_stage("misaligned_register", known.stage, place, each.text);
            result_.warnings.back().pc = each.address;
        }
    }

    template <typename Table>
    const auto& one_of(const Table& table, const json::value& value, const std::string& what) const
    {
        const auto name = document_.text(value, what);
        const auto* known = find_name(table, name);
        if (known == nullptr)
            document_.fail(value, "unknown " + what + " '" + name + "', expected " + name_list(names_of(table)));
        return *known;
    }

    void read_draw(const json::value& value)
    {
        document_.only_keys(value, "draw",
                            {"topology", "vertex_count", "first_vertex", "instance_count", "indices", "restart_index",
                             "patch_vertices", "tessellation", "gs_mode", "group_count", "task", "mesh"});
        auto& draw = result_.draw;
        const auto& topology = document_.member(value, "topology", "draw");
        const auto name = document_.text(topology, "topology");
        const auto* known = find_name(topology_names, name);
        if (known == nullptr) {
            document_.fail(topology, "unknown topology '" + name + "', expected " +
                                         name_list(nearest_names(name, names_of(topology_names))));
        }
        draw.topology = known->topology;
        const auto has_mesh = draw.stages.count(stage::mesh) != 0;
        if ((draw.topology == topology::mesh) != has_mesh) {
            document_.fail(topology, "topology is '" + name + "' " + (has_mesh ? "with" : "without") +
                                         " stage 'mesh', expected " +
                                         (has_mesh ? "topology mesh with it" : "both or none"));
        }
        if (has_mesh) {
            read_mesh_draw(document_, value, draw);
            if (draw.vertex_count == 0) warn("nothing_drawn", document_.place_of(value), "the draw has no workgroups");
            return;
        }
        for (const auto* key : {"group_count", "task", "mesh"}) {
            if (json_document::find(value, key) != nullptr) {
                document_.fail_key(value, key,
                                   "'" + std::string(key) + "' without topology mesh, expected a draw without it");
            }
        }
        if (draw.topology != topology::patches)
            warn_unused(value, "patch_vertices", "the topology is " + name + ", not patches");
        if (const auto* patch = json_document::find(value, "patch_vertices")) {
            draw.patch_vertices = static_cast<unsigned>(document_.integer(*patch, "patch_vertices", 1, 32));
        }
        const auto has_tess = draw.stages.count(stage::tess) != 0;
        if ((draw.topology == topology::patches) != has_tess) {
            document_.fail(topology, has_tess ? "topology is '" + name + "', expected patches with stage 'tess'"
                                              : "topology is patches, expected stage 'tess' with it");
        }
        if (const auto* tessellation = json_document::find(value, "tessellation"); tessellation != nullptr) {
            if (!has_tess) {
                document_.fail_key(value, "tessellation", "'tessellation' without stage 'tess', expected both or none");
            }
            read_tessellation(*tessellation);
        } else if (has_tess) {
            document_.fail(value, "draw has no 'tessellation', expected one with stage 'tess'");
        }
        if (const auto* mode = json_document::find(value, "gs_mode")) {
            draw.gs_mode = one_of(mode_names, *mode, "gs_mode").mode;
            if (draw.gs_mode == geometry_mode::fast && draw.stages.count(stage::geometry) == 0) {
                document_.fail(*mode, "gs_mode is fast without stage 'geometry', expected both or none");
            }
        }
        if (const auto* first = json_document::find(value, "first_vertex")) {
            draw.first_vertex = document_.integer(*first, "first_vertex", 0, 0xffffffffU);
        }
        if (const auto* instances = json_document::find(value, "instance_count")) {
            draw.instance_count =
                static_cast<std::uint32_t>(document_.integer(*instances, "instance_count", 0, max_draw_vertices));
        }
        if (const auto* restart = json_document::find(value, "restart_index"); restart && !restart->is_null()) {
            draw.restart_index =
                static_cast<std::uint32_t>(document_.integer(*restart, "restart_index", 0, 0xffffffffU));
        }
        const auto* indices = json_document::find(value, "indices");
        draw.indexed = indices != nullptr && !indices->is_null();
        if (!draw.indexed) warn_unused(value, "restart_index", "the draw has no indices");
        if (draw.indexed) {
            for (const auto& index : document_.array(*indices, "indices")) {
                draw.indices.push_back(
                    static_cast<std::uint32_t>(document_.integer(index, "an index", 0, 0xffffffffU)));
            }
        }
        const auto* count = json_document::find(value, "vertex_count");
        if (count != nullptr) {
            draw.vertex_count = document_.integer(*count, "vertex_count", 0, max_draw_vertices);
        } else if (draw.indexed) {
            draw.vertex_count = draw.indices.size() - std::min<std::uint64_t>(draw.first_vertex, draw.indices.size());
        } else {
            document_.fail(value, "draw has no 'vertex_count', expected one (or 'indices')");
        }
        if (draw.vertex_count * std::max(1U, draw.instance_count) > max_draw_vertices) {
            document_.fail_key(value, "instance_count",
                               "vertex_count * instance_count is " +
                                   std::to_string(draw.vertex_count * draw.instance_count) + ", expected at most " +
                                   std::to_string(max_draw_vertices));
        }
        if (draw.vertex_count == 0 || draw.instance_count == 0)
            warn("nothing_drawn", document_.place_of(value),
                 draw.vertex_count == 0 ? "the draw has no vertices" : "the draw has no instances");
        if (draw.indexed && draw.first_vertex + draw.vertex_count > draw.indices.size()) {
            document_.fail(*indices, "the draw takes indices " + std::to_string(draw.first_vertex) + " to " +
                                         std::to_string(draw.first_vertex + draw.vertex_count) + " but there are " +
                                         std::to_string(draw.indices.size()) + ", expected that many");
        }
    }

    template <std::size_t Count>
    void read_levels(const json::value* value, const std::string& what, std::array<float, Count>& levels) const
    {
        if (value == nullptr) return;
        const auto& list = document_.array(*value, what);
        if (list.size() != Count) {
            document_.fail(*value,
                           what + " has " + std::to_string(list.size()) + " levels, expected " + std::to_string(Count));
        }
        for (std::size_t i = 0; i < Count; ++i)
            levels[i] = static_cast<float>(document_.real(list[i], "a tessellation level", -1e30, 1e30));
    }

    void read_tessellation(const json::value& value)
    {
        const std::string what = "tessellation";
        document_.only_keys(value, what, {"domain", "spacing", "output", "default_outer", "default_inner"});
        auto& state = result_.draw.tessellation;
        state.domain = one_of(domain_names, document_.member(value, "domain", what), "domain").domain;
        state.spacing = one_of(spacing_names, document_.member(value, "spacing", what), "spacing").spacing;
        const auto& output = document_.member(value, "output", what);
        state.output = one_of(output_names, output, "output").output;
        const auto isolines = state.domain == tess_domain::isolines;
        if (state.output != tess_output::points && (state.output == tess_output::lines) != isolines) {
            document_.fail(output, isolines ? "output of the domain isolines is triangles, expected lines or points"
                                            : "output is lines outside the domain isolines, expected triangles_cw, "
                                              "triangles_ccw or points");
        }
        read_levels(json_document::find(value, "default_outer"), "default_outer", state.defaults.outer);
        read_levels(json_document::find(value, "default_inner"), "default_inner", state.defaults.inner);
    }

    /// Elements that an attribute must hold so that the draw never runs past its end.
    std::uint64_t elements_needed(bool per_instance) const
    {
        const auto& draw = result_.draw;
        if (per_instance) return draw.instance_count;
        if (!draw.indexed) return draw.vertex_count == 0 ? 0 : draw.first_vertex + draw.vertex_count;
        std::uint64_t needed = 0;
        for (std::uint64_t i = draw.first_vertex; i < draw.first_vertex + draw.vertex_count; ++i) {
            if (draw.restart_index && draw.indices[i] == *draw.restart_index) continue;
            needed = std::max<std::uint64_t>(needed, std::uint64_t{draw.indices[i]} + 1);
        }
        return needed;
    }

    void read_attributes(const json::value& attributes)
    {
        const std::uint64_t needed[2] = {elements_needed(false), elements_needed(true)};
        attribute_set taken;
        for (const auto& entry : document_.object(attributes, "attributes")) {
            const std::string key(entry.key().data(), entry.key().size());
            word address = 0;
            if (!parse_hex_word(key, address) || address % 4 != 0 || address >= mapped_attribute_ids * 4) {
                document_.fail_key(attributes, key,
                                   "'" + key +
                                       "' is no attribute, expected 0x and a hexadecimal "
                                       "multiple of 4 below 0x3c0");
            }
            const auto source = read_attribute(entry.value(), key, needed);
            for (unsigned c = 0; c < source.components; ++c) {
                const unsigned id = address / 4 + c;
                if (id >= mapped_attribute_ids || taken.contains(id)) {
                    document_.fail_key(attributes, key,
                                       "component " + std::to_string(c) + " of attribute " + key +
                                           (taken.contains(id) ? " is another attribute's, expected no overlap"
                                                               : " lies past 0x3bc, expected fewer components"));
                }
                taken.insert(id);
            }
            result_.draw.attributes[address] = source;
        }
    }

    attribute_source read_attribute(const json::value& value, const std::string& key, const std::uint64_t (&needed)[2])
    {
        const auto what = "attribute " + key;
        document_.only_keys(value, what, {"components", "words", "file", "repeat", "per_instance"});
        attribute_source source;
        if (const auto* components = json_document::find(value, "components")) {
            source.components = static_cast<unsigned>(document_.integer(*components, "components", 1, 4));
        }
        if (const auto* flag = json_document::find(value, "per_instance")) {
            source.per_instance = document_.boolean(*flag, "per_instance");
        }
        if (const auto* flag = json_document::find(value, "repeat")) source.repeat = document_.boolean(*flag, "repeat");
        const auto* words = json_document::find(value, "words");
        const auto* file = json_document::find(value, "file");
        if ((words == nullptr) == (file == nullptr)) {
            document_.fail(value, what + " has " + (words == nullptr ? "neither" : "both") +
                                      " 'words' and 'file', expected one of them");
        }
        source.words = words != nullptr ? document_.words(*words, what)
                                        : load_words(path_of(*file, "file", "little-endian 32-bit words"), what);
        const auto& data = words != nullptr ? *words : *file;
        const auto elements = source.words.size() / source.components;
        if (source.words.size() % source.components != 0) {
            document_.fail(data, what + " has " + std::to_string(source.words.size()) +
                                     " words, expected a multiple of " + std::to_string(source.components) +
                                     " (components)");
        }
        const auto need = needed[source.per_instance ? 1 : 0];
        if (elements < need && (!source.repeat || elements == 0)) {
            document_.fail(data, what + " has " + std::to_string(elements) + " elements but the draw needs " +
                                     std::to_string(need) + ", expected more words or \"repeat\": true");
        }
        return source;
    }

    void read_constants(const json::value* common, const json::value* per_stage)
    {
        if (common != nullptr) {
            const auto banks = read_banks(*common);
            for (auto& entry : result_.draw.stages) entry.second.constants = banks;
        }
        if (per_stage == nullptr) return;
        for (const auto& entry : document_.object(*per_stage, "stage_constants")) {
            const std::string key(entry.key().data(), entry.key().size());
            const auto* known = find_name(stage_keys, key);
            if (known == nullptr || result_.draw.stages.count(known->stage) == 0) {
                document_.fail_key(*per_stage, key,
                                   "stage_constants names stage '" + key + "', expected a stage of this draw");
            }
            result_.draw.stages[known->stage].constants = read_banks(entry.value());
        }
    }

    isa::constant_banks read_banks(const json::value& value) const
    {
        constexpr word bank_bytes = 0x10000;
        isa::constant_banks banks;
        for (const auto& entry : document_.object(value, "constants")) {
            const std::string key(entry.key().data(), entry.key().size());
            const bool numeric = !key.empty() && key.size() < 3 && (key[0] != '0' || key.size() == 1) &&
                                 key.find_first_not_of("0123456789") == std::string::npos;
            const auto number = numeric ? std::stoul(key) : banks.size();
            if (number >= banks.size()) {
                document_.fail_key(value, key,
                                   "constant bank '" + key + "' does not exist, expected 0 to " +
                                       std::to_string(banks.size() - 1));
            }
            auto& bank = banks[number];
            std::vector<bool> given;
            for (const auto& run : document_.object(entry.value(), "constant bank " + key)) {
                const std::string at(run.key().data(), run.key().size());
                word offset = 0;
                if (!parse_hex_word(at, offset) || offset % 4 != 0 || offset >= bank_bytes) {
                    document_.fail_key(entry.value(), at,
                                       "'" + at +
                                           "' is no byte offset in a constant bank, expected 0x "
                                           "and a hexadecimal multiple of 4 below 0x10000");
                }
                const auto words = document_.words(run.value(), "constant bank " + key);
                if (offset + 4 * words.size() > bank_bytes) {
                    document_.fail(run.value(), "the words run past the end of constant bank " + key +
                                                    ", expected at most 65536 bytes");
                }
                bank.resize(std::max<std::size_t>(bank.size(), offset / 4 + words.size()));
                given.resize(bank.size());
                for (std::size_t i = offset / 4; i < offset / 4 + words.size(); ++i) {
                    if (given[i])
                        document_.fail_key(entry.value(), at,
                                           "offset " + hex(4 * i) + " of constant bank " + key +
                                               " has two values, expected each word once");
                    given[i] = true;
                }
                std::copy(words.begin(), words.end(), bank.begin() + offset / 4);
            }
        }
        return banks;
    }

    std::vector<unsigned> read_addresses(const json::value& value) const
    {
        std::vector<unsigned> addresses;
        for (const auto& entry : document_.array(value, "capture")) {
            const auto text = document_.text(entry, "a captured address");
            word address = 0;
            if (!parse_hex_word(text, address) || address % 4 != 0 || address >= mapped_attribute_ids * 4) {
                document_.fail(entry, "'" + text +
                                          "' is no attribute to capture, expected 0x and a hexadecimal "
                                          "multiple of 4 below 0x3c0");
            }
            if (std::find(addresses.begin(), addresses.end(), address) != addresses.end()) {
                document_.fail(entry, "'" + text + "' is captured twice, expected each address once a stream");
            }
            addresses.push_back(address);
        }
        return addresses;
    }

    void read_capture(const json::value* value)
    {
        auto& capture = result_.draw.capture;
        if (value == nullptr || value->is_null()) {
            const auto& last = std::prev(result_.draw.stages.end())->second.header;
            const bool streams = result_.draw.stages.count(stage::geometry) != 0 && !is_fast_geometry(result_.draw);
            auto written = last.omap;
            if (last.geometry_passthrough) { // a program of its own adds to what passes through it
                if (std::prev(result_.draw.stages.end())->second.program.code.empty()) written = {};
                written = written | std::prev(result_.draw.stages.end(), 2)->second.header.omap;
            }
            for (const auto address : result_.draw.mesh.per_primitive) written.insert(address / 4);
            for (unsigned stream = 0; stream < capture.size(); ++stream) {
                if (stream > 0 && (!streams || (last.stream_out_mask >> stream & 1U) == 0)) continue;
                for (unsigned id = 0; id < mapped_attribute_ids; ++id) {
                    if (written.contains(id)) capture[stream].push_back(id * 4);
                }
            }
        } else if (value->is_array()) {
            capture[0] = read_addresses(*value);
        } else {
            document_.only_keys(*value, "capture", {"0", "1", "2", "3"});
            for (const auto& entry : value->get_object()) {
                capture[static_cast<unsigned>(entry.key()[0] - '0')] = read_addresses(entry.value());
            }
        }
    }

    void read_expectation(const json::value& root)
    {
        auto& expect = result_.expect;
        if (const auto* file = json_document::find(root, "expect")) {
            expect.file = path_of(*file, "expect", "a CSV of vertices");
        }
        if (const auto* ulp = json_document::find(root, "expect_ulp")) {
            expect.ulp = static_cast<unsigned>(document_.integer(*ulp, "expect_ulp", 0, 0x7fffff));
        }
        if (const auto* tolerance = json_document::find(root, "expect_tolerance")) {
            expect.tolerance = document_.real(*tolerance, "expect_tolerance", 0, 1e30);
        }
        if (const auto* order = json_document::find(root, "expect_order")) {
            const auto text = document_.text(*order, "expect_order");
            if (text != "set" && text != "exact") {
                document_.fail(*order, "expect_order is '" + text + "', expected 'set' or 'exact'");
            }
            expect.any_order = text == "set";
        }
        if (expect.file.empty()) {
            for (const auto* key : {"expect_ulp", "expect_tolerance", "expect_order"})
                warn_unused(root, key, "there is no 'expect' to compare the vertices with");
        } else {
            check_expectation(expect.file);
        }
    }

    const json_document& document_;
    std::filesystem::path folder_;
    scenario& result_;
};

} // namespace

scenario load_scenario(const std::string& file)
{
    const auto document = json_document::load(file, "a scenario (JSON)");
    scenario result;
    result.file = file;
    reader(document, result).read();
    return result;
}

source_place place_of_draw(const std::string& file)
{
    const auto document = json_document::load(file, "a scenario (JSON)");
    return document.place_of(document.member(document.root(), "draw", "the scenario"));
}

} // namespace isbesim::testbench
