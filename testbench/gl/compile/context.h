/* SPDX-License-Identifier: Apache-2.0 */
/* An OpenGL 4.3 context without a window, for the programs in C. EGL and GL are loaded by name at run time and not
 * needed to build. Each program has a single source file, so the functions are static. */
#ifndef ISBESIM_GL_COMPILE_CONTEXT_H
#define ISBESIM_GL_COMPILE_CONTEXT_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From the Khronos registry: egl.xml and gl.xml. */
enum {
    EGL_PLATFORM_SURFACELESS = 0x31dd,
    EGL_PLATFORM_DEVICE = 0x313f,
    EGL_OPENGL = 0x30a2,
    EGL_MAJOR = 0x3098,
    EGL_MINOR = 0x30fb,
    EGL_PROFILE = 0x30fd,
    EGL_CORE = 1,
    EGL_END = 0x3038,
    FRAMEBUFFER = 0x8d40,
    DEFAULT_WIDTH = 0x9310,
    DEFAULT_HEIGHT = 0x9311,
    VERTEX_SHADER = 0x8b31,
    GEOMETRY_SHADER = 0x8dd9,
    CONTROL_SHADER = 0x8e88,
    EVALUATION_SHADER = 0x8e87,
    COMPILE_STATUS = 0x8b81,
    LINK_STATUS = 0x8b82,
    PATCH_VERTICES = 0x8e72,
    RASTERIZER_DISCARD = 0x8c89,
    POINTS = 0,
    PATCHES = 0xe
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

/* Returns 0 if the text is wrong; the driver's message is then in the `size` letters of `log`. */
static unsigned compile_shader(int type, const char* text, char* log, int size)
{
    int done = 0;
    const unsigned shader = GL(unsigned, "glCreateShader", (int))(type);
    GL(void, "glShaderSource", (unsigned, int, const char* const*, const int*))(shader, 1, &text, NULL);
    GL(void, "glCompileShader", (unsigned))(shader);
    GL(void, "glGetShaderiv", (unsigned, int, int*))(shader, COMPILE_STATUS, &done);
    if (done) return shader;
    GL(void, "glGetShaderInfoLog", (unsigned, int, int*, char*))(shader, size, NULL, log);
    return 0;
}

/* The display of an EGL device by number; below 0, of the platform without devices and windows. */
static void* find_display(int device)
{
    enum { most_devices = 64 };
    void* devices[most_devices];
    int count = 0;
    if (device < 0)
        return GL(void*, "eglGetPlatformDisplayEXT", (int, void*, const int*))(EGL_PLATFORM_SURFACELESS, NULL, NULL);
    GL(int, "eglQueryDevicesEXT", (int, void**, int*))(most_devices, devices, &count);
    if (device >= count) return NULL;
    return GL(void*, "eglGetPlatformDisplayEXT", (int, void*, const int*))(EGL_PLATFORM_DEVICE, devices[device], NULL);
}

/* Without a window there is no framebuffer; a framebuffer without attachments suffices. */
static void make_framebuffer(void)
{
    enum { side = 16 };
    unsigned framebuffer;
    GL(void, "glGenFramebuffers", (int, unsigned*))(1, &framebuffer);
    GL(void, "glBindFramebuffer", (int, unsigned))(FRAMEBUFFER, framebuffer);
    GL(void, "glFramebufferParameteri", (int, int, int))(FRAMEBUFFER, DEFAULT_WIDTH, side);
    GL(void, "glFramebufferParameteri", (int, int, int))(FRAMEBUFFER, DEFAULT_HEIGHT, side);
}

/* Makes a context current; returns 0 on failure. `device`: as for find_display(). */
static int open_context(int device)
{
    static const int attributes[] = {EGL_MAJOR, 4, EGL_MINOR, 3, EGL_PROFILE, EGL_CORE, EGL_END};
    void* library = dlopen("libEGL.so.1", RTLD_NOW);
    void* symbol = library == NULL ? NULL : dlsym(library, "eglGetProcAddress");
    void* display;
    void* context;
    if (symbol == NULL) return 0;
    memcpy(&get_function, &symbol, sizeof get_function);
    display = find_display(device);
    if (display == NULL || !GL(int, "eglInitialize", (void*, int*, int*))(display, NULL, NULL)) return 0;
    GL(int, "eglBindAPI", (int))(EGL_OPENGL);
    context = GL(void*, "eglCreateContext", (void*, void*, void*, const int*))(display, NULL, NULL, attributes);
    return context != NULL &&
           GL(int, "eglMakeCurrent", (void*, void*, void*, void*))(display, NULL, NULL, context) != 0;
}

#endif
