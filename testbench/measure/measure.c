/* SPDX-License-Identifier: Apache-2.0 */
/* Times draws with different numbers of trips through a dependent loop: the time of a trip is a latency of the chip,
 * without the rest of the draw. The difference between two lengths of the loop's body removes the loop itself.
 *
 *   isbesim_measure [--out FILE] [--device N] [--repetitions N] [--tests NAME,...] [--quiet]
 *
 * Exit status: 0 measured, 1 wrong arguments or a shader is refused, 2 no context or no timer, 3 no such structure. */
#include <time.h>

#include "../gl/compile/context.h"
#include "shaders.h"

/* From gl.xml of the Khronos registry. */
enum {
    VENDOR = 0x1f00,
    RENDERER = 0x1f01,
    VERSION = 0x1f02,
    UNSIGNED_INT = 0x1405,
    ARRAY = 0x8892,
    ELEMENT_ARRAY = 0x8893,
    INDIRECT = 0x8f3f,
    FRAGMENT_SHADER = 0x8b30,
    FLOAT = 0x1406,
    RESTART_INDEX = 0x8d69,
    ATOMIC_COUNTERS = 0x92c0,
    STORAGE_BUFFER = 0x90d2,
    BUFFER_UPDATE_BARRIER = 0x200,
    STATIC_DRAW = 0x88e4,
    GEOMETRY_OUTPUT_VERTICES = 0x8de0,
    GEOMETRY_INSTANCES = 0x8e5a,
    TIME_ELAPSED = 0x88bf,
    COUNTER_BITS = 0x8864,
    QUERY_RESULT = 0x8866,
    TRIANGLES = 4,
    TRIANGLE_STRIP = 5,
    /* Parameters of the measurement. */
    bodies = 2,
    short_body = 4,
    long_body = 8,
    points = 4, /* trips: 1, 2, 3 and 4 times the first number */
    most_repetitions = 64,
    /* Enough that the start of the first warps makes no difference. */
    least_trips = 8,
    least_rates = 16,
    most_trips = 1 << 13,
    most_items = 1 << 18,
    most_emitted = 1 << 10,
    most_primitives = 1 << 14,
    most_indices = 1 << 12,
    most_text = 1 << 14,
    test_count = sizeof tests / sizeof tests[0]
};

/* A draw must take this much longer with all trips than with a quarter of them, or nanoseconds would matter. */
static const double shortest_ns = 10000, shortest_noises = 50;
/* A larger difference between repetitions means that something else was running. */
static const double quiet = 0.05;

static const char evaluation[] = "#version 430\nlayout(triangles) in;\nvoid main() { gl_Position = "
                                 "gl_in[0].gl_Position + gl_in[1].gl_Position; }\n";

/* Times of draws with a number of primitives; cycles instead of nanoseconds for `clocked`. */
struct timing {
    int primitives;
    int trips; /* of the first point */
    double ns[bodies][most_repetitions][points];
    double step, spread; /* the median and the range of the repetitions; one repetition has no range */
    int noisy;
};

struct result {
    int done;
    struct timing timings[2];
    int count;
};

static int repetitions = 5;
static int host_clock; /* the driver's timer does not see the programs: by glFinish and the machine's clock */

