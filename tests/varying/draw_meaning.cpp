// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "models/pe/tessellation/tessellator.h"
#include "tests/varying/text_meaning.h"
#include "tlm/float_bits.h"

namespace isbesim::test {

namespace {

using word = text_meaning::word;
using scalars = text_meaning::scalars;
/// Outputs of the vertices of a primitive.
using corners = std::vector<scalars>;

unsigned vertices_of_list(const std::string& topology, unsigned patch_vertices)
{
    static const std::map<std::string, unsigned> known = {
        {"points", 1}, {"lines", 2}, {"triangles", 3}, {"lines_adjacency", 4}, {"triangles_adjacency", 6}};
    return topology == "patches" ? patch_vertices : known.at(topology);
}

class meaning_of_draw {
public:
    explicit meaning_of_draw(const meant_draw& draw) : draw_(draw) {}

    std::vector<meant_row> run()
    {
        const unsigned count = vertices_of_list(draw_.topology, draw_.patch_vertices);
        for (unsigned p = 0; p < draw_.vertex_count / count; ++p) {
            corners primitive;
            for (unsigned v = 0; v < count; ++v) primitive.push_back(vertex(p * count + v));
            if (draw_.topology == "patches")
                patch(p, primitive);
            else
                assembled(p, primitive);
        }
        std::vector<meant_row> result;
        for (auto& [stream, rows] : rows_) result.insert(result.end(), rows.begin(), rows.end());
        return result;
    }

private:
    const text_meaning* program(const std::string& kind) const
    {
        for (const auto& each : draw_.programs)
            if (each.kind() == kind) return &each;
        return nullptr;
    }

    text_meaning::thread thread_of(const corners& inputs) const
    {
        text_meaning::thread thread;
        thread.input = [&inputs](unsigned v, unsigned address) -> word {
            if (v >= inputs.size()) return 0;
            const auto found = inputs[v].find(address);
            return found == inputs[v].end() ? 0 : found->second;
        };
        thread.constant = draw_.constant;
        return thread;
    }

    scalars vertex(unsigned number) const
    {
        text_meaning::thread one;
        one.input = [&](unsigned, unsigned address) { return draw_.attribute(number, address); };
        one.constant = draw_.constant;
        one.values = {{"VERTEXID", number}, {"INSTANCEID", 0}};
        return program("VERT")->run(one).front().values;
    }

    void patch(unsigned number, const corners& inputs)
    {
        const auto& control = *program("TESS_CTRL");
        const auto& evaluation = *program("TESS_EVAL");
        std::vector<text_meaning::thread> threads;
        for (unsigned i = 0; i < control.number("TCS_VERTICES_OUT", 1); ++i) {
            threads.push_back(thread_of(inputs));
            threads.back().values = {{"PRIMID", number}, {"INVOCATIONID", i}};
        }
        scalars shared;
        corners points;
        for (auto& events : control.run(threads, shared)) points.push_back(std::move(events.front().values));

        tessellation_levels levels;
        const auto level = [&](unsigned address) { return to_float(shared.at(address)); };
        for (unsigned i = 0; i < 4; ++i) levels.outer[i] = level(4 * i);
        for (unsigned i = 0; i < 2; ++i) levels.inner[i] = level(0x10 + 4 * i);
        tessellated_patch patch;
        tessellator(draw_.tessellation).tessellate(levels, patch);
        const unsigned count = vertices_per_tessellated_primitive(draw_.tessellation.output);
        for (std::size_t p = 0; p < patch.vertices.size() / count; ++p) {
            corners primitive;
            for (unsigned v = 0; v < count; ++v) {
                const auto& point = patch.points[patch.vertices[p * count + v]];
                auto one = thread_of(points);
                one.values = {{"PRIMID", number}};
                one.u = as_float(point.u);
                one.v = as_float(point.v);
                auto space = shared;
                primitive.push_back(evaluation.run({one}, space).front().front().values);
            }
            assembled(primitives_++, primitive);
        }
    }

    /// A 16.16 coordinate, exact as a float.
    static word as_float(fixed value) { return to_bits(static_cast<float>(value) / 65536.0F); }

    void assembled(unsigned number, const corners& primitive)
    {
        const auto* geometry = program("GEOM");
        if (geometry == nullptr) return add(0, primitive);
        for (unsigned i = 0; i < geometry->number("GS_INVOCATIONS", 1); ++i) {
            auto one = thread_of(primitive);
            one.values = {{"PRIMID", number}, {"INVOCATIONID", i}};
            strips(*geometry, geometry->run(one));
        }
    }

    /// OpenGL 4.6, 11.3.4.4 and 13.3: strips to primitives; odd triangles are turned so that the winding stays.
    void strips(const text_meaning& geometry, const std::vector<text_meaning::event>& events)
    {
        const auto kind = geometry.property("GS_OUTPUT_PRIMITIVE", "TRIANGLE_STRIP");
        const std::size_t size = kind == "POINTS" ? 1 : kind == "LINE_STRIP" ? 2 : 3;
        const unsigned most = geometry.number("GS_MAX_OUTPUT_VERTICES", 32);
        corners strip;
        unsigned emitted = 0, stream = 0;
        for (const auto& each : events) {
            if (each.cut) {
                strip.clear();
                continue;
            }
            if (emitted++ >= most) continue;
            if (each.stream != stream) strip.clear();
            stream = each.stream;
            strip.push_back(each.values);
            if (strip.size() < size) continue;
            corners primitive(strip.end() - static_cast<long>(size), strip.end());
            if (size == 3 && strip.size() % 2 == 0) std::swap(primitive[0], primitive[1]);
            if (size == 1 || stream == 0) add(stream, primitive);
        }
    }

    void add(unsigned stream, const corners& primitive)
    {
        auto& rows = rows_[stream];
        const unsigned number = rows.empty() ? 0 : rows.back().primitive + 1;
        for (unsigned v = 0; v < primitive.size(); ++v) rows.push_back({stream, number, v, primitive[v]});
    }

    const meant_draw& draw_;
    std::map<unsigned, std::vector<meant_row>> rows_;
    unsigned primitives_ = 0; ///< that tessellation made
};

} // namespace

std::vector<meant_row> vertices_of(const meant_draw& draw)
{
    return meaning_of_draw(draw).run();
}

} // namespace isbesim::test
