// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/mesh_methods.h"

#include <map>

#include "testbench/files/hex_text.h"
#include "testbench/scenario/scenario_forms.h"
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
                if (!words_.try_emplace(method, given{value, 0, &run.value()}).second)
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
        const auto value = field.of(word_of.value);
        if (value < range.low || value > range.high)
            fail(field.method, word_of,
                 std::string(name) + " is " + std::to_string(value) + ", expected " + std::to_string(range.low) +
                     " to " + std::to_string(range.high));
        return value;
    }

    unsigned field(const mesh_field& of, const char* name, const object_form& form)
    {
        return field(of, name, form.range(name));
    }

    mesh_output topology()
    {
        const auto& of = mesh_fields::output;
        const auto code = field(of, "topology", integer_range{0, 15});
        if (const auto known = mesh_output_of(code)) return *known;
        fail(of.method, words_.at(of.method),
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
    struct given {
        word value = 0;
        word known = 0; ///< bits that belong to fields
        const json::value* place = nullptr;
    };

    [[noreturn]] void fail(word method, const given& word_of, const std::string& text) const
    {
        document_.fail(*word_of.place, "method " + hex(method) + ", " + hex(word_of.value) + ": " + text);
    }

    const json_document& document_;
    const json::value& methods_;
    std::map<word, given> words_;
};

} // namespace

const key_names& task_method_fields()
{
    static const key_names names{"threads", "local_lines", "output_lines"};
    return names;
}

const key_names& mesh_method_fields()
{
    static const key_names names{"output_topology", "max_vertices", "max_primitives", "shared_lines", "threads"};
    return names;
}

void read_mesh_methods(const json_document& document, const json::value& methods, draw_call& draw)
{
    method_words words(document, methods);
    auto& mesh = draw.mesh;
    mesh.output = words.topology();
    mesh.max_vertices = words.field(mesh_fields::max_vertices, "max_vertices", mesh_form());
    mesh.max_primitives = words.field(mesh_fields::max_primitives, "max_primitives", mesh_form());
    mesh.shared_lines = words.field(mesh_fields::shared_lines, "shared_lines", mesh_form());
    mesh.threads = words.field(mesh_fields::threads, "threads", mesh_form());
    if (draw.stages.count(stage::task) != 0) {
        auto& task = draw.task;
        task.threads = words.field(mesh_fields::task_threads, "threads", task_form());
        task.local_lines = words.field(mesh_fields::task_local_lines, "local_lines", task_form());
        task.output_lines =
            words.field(mesh_fields::task_output_lines, "output_lines", integer_range{1, task.local_lines});
    } else if (const auto method = mesh_fields::task_threads.method; words.has(method)) {
        document.fail(methods, "method " + hex(method) + " without stage 'task', expected both or none");
    }
    words.expect_no_more();
}

} // namespace isbesim::testbench
