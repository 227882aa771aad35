/* SPDX-License-Identifier: Apache-2.0 */
/* The functions with which programs show a frame, in front of the real ones. The kernel sees no such thing: a window
 * system takes the image over its own connection. Programs that look OpenGL's functions up by name (dlsym,
 * eglGetProcAddress) have frames that are not counted; toolkits do so, which is why theirs are here too. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "testbench/gl/kernel/link.h"

#define HOOK __attribute__((visibility("default")))

/* A toolkit's function may call the library's: one frame. */
static _Thread_local int depth;

/* A library that a program's plug-in brought is in no list that RTLD_NEXT searches. */
static void* real(const char* name, const char* library)
{
    void* const found = dlsym(RTLD_NEXT, name);
    void* const loaded = found == NULL ? dlopen(library, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    return loaded != NULL ? dlsym(loaded, name) : found;
}

static void shown(void)
{
    struct isbesim_gl_request request;
    struct isbesim_gl_reply reply;
    if (--depth > 0 || !link_is_open()) return;
    memset(&request, 0, sizeof request);
    request.kind = ISBESIM_GL_FRAME_END;
    link_ask(&request, NULL, 0, &reply);
}

/* The frame ends after the real function, which submits its remaining draws. */
#define SHOWS(library, name, parameters, arguments)                                                                    \
    HOOK void name parameters;                                                                                         \
    HOOK void name parameters                                                                                          \
    {                                                                                                                  \
        void(*next) parameters = NULL;                                                                                 \
        void* const symbol = real(#name, library);                                                                     \
        memcpy(&next, &symbol, sizeof next);                                                                           \
        ++depth;                                                                                                       \
        if (next != NULL) next arguments;                                                                              \
        shown();                                                                                                       \
    }

#define SHOWS_AND_TELLS(library, result, name, parameters, arguments)                                                  \
    HOOK result name parameters;                                                                                       \
    HOOK result name parameters                                                                                        \
    {                                                                                                                  \
        result done = 0;                                                                                               \
        result(*next) parameters = NULL;                                                                               \
        void* const symbol = real(#name, library);                                                                     \
        memcpy(&next, &symbol, sizeof next);                                                                           \
        ++depth;                                                                                                       \
        if (next != NULL) done = next arguments;                                                                       \
        shown();                                                                                                       \
        return done;                                                                                                   \
    }

/* EGL 1.4, 3.9.1; GLX 1.4, 3.3.10; Vulkan 1.3, vkQueuePresentKHR; the toolkits' manuals. */
SHOWS_AND_TELLS("libvulkan.so.1", int, vkQueuePresentKHR, (void* queue, const void* what), (queue, what))
SHOWS_AND_TELLS("libEGL.so.1", unsigned, eglSwapBuffers, (void* display, void* surface), (display, surface))
SHOWS("libGL.so.1", glXSwapBuffers, (void* display, unsigned long drawable), (display, drawable))
SHOWS("libSDL2-2.0.so.0", SDL_GL_SwapWindow, (void* window), (window))
SHOWS("libglfw.so.3", glfwSwapBuffers, (void* window), (window))
SHOWS_AND_TELLS("libwaffle-1.so.0", _Bool, waffle_window_swap_buffers, (void* window), (window))

/* Vulkan programs mostly ask for addresses, by a function of the loader. */
typedef void (*any_function)(void);

#define FINDS(name)                                                                                                    \
    HOOK any_function name(void* of, const char* what);                                                                \
    HOOK any_function name(void* of, const char* what)                                                                 \
    {                                                                                                                  \
        any_function (*next)(void*, const char*) = NULL;                                                               \
        void* const symbol = real(#name, "libvulkan.so.1");                                                            \
        memcpy(&next, &symbol, sizeof next);                                                                           \
        const any_function found = next != NULL ? next(of, what) : NULL;                                               \
        return found != NULL && strcmp(what, "vkQueuePresentKHR") == 0 ? (any_function)vkQueuePresentKHR : found;      \
    }

FINDS(vkGetInstanceProcAddr)
FINDS(vkGetDeviceProcAddr)
