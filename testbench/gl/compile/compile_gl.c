/* SPDX-License-Identifier: Apache-2.0 */
/* Links shaders and draws once with them: `isbesim compile` runs this so that the driver compiles for the chip. EGL
 * and GL are loaded by name at run time and not needed to build this.
 *
 *   isbesim_gl_compile PATCH FILE.vert|.tesc|.tese|.geom ... [--xfb NAME,NAME,...]
 *
 * PATCH: vertices of a patch; 0: as many as its control shader leaves, or 3.
 * Exit status: 0 drawn, 2 no context, 6 error in a shader (told on stderr). */
#include <errno.h>

#include "context.h"
#include "input_rows.h"
#include "refusal.h"
#include "uniform_list.h"

/* From the Khronos registry: gl.xml. */
enum {
    ACTIVE_ATTRIBUTES = 0x8b89,
    GEOMETRY_INPUT_TYPE = 0x8917,
    CONTROL_OUTPUT_VERTICES = 0x8e75,
    INTERLEAVED_ATTRIBS = 0x8c8c,
    SEPARATE_ATTRIBS = 0x8c8d,
    PROGRAM_SEPARABLE = 0x8258,
    ARRAY_BUFFER = 0x8892,
    TYPE_UNSIGNED = 0x1405,
    NEAREST = 0x2600,
    MAG_FILTER = 0x2800,
    MIN_FILTER = 0x2801,
    RGBA = 0x1908,
    RGBA_INTEGER = 0x8d99,
    CUBE = 0x8513,
    CUBE_FACE = 0x8515,
    UNIFORM_BUFFER = 0x8a11,
    STORAGE_BUFFER = 0x90d2,
    TEXTURE_BUFFER = 0x8c2a,
    TEXTURE0 = 0x84c0,
    FEEDBACK_BUFFER = 0x8c8e,
    STATIC_DRAW = 0x88e4,
    TYPE_INT = 0x1404,
    TYPE_FLOAT = 0x1406,
    TYPE_DOUBLE = 0x140a,
    UNIFORM = 0x92e1,
    UNIFORM_BLOCK = 0x92e2,
    BUFFER_VARIABLE = 0x92e5,
    PROGRAM_OUTPUT = 0x92e4,
    STORAGE_BLOCK = 0x92e6,
    ACTIVE_RESOURCES = 0x92f5,
    RESOURCE_TYPE = 0x92fa,
    RESOURCE_SIZE = 0x92fb,
    RESOURCE_OFFSET = 0x92fc,
    RESOURCE_BLOCK = 0x92fd,
    RESOURCE_STRIDE = 0x92fe,
    COLUMN_STRIDE = 0x92ff,
    BY_ROWS = 0x9300,
    TOP_SIZE = 0x930c,
    TOP_STRIDE = 0x930d,
    BLOCK_BYTES = 0x9303,
    LOCATION = 0x930e,
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
    FILE* in = fopen(file, "rb");
    char* text;
    long size;
    if (in == NULL) refuse(file, strerror(errno));
    fseek(in, 0, SEEK_END);
    size = ftell(in);
    rewind(in);
    text = calloc((size_t)size + 1, 1);
    if (text == NULL || fread(text, 1, (size_t)size, in) != (size_t)size) refuse(file, strerror(errno));
    fclose(in);
    return text;
}

/* Mesa's nouveau driver announces GLSL 4.30, but its compiler knows the later versions, too. */
static void allow_version(const char* file)
{
    char* text = read_text(file);
    const char* line = strstr(text, "#version");
    int version = 0;
    if (line != NULL && sscanf(line, "#version %d", &version) == 1 && version > 430 && version <= 460) {
        setenv("MESA_GLSL_VERSION_OVERRIDE", "460", 0);
        setenv("MESA_GL_VERSION_OVERRIDE", "4.6", 0);
    }
    free(text);
}

static unsigned compile(const char* file)
{
    char log[4096] = "";
    char* text = read_text(file);
    const unsigned shader = compile_shader(type_of(file), text, log, sizeof log);
    free(text);
    if (shader == 0) refuse(file, log);
    return shader;
}

