// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/program_source.h"

#include <cstring>
#include <stdexcept>
#include <string_view>

#include "models/isa/encoding/binary.h"
#include "models/isa/tables/table.h"
#include "testbench/gl/channel/three_d_methods.h"
#include "testbench/gl/draws/draw_refused.h"
#include "testbench/gl/draws/program_extent.h"

namespace isbesim::gl {

namespace {

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

} // namespace

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
    uploaded_program made;
    made.header_bytes = content.substr(0, header_bytes);
    made.code_bytes = content.substr(header_bytes);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(content.data());
    if (header_bytes != 0) made.header = decode_header(bytes, header_bytes);
    made.program = isa::decode_program(bytes + header_bytes, made.code_bytes.size(), chip_.arch);
    add_library(base, made);
    return made;
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

} // namespace isbesim::gl
