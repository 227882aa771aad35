/* SPDX-License-Identifier: Apache-2.0 */
/* Interposes the functions with which programs show a frame, and those that find them by name. The kernel does not see
 * frames: a window system takes the image over its own connection. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "testbench/gl/kernel/link.h"

#define HOOK __attribute__((visibility("default")))

typedef void (*any_function)(void);

/* Libraries with these functions; glvnd has two for GLX. */
static const char* const libraries[] = {"libvulkan.so.1",   "libEGL.so.1",  "libGL.so.1",   "libGLX.so.0",
                                        "libSDL2-2.0.so.0", "libSDL3.so.0", "libglfw.so.3", "libwaffle-1.so.0"};
enum { library_count = sizeof libraries / sizeof libraries[0] };

/* The C library's dlsym. It finds its caller by the return address, so our dlsym must jump to it where that matters. */
typedef void* (*symbol_finder)(void*, const char*);

static symbol_finder next_dlsym(void)
{
    static symbol_finder next;
    if (next == NULL) {
        void* const symbol = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
        memcpy(&next, &symbol, sizeof next);
    }
    return next;
}

/* A library's function of that name; null if the library is not loaded or lacks it. */
static void* function_of(const char* library, const char* name)
{
    void* const loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    void* const found = loaded != NULL ? next_dlsym()(loaded, name) : NULL;
    if (loaded != NULL) dlclose(loaded);
    return found;
}

/* The real function that ours replaces. RTLD_NEXT does not search libraries loaded by a program's plug-in. `again`:
 * ours was called by the next function (for example of a preloaded tracer), so take the library's. */
static void* real(const char* name, int again)
{
    void* found = again ? NULL : next_dlsym()(RTLD_NEXT, name);
    int i;
    for (i = 0; i < library_count && found == NULL; ++i) found = function_of(libraries[i], name);
    return found;
}

/* Sets `result` to that of the real function, if it exists. */
#define CALL_REAL(type, name, parameters, arguments)                                                                   \
    {                                                                                                                  \
        static _Thread_local int calls;                                                                                \
        type(*next) parameters = NULL;                                                                                 \
        void* const symbol = real(#name, calls);                                                                       \
        memcpy(&next, &symbol, sizeof next);                                                                           \
        ++calls;                                                                                                       \
        if (next != NULL) result = next arguments;                                                                     \
        --calls;                                                                                                       \
    }

/* A toolkit's function may call the library's; both end the same frame. */
static _Thread_local int depth;

static void shown(void)
{
    struct isbesim_gl_request request = {.kind = ISBESIM_GL_FRAME_END};
    struct isbesim_gl_reply reply;
    if (--depth > 0 || !link_is_open()) return;
    link_ask(&request, NULL, 0, &reply);
}

/* The frame ends after the real function, which submits its remaining draws. The result is that of the result register,
 * if any: SDL 2's function returns nothing, SDL 3's a truth value. */
#define SHOWS(name, parameters, arguments)                                                                             \
    HOOK uintptr_t name parameters;                                                                                    \
    HOOK uintptr_t name parameters                                                                                     \
    {                                                                                                                  \
        uintptr_t result = 0;                                                                                          \
        ++depth;                                                                                                       \
        CALL_REAL(uintptr_t, name, parameters, arguments)                                                              \
        shown();                                                                                                       \
        return result;                                                                                                 \
    }

/* Vulkan 1.3, vkQueuePresentKHR; EGL 1.4, 3.9.1; GLX 1.4, 3.3.10; the toolkits' manuals. */
SHOWS(vkQueuePresentKHR, (void* queue, const void* what), (queue, what))
SHOWS(eglSwapBuffers, (void* display, void* surface), (display, surface))
SHOWS(glXSwapBuffers, (void* display, unsigned long drawable), (display, drawable))
SHOWS(SDL_GL_SwapWindow, (void* window), (window))
SHOWS(glfwSwapBuffers, (void* window), (window))
SHOWS(waffle_window_swap_buffers, (void* window), (window))

static any_function in_front_of(const char* name, any_function found);

/* Programs get most addresses from a function of the library. */
#define FINDS(name, parameters, arguments)                                                                             \
    HOOK any_function name parameters;                                                                                 \
    HOOK any_function name parameters                                                                                  \
    {                                                                                                                  \
        any_function result = NULL;                                                                                    \
        CALL_REAL(any_function, name, parameters, arguments)                                                           \
        return in_front_of(what, result);                                                                              \
    }

FINDS(vkGetInstanceProcAddr, (void* instance, const char* what), (instance, what))
FINDS(vkGetDeviceProcAddr, (void* device, const char* what), (device, what))
FINDS(eglGetProcAddress, (const char* what), (what))
FINDS(glXGetProcAddress, (const char* what), (what))
FINDS(glXGetProcAddressARB, (const char* what), (what))

/* Our function of that name, else `found`. */
static any_function in_front_of(const char* name, any_function found)
{
#define HERE(function)                                                                                                 \
    {                                                                                                                  \
#function, (any_function)(function)                                                                            \
    }
    static const struct {
        const char* name;
        any_function function;
    } ours[] = {HERE(vkQueuePresentKHR),     HERE(eglSwapBuffers),      HERE(glXSwapBuffers),
                HERE(SDL_GL_SwapWindow),     HERE(glfwSwapBuffers),     HERE(waffle_window_swap_buffers),
                HERE(vkGetInstanceProcAddr), HERE(vkGetDeviceProcAddr), HERE(eglGetProcAddress),
                HERE(glXGetProcAddress),     HERE(glXGetProcAddressARB)};
    size_t i;
    for (i = 0; i < sizeof ours / sizeof ours[0] && found != NULL; ++i)
        if (strcmp(name, ours[i].name) == 0) return ours[i].function;
    return found;
}

/* Functions with these names in other libraries (Vulkan's layers and drivers have some) are not replaced. */
static void* looked_up(const char* name, void* found)
{
    any_function function;
    int i = 0;
    memcpy(&function, &found, sizeof found);
    const any_function ours = in_front_of(name, function);
    if (ours == function) return found;
    while (i < library_count && function_of(libraries[i], name) != found) ++i;
    dlerror(); /* as after a success */
    if (i < library_count) memcpy(&found, &ours, sizeof found);
    return found;
}

HOOK void* dlsym(void* handle, const char* name)
{
    if (handle == RTLD_NEXT || handle == RTLD_DEFAULT) return next_dlsym()(handle, name);
    return looked_up(name, next_dlsym()(handle, name));
}