static int link_program(unsigned program, int name_count, const char* const* names, int captured)
{
    int done = 0;
    GL(void, "glTransformFeedbackVaryings", (unsigned, int, const char* const*, int))
    (program, name_count, names, captured);
    GL(void, "glLinkProgram", (unsigned))(program);
    GL(void, "glGetProgramiv", (unsigned, int, int*))(program, LINK_STATUS, &done);
    return done;
}

/* Links a program that captures these outputs. */
static int link_captured(unsigned program, int name_count, const char* const* names)
{
    /* Outputs of several streams need buffers of their own. */
    return link_program(program, name_count, names, INTERLEAVED_ATTRIBS) ||
           (name_count != 0 && name_count <= most_outputs &&
            link_program(program, name_count, names, SEPARATE_ATTRIBS));
}

/* Types of attributes and uniforms; the numbers are the registry's. */
static const struct type_name {
    int number;
    const char* name;
} type_names[] = {
    {0x1404, "int"},
    {0x1405, "uint"},
    {0x1406, "float"},
    {0x140a, "double"},
    {0x8b50, "vec2 vec3 vec4 ivec2 ivec3 ivec4 bool bvec2 bvec3 bvec4 mat2 mat3 mat4 sampler1D sampler2D sampler3D "
             "samplerCube sampler1DShadow sampler2DShadow sampler2DRect sampler2DRectShadow mat2x3 mat2x4 mat3x2 "
             "mat3x4 mat4x2 mat4x3"},
    {0x8dc0, "sampler1DArray sampler2DArray samplerBuffer sampler1DArrayShadow sampler2DArrayShadow "
             "samplerCubeShadow uvec2 uvec3 uvec4 isampler1D isampler2D isampler3D isamplerCube isampler2DRect "
             "isampler1DArray isampler2DArray isamplerBuffer usampler1D usampler2D usampler3D usamplerCube "
             "usampler2DRect usampler1DArray usampler2DArray usamplerBuffer"},
    {0x8f46, "dmat2 dmat3 dmat4 dmat2x3 dmat2x4 dmat3x2 dmat3x4 dmat4x2 dmat4x3"},
    {0x8ffc, "dvec2 dvec3 dvec4"},
    {0x900c, "samplerCubeArray samplerCubeArrayShadow isamplerCubeArray usamplerCubeArray"},
    {0x904c, "image1D image2D image3D image2DRect imageCube imageBuffer image1DArray image2DArray imageCubeArray "
             "image2DMS image2DMSArray iimage1D iimage2D iimage3D iimage2DRect iimageCube iimageBuffer iimage1DArray "
             "iimage2DArray iimageCubeArray iimage2DMS iimage2DMSArray uimage1D uimage2D uimage3D uimage2DRect "
             "uimageCube uimageBuffer uimage1DArray uimage2DArray uimageCubeArray uimage2DMS uimage2DMSArray"},
    {0x9108, "sampler2DMS isampler2DMS usampler2DMS sampler2DMSArray isampler2DMSArray usampler2DMSArray"},
    {0x92db, "atomic_uint"},
};

enum { name_letters = 32 };

struct type {
    char name[name_letters];
    char kind;         /* f, d, i, u, b; s: sampler; 0: others without words */
    int columns, rows; /* each column of an attribute has its own location */
};

