#include "testbench/scenario/mesh_draw.h"

#include <algorithm>

#include "testbench/scenario/scenario.h"
#include "testbench/scenario/scenario_reader.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

struct mesh_output_name {
    const char* name;
    mesh_output output;
};
/// Mesh primitives are lists; the names that headers have for the same kinds are understood too.
constexpr mesh_output_name mesh_output_names[] = {{"points", mesh_output::points},
                                                  {"lines", mesh_output::lines},
                                                  {"triangles", mesh_output::triangles},
                                                  {"line_strip", mesh_output::lines},
                                                  {"triangle_strip", mesh_output::triangles}};

class mesh_draw_reader {
public:
    explicit mesh_draw_reader(const json_document& document) : document_(document) {}

    task_settings task(const json::value& value) const
    {
        document_.only_keys(value, "task", {"threads", "local_lines", "output_lines", "shared_bytes"});
        task_settings task;
        number(value, "threads", 1, most_workgroup_threads, task.threads);
        number(value, "local_lines", 1, most_workgroup_lines, task.local_lines);
        number(value, "output_lines", 1, task.local_lines, task.output_lines);
        return task;
    }

    mesh_settings mesh(const json::value& value) const
    {
        document_.only_keys(value, "mesh",
                            {"output_topology", "max_vertices", "max_primitives", "shared_lines", "shared_bytes",
                             "threads", "per_primitive"});
        mesh_settings mesh;
        mesh.output = output(document_.member(value, "output_topology", "mesh"));
        document_.member(value, "max_vertices", "mesh");
        document_.member(value, "max_primitives", "mesh");
        number(value, "max_vertices", 1, most_mesh_vertices, mesh.max_vertices);
        number(value, "max_primitives", 1, most_mesh_primitives, mesh.max_primitives);
        number(value, "shared_lines", 0, most_workgroup_lines, mesh.shared_lines);
        number(value, "threads", 1, most_workgroup_threads, mesh.threads);
        if (const auto* list = json_document::find(value, "per_primitive")) mesh.per_primitive = addresses(*list);
        return mesh;
    }

    /// Shared memory of a workgroup, which LDS reaches; the lines above are the ISBE's.
    unsigned shared_bytes(const json::value& value) const
    {
        unsigned bytes = 0;
        number(value, "shared_bytes", 0, most_shared_bytes, bytes);
        return bytes;
    }

private:
    /// A field that may be left out.
    void number(const json::value& value, const char* key, unsigned low, unsigned high, unsigned& field) const
    {
        if (const auto* found = json_document::find(value, key))
            field = static_cast<unsigned>(document_.integer(*found, key, low, high));
    }

    mesh_output output(const json::value& value) const
    {
        const auto name = document_.text(value, "output_topology");
        const auto* const found = std::find_if(std::begin(mesh_output_names), std::end(mesh_output_names),
                                               [&](const mesh_output_name& each) { return name == each.name; });
        if (found == std::end(mesh_output_names))
            document_.fail(value, "unknown output_topology '" + name + "', expected points, lines or triangles");
        return found->output;
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

    const json_document& document_;
};

} // namespace

void read_mesh_draw(const json_document& document, const json::value& value, draw_call& draw)
{
    document.only_keys(value, "a mesh draw", {"topology", "group_count", "task", "mesh"});
    draw.vertex_count =
        document.integer(document.member(value, "group_count", "a mesh draw"), "group_count", 0, max_draw_vertices);
    const mesh_draw_reader read(document);
    const auto& mesh = document.member(value, "mesh", "a mesh draw");
    draw.mesh = read.mesh(mesh);
    if (const auto found = draw.stages.find(stage::mesh); found != draw.stages.end())
        found->second.shared_bytes = read.shared_bytes(mesh);
    const auto* task = json_document::find(value, "task");
    const auto has_stage = draw.stages.count(stage::task) != 0;
    if (task != nullptr && !has_stage)
        document.fail_key(value, "task", "'task' without stage 'task', expected both or none");
    if (task == nullptr && has_stage) document.fail(value, "a mesh draw with stage 'task' has no 'task', expected one");
    if (task == nullptr) return;
    draw.task = read.task(*task);
    draw.stages.at(stage::task).shared_bytes = read.shared_bytes(*task);
}

} // namespace isbesim::testbench
