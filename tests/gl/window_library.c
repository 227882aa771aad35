/* SPDX-License-Identifier: Apache-2.0 */
/* A window library that prints its name, and may wrap another one, whose function it looks up by name. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name

int FUNCTION(void);
int FUNCTION(void)
{
    int result = 1;
    puts(LIBRARY);
#ifdef WRAPS
    {
        void* const library = dlopen(WRAPS, RTLD_NOW);
        void* const symbol = library != NULL ? dlsym(library, TEXT(WRAPPED)) : NULL;
        int (*wrapped)(void) = NULL;
        memcpy(&wrapped, &symbol, sizeof wrapped);
        result = wrapped != NULL ? 10 * wrapped() : -1;
    }
#endif
    return result;
}