static struct type find_type(int number)
{
    struct type found = {"unknown", 0, 1, 1};
    size_t i = sizeof type_names / sizeof type_names[0] - 1;
    const char* text;
    while (i > 0 && number < type_names[i].number) --i;
    text = type_names[i].name;
    for (number -= type_names[i].number; number > 0 && text != NULL; --number)
        if ((text = strchr(text, ' ')) != NULL) ++text;
    if (text == NULL || number < 0 || sscanf(text, "%31s", found.name) != 1) return found;
    if (strstr(found.name, "sampler") != NULL) found.kind = 's';
    if (found.kind != 0 || strstr(found.name, "image") != NULL || strchr(found.name, '_') != NULL) return found;
    found.kind = strchr("dibu", found.name[0]) != NULL ? found.name[0] : 'f';
    text = strpbrk(found.name, "234");
    if (text == NULL) return found;
    found.rows = *text - '0';
    if (strstr(found.name, "mat") == NULL) return found;
    found.columns = found.rows;
    if (text[1] == 'x') found.rows = text[2] - '0';
    return found;
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
static void make_array(unsigned location, char kind, int row)
{
    const char* const begin = (const char*)&data;
    if (kind == 'd') GL(void, "glVertexAttribLPointer", (unsigned, int, int, int, intptr_t))
    (location, 4, TYPE_DOUBLE, 0, (const char*)data.doubles[row] - begin);
    else if (kind != 'f') GL(void, "glVertexAttribIPointer", (unsigned, int, int, int, intptr_t))(
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
        struct type made;
        GL(void, "glGetActiveAttrib", (unsigned, unsigned, int, int*, int*, int*, char*))
        (program, (unsigned)i, sizeof name, NULL, &size, &type, name);
        first = GL(int, "glGetAttribLocation", (unsigned, const char*))(program, name);
        if (first < 0) continue; /* gl_VertexID and its like */
        made = find_type(type);
        for (k = 0; k < size * made.columns && k < most_locations; ++k) make_array((unsigned)(first + k), made.kind, k);
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
         rows * sizeof data.floats[0]);
    }
}

enum { most_interfaces = 64, most_words = 16384 };

/* Buffers of the blocks, by interface and number. */
static struct {
    unsigned buffer, key;
    int bytes;
} blocks[2][most_interfaces];

static struct {
    int location, count;
    unsigned key;
    struct type type;
} * values;
static int value_count;
static unsigned boolean_words;

static int resources_of(unsigned program, int interface)
{
    int count = 0;
    GL(void, "glGetProgramInterfaceiv", (unsigned, int, int, int*))(program, interface, ACTIVE_RESOURCES, &count);
    return count;
}

static int property(unsigned program, int interface, int i, int which)
{
    int value = 0;
    GL(void, "glGetProgramResourceiv", (unsigned, int, unsigned, int, const int*, int, int*, int*))
    (program, interface, (unsigned)i, 1, &which, 1, NULL, &value);
    return value;
}

static void resource_name(unsigned program, int interface, int i, char name[most_letters])
{
    GL(void, "glGetProgramResourceName", (unsigned, int, unsigned, int, int*, char*))
    (program, interface, (unsigned)i, most_letters, NULL, name);
}

static void cut(char* name, const char* end)
{
    const size_t length = strlen(name), least = strlen(end);
    if (length > least && strcmp(name + length - least, end) == 0) name[length - least] = '\0';
}

/* Links a program whose last stage, the shader `last` of a file, keeps all of its outputs: the driver leaves out those
 * without a location unless they are captured, or programs are separable, for which several shaders would have to
 * declare gl_PerVertex. Returns the number of captured outputs, or -1 if the program can't be linked. */
static int link_whole(unsigned program, unsigned last, const char* file)
{
    static char names[most_names][most_letters];
    const char* list[most_names];
    const unsigned alone = GL(unsigned, "glCreateProgram", (void))();
    int count = 0, all, i;
    GL(void, "glProgramParameteri", (unsigned, int, int))(program, PROGRAM_SEPARABLE, 1);
    if (link_captured(program, 0, NULL)) return 0;
    GL(void, "glProgramParameteri", (unsigned, int, int))(program, PROGRAM_SEPARABLE, 0);
    if (!link_captured(program, 0, NULL)) return -1;
    GL(void, "glProgramParameteri", (unsigned, int, int))(alone, PROGRAM_SEPARABLE, 1);
    GL(void, "glAttachShader", (unsigned, unsigned))(alone, last);
    all = link_captured(alone, 0, NULL) ? resources_of(alone, PROGRAM_OUTPUT) : most_names + 1;
    for (i = 0; i < all && i < most_names; ++i) {
        resource_name(alone, PROGRAM_OUTPUT, i, names[count]);
        cut(names[count], "[0]");
        cut(names[count], "MESA"); /* gl_ClipDistanceMESA */
        list[count] = names[count];
        count += link_captured(program, 1, &list[count]); /* not if it is never written */
    }
    if (all <= most_names && link_captured(program, count, list)) return count;
    fprintf(stderr,
            "isbesim: warning: %s: outputs without a location are left out, expected fewer or --xfb with their names\n",
            file);
    return link_captured(program, 0, NULL) ? 0 : -1;
}

