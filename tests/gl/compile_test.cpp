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

/// The value of compile for vertex `v` in component `i` of an attribute's location `k`.
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
        for (auto start = line.find("0x"); start != std::string::npos; start = line.find("0x", start + 1))
            row.push_back(to_float(static_cast<std::uint32_t>(std::stoul(line.substr(start, 10), nullptr, 16))));
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

TEST(compile_errors, first_compiler_error_has_its_place)
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
    /// The values that the draw of a vertex shader streams out.
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

TEST_F(compiled_draws, absent_textures_are_black)
{
    // The draw of a bug report.
    expect_rows("#version 430\n"
                "layout(location=0) in vec4 p; uniform sampler2D height; out float h;\n"
                "void main(){ h=texture(height,p.xz).r; gl_Position=p+vec4(0,h,0,0); }\n",
                {"--xfb", "gl_Position,h"}, 12, [](float v) {
                    return std::vector<float>{v / 16, v / 16 + 1, v / 16 + 2, 1, 0};
                });
    // Textures of all kinds: alpha is 1, and a comparison fails.
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

TEST_F(compiled_draws, unfilled_blocks_read_as_zero)
{
    expect_rows("#version 430\n"
                "in vec4 p; out float x; uniform sampler2D s; uniform vec4 u[3];\n"
                "layout(binding = 3) uniform A { vec4 a[9]; }; layout(binding = 2) buffer B { int n; float b[]; };\n"
                "void main() { x = p.y + texture(s, p.xy).a + u[gl_VertexID % 3].x + a[gl_VertexID % 9].y\n"
                "                + float(n) + b[gl_VertexID] + float(b.length()); }\n",
                {"--xfb", "x"}, 12, [](float v) { return std::vector<float>{v / 16 + 2 + 4095}; });
}

TEST_F(compiled_draws, values_of_uniforms_reach_the_programs)
{
    // Every kind of number, layout and block; the values are small whole numbers, so that each sum tells all of them.
    const words options = {
        "--xfb",     "o",
        "--uniform", "m3=1,2,3,4,5,6,7,8,9",
        "--uniform", "flag=true",
        "--uniform", "bv=0,0,1, 0,1,0, 1,0,0",
        "--uniform", "w[3]=2.5",
        "--uniform", "ls[1].color=1,2,3",
        "--uniform", "ls[1].w=4,5",
        "--uniform", "dm=1,2,3,4,5,6",
        "--uniform", "mm[1]=1,2,3,4,5,6,7,8",
        "--uniform", "turns=-3",
        "--uniform", "Blk.bm=1,2,3,4,5,6,7,8,9",
        "--uniform", "Blk.rm=1,2,3,4,5,6",
        "--uniform", "Blk.f[2]=9",
        "--uniform", "Blk.bb=1",
        "--uniform", "Blk.bl[1].color=7,8,9",
        "--uniform", "Blk.bl[1].w=3,4",
        "--uniform", "n=-5",
        "--uniform", "b[7]=1e3",
        "--uniform", "s[3].pos=1,2,3",
        "--uniform", "s[2].q[1]=0.25",
        "--uniform", "t=1,2,3,4",
        "--uniform", "it[1]=-1,2,-3,4",
        "--uniform", "cube=5,6,7,8",
        "--uniform", "ta=1,2,3,4000000000",
    };
    expect_rows("#version 460\n"
                "struct L { vec3 color; float w[2]; }; struct S { vec3 pos; float q[2]; };\n"
                "layout(location = 0) in vec4 p; layout(location = 0) out float o[20];\n"
                "uniform mat3 m3; uniform bool flag; uniform bvec3 bv[3]; uniform float w[5]; uniform L ls[2];\n"
                "uniform dmat2x3 dm; uniform uint start = 7u; uniform mat4x2 mm[2]; uniform int turns;\n"
                "layout(std140, binding = 4) uniform Blk {\n"
                "  mat3 bm; layout(row_major) mat2x3 rm; float f[3]; bool bb; L bl[2]; } i;\n"
                "layout(std430, binding = 2) buffer B { int n; float b[]; };\n"
                "layout(std430, binding = 5) buffer C { S s[]; };\n"
                "uniform sampler2D t; uniform isampler3D it[2]; uniform samplerCube cube; uniform usampler2DArray ta;\n"
                "void main() {\n"
                "  vec3 a = m3 * vec3(1, 10, 100), c = vec3(dm * dvec2(1, 10)), d = i.bm[1], e = i.rm * vec2(1, 10);\n"
                "  o[0] = a.x; o[1] = a.z; o[2] = flag ? 1 : 0;\n"
                "  o[3] = (bv[0].z ? 1 : 0) + (bv[1].y ? 2 : 0) + (bv[2].x ? 4 : 0) + (bv[2].y ? 8 : 0);\n"
                "  o[4] = w[3] + w[gl_VertexID % 3]; o[5] = dot(ls[1].color, vec3(1, 10, 100)); o[6] = ls[1].w[0] + 10 "
                "* ls[1].w[1];\n"
                "  o[7] = c.z; o[8] = float(start); o[9] = (mm[1] * vec4(1, 10, 100, 1000)).y; o[10] = turns;\n"
                "  o[11] = d.y + 10 * i.bm[2].z; o[12] = e.y; o[13] = i.f[2] + (i.bb ? 10 : 0);\n"
                "  o[14] = i.bl[1].color.z + 10 * i.bl[1].w[gl_VertexID % 2]; o[15] = n + b[7] + b[6];\n"
                "  o[16] = s[3].pos.y + s[gl_VertexID % 2 + 1].q[1] * 100;\n"
                "  o[17] = dot(texture(t, p.xy), vec4(1, 10, 100, 1000)) + 10000 * texture(cube, vec3(-1, 0, 0)).y;\n"
                "  o[18] = dot(vec4(texture(it[1], p.xyz)), vec4(1, 10, 100, 1000)) + texture(it[0], p.xyz).w;\n"
                "  o[19] = float(texture(ta, p.xyz).w / 1000000u);\n"
                "}\n",
                options, 12, [](float v) {
                    const bool odd = static_cast<int>(v) % 2 != 0;
                    return std::vector<float>{741,
                                              963,
                                              1,
                                              7,
                                              2.5F,
                                              321,
                                              54,
                                              3 + 60,
                                              7,
                                              2 + 40 + 600 + 8000,
                                              -3,
                                              5 + 90,
                                              2 + 50,
                                              19,
                                              9 + 10 * (odd ? 4.0F : 3.0F),
                                              995,
                                              2 + (odd ? 25.0F : 0.0F),
                                              4321 + 60000,
                                              -1 + 20 - 300 + 4000 + 1,
                                              4000};
                });
}

TEST_F(compiled_draws, missing_or_wrong_value_is_refused)
{
    const auto file =
        folder_.write("a.vert", "#version 450\n"
                                "layout(location = 0) in vec4 p; uniform mat4 mvp; uniform int n = 2;\n"
                                "uniform sampler2D t; uniform Blk { vec4 tint; float idle[2]; };\n"
                                "void main() { gl_Position = mvp * p * float(n) + tint + texture(t, p.xy); }\n");
    const auto compile = [&](const words& options) {
        return run_isbesim(words{"compile", file, "--out", folder_.path("o")} + options);
    };
    const auto whole = compile({"--uniform", "t=1,2,3,4"});
    EXPECT_EQ(whole.status, 0);
    // A member that no program reads and a value of the shader need none.
    const std::string missing = "the programs read mvp (mat4), tint (vec4), of which the scenario has no value";
    EXPECT_NE(whole.err.find(missing), whole.err.npos) << whole.err;
    const auto run = run_isbesim({"run", folder_.path("o"), "--out", folder_.path("r"), "--strict"});
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find(missing), run.err.npos) << run.err;
    const struct {
        const char* value;
        const char* error;
    } cases[] = {
        {"mvp", "--uniform is 'mvp', expected NAME=VALUE,... as in scale=1.5,2"},
        {"mvq=1", "'mvq' is no uniform of these programs, expected mvp, n or t (the nearest of 5)"},
        {"mvp=1,2,3", "'mvp' is mat4 and gets 3 numbers, expected 16"},
        {"n=1.5", "'n' is int and gets 1.5, expected whole numbers from -2147483648 to 2147483647"},
        {"n=two", "'n' is int and gets \"two\", expected whole numbers from -2147483648 to 2147483647"},
        {"n=+-5", "'n' is int and gets \"+-5\", expected whole numbers from -2147483648 to 2147483647"},
        {"n=0x-5", "'n' is int and gets \"0x-5\", expected whole numbers from -2147483648 to 2147483647"},
        {"n=2147483648", "'n' is int and gets 2147483648, expected whole numbers from -2147483648 to 2147483647"},
        {"tint=1,2,3,1e39", "'tint' is vec4 and gets 1e+39, expected numbers of 32-bit floats"},
        {"n[1]=1", "'n[1]' is no uniform of these programs"},
    };
    for (const auto& each : cases) {
        const auto wrong = compile({"--uniform", each.value});
        EXPECT_EQ(wrong.status, 2) << each.value;
        EXPECT_NE(wrong.err.find("command-line:1:6: " + std::string(each.error)), wrong.err.npos) << wrong.err;
    }
    EXPECT_NE(compile({"--uniform", "n=1", "--uniform", "n=1"}).err.find("command-line:1:8: 'n' has two values"),
              std::string::npos);
}

