// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/draw_identity.h"

#include <set>
#include <string_view>

#include "models/isbe/functional/names.h"
#include "models/memory/global_memory.h"
#include "models/pe/front_end/dealing.h"
#include "models/pe/linking/linking.h"
#include "models/texture/texture_unit.h"
#include "testbench/files/architecture_name.h"
#include "testbench/files/checksum.h"
#include "testbench/scenario/draw_names.h"
#include "testbench/scenario/scenario_forms.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// Distinguishes contents that differ by accident or by an edit; deliberate collisions are possible.
class digest {
public:
    void add(std::uint64_t value) { sum_.add(value); }
    void add(std::string_view bytes)
    {
        sum_.add(bytes.size());
        sum_.add_bytes(bytes.data(), bytes.size());
    }
    template <typename T>
    void add_all(const std::vector<T>& values)
    {
        add({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
    }
    std::string text() const { return hex(sum_.value(), 16); }

private:
    checksum sum_;
};

std::string digest_of(const stage_program& stage)
{
    digest sum;
    for (const auto& each : stage.program.code) {
        for (const auto part : each.word) sum.add(part);
        const auto& control = each.control;
        for (const auto part : {control.stall, control.write_barrier, control.read_barrier, control.wait_mask,
                                control.reuse, static_cast<std::uint8_t>(control.yield)})
            sum.add(part);
    }
    for (const auto& [field, value] : describe_header(stage.header)) sum.add(value);
    sum.add_all(stage.header.tail);
    sum.add(stage.shared_bytes);
    return sum.text();
}

/// Digest over all stages: banks, texture tables, windows.
std::string constants_digest(const draw_call& draw)
{
    digest sum;
    for (const auto& [stage, program] : draw.stages) {
        for (const auto& bank : program.constants) sum.add_all(bank);
        sum.add(program.windows.local);
        sum.add(program.windows.shared);
        if (program.textures == nullptr) continue;
        const auto& tables = program.textures->where();
        for (const auto part : {tables.headers, tables.samplers, std::uint64_t{tables.header_count},
                                std::uint64_t{tables.sampler_count}, std::uint64_t{tables.handle_bank}})
            sum.add(part);
    }
    return sum.text();
}

std::string inputs_digest(const draw_call& draw)
{
    digest sum;
    sum.add_all(draw.indices);
    if (draw.indexed && draw.index_bytes != draw_call::whole_index) sum.add(std::uint64_t{draw.index_bytes});
    for (const auto& [address, source] : draw.attributes) {
        sum.add(address);
        for (const unsigned part : {source.components, unsigned{source.per_instance}, unsigned{source.repeat}})
            sum.add(part);
        sum.add_all(source.words);
    }
    return sum.text();
}

std::string settings_digest(const draw_call& draw)
{
    digest sum;
    sum.add(draw.indexed);
    sum.add(draw.restart_index ? std::uint64_t{*draw.restart_index} : ~std::uint64_t{0});
    sum.add(draw.patch_vertices);
    sum.add(static_cast<std::uint64_t>(draw.gs_mode));
    if (draw.first_provokes) sum.add(std::uint64_t{1});
    const auto& cull = draw.cull;
    if (cull.front || cull.back || cull.clockwise_is_front || cull.depth_from_zero)
        for (const bool each : {cull.front, cull.back, cull.clockwise_is_front, cull.depth_from_zero}) sum.add(each);
    if (draw.vertices_per_draw != 0 || draw.record_bytes != 0) {
        sum.add(draw.vertices_per_draw);
        sum.add(std::uint64_t{draw.record_bytes});
    }
    const auto& tessellation = draw.tessellation;
    sum.add(static_cast<std::uint64_t>(tessellation.domain));
    sum.add(static_cast<std::uint64_t>(tessellation.spacing));
    sum.add(static_cast<std::uint64_t>(tessellation.output));
    const auto levels = [&](const auto& all) {
        sum.add({reinterpret_cast<const char*>(all.data()), sizeof(float) * all.size()});
    };
    levels(tessellation.defaults.outer);
    levels(tessellation.defaults.inner);
    for (const auto part :
         {draw.task.threads, draw.task.local_lines, draw.task.output_lines, static_cast<unsigned>(draw.mesh.output),
          draw.mesh.max_vertices, draw.mesh.max_primitives, draw.mesh.shared_lines, draw.mesh.threads})
        sum.add(part);
    sum.add_all(draw.mesh.per_primitive);
    // Other keys count by name, unless they have their defaults: older digests stay as they are.
    static const std::set<std::string_view> placed{"cull_face",           "depth_from_zero",      "first_vertex",
                                                   "front_face",          "group_count",          "gs_mode",
                                                   "index_bytes",         "instance_count",       "mesh.max_primitives",
                                                   "mesh.max_vertices",   "mesh.shared_bytes",    "mesh.shared_lines",
                                                   "mesh.threads",        "patch_vertices",       "record_bytes",
                                                   "restart_index",       "task.local_lines",     "task.output_lines",
                                                   "task.shared_bytes",   "task.threads",         "tessellation.domain",
                                                   "tessellation.output", "tessellation.spacing", "topology",
                                                   "vertex_count",        "vertices_per_draw"};
    static const draw_call defaults;
    for (const auto& [name, key] : draw_keys())
        if (placed.count(name) == 0 && !key.is_same(draw, defaults))
            sum.add(name + "=" + key.value_text(key.get(draw)));
    return sum.text();
}

std::string memory_digest(const draw_call& draw)
{
    digest sum;
    if (const auto* memory = dynamic_cast<const global_memory*>(draw.memory.get()))
        for (const auto& each : memory->buffers()) {
            sum.add(each.address);
            sum.add({reinterpret_cast<const char*>(each.bytes.data()), each.bytes.size()});
        }
    return sum.text();
}

std::string capture_digest(const draw_call& draw)
{
    digest sum;
    for (const auto& stream : draw.capture) sum.add_all(stream);
    return sum.text();
}

} // namespace

json::object draw_identity(const draw_call& draw)
{
    json::object programs;
    for (const auto& [stage, program] : draw.stages) programs[name_of(stage)] = digest_of(program);
    return {{"arch", architecture_name(draw.arch)}, {"topology", name_of(draw.topology)},
            {"vertices", draw.vertex_count},        {"first_vertex", draw.first_vertex},
            {"instances", draw.instance_count},     {"programs", std::move(programs)},
            {"constants", constants_digest(draw)},  {"inputs", inputs_digest(draw)},
            {"settings", settings_digest(draw)},    {"memory", memory_digest(draw)},
            {"capture", capture_digest(draw)}};
}

dealt_batches dealt_to(const draw_call& draw, const machine_config& config, unsigned tpc)
{
    digest sum;
    dealt_batches result;
    batch_dealer dealer(draw, link_pipeline(draw, config).assembly.limits, config.chip, tpc);
    for (batch each; dealer.next(each);) {
        for (const auto part : {each.instance, each.first_primitive, each.primitive_count()}) sum.add(part);
        result.primitives += each.primitive_count();
    }
    result.digest = sum.text();
    return result;
}

} // namespace isbesim::testbench
