// SPDX-License-Identifier: Apache-2.0
// The generator against properties of every tessellation: the triangles tile the domain, their number follows from
// Euler's formula, the number of points from the OpenGL specification (4.6 core, 11.2.2).
#include "models/pe/tessellation/tessellator.h"

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace isbesim {
namespace {

tessellated_patch run(tess_domain domain, tess_spacing spacing, tess_output output, const tessellation_levels& levels)
{
    tessellation_state state;
    state.domain = domain;
    state.spacing = spacing;
    state.output = output;
    tessellated_patch result;
    tessellator(state).tessellate(levels, result);
    return result;
}

tessellated_patch triangulated(tess_domain domain, tess_spacing spacing, const tessellation_levels& levels)
{
    return run(domain, spacing, tess_output::triangles_ccw, levels);
}

std::set<std::pair<fixed, fixed>> distinct(const tessellated_patch& patch)
{
    std::set<std::pair<fixed, fixed>> result;
    for (const auto& p : patch.points) result.insert({p.u, p.v});
    return result;
}

bool on_border(tess_domain domain, const domain_point& p)
{
    if (domain == tess_domain::quads) return p.u == 0 || p.v == 0 || p.u == fixed_one || p.v == fixed_one;
    return p.u == 0 || p.v == 0 || p.u + p.v == fixed_one;
}

/// Every triangle is turned the right way, inner edges belong to two triangles and outer ones to one, and the areas add
/// up to that of the domain: no gap, no overlap. `slack`: twice the largest area of a triangle
/// that rounding turned the wrong way.
void expect_tiling(tess_domain domain, const tessellated_patch& patch, std::int64_t slack)
{
    std::map<std::pair<unsigned, unsigned>, int> edges;
    std::int64_t area = 0;
    for (std::size_t t = 0; t < patch.vertices.size(); t += 3) {
        const auto* corner = patch.vertices.data() + t;
        const auto point = [&](unsigned i) { return patch.points[corner[i]]; };
        const auto du = [&](unsigned i) { return std::int64_t{point(i).u} - point(0).u; };
        const auto dv = [&](unsigned i) { return std::int64_t{point(i).v} - point(0).v; };
        const auto twice_area = du(1) * dv(2) - du(2) * dv(1);
        EXPECT_GE(twice_area, -slack);
        area += twice_area;
        for (unsigned i = 0; i < 3; ++i) ++edges[{corner[i], corner[(i + 1) % 3]}];
    }
    EXPECT_EQ(area, (std::int64_t{1} << 32) * (domain == tess_domain::quads ? 2 : 1));
    std::size_t border = 0;
    for (const auto& [edge, uses] : edges) {
        EXPECT_EQ(uses, 1);
        if (edges.count({edge.second, edge.first}) != 0) continue;
        ++border;
        EXPECT_TRUE(on_border(domain, patch.points[edge.first]) && on_border(domain, patch.points[edge.second]));
    }
    // Triangles of a disc with V vertices of which B lie on its border.
    EXPECT_EQ(patch.vertices.size() / 3, 2 * patch.points.size() - border - 2);
}

TEST(tessellator, PIPE_03_quads_of_whole_levels)
{
    std::mt19937 random(1);
    std::uniform_int_distribution<unsigned> level(1, 64);
    for (int i = 0; i < 60; ++i) {
        std::array<unsigned, 6> n;
        for (auto& each : n) each = i < 20 ? 1 + level(random) % 5 : level(random);
        if (n == std::array<unsigned, 6>{1, 1, 1, 1, 1, 1}) continue;
        tessellation_levels levels;
        for (unsigned e = 0; e < 4; ++e) levels.outer[e] = static_cast<float>(n[e]);
        for (unsigned e = 0; e < 2; ++e) levels.inner[e] = static_cast<float>(n[4 + e]);
        const auto patch = triangulated(tess_domain::quads, tess_spacing::equal, levels);
        // An inner level of 1 counts as 2 when not all levels are 1.
        const auto inside = (std::max(n[4], 2U) - 1) * (std::max(n[5], 2U) - 1);
        EXPECT_EQ(patch.points.size(), n[0] + n[1] + n[2] + n[3] + inside);
        EXPECT_EQ(distinct(patch).size(), patch.points.size());
        expect_tiling(tess_domain::quads, patch, 0);
    }
}

TEST(tessellator, PIPE_03_triangles_of_whole_levels)
{
    std::mt19937 random(2);
    std::uniform_int_distribution<unsigned> level(1, 64);
    for (int i = 0; i < 60; ++i) {
        std::array<unsigned, 4> n;
        for (auto& each : n) each = i < 20 ? 1 + level(random) % 5 : level(random);
        if (n == std::array<unsigned, 4>{1, 1, 1, 1}) continue;
        tessellation_levels levels;
        for (unsigned e = 0; e < 3; ++e) levels.outer[e] = static_cast<float>(n[e]);
        levels.inner[0] = static_cast<float>(n[3]);
        const auto patch = triangulated(tess_domain::triangles, tess_spacing::equal, levels);
        // Concentric triangles whose sides have 2 segments less each time; 0 segments are a point.
        std::size_t points = n[0] + n[1] + n[2];
        for (auto side = static_cast<int>(std::max(n[3], 2U)) - 2; side >= 0; side -= 2)
            points += side == 0 ? 1U : 3U * static_cast<unsigned>(side);
        EXPECT_EQ(patch.points.size(), points);
        EXPECT_EQ(distinct(patch).size(), points);
        expect_tiling(tess_domain::triangles, patch, 0);
    }
}

TEST(tessellator, PIPE_03_fractional_spacings_tile_the_domain)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<float> level(0.5F, 66);
    for (const auto spacing : {tess_spacing::fractional_odd, tess_spacing::fractional_even})
        for (const auto domain : {tess_domain::quads, tess_domain::triangles})
            for (int i = 0; i < 40; ++i) {
                tessellation_levels levels;
                for (auto& each : levels.outer) each = i < 20 ? level(random) / 16 : level(random);
                for (auto& each : levels.inner) each = i < 20 ? level(random) / 16 : level(random);
                expect_tiling(domain, triangulated(domain, spacing, levels), 4 * std::int64_t{fixed_one});
            }
}

TEST(tessellator, PIPE_03_undivided_patch_is_a_single_cell)
{
    for (const auto spacing : {tess_spacing::equal, tess_spacing::fractional_odd}) {
        const auto triangle = triangulated(tess_domain::triangles, spacing, {});
        EXPECT_EQ(triangle.points.size(), 3U);
        EXPECT_EQ(triangle.vertices.size(), 3U);
        const auto quad = triangulated(tess_domain::quads, spacing, {});
        EXPECT_EQ(quad.points.size(), 4U);
        EXPECT_EQ(quad.vertices.size(), 6U);
        expect_tiling(tess_domain::quads, quad, 0);
    }
    // fractional_even knows no level below 2: 8 border points and the centre.
    EXPECT_EQ(triangulated(tess_domain::quads, tess_spacing::fractional_even, {}).points.size(), 9U);
}

TEST(tessellator, PIPE_03_levels_are_clamped)
{
    const auto points = [](tess_spacing spacing, float level) {
        return run(tess_domain::isolines, spacing, tess_output::lines, {{1, level, 0, 0}, {}}).points.size();
    };
    const auto infinite = std::numeric_limits<float>::infinity();
    EXPECT_EQ(points(tess_spacing::equal, infinite), 65U);
    EXPECT_EQ(points(tess_spacing::equal, 1e-30F), 2U);
    EXPECT_EQ(points(tess_spacing::equal, 3.1F), 5U);
    EXPECT_EQ(points(tess_spacing::fractional_odd, 100), 64U);
    EXPECT_EQ(points(tess_spacing::fractional_odd, 3.1F), 6U);
    EXPECT_EQ(points(tess_spacing::fractional_even, 100), 65U);
    EXPECT_EQ(points(tess_spacing::fractional_even, 0.1F), 3U);
    EXPECT_EQ(points(tess_spacing::fractional_even, 3.1F), 5U);
    const auto nan = std::nanf("");
    const auto inner = triangulated(tess_domain::triangles, tess_spacing::equal, {{1, 1, 1, 1}, {nan, 1}});
    EXPECT_EQ(inner.points.size(), 3U);
}

TEST(tessellator, PIPE_03_a_level_of_0_or_less_or_nan_culls_the_patch)
{
    const auto nan = std::nanf("");
    for (const auto domain : {tess_domain::isolines, tess_domain::triangles, tess_domain::quads}) {
        const unsigned used = domain == tess_domain::isolines ? 2 : domain == tess_domain::triangles ? 3 : 4;
        for (unsigned e = 0; e < 4; ++e)
            for (const auto level : {0.0F, -0.0F, -1.0F, nan}) {
                tessellation_levels levels;
                levels.outer[e] = level;
                EXPECT_EQ(run(domain, tess_spacing::equal, tess_output::points, levels).points.empty(), e < used);
            }
    }
}

TEST(tessellator, AST_10_unused_levels_change_nothing)
{
    const tessellation_levels levels{{3, 4, 5, 6}, {4, 5}};
    const auto nan = std::nanf("");
    const auto same = [](const tessellated_patch& a, const tessellated_patch& b) {
        return distinct(a) == distinct(b) && a.vertices == b.vertices;
    };
    EXPECT_TRUE(same(triangulated(tess_domain::triangles, tess_spacing::equal, levels),
                     triangulated(tess_domain::triangles, tess_spacing::equal, {{3, 4, 5, -1}, {4, nan}})));
    EXPECT_TRUE(same(run(tess_domain::isolines, tess_spacing::equal, tess_output::lines, levels),
                     run(tess_domain::isolines, tess_spacing::equal, tess_output::lines, {{3, 4, 0, nan}, {-5, nan}})));
}

TEST(tessellator, PIPE_03_isolines)
{
    // 3 lines of 4 segments, none at v = 1; the number of lines always has equal spacing.
    for (const auto spacing : {tess_spacing::equal, tess_spacing::fractional_even}) {
        const auto patch = run(tess_domain::isolines, spacing, tess_output::lines, {{2.5F, 4, 0, 0}, {}});
        ASSERT_EQ(patch.points.size(), 15U);
        ASSERT_EQ(patch.vertices.size(), 24U);
        for (unsigned line = 0; line < 3; ++line)
            for (unsigned i = 0; i < 5; ++i) {
                EXPECT_EQ(patch.points[line * 5 + i].u, i * fixed_one / 4);
                EXPECT_NEAR(patch.points[line * 5 + i].v, line * 65536.0 / 3, 1);
            }
        for (unsigned s = 0; s < 12; ++s) {
            EXPECT_EQ(patch.vertices[2 * s], s / 4 * 5 + s % 4);
            EXPECT_EQ(patch.vertices[2 * s + 1], s / 4 * 5 + s % 4 + 1);
        }
    }
}

TEST(tessellator, PIPE_03_point_mode_has_every_point_once)
{
    const tessellation_levels levels{{3, 4, 5, 6}, {4, 5}};
    for (const auto domain : {tess_domain::triangles, tess_domain::quads}) {
        const auto points = run(domain, tess_spacing::equal, tess_output::points, levels);
        EXPECT_EQ(distinct(points), distinct(triangulated(domain, tess_spacing::equal, levels)));
        ASSERT_EQ(points.vertices.size(), points.points.size());
        for (unsigned i = 0; i < points.vertices.size(); ++i) EXPECT_EQ(points.vertices[i], i);
    }
}

/// Direct3D's order: rings from the outside, each counterclockwise from its corner at low u and high v.
TEST(tessellator, PIPE_03_points_inside_of_quads_come_ring_by_ring)
{
    const auto whole = run(tess_domain::quads, tess_spacing::equal, tess_output::points, {{1, 1, 1, 1}, {5, 4}});
    const std::vector<std::pair<unsigned, unsigned>> fifths_and_quarters = {
        {1, 3}, {1, 2}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {4, 2}, {4, 3}, {3, 3}, {2, 3}, {2, 2}, {3, 2}};
    ASSERT_EQ(whole.points.size(), 4 + fifths_and_quarters.size());
    for (std::size_t i = 0; i < fifths_and_quarters.size(); ++i) {
        EXPECT_EQ((whole.points[4 + i].u * 5 + fixed_one / 2) / fixed_one, fifths_and_quarters[i].first) << i;
        EXPECT_EQ((whole.points[4 + i].v * 4 + fixed_one / 2) / fixed_one, fifths_and_quarters[i].second) << i;
    }
    const auto tall = run(tess_domain::quads, tess_spacing::equal, tess_output::points, {{1, 1, 1, 1}, {2, 4}});
    ASSERT_EQ(tall.points.size(), 7U);
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(tall.points[4 + i].v * 4, (3 - i) * fixed_one);
}

TEST(tessellator, PIPE_03_clockwise_is_the_mirror_of_counterclockwise)
{
    const tessellation_levels levels{{3, 4, 5, 6}, {4, 5}};
    const auto ccw = triangulated(tess_domain::quads, tess_spacing::equal, levels);
    const auto cw = run(tess_domain::quads, tess_spacing::equal, tess_output::triangles_cw, levels);
    ASSERT_EQ(cw.vertices.size(), ccw.vertices.size());
    for (std::size_t t = 0; t < cw.vertices.size(); t += 3) {
        EXPECT_EQ(cw.vertices[t], ccw.vertices[t]);
        EXPECT_EQ(cw.vertices[t + 1], ccw.vertices[t + 2]);
        EXPECT_EQ(cw.vertices[t + 2], ccw.vertices[t + 1]);
    }
}

TEST(tessellator, PIPE_03_the_edge_of_a_level_does_not_depend_on_the_others)
{
    const auto edge = [](const tessellation_levels& levels) {
        std::set<fixed> u;
        for (const auto& p : triangulated(tess_domain::quads, tess_spacing::fractional_odd, levels).points)
            if (p.v == 0) u.insert(p.u);
        return u;
    };
    EXPECT_EQ(edge({{1, 6.3F, 9, 2}, {3, 8}}), edge({{7, 6.3F, 1, 30}, {20, 4}}));
}

std::vector<fixed> positions(fixed level, bool odd)
{
    const edge_division edge(level, odd);
    std::vector<fixed> result;
    for (unsigned p = 0; p < edge.points(); ++p) result.push_back(edge.position(p));
    return result;
}

TEST(edge_division, PIPE_03_whole_levels_that_divide_evenly_are_exact)
{
    for (unsigned n = 2; n <= 64; n *= 2) {
        const auto got = positions(n * fixed_one, false);
        ASSERT_EQ(got.size(), n + 1);
        for (unsigned i = 0; i <= n; ++i) EXPECT_EQ(got[i], i * fixed_one / n) << n << " " << i;
    }
    EXPECT_EQ(positions(fixed_one, true), (std::vector<fixed>{0, fixed_one}));
}

TEST(edge_division, PIPE_03_whole_levels_are_even_within_rounding)
{
    for (unsigned n = 1; n <= 64; ++n) {
        const auto got = positions(n * fixed_one, n % 2 != 0);
        ASSERT_EQ(got.size(), n + 1) << n;
        for (unsigned i = 0; i <= n; ++i)
            EXPECT_NEAR(static_cast<double>(got[i]), 65536.0 * i / n, 0.5 * n / 2 + 1) << n << " " << i;
    }
}

// An edge is the same from both ends, so that neighbouring patches meet without cracks.
TEST(edge_division, PIPE_03_edges_are_symmetric_and_rise)
{
    for (const auto odd : {false, true})
        for (fixed level = 2 * fixed_one; level <= 63 * fixed_one; level += 4099) {
            const auto got = positions(level, odd);
            EXPECT_EQ(got.front(), 0U);
            for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i] + got[got.size() - 1 - i], fixed_one);
            for (std::size_t i = 1; i < got.size(); ++i) EXPECT_LE(got[i - 1], got[i]) << level << " " << i;
            EXPECT_EQ(got.size() % 2, odd ? 0U : 1U);
        }
}