TEST_F(compiled_draws, patches_have_the_vertices_of_their_shader)
{
    // A patch's last vertex is in every vertex that comes out of it.
    const auto vertex =
        folder_.write("p.vert", "#version 440\nlayout(location = 0) in vec4 p; layout(location = 0) out float x;\n"
                                "void main() { x = p.x * 16; }\n");
    const auto evaluation =
        folder_.write("p.tese", "#version 440\nlayout(quads) in; layout(location = 0) in float y[];\n"
                                "layout(location = 0) out vec2 z;\n"
                                "void main() { z = vec2(y[gl_PatchVerticesIn - 1], gl_PatchVerticesIn); }\n");
    for (const int n : {1, 4, 5, 13, 32}) {
        const auto control = folder_.write(
            "p.tesc", "#version 440\nlayout(vertices = " + std::to_string(n) +
                          ") out;\n"
                          "layout(location = 0) in float x[]; layout(location = 0) out float y[];\n"
                          "void main() { y[gl_InvocationID] = x[gl_PatchVerticesIn - 1] + gl_PatchVerticesIn * 100;\n"
                          "  for (int i = 0; i < 4; ++i) gl_TessLevelOuter[i] = 1;\n"
                          "  gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1; }\n");
        for (const int size : {0, 7}) {
            words command{"compile", vertex, control, evaluation, "--xfb", "z", "--out", folder_.path("o")};
            if (size != 0) command = command + words{"--patch-vertices", std::to_string(size)};
            ASSERT_EQ(run_isbesim(command).status, 0) << n;
            const auto run = run_isbesim({"run", folder_.path("o"), "--strict", "--quiet", "--out", folder_.path("r")});
            ASSERT_EQ(run.status, 0) << run.err;
            const auto rows = floats_of(temporary_folder::read(folder_.path("r/vertices.csv")));
            const int each = size != 0 ? size : n;
            const int patches = each > 12 ? 1 : 12 / each;
            ASSERT_EQ(rows.size(), 6U * static_cast<unsigned>(patches)) << n << " " << size;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const int patch = static_cast<int>(i) / 6;
                const auto last = static_cast<float>(each * (patch + 1) - 1);
                EXPECT_EQ(rows[i],
                          (std::vector<float>{last + 100.0F * static_cast<float>(each), static_cast<float>(n)}));
            }
        }
    }
}

