/* SPDX-License-Identifier: Apache-2.0 */
/* How the programs in C that draw for `isbesim compile` tell of an error in a shader: one line as all errors of
 * isbesim, with the place in the shader's file. Their tests are C++. */
#ifndef ISBESIM_GL_COMPILE_REFUSAL_H
#define ISBESIM_GL_COMPILE_REFUSAL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile_status.h"

/* The first error of a compiler: lines and columns are from 1; `text` has `length` letters. */
struct refusal {
    int line, column;
    const char* text;
    int length;
};

/* Reads "0:4(39): error: text" (Mesa) or "ERROR: FILE:4: text" (glslangValidator), after lines of other kinds. Without
 * either, the text is the first line, at 1:1. */
static inline struct refusal read_refusal(const char* file, const char* log)
{
    static const char mesa[] = "error: ", validator[] = "ERROR: ";
    struct refusal found = {1, 1, log, 0};
    const char* place = strstr(log, mesa);
    int read = 0;
    if (place) {
        found.text = place + strlen(mesa);
        while (place != log && place[-1] != '\n') --place;
        if (sscanf(place, "%*d:%d(%d)", &found.line, &found.column) != 2) found.line = found.column = 1;
    } else if ((place = strstr(log, validator))) {
        found.text = place + strlen(validator);
        if (strncmp(found.text, file, strlen(file)) == 0 &&
            sscanf(found.text + strlen(file), ":%d: %n", &found.line, &read) == 1 && read != 0)
            found.text += strlen(file) + (size_t)read;
        else
            found.line = 1;
    }
    found.length = (int)strcspn(found.text, "\r\n");
    while (found.length > 0 && strchr(" .", found.text[found.length - 1])) --found.length;
    return found;
}

/* Writes the first error of `log` and ends the program. The compiler's text describes the mistake, so no expectation
 * follows. */
static inline void refuse(const char* file, const char* log)
{
    const struct refusal found = read_refusal(file, log);
    fprintf(stderr, "isbesim: error: %s:%d:%d: %.*s\n", file, found.line, found.column, found.length, found.text);
    exit(SHADER_ERROR);
}

#endif
