// SPDX-License-Identifier: Apache-2.0
// Surfaces: texels of images and their bytes, lane by lane in the order of their numbers.
#include <algorithm>

#include "models/isa/execution/texture_access.h"
#include "models/isa/operand_registers.h"
#include "models/isa/texture_form.h"

namespace isbesim::isa::run {

namespace {

using texture::surface_request;
using texture::texel;

enum outside : unsigned { ignore = 0, to_nearest = 1, traps = 2 }; // .IGN, nothing, .TRAP

/// Common to all surface instructions: the position, and the behaviour beyond the image.
class surface_access {
public:
    explicit surface_access(machine& m) : m_(m), unit_(textures_of(m)), target_(modifier(m, mod::c_mode))
    {
        const operand& address = m.now.at(slot::address);
        for (unsigned k = 0; k < surface_coordinates(target_); ++k)
            coordinates_[k] = register_words(m, register_of(address, k));
        const operand& handle = m.now.at(slot::b);
        handle_ = handle.kind == operand::source::reg ? register_words(m, handle.index) : bound_handle(m);
    }

    texture::texture_unit& unit() { return unit_; }

    /// False, with a trap set, if the instruction ends.
    bool request(unsigned lane, surface_request& result)
    {
        result.handle = {handle_[lane]};
        result.shape = surface_shape(target_);
        result.byte_x = has(m_, mod::boolean_float);
        std::array<std::int32_t, 3> xyz{};
        for (unsigned k = 0; k < surface_coordinates(target_); ++k)
            xyz[k] = static_cast<std::int32_t>(coordinates_[k][lane]);
        if (modifier(m_, mod::clamp) != ignore && !inside(result.handle, xyz)) return false;
        const unsigned coordinates = texture::coordinates_of(result.shape);
        for (unsigned c = 0; c < coordinates; ++c) result.coordinates[c] = xyz[c];
        if (texture::is_array(result.shape)) result.layer = static_cast<word>(xyz[coordinates]);
        return true;
    }

private:
    /// Traps with .TRAP; without a modifier takes the nearest texel, also of the nearest layer.
    bool inside(texture::handle handle, std::array<std::int32_t, 3>& xyz)
    {
        if (has(m_, mod::boolean_float)) refuse(m_, "clamps coordinates in bytes, which no open compiler emits");
        texel size{};
        if (!answered(m_, unit_.query_header(handle, texture::query::dimension, 0, size))) return false;
        for (unsigned k = 0; k < surface_coordinates(target_); ++k) {
            const std::int64_t last = std::int64_t{size[k]} - 1;
            if (modifier(m_, mod::clamp) == traps && (xyz[k] < 0 || xyz[k] > last)) return trapped();
            xyz[k] = static_cast<std::int32_t>(std::clamp<std::int64_t>(xyz[k], 0, last));
        }
        return true;
    }

    bool trapped()
    {
        trap(m_, trap_out_of_range);
        return false;
    }

