/* SPDX-License-Identifier: Apache-2.0 */
/* Times draws over the number of trips of a dependent loop: what a trip takes more is a latency of the chip, whatever
 * else a draw takes. Two lengths of the loop's body: their difference is without the loop itself.
 *
 *   isbesim_measure [--out FILE] [--device N] [--repetitions N] [--quiet]
 *
 * Exit status: 0 measured, 1 wrong arguments or a shader is refused, 2 no context or no timer, 3 no such structure. */
#include "../gl/compile/context.h"
#include "shaders.h"

/* Of the Khronos registry: gl.xml. */
enum {
    VENDOR = 0x1f00,
    RENDERER = 0x1f01,
    VERSION = 0x1f02,
    TIME_ELAPSED = 0x88bf,
    COUNTER_BITS = 0x8864,
    QUERY_RESULT = 0x8866,
    /* How it is measured. */
    bodies = 2,
    short_body = 4,
    long_body = 8,
    points = 4, /* trips: 1, 2, 3 and 4 times the first number */
    most_repetitions = 64,
    most_trips = 1 << 13,
    many_patches = 8, /* three lanes each: still one warp */
    most_text = 1 << 14,
    test_count = sizeof tests / sizeof tests[0]
};

/* A draw has to take that much longer with all trips than with a quarter of them, or a nanosecond would count. */
static const double shortest_ns = 10000, shortest_noises = 50;
/* Repetitions that differ by more than that mean that something else was running. */
static const double quiet = 0.05;

static const char evaluation[] = "#version 430\nlayout(triangles) in;\nvoid main() { gl_Position = "
                                 "gl_in[0].gl_Position + gl_in[1].gl_Position; }\n";

/* Of draws with a number of primitives. */
struct timing {
    int primitives;
    int trips; /* of the first point */
    double ns[bodies][most_repetitions][points];
    double step, spread; /* the median and the range of the repetitions */
    int noisy;
};

static int repetitions = 5;

static unsigned compile(int type, const char* name, const char* text)
{
    const unsigned shader = compile_shader(type, name, text);
    if (shader != 0) return shader;
    fputs(text, stderr);
    exit(1);
}

static unsigned link_program(const struct test* test, int body)
{
    static char text[most_text];
    const unsigned program = GL(unsigned, "glCreateProgram", (void))();
    const int geometry = test->control_head == NULL;
    size_t length;
    int done = 0;
    int i;
    length = (size_t)snprintf(text, sizeof text, "%s", geometry ? test->geometry_head : test->control_head);
    for (i = 0; i < body; ++i) length += (size_t)snprintf(text + length, sizeof text - length, "%s", test->step);
    snprintf(text + length, sizeof text - length, "%s", geometry ? "}\n}\n" : test->control_tail);
    GL(void, "glAttachShader", (unsigned, unsigned))(program, compile(VERTEX_SHADER, test->name, test->vertex));
    GL(void, "glAttachShader", (unsigned, unsigned))
    (program, compile(geometry ? GEOMETRY_SHADER : CONTROL_SHADER, test->name, text));
    if (!geometry) GL(void, "glAttachShader", (unsigned, unsigned))
    (program, compile(EVALUATION_SHADER, test->name, evaluation));
    GL(void, "glLinkProgram", (unsigned))(program);
    GL(void, "glGetProgramiv", (unsigned, int, int*))(program, LINK_STATUS, &done);
    if (!done) {
        char log[4096] = "";
        GL(void, "glGetProgramInfoLog", (unsigned, int, int*, char*))(program, sizeof log, NULL, log);
        fprintf(stderr, "%s: the program can't be linked: %s\n", test->name, log);
        exit(1);
    }
    return program;
}

/* The time of one draw, in nanoseconds. */
static double time_draw(const struct test* test, unsigned program, int patches, int trips)
{
    static unsigned query;
    uint64_t ns = 0;
    if (query == 0) GL(void, "glGenQueries", (int, unsigned*))(1, &query);
    GL(void, "glUniform1i", (int, int))
    (GL(int, "glGetUniformLocation", (unsigned, const char*))(program, "trips"), trips);
    GL(void, "glFinish", (void))();
    GL(void, "glBeginQuery", (int, unsigned))(TIME_ELAPSED, query);
    if (test->control_head == NULL)
        GL(void, "glDrawArrays", (int, int, int))(POINTS, 0, patches);
    else
        GL(void, "glDrawArrays", (int, int, int))(PATCHES, 0, 3 * patches);
    GL(void, "glEndQuery", (int))(TIME_ELAPSED);
    GL(void, "glGetQueryObjectui64v", (unsigned, int, uint64_t*))(query, QUERY_RESULT, &ns);
    return (double)ns;
}

static int compare(const void* left, const void* right)
{
    const double difference = *(const double*)left - *(const double*)right;
    return (difference > 0) - (difference < 0);
}

