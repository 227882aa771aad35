/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a compiled draw. Row v belongs to vertex v: its first component is v / 16, and so on. */
#ifndef ISBESIM_GL_COMPILE_INPUT_ROWS_H
#define ISBESIM_GL_COMPILE_INPUT_ROWS_H

enum {
    vertices = 12, /* complete primitives of every kind */
    most_locations = 16,
    rows = vertices + most_locations,
    most_patch = 32,
    all_rows = most_patch + most_locations /* for a patch of any size */
};

static struct {
    float floats[all_rows][4];
    int integers[all_rows][4];
    double doubles[all_rows][4];
} data;

static void fill_data(void)
{
    int i;
    for (i = 0; i < all_rows * 4; ++i) {
        data.doubles[i / 4][i % 4] = i % 4 == 3 ? 1.0 : (i / 4) / 16.0 + i % 4;
        data.floats[i / 4][i % 4] = (float)data.doubles[i / 4][i % 4];
        data.integers[i / 4][i % 4] = i;
    }
}

/* Vertices of the draw: complete patches, at least one. */
static inline int whole_patches(int patch)
{
    return patch > vertices ? patch : vertices - vertices % patch;
}

#endif
