/* SPDX-License-Identifier: Apache-2.0 */
/* Links shaders and draws once with them: `isbesim compile` runs this so that the driver compiles for the chip. EGL
 * and GL are loaded by name at run time and not needed to build this.
 *
 *   isbesim_gl_compile FILE.vert|.tesc|.tese|.geom ... [--xfb NAME,NAME,...]
 *
 * Exit status: 0 drawn, 2 no context, 6 error in a shader (told on stderr). */
#include <errno.h>

#include "context.h"
#include "input_rows.h"
#include "refusal.h"

/* From the Khronos registry: gl.xml. */
enum {
    ACTIVE_UNIFORMS = 0x8b86,
    ACTIVE_ATTRIBUTES = 0x8b89,
    GEOMETRY_INPUT_TYPE = 0x8917,
    CONTROL_OUTPUT_VERTICES = 0x8e75,
    INTERLEAVED_ATTRIBS = 0x8c8c,
    ARRAY_BUFFER = 0x8892,
    TEXTURE_BUFFER = 0x8c2a,
    TEXTURE0 = 0x84c0,
    FEEDBACK_BUFFER = 0x8c8e,
    STATIC_DRAW = 0x88e4,
    TYPE_INT = 0x1404,
    TYPE_FLOAT = 0x1406,
    TYPE_DOUBLE = 0x140a,
    LINES = 1,
    TRIANGLES = 4,
    LINES_ADJACENCY = 0xa,
    TRIANGLES_ADJACENCY = 0xc,
    most_letters = 2048,
    most_names = 64,
    most_outputs = 4,
    output_bytes = 1 << 20
};

static int type_of(const char* file)
{
    const char* end = strrchr(file, '.');
    if (end == NULL) return 0;
    if (strcmp(end, ".vert") == 0) return VERTEX_SHADER;
    if (strcmp(end, ".tesc") == 0) return CONTROL_SHADER;
    if (strcmp(end, ".tese") == 0) return EVALUATION_SHADER;
    if (strcmp(end, ".geom") == 0) return GEOMETRY_SHADER;
    return 0;
}

static char* read_text(const char* file)
{
    static const char readable[] = "a file that can be read";
    FILE* in = fopen(file, "rb");
    char* text;
    long size;
    if (in == NULL) refuse(file, strerror(errno), readable);
    fseek(in, 0, SEEK_END);
    size = ftell(in);
    rewind(in);
    text = calloc((size_t)size + 1, 1);
    if (text == NULL || fread(text, 1, (size_t)size, in) != (size_t)size) refuse(file, strerror(errno), readable);
    fclose(in);
    return text;
}

static const char glsl[] = "GLSL 4.30";

static unsigned compile(const char* file)
{
    char log[4096] = "";
    char* text = read_text(file);
    const unsigned shader = compile_shader(type_of(file), text, log, sizeof log);
    free(text);
    if (shader == 0) refuse(file, log, glsl);
    return shader;
}

enum number { FLOATS, INTEGERS, DOUBLES };

/* Parts of an attribute type. The numbers are the registry's; all other types are floats. */
struct attribute_type {
    int first, last;
    enum number number;
    int columns; /* each has its own location */
};

static struct attribute_type find_type(int type)
{
    static const struct attribute_type types[] = {
        {0x1404, 0x1405, INTEGERS, 1}, {0x8b53, 0x8b55, INTEGERS, 1},
        {0x8dc6, 0x8dc8, INTEGERS, 1},                               /* (u)int, vectors */
        {0x140a, 0x140a, DOUBLES, 1},  {0x8ffc, 0x8ffe, DOUBLES, 1}, /* double, dvec */
        {0x8b5a, 0x8b5a, FLOATS, 2},   {0x8b65, 0x8b66, FLOATS, 2},  /* mat2, mat2x. */
        {0x8b5b, 0x8b5b, FLOATS, 3},   {0x8b67, 0x8b68, FLOATS, 3},  /* mat3, mat3x. */
        {0x8b5c, 0x8b5c, FLOATS, 4},   {0x8b69, 0x8b6a, FLOATS, 4},  /* mat4, mat4x. */
        {0x8f46, 0x8f46, DOUBLES, 2},  {0x8f49, 0x8f4a, DOUBLES, 2}, /* the same with */
        {0x8f47, 0x8f47, DOUBLES, 3},  {0x8f4b, 0x8f4c, DOUBLES, 3}, /* doubles */
        {0x8f48, 0x8f48, DOUBLES, 4},  {0x8f4d, 0x8f4e, DOUBLES, 4},
    };
    struct attribute_type result = {0, 0, FLOATS, 1};
    size_t i;
    for (i = 0; i < sizeof types / sizeof types[0]; ++i)
        if (type >= types[i].first && type <= types[i].last) result = types[i];
    return result;
}

