/* SPDX-License-Identifier: Apache-2.0 */
/* The timed programs. Each has a loop whose number of trips is a uniform, so that no compiler unrolls it. In the loop,
 * STEPS is replaced by several times `step`. The next step, or the end of the program, reads the result of a step.
 */
#ifndef ISBESIM_MEASURE_SHADERS_H
#define ISBESIM_MEASURE_SHADERS_H

#include <stddef.h>

enum kind {
    timed,      /* the time of a step */
    emitted,    /* ... that emits a vertex; their number is limited */
    clocked,    /* ... by clock reads in the program */
    throughput, /* ... an item of many triangles in a draw */
    rate,       /* ... of 128 points; the number of steps is that of trips */
    capacity,   /* the most primitives with which a step takes as long as with one */
    /* The program counts its threads. */
    repeated, /* the most indices of one vertex that run it once */
    kept,     /* the most vertices after which an index of the first runs no vertex again */
    strip,    /* the most triangles of a strip whose vertices are run once each */
    shared    /* the most declared vertices with which `many` threads of a point share a warp; or the most threads */
};

/* The triangles of a throughput: a list, all of one index, strips that end at a restart index, instances, a draw each,
 * an indirect record each. */
enum shape { plain, one_index, restarts, instances, draws, records };

struct test {
    const char* name;
    const char* measures; /* the unit of a step, or the counted thing */
    enum kind kind;
    int vertices; /* of a patch; 0: points; of `throughput`: a shape */
    int many; /* primitives of the second measurement; 0: none; negative: a draw each. For `shared`: threads; 0: all.
               * For `throughput`: items of a triangle */
    const char *vertex, *control, *geometry; /* the last stage after a control program is the same for all; of
                                              * `throughput` the fragment program is in place of `control` */
    const char* step;
};

#define STEPS "@" /* repetitions of `step`; their number if it is null */
#define LOOP "for (int n = 0; n < trips; ++n) {\n" STEPS "}\n"
#define VERTEX(outputs, body) "#version 430\n" outputs "void main() { " body " gl_Position = vec4(0); }\n"
#define CONTROL_OF(vertices, declarations, before, loop, result)                                                       \
    "#version 430\n#extension GL_ARB_shader_clock : enable\nlayout(vertices = " vertices                               \
    ") out;\nuniform int trips;\n" declarations "void main() {\n" before "\n" loop                                     \
    "gl_out[gl_InvocationID].gl_Position = vec4(" result ");\n"                                                        \
    "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 1.0;\n}\n"
#define CONTROL(declarations, before) CONTROL_OF("3", declarations, before, LOOP, "i")

/* A ring of three vertices: each holds the number of the next. */
#define RING VERTEX("layout(location = 0) out int next;\n", "next = (gl_VertexID + 1) % 3;")
#define ONE_WARP timed, 3, 8

/* The words after the first are 0, which no compiler knows; `precise` keeps their order. Not for three words: Mesa
 * reads two and one. */
#define BY_WIDTH(words, type, value, sums)                                                                             \
    {                                                                                                                  \
        "ald_width_" words, "ald_output, of so many words with a dependent sum for each but the first: " words,        \
            ONE_WARP, VERTEX("layout(location = 0) out " type " next;\n", "next = " type "(" value ");"),              \
            CONTROL("layout(location = 0) in " type " next[];\nlayout(location = 0) out " type " link[];\n"            \
                    "int follow(" type " word) { precise float sum = word.x; " sums " return int(sum); }\n",           \
                    "link[gl_InvocationID] = next[gl_InvocationID]; barrier();\nint i = gl_InvocationID;"),            \
            NULL, "i = follow(link[i]);\n"                                                                             \
    }

/* 32 lanes; each chooses a word among 16 words of 32 vertices. All words are 0, which no compiler knows. */
#define WORDS                                                                                                          \
    VERTEX("layout(location = 0) out int next[16];\n", "for (int k = 0; k < 16; ++k) next[k] = gl_VertexID >> 24;")
#define BY_LANES(name, lanes, vertex, word, measures)                                                                  \
    {                                                                                                                  \
        "ald_" name, "al2p_input of 32 lanes: " measures, timed, 32, 0, WORDS,                                         \
            CONTROL_OF(lanes, "layout(location = 0) in int next[][16];\n",                                             \
                       "int l = gl_InvocationID & 15, v = (" vertex ") & 31, w = " word ", i = 0;", LOOP, "i"),        \
            NULL, "i = next[v + i][w + i];\n"                                                                          \
    }