/* Gives block `i` a buffer of zeros at the binding of its number. */
static void make_block(unsigned program, int stored, int i)
{
    static const char zeros[buffer_bytes];
    blocks[stored][i].bytes = buffer_bytes;
    if (!stored) {
        const int bytes = property(program, UNIFORM_BLOCK, i, BLOCK_BYTES);
        if (bytes < buffer_bytes) blocks[stored][i].bytes = bytes;
    }
    blocks[stored][i].key = take_keys(buffer_bytes / 4);
    GL(void, "glGenBuffers", (int, unsigned*))(1, &blocks[stored][i].buffer);
    GL(void, "glBindBufferBase", (int, unsigned, unsigned))
    (stored ? STORAGE_BUFFER : UNIFORM_BUFFER, (unsigned)i, blocks[stored][i].buffer);
    GL(void, "glBufferData", (int, intptr_t, const void*, int))
    (stored ? STORAGE_BUFFER : UNIFORM_BUFFER, blocks[stored][i].bytes, zeros, STATIC_DRAW);
    GL(void, stored ? "glShaderStorageBlockBinding" : "glUniformBlockBinding", (unsigned, unsigned, unsigned))
    (program, (unsigned)i, (unsigned)i);
}

/* The first `size` elements of an array, or those for which its block has room. */
static int room(int size, int offset, int stride)
{
    return size != 0 || stride <= 0 ? size : (buffer_bytes - offset) / stride;
}

/* Lists a variable of a block, whose name ends in [0] for each array. */
static void list_member(unsigned program, int interface, int i, char* name, struct type type)
{
    const int stored = interface == BUFFER_VARIABLE;
    const int offset = property(program, interface, i, RESOURCE_OFFSET);
    const int block = property(program, interface, i, RESOURCE_BLOCK);
    struct layout where = {property(program, interface, i, RESOURCE_STRIDE),
                           property(program, interface, i, COLUMN_STRIDE), property(program, interface, i, BY_ROWS)};
    int count = room(property(program, interface, i, RESOURCE_SIZE), offset, where.array_stride);
    const int top = stored ? property(program, interface, i, TOP_STRIDE) : 0;
    const unsigned key = blocks[stored][block].key + (unsigned)offset / 4;
    char* index = strstr(name, "[0]");
    char full[most_letters + name_letters];
    int k;
    if (top == 0 || index == NULL || index[3] == '\0') {
        list_value(name, type.name, count, key, where);
        return;
    }
    /* An array of structures: NAME[].MEMBER has an element of each, and an array in it a name for each of its own. */
    *index = '\0';
    for (k = 0; k < (count > 1 ? count : 1); ++k) {
        struct layout whole = {top, where.matrix_stride, where.row_major};
        snprintf(full, sizeof full, count > 1 ? "%s[]%s[%d]" : "%s[]%s", name, index + 3, k);
        list_value(full, type.name, room(property(program, interface, i, TOP_SIZE), offset, top),
                   key + (unsigned)(k * where.array_stride) / 4, whole);
    }
}

/* Textures of one texel. */
static struct texture {
    const struct texture_kind {
        const char* name;
        int target, dimensions, layers;
    } * kind;
    char number; /* as of a type */
    unsigned name, key;
} textures[most_interfaces];
static int texture_count;

static int format_of(char number)
{
    return number == 'f' ? 0x8814 : number == 'i' ? 0x8d82 : 0x8d70; /* four words each */
}

