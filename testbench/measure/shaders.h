/* SPDX-License-Identifier: Apache-2.0 */
/* The programs that are timed. Each has a loop whose number of trips is a uniform, so that no compiler unrolls it, and
 * in it `step` several times over. What a step computes is read by the next one or at the end. */
#ifndef ISBESIM_MEASURE_SHADERS_H
#define ISBESIM_MEASURE_SHADERS_H

#include <stddef.h>

struct test {
    const char* name;
    const char* measures; /* what one step is */
    const char* vertex;
    const char *control_head, *control_tail; /* around the steps; NULL: a geometry program */
    const char* geometry_head;
    const char* step;
};

#define VERTEX(outputs, body) "#version 430\n" outputs "void main() { " body " gl_Position = vec4(0); }\n"
#define CONTROL(declarations, before)                                                                                  \
    "#version 430\nlayout(vertices = 3) out;\nuniform int trips;\n" declarations "void main() {\n" before              \
    "for (int n = 0; n < trips; ++n) {\n"
#define CONTROL_END(result)                                                                                            \
    "}\n"                                                                                                              \
    "gl_out[gl_InvocationID].gl_Position = vec4(" result ");\n"                                                        \
    "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 1.0;\n"               \
    "}\n"

/* A ring of three vertices: each holds the number of the next. */
#define RING VERTEX("layout(location = 0) out int next;\n", "next = (gl_VertexID + 1) % 3;")

/* The words after the first are 0, which no compiler knows; `precise` keeps them in their order. Not of three words:
 * Mesa reads two and one. */
#define BY_WIDTH(words, type, value, sums)                                                                             \
    {                                                                                                                  \
        "ald_width_" words, "ald_output, of so many words with a dependent sum for each but the first: " words,        \
            VERTEX("layout(location = 0) out " type " next;\n", "next = " type "(" value ");"),                        \
            CONTROL("layout(location = 0) in " type " next[];\nlayout(location = 0) out " type " link[];\n"            \
                    "int follow(" type " word) { precise float sum = word.x; " sums " return int(sum); }\n",           \
                    "link[gl_InvocationID] = next[gl_InvocationID]; barrier();\nint i = gl_InvocationID;\n"),          \
            CONTROL_END("i"), NULL, "i = follow(link[i]);\n"                                                           \
    }

static const struct test tests[] = {
    {"alu", "a dependent multiply-add: what the other tests are compared with", VERTEX("", ""),
     CONTROL("uniform float factor, term;\n", "float i = float(gl_InvocationID);\n"), CONTROL_END("i"), NULL,
     "i = i * factor + term;\n"},
    {"ald_input", "a dependent read of an input (ALD) through its handle (ISBERD), and the arithmetic for both", RING,
     CONTROL("layout(location = 0) in int next[];\n", "int i = gl_InvocationID;\n"), CONTROL_END("i"), NULL,
     "i = next[i];\n"},
    {"al2p_input", "a dependent read of an indexed varying (AL2P, ALD.PHYS), and the shift that makes its address",
     VERTEX("layout(location = 0) out int next[4];\n", "for (int k = 0; k < 4; ++k) next[k] = (k + 1) % 4;"),
     CONTROL("layout(location = 0) in int next[][4];\n", "int i = next[0][0];\n"), CONTROL_END("i"), NULL,
     "i = next[0][i];\n"},
    {"ald_output", "a dependent read of an output (ALD.O), and the sum that makes its handle", RING,
     CONTROL("layout(location = 0) in int next[];\nlayout(location = 0) out int link[];\n",
             "link[gl_InvocationID] = next[gl_InvocationID]; barrier();\nint i = gl_InvocationID;\n"),
     CONTROL_END("i"), NULL, "i = link[i];\n"},
    {"out_cut", "a dependent OUT that makes nothing: the end of a strip that has ended", VERTEX("", ""), NULL, NULL,
     "#version 430\nlayout(points) in;\nlayout(line_strip, max_vertices = 2) out;\nuniform int trips;\n"
     "void main() {\n gl_Position = vec4(0); EmitVertex(); EmitVertex();\nfor (int n = 0; n < trips; ++n) {\n",
     "EndPrimitive();\n"},
    BY_WIDTH("1", "vec2", "(gl_VertexID + 1) % 3, 0", ""),
    BY_WIDTH("2", "vec2", "(gl_VertexID + 1) % 3, gl_VertexID >> 24", "sum += word.y;"),
    BY_WIDTH("4", "vec4", "(gl_VertexID + 1) % 3, gl_VertexID >> 24, gl_VertexID >> 25, gl_VertexID >> 26",
             "sum += word.y; sum += word.z; sum += word.w;"),
};

#endif