#define HALF "16 * (gl_InvocationID >> 4)"
#define QUARTER "8 * (gl_InvocationID >> 4)"

/* Each lane writes a word of its own vertex and reads it back. */
#define AST_BY_LANES(lanes)                                                                                            \
    {                                                                                                                  \
        "ast_lanes_" lanes, "a write (AL2P, AST.PHYS) and the read of it, by so many lanes: " lanes, timed, 32, 0,     \
            WORDS,                                                                                                     \
            CONTROL_OF(lanes, "layout(location = 0) in int next[][16];\nlayout(location = 0) out int link[][16];\n",   \
                       "int i = next[0][0], v = gl_InvocationID + i;", LOOP, "i"),                                     \
            NULL, "link[gl_InvocationID][i] = i;\ni = link[v][i];\n"                                                   \
    }
#define AST_BY_WIDTH(words, type, sum)                                                                                 \
    {                                                                                                                  \
        "ast_width_" words, "ast_output of so many words: " words, ONE_WARP, RING,                                     \
            CONTROL("layout(location = 0) in int next[];\nlayout(location = 0) out " type " link[];\n" type            \
                    " word;\n",                                                                                        \
                    "int i = next[2];"),                                                                               \
            NULL, "link[gl_InvocationID] = " type "(i);\nword = link[i];\ni = " sum ";\n"                              \
    }

/* Each vertex has `vectors` outputs. Its loop takes most of the time, by slow reads of a buffer. */
#define BY_SIZE(vectors)                                                                                               \
    {                                                                                                                  \
        "warps_of_" vectors, "patches of 32 vertices at a time, of so many output vectors a vertex: " vectors,         \
            capacity, 32, 0,                                                                                           \
            "#version 430\nlayout(location = 0) out vec4 data[" vectors "];\nuniform int trips;\n"                     \
            "layout(std430, binding = 0) buffer zero { int next[]; };\nvoid main() {\nint i = gl_VertexID >> "         \
            "24;\n" LOOP "for (int k = 0; k < " vectors "; ++k) data[k] = vec4(i);\ngl_Position = vec4(0);\n}\n",      \
            CONTROL_OF("1", "layout(location = 0) in vec4 data[][" vectors "];\nuniform int which;\n", "", "",         \
                       "data[0][which]"),                                                                              \
            NULL, "i = next[i];\n"                                                                                     \
    }

/* The low half of the clock is the first word by the extension, the second in Mesa 22.3; the other is constant. */
#define CLOCKED(declarations, before)                                                                                  \
    CONTROL_OF("3",                                                                                                    \
               "layout(std430, binding = 0) buffer result { uint zero, clocks; };\n" declarations                      \
               "#ifdef GL_ARB_shader_clock\n#define CLOCK clock2x32ARB()\n#else\n#define CLOCK uvec2(0)\n#endif\n",    \
               before "\nuvec2 time = CLOCK;", LOOP "time = CLOCK - time; clocks = time.x + time.y;\n", "i")

#define FACTOR(word) "w" word " = i * vec4(" word ".5, 1" word ".5, 2" word ".5, 3" word ".5)"
#define WRITE(word) "words[gl_InvocationID][" word "] = w" word ";\n"

/* The number of a thread in the first warp equals its lane. */
#define SHARING(instances, vertices)                                                                                   \
    VERTEX("", ""), NULL,                                                                                              \
        "#version 430\n#extension GL_ARB_shader_ballot : enable\nlayout(points, invocations = " instances              \
        ") in;\nlayout(points, max_vertices = " vertices                                                               \
        ") out;\nlayout(binding = 0, offset = 0) uniform atomic_uint count;\nvoid main() {\n"                          \
        "#ifdef GL_ARB_shader_ballot\nif (gl_SubGroupInvocationARB == uint(gl_InvocationID)) "                         \
        "atomicCounterIncrement(count);\n#endif\n}\n",                                                                 \
        NULL

#define FETCHING                                                                                                       \
    "#version 430\nin vec4 a[8];\nlayout(location = 0) out vec4 data;\nuniform vec4 factor;\nvoid main() {\n"          \
    "vec4 sum = factor; int k = 0;\n" STEPS "data = sum; gl_Position = vec4(0);\n}\n"

#define COUNTING                                                                                                       \
    VERTEX("layout(binding = 0, offset = 0) uniform atomic_uint count;\n", "atomicCounterIncrement(count);")

