// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "models/pe/front_end/draw.h"
#include "testbench/files/hex_text.h"
#include "testbench/files/json_document.h"
#include "testbench/scenario/draw_names.h"
#include "testbench/scenario/scenario_forms.h"
#include "testbench/scenario/scenario_reader.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

class method_words {
public:
    method_words(const json_document& document, const json::value& methods) : document_(document), methods_(methods)
    {
        document_.only_keys(methods, "methods", mesh_methods_form().names());
        for (const auto& run : document_.object(methods, "methods")) {
            word method = 0;
            parse_hex_word(run.key(), method);
            for (const auto value : document_.words(run.value(), "the words of a method")) {
                if (!words_.try_emplace(method, method_word{value, 0, &run.value()}).second)
                    document_.fail(run.value(), "method " + hex(method) + " has two words, expected one");
                method += 4;
            }
        }
    }

    bool has(word method) const { return words_.count(method) != 0; }

    unsigned field(const mesh_field& field, const char* name, const integer_range& range)
    {
        const auto found = words_.find(field.method);
        if (found == words_.end())
            document_.fail(methods_, "methods have no " + hex(field.method) + ", expected its word");
        auto& word_of = found->second;
        word_of.known |= field.mask();
        const auto value = field.extract(word_of.value);
        if (value < range.low || value > range.high)
            fail(field.method, word_of,
                 std::string(name) + " is " + std::to_string(value) + ", expected " + std::to_string(range.low) +
                     " to " + std::to_string(range.high));
        return value;
    }

    mesh_output topology()
    {
        const auto& bits = mesh_fields::output;
        const auto code = field(bits, "topology", integer_range{0, 15});
        if (const auto known = mesh_output_of(code)) return *known;
        fail(bits.method, words_.at(bits.method),
             "topology is " + std::to_string(code) + ", expected 0 (points), 1 (lines) or 4 (triangles)");
    }

    /// To be called after all fields. Throws input_error if a word has bits outside of them.
    void expect_no_more() const
    {
        for (const auto& [method, word_of] : words_)
            if (const auto more = word_of.value & ~word_of.known; more != 0)
                fail(method, word_of, "bits " + hex(more) + " belong to no field that is known, expected 0");
    }

private:
    struct method_word {
        word value = 0;
        word known = 0; ///< bits that belong to fields
        const json::value* place = nullptr;
    };

    [[noreturn]] void fail(word method, const method_word& word_of, const std::string& text) const
    {
        document_.fail(*word_of.place, "method " + hex(method) + ", " + hex(word_of.value) + ": " + text);
    }

    const json_document& document_;
    const json::value& methods_;
    std::map<word, method_word> words_;
};

/// A key that has a field in the methods, too.
struct method_key {
    mesh_field bits;
    const char* name;
};
constexpr method_key task_method_keys[] = {{mesh_fields::task_threads, "threads"},
                                           {mesh_fields::task_local_lines, "local_lines"},
                                           {mesh_fields::task_output_lines, "output_lines"}};
constexpr method_key mesh_method_keys[] = {{mesh_fields::max_vertices, "max_vertices"},
                                           {mesh_fields::max_primitives, "max_primitives"},
                                           {mesh_fields::shared_lines, "shared_lines"},
                                           {mesh_fields::threads, "threads"}};

/// Fills the settings of `draw`, whose stages have been read. Throws input_error.
void read_mesh_methods(const json_document& document, const json::value& methods, draw_call& draw)
{
    method_words words(document, methods);
    const auto read = [&](const draw_part_form& form, const method_key& each, double most) {
        const auto& key = form.member(each.name);
        const integer_range range{static_cast<std::uint64_t>(key.low),
                                  static_cast<std::uint64_t>(std::min(key.high, most))};
        key.set(draw, words.field(each.bits, each.name, range));
    };
    draw.mesh.output = words.topology();
    for (const auto& each : mesh_method_keys) read(mesh_form(), each, most_word);
    if (draw.stages.count(stage::task) != 0) {
        for (const auto& each : task_method_keys)
            read(task_form(), each, each.name == std::string_view("output_lines") ? draw.task.local_lines : most_word);
    } else if (const auto method = mesh_fields::task_threads.method; words.has(method)) {
        document.fail(methods, "method " + hex(method) + " without stage 'task', expected both or none");
    }
    words.expect_no_more();
}

class mesh_draw_reader {
public:
    explicit mesh_draw_reader(scenario_reader& in) : in_(in), document_(in.document) {}

