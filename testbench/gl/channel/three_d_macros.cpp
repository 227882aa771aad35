// SPDX-License-Identifier: Apache-2.0
// What the driver's macros do, in the terms of the registers that they write.
#include <cstdio>
#include <cstring>

#include "testbench/gl/channel/three_d_engine.h"
#include "testbench/gl/channel/three_d_methods.h"

namespace isbesim::gl {

namespace {

/// Where the driver's own constant buffer holds base vertex, base instance and draw number.
constexpr std::uint32_t draw_parameters = 0x1a0;

std::uint64_t wide(std::uint32_t low, std::uint32_t high)
{
    return (std::uint64_t{high} << 32) | low;
}

} // namespace

void three_d_engine::macro(std::uint32_t number, const std::vector<std::uint32_t>& words)
{
    const auto kind = macros_.kind(number);
    // Only what draws itself looks at nothing that waits.
    finish();
    switch (kind) {
    case macro_kind::per_instance_bits:
        if (words.size() < 2) break;
        for (std::uint32_t i = 0; i < words[0] && i < 32; ++i)
            write(three_d::per_instance + 4 * i, (words[1] >> i) & 1);
        return;
    case macro_kind::vertex_array_select:
        if (words.size() < 5) break;
        {
            const auto array = words[0] & 0xf;
            write(parts_.chip.limit_base + 8 * array, words[1]);
            write(parts_.chip.limit_base + 8 * array + 4, words[2]);
            write(three_d::vertex_array + 0x10 * array + 4, words[3]);
            write(three_d::vertex_array + 0x10 * array + 8, words[4]);
        }
        return;
    case macro_kind::geometry_select:
        write(three_d::geometry_select, words[0]);
        return;
    case macro_kind::evaluation_select:
        write(three_d::control_select, words[0]);
        return;
    case macro_kind::draw_arrays:
    case macro_kind::draw_arrays_count:
        indirect(words, false, kind == macro_kind::draw_arrays_count);
        return;
    case macro_kind::draw_elements:
    case macro_kind::draw_elements_count:
        indirect(words, true, kind == macro_kind::draw_elements_count);
        return;
    case macro_kind::query_to_buffer:
        if (words.size() < 9) break;
        query_to_buffer(words);
        return;
    case macro_kind::state_only:
    case macro_kind::compute_counter:
        return;
    case macro_kind::launch_indirect:
        ++parts_.counts.skipped["compute launches"];
        return;
    case macro_kind::compute_counter_report: // value, then the report's address; nothing is launched here
        if (words.size() < 4) break;
        if (auto* target = parts_.memory.at(wide(words[3], words[2]), 16)) std::memcpy(target, words.data(), 8);
        return;
    case macro_kind::unknown:
        break;
    }
    char text[80];
    std::snprintf(text, sizeof text, "macro %u of %u words, code %016llx", number, macros_.length(number),
                  static_cast<unsigned long long>(macros_.fingerprint(number)));
    ++parts_.counts.unknown[text];
}

void three_d_engine::indirect(const std::vector<std::uint32_t>& words, bool elements, bool counted)
{
    const std::size_t head = counted ? 4 : 3; // primitive, first draw number, draws, their number in memory
    const std::size_t size = elements ? 5 : 4;
    if (words.size() < head) return;
    const auto first_draw = words[1];
    auto draws = words[2];
    if (counted) {
        // Of the number in memory those are left that a packet before this one did not draw.
        const auto total = words[3];
        const auto left = total > first_draw ? total - first_draw : 0;
        if (left < draws) draws = left;
    }
    const auto element_base = state_.at(three_d::element_base);
    const auto instance_base = state_.at(three_d::instance_base);
    for (std::uint32_t i = 0; i < draws && head + (i + 1) * size <= words.size(); ++i) {
        const auto* command = words.data() + head + i * size;
        const auto count = command[0];
        const auto instances = command[1];
        const auto base = elements ? command[3] : 0;
        const auto first_instance = command[elements ? 4 : 3];
        if (instances == 0) continue;
        finish();
        state_.at(three_d::constants_position) = draw_parameters;
        constant_word(base);
        constant_word(first_instance);
        constant_word(first_draw + i);
        if (elements) {
            state_.at(three_d::element_base) = base;
            state_.at(three_d::vertex_id_base) = base;
        }
        state_.at(three_d::instance_base) = first_instance;
        drawn_vertices drawn;
        drawn.primitive = words[0] & 0xffff;
        drawn.instances = instances;
        drawn.runs.push_back(
            {elements ? vertex_run::source::index_buffer : vertex_run::source::arrays, command[2], count, {}});
        if (count != 0) emit(drawn);
    }
    state_.at(three_d::instance_base) = instance_base;
    if (elements) {
        state_.at(three_d::element_base) = element_base;
        state_.at(three_d::vertex_id_base) = element_base;
    }
}

void three_d_engine::query_to_buffer(const std::vector<std::uint32_t>& words)
{
    const auto clamp = words[0];
    const auto value = wide(words[1], words[2]) - wide(words[3], words[4]);
    if (words[6] < words[5]) return; // the report is not there yet
    const auto address = wide(words[8], words[7]);
    auto* target = parts_.memory.at(address, clamp != 0 ? 4 : 8);
    if (target == nullptr) {
        ++parts_.counts.refused["report to an address outside the GPU's memory"];
        return;
    }
    if (clamp == 0) {
        std::memcpy(target, &value, 8);
        return;
    }
    const auto clamped = value > clamp ? clamp : static_cast<std::uint32_t>(value);
    std::memcpy(target, &clamped, 4);
}

} // namespace isbesim::gl