#define THROUGHPUT(name, measures, shape, vertex, each)                                                                \
    {                                                                                                                  \
        name, measures, throughput, shape, each, vertex, NULL, NULL, NULL                                              \
    }
#define INPUTS(vectors)                                                                                                \
    {                                                                                                                  \
        "inputs_" vectors, "a vertex that reads so many vectors from memory: " vectors, throughput, plain, 3,          \
            "#version 430\nin vec4 a[" vectors "];\nvoid main() {\nvec4 sum = vec4(0);\nfor (int k = 0; k < " vectors  \
            "; ++k) sum += a[k];\ngl_Position = sum;\n}\n",                                                            \
            NULL, NULL, NULL                                                                                           \
    }
#define OUTPUTS(vectors)                                                                                               \
    {                                                                                                                  \
        "outputs_" vectors, "a vertex that writes so many vectors besides its position: " vectors, throughput, plain,  \
            3,                                                                                                         \
            "#version 430\nlayout(location = 0) out vec4 o[" vectors "];\nvoid main() {\nfor (int k = 0; k < " vectors \
            "; ++k) o[k] = vec4(gl_VertexID >> k);\ngl_Position = vec4(0);\n}\n",                                      \
            "#version 430\nlayout(location = 0) in vec4 o[" vectors "];\nlayout(location = 0) out vec4 colour;\n"      \
            "void main() {\ncolour = vec4(0);\nfor (int k = 0; k < " vectors "; ++k) colour += o[k];\n}\n",            \
            NULL, NULL                                                                                                 \
    }

