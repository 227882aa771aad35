// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/program_extent.h"

#include <algorithm>

#include "models/isa/encoding/binary.h"
#include "models/isa/tables/table.h"

namespace isbesim::gl {

namespace {

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

} // namespace isbesim::gl