static void fill_texture(const struct texture* texture, const void* texel)
{
    const int format = texture->number == 'f' ? RGBA : RGBA_INTEGER;
    const int type = texture->number == 'f' ? TYPE_FLOAT : texture->number == 'i' ? TYPE_INT : TYPE_UNSIGNED;
    const int cube = texture->kind->target == CUBE;
    int face;
    GL(void, "glBindTexture", (int, unsigned))(texture->kind->target, texture->name);
    for (face = 0; face < (cube ? 6 : 1); ++face) {
        const int target = cube ? CUBE_FACE + face : texture->kind->target;
        if (texture->kind->dimensions == 1) GL(void, "glTexSubImage1D", (int, int, int, int, int, int, const void*))
        (target, 0, 0, 1, format, type, texel);
        else if (texture->kind->dimensions == 2)
            GL(void, "glTexSubImage2D", (int, int, int, int, int, int, int, int, const void*))(target, 0, 0, 0, 1, 1,
                                                                                               format, type, texel);
        else GL(void, "glTexSubImage3D", (int, int, int, int, int, int, int, int, int, int, const void*))(
            target, 0, 0, 0, 0, 1, 1, texture->kind->layers, format, type, texel);
    }
}

/* A texture for a sampler at the active unit, with the texel 0, 0, 0, 1. Those of several samples or that compare
 * depths have none: the driver then samples 0, 0, 0, 1. */
static void make_texture(const char* name, struct type type)
{
    static const struct texture_kind kinds[] = {
        {"1D", 0xde0, 1, 1},      {"2D", 0xde1, 2, 1},       {"3D", 0x806f, 3, 1},      {"Cube", CUBE, 2, 1},
        {"2DRect", 0x84f5, 2, 1}, {"1DArray", 0x8c18, 2, 1}, {"2DArray", 0x8c1a, 3, 1}, {"CubeArray", 0x9009, 3, 6}};
    static const struct layout shown;
    static const float black[4 * 6] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int whole[4 * 6] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    struct texture* texture = textures + texture_count;
    const int letter = type.name[0] == 's' ? 0 : 1;
    size_t i = 0;
    while (i < sizeof kinds / sizeof kinds[0] && strcmp(kinds[i].name, type.name + letter + strlen("sampler")) != 0)
        ++i;
    if (i == sizeof kinds / sizeof kinds[0] || texture_count == most_interfaces) {
        list_value(name, type.name, 1, 0, shown);
        return;
    }
    texture->kind = kinds + i;
    texture->number = letter == 0 ? 'f' : type.name[0];
    texture->key = take_keys(4);
    GL(void, "glGenTextures", (int, unsigned*))(1, &texture->name);
    GL(void, "glBindTexture", (int, unsigned))(texture->kind->target, texture->name);
    if (texture->kind->dimensions == 1) GL(void, "glTexStorage1D", (int, int, int, int))
    (texture->kind->target, 1, format_of(texture->number), 1);
    else if (texture->kind->dimensions == 2) GL(void, "glTexStorage2D", (int, int, int, int, int))(
        texture->kind->target, 1, format_of(texture->number), 1, 1);
    else GL(void, "glTexStorage3D", (int, int, int, int, int, int))(
        texture->kind->target, 1, format_of(texture->number), 1, 1, texture->kind->layers);
    GL(void, "glTexParameteri", (int, int, int))(texture->kind->target, MIN_FILTER, NEAREST);
    GL(void, "glTexParameteri", (int, int, int))(texture->kind->target, MAG_FILTER, NEAREST);
    fill_texture(texture, letter == 0 ? (const void*)black : (const void*)whole);
    list_value(name, type.name, 1, texture->key, shown);
    ++texture_count;
}

/* Every sampler gets its own unit, since a unit can't hold textures of two kinds. */
static void make_sampler(unsigned program, const char* name, int number, int count)
{
    static int unit;
    const int location = GL(int, "glGetUniformLocation", (unsigned, const char*))(program, name);
    const struct type type = find_type(number);
    const size_t length = strlen(name);
    char one[most_letters + name_letters];
    int i;
    for (i = 0; i < count; ++i, ++unit) {
        GL(void, "glUniform1i", (int, int))(location + i, unit);
        GL(void, "glActiveTexture", (int))(TEXTURE0 + unit);
        make_buffer_texture(unit, number);
        snprintf(one, sizeof one, "%s", name);
        if (length > 3 && strcmp(name + length - 3, "[0]") == 0)
            snprintf(one, sizeof one, "%.*s[%d]", (int)length - 3, name, i);
        make_texture(one, type);
    }
}

