/* SPDX-License-Identifier: Apache-2.0 */
/* Detects the OpenGL drivers in this process by the options that Mesa looks up in the environment: the loader when it
 * searches for a driver, and each driver when it starts. This works however a program finds OpenGL, and before it
 * draws, so it also covers programs that are killed later. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "testbench/gl/kernel/link.h"

#define HOOK __attribute__((visibility("default")))

static const struct {
    const char* option;
    uint32_t driver;
} marks[] = {{"MESA_LOADER_DRIVER_OVERRIDE", ISBESIM_GL_SOME_DRIVER},
             {"LP_NUM_THREADS", ISBESIM_GL_LLVMPIPE},
             {"SOFTPIPE_DEBUG", ISBESIM_GL_SOFTPIPE},
             {"ZINK_DEBUG", ISBESIM_GL_ZINK}};

/* Vulkan's software driver uses llvmpipe's code; a driver on top of it has already been reported. */
static int is_vulkan(const void* caller)
{
    Dl_info library;
    return dladdr(caller, &library) != 0 && library.dli_fname != NULL && strstr(library.dli_fname, "vulkan") != NULL;
}

static void tell(uint32_t driver)
{
    struct isbesim_gl_request request = {.kind = ISBESIM_GL_DRIVER, .object = driver};
    struct isbesim_gl_reply reply;
    if (link_folder() == NULL) return;
    link_ask(&request, NULL, 0, &reply);
}

static char* look_up(const char* name, const void* caller)
{
    const size_t length = strlen(name);
    char** each;
    size_t i;
    for (i = 0; i < sizeof marks / sizeof marks[0]; ++i)
        if (strcmp(name, marks[i].option) == 0 && !is_vulkan(caller)) tell(marks[i].driver);
    for (each = environ; each != NULL && *each != NULL; ++each)
        if (strncmp(*each, name, length) == 0 && (*each)[length] == '=') return *each + length + 1;
    return NULL;
}

HOOK char* getenv(const char* name)
{
    return look_up(name, __builtin_return_address(0));
}

/* This differs from getenv() only in programs into which nothing is preloaded. */
HOOK char* secure_getenv(const char* name)
{
    return look_up(name, __builtin_return_address(0));
}
