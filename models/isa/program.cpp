// SPDX-License-Identifier: Apache-2.0
#include "models/isa/program.h"

#include <algorithm>
#include <stdexcept>

#include "models/isa/opcode_row.h"

namespace isbesim::isa {

namespace {

// SM50: bundles of 32 bytes, the control word first, then three instructions of 8 bytes.
constexpr std::uint32_t bundle_bytes = 32;
constexpr std::uint32_t bundle_instructions = 3;

/// Index of the instruction at an address from the start of its code, which may be past the end.
std::size_t index_in_code(architecture arch, std::uint32_t address)
{
    if (arch != architecture::sm50) return address % 16 != 0 ? program::npos : address / 16;
    if (address % 8 != 0) return program::npos;
    // A branch to a bundle means its first instruction: the control word is fetched on the way.
    const std::uint32_t within = address % bundle_bytes == 0 ? 0 : address % bundle_bytes / 8 - 1;
    return std::size_t{address / bundle_bytes} * bundle_instructions + within;
}

std::uint32_t address_in_code(architecture arch, std::size_t index)
{
    const auto i = static_cast<std::uint32_t>(index);
    if (arch != architecture::sm50) return i * 16;
    return i / bundle_instructions * bundle_bytes + 8 + i % bundle_instructions * 8;
}

} // namespace

std::size_t program::index_of(std::uint32_t address) const
{
    const bool in_library = library_index != npos && address >= library_address;
    const std::size_t first = in_library ? library_index : 0;
    const std::size_t end = in_library ? code.size() : std::min(code.size(), library_index);
    const std::size_t index = index_in_code(arch, in_library ? address - library_address : address);
    return index < end - first ? first + index : npos;
}

std::uint32_t program::address_of(std::size_t index) const
{
    if (index <= library_index) return address_in_code(arch, index);
    return library_address + address_in_code(arch, index - library_index);
}

void attach_library(program& code, const program& library, std::uint32_t address)
{
    if (code.library_index != program::npos) throw std::invalid_argument("the program has a library already");
    if (code.arch != library.arch) throw std::invalid_argument("the library is for another architecture");
    if (address % bundle_bytes != 0 || address < code.address_of(code.code.size()))
        throw std::invalid_argument("the library must start at a multiple of 32 beyond the program's end");
    code.library_index = code.code.size();
    code.library_address = address;
    code.register_count = std::max(code.register_count, library.register_count);
    for (instruction each : library.code) {
        each.address += address;
        for (const auto& spec : each.row->operands)
            if (spec.form == form::target) each.operands[static_cast<std::size_t>(spec.where)].value += address;
        code.code.push_back(each);
    }
}

} // namespace isbesim::isa