/* Lists the uniforms and the variables of storage blocks, and gives samplers a unit and blocks a buffer. */
static void make_uniforms(unsigned program)
{
    static const int interfaces[] = {UNIFORM, BUFFER_VARIABLE}, blocks_of[] = {UNIFORM_BLOCK, STORAGE_BLOCK};
    static const struct layout shown;
    int stored, i;
    for (stored = 0; stored < 2; ++stored)
        for (i = 0; i < resources_of(program, blocks_of[stored]) && i < most_interfaces; ++i)
            make_block(program, stored, i);
    values = calloc((size_t)resources_of(program, UNIFORM) + 1, sizeof *values);
    for (stored = 0; stored < 2; ++stored) {
        const int interface = interfaces[stored];
        for (i = 0; i < resources_of(program, interface); ++i) {
            char name[most_letters];
            const int number = property(program, interface, i, RESOURCE_TYPE);
            const struct type type = find_type(number);
            const int count = property(program, interface, i, RESOURCE_SIZE);
            unsigned words = (unsigned)(type.columns * type.rows * count) * (type.kind == 'd' ? 2 : 1);
            resource_name(program, interface, i, name);
            if (type.kind == 's') {
                make_sampler(program, name, number, count);
                continue;
            }
            cut(name, "[0]");
            if (property(program, interface, i, RESOURCE_BLOCK) >= 0) {
                if (type.kind != 0) list_member(program, interface, i, name, type);
                continue;
            }
            if (type.kind == 0 || words > most_words) {
                list_value(name, type.name, count, 0, shown);
                continue;
            }
            values[value_count].location = property(program, interface, i, LOCATION);
            values[value_count].count = count;
            values[value_count].type = type;
            if (type.kind == 'b') {
                values[value_count].key = boolean_words + 1;
                boolean_words += words;
            } else {
                values[value_count].key = take_keys(words);
            }
            list_value(name, type.name, count, values[value_count++].key, shown);
        }
    }
}