static unsigned data_buffer;

static void make_data(void)
{
    fill_data();
    GL(void, "glGenBuffers", (int, unsigned*))(1, &data_buffer);
    GL(void, "glBindBuffer", (int, unsigned))(ARRAY_BUFFER, data_buffer);
    GL(void, "glBufferData", (int, intptr_t, const void*, int))(ARRAY_BUFFER, sizeof data, &data, STATIC_DRAW);
}

/* Makes an array for a location; it starts at `row`. */
static void make_array(unsigned location, enum number number, int row)
{
    const char* const begin = (const char*)&data;
    if (number == DOUBLES) GL(void, "glVertexAttribLPointer", (unsigned, int, int, int, intptr_t))
    (location, 4, TYPE_DOUBLE, 0, (const char*)data.doubles[row] - begin);
    else if (number == INTEGERS) GL(void, "glVertexAttribIPointer", (unsigned, int, int, int, intptr_t))(
        location, 4, TYPE_INT, 0, (const char*)data.integers[row] - begin);
    else GL(void, "glVertexAttribPointer", (unsigned, int, int, unsigned char, int, intptr_t))(
        location, 4, TYPE_FLOAT, 0, 0, (const char*)data.floats[row] - begin);
    GL(void, "glEnableVertexAttribArray", (unsigned))(location);
}

/* Every location of every attribute gets an array. In matrices and arrays, each starts one row later. */
static void make_arrays(unsigned program)
{
    unsigned array;
    int count = 0;
    int i;
    GL(void, "glGenVertexArrays", (int, unsigned*))(1, &array);
    GL(void, "glBindVertexArray", (unsigned))(array);
    make_data();
    GL(void, "glGetProgramiv", (unsigned, int, int*))(program, ACTIVE_ATTRIBUTES, &count);
    for (i = 0; i < count; ++i) {
        char name[most_letters];
        int size = 0;
        int type = 0;
        int first;
        int k;
        struct attribute_type made;
        GL(void, "glGetActiveAttrib", (unsigned, unsigned, int, int*, int*, int*, char*))
        (program, (unsigned)i, sizeof name, NULL, &size, &type, name);
        first = GL(int, "glGetAttribLocation", (unsigned, const char*))(program, name);
        if (first < 0) continue; /* gl_VertexID and its like */
        made = find_type(type);
        for (k = 0; k < size * made.columns && k < most_locations; ++k)
            make_array((unsigned)(first + k), made.number, k);
    }
}

/* Texel v of a buffer texture is row v of the data. Without a buffer the driver has no texels. */
static void make_buffer_texture(int unit, int type)
{
    static const struct {
        int type, format;
        const void* texels;
    } kinds[] = {{0x8dc2, 0x8814, data.floats}, {0x8dd0, 0x8d82, data.integers}, {0x8dd8, 0x8d70, data.integers}};
    unsigned texture;
    size_t i;
    for (i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (type != kinds[i].type) continue;
        GL(void, "glGenTextures", (int, unsigned*))(1, &texture);
        GL(void, "glActiveTexture", (int))(TEXTURE0 + unit);
        GL(void, "glBindTexture", (int, unsigned))(TEXTURE_BUFFER, texture);
        GL(void, "glTexBufferRange", (int, int, unsigned, intptr_t, intptr_t))
        (TEXTURE_BUFFER, kinds[i].format, data_buffer, (const char*)kinds[i].texels - (const char*)&data,
         sizeof data.floats);
    }
}

/* Every sampler gets its own unit, since a unit can't hold textures of two kinds. The driver samples 0, 0, 0, 1 if a
 * texture is missing. */