static const struct test
    tests[] =
        {
            {"alu", "a dependent multiply-add: what the other tests are compared with", ONE_WARP, VERTEX("", ""),
             CONTROL("uniform float factor, term;\n", "float i = float(gl_InvocationID);"), NULL,
             "i = i * factor + term;\n"},
            {"ald_input", "a dependent read of an input (ALD) through its handle (ISBERD), and the arithmetic for both",
             ONE_WARP, RING, CONTROL("layout(location = 0) in int next[];\n", "int i = gl_InvocationID;"), NULL,
             "i = next[i];\n"},
            {"al2p_input",
             "a dependent read of an indexed varying (AL2P, ALD.PHYS), and the shift that makes its address", ONE_WARP,
             VERTEX("layout(location = 0) out int next[4];\n", "for (int k = 0; k < 4; ++k) next[k] = (k + 1) % 4;"),
             CONTROL("layout(location = 0) in int next[][4];\n", "int i = next[0][0];"), NULL, "i = next[0][i];\n"},
            {"ald_output", "a dependent read of an output (ALD.O), and the sum that makes its handle", ONE_WARP, RING,
             CONTROL("layout(location = 0) in int next[];\nlayout(location = 0) out int link[];\n",
                     "link[gl_InvocationID] = next[gl_InvocationID]; barrier();\nint i = gl_InvocationID;"),
             NULL, "i = link[i];\n"},
            {"out_cut", "a dependent OUT that makes nothing: the end of a strip that has ended", timed, 0, 8,
             VERTEX("", ""), NULL,
             "#version 430\nlayout(points) in;\nlayout(line_strip, max_vertices = 2) out;\nuniform int trips;\n"
             "void main() {\n gl_Position = vec4(0); EmitVertex(); EmitVertex();\n" LOOP "}\n",
             "EndPrimitive();\n"},
            {"out_stream", "a dependent OUT that makes a vertex of another stream", emitted, 0, 0, VERTEX("", ""), NULL,
             "#version 430\nlayout(points) in;\nlayout(points, max_vertices = 1024) out;\nuniform int trips;\n"
             "void main() {\n" LOOP "}\n",
             "EmitStreamVertex(1);\n"},
            BY_WIDTH("1", "vec2", "(gl_VertexID + 1) % 3, 0", ""),
            BY_WIDTH("2", "vec2", "(gl_VertexID + 1) % 3, gl_VertexID >> 24", "sum += word.y;"),
            BY_WIDTH("4", "vec4", "(gl_VertexID + 1) % 3, gl_VertexID >> 24, gl_VertexID >> 25, gl_VertexID >> 26",
                     "sum += word.y; sum += word.z; sum += word.w;"),
            {"ast_output", "ald_output of what was written before (AST): what is not there before the write is done",
             ONE_WARP, RING,
             CONTROL("layout(location = 0) in int next[];\nlayout(location = 0) out int link[];\n", "int i = next[2];"),
             NULL, "link[gl_InvocationID] = i;\ni = link[i];\n"},
            {"ast_al2p", "al2p_input after a write (AST): the address is not there before the write is done", ONE_WARP,
             VERTEX("layout(location = 0) out int next[4];\n",
                    "for (int k = 0; k < 4; ++k) next[k] = gl_VertexID >> 24;"),
             CONTROL("layout(location = 0) in int next[][4];\nlayout(location = 0) out int link[][4];\n",
                     "int i = next[0][0];"),
             NULL, "link[gl_InvocationID][0] = i;\ni = next[0][i] | link[0][i & 1];\n"},
            {"ald_warps", "ald_input of many warps of 32 lanes: what fills the queues", timed, 32, 32,
             VERTEX("layout(location = 0) out int next;\n", "next = gl_VertexID >> 24;"),
             CONTROL_OF("32", "layout(location = 0) in int next[];\n", "int l = gl_InvocationID, i = 0;", LOOP, "i"),
             NULL, "i = next[l + i];\n"},
            {"ast_burst", "a read of an output, 12 writes of four words at once, and what overwrites these words",
             timed, 8, 0, VERTEX("layout(location = 0) out int next;\n", "next = gl_VertexID >> 24;"),
             CONTROL_OF("8",
                        "layout(location = 0) in int next[];\nlayout(location = 0) out vec4 words[][12];\n"
                        "uniform float factor, term;\n",
                        "int j = next[0]; float i = float(j);", LOOP, "i + float(j)"),
             NULL,
             "{ vec4 " FACTOR("0") ", " FACTOR("1") ", " FACTOR("2") ", " FACTOR("3") ", " FACTOR("4") ", " FACTOR("5") ", " FACTOR("6") ", " FACTOR(
                 "7") ", " FACTOR("8") ", " FACTOR("9") ", " FACTOR("10") ", " FACTOR("11") ";\n"
                                                                                            "i = i * factor + term;\nj "
                                                                                            "= floatBitsToInt(words[j "
                                                                                            "& 7][j & 7].x);\n" WRITE(
                                                                                                "11") WRITE("10")
                                                                                                WRITE("9") WRITE(
                                                                                                    "8") WRITE("7")
                                                                                                    WRITE("6") WRITE(
                                                                                                        "5") WRITE("4")
                                                                                                        WRITE("3") WRITE(
                                                                                                            "2") WRITE("1")
                                                                                                            WRITE(
                                                                                                                "0") "}"
                                                                                                                     "\n"},
            BY_LANES("same", "32", "0", "0", "the same word"),
            BY_LANES("row", "32", "gl_InvocationID", "0", "each another vertex"),
            BY_LANES("columns_16", "32", HALF, "l", "16 words of vertices 0 and 16"),
            BY_LANES("columns_8", "32", QUARTER, "l", "16 words of vertices 0 and 8"),
            BY_LANES("diagonals_16", "32", HALF " - l", "l", "word w of vertices -w and 16 - w"),
            BY_LANES("diagonals_8", "32", QUARTER " - l", "l", "word w of vertices -w and 8 - w"),
            BY_LANES("mirrors_16", "32", HALF " ^ l", "l", "word w of vertices w and 16 ^ w"),
            BY_LANES("mirrors_8", "32", QUARTER " ^ l", "l", "word w of vertices w and 8 ^ w"),
            BY_LANES("lanes_16", "16", "gl_InvocationID", "0", "as ald_row, of 16 lanes"),
            BY_LANES("lanes_8", "8", "gl_InvocationID", "0", "as ald_row, of 8 lanes"),
            {"ald_patch", "a dependent read of the patch's outputs (ALD.P), and the arithmetic for its address",
             ONE_WARP, VERTEX("layout(location = 0) out int next;\n", "next = gl_VertexID >> 24;"),
             CONTROL("layout(location = 0) in int next[];\nlayout(location = 1) patch out int link[4];\n",
                     "for (int k = 0; k < 4; ++k) link[k] = next[0] + k; barrier();\nint i = next[0];"),
             NULL, "i = link[i];\n"},
            AST_BY_LANES("8"),
            AST_BY_LANES("32"),
            AST_BY_WIDTH("2", "ivec2", "word.x | word.y"),
            AST_BY_WIDTH("4", "ivec4", "word.x | word.y | word.z | word.w"),
            {"fetch", "a vector more of input for each of 128 vertices, fetched while the ISBE is read", rate, 0, 0,
             FETCHING, NULL, NULL, "sum = sum * factor + a[k]; ++k;\n"},
            {"fetch_emit", "fetch, with 8 vertices that a geometry program emits for each", rate, 0, 0, FETCHING, NULL,
             "#version 430\nlayout(points) in;\nlayout(points, max_vertices = 8) out;\n"
             "layout(location = 0) in vec4 data[];\nlayout(location = 0) out vec4 o;\nvoid main() {\n"
             "for (int k = 0; k < 8; ++k) { o = data[0] + float(k); gl_Position = vec4(0); EmitVertex(); }\n}\n",
             "sum = sum * factor + a[k]; ++k;\n"},
            {"draws", "alu of draws one after the other: overlapping ones take no longer than one", timed, 3, -2,
             VERTEX("", ""), CONTROL("uniform float factor, term;\n", "float i = float(gl_InvocationID);"), NULL,
             "i = i * factor + term;\n"},
            {"clock_alu", "alu, in cycles that the program reads", clocked, 3, 0, VERTEX("", ""),
             CLOCKED("uniform float factor, term;\n", "float i = float(gl_InvocationID);"), NULL,
             "i = i * factor + term;\n"},
            {"clock_ald", "ald_output, in cycles that the program reads", clocked, 3, 0, RING,
             CLOCKED("layout(location = 0) in int next[];\nlayout(location = 0) out int link[];\n",
                     "link[gl_InvocationID] = next[gl_InvocationID]; barrier();\nint i = gl_InvocationID;"),
             NULL, "i = link[i];\n"},
            THROUGHPUT("vertex_rate", "a vertex of separate triangles with a constant position", plain, VERTEX("", ""),
                       3),
            THROUGHPUT("primitive_rate", "a triangle of a strip of which all indices are 0", one_index, VERTEX("", ""),
                       1),
            THROUGHPUT("restart_rate", "a strip of one triangle, which a restart index ends", restarts, VERTEX("", ""),
                       1),
            THROUGHPUT("instance_rate", "an instance of one triangle", instances, VERTEX("", ""), 1),
            THROUGHPUT("draw_rate", "a draw of one triangle", draws, VERTEX("", ""), 1),
            THROUGHPUT("record_rate", "an indirect record of 16 bytes of one triangle", records, VERTEX("", ""), 1),
            {"geometry_rate", "a geometry thread: a triangle in, a triangle out", throughput, plain, 1, VERTEX("", ""),
             NULL,
             "#version 430\nlayout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\nvoid main() {\n"
             "for (int k = 0; k < 3; ++k) { gl_Position = vec4(0); EmitVertex(); }\n}\n",
             NULL},
            INPUTS("1"),
            INPUTS("2"),
            INPUTS("4"),
            INPUTS("8"),
            OUTPUTS("1"),
            OUTPUTS("4"),
            OUTPUTS("8"),
            OUTPUTS("15"),
            BY_SIZE("4"),
            BY_SIZE("7"),
            BY_SIZE("11"),
            BY_SIZE("17"),
            BY_SIZE("24"),
            BY_SIZE("31"),
            {"batch_indices", "indices of a batch: of one vertex again and again", repeated, 0, 0, COUNTING, NULL, NULL,
             NULL},
            {"batch_vertices", "vertices of a batch: so many others, and the first one again", kept, 0, 0, COUNTING,
             NULL, NULL, NULL},
            {"batch_strip", "triangles of a strip before a vertex is run again", strip, 0, 0, COUNTING, NULL, NULL,
             NULL},
            {"batch_patches", "patches of a batch: of one vertex each, always the same", repeated, 1, 0, COUNTING,
             CONTROL_OF("1", "", "", "", "0"), NULL, NULL},
            {"geometry_threads", "threads of a geometry warp", shared, 0, 0, SHARING(STEPS, "1")},
            {"geometry_halves", "vertices a thread that two threads of a geometry warp may declare", shared, 0, 2,
             SHARING("32", STEPS)},
            {"geometry_thirds", "vertices a thread that three threads of a geometry warp may declare", shared, 0, 3,
             SHARING("32", STEPS)},
            {"geometry_32nds", "vertices a thread that 32 threads of a geometry warp may declare", shared, 0, 32,
             SHARING("32", STEPS)},
};

#endif