/* Median of values that get sorted. */
static double median(double* values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Of the line through the points, least squares: nanoseconds a trip. */
static double slope(const double* ns, int trips)
{
    double mean = 0;
    double above = 0;
    double below = 0;
    int i;
    for (i = 0; i < points; ++i) mean += ns[i] / points;
    for (i = 0; i < points; ++i) {
        const double x = i - (points - 1) / 2.0;
        above += x * (ns[i] - mean);
        below += x * x;
    }
    return above / below / trips;
}

/* As many trips as make the differences of draws large against what draws differ by anyway. */
static int choose_trips(const struct test* test, unsigned program, int patches)
{
    int trips = 16;
    for (; trips < most_trips; trips *= 2) {
        double least = 0;
        double most = 0;
        double longer;
        int i;
        for (i = 0; i < 3; ++i) {
            const double ns = time_draw(test, program, patches, trips);
            if (i == 0 || ns < least) least = ns;
            if (i == 0 || ns > most) most = ns;
        }
        longer = time_draw(test, program, patches, points * trips) - most;
        if (longer >= shortest_ns && longer >= shortest_noises * (most - least)) break;
    }
    return trips;
}

static struct timing measure(const struct test* test, int patches)
{
    static const int lengths[bodies] = {short_body, long_body};
    struct timing result;
    double steps[most_repetitions];
    unsigned programs[bodies];
    int body, i, point;
    memset(&result, 0, sizeof result);
    result.primitives = patches;
    for (body = bodies; body-- > 0;) {
        programs[body] = link_program(test, lengths[body]);
        GL(void, "glUseProgram", (unsigned))(programs[body]);
        time_draw(test, programs[body], patches, 1); /* the driver may compile when it draws first */
    }
    result.trips = choose_trips(test, programs[0], patches);
    for (i = 0; i < repetitions; ++i) {
        for (body = 0; body < bodies; ++body) {
            GL(void, "glUseProgram", (unsigned))(programs[body]);
            for (point = 0; point < points; ++point)
                result.ns[body][i][point] = time_draw(test, programs[body], patches, (point + 1) * result.trips);
        }
        steps[i] =
            (slope(result.ns[1][i], result.trips) - slope(result.ns[0][i], result.trips)) / (long_body - short_body);
    }
    result.step = median(steps, repetitions);
    result.spread = steps[repetitions - 1] - steps[0];
    result.noisy = !(result.step > 0) || result.spread > quiet * result.step;
    for (body = 0; body < bodies; ++body) GL(void, "glDeleteProgram", (unsigned))(programs[body]);
    return result;
}

/* A text of the driver's, as JSON has it. */
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

static void print_timing(FILE* out, const char* name, const struct timing* timing)
{
    static const char* const names[bodies] = {"short_ns", "long_ns"};
    int body, i, point;
    fprintf(out,
            "      \"%s\": {\"primitives\": %d, \"step_ns\": %.6g, \"spread_ns\": %.6g, \"noisy\": %s, \"trips\": [",
            name, timing->primitives, timing->step, timing->spread, timing->noisy ? "true" : "false");
    for (point = 0; point < points; ++point) fprintf(out, point == 0 ? "%d" : ", %d", (point + 1) * timing->trips);
    fprintf(out, "]");
    for (body = 0; body < bodies; ++body) {
        fprintf(out, ",\n        \"%s\": [", names[body]);
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

/* What holds on every chip that runs a warp's lanes together and has attributes in a memory: else why it does not. The
 * first test is the multiply-add; banks that many lanes share make the others longer. */
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
                 timings[0].step, many_patches, timings[1].step);
    else if (!timings[0].noisy && timings[0].step < 0.9 * alu)
        snprintf(text, sizeof text, "%s: a step takes %.3g ns, less than a multiply-add, %.3g ns", test->name,
                 timings[0].step, alu);
    return text[0] != '\0' ? text : NULL;
}

static void print_results(FILE* out, struct timing timings[][2], int count, const char* missing)
{
    int i;
    fprintf(out, "{\n  \"format\": \"isbesim measure 1\",\n");
    print_text(out, "vendor", VENDOR);
    print_text(out, "card", RENDERER);
    print_text(out, "driver", VERSION);
    fprintf(out, "  \"structure\": %s,\n", missing == NULL ? "true" : "false");
    if (missing != NULL) fprintf(out, "  \"reason\": \"%s\",\n", missing);
    fprintf(out, "  \"steps\": [%d, %d],\n  \"tests\": [\n", short_body, long_body);
    for (i = 0; i < count; ++i) {
        fprintf(out, "    {\"name\": \"%s\", \"measures\": \"%s\",\n", tests[i].name, tests[i].measures);
        print_timing(out, "one", &timings[i][0]);
        fprintf(out, ",\n");
        print_timing(out, "many", &timings[i][1]);
        fprintf(out, i + 1 < count ? "},\n" : "}\n");
    }
    fprintf(out, "  ]\n}\n");
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
    static struct timing timings[test_count][2];
    const char* file = "measure.json";
    const char* missing = NULL;
    FILE* out;
    unsigned array;
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
        else if (value != NULL && strcmp(option, "--device") == 0)
            device = number(argv[++i], 0, 63);
        else if (value != NULL && strcmp(option, "--repetitions") == 0)
            repetitions = number(argv[++i], 2, most_repetitions);
        else {
            fprintf(stderr, "%s, expected --out FILE, --device N, --repetitions N or --quiet\n", option);
            return 1;
        }
    }
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
    GL(void, "glEnable", (int))(RASTERIZER_DISCARD);
    GL(void, "glPatchParameteri", (int, int))(PATCH_VERTICES, 3);
    for (i = 0; i < test_count && missing == NULL; ++i) {
        struct timing* both = timings[i];
        both[0] = measure(&tests[i], 1);
        both[1] = measure(&tests[i], many_patches);
        if (print)
            printf("%-12s %8.4g ns of %d, %8.4g ns of %d%s\n", tests[i].name, both[0].step, both[0].primitives,
                   both[1].step, both[1].primitives, both[0].noisy || both[1].noisy ? ", noisy" : "");
        fflush(stdout);
        missing = missing_structure(&tests[i], both, timings[0][0].step);
    }
    out = fopen(file, "w");
    if (out == NULL) {
        perror(file);
        return 1;
    }
    print_results(out, timings, i, missing);
    if (fclose(out) != 0) {
        perror(file);
        return 1;
    }
    if (missing == NULL) return 0;
    printf("no such structure: %s\n", missing);
    return 3;
}