    machine& m_;
    texture::texture_unit& unit_;
    unsigned target_;
    std::array<words, 3> coordinates_{};
    words handle_{};
};

/// Calls `act(lane, request)` for every lane that takes part, up to the first trap.
template <typename Act>
bool each_lane(machine& m, surface_access& access, Act act)
{
    for (unsigned i = 0; i < warp_lanes; ++i) {
        if ((m.lanes >> i & 1U) == 0) continue;
        surface_request request;
        if (!access.request(i, request) || !answered(m, act(i, request))) return false;
    }
    return true;
}

void write_loaded(machine& m, const std::array<words, 4>& value, unsigned count)
{
    for (unsigned k = 0; k < count; ++k) write_register(m, register_of(m.now.at(slot::d), k), value[k]);
    write_predicate(m, slot::pd, 0); // never sparse
}

/// Finds each lane's bytes; null outside the image. False, with nothing changed, if the instruction traps.
bool find_all(machine& m, std::size_t bytes, per_lane<std::uint8_t*>& places)
{
    surface_access access(m);
    return each_lane(m, access, [&](unsigned i, const surface_request& request) {
        return access.unit().find_bytes(request, bytes, places[i]);
    });
}

/// Writes old values to the destination, new values to the image. Outside of it nothing changes and the result is 0.
template <typename Change>
void read_and_change(machine& m, unsigned count, Change change)
{
    per_lane<std::uint8_t*> places{};
    if (!find_all(m, 4 * count, places)) return;
    std::array<words, 4> old{};
    for (unsigned i = 0; i < warp_lanes; ++i) {
        if (places[i] == nullptr) continue;
        std::uint64_t value = load_bytes(places[i], 4 * count);
        old[0][i] = static_cast<word>(value);
        old[1][i] = static_cast<word>(value >> 32);
        change(i, value);
        store_bytes(places[i], value, 4 * count);
    }
    write_loaded(m, old, count);
}

} // namespace

void load_surface(machine& m)
{
    surface_access access(m);
    std::array<words, 4> value{};
    const unsigned mask = modifier(m, mod::mask);
    const bool whole = each_lane(m, access, [&](unsigned i, const surface_request& request) {
        texel found{};
        const auto why = access.unit().load(request, found);
        unsigned k = 0;
        for (unsigned c = 0; mask >> c != 0; ++c)
            if ((mask >> c & 1U) != 0) value[k++][i] = found[c];
        return why;
    });
    if (whole) write_loaded(m, value, static_cast<unsigned>(__builtin_popcount(mask)));
}

void store_surface(machine& m)
{
    surface_access access(m);
    std::array<words, 4> value{}; // components outside the mask have no defined value (PTX ISA, sust)
    unsigned k = 0;
    for (unsigned c = 0; c < 4; ++c)
        if ((modifier(m, mod::mask) >> c & 1U) != 0) value[c] = register_words(m, register_of(m.now.at(slot::a), k++));
    each_lane(m, access, [&](unsigned i, const surface_request& request) {
        return access.unit().store(request, {value[0][i], value[1][i], value[2][i], value[3][i]});
    });
}

void load_surface_bytes(machine& m)
{
    const unsigned size = modifier(m, mod::size), bytes = bytes_of_size(size), unit = std::min(bytes, 4U);
    per_lane<std::uint8_t*> places{};
    if (!find_all(m, bytes, places)) return;
    std::array<words, 4> value{};
    for (unsigned i = 0; i < warp_lanes; ++i)
        for (unsigned k = 0; k < bytes / unit && places[i] != nullptr; ++k)
            value[k][i] = extended(static_cast<word>(load_bytes(places[i] + std::size_t{4} * k, unit)), size);
    write_loaded(m, value, bytes / unit);
}

void store_surface_bytes(machine& m)
{
    const unsigned bytes = bytes_of_size(modifier(m, mod::size)), unit = std::min(bytes, 4U);
    per_lane<std::uint8_t*> places{};
    if (!find_all(m, bytes, places)) return;
    std::array<words, 4> value{};
    for (unsigned k = 0; k < bytes / unit; ++k) value[k] = register_words(m, register_of(m.now.at(slot::a), k));
    for (unsigned i = 0; i < warp_lanes; ++i)
        for (unsigned k = 0; k < bytes / unit && places[i] != nullptr; ++k)
            store_bytes(places[i] + std::size_t{4} * k, value[k][i], unit);
}

void atomic_surface(machine& m)
{
    const unsigned type = modifier(m, mod::to_type), count = words_of_atomic(type);
    read_and_change(m, count, [&](unsigned lane, std::uint64_t& value) {
        apply_atomic(m, type, lane_value(m, m.now.at(slot::a), 0, count, lane), value);
    });
}

void swap_surface(machine& m)
{
    // Both operands in consecutive registers: the comparand, then the new value.
    const unsigned count = words_of_atomic(modifier(m, mod::to_type));
    const operand& data = m.now.at(slot::a);
    read_and_change(m, count, [&](unsigned lane, std::uint64_t& value) {
        if (value == lane_value(m, data, 0, count, lane)) value = lane_value(m, data, count, count, lane);
    });
}

void needs_surface_reduction(machine& m)
{
    refuse(m, "has no type in its encoding that a document gives; compilers emit SUATOM");
}

} // namespace isbesim::isa::run
