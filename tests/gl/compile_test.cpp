// SPDX-License-Identifier: Apache-2.0
// Draws that `isbesim compile` makes: what it says to give attributes and textures is what programs read.
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/gl/compile/refusal.h"
#include "tests/gl/gl_session.h"
#include "tlm/float_bits.h"

namespace isbesim::testbench {

namespace {

/// An attribute of a type as GLSL names it: `size` elements of `columns` columns.
struct input {
    std::string type;
    unsigned columns, components;
    unsigned size = 1;

    bool whole() const { return type[0] == 'i' || type[0] == 'u'; }
    unsigned locations() const { return columns * size; }
};

/// What compile gives vertex `v` in component `i` of an attribute's location `k`.
float value_of(const input& attribute, unsigned v, unsigned k, unsigned i)
{
    if (attribute.whole()) return static_cast<float>(4 * (v + k) + i);
    return i == 3 ? 1.0F : static_cast<float>(v + k) / 16.0F + static_cast<float>(i);
}

/// All components of all inputs, one after the other, as floats.
std::string copying_shader(const std::vector<input>& inputs, bool with_locations)
{
    std::ostringstream head;
    std::ostringstream body;
    unsigned number = 0;
    unsigned end = 16;
    for (std::size_t n = 0; n < inputs.size(); ++n) {
        const auto& each = inputs[n];
        // From the highest location down, so that none is where the linker would have put it.
        if (with_locations) head << "layout(location = " << (end -= each.locations()) << ") ";
        head << "in " << each.type << " a" << n;
        if (each.size > 1) head << "[" << each.size << "]";
        head << ";\n";
        for (unsigned k = 0; k < each.locations(); ++k) {
            for (unsigned i = 0; i < each.components; ++i) {
                body << "o[" << number++ << "] = float(a" << n;
                if (each.size > 1) body << "[" << k / each.columns << "]";
                if (each.columns > 1) body << "[" << k % each.columns << "]";
                if (each.components > 1) body << "[" << i << "]";
                body << ");\n";
            }
        }
    }
    return "#version 430\n" + head.str() + "out float o[" + std::to_string(number) + "];\nvoid main() {\n" +
           body.str() + "}\n";
}

using float_rows = std::vector<std::vector<float>>;

float_rows floats_of(const std::string& csv)
{
    float_rows result;
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        auto& row = result.emplace_back();
        for (auto at = line.find("0x"); at != std::string::npos; at = line.find("0x", at + 1))
            row.push_back(to_float(static_cast<std::uint32_t>(std::stoul(line.substr(at, 10), nullptr, 16))));
    }
    return result;
}

/// "LINE:COLUMN: TEXT" of the first error.
std::string first_error(const char* log)
{
    const auto found = read_refusal("/f/a.mesh", log);
    return std::to_string(found.line) + ":" + std::to_string(found.column) + ": " +
           std::string(found.text, static_cast<std::size_t>(found.length));
}

TEST(compile_errors, the_first_of_a_compilers_text_has_its_place)
{
    EXPECT_EQ(first_error("0:2(1): warning: unused\n0:4(39): error: `x' undeclared\n0:5(1): error: more\n"),
              "4:39: `x' undeclared");
    EXPECT_EQ(first_error("0:1(10): preprocessor error: #error stop\n"), "1:10: #error stop");
    EXPECT_EQ(first_error("error: no stage in front of it.\n"), "1:1: no stage in front of it");
    EXPECT_EQ(first_error("/f/a.mesh\nERROR: /f/a.mesh:3: 'y' : undeclared identifier \nERROR: 1 compilation error\n"),
              "3:1: 'y' : undeclared identifier");
    EXPECT_EQ(first_error("ERROR: Linking mesh stage: no entry\n"), "1:1: Linking mesh stage: no entry");
    EXPECT_EQ(first_error("broken\nmore\n"), "1:1: broken");
}

class compiled_draws : public gl_driver {
protected:
    /// What the draw of a vertex shader streams out.
    float_rows draw(const std::string& chip, const std::string& shader, const words& options)
    {
        SCOPED_TRACE(chip + "\n" + shader);
        const auto compiled = run_isbesim(
            words{"compile", folder_.write("a.vert", shader), "--chip", chip, "--out", folder_.path("o")} + options);
        EXPECT_EQ(compiled.status, 0) << compiled.err;
        const auto result =
            run_isbesim({"run", folder_.path("o/scenario.json"), "--timing", "lt", "--out", folder_.path("r")});
        EXPECT_EQ(result.status, 0) << result.err;
        return result.status == 0 ? floats_of(temporary_folder::read(folder_.path("r/vertices.csv"))) : float_rows{};
    }
    /// The same on both instruction sets: `expected` of each vertex.
    template <typename Expected>
    void expect_rows(const std::string& shader, const words& options, unsigned vertices, Expected&& expected)
    {
        for (const std::string chip : {"gm107", "tu102"}) {
            float_rows wanted;
            for (unsigned v = 0; v < vertices; ++v) wanted.push_back(expected(static_cast<float>(v)));
            EXPECT_EQ(draw(chip, shader, options), wanted) << chip << "\n" << shader;
        }
    }
};

TEST_F(compiled_draws, every_location_of_every_type_has_data)
{
    // The widest that 16 slots hold; dvec3, dvec4 and their matrices' columns take two.
    const std::vector<std::vector<input>> lists = {
        {{"float", 1, 1},
         {"vec2", 1, 2},
         {"vec3", 1, 3},
         {"vec4", 1, 4},
         {"int", 1, 1},
         {"ivec2", 1, 2},
         {"ivec3", 1, 3},
         {"ivec4", 1, 4},
         {"uint", 1, 1},
         {"uvec2", 1, 2},
         {"uvec3", 1, 3},
         {"uvec4", 1, 4}},
        {{"double", 1, 1}, {"dvec2", 1, 2}, {"dvec3", 1, 3}, {"float", 1, 1, 3}, {"dvec4", 1, 4}, {"ivec2", 1, 2, 2}},
        {{"mat2", 2, 2}, {"mat3", 3, 3}, {"mat4", 4, 4}},
        {{"mat2x3", 2, 3}, {"mat2x4", 2, 4}, {"mat3x2", 3, 2}, {"float", 1, 1}},
        {{"mat3x4", 3, 4}, {"mat4x2", 4, 2}},
        {{"mat4x3", 4, 3}, {"dmat2", 2, 2}, {"vec2", 1, 2}},
        {{"dmat3", 3, 3}, {"float", 1, 1}, {"dmat2x4", 2, 4}},
        {{"dmat4", 4, 4}, {"float", 1, 1}, {"int", 1, 1}},
        {{"dmat2x3", 2, 3}, {"dmat3x2", 3, 2}, {"dmat4x2", 4, 2}},
        {{"dmat3x4", 3, 4}, {"dmat4x3", 4, 3}},
        {{"dvec3", 1, 3, 2}, {"mat2", 2, 2, 2}, {"uint", 1, 1, 2}, {"dvec2", 1, 2}},
    };
    for (std::size_t n = 0; n < lists.size(); ++n) {
        for (const std::string chip : {"gm107", "tu102"}) {
            // Each list is tried with locations and without, on one chip each.
            const auto shader = copying_shader(lists[n], (chip == "gm107") == (n % 2 == 0));
            float_rows expected(12);
            for (unsigned v = 0; v < expected.size(); ++v)
                for (const auto& each : lists[n])
                    for (unsigned k = 0; k < each.locations(); ++k)
                        for (unsigned i = 0; i < each.components; ++i) expected[v].push_back(value_of(each, v, k, i));
            EXPECT_EQ(draw(chip, shader, {"--xfb", "o"}), expected) << chip << "\n" << shader;
        }
    }
}

TEST_F(compiled_draws, textures_that_nobody_gave_are_black)
{
    // The draw of a bug report.
    expect_rows("#version 430\n"
                "layout(location=0) in vec4 p; uniform sampler2D height; out float h;\n"
                "void main(){ h=texture(height,p.xz).r; gl_Position=p+vec4(0,h,0,0); }\n",
                {"--xfb", "gl_Position,h"}, 12, [](float v) {
                    return std::vector<float>{v / 16, v / 16 + 1, v / 16 + 2, 1, 0};
                });
    // Of all kinds: alpha is 1, and a comparison fails.
    expect_rows("#version 430\n"
                "in vec4 p; out float alpha; out float shadow;\n"
                "uniform sampler1D a; uniform sampler2D b[2]; uniform sampler3D c; uniform samplerCube d;\n"
                "uniform sampler2DRect e; uniform sampler1DArray f; uniform sampler2DArray g;\n"
                "uniform samplerCubeArray h; uniform sampler1DShadow i; uniform sampler2DShadow j;\n"
                "uniform samplerCubeShadow k; uniform sampler2DArrayShadow l; uniform mat4 m;\n"
                "void main() {\n"
                "  alpha = texture(a, p.x).a + texture(b[0], p.xy).a + texture(b[1], p.xy).a + texture(c, p.xyz).a\n"
                "        + texture(d, p.xyz).a + texture(e, p.xy).a + texture(f, p.xy).a + texture(g, p.xyz).a\n"
                "        + texture(h, p).a;\n"
                "  shadow = texture(i, p.xyz) + texture(j, p.xyz) + texture(k, p) + texture(l, p);\n"
                "  gl_Position = m * p;\n"
                "}\n",
                {"--xfb", "alpha,shadow"}, 12, [](float) {
                    return std::vector<float>{9, 0};
                });
}

TEST_F(compiled_draws, buffers_of_texels_have_the_rows_of_attributes)
{
    expect_rows("#version 430\n"
                "in vec4 p; out float x; out float y; out float z;\n"
                "uniform sampler2D other; uniform isamplerBuffer a[2]; uniform samplerBuffer b;\n"
                "layout(binding = 7) uniform usamplerBuffer c;\n"
                "void main() {\n"
                "  gl_Position = p + texture(other, p.xy);\n"
                "  x = texelFetch(a[1], gl_VertexID).z; y = texelFetch(b, gl_VertexID + 1).x;\n"
                "  z = texelFetch(c, 2).w + textureSize(b);\n"
                "}\n",
                {"--xfb", "x,y,z"}, 12, [](float v) {
                    return std::vector<float>{4 * v + 2, (v + 1) / 16, 11 + 28};
                });
}

TEST_F(compiled_draws, blocks_that_nobody_filled_read_as_zero)
{
    expect_rows("#version 430\n"
                "in vec4 p; out float x; uniform sampler2D s; uniform vec4 u[3];\n"
                "layout(binding = 3) uniform A { vec4 a[9]; }; layout(binding = 2) buffer B { int n; float b[]; };\n"
                "void main() { x = p.y + texture(s, p.xy).a + u[gl_VertexID % 3].x + a[gl_VertexID % 9].y\n"
                "                + float(n) + b[gl_VertexID] + float(b.length()); }\n",
                {"--xfb", "x"}, 12, [](float v) { return std::vector<float>{v / 16 + 2}; });
}

TEST_F(compiled_draws, vertices_are_counted_beyond_the_data)
{
    expect_rows("#version 430\n"
                "in vec4 p; out float x; out float n; void main() { x = p.x; n = gl_VertexID; }\n",
                {"--xfb", "x,gl_NextBuffer,n", "--vertices", "30"}, 30, [](float v) {
                    const auto row = static_cast<unsigned>(v) % 12;
                    return std::vector<float>{static_cast<float>(row) / 16, v};
                });
}

} // namespace

} // namespace isbesim::testbench
