// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/frame/wire_frame.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <string>
#include <string_view>

#include "tlm/float_bits.h"

namespace isbesim::gl {

namespace {

constexpr unsigned position = 0x70; ///< address of the position attribute (HARDWARE.md A.1)

struct vertex_position {
    float x, y, w;
};

std::vector<std::string_view> cells_of(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0; begin <= line.size();) {
        const auto comma = std::min(line.find(',', begin), line.size());
        cells.push_back(line.substr(begin, comma - begin));
        begin = comma + 1;
    }
    return cells;
}

unsigned long number_of(std::string_view cell, int base)
{
    return std::strtoul(std::string(cell).c_str(), nullptr, base);
}

float float_of(std::string_view cell)
{
    return to_float(static_cast<std::uint32_t>(number_of(cell, 16)));
}

std::int16_t on_screen(float clip, float w)
{
    constexpr float farthest = 4;
    const auto ndc = std::clamp(clip / w, -farthest, farthest);
    return static_cast<std::int16_t>(std::lround(ndc * float{wire_frame::unit}));
}

/// Collects the primitives to show; halves their number when there are too many edges.
class edge_collector {
public:
    edge_collector(wire_frame& frame, std::size_t most) : frame_(frame), most_(most) {}

    void add(unsigned long primitive, const std::vector<vertex_position>& corners)
    {
        ++frame_.primitives;
        const auto nowhere = [](const vertex_position& each) {
            return !(each.w > 0) || !std::isfinite(each.x / each.w) || !std::isfinite(each.y / each.w);
        };
        if (std::any_of(corners.begin(), corners.end(), nowhere)) {
            ++frame_.behind_eye;
            return;
        }
        if (primitive % frame_.every != 0) return;
        const auto count = corners.size() > 2 ? corners.size() : 1;
        for (std::size_t i = 0; i < count; ++i) {
            const auto &from = corners[i], &to = corners[(i + 1) % corners.size()];
            frame_.edges.push_back(
                {on_screen(from.x, from.w), on_screen(from.y, from.w), on_screen(to.x, to.w), on_screen(to.y, to.w)});
            frame_.primitive_of.push_back(static_cast<std::uint32_t>(primitive));
        }
        while (frame_.edges.size() > most_) thin_out();
    }

private:
    void thin_out()
    {
        frame_.every *= 2;
        auto& primitives = frame_.primitive_of;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < frame_.edges.size(); ++i) {
            if (primitives[i] % frame_.every != 0) continue;
            frame_.edges[kept] = frame_.edges[i];
            primitives[kept++] = primitives[i];
        }
        frame_.edges.resize(kept);
        primitives.resize(kept);
        // Only primitive 0 is left, and it has more edges than may be shown.
        if (kept > most_ && std::all_of(primitives.begin(), primitives.end(), [](auto p) { return p == 0; })) {
            frame_.edges.clear();
            primitives.clear();
        }
    }

    wire_frame& frame_;
    std::size_t most_;
};

} // namespace

wire_frame read_wire_frame(std::istream& vertices, std::size_t most_edges)
{
    wire_frame frame;
    std::string line;
    if (!std::getline(vertices, line)) return frame;
    std::array<std::size_t, 4> columns{};
    const auto header = cells_of(line);
    for (std::size_t i = 3; i < header.size(); ++i)
        for (unsigned part = 0; part < columns.size(); ++part)
            if (number_of(header[i], 16) == position + 4 * part) columns[part] = i;
    frame.has_positions = std::none_of(columns.begin(), columns.end(), [](auto each) { return each == 0; });
    if (!frame.has_positions) return frame;
    edge_collector edges(frame, most_edges);
    std::vector<vertex_position> corners;
    unsigned long current = 0;
    while (std::getline(vertices, line)) {
        const auto cells = cells_of(line);
        if (cells.size() != header.size() || cells[0] != "0") continue;
        const auto primitive = number_of(cells[1], 10);
        if (!corners.empty() && primitive != current) {
            edges.add(current, corners);
            corners.clear();
        }
        current = primitive;
        const auto coordinate = [&](unsigned part) { return float_of(cells[columns[part]]); };
        corners.push_back({coordinate(0), coordinate(1), coordinate(3)});
    }
    if (!corners.empty()) edges.add(current, corners);
    return frame;
}

} // namespace isbesim::gl
