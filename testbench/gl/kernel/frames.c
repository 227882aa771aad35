/* SPDX-License-Identifier: Apache-2.0 */
/* Interposes the functions with which programs show a frame, and those that find them by name. The kernel does not see
 * frames: a window system takes the image over its own connection. */
#include <dlfcn.h>
#include <pthread.h>
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

/* Functions with up to two words as arguments. A frame ends after the real function, which submits its remaining draws.
 * The result is that of the result register, if any: SDL 2's function returns nothing, SDL 3's a truth value. */
typedef uintptr_t (*replaced)(uintptr_t, uintptr_t);

/* Functions in progress in this thread, the innermost last: a toolkit's function may call the library's, and a library
 * that wraps another one calls a function of the same name. */
enum { most_in_progress = 16 };
static _Thread_local void* in_progress[most_in_progress];
static _Thread_local int depth;

static int is_in_progress(void* function)
{
    int i = depth < most_in_progress ? depth : most_in_progress;
    while (i > 0 && in_progress[i - 1] != function) --i;
    return i > 0;
}

/* The function that a direct call from `caller` would reach without ours. RTLD_NEXT does not search libraries loaded by
 * a program's plug-in. A function in progress has called ours by its name, so another one is meant. */
static void* real(const char* name, const void* caller)
{
    Dl_info place;
    void* found = next_dlsym()(RTLD_NEXT, name);
    int i;
    if (found != NULL && !is_in_progress(found)) return found;
    found = dladdr(caller, &place) != 0 ? function_of(place.dli_fname, name) : NULL;
    for (i = -1; found == NULL || is_in_progress(found); found = function_of(libraries[i], name))
        if (++i == library_count) return NULL;
    return found;
}

enum { shows = -1 }; /* otherwise, which argument is the name of a function to find */

static any_function in_front_of(const char* name, any_function found);

static uintptr_t call(int named, void* function, uintptr_t first, uintptr_t second)
{
    uintptr_t result = 0;
    replaced next;
    any_function found;
    memcpy(&next, &function, sizeof next);
    if (depth < most_in_progress) in_progress[depth] = function;
    ++depth;
    if (next != NULL) result = next(first, second);
    --depth;
    if (named != shows) {
        memcpy(&found, &result, sizeof found);
        found = in_front_of((const char*)(named == 0 ? first : second), found);
        memcpy(&result, &found, sizeof result);
    } else if (depth == 0 && link_is_open()) {
        struct isbesim_gl_request request = {.kind = ISBESIM_GL_FRAME_END};
        struct isbesim_gl_reply reply;
        link_ask(&request, NULL, 0, &reply);
    }
    return result;
}

/* Vulkan 1.3, vkQueuePresentKHR; EGL 1.4, 3.9.1; GLX 1.4, 3.3.10; the toolkits' manuals. Programs get most addresses
 * from a function of the library. */
#define REPLACED(row)                                                                                                  \
    row(vkQueuePresentKHR, shows) row(eglSwapBuffers, shows) row(glXSwapBuffers, shows) row(SDL_GL_SwapWindow, shows)  \
        row(glfwSwapBuffers, shows) row(waffle_window_swap_buffers, shows) row(vkGetInstanceProcAddr, 1)               \
            row(vkGetDeviceProcAddr, 1) row(eglGetProcAddress, 0) row(glXGetProcAddress, 0)                            \
                row(glXGetProcAddressARB, 0)

#define DEFINE(name, named)                                                                                            \
    HOOK uintptr_t name(uintptr_t first, uintptr_t second);                                                            \
    HOOK uintptr_t name(uintptr_t first, uintptr_t second)                                                             \
    {                                                                                                                  \
        return call(named, real(#name, __builtin_return_address(0)), first, second);                                   \
    }
REPLACED(DEFINE)

#define NAME_AND_ARGUMENT(name, named) {#name, named, name},
static const struct {
    const char* name;
    int named;
    replaced function;
} ours[] = {REPLACED(NAME_AND_ARGUMENT)};

/* Its row in `ours`, or -1. */
static int row_of(const char* name)
{
    int row = sizeof ours / sizeof ours[0] - 1;
    while (row >= 0 && strcmp(name, ours[row].name) != 0) --row;
    return row;
}

/* A function that was looked up gets a stand-in of its own: two libraries may have different ones of one name, as SDL 2
 * on SDL 3 has, and each caller has to reach the one that it looked up. */
static struct {
    int named;
    void* function;
} found_functions[24];

#define STAND_IN(i)                                                                                                    \
    static uintptr_t stand_in_##i(uintptr_t first, uintptr_t second)                                                   \
    {                                                                                                                  \
        return call(found_functions[i].named, found_functions[i].function, first, second);                             \
    }
#define ADDRESS(i) stand_in_##i,
#define EACH(each)                                                                                                     \
    each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10) each(11) each(12)         \
        each(13) each(14) each(15) each(16) each(17) each(18) each(19) each(20) each(21) each(22) each(23)
EACH(STAND_IN)
static const replaced stand_ins[] = {EACH(ADDRESS)};

/* The stand-in of `found` if a function of that name is replaced, else `found`. */
static any_function in_front_of(const char* name, any_function found)
{
    enum { count = sizeof stand_ins / sizeof stand_ins[0] };
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    void* function;
    const int row = row_of(name);
    int i;
    memcpy(&function, &found, sizeof function);
    if (row < 0 || function == NULL) return found;
    pthread_mutex_lock(&mutex);
    for (i = 0; i < count && found_functions[i].function != NULL && found_functions[i].function != function;) ++i;
    if (i < count) {
        found_functions[i].named = ours[row].named;
        found_functions[i].function = function;
    }
    pthread_mutex_unlock(&mutex);
    return (any_function)(i < count ? stand_ins[i] : ours[row].function);
}

/* Functions with these names in other libraries (Vulkan's layers and drivers have some) are not replaced. */
static void* looked_up(const char* name, void* found)
{
    any_function function;
    int i = 0;
    if (row_of(name) < 0 || found == NULL) return found;
    while (i < library_count && function_of(libraries[i], name) != found) ++i;
    dlerror(); /* as after a success */
    if (i == library_count) return found;
    memcpy(&function, &found, sizeof found);
    function = in_front_of(name, function);
    memcpy(&found, &function, sizeof found);
    return found;
}

HOOK void* dlsym(void* handle, const char* name)
{
    if (handle == RTLD_NEXT || handle == RTLD_DEFAULT) return next_dlsym()(handle, name);
    return looked_up(name, next_dlsym()(handle, name));
}
