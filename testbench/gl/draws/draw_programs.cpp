// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/draw_programs.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "models/isa/encoding/binary.h"
#include "models/isa/tables/table.h"
#include "models/texture/texture_unit.h"
#include "testbench/gl/channel/three_d_methods.h"

namespace isbesim::gl {

namespace {

struct slot_row {
    program_slot slot;
    isbesim::stage stage;
};
constexpr slot_row slots[] = {{program_slot::vertex, stage::vertex},
                              {program_slot::control, stage::tess_init},
                              {program_slot::evaluation, stage::tess},
                              {program_slot::geometry, stage::geometry}};

constexpr std::uint32_t slot_step = 0x40;

/// Throws draw_refused at an instruction without an executor.
void check_runs(const isa::program& program)
{
    for (const auto& each : program.code)
        if (each.row->execute == nullptr)
            throw draw_refused(std::string("instruction ") + each.row->mnemonic + " has no executor");
}

/// The first target of an absolute jump that is after the program; 0 if no jump leaves the program.
std::uint32_t first_foreign_target(const isa::program& program)
{
    for (const auto& each : program.code) {
        const std::string_view name = each.row->mnemonic;
        if (name != "JCAL" && name != "JMP") continue;
        const auto target = static_cast<std::uint32_t>(each.at(isa::slot::extra).value);
        if (target >= program.address_of(program.code.size())) return target;
    }
    return 0;
}

/// True if no lane continues after the instruction.
bool ends_path(const isa::instruction& each)
{
    constexpr std::uint8_t any_code = 15;
    if (!each.row->leaves || each.guard != isa::predicate_true || each.guard_not || each.issue.code_test != any_code)
        return false;
    return std::all_of(each.operands.begin(), each.operands.end(), [](const isa::operand& one) {
        using source = isa::operand::source;
        if (one.kind == source::uniform_predicate) return false;
        return one.kind != source::predicate || (one.index == isa::predicate_true && !one.invert);
    });
}

/// Branch target relative to the decoded code; 0 if it does not branch.
std::uint32_t target_of(const isa::instruction& each)
{
    for (const auto& spec : each.row->operands)
        if (spec.form == isa::form::target) return each.at(spec.where).value;
    return 0;
}

template <typename Predicate>
bool any_instruction(const draw_call& draw, Predicate&& asks)
{
    for (const auto& [stage, shader] : draw.stages)
        if (std::any_of(shader.program.code.begin(), shader.program.code.end(), asks)) return true;
    return false;
}

bool reads_bindless_constant(const isa::instruction& each)
{
    return std::any_of(each.operands.begin(), each.operands.end(),
                       [](const isa::operand& one) { return one.kind == isa::operand::source::bindless; });
}

/// Words without the zeros at the end: reads past a bank's end return 0 anyway, and drivers bind 64 KiB for a few
/// words. At least one word stays, which marks the bank as bound.
std::size_t used_words(const std::uint8_t* bytes, std::size_t words)
{
    constexpr std::size_t step = 64;
    static constexpr std::uint8_t zeros[4 * step] = {};
    while (words > step && std::memcmp(bytes + 4 * (words - step), zeros, sizeof zeros) == 0) words -= step;
    while (words > 1 && std::memcmp(bytes + 4 * (words - 1), zeros, 4) == 0) --words;
    return words;
}

} // namespace

std::uint64_t program_extent(const gpu_memory& memory, std::uint64_t address, isa::architecture arch)
{
    constexpr std::uint32_t most = 1U << 22;
    const std::uint32_t step = arch == isa::architecture::sm50 ? 32 : 16;
    std::uint32_t reached = 0; // the farthest branch target
    for (std::uint32_t offset = 0; offset < most; offset += step) {
        const auto* bytes = memory.at(address + offset, step);
        if (bytes == nullptr) return 0;
        bool ended = false;
        for (const auto& each : isa::decode_program(bytes, step, arch).code) {
            // A branch after the end of all paths is not in the program.
            if (ended && reached < offset + each.address) break;
            ended = ends_path(each);
            if (const auto target = offset + target_of(each); target < most) reached = std::max(reached, target);
        }
        if (ended && reached < offset + step) return offset + step;
    }
    return 0;
}

bool program_source::enabled(const three_d_state& state, program_slot slot)
{
    return (state.at(three_d::program + slot_step * static_cast<unsigned>(slot)) & 1) != 0;
}

bool program_source::has_fragments(const three_d_state& state)
{
    return enabled(state, program_slot::fragment) && state.at(three_d::rasterizer_enable) != 0;
}

bool program_source::fragments_store(const three_d_state& state) const
{
    constexpr std::uint32_t does_global_store = 1U << 16; // SPH, common word 0
    if (!has_fragments(state)) return false;
    std::uint32_t first = 0;
    if (const auto* bytes = memory_.at(address_of(state, program_slot::fragment), sizeof first))
        std::memcpy(&first, bytes, sizeof first);
    return (first & does_global_store) != 0;
}

std::uint64_t program_source::address_of(const three_d_state& state, program_slot slot) const
{
    const auto registers = three_d::program + slot_step * static_cast<unsigned>(slot);
    if (chip_.absolute_programs) return state.address_at(registers + 0x14);
    return state.address_at(three_d::code_address) + state.at(registers + 4);
}

void program_source::add_library(std::uint64_t base, uploaded_program& program) const
{
    // Targets of absolute jumps are relative to the start of all programs.
    const auto target = chip_.absolute_programs ? 0 : first_foreign_target(program.program);
    if (target == 0) return;
    const auto start = journal_.start_around(base + target);
    const auto length = start != 0 ? journal_.length_at(start) : 0;
    const auto* bytes = memory_.at(start, length);
    if (length == 0 || bytes == nullptr) throw draw_refused("a program calls routines that were not uploaded");
    program.library_bytes.assign(reinterpret_cast<const char*>(bytes), length);
    program.library_address = static_cast<std::uint32_t>(start - base);
    isa::attach_library(program.program, isa::decode_program(bytes, length, chip_.arch), program.library_address);
}

program_header program_source::header_of(const three_d_state& state, program_slot slot) const
{
    const auto* bytes = memory_.at(address_of(state, slot), chip_.header_bytes);
    if (bytes == nullptr) throw draw_refused("a program header that is in no memory");
    try {
        return decode_header(bytes, chip_.header_bytes);
    } catch (const header_error& error) {
        throw draw_refused(std::string("program header: ") + error.what());
    }
}

uploaded_program program_source::decode(const std::string& content, unsigned header_bytes, std::uint64_t base) const
{
    uploaded_program result;
    result.header_bytes = content.substr(0, header_bytes);
    result.code_bytes = content.substr(header_bytes);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(content.data());
    if (header_bytes != 0) result.header = decode_header(bytes, header_bytes);
    result.program = isa::decode_program(bytes + header_bytes, result.code_bytes.size(), chip_.arch);
    add_library(base, result);
    return result;
}

/// Vulkan's driver writes programs into memory without the channel.
std::uint64_t program_source::length_at(std::uint64_t code_address)
{
    const auto uploaded = journal_.length_at(code_address);
    if (uploaded != 0 || !memory_.for_mapping()) return uploaded;
    auto& last = found_[code_address];
    const auto* bytes = memory_.at(code_address, last.size());
    if (!last.empty() && bytes != nullptr && std::memcmp(bytes, last.data(), last.size()) == 0) return last.size();
    const auto length = program_extent(memory_, code_address, chip_.arch);
    last.clear();
    if (length != 0) last.assign(reinterpret_cast<const char*>(memory_.at(code_address, length)), length);
    return length;
}

const uploaded_program& program_source::find(const three_d_state& state, program_slot slot)
{
    return find(address_of(state, slot), chip_.header_bytes, state.address_at(three_d::code_address));
}

const uploaded_program& program_source::find(std::uint64_t address, unsigned header_bytes, std::uint64_t base)
{
    try {
        const auto length = length_at(address + header_bytes);
        const auto* bytes = memory_.at(address, header_bytes + length);
        if (length == 0 || bytes == nullptr) throw draw_refused("a program that was not uploaded");
        std::string content(reinterpret_cast<const char*>(bytes), header_bytes + length);
        if (const auto found = known_.find(content); found != known_.end()) return found->second;
        auto program = decode(content, header_bytes, base);
        check_runs(program.program);
        return known_.emplace(std::move(content), std::move(program)).first->second;
    } catch (const header_error& error) {
        throw draw_refused(std::string("program header: ") + error.what());
    } catch (const isa::program_error& error) {
        throw draw_refused(std::string("program: ") + error.what());
    } catch (const std::invalid_argument& error) {
        throw draw_refused(std::string("the driver's routines: ") + error.what());
    }
}

std::shared_ptr<texture::texture_unit> textures_of(const three_d_state& state, std::shared_ptr<memory_contents> memory,
                                                   isa::architecture arch)
{
    texture::tables where;
    where.headers = state.address_at(three_d::texture_headers);
    where.header_count = std::size_t{state.at(three_d::texture_headers + 8)} + 1;
    where.samplers = state.address_at(three_d::texture_samplers);
    where.sampler_count = std::size_t{state.at(three_d::texture_samplers + 8)} + 1;
    where.handle_bank = state.at(three_d::texture_handle_bank) & 0x1f;
    where.second_version = arch >= isa::architecture::sm120;
    return std::make_shared<texture::texture_unit>(std::move(memory), where);
}

isa::address_windows windows_at(std::uint64_t local, std::uint64_t shared)
{
    isa::address_windows result;
    if (local != 0) result.local = local;
    if (shared != 0) result.shared = shared;
    return result;
}

void read_constants(const gpu_memory& memory, const constant_binding& bound, std::vector<word>& words)
{
    if (!bound.valid) return;
    const auto count = std::min<std::uint32_t>(bound.bytes, 0x10000) / 4;
    const auto* bytes = memory.at(bound.address, std::uint64_t{count} * 4);
    if (bytes == nullptr) return;
    words.resize(used_words(bytes, count));
    std::memcpy(words.data(), bytes, words.size() * 4);
}

void add_memory(const three_d_state& state, gpu_memory& memory, draw_call& draw)
{
    const bool samples = any_instruction(
        draw, [](const isa::instruction& each) { return each.issue.latency == isa::latency_class::texture; });
    const bool accesses = any_instruction(draw, [](const isa::instruction& each) {
        return each.issue.latency == isa::latency_class::global || reads_bindless_constant(each);
    });
    if (!samples && !accesses) return;
    const bool stores = std::any_of(draw.stages.begin(), draw.stages.end(),
                                    [](const auto& each) { return each.second.header.does_global_store; });
    if (samples || stores) memory.carry_out_fills();
    draw.memory = {std::shared_ptr<void>(), &memory};
    const auto windows = windows_at(state.at(three_d::local_window));
    std::shared_ptr<texture::texture_unit> textures;
    if (samples) textures = textures_of(state, draw.memory, draw.arch);
    for (auto& [stage, shader] : draw.stages) {
        shader.windows = windows;
        shader.textures = textures;
    }
}

void program_source::add_constants(const three_d_state& state, unsigned index, isa::constant_banks& banks) const
{
    for (unsigned bank = 0; bank < three_d_state::constant_banks; ++bank)
        read_constants(memory_, state.constants[index][bank], banks[bank]);
    for (unsigned table = 0; state.has_root_tables && table < three_d_state::root_tables; ++table)
        banks[three_d_state::first_root_bank + table].assign(state.root[table].begin(), state.root[table].end());
}

void program_source::add(const three_d_state& state, draw_call& draw)
{
    used_.clear();
    if (enabled(state, program_slot::vertex_a)) throw draw_refused("a program in stage VSa");
    if (!enabled(state, program_slot::vertex)) throw draw_refused("no vertex program");
    for (const auto& row : slots) {
        if (!enabled(state, row.slot)) continue;
        // A control program without an evaluation program does nothing.
        if (row.slot == program_slot::control && !enabled(state, program_slot::evaluation)) continue;
        add_program(state, row.slot, row.stage, static_cast<unsigned>(row.slot) - 1, draw);
    }
    add_memory(state, memory_, draw);
}

void program_source::add_program(const three_d_state& state, program_slot slot, stage which, unsigned constants,
                                 draw_call& draw)
{
    const auto& found = find(state, slot);
    used_[which] = &found;
    auto& program = draw.stages[which];
    program.program = found.program;
    program.header = found.header;
    add_constants(state, constants, program.constants);
}

/// A lone mesh program is in the vertex slot; with a task program, the task is there and the mesh program in the
/// evaluation slot. A geometry header without code names the attributes of primitives.
void program_source::add_mesh(const three_d_state& state, draw_call& draw)
{
    const auto value = [&](const mesh_field& field) { return field.extract(state.at(field.method)); };
    const auto group = [&](program_slot slot) {
        return std::min(state.at(three_d::program_group + 0x40 * static_cast<unsigned>(slot)) & 7,
                        three_d_state::stages - 1);
    };
    const auto add = [&](program_slot slot, stage which) { add_program(state, slot, which, group(slot), draw); };
    used_.clear();
    if (!enabled(state, program_slot::vertex)) throw draw_refused("no mesh program");
    const bool task = enabled(state, program_slot::evaluation);
    add(program_slot::vertex, task ? stage::task : stage::mesh);
    if (task) add(program_slot::evaluation, stage::mesh);
    if (task)
        draw.task = {value(mesh_fields::task_threads), value(mesh_fields::task_local_lines),
                     value(mesh_fields::task_output_lines)};
    const auto output = mesh_output_of(value(mesh_fields::output));
    if (!output) throw draw_refused("mesh topology " + std::to_string(value(mesh_fields::output)));
    auto& mesh = draw.mesh;
    mesh.output = *output;
    mesh.max_vertices = value(mesh_fields::max_vertices);
    mesh.max_primitives = value(mesh_fields::max_primitives);
    mesh.shared_lines = value(mesh_fields::shared_lines);
    mesh.threads = value(mesh_fields::threads);
    if (enabled(state, program_slot::geometry)) {
        const auto header = header_of(state, program_slot::geometry);
        if (!header.geometry_passthrough) throw draw_refused("a geometry program behind a mesh program");
        for (unsigned id = 0; id < mapped_attribute_ids; ++id)
            if (header.omap.contains(id)) mesh.per_primitive.push_back(4 * id);
    }
    draw.topology = topology::mesh;
    draw.instance_count = 1;
    add_memory(state, memory_, draw);
}

} // namespace isbesim::gl