    std::vector<unsigned> per_primitive(const json::value& value) const
    {
        const auto* list = json_document::find(value, "per_primitive");
        if (list == nullptr) return {};
        return list->is_object() ? mapped(*list) : addresses(*list);
    }

    /// Refuses a key that the methods already give.
    void without(const json::value& value, const char* key) const
    {
        if (json_document::find(value, key) != nullptr)
            document_.fail_key(value, key,
                               "'" + std::string(key) + "' beside 'methods', which have it, expected one of them");
    }

    mesh_output output(const json::value& value) const
    {
        const auto name = document_.text(value, "output_topology");
        const auto* const found = find_name(mesh_output_names, name);
        if (found == nullptr)
            document_.fail(value, "unknown output_topology '" + name + "', expected points, lines or triangles");
        return found->value;
    }

private:
    /// The attributes in the header that compilers put beside a mesh program: a geometry header without a program.
    std::vector<unsigned> mapped(const json::value& value) const
    {
        document_.only_keys(value, "per_primitive", per_primitive_form().names());
        const auto& sph = document_.member(value, "sph", "per_primitive");
        const auto header =
            read_stage_header(in_, sph, stage::geometry, shader_type::geometry, "the attributes per primitive");
        if (!header.geometry_passthrough)
            document_.fail(sph, "the header of per_primitive does not pass its input on, expected a geometry header "
                                "with bit 24");
        std::vector<unsigned> result;
        for (unsigned id = 0; id < mapped_attribute_ids; ++id)
            if (header.omap.contains(id)) result.push_back(4 * id);
        return result;
    }

    std::vector<unsigned> addresses(const json::value& value) const
    {
        std::vector<unsigned> result;
        for (const auto& entry : document_.array(value, "per_primitive")) {
            const auto text = document_.text(entry, "an address of per_primitive");
            word address = 0;
            if (!parse_mapped_attribute(text, address))
                document_.fail(entry, "'" + text +
                                          "' is no attribute of a primitive, expected 0x and a hexadecimal "
                                          "multiple of 4 below 0x3c0");
            if (std::find(result.begin(), result.end(), address) != result.end())
                document_.fail(entry, "'" + text + "' is named twice in per_primitive, expected each address once");
            result.push_back(address);
        }
        return result;
    }

    scenario_reader& in_;
    const json_document& document_;
};

} // namespace

void read_mesh_draw(scenario_reader& in, const json::value& value, draw_call& draw)
{
    const json_document& document = in.document;
    document.only_keys(value, "a mesh draw", mesh_draw_form().names());
    mesh_draw_form().read(document, value, "a mesh draw", draw);
    const mesh_draw_reader read(in);
    const auto* methods = json_document::find(value, "methods");
    if (methods != nullptr) read_mesh_methods(document, *methods, draw);
    const auto* mesh = json_document::find(value, "mesh");
    if (mesh == nullptr && methods == nullptr) mesh = &document.member(value, "mesh", "a mesh draw");
    if (mesh != nullptr) {
        document.only_keys(*mesh, "mesh", mesh_form().names());
        if (methods == nullptr) {
            draw.mesh.output = read.output(document.member(*mesh, "output_topology", "mesh"));
            for (const auto* key : {"max_vertices", "max_primitives"}) document.member(*mesh, key, "mesh");
        } else {
            read.without(*mesh, "output_topology");
            for (const auto& each : mesh_method_keys) read.without(*mesh, each.name);
        }
        mesh_form().read(document, *mesh, "mesh", draw);
        draw.mesh.per_primitive = read.per_primitive(*mesh);
    }
    const auto* task = json_document::find(value, "task");
    const auto has_stage = draw.stages.count(stage::task) != 0;
    if (task != nullptr && !has_stage)
        document.fail_key(value, "task", "'task' without stage 'task', expected both or none");
    if (task == nullptr && has_stage && methods == nullptr)
        document.fail(value, "a mesh draw with stage 'task' has no 'task', expected one");
    if (task == nullptr) return;
    document.only_keys(*task, "task", task_form().names());
    if (methods != nullptr)
        for (const auto& each : task_method_keys) read.without(*task, each.name);
    task_form().read_key(document, *task, "local_lines", draw);
    if (const auto* lines = json_document::find(*task, "output_lines"))
        document.integer(*lines, "output_lines", 1, draw.task.local_lines);
    task_form().read(document, *task, "task", draw);
}

} // namespace isbesim::testbench
