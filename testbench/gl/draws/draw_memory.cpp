// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/draw_memory.h"

#include <algorithm>

#include "testbench/gl/channel/three_d_methods.h"

namespace isbesim::gl {

namespace {

template <typename Predicate>
bool any_instruction(const draw_call& draw, Predicate&& asks)
{
    for (const auto& [stage, made] : draw.stages)
        if (std::any_of(made.program.code.begin(), made.program.code.end(), asks)) return true;
    return false;
}

bool reads_bindless_constant(const isa::instruction& each)
{
    return std::any_of(each.operands.begin(), each.operands.end(),
                       [](const isa::operand& one) { return one.kind == isa::operand::source::bindless; });
}

} // namespace

void add_memory(const three_d_state& state, gpu_memory& memory, draw_call& draw)
{
    const bool samples = any_instruction(
        draw, [](const isa::instruction& each) { return each.issue.latency == isa::latency_class::texture; });
    const bool accesses = any_instruction(draw, [](const isa::instruction& each) {
        return each.issue.latency == isa::latency_class::global || reads_bindless_constant(each);
    });
    if (!samples && !accesses) return;
    draw.memory = {std::shared_ptr<void>(), &memory};
    isa::address_windows windows;
    if (const auto base = state.at(three_d::local_window); base != 0) windows.local = base;
    std::shared_ptr<texture::texture_unit> textures;
    if (samples) {
        texture::tables where;
        where.headers = state.address_at(three_d::texture_headers);
        where.header_count = std::size_t{state.at(three_d::texture_headers + 8)} + 1;
        where.samplers = state.address_at(three_d::texture_samplers);
        where.sampler_count = std::size_t{state.at(three_d::texture_samplers + 8)} + 1;
        where.handle_bank = state.at(three_d::texture_handle_bank) & 0x1f;
        textures = std::make_shared<texture::texture_unit>(draw.memory, where);
    }
    for (auto& [stage, made] : draw.stages) {
        made.windows = windows;
        made.textures = textures;
    }
}

} // namespace isbesim::gl
