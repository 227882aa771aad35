// SPDX-License-Identifier: Apache-2.0
#include "models/varying/lowering/program_storage.h"

#include <algorithm>
#include <set>

#include "models/varying/allocation/scratch_pool.h"
#include "tlm/rounded_up.h"

namespace isbesim::varying {

program_storage::program_storage(const lowered_stage& stage) : stage_(stage)
{
    find_homes();
    assign_handles();
    assign_registers();
}

/// Finds the arrays for local memory: TEMP arrays with a run-time index always, inputs and outputs by strategy.
void program_storage::find_homes()
{
    for (const auto& each : stage_.program.instructions)
        for (const auto& access : each.operands) {
            if (!is_indirect(access)) continue;
            if (access.file == register_file::temporary)
                add_temporary_home(access);
            else if (stage_.options.how == strategy::local && access.file != register_file::constant &&
                     may_be_local(access))
                add_home(declaration_of(access, stage_.placed));
        }
}

bool program_storage::may_be_local(const operand& access) const
{
    return !stage_.patches || (stage_.kind == processor::tess_eval && access.file == register_file::output);
}

void program_storage::add_temporary_home(const operand& access)
{
    for (const auto& each : stage_.program.declarations) {
        if (each.file != register_file::temporary || access.array == 0 || each.array != access.array) continue;
        if (home_of_array(each.file, each.array) != nullptr) return;
        local_home home{each.file, each.first, each.last, 16, 0xf, each.array, 0, 0, nullptr};
        place_home(home, 0, each.registers() * 16, 1);
        return;
    }
    throw shader_error(access.at,
                       print(access) + " has no declared array, expected DCL TEMP[…], ARRAY(n) and TEMP[…](n)");
}

void program_storage::add_home(const located_declaration& located)
{
    for (const auto& home : homes_)
        if (home.located == &located) return;
    const auto& each = *located.declared;
    local_home home{each.file, each.first, each.last, located.stride, located.mask, each.array, 0, 0, &located};
    const bool per_vertex =
        stage_.geometry && each.file == register_file::input && each.dimension != declaration::dimension_kind::none;
    // The same place in a 16-byte vector as in the attribute space: copies are equally wide on both sides.
    place_home(home, located.base % 16, each.registers() * located.stride, per_vertex ? stage_.input_vertices() : 1);
}

void program_storage::place_home(local_home& home, unsigned phase, unsigned bytes, unsigned vertices)
{
    home.offset = local_bytes_ + phase;
    home.vertex_stride = rounded_up(phase + bytes, 16U);
    constexpr unsigned most = 512 * 1024; // limit per thread
    const auto whole_size = std::uint64_t{home.vertex_stride} * vertices;
    if (local_bytes_ + whole_size > most)
        throw shader_error(stage_.program.at, "the arrays need more than " + std::to_string(most) +
                                                  " bytes of local memory per thread, expected fewer or shorter ones");
    local_bytes_ += static_cast<unsigned>(whole_size);
    homes_.push_back(home);
}

const local_home* program_storage::home_of(register_file file, unsigned number) const
{
    for (const auto& home : homes_)
        if (home.file == file && number >= home.first && number <= home.last) return &home;
    return nullptr;
}

const local_home* program_storage::home_of_array(register_file file, unsigned array) const
{
    for (const auto& home : homes_)
        if (home.file == file && home.array == array) return &home;
    return nullptr;
}

/// For the vertices that the text names, or for all vertices if inputs are copied to local memory.
void program_storage::assign_handles()
{
    if (!stage_.geometry && !stage_.patches) return;
    for (const auto& each : stage_.program.instructions)
        for (const auto& access : each.operands)
            if (access.file == register_file::input && access.vertex && !access.vertex->indirect)
                handles_.emplace(static_cast<unsigned>(access.vertex->offset), 0);
    if (stage_.geometry &&
        std::any_of(homes_.begin(), homes_.end(), [](const local_home& h) { return h.file == register_file::input; }))
        for (unsigned v = 0; v < stage_.input_vertices(); ++v) handles_.emplace(v, 0);
    first_scratch_ = first_handle;
    for (auto& [vertex, number] : handles_) number = first_scratch_++;
}

void program_storage::assign_registers()
{
    std::set<std::pair<register_file, unsigned>> used;
    const auto note = [&](register_file file, unsigned number) {
        if (file == register_file::temporary && home_of(file, number) != nullptr) return;
        if (file == register_file::temporary || file == register_file::address) used.emplace(file, number);
    };
    for (const auto& each : stage_.program.instructions)
        for (const auto& access : each.operands) {
            if (!access.word.empty()) continue;
            if (is_indirect(access))
                note(access.index.indirect->file, access.index.indirect->number);
            else
                note(access.file, static_cast<unsigned>(access.index.offset));
            if (access.vertex && access.vertex->indirect)
                note(access.vertex->indirect->file, access.vertex->indirect->number);
        }
    first_scratch_ = rounded_up(first_scratch_, 4U);
    constexpr unsigned end = 255 - scratch_pool::size;
    const unsigned most = (end - std::min(first_scratch_, end)) / 4;
    for (const auto& key : used) {
        fixed_[key] = first_scratch_;
        first_scratch_ += 4;
    }
    if (first_scratch_ > end)
        throw shader_error(stage_.program.at, "the program needs " + std::to_string(used.size()) +
                                                  " TEMP and ADDR registers, expected at most " + std::to_string(most));
}

std::optional<unsigned> program_storage::register_of(register_file file, unsigned number) const
{
    const auto found = fixed_.find({file, number});
    return found == fixed_.end() ? std::nullopt : std::optional(found->second);
}

} // namespace isbesim::varying
