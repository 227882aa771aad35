// SPDX-License-Identifier: Apache-2.0
#include "models/pe/tessellation/tessellator.h"

#include <algorithm>
#include <cmath>

namespace isbesim {

namespace {

constexpr fixed one_half = fixed_one / 2;

constexpr unsigned floor_of(fixed value)
{
    return value / fixed_one;
}
constexpr unsigned ceiling_of(fixed value)
{
    return (value + fixed_one - 1) / fixed_one;
}

/// 1 / n, rounded to nearest.
constexpr fixed reciprocal(unsigned n)
{
    return (fixed_one + n / 2) / n;
}

constexpr unsigned without_highest_bit(unsigned value)
{
    unsigned bit = 1;
    while (bit <= value / 2) bit *= 2;
    return value == 0 ? 0 : value - bit;
}

constexpr fixed one_third = 0x5555;
constexpr fixed two_thirds = 0xaaaa;

/// Round to nearest even; levels are between 1 and 64.
fixed to_fixed(float level)
{
    return static_cast<fixed>(std::lrint(level * static_cast<float>(fixed_one)));
}

/// False for levels that cull a patch, including NaN.
bool above_zero(const float* levels, unsigned count)
{
    return std::all_of(levels, levels + count, [](float level) { return level > 0; });
}

} // namespace

edge_division::edge_division(fixed level, bool odd) : odd_(odd)
{
    auto half = (level + 1) / 2;
    if (odd || half == one_half) half += one_half;
    const auto below = floor_of(half);
    half_ = ceiling_of(half);
    fraction_ = half - below * fixed_one;
    if (half_ != below) {
        // New points appear where a ruler has its next finer marks, from the end of the edge to the middle.
        if (!odd)
            split_ = 2 * without_highest_bit(below) + 1;
        else
            split_ = below == 1 ? 0 : 2 * without_highest_bit(below - 1) + 1;
    }
    smaller_ = reciprocal(2 * below - (odd ? 1 : 0));
    larger_ = reciprocal(2 * half_ - (odd ? 1 : 0));
}

fixed edge_division::position(unsigned point) const
{
    const auto mirrored = point >= half_;
    if (mirrored) point = 2 * half_ - point - (odd_ ? 1 : 0);
    if (point == half_) return one_half; // the sums of rounded segments may miss it
    const auto before = point > split_ ? point - 1 : point;
    const auto sum =
        std::uint64_t{before} * smaller_ * (fixed_one - fraction_) + std::uint64_t{point} * larger_ * fraction_;
    const auto place = static_cast<fixed>((sum + one_half) / fixed_one);
    return mirrored ? fixed_one - place : place;
}

unsigned split_order(unsigned place)
{
    if (place == 1) return 32; // the last one: only level 64 has 32 segments in a half
    unsigned mark = place - 1, level = 16;
    while (mark % 2 == 0) {
        mark /= 2;
        level /= 2;
    }
    return level + mark / 2;
}

float tessellator::clamp(float level, float lowest) const
{
    const float highest = state_.spacing == tess_spacing::fractional_odd ? 63 : 64;
    if (!(level > lowest)) return lowest; // NaN as well
    return std::min(level, highest);
}

edge_division tessellator::outer_edge(float level) const
{
    level = clamp(level, state_.spacing == tess_spacing::fractional_even ? 2 : 1);
    if (is_integer()) level = std::ceil(level);
    const auto odd = is_integer() ? std::fmod(level, 2.0F) != 0 : state_.spacing == tess_spacing::fractional_odd;
    return {to_fixed(level), odd};
}

// If the inside is undivided but another part of the patch is divided, its level counts as a little more than 1, so
// that there is a ring between the outer edges and the inside: 2 segments with equal spacing, 3 with fractional_odd.
bool tessellator::inner_edges(const float* levels, unsigned count, bool outer_is_one, edge_division* edges) const
{
    const auto lowest = state_.spacing == tess_spacing::fractional_even ? 2.0F : 1.0F;
    std::array<float, 2> level{};
    auto all_one = outer_is_one;
    for (unsigned i = 0; i < count; ++i) {
        level[i] = clamp(levels[i], lowest);
        if (is_integer()) level[i] = std::ceil(level[i]);
        all_one = all_one && to_fixed(level[i]) == fixed_one;
    }
    if (all_one) return false;
    for (unsigned i = 0; i < count; ++i) {
        const auto value = to_fixed(level[i]);
        if (is_integer())
            edges[i] = {value, value != fixed_one && value / fixed_one % 2 != 0};
        else if (state_.spacing == tess_spacing::fractional_odd)
            edges[i] = {std::max(value, fixed_one + 1), true};
        else
            edges[i] = {value, false};
    }
    return true;
}

std::uint16_t tessellator::add_point(fixed u, fixed v)
{
    result_->points.push_back({u, v});
    return static_cast<std::uint16_t>(result_->points.size() - 1);
}

// Callers pass the corners counterclockwise in a plane with u to the right and v up.
void tessellator::add_triangle(unsigned a, unsigned b, unsigned c)
{
    if (state_.output == tess_output::triangles_cw) std::swap(b, c);
    for (const auto corner : {a, b, c}) result_->vertices.push_back(static_cast<std::uint16_t>(corner));
}

/// Joins two rows with equal numbers of points. The diagonal of a cell starts at its inner point and ends at the outer
/// point of the next column ("towards outside") or the other way round.
void tessellator::join_cells(const std::uint16_t* outside, const sequence& inside, diagonals rule)
{
    const auto half = inside.size() / 2;
    for (std::size_t i = 0; i + 1 < inside.size(); ++i) {
        const auto turned = (rule == diagonals::mirrored && i < half) ||
                            (rule == diagonals::towards_outside_except_middle && i + 1 == half);
        if (turned) {
            add_triangle(outside[i], inside[i + 1], inside[i]);
            add_triangle(outside[i], outside[i + 1], inside[i + 1]);
        } else {
            add_triangle(inside[i], outside[i], outside[i + 1]);
            add_triangle(inside[i], outside[i + 1], inside[i + 1]);
        }
    }
}

/// Joins one side of two inner rings; the outer ring has one more point at each end.
void tessellator::join_ring(const sequence& outside, const sequence& inside)
{
    const auto n = outside.size();
    add_triangle(outside[0], outside[1], inside[0]);
    join_cells(outside.data() + 1, inside, diagonals::mirrored);
    add_triangle(outside[n - 2], outside[n - 1], inside.back());
}

/// Joins an outer edge to its side of the first ring; their levels are independent.
void tessellator::join_transition(const sequence& outside, const edge_division& outer, const sequence& inside,
                                  const edge_division& inner)
{
    // A side of the ring is the inner division without its first and last segment.
    const auto outer_half = outer.half_segments();
    const auto inner_half = inner.half_segments();
    std::size_t o = 0;
    std::size_t i = 0;
    const auto step_outside = [&] {
        add_triangle(outside[o], outside[o + 1], inside[i]);
        ++o;
    };
    const auto step_inside = [&] {
        add_triangle(inside[i], outside[o], inside[i + 1]);
        ++i;
    };
    constexpr unsigned places = 32;
    if (outer_half != 0) step_outside();
    for (unsigned place = 1; place <= places; ++place) {
        if (split_order(place) < inner_half) step_inside();
        if (split_order(place) < outer_half) step_outside();
    }
    if (inner.odd()) step_inside();
    if (outer.odd()) {
        add_triangle(inside[i], outside[o], outside[o + 1]);
        ++o;
    }
    for (unsigned place = places; place != 0; --place) {
        if (split_order(place) < outer_half) step_outside();
        if (split_order(place) < inner_half) step_inside();
    }
    if (outer_half != 0) step_outside();
}

void tessellator::isolines(const tessellation_levels& levels)
{
    if (!above_zero(levels.outer.data(), 2)) return;
    // Lines always have equal spacing; the line at v = 1 is not drawn.
    const auto count = std::ceil(std::min(std::max(levels.outer[0], 1.0F), 64.0F));
    const edge_division lines(to_fixed(count), std::fmod(count, 2.0F) != 0);
    const auto along = outer_edge(levels.outer[1]);
    for (unsigned line = 0; line + 1 < lines.points(); ++line)
        for (unsigned point = 0; point < along.points(); ++point) {
            const auto here = add_point(along.position(point), lines.position(line));
            if (state_.output != tess_output::lines || point == 0) continue;
            result_->vertices.push_back(static_cast<std::uint16_t>(here - 1));
            result_->vertices.push_back(here);
        }
}

void tessellator::triangles(const tessellation_levels& levels)
{
    if (!above_zero(levels.outer.data(), 3)) return;
    std::array<edge_division, 3> outer;
    auto one = true;
    for (unsigned e = 0; e < 3; ++e) {
        outer[e] = outer_edge(levels.outer[e]);
        one = one && outer[e].points() == 2;
    }
    for (unsigned e = 0; e < 3; ++e) {
        auto& edge = ring_[0][e];
        edge.clear();
        const auto last = outer[e].points() - 1;
        for (unsigned p = 0; p < last; ++p) {
            const auto along = outer[e].position(e == 1 ? p : last - p);
            edge.push_back(e == 0   ? add_point(0, along)
                           : e == 1 ? add_point(along, 0)
                                    : add_point(along, fixed_one - along));
        }
    }
    for (unsigned e = 0; e < 3; ++e) ring_[0][e].push_back(ring_[0][(e + 1) % 3].front());
    edge_division inner;
    if (inner_edges(levels.inner.data(), 1, one, &inner))
        triangle_inside(inner, outer.data());
    else
        add_triangle(0, 1, 2);
}

void tessellator::triangle_inside(const edge_division& inner, const edge_division* outer)
{
    const auto n = inner.points();
    for (unsigned ring = 1; 2 * ring < n; ++ring) {
        const auto last = n - 1 - ring;
        // A ring is the outline of a triangle: edge e has a constant coordinate, 2/3 of the ring's position because the
        // centre lies at 1/3, and its ends move in by half as much.
        const auto across =
            static_cast<fixed>((std::uint64_t{inner.position(ring)} * two_thirds + fixed_one / 2) / fixed_one);
        const auto shift = (across + 1) / 2;
        for (unsigned e = 0; e < 3; ++e) {
            auto& edge = ring_[1][e];
            edge.clear();
            for (unsigned p = ring; p < last; ++p) {
                const auto along = inner.position(e == 1 ? p : last - (p - ring)) - shift;
                edge.push_back(e == 0   ? add_point(across, along)
                               : e == 1 ? add_point(along, across)
                                        : add_point(along, fixed_one - along - across));
            }
        }
        if (ring == last) ring_[1][0] = {add_point(one_third, one_third)};
        for (unsigned e = 0; e < 3; ++e) {
            if (ring == last)
                ring_[1][e] = ring_[1][0];
            else
                ring_[1][e].push_back(ring_[1][(e + 1) % 3].front());
        }
        for (unsigned e = 0; e < 3; ++e) {
            if (ring == 1)
                join_transition(ring_[0][e], outer[e], ring_[1][e], inner);
            else
                join_ring(ring_[0][e], ring_[1][e]);
        }
        for (unsigned e = 0; e < 3; ++e) ring_[0][e].swap(ring_[1][e]);
    }
    if (inner.odd()) add_triangle(ring_[0][0][0], ring_[0][1][0], ring_[0][2][0]);
}

void tessellator::quads(const tessellation_levels& levels)
{
    if (!above_zero(levels.outer.data(), 4)) return;
    std::array<edge_division, 4> outer;
    auto one = true;
    for (unsigned e = 0; e < 4; ++e) {
        outer[e] = outer_edge(levels.outer[e]);
        one = one && outer[e].points() == 2;
    }
    for (unsigned e = 0; e < 4; ++e) {
        auto& edge = ring_[0][e];
        edge.clear();
        const auto last = outer[e].points() - 1;
        for (unsigned p = 0; p < last; ++p) {
            const auto along = outer[e].position(e == 1 || e == 2 ? p : last - p);
            edge.push_back(e % 2 == 0 ? add_point(e == 2 ? fixed_one : 0, along)
                                      : add_point(along, e == 3 ? fixed_one : 0));
        }
    }
    for (unsigned e = 0; e < 4; ++e) ring_[0][e].push_back(ring_[0][(e + 1) % 4].front());
    std::array<edge_division, 2> inner;
    if (inner_edges(levels.inner.data(), 2, one, inner.data())) {
        quad_inside(inner[0], inner[1], outer.data());
    } else {
        add_triangle(1, 2, 0); // points 0 .. 3: (0, 1), (0, 0), (1, 0), (1, 1)
        add_triangle(2, 3, 0);
    }
}

void tessellator::quad_inside(const edge_division& u, const edge_division& v, const edge_division* outer)
{
    const auto columns = u.points();
    const auto rows = v.points();
    const auto smallest = std::min(columns, rows);
    grid_.resize(columns * rows);
    const auto grid_point = [&](unsigned i, unsigned j) -> std::uint16_t& { return grid_[j * columns + i]; };
    const auto place = [&](unsigned i, unsigned j) { grid_point(i, j) = add_point(u.position(i), v.position(j)); };
    const auto middle = smallest / 2;
    for (unsigned ring = 1; ring < middle; ++ring) {
        const auto high_u = columns - 1 - ring;
        const auto high_v = rows - 1 - ring;
        for (unsigned j = high_v; j > ring; --j) place(ring, j);
        for (unsigned i = ring; i < high_u; ++i) place(i, ring);
        for (unsigned j = ring; j < high_v; ++j) place(high_u, j);
        for (unsigned i = high_u; i > ring; --i) place(i, high_v);
    }
    if (columns > rows && !v.odd())
        for (unsigned i = middle; i < columns - middle; ++i) place(i, middle);
    else if (rows >= columns && !u.odd())
        for (unsigned j = rows - middle; j-- > middle;) place(middle, j);
    // The sides of a ring, counterclockwise from (low u, high v). If a ring is a single row or column, two of its sides
    // have one point, and the others walk along it there and back.
    const auto sides = [&](unsigned ring, sequence* side) {
        const auto high_u = columns - 1 - ring;
        const auto high_v = rows - 1 - ring;
        for (unsigned e = 0; e < 4; ++e) side[e].clear();
        for (unsigned j = high_v; j >= ring; --j) side[0].push_back(grid_point(ring, j));
        for (unsigned i = ring; i <= high_u; ++i) side[1].push_back(grid_point(i, ring));
        for (unsigned j = ring; j <= high_v; ++j) side[2].push_back(grid_point(high_u, j));
        for (unsigned i = high_u; i >= ring; --i) side[3].push_back(grid_point(i, high_v));
    };
    for (unsigned ring = 1; 2 * ring < smallest; ++ring) {
        sides(ring, ring_[1]);
        for (unsigned e = 0; e < 4; ++e) {
            if (ring == 1)
                join_transition(ring_[0][e], outer[e], ring_[1][e], e % 2 == 0 ? v : u);
            else
                join_ring(ring_[0][e], ring_[1][e]);
        }
        for (unsigned e = 0; e < 4; ++e) ring_[0][e].swap(ring_[1][e]);
    }
    // An odd division leaves a strip of cells in the middle.
    if (columns > rows && v.odd()) {
        scratch_.assign(ring_[0][3].rbegin(), ring_[0][3].rend());
        join_cells(ring_[0][1].data(), scratch_, diagonals::towards_outside);
    } else if (rows >= columns && u.odd()) {
        scratch_.assign(ring_[0][2].rbegin(), ring_[0][2].rend());
        join_cells(ring_[0][0].data(), scratch_,
                   v.odd() ? diagonals::towards_outside_except_middle : diagonals::towards_outside);
    }
}

void tessellator::tessellate(const tessellation_levels& levels, tessellated_patch& result)
{
    result.points.clear();
    result.vertices.clear();
    result_ = &result;
    switch (state_.domain) {
    case tess_domain::isolines:
        isolines(levels);
        break;
    case tess_domain::triangles:
        triangles(levels);
        break;
    case tess_domain::quads:
        quads(levels);
        break;
    }
    if (result.points.empty()) ++culled_;
    if (state_.output != tess_output::points) return;
    result.vertices.resize(result.points.size());
    for (std::size_t i = 0; i < result.points.size(); ++i) result.vertices[i] = static_cast<std::uint16_t>(i);
}

} // namespace isbesim