TEST_F(compiled_draws, outputs_are_captured_named_or_not)
{
    // Those without a location, too, which no later stage reads.
    expect_rows("#version 450\nlayout(location = 0) in vec4 p; out vec2 x;\n"
                "void main() { gl_Position = p; x = p.xy + 1; }\n",
                {}, 12,
                [](float v) { return std::vector<float>{v / 16, v / 16 + 1, v / 16 + 2, 1, v / 16 + 1, v / 16 + 2}; });
    const auto vertex = folder_.write("s.vert", "#version 450\nlayout(location = 0) in vec4 p; out float x;\n"
                                                "void main() { x = p.x * 16; gl_Position = p; }\n");
    const auto geometry = folder_.write(
        "s.geom",
        "#version 450\nlayout(points) in; layout(points, max_vertices = 2) out; in float x[];\n"
        "layout(stream = 0) out struct { float a[2]; } s; layout(stream = 2) out float b; out vec4 never;\n"
        "void main() { s.a = float[2](x[0], 5); EmitStreamVertex(0); b = x[0] + 100; EmitStreamVertex(2); }\n");
    for (const auto& names : {words{"--xfb", "s.a,b"}, words{}}) {
        ASSERT_EQ(run_isbesim(words{"compile", geometry, vertex, "--out", folder_.path("o")} + names).status, 0);
        ASSERT_EQ(run_isbesim({"run", folder_.path("o"), "--strict", "--quiet", "--out", folder_.path("r")}).status, 0);
        std::istringstream text(temporary_folder::read(folder_.path("r/vertices.csv")));
        std::vector<std::string> rows;
        for (std::string line; std::getline(text, line);) rows.push_back(line);
        ASSERT_EQ(rows.size(), 25U);
        EXPECT_EQ(rows[2].substr(0, 27), "0,1,0,0x3f800000,0x40a00000"); // a = 1, 5 of vertex 1
        EXPECT_EQ(rows[14].substr(0, 6), "2,1,0,");
        EXPECT_NE(rows[14].find("0x42ca0000"), std::string::npos) << rows[14]; // b = 101
    }
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