// Level f between n - 2 and n: n segments, and the two short ones have 1 - (n - f) / 2 of their final length.
TEST(edge_division, PIPE_03_fractional_levels_open_two_segments)
{
    EXPECT_EQ(positions(3 * fixed_one, false), (std::vector<fixed>{0, 0x6000, 0x8000, 0xa000, 0x10000}));
    EXPECT_EQ(positions(2 * fixed_one + 1, false), (std::vector<fixed>{0, 0x8000, 0x8000, 0x8000, 0x10000}));
    EXPECT_EQ(positions(2 * fixed_one, true), (std::vector<fixed>{0, 0x2aab, 0xd555, 0x10000})); // 1/6, 5/6
    // 5 of 6 even segments: 4 -> 6. The new point of the half edge is the second (ruler order).
    const auto five = positions(5 * fixed_one, false);
    ASSERT_EQ(five.size(), 7U);
    EXPECT_NEAR(static_cast<double>(five[1]), 65536 * (0.25 + 1.0 / 6) / 2, 2);
    EXPECT_NEAR(static_cast<double>(five[2]), 65536 * (0.25 + 2.0 / 6) / 2, 2);
}

TEST(edge_division, PIPE_03_segments_split_in_ruler_order)
{
    std::set<unsigned> seen;
    for (unsigned place = 1; place <= 32; ++place) seen.insert(split_order(place));
    EXPECT_EQ(seen.size(), 32U);
    EXPECT_EQ(*seen.begin(), 1U);
    EXPECT_EQ(*seen.rbegin(), 32U);
    EXPECT_EQ(split_order(17), 1U); // the middle of the half edge, then its quarters, …
    EXPECT_EQ(split_order(9), 2U);
    EXPECT_EQ(split_order(25), 3U);
}

} // namespace
} // namespace isbesim
