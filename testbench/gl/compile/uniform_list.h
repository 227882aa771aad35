/* SPDX-License-Identifier: Apache-2.0 */
/* Names and types of what the programs of a compiled draw read besides attributes, for `isbesim compile`: a line each
 * in the file "uniforms" of the session's folder. After the draw itself come draws whose data shows where the driver
 * puts a value: in the last one, word i of the value is KEY + i. OpenGL normalises booleans, so theirs show as 0 or not
 * in the draws between, which are the bits of KEY + i from the lowest on.
 *
 *   NAME TYPE COUNT KEY ARRAY_STRIDE MATRIX_STRIDE ROW_MAJOR
 *
 * Strides are in bytes, 0 where the words of the value show them. KEY is 0 for textures and images. */
#ifndef ISBESIM_GL_COMPILE_UNIFORM_LIST_H
#define ISBESIM_GL_COMPILE_UNIFORM_LIST_H

enum { first_key = 0x5eed0000, buffer_bytes = 65536, most_listed = 1 << 16 };

#ifndef __cplusplus
#include <stdio.h>
#include <stdlib.h>

static FILE* name_list;

static void open_list(void)
{
    char name[4096];
    const char* folder = getenv("ISBESIM_GL_FOLDER");
    snprintf(name, sizeof name, "%s/uniforms", folder != NULL ? folder : "/tmp");
    name_list = folder != NULL ? fopen(name, "w") : tmpfile();
    if (name_list == NULL) exit(2);
}

struct layout {
    int array_stride, matrix_stride, row_major;
};

static void list_value(const char* name, const char* type, int count, unsigned key, struct layout where)
{
    fprintf(name_list, "%s %s %d %u %d %d %d\n", name, type, count, key, where.array_stride, where.matrix_stride,
            where.row_major);
}

/* Keys for the next `words` words. */
static unsigned take_keys(unsigned words)
{
    static unsigned next = first_key;
    next += words;
    return next - words;
}
#endif

#endif
