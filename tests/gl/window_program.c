/* SPDX-License-Identifier: Apache-2.0 */
/* window_program [LIBRARY FUNCTION]...: calls SDL_GL_SwapWindow of the library that it is linked with, then each
 * function of a library that it opens; prints their results. It opens the device first, or no frame would count. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

int SDL_GL_SwapWindow(void);

int main(int count, char** words)
{
    int i;
    if (open("/dev/dri/renderD128", O_RDWR) < 0) return 1;
    printf("%d\n", SDL_GL_SwapWindow());
    for (i = 1; i + 1 < count; i += 2) {
        void* const library = dlopen(words[i], RTLD_NOW | RTLD_LOCAL);
        void* const symbol = library != NULL ? dlsym(library, words[i + 1]) : NULL;
        int (*function)(void) = NULL;
        memcpy(&function, &symbol, sizeof function);
        printf("%d\n", function != NULL ? function() : -1);
    }
    return 0;
}