static void make_textures(unsigned program)
{
    static const struct {
        int first, last; /* registry numbers of samplers */
    } samplers[] = {{0x8b5d, 0x8b64}, {0x8dc0, 0x8dc5}, {0x8dc9, 0x8dd8}, {0x900c, 0x900f}, {0x9108, 0x910d}};
    int count = 0;
    int unit = 0;
    int i;
    GL(void, "glGetProgramiv", (unsigned, int, int*))(program, ACTIVE_UNIFORMS, &count);
    for (i = 0; i < count; ++i) {
        char name[most_letters];
        int size = 0;
        int type = 0;
        int location;
        size_t k = 0;
        GL(void, "glGetActiveUniform", (unsigned, unsigned, int, int*, int*, int*, char*))
        (program, (unsigned)i, sizeof name, NULL, &size, &type, name);
        while (k < sizeof samplers / sizeof samplers[0] && (type < samplers[k].first || type > samplers[k].last)) ++k;
        if (k == sizeof samplers / sizeof samplers[0]) continue;
        location = GL(int, "glGetUniformLocation", (unsigned, const char*))(program, name);
        for (; size > 0; --size, ++location, ++unit) {
            GL(void, "glUniform1i", (int, int))(location, unit);
            make_buffer_texture(unit, type);
        }
    }
}

static int primitive_of(unsigned program, int stages)
{
    int type = TRIANGLES;
    if ((stages & 2) != 0) return PATCHES;
    if ((stages & 1) != 0) GL(void, "glGetProgramiv", (unsigned, int, int*))(program, GEOMETRY_INPUT_TYPE, &type);
    return type;
}

static void draw(unsigned program, int stages, int feedback)
{
    unsigned output;
    unsigned i;
    int primitive = primitive_of(program, stages);
    if (feedback) {
        /* Capture must begin with the kind that the last stage outputs: points, lines or triangles. The driver checks
         * this after it has compiled and set up everything, so the first kind that it accepts is used. */
        for (i = 0; i < most_outputs; ++i) {
            GL(void, "glGenBuffers", (int, unsigned*))(1, &output);
            GL(void, "glBindBufferBase", (int, unsigned, unsigned))(FEEDBACK_BUFFER, i, output);
            GL(void, "glBufferData", (int, intptr_t, const void*, int))
            (FEEDBACK_BUFFER, output_bytes, NULL, STATIC_DRAW);
        }
        while (GL(int, "glGetError", (void))() != 0) continue;
    }
    GL(void, "glEnable", (int))(RASTERIZER_DISCARD);
    if (primitive == PATCHES) GL(void, "glPatchParameteri", (int, int))(PATCH_VERTICES, 3);
    if (feedback) {
        static const int kinds[] = {TRIANGLES, LINES, POINTS};
        for (i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
            GL(void, "glBeginTransformFeedback", (int))(kinds[i]);
            GL(void, "glDrawArrays", (int, int, int))(primitive, 0, vertices);
            GL(void, "glEndTransformFeedback", (void))();
            if (GL(int, "glGetError", (void))() == 0) break;
        }
    } else {
        GL(void, "glDrawArrays", (int, int, int))(primitive, 0, vertices);
    }
    GL(void, "glFinish", (void))();
}

int main(int argc, char** argv)
{
    const char* names[most_names];
    int name_count = 0;
    unsigned program;
    int stages = 0;
    int done = 0;
    int i;
    if (!open_context(-1)) {
        fprintf(stderr, "no OpenGL 4.3 context without a window system\n");
        return 2;
    }
    program = GL(unsigned, "glCreateProgram", (void))();
    for (i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--xfb") == 0 && i + 1 < argc) {
            char* name = strtok(argv[++i], ",");
            for (; name != NULL && name_count < most_names; name = strtok(NULL, ",")) names[name_count++] = name;
            continue;
        }
        if (type_of(argv[i]) == GEOMETRY_SHADER) stages |= 1;
        if (type_of(argv[i]) == EVALUATION_SHADER) stages |= 2;
        GL(void, "glAttachShader", (unsigned, unsigned))(program, compile(argv[i]));
    }
    if (name_count != 0) GL(void, "glTransformFeedbackVaryings", (unsigned, int, const char* const*, int))
    (program, name_count, names, INTERLEAVED_ATTRIBS);
    GL(void, "glLinkProgram", (unsigned))(program);
    GL(void, "glGetProgramiv", (unsigned, int, int*))(program, LINK_STATUS, &done);
    if (!done) {
        char log[4096] = "";
        GL(void, "glGetProgramInfoLog", (unsigned, int, int*, char*))(program, sizeof log, NULL, log);
        refuse(argv[1], log, glsl);
    }
    GL(void, "glUseProgram", (unsigned))(program);
    make_arrays(program);
    make_textures(program);
    make_framebuffer();
    draw(program, stages, name_count != 0);
    return 0;
}
