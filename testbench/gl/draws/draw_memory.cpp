// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/draw_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

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

std::shared_ptr<texture::texture_unit> textures_of(const three_d_state& state, std::shared_ptr<memory_contents> memory,
                                                   isa::architecture arch)
{
    texture::tables where;
    where.headers = state.address_at(three_d::texture_headers);
    where.header_count = std::size_t{state.at(three_d::texture_headers + 8)} + 1;
    where.samplers = state.address_at(three_d::texture_samplers);
    where.sampler_count = std::size_t{state.at(three_d::texture_samplers + 8)} + 1;
    where.handle_bank = state.at(three_d::texture_handle_bank) & 0x1f;
    where.later = arch >= isa::architecture::sm120;
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
    for (auto& [stage, made] : draw.stages) {
        made.windows = windows;
        made.textures = textures;
    }
}

} // namespace isbesim::gl
