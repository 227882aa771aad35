// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/three_d_engine.h"

#include <cstring>
#include <iterator>
#include <utility>

#include "testbench/gl/channel/report.h"
#include "testbench/gl/channel/three_d_methods.h"

namespace isbesim::gl {

namespace {

/// Converts a value of the topology register to BEGIN's code; 0xffff, which is not a code, if it is unknown.
std::uint32_t begin_code(std::uint32_t topology)
{
    constexpr std::uint32_t first_adjacent = 0xa, patches = 0xe, fan = 0x1015;
    static constexpr std::uint32_t simple[] = {0, 1, 3, 4, 5}; // points, lines, their strip, triangles, their strip
    if (topology >= 1 && topology <= std::size(simple)) return simple[topology - 1];
    if (topology >= first_adjacent && topology <= patches) return topology;
    return topology == fan ? 6 : 0xffff;
}

} // namespace

bool draw_collector::is_part_of_draw(std::uint32_t method)
{
    switch (method) {
    case three_d::begin:
    case three_d::end:
    case three_d::instance_count:
    case three_d::draw_control:
    case three_d::draw_instances:
    case three_d::draw_indices:
    case three_d::draw_indices + 4:
    case three_d::draw_arrays:
    case three_d::draw_arrays + 4:
    case three_d::arrays_first:
    case three_d::arrays_count:
    case three_d::index_first:
    case three_d::index_count:
    case three_d::inline_index_8:
    case three_d::inline_index_16:
    case three_d::inline_index_32:
    case three_d::stream_out_base:
    case three_d::stream_out_stride:
    case three_d::stream_out_bytes:
        return true;
    default:
        return false;
    }
}

void draw_collector::begin(std::uint32_t value, std::uint32_t instances)
{
    if ((value & three_d::next_instance) != 0)
        ++instance_;
    else if ((value & three_d::same_instance) == 0)
        instance_ = 0;
    current_ = {};
    if ((value & three_d::all_instances) != 0) current_.instances = instances;
    current_.primitive = value & 0xffff;
    current_.first_instance = instance_;
    inside_ = true;
}

void draw_collector::add(vertex_run run)
{
    if (inside_ && run.count != 0) current_.runs.push_back(std::move(run));
}

void draw_collector::add_index(std::uint32_t index)
{
    if (!inside_) return;
    auto& runs = current_.runs;
    if (runs.empty() || runs.back().from != vertex_run::source::inline_indices)
        runs.push_back({vertex_run::source::inline_indices, 0, 0, {}});
    runs.back().indices.push_back(index);
    ++runs.back().count;
}

bool draw_collector::end(drawn_vertices& finished)
{
    if (!inside_) return false;
    inside_ = false;
    if (waits_ && current_.instances == 1 && instance_ == waiting_.first_instance + waiting_.instances &&
        current_.primitive == waiting_.primitive && current_.runs == waiting_.runs) {
        ++waiting_.instances;
        return false;
    }
    const auto was_waiting = take(finished);
    waiting_ = std::move(current_);
    waits_ = !waiting_.runs.empty() && waiting_.instances != 0;
    return was_waiting;
}

bool draw_collector::take(drawn_vertices& finished)
{
    if (!waits_) return false;
    waits_ = false;
    finished = std::move(waiting_);
    return true;
}

three_d_engine::three_d_engine(const channel_parts& parts) : parts_(parts), upload_(parts)
{
    // A choice, since drivers set these first: everything is rendered, attributes without a value are 0, 0, 0, 1.
    state_.at(three_d::condition_mode) = 1;
    for (auto& value : state_.attribute_values) value[3] = 0x3f800000;
}

void three_d_engine::finish()
{
    if (drawn_vertices finished; collector_.take(finished)) emit(finished);
}

void three_d_engine::method(std::uint32_t number, std::uint32_t value)
{
    if (!draw_collector::is_part_of_draw(number) && !collector_.inside()) finish();
    if (inline_upload::has(number)) upload_.method(number, value);
    state_.at(number) = value;
    effect(number, value);
}

bool three_d_engine::effect(std::uint32_t number, std::uint32_t value)
{
    using source = vertex_run::source;
    if (number >= three_d::constants_data && number < three_d::constants_data_end) {
        constant_word(value);
        return true;
    }
    if (number >= three_d::constants_bind && number < three_d::constants_bind + 0x20 * three_d_state::stages &&
        (number - three_d::constants_bind) % 0x20 == 0) {
        bind_constants((number - three_d::constants_bind) / 0x20, value);
        return true;
    }
    if (number >= three_d::stream_out_load_offset && number < three_d::stream_out_load_offset + 0x80 &&
        (number - three_d::stream_out_load_offset) % 0x20 == 0) {
        parts_.target.set_stream_out_offset((number - three_d::stream_out_load_offset) / 0x20, value);
        return true;
    }
    switch (number) {
    case three_d::wait_for_idle:
    case three_d::invalidate_programs:
    case three_d::flush_writes:
    case three_d::invalidate_samplers:
    case three_d::invalidate_headers:
    case three_d::invalidate_textures:
        parts_.target.separate();
        break;
    case three_d::root_table_word:
        load_root_table(value);
        break;
    case three_d::begin:
        if ((value & three_d::piece) == 0)
            collector_.begin(with_topology(value), state_.at(three_d::instance_count));
        else
            ++parts_.counts.refused["draws in pieces"];
        break;
    case three_d::end:
        end_draw();
        break;
    case three_d::arrays_count:
        collector_.add({source::arrays, state_.at(three_d::arrays_first), value, {}});
        break;
    case three_d::draw_indices + 4:
        draw_at_once({source::index_buffer, state_.at(three_d::draw_indices), value, {}});
        break;
    case three_d::draw_arrays + 4:
        draw_at_once({source::arrays, state_.at(three_d::draw_arrays), value, {}});
        break;
    case three_d::index_count:
        collector_.add({source::index_buffer, state_.at(three_d::index_first), value, {}});
        break;
    case three_d::inline_index_8:
        for (unsigned i = 0; i < 4; ++i) collector_.add_index((value >> (8 * i)) & 0xff);
        break;
    case three_d::inline_index_16:
        collector_.add_index(value & 0xffff);
        collector_.add_index(value >> 16);
        break;
    case three_d::inline_index_32:
        collector_.add_index(value);
        break;
    case three_d::stream_out_bytes:
        draw_stream_out(value);
        break;
    case three_d::define_attribute + 16:
        define_attribute();
        break;
    case three_d::report:
        write_report(parts_, state_, value);
        break;
    case three_d::clear_report:
        clear_report(parts_, value);
        break;
    case three_d::common_condition_mode:
        parts_.target.condition = {state_.address_at(three_d::common_condition_address), value};
        break;
    case three_d::clear_buffers:
        clear(value);
        break;
    default:
        return false;
    }
    return true;
}

void three_d_engine::constant_word(std::uint32_t value)
{
    auto& position = state_.at(three_d::constants_position);
    if (auto* target = parts_.memory.at(state_.address_at(three_d::constants_address) + position, 4))
        std::memcpy(target, &value, 4);
    else
        ++parts_.counts.refused["constants at an address outside the GPU's memory"];
    position += 4;
}

void three_d_engine::bind_constants(unsigned stage, std::uint32_t value)
{
    const auto bank = (value >> 4) & 0x1f;
    if (bank >= three_d_state::constant_banks) return;
    state_.constants[stage][bank] = {state_.address_at(three_d::constants_address), state_.at(three_d::constants_size),
                                     (value & 1) != 0};
}

void three_d_engine::load_root_table(std::uint32_t value)
{
    auto& place = state_.at(three_d::root_table_place);
    const auto word = ((place >> 8) & 0xff) / 4;
    state_.root[place & 7][word] = value;
    state_.has_root_tables = true;
    place = (place & ~0xff00U) | (4 * ((word + 1) % three_d_state::root_table_words)) << 8;
}

std::uint32_t three_d_engine::with_topology(std::uint32_t begin) const
{
    constexpr std::uint32_t code = 0xffff;
    if ((state_.at(three_d::topology_control) & 1) == 0) return begin;
    return (begin & ~code) | begin_code(state_.at(three_d::topology));
}

void three_d_engine::draw_at_once(vertex_run run)
{
    constexpr std::uint32_t code = 0xf, next = 1U << 5, all_instances = 1U << 9, no_element_base = 1U << 10,
                            no_instance_base = 1U << 11;
    const auto how = state_.at(three_d::draw_control);
    if (how == (no_element_base | no_instance_base) && (state_.at(three_d::mesh_control) & 1) != 0) {
        finish();
        if (run.count != 0) emit({0, 0, 1, {std::move(run)}, true});
        return;
    }
    const auto begin = with_topology(how & code);
    constexpr auto alone = all_instances | no_element_base | no_instance_base;
    if ((how & ~(code | alone)) == 0 && (how & alone) != 0) {
        finish();
        const auto instances = (how & all_instances) != 0 ? state_.at(three_d::draw_instances) : 1;
        if (instances == 0 || run.count == 0) return;
        const auto kept_elements = state_.at(three_d::element_base);
        const auto kept_instances = state_.at(three_d::instance_base);
        if ((how & no_element_base) != 0) state_.at(three_d::element_base) = 0;
        if ((how & no_instance_base) != 0) state_.at(three_d::instance_base) = 0;
        emit({begin, 0, instances, {std::move(run)}});
        state_.at(three_d::element_base) = kept_elements;
        state_.at(three_d::instance_base) = kept_instances;
    } else if ((how & ~(code | next)) == 0) {
        collector_.begin((how & next) != 0 ? begin | three_d::next_instance : begin, 1);
        collector_.add(std::move(run));
        end_draw();
    } else {
        ++parts_.counts.refused["draws in pieces"];
    }
}

void three_d_engine::define_attribute()
{
    const auto which = state_.at(three_d::define_attribute) & 0xff;
    if (which >= three_d_state::attributes) return;
    for (unsigned i = 0; i < 4; ++i)
        state_.attribute_values[which][i] = state_.at(three_d::define_attribute + 4 + 4 * i);
}

void three_d_engine::draw_stream_out(std::uint32_t bytes)
{
    const auto stride = state_.at(three_d::stream_out_stride);
    const auto base = state_.at(three_d::stream_out_base);
    if (stride != 0 && bytes > base) collector_.add({vertex_run::source::arrays, 0, (bytes - base) / stride, {}});
}

void three_d_engine::end_draw()
{
    if (drawn_vertices finished; collector_.end(finished)) emit(finished);
}

void three_d_engine::emit(const drawn_vertices& vertices)
{
    if (!rendering_enabled(parts_, state_)) {
        ++parts_.counts.hidden;
        return;
    }
    ++parts_.counts.draws;
    parts_.counts.vertices += vertices.count() * vertices.instances;
    parts_.target.draw(state_, vertices);
}

} // namespace isbesim::gl
