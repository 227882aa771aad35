/* Links shaders and draws once with them: what `isbesim compile` runs, so that the driver compiles for the chip. EGL
 * and GL come by name at run time; nothing of them is needed to build this.
 *
 *   isbesim_gl_compile FILE.vert|.tesc|.tese|.geom ... [--xfb NAME,NAME,...]
 *
 * Exit status: 0 drawn, 1 a shader is wrong (the driver's text on stderr), 2 no context. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the Khronos registry: egl.xml and gl.xml. */
enum {
    EGL_PLATFORM_SURFACELESS = 0x31dd,
    EGL_OPENGL = 0x30a2,
    EGL_MAJOR = 0x3098,
    EGL_MINOR = 0x30fb,
    EGL_PROFILE = 0x30fd,
    EGL_CORE = 1,
    EGL_END = 0x3038,
    VERTEX_SHADER = 0x8b31,
    GEOMETRY_SHADER = 0x8dd9,
    CONTROL_SHADER = 0x8e88,
    EVALUATION_SHADER = 0x8e87,
    COMPILE_STATUS = 0x8b81,
    LINK_STATUS = 0x8b82,
    ACTIVE_ATTRIBUTES = 0x8b89,
    GEOMETRY_INPUT_TYPE = 0x8917,
    CONTROL_OUTPUT_VERTICES = 0x8e75,
    PATCH_VERTICES = 0x8e72,
    INTERLEAVED_ATTRIBS = 0x8c8c,
    ARRAY_BUFFER = 0x8892,
    FEEDBACK_BUFFER = 0x8c8e,
    STATIC_DRAW = 0x88e4,
    RASTERIZER_DISCARD = 0x8c89,
    FRAMEBUFFER = 0x8d40,
    DEFAULT_WIDTH = 0x9310,
    DEFAULT_HEIGHT = 0x9311,
    TYPE_FLOAT = 0x1406,
    TYPE_INT = 0x1404,
    FIRST_INT_VECTOR = 0x8b53, /* INT_VEC2 .. INT_VEC4 */
    LAST_INT_VECTOR = 0x8b55,
    TYPE_UNSIGNED = 0x1405,
    FIRST_UNSIGNED_VECTOR = 0x8dc6,
    LAST_UNSIGNED_VECTOR = 0x8dc8,
    POINTS = 0,
    LINES = 1,
    TRIANGLES = 4,
    LINES_ADJACENCY = 0xa,
    TRIANGLES_ADJACENCY = 0xc,
    PATCHES = 0xe,
    vertices = 12, /* whole primitives of every kind */
    most_names = 64,
    output_bytes = 1 << 20
};

typedef void (*any_function)(void);
static any_function (*get_function)(const char*);

static any_function gl(const char* name)
{
    const any_function found = get_function(name);
    if (found == NULL) {
        fprintf(stderr, "no function %s\n", name);
        exit(2);
    }
    return found;
}

#define GL(result, name, types) ((result(*) types)gl(name))

static void* open_context(void* library)
{
    static const int attributes[] = {EGL_MAJOR, 4, EGL_MINOR, 3, EGL_PROFILE, EGL_CORE, EGL_END};
    void* symbol = dlsym(library, "eglGetProcAddress");
    void* display;
    void* context;
    memcpy(&get_function, &symbol, sizeof get_function);
    display = GL(void*, "eglGetPlatformDisplayEXT", (int, void*, const int*))(EGL_PLATFORM_SURFACELESS, NULL, NULL);
    if (display == NULL || !GL(int, "eglInitialize", (void*, int*, int*))(display, NULL, NULL)) return NULL;
    GL(int, "eglBindAPI", (int))(EGL_OPENGL);
    context = GL(void*, "eglCreateContext", (void*, void*, void*, const int*))(display, NULL, NULL, attributes);
    if (context == NULL) return NULL;
    return GL(int, "eglMakeCurrent", (void*, void*, void*, void*))(display, NULL, NULL, context) ? context : NULL;
}

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
    if (in == NULL) {
        perror(file);
        exit(1);
    }
    fseek(in, 0, SEEK_END);
    size = ftell(in);
    rewind(in);
    text = calloc((size_t)size + 1, 1);
    if (text == NULL || fread(text, 1, (size_t)size, in) != (size_t)size) exit(1);
    fclose(in);
    return text;
}

static unsigned compile(const char* file)
{
    char* text = read_text(file);
    const char* const lines = text;
    char log[4096] = "";
    int done = 0;
    const unsigned shader = GL(unsigned, "glCreateShader", (int))(type_of(file));
    GL(void, "glShaderSource", (unsigned, int, const char* const*, const int*))(shader, 1, &lines, NULL);
    GL(void, "glCompileShader", (unsigned))(shader);
    GL(void, "glGetShaderiv", (unsigned, int, int*))(shader, COMPILE_STATUS, &done);
    free(text);
    if (done) return shader;
    GL(void, "glGetShaderInfoLog", (unsigned, int, int*, char*))(shader, sizeof log, NULL, log);
    fprintf(stderr, "%s: %s\n", file, log);
    exit(1);
}