/* Gives every value words that show where it is: bit `bit` of the keys of booleans, or the keys of the others. */
static void show_places(int bit)
{
    static unsigned words[most_words];
    unsigned w;
    int i, stored;
    for (i = 0; i < value_count; ++i) {
        const struct type* type = &values[i].type;
        char function[name_letters];
        if ((type->kind == 'b') != (bit >= 0)) continue;
        for (w = 0; w < most_words; ++w) words[w] = bit < 0 ? values[i].key + w : (values[i].key + w) >> bit & 1;
        if (type->columns == 1) {
            const char* letters = type->kind == 'b'   ? "i"
                                  : type->kind == 'u' ? "ui"
                                  : type->kind == 'd' ? "d"
                                  : type->kind == 'i' ? "i"
                                                      : "f";
            snprintf(function, sizeof function, "glUniform%d%sv", type->rows, letters);
            GL(void, function, (int, int, const void*))(values[i].location, values[i].count, words);
        } else {
            snprintf(function, sizeof function, "glUniformMatrix%dx%d%cv", type->columns, type->rows, type->kind);
            if (type->columns == type->rows)
                snprintf(function, sizeof function, "glUniformMatrix%d%cv", type->rows, type->kind);
            GL(void, function, (int, int, unsigned char, const void*))(values[i].location, values[i].count, 0, words);
        }
    }
    for (i = 0; i < texture_count && bit < 0; ++i) {
        unsigned texels[4 * 6];
        for (w = 0; w < 4 * 6; ++w) texels[w] = textures[i].key + w % 4;
        fill_texture(textures + i, texels);
    }
    for (stored = 0; stored < 2 && bit < 0; ++stored) {
        for (i = 0; i < most_interfaces && blocks[stored][i].buffer != 0; ++i) {
            for (w = 0; w < buffer_bytes / 4; ++w) words[w] = blocks[stored][i].key + w;
            GL(void, "glBindBuffer", (int, unsigned))(UNIFORM_BUFFER, blocks[stored][i].buffer);
            GL(void, "glBufferSubData", (int, intptr_t, intptr_t, const void*))
            (UNIFORM_BUFFER, 0, blocks[stored][i].bytes, words);
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

static void draw(int primitive, int count, int feedback)
{
    unsigned output;
    unsigned i;
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
    if (feedback) {
        static const int kinds[] = {TRIANGLES, LINES, POINTS};
        for (i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
            GL(void, "glBeginTransformFeedback", (int))(kinds[i]);
            GL(void, "glDrawArrays", (int, int, int))(primitive, 0, count);
            GL(void, "glEndTransformFeedback", (void))();
            if (GL(int, "glGetError", (void))() == 0) break;
        }
    } else {
        GL(void, "glDrawArrays", (int, int, int))(primitive, 0, count);
    }
    GL(void, "glFinish", (void))();
}

int main(int argc, char** argv)
{
    const char* names[most_names];
    int name_count = 0;
    unsigned program, last = 0;
    const char* last_file = argv[2];
    int stages = 0;
    int primitive, patch, count;
    int i;
    for (i = 2; i < argc && strcmp(argv[i], "--xfb") != 0; ++i) allow_version(argv[i]);
    if (!open_context(-1)) {
        fprintf(stderr, "no OpenGL 4.3 context without a window system\n");
        return 2;
    }
    program = GL(unsigned, "glCreateProgram", (void))();
    for (i = 2; i < argc; ++i) {
        unsigned shader;
        int type;
        if (strcmp(argv[i], "--xfb") == 0 && i + 1 < argc) {
            char* name = strtok(argv[++i], ",");
            for (; name != NULL && name_count < most_names; name = strtok(NULL, ",")) names[name_count++] = name;
            continue;
        }
        type = type_of(argv[i]);
        stages |= type == GEOMETRY_SHADER ? 1 : type == EVALUATION_SHADER ? 2 : type == CONTROL_SHADER ? 4 : 0;
        shader = compile(argv[i]);
        GL(void, "glAttachShader", (unsigned, unsigned))(program, shader);
        if (type == (stages & 1 ? GEOMETRY_SHADER : stages & 2 ? EVALUATION_SHADER : VERTEX_SHADER)) {
            last = shader;
            last_file = argv[i];
        }
    }
    if (name_count == 0)
        name_count = link_whole(program, last, last_file);
    else if (!link_captured(program, name_count, names))
        name_count = -1;
    if (name_count < 0) {
        char log[4096] = "";
        GL(void, "glGetProgramInfoLog", (unsigned, int, int*, char*))(program, sizeof log, NULL, log);
        refuse(argv[2], log);
    }
    GL(void, "glUseProgram", (unsigned))(program);
    make_arrays(program);
    open_list();
    make_uniforms(program);
    make_framebuffer();
    primitive = primitive_of(program, stages);
    patch = atoi(argv[1]);
    count = vertices;
    if (primitive == PATCHES) {
        if (patch == 0 && (stages & 4) != 0)
            GL(void, "glGetProgramiv", (unsigned, int, int*))(program, CONTROL_OUTPUT_VERTICES, &patch);
        if (patch == 0) patch = 3;
        GL(void, "glPatchParameteri", (int, int))(PATCH_VERTICES, patch);
        count = whole_patches(patch);
    }
    draw(primitive, count, name_count != 0);
    for (i = 0; boolean_words >> i != 0; ++i) {
        show_places(i);
        draw(primitive, count, name_count != 0);
    }
    show_places(-1);
    if (value_count != 0 || texture_count != 0 || blocks[0][0].buffer != 0 || blocks[1][0].buffer != 0)
        draw(primitive, count, name_count != 0);
    return fclose(name_list) == 0 ? 0 : 2;
}
