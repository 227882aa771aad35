// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/draw_group.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "models/isa/opcode_row.h"
#include "testbench/scenario/scenario_forms.h"

namespace isbesim::gl {

namespace {

std::uint64_t elements_of(const attribute_source& source)
{
    return source.words.size() / source.components;
}

bool is_by_vertex(const attribute_source& source)
{
    return !source.per_instance && !source.repeat;
}

/// The elements of `next` follow those of `all`; other sources are equal.
bool continues(const attribute_source& all, const attribute_source& next)
{
    const auto settings = [](const attribute_source& source) {
        return std::tie(source.components, source.per_instance, source.repeat, source.stride, source.bytes);
    };
    if (settings(all) != settings(next)) return false;
    if (!is_by_vertex(all)) return all.address == next.address && all.words == next.words;
    return next.address == (all.address == 0 ? 0 : all.address + elements_of(all) * all.stride);
}

/// The constants that the program reads are equal. Drivers write others for each draw, such as its first vertex.
bool same_constants(const isa::program& program, const isa::constant_banks& one, const isa::constant_banks& other)
{
    if (one == other) return true;
    const auto same = [&](unsigned bank, std::size_t first) {
        constexpr std::size_t most = 4; // words that an instruction reads
        for (auto i = first; i < first + most; ++i)
            if ((i < one[bank].size() ? one[bank][i] : 0) != (i < other[bank].size() ? other[bank][i] : 0))
                return false;
        return true;
    };
    using kind = isa::operand::source;
    return std::all_of(program.code.begin(), program.code.end(), [&](const isa::instruction& each) {
        if (each.row->mnemonic == std::string_view("LDC")) {
            const auto& address = each.at(isa::slot::address);
            return address.index == isa::register_zero && same(address.bank, address.value / 4);
        }
        return std::all_of(each.operands.begin(), each.operands.end(), [&](const isa::operand& source) {
            return source.kind != kind::constant || same(source.bank, source.value / 4);
        });
    });
}

bool same_constants(const draw_call& one, const draw_call& other)
{
    return std::equal(one.stages.begin(), one.stages.end(), other.stages.begin(), other.stages.end(),
                      [](const auto& a, const auto& b) {
                          return a.first == b.first &&
                                 same_constants(a.second.program, a.second.constants, b.second.constants);
                      });
}

/// Keys that the draws of a group need not share.
bool differs_in_group(std::string_view key)
{
    for (const auto* each : {"first_vertex", "group_count", "instance_count", "record_bytes", "restart_index",
                             "vertex_count", "vertices_per_draw"})
        if (key == each) return true;
    return false;
}

bool same_settings(const draw_call& one, const draw_call& other)
{
    const auto others = [](const draw_call& draw) {
        return std::tie(draw.arch, draw.indexed, draw.first_provokes, draw.tessellation.defaults);
    };
    const auto& keys = testbench::draw_keys();
    return others(one) == others(other) && std::all_of(keys.begin(), keys.end(), [&](const auto& key) {
               return key.second.is_same(one, other) || differs_in_group(key.first);
           });
}

} // namespace

bool draw_group::is_full() const
{
    // A message to the machine's process holds all of them.
    constexpr std::size_t most_words = std::size_t{1} << 22;
    std::size_t words = call_.indices.size() + call_.vertex_count;
    for (const auto& [address, source] : call_.attributes) words += source.words.size();
    return words >= most_words;
}

bool draw_group::matches(const draw_call& next, const programs_by_stage& programs) const
{
    const bool ended = call_.vertex_count % each() != 0; // by a shorter draw
    if (ended || next.vertex_count == 0 || next.vertex_count > each() || is_full()) return false;
    if (call_.instance_count != 1 || next.instance_count != 1 || call_.topology == topology::mesh) return false;
    return programs == programs_ && same_settings(call_, next) && same_constants(call_, next) &&
           std::equal(call_.attributes.begin(), call_.attributes.end(), next.attributes.begin(), next.attributes.end(),
                      [](const auto& all, const auto& one) {
                          return all.first == one.first && continues(all.second, one.second);
                      });
}

/// A record reaches to the next one of its call.
bool draw_group::has_record(const indirect_record& record) const
{
    if (record_.bytes != record.bytes) return false;
    if (record.bytes == 0 || record.call != record_.call) return true;
    constexpr std::uint64_t most = 65536;
    const auto stride = record.address - record_.address;
    return stride >= record.bytes && stride <= most && (draws_ == 1 || stride == call_.record_bytes);
}

bool draw_group::add(draw_call& next, const programs_by_stage& programs, const indirect_record& record)
{
    if (draws_ == 0) {
        call_ = std::move(next);
        programs_ = programs;
    } else {
        if (call_.vertex_count == 0 || !has_record(record) || !matches(next, programs)) return false;
        if (record.bytes != 0 && record.call == record_.call)
            call_.record_bytes = static_cast<unsigned>(record.address - record_.address);
        call_.vertices_per_draw = each();
        call_.vertex_count += next.vertex_count;
        std::uint64_t elements = 0;
        for (auto& [address, source] : call_.attributes) {
            if (!is_by_vertex(source)) continue;
            elements = elements_of(source);
            const auto& more = next.attributes.at(address).words;
            source.words.insert(source.words.end(), more.begin(), more.end());
        }
        for (const auto index : next.indices)
            call_.indices.push_back(index == next.restart_index ? index : static_cast<std::uint32_t>(elements + index));
        if (next.restart_index) call_.restart_index = next.restart_index; // the same in all draws that have one
    }
    record_ = record;
    ++draws_;
    return true;
}

draw_call draw_group::one(std::uint64_t number) const
{
    auto result = call_;
    if (draws_ == 1) return result;
    result.vertices_per_draw = 0;
    result.first_vertex = number * each();
    result.vertex_count = std::min(each(), call_.vertex_count - result.first_vertex);
    return result;
}

} // namespace isbesim::gl