/* Every attribute gets an array: value number + vertex / 16 in its first component, and so on. */
static void make_arrays(unsigned program)
{
    static float floats[vertices][4];
    static int integers[vertices][4];
    unsigned buffers[2];
    unsigned array;
    int count = 0;
    int i;
    for (i = 0; i < vertices * 4; ++i) {
        floats[i / 4][i % 4] = i % 4 == 3 ? 1.0F : (float)(i / 4) / 16.0F + (float)(i % 4);
        integers[i / 4][i % 4] = i;
    }
    GL(void, "glGenVertexArrays", (int, unsigned*))(1, &array);
    GL(void, "glBindVertexArray", (unsigned))(array);
    GL(void, "glGenBuffers", (int, unsigned*))(2, buffers);
    for (i = 0; i < 2; ++i) {
        GL(void, "glBindBuffer", (int, unsigned))(ARRAY_BUFFER, buffers[i]);
        GL(void, "glBufferData", (int, intptr_t, const void*, int))
        (ARRAY_BUFFER, sizeof floats, i == 0 ? (const void*)floats : (const void*)integers, STATIC_DRAW);
    }
    GL(void, "glGetProgramiv", (unsigned, int, int*))(program, ACTIVE_ATTRIBUTES, &count);
    for (i = 0; i < count; ++i) {
        char name[256];
        int size = 0;
        int type = 0;
        int location;
        int whole;
        GL(void, "glGetActiveAttrib", (unsigned, unsigned, int, int*, int*, int*, char*))
        (program, (unsigned)i, sizeof name, NULL, &size, &type, name);
        location = GL(int, "glGetAttribLocation", (unsigned, const char*))(program, name);
        if (location < 0) continue; /* gl_VertexID and its like */
        whole = type == TYPE_INT || type == TYPE_UNSIGNED || (type >= FIRST_INT_VECTOR && type <= LAST_INT_VECTOR) ||
                (type >= FIRST_UNSIGNED_VECTOR && type <= LAST_UNSIGNED_VECTOR);
        GL(void, "glBindBuffer", (int, unsigned))(ARRAY_BUFFER, buffers[whole]);
        if (whole) GL(void, "glVertexAttribIPointer", (unsigned, int, int, int, const void*))
        ((unsigned)location, 4, TYPE_INT, 0, NULL);
        else GL(void, "glVertexAttribPointer",
                (unsigned, int, int, unsigned char, int, const void*))((unsigned)location, 4, TYPE_FLOAT, 0, 0, NULL);
        GL(void, "glEnableVertexAttribArray", (unsigned))((unsigned)location);
    }
}

static int primitive_of(unsigned program, int stages)
{
    int type = TRIANGLES;
    if ((stages & 2) != 0) return PATCHES;
    if ((stages & 1) != 0) GL(void, "glGetProgramiv", (unsigned, int, int*))(program, GEOMETRY_INPUT_TYPE, &type);
    return type;
}

/* Without a window there is no framebuffer to draw to; one without attachments does. */
static void make_framebuffer(void)
{
    enum { side = 16 };
    unsigned framebuffer;
    GL(void, "glGenFramebuffers", (int, unsigned*))(1, &framebuffer);
    GL(void, "glBindFramebuffer", (int, unsigned))(FRAMEBUFFER, framebuffer);
    GL(void, "glFramebufferParameteri", (int, int, int))(FRAMEBUFFER, DEFAULT_WIDTH, side);
    GL(void, "glFramebufferParameteri", (int, int, int))(FRAMEBUFFER, DEFAULT_HEIGHT, side);
}

static void draw(unsigned program, int stages, int feedback)
{
    unsigned output;
    int primitive = primitive_of(program, stages);
    if (feedback) {
        /* What capture is begun with: points, lines or triangles, as the last stage leaves them. The driver's check of
         * it comes after it has compiled and set everything up, so any kind does that it takes. */
        GL(void, "glGenBuffers", (int, unsigned*))(1, &output);
        GL(void, "glBindBufferBase", (int, unsigned, unsigned))(FEEDBACK_BUFFER, 0, output);
        GL(void, "glBufferData", (int, intptr_t, const void*, int))(FEEDBACK_BUFFER, output_bytes, NULL, STATIC_DRAW);
        while (GL(int, "glGetError", (void))() != 0) continue;
    }
    GL(void, "glEnable", (int))(RASTERIZER_DISCARD);
    GL(void, "glUseProgram", (unsigned))(program);
    if (primitive == PATCHES) GL(void, "glPatchParameteri", (int, int))(PATCH_VERTICES, 3);
    if (feedback) {
        static const int kinds[] = {TRIANGLES, LINES, POINTS};
        size_t i;
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
    void* library = dlopen("libEGL.so.1", RTLD_NOW);
    const char* names[most_names];
    int name_count = 0;
    unsigned program;
    int stages = 0;
    int done = 0;
    int i;
    if (library == NULL || open_context(library) == NULL) {
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
        fprintf(stderr, "the program can't be linked: %s\n", log);
        return 1;
    }
    make_arrays(program);
    make_framebuffer();
    draw(program, stages, name_count != 0);
    return 0;
}