static double host_ns(void)
{
    struct timespec now;
    GL(void, "glFinish", (void))();
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static unsigned compile(int type, const char* name, const char* text)
{
    char log[4096] = "";
    const unsigned shader = compile_shader(type, text, log, sizeof log);
    if (shader != 0) return shader;
    fprintf(stderr, "%s: %s\n%s", name, log, text);
    exit(1);
}

/* Attaches a shader, with `steps` steps in place of STEPS in its text. */
static void attach(unsigned program, const struct test* test, int type, const char* text, int steps)
{
    static char all[most_text];
    const char* const place = strstr(text, STEPS);
    const int before = place == NULL ? (int)strlen(text) : (int)(place - text);
    int length = snprintf(all, sizeof all, "%.*s", before, text);
    if (place != NULL) {
        if (test->step == NULL) length += snprintf(all + length, sizeof all - (size_t)length, "%d", steps);
        while (test->step != NULL && steps-- > 0)
            length += snprintf(all + length, sizeof all - (size_t)length, "%s", test->step);
        snprintf(all + length, sizeof all - (size_t)length, "%s", place + strlen(STEPS));
    }
    GL(void, "glAttachShader", (unsigned, unsigned))(program, compile(type, test->name, all));
}

static unsigned link_program(const struct test* test, int steps)
{
    const unsigned program = GL(unsigned, "glCreateProgram", (void))();
    int done = 0;
    attach(program, test, VERTEX_SHADER, test->vertex, steps);
    if (test->geometry != NULL) attach(program, test, GEOMETRY_SHADER, test->geometry, steps);
    if (test->control != NULL && test->kind == throughput) attach(program, test, FRAGMENT_SHADER, test->control, steps);
    if (test->control != NULL && test->kind != throughput) {
        attach(program, test, CONTROL_SHADER, test->control, steps);
        attach(program, test, EVALUATION_SHADER, evaluation, steps);
    }
    GL(void, "glLinkProgram", (unsigned))(program);
    GL(void, "glGetProgramiv", (unsigned, int, int*))(program, LINK_STATUS, &done);
    if (!done) {
        char log[4096] = "";
        GL(void, "glGetProgramInfoLog", (unsigned, int, int*, char*))(program, sizeof log, NULL, log);
        fprintf(stderr, "%s: the program can't be linked: %s\n", test->name, log);
        exit(1);
    }
    GL(void, "glUseProgram", (unsigned))(program);
    if (test->vertices != 0 && test->kind != throughput)
        GL(void, "glPatchParameteri", (int, int))(PATCH_VERTICES, test->vertices);
    return program;
}

static int limit(int name)
{
    int value = 0;
    GL(void, "glGetIntegerv", (int, int*))(name, &value);
    return value;
}

/* The word at a byte offset of a buffer that programs wrote. */
static unsigned read_word(int buffer, size_t place)
{
    unsigned word = 0;
    GL(void, "glMemoryBarrier", (unsigned))(BUFFER_UPDATE_BARRIER);
    GL(void, "glGetBufferSubData", (int, size_t, size_t, void*))(buffer, place, sizeof word, &word);
    return word;
}

/* Gives the program's attributes `a`, and indices or records, room for `count` triangles of a throughput. */
static void bind_items(const struct test* test, unsigned program, int count)
{
    static unsigned buffers[3];
    const int target = test->vertices == records ? INDIRECT : ELEMENT_ARRAY;
    const size_t words = test->vertices == plain || test->vertices == instances ? 0 : 4 * (size_t)count + 2;
    unsigned* const data = (unsigned*)calloc(words + 1, sizeof *data);
    int places[8];
    int vectors = 0;
    size_t i;
    if (data == NULL) exit(2);
    if (buffers[0] == 0) GL(void, "glGenBuffers", (int, unsigned*))(3, buffers);
    for (i = 0; i < 8; ++i) {
        char name[] = "a[0]";
        name[2] = (char)('0' + i);
        GL(void, "glDisableVertexAttribArray", (unsigned))((unsigned)i); /* of the test before */
        places[i] = GL(int, "glGetAttribLocation", (unsigned, const char*))(program, name);
        if (places[i] >= 0) ++vectors;
    }
    GL(void, "glBindBuffer", (int, unsigned))(ARRAY, buffers[0]);
    GL(void, "glBufferData", (int, size_t, const void*, int))
    (ARRAY, (size_t)count * 48 * (size_t)vectors + 1, NULL, STATIC_DRAW);
    for (i = 0; i < 8; ++i) {
        if (places[i] < 0) continue;
        GL(void, "glEnableVertexAttribArray", (unsigned))((unsigned)places[i]);
        GL(void, "glVertexAttribPointer", (unsigned, int, int, int, int, size_t))
        ((unsigned)places[i], 4, FLOAT, 0, 16 * vectors, 16 * i);
    }
    for (i = 0; i + 2 < words; ++i) {
        if (test->vertices == restarts) data[i] = i % 4 == 3 ? ~0U : (unsigned)(i / 4 * 3 + i % 4);
        if (test->vertices == records) data[i] = i % 4 == 0 ? 3 : i % 4 == 1;
    }
    if (words != 0) {
        GL(void, "glBindBuffer", (int, unsigned))(target, buffers[target == INDIRECT ? 2 : 1]);
        GL(void, "glBufferData", (int, size_t, const void*, int))(target, words * sizeof *data, data, STATIC_DRAW);
    }
    free(data);
}

/* Triangles of a step of a throughput: fewer where each is a draw, which takes long. */
static int items_of(const struct test* test)
{
    return test->vertices == draws || test->vertices == records ? 1 : 128;
}

static void draw_items(const struct test* test, int count)
{
    switch (test->vertices) {
    case one_index:
        GL(void, "glDrawElements", (int, int, int, const void*))(TRIANGLE_STRIP, count + 2, UNSIGNED_INT, NULL);
        break;
    case restarts:
        GL(void, "glDrawElements", (int, int, int, const void*))(TRIANGLE_STRIP, 4 * count, UNSIGNED_INT, NULL);
        break;
    case instances:
        GL(void, "glDrawArraysInstanced", (int, int, int, int))(TRIANGLES, 0, 3, count);
        break;
    case records:
        GL(void, "glMultiDrawArraysIndirect", (int, const void*, int, int))(TRIANGLES, NULL, count, 16);
        break;
    case draws:
        while (count-- > 0) GL(void, "glDrawArrays", (int, int, int))(TRIANGLES, 0, 3);
        break;
    default:
        GL(void, "glDrawArrays", (int, int, int))(TRIANGLES, 0, 3 * count);
    }
}

/* Steps of the program in use: triangles of a throughput by the trip. */
static int body_steps = short_body;

/* The time of `primitives` in nanoseconds, in one draw unless the test has a draw for each. For `clocked`, the cycles
 * that the program has counted. */
static double time_draw(const struct test* test, unsigned program, int primitives, int trips)
{
    static unsigned query;
    uint64_t ns = 0;
    double begin;
    int repeats = 1;
    if (test->many < 0) {
        repeats = primitives;
        primitives = 1;
    }
    if (test->kind == rate) primitives *= 128 * trips;
    if (test->kind == throughput) bind_items(test, program, items_of(test) * body_steps * trips);
    if (query == 0) GL(void, "glGenQueries", (int, unsigned*))(1, &query);
    GL(void, "glUniform1i", (int, int))
    (GL(int, "glGetUniformLocation", (unsigned, const char*))(program, "trips"), trips);
    begin = host_ns();
    GL(void, "glBeginQuery", (int, unsigned))(TIME_ELAPSED, query);
    if (test->kind == throughput) draw_items(test, items_of(test) * body_steps * trips);
    while (test->kind != throughput && repeats-- > 0) GL(void, "glDrawArrays", (int, int, int))
    (test->vertices == 0 ? POINTS : PATCHES, 0, test->vertices == 0 ? primitives : test->vertices * primitives);
    GL(void, "glEndQuery", (int))(TIME_ELAPSED);
    GL(void, "glGetQueryObjectui64v", (unsigned, int, uint64_t*))(query, QUERY_RESULT, &ns);
    if (host_clock) return host_ns() - begin;
    return test->kind == clocked ? read_word(STORAGE_BUFFER, sizeof(unsigned)) : (double)ns;
}

static int compare(const void* left, const void* right)
{
    const double difference = *(const double*)left - *(const double*)right;
    return (difference > 0) - (difference < 0);
}

/* Median; sorts the values. */
static double median(double* values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Slope of the least-squares line through the points: nanoseconds per trip. */
static double slope(const double* ns, int trips)
{
    double mean = 0;
    double above = 0;
    double below = 0;
    int i;
    for (i = 0; i < points; ++i) mean += ns[i] / (double)points;
    for (i = 0; i < points; ++i) {
        const double x = i - (points - 1) / 2.0;
        above += x * (ns[i] - mean);
        below += x * x;
    }
    return above / below / trips;
}

/* Chooses enough trips that the differences between draws are large against the noise of draws. */
static int choose_trips(const struct test* test, unsigned program, int primitives, int trips)
{
    const int end = test->kind == emitted      ? most_emitted / (points * long_body)
                    : test->kind == throughput ? most_items / (points * long_body * 128)
                                               : most_trips;
    for (; trips < end; trips *= 2) {
        double least = 0;
        double most = 0;
        double longer;
        int i;
        for (i = 0; i < 3; ++i) {
            const double ns = time_draw(test, program, primitives, trips);
            if (i == 0 || ns < least) least = ns;
            if (i == 0 || ns > most) most = ns;
        }
        longer = time_draw(test, program, primitives, points * trips) - most;
        if (longer >= shortest_ns && longer >= shortest_noises * (most - least)) break;
    }
    return trips;
}

static struct timing measure(const struct test* test, int primitives)
{
    static const int lengths[bodies] = {short_body, long_body};
    struct timing result;
    double steps[most_repetitions];
    unsigned programs[bodies];
    int body, i, point;
    memset(&result, 0, sizeof result);
    result.primitives = primitives;
    for (body = bodies; body-- > 0;) {
        programs[body] = link_program(test, lengths[body]);
        body_steps = lengths[body];
        time_draw(test, programs[body], primitives, 1); /* the driver may compile at the first draw */
    }
    result.trips = choose_trips(test, programs[0], primitives, test->kind == rate ? least_rates : least_trips);
    for (i = 0; i < repetitions; ++i) {
        for (body = 0; body < bodies; ++body) {
            GL(void, "glUseProgram", (unsigned))(programs[body]);
            body_steps = lengths[body];
            for (point = 0; point < points; ++point)
                result.ns[body][i][point] = time_draw(test, programs[body], primitives, (point + 1) * result.trips);
        }
        steps[i] =
            (slope(result.ns[1][i], result.trips) - slope(result.ns[0][i], result.trips)) / (long_body - short_body);
        if (test->kind == throughput) steps[i] /= items_of(test) * (double)test->many;
    }
    result.step = median(steps, repetitions);
    result.spread = steps[repetitions - 1] - steps[0];
    result.noisy = !(result.step > 0) || result.spread > quiet * result.step;
    for (body = 0; body < bodies; ++body) GL(void, "glDeleteProgram", (unsigned))(programs[body]);
    return result;
}

/* The largest number up to `most` that behaves like 1, by bisection; no larger number may do so. */
static int largest(const struct test* test, unsigned program, int (*is_alike)(const struct test*, unsigned, int),
                   int most)
{
    int low = 1;
    int high = 2;
    while (high <= most && is_alike(test, program, high)) high = 2 * (low = high);
    if (high > most) return low;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (is_alike(test, program, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Nanoseconds of a trip in a draw: median of the repetitions. */
static double time_trip(const struct test* test, unsigned program, int primitives, int trips)
{
    double ns[most_repetitions];
    int i;
    for (i = 0; i < repetitions; ++i)
        ns[i] = (time_draw(test, program, primitives, points * trips) - time_draw(test, program, primitives, trips)) /
                ((points - 1) * trips);
    return median(ns, repetitions);
}

static int room_trips;
static double room_trip; /* with one primitive */

static int has_room(const struct test* test, unsigned program, int primitives)
{
    return time_trip(test, program, primitives, room_trips) < 1.5 * room_trip;
}

static int measure_capacity(const struct test* test)
{
    const unsigned program = link_program(test, short_body);
    int result;
    time_draw(test, program, 1, 1);
    room_trips = choose_trips(test, program, 1, least_trips);
    room_trip = time_trip(test, program, 1, room_trips);
    result = largest(test, program, has_room, most_primitives);
    GL(void, "glDeleteProgram", (unsigned))(program);
    return result;
}

/* Threads that the chip runs for the indices, as counted by the program. */
static unsigned count_threads(const struct test* test, const unsigned* indices, int count)
{
    static unsigned buffers[2];
    static const unsigned zero = 0;
    if (buffers[0] == 0) {
        GL(void, "glGenBuffers", (int, unsigned*))(2, buffers);
        GL(void, "glBindBuffer", (int, unsigned))(ELEMENT_ARRAY, buffers[0]);
        GL(void, "glBindBufferBase", (int, unsigned, unsigned))(ATOMIC_COUNTERS, 0, buffers[1]);
    }
    GL(void, "glBufferData", (int, size_t, const void*, int))
    (ELEMENT_ARRAY, (size_t)count * sizeof *indices, indices, STATIC_DRAW);
    GL(void, "glBufferData", (int, size_t, const void*, int))(ATOMIC_COUNTERS, sizeof zero, &zero, STATIC_DRAW);
    GL(void, "glDrawElements", (int, int, int, const void*))
    (test->kind == strip ? TRIANGLE_STRIP : test->vertices == 0 ? POINTS : PATCHES, count, UNSIGNED_INT, NULL);
    return read_word(ATOMIC_COUNTERS, 0);
}

/* True if no vertex is run twice with this count. */
static int is_run_once(const struct test* test, unsigned program, int count)
{
    static unsigned indices[most_indices + 2];
    const int all = count + (test->kind == strip ? 2 : test->kind == kept ? 1 : 0);
    const int vertices = test->kind == repeated ? 1 : test->kind == kept ? count : all;
    int i;
    (void)program; /* already in use */
    for (i = 0; i < all; ++i) indices[i] = (unsigned)(i % vertices);
    return count_threads(test, indices, all) == (unsigned)vertices;
}

/* True if the threads of a point share a warp in a program linked for this count. */
static int is_shared(const struct test* test, unsigned program, int count)
{
    static const unsigned index = 0;
    unsigned threads;
    program = link_program(test, count);
    threads = count_threads(test, &index, 1);
    GL(void, "glDeleteProgram", (unsigned))(program);
    return threads >= (unsigned)(test->many == 0 ? count : test->many);
}

/* The count of a test; 0 if the driver's programs cannot measure it. */
static int count_most(const struct test* test)
{
    unsigned program;
    int result;
    if (test->kind == shared)
        return !is_shared(test, 0, 1) ? 0
                                      : largest(test, 0, is_shared,
                                                limit(test->many == 0 ? GEOMETRY_INSTANCES : GEOMETRY_OUTPUT_VERTICES));
    program = link_program(test, 1);
    result = largest(test, program, is_run_once, most_indices);
    GL(void, "glDeleteProgram", (unsigned))(program);
    return result;
}

/* A text of the driver as JSON. */
static void print_text(FILE* out, const char* name, int what)
{
    const char* text = GL(const char*, "glGetString", (int))(what);
    fprintf(out, "  \"%s\": \"", name);
    for (; text != NULL && *text != '\0'; ++text) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        if ((unsigned char)*text >= ' ') fputc(*text, out);
    }
    fprintf(out, "\",\n");
}

static const char* unit_of(const struct test* test)
{
    return test->kind == clocked ? "clocks" : "ns";
}

static void print_timing(FILE* out, const char* name, const char* unit, const struct timing* timing)
{
    static const char* const names[bodies] = {"short", "long"};
    int body, i, point;
    fprintf(out, "      \"%s\": {\"primitives\": %d, \"step_%s\": %.6g", name, timing->primitives, unit, timing->step);
    if (repetitions > 1) fprintf(out, ", \"spread_%s\": %.6g", unit, timing->spread);
    fprintf(out, ", \"noisy\": %s, \"trips\": [", timing->noisy ? "true" : "false");
    for (point = 0; point < points; ++point) fprintf(out, point == 0 ? "%d" : ", %d", (point + 1) * timing->trips);
    fprintf(out, "]");
    for (body = 0; body < bodies; ++body) {
        fprintf(out, ",\n        \"%s_%s\": [", names[body], unit);
        for (i = 0; i < repetitions; ++i) {
            fprintf(out, i == 0 ? "[" : ", [");
            for (point = 0; point < points; ++point)
                fprintf(out, point == 0 ? "%.0f" : ", %.0f", timing->ns[body][i][point]);
            fprintf(out, "]");
        }
        fprintf(out, "]");
    }
    fprintf(out, "}");
}

/* Checks properties of every chip that runs a warp's lanes together and has attributes in a memory; returns a reason if
 * one is missing. The first test is the multiply-add; in the others, lanes that share banks take longer. */
static const char* missing_structure(const struct test* test, const struct timing timings[2], double alu)
{
    static char text[200];
    const double longest = timings[0].ns[1][0][points - 1];
    const struct timing* noisy = timings[0].noisy ? &timings[0] : &timings[1];
    if (longest < shortest_ns)
        snprintf(text, sizeof text, "%s: with more trips draws take no longer", test->name);
    else if (test == tests && noisy->noisy)
        snprintf(text, sizeof text, "%s: repetitions differ by %.3g ns, a step takes %.3g ns", test->name,
                 noisy->spread, noisy->step);
    else if (test == tests && timings[1].step > 1.25 * timings[0].step)
        snprintf(text, sizeof text,
                 "%s: a step of one primitive takes %.3g ns, of %d primitives %.3g ns: they share no warp", test->name,
                 timings[0].step, timings[1].primitives, timings[1].step);
    else if (!timings[0].noisy && timings[0].step < 0.9 * alu)
        snprintf(text, sizeof text, "%s: a step takes %.3g ns, less than a multiply-add, %.3g ns", test->name,
                 timings[0].step, alu);
    return text[0] != '\0' ? text : NULL;
}

static void print_results(FILE* out, const struct result* results, const char* missing)
{
    const char* separator = "";
    int i;
    fprintf(out, "{\n  \"format\": \"isbesim measure 2\",\n");
    print_text(out, "vendor", VENDOR);
    print_text(out, "card", RENDERER);
    print_text(out, "driver", VERSION);
    fprintf(out, "  \"structure\": %s,\n", missing == NULL ? "true" : "false");
    fprintf(out, "  \"clock\": \"%s\",\n", host_clock ? "host" : "driver");
    if (missing != NULL) fprintf(out, "  \"reason\": \"%s\",\n", missing);
    fprintf(out, "  \"steps\": [%d, %d],\n  \"tests\": [\n", short_body, long_body);
    for (i = 0; i < test_count; ++i) {
        if (!results[i].done) continue;
        fprintf(out, "%s    {\"name\": \"%s\", \"measures\": \"%s\",\n", separator, tests[i].name, tests[i].measures);
        separator = ",\n";
        if (tests[i].kind > rate) fprintf(out, "      \"count\": %d", results[i].count);
        if (tests[i].kind <= rate) print_timing(out, "one", unit_of(&tests[i]), &results[i].timings[0]);
        if (results[i].timings[1].primitives != 0) {
            fprintf(out, ",\n");
            print_timing(out, "many", unit_of(&tests[i]), &results[i].timings[1]);
        }
        fprintf(out, "}");
    }
    fprintf(out, "\n  ]\n}\n");
}

/* A line of the program's output, without --quiet. */
static void print_result(const struct test* test, const struct result* result)
{
    int i;
    printf("%-16s", test->name);
    if (test->kind > rate) printf(" %d", result->count);
    for (i = 0; i < 2 && test->kind <= rate; ++i)
        if (result->timings[i].primitives != 0)
            printf("%s%8.4g %s of %d%s", i == 0 ? " " : ", ", result->timings[i].step, unit_of(test),
                   result->timings[i].primitives, result->timings[i].noisy ? ", noisy" : "");
    printf("\n");
    fflush(stdout);
}

static void run(const struct test* test, struct result* result)
{
    result->done = test->kind != emitted || limit(GEOMETRY_OUTPUT_VERTICES) >= most_emitted;
    if (!result->done) return;
    if (test->kind == capacity) result->count = measure_capacity(test);
    if (test->kind > capacity) result->count = count_most(test);
    if (test->kind > rate) {
        result->done = result->count > 0;
        return;
    }
    /* Triangles without area, which a rasteriser takes. */
    if (test->kind == throughput) GL(void, "glDisable", (int))(RASTERIZER_DISCARD);
    result->timings[0] = measure(test, 1);
    GL(void, "glEnable", (int))(RASTERIZER_DISCARD);
    /* Self-test: a clock that stands still measures nothing. */
    if (test->kind == clocked) result->done = result->timings[0].step > 0;
    if (test->many != 0 && test->kind != throughput) result->timings[1] = measure(test, abs(test->many));
}

/* Marks the tests in a list of names with commas; NULL: all. The first test always runs. */
static void choose(const char* list, int* chosen)
{
    int i;
    for (i = 0; i < test_count; ++i) chosen[i] = list == NULL || i == 0;
    while (list != NULL) {
        const size_t length = strcspn(list, ",");
        for (i = 0; i < test_count; ++i)
            if (strncmp(list, tests[i].name, length) == 0 && tests[i].name[length] == '\0') break;
        if (i == test_count) {
            fprintf(stderr, "%.*s, expected the name of a test\n", (int)length, list);
            exit(1);
        }
        chosen[i] = 1;
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
}

static int number(const char* text, int least, int most)
{
    char* end;
    const long value = strtol(text, &end, 10);
    if (*text != '\0' && *end == '\0' && value >= least && value <= most) return (int)value;
    fprintf(stderr, "%s, expected a number from %d to %d\n", text, least, most);
    exit(1);
}

int main(int argc, char** argv)
{
    static struct result results[test_count];
    const char* file = "measure.json";
    const char* list = NULL;
    const char* missing = NULL;
    FILE* out;
    static const unsigned zero[4] = {0}; /* programs write the cycles that they read to the second word */
    unsigned array, storage;
    int chosen[test_count];
    int device = -1;
    int bits = 0;
    int print = 1;
    int i;
    for (i = 1; i < argc; ++i) {
        const char* option = argv[i];
        const char* value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(option, "--quiet") == 0)
            print = 0;
        else if (value != NULL && strcmp(option, "--out") == 0)
            file = argv[++i];
        else if (value != NULL && strcmp(option, "--tests") == 0)
            list = argv[++i];
        else if (value != NULL && strcmp(option, "--device") == 0)
            device = number(argv[++i], 0, 63);
        else if (value != NULL && strcmp(option, "--repetitions") == 0)
            repetitions = number(argv[++i], 1, most_repetitions);
        else {
            fprintf(stderr, "%s, expected --out FILE, --device N, --repetitions N, --tests NAME,... or --quiet\n",
                    option);
            return 1;
        }
    }
    choose(list, chosen);
    if (!open_context(device)) {
        fprintf(stderr, "no OpenGL 4.3 context without a window system\n");
        return 2;
    }
    GL(void, "glGetQueryiv", (int, int, int*))(TIME_ELAPSED, COUNTER_BITS, &bits);
    if (bits == 0) {
        fprintf(stderr, "the driver has no timer queries\n");
        return 2;
    }
    GL(void, "glGenVertexArrays", (int, unsigned*))(1, &array);
    GL(void, "glBindVertexArray", (unsigned))(array);
    make_framebuffer();
    GL(void, "glGenBuffers", (int, unsigned*))(1, &storage);
    GL(void, "glBindBufferBase", (int, unsigned, unsigned))(STORAGE_BUFFER, 0, storage);
    GL(void, "glBufferData", (int, size_t, const void*, int))(STORAGE_BUFFER, sizeof zero, zero, STATIC_DRAW);
    GL(void, "glEnable", (int))(RESTART_INDEX);
    GL(void, "glEnable", (int))(RASTERIZER_DISCARD);
    for (i = 0; i < test_count; ++i) {
        if (!chosen[i] || (missing != NULL && tests[i].kind != throughput)) continue;
        run(&tests[i], &results[i]);
        if (print) print_result(&tests[i], &results[i]);
        if (tests[i].kind == timed)
            missing = missing_structure(&tests[i], results[i].timings, results[0].timings[0].step);
        if (i == 0 && results[0].timings[0].ns[1][0][points - 1] < shortest_ns) host_clock = 1;
    }
    out = fopen(file, "w");
    if (out == NULL) {
        perror(file);
        return 1;
    }
    print_results(out, results, missing);
    if (fclose(out) != 0) {
        perror(file);
        return 1;
    }
    if (missing == NULL) return 0;
    printf("no such structure: %s\n", missing);
    return 3;
}
