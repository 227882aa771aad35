/* The functions with which programs show a frame, in front of the real ones. The kernel sees no such thing: a window
 * system takes the image over its own connection. Programs that look these functions up by name (dlsym,
 * eglGetProcAddress) have frames that nobody sees; toolkits do so, which is why theirs are here too. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "testbench/gl/kernel/link.h"

#define HOOK __attribute__((visibility("default")))

/* A toolkit's function may call the library's: one frame. */
static _Thread_local int depth;

static void* real(const char* name)
{
    return dlsym(RTLD_NEXT, name);
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

/* The frame ends behind the real function, which submits what is left of its draws. */
#define SHOWS(name, parameters, arguments)                                                                             \
    HOOK void name parameters;                                                                                         \
    HOOK void name parameters                                                                                          \
    {                                                                                                                  \
        void(*next) parameters = NULL;                                                                                 \
        void* const symbol = real(#name);                                                                              \
        memcpy(&next, &symbol, sizeof next);                                                                           \
        ++depth;                                                                                                       \
        if (next != NULL) next arguments;                                                                              \
        shown();                                                                                                       \
    }

#define SHOWS_AND_TELLS(result, name, parameters, arguments)                                                           \
    HOOK result name parameters;                                                                                       \
    HOOK result name parameters                                                                                        \
    {                                                                                                                  \
        result done = 0;                                                                                               \
        result(*next) parameters = NULL;                                                                               \
        void* const symbol = real(#name);                                                                              \
        memcpy(&next, &symbol, sizeof next);                                                                           \
        ++depth;                                                                                                       \
        if (next != NULL) done = next arguments;                                                                       \
        shown();                                                                                                       \
        return done;                                                                                                   \
    }

/* EGL 1.4, 3.9.1; GLX 1.4, 3.3.10; the toolkits' manuals. */
SHOWS_AND_TELLS(unsigned, eglSwapBuffers, (void* display, void* surface), (display, surface))
SHOWS(glXSwapBuffers, (void* display, unsigned long drawable), (display, drawable))
SHOWS(SDL_GL_SwapWindow, (void* window), (window))
SHOWS(glfwSwapBuffers, (void* window), (window))
SHOWS_AND_TELLS(_Bool, waffle_window_swap_buffers, (void* window), (window))
