/* SPDX-License-Identifier: Apache-2.0 */
/* Reads from a SPIR-V module what a pipeline needs: its stage, resources by set and binding, inputs of a vertex
 * program. Numbers are those of the SPIR-V specification. */
#ifndef ISBESIM_GL_COMPILE_SPIRV_H
#define ISBESIM_GL_COMPILE_SPIRV_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uniform_list.h"

enum { most_resources = 64, most_inputs = 32, spirv_head = 5 };

enum spirv_number { SPIRV_FLOAT, SPIRV_SINT, SPIRV_UINT, SPIRV_DOUBLE };

struct module {
    uint32_t* words;
    size_t count;
    uint32_t stage;    /* VkShaderStageFlagBits; 0: not a stage before pixels */
    uint32_t patch;    /* vertices that a control program leaves */
    uint32_t topology; /* of a geometry program's input; VkPrimitiveTopology */
    const char* entry;
    struct {
        uint32_t set, binding, count, type; /* VkDescriptorType */
        const uint32_t* image;              /* defines the type of an image */
        uint32_t variable, block;           /* ids: of the variable, of its type without arrays */
    } resources[most_resources];
    unsigned resource_count;
    uint32_t pushed, pushed_as; /* the push constants: type, 0: none; variable */
    struct {
        uint32_t location, row;
        enum spirv_number number;
    } inputs[most_inputs];
    unsigned input_count;
    uint32_t* found; /* by id: where it is defined, its decorations, the value of an integer constant */
};

enum decoration { AT, SET, BINDING, LOCATION, OLD_STORAGE, VALUE, NAME, STRIDE, decorations };

static uint32_t* of_id(const struct module* in, uint32_t id, enum decoration which)
{
    return in->found + (size_t)(id < in->words[3] ? id : 0) * decorations + which;
}

/* The instruction that defines an id; the lower half of its first word is the opcode. */
static const uint32_t* definition(const struct module* in, uint32_t id)
{
    return in->words + *of_id(in, id, AT);
}

static uint32_t operation(const uint32_t* code)
{
    return *code & 0xffff;
}

/* The element type below arrays, and the number of elements. */
static const uint32_t* without_arrays(const struct module* in, uint32_t id, uint32_t* count)
{
    const uint32_t* code = definition(in, id);
    *count = 1;
    for (; (operation(code) == 28 || operation(code) == 29) && definition(in, code[2]) < code;
         code = definition(in, code[2]))
        if (operation(code) == 28) *count *= *of_id(in, code[3], VALUE);
    return code;
}

/* An expression of specialization constants, by their defaults. Conversions have the value of `a`. */
static uint32_t folded(uint32_t expression, uint32_t a, uint32_t b)
{
    switch (expression) {
    case 128:
        return a + b;
    case 130:
        return a - b;
    case 132:
        return a * b;
    case 134:
    case 135:
        return b != 0 ? a / b : 0;
    case 137:
    case 139:
        return b != 0 ? a % b : 0;
    case 196:
        return a << (b & 31);
    default:
        return a;
    }
}

static void add_resource(struct module* in, const uint32_t* variable, const uint32_t* pointer)
{
    enum { SAMPLER, SAMPLED, IMAGE, STORAGE_IMAGE, TEXELS, STORAGE_TEXELS, UNIFORM, STORAGE };
    enum { of_buffer = 5, storage_class = 12 };
    uint32_t type = UNIFORM;
    uint32_t count = 1;
    const uint32_t* code = without_arrays(in, pointer[3], &count);
    if (in->resource_count == most_resources) return;
    if (operation(code) == 26) type = SAMPLER;
    if (operation(code) == 25) type = code[7] == 2 ? STORAGE_IMAGE : IMAGE;
    if (operation(code) == 25 && code[3] == of_buffer) type = code[7] == 2 ? STORAGE_TEXELS : TEXELS;
    in->resources[in->resource_count].image = code;
    if (operation(code) == 27) {
        in->resources[in->resource_count].image = definition(in, code[2]);
        type = definition(in, code[2])[3] == of_buffer ? TEXELS : SAMPLED;
    }
    if (operation(code) == 30 && (pointer[2] == storage_class || *of_id(in, code[1], OLD_STORAGE) != 0)) type = STORAGE;
    in->resources[in->resource_count].variable = variable[2];
    in->resources[in->resource_count].block = code[1];
    in->resources[in->resource_count].set = *of_id(in, variable[2], SET);
    in->resources[in->resource_count].binding = *of_id(in, variable[2], BINDING);
    in->resources[in->resource_count].count = count;
    in->resources[in->resource_count++].type = type;
}

/* Number type of an image's values. */
static enum spirv_number number_of(const struct module* in, const uint32_t* image)
{
    const uint32_t* code = definition(in, image[2]);
    if (operation(code) != 21) return SPIRV_FLOAT;
    return code[3] != 0 ? SPIRV_SINT : SPIRV_UINT;
}

/* Each column of each element has a location, or two if it is wider than 128 bits. */
static void add_inputs(struct module* in, const uint32_t* variable, const uint32_t* pointer)
{
    uint32_t location = *of_id(in, variable[2], LOCATION);
    uint32_t elements, columns = 1, components = 1, row;
    enum spirv_number number = SPIRV_FLOAT;
    const uint32_t* code = without_arrays(in, pointer[3], &elements);
    if (operation(code) == 24) {
        columns = code[3];
        code = definition(in, code[2]);
    }
    if (operation(code) == 23) {
        components = code[3];
        code = definition(in, code[2]);
    }
    if (operation(code) == 22 && code[2] == 64) number = SPIRV_DOUBLE;
    if (operation(code) == 21) number = code[3] != 0 ? SPIRV_SINT : SPIRV_UINT;
    for (row = 0; location != 0 && row < elements * columns && in->input_count < most_inputs; ++row) {
        in->inputs[in->input_count].location = location - 1;
        in->inputs[in->input_count].row = row;
        in->inputs[in->input_count++].number = number;
        location += number == SPIRV_DOUBLE && components > 2 ? 2 : 1;
    }
}

static void add_variable(struct module* in, const uint32_t* variable)
{
    const uint32_t* pointer = definition(in, variable[1]);
    switch (variable[3]) {
    case 0: /* constants that are images and samplers */
    case 2:
    case 12:
        add_resource(in, variable, pointer);
        break;
    case 1:
        if (in->stage == 1) add_inputs(in, variable, pointer);
        break;
    case 9:
        in->pushed = pointer[3];
        in->pushed_as = variable[2];
        break;
    default:
        break;
    }
}

static uint32_t stage_of(uint32_t model)
{
    if (model == 5364) return 0x40; /* task */
    if (model == 5365) return 0x80; /* mesh */
    return model < 4 ? 1U << model : 0;
}

static void read_instruction(struct module* in, const uint32_t* code, uint32_t words)
{
    static const struct {
        uint32_t mode, topology;
    } primitives[] = {{19, 0}, {20, 1}, {21, 6}, {22, 3}, {23, 8}};
    const uint32_t place = (uint32_t)(code - in->words);
    size_t i;
    if (operation(code) == 15 && in->entry == NULL && words > 3) {
        in->stage = stage_of(code[1]);
        in->entry = (const char*)(code + 3);
    }
    if (operation(code) == 16 && in->stage == 8)
        for (i = 0; i < sizeof primitives / sizeof primitives[0]; ++i)
            if (words > 2 && code[2] == primitives[i].mode) in->topology = primitives[i].topology;
    if (operation(code) == 16 && words > 3 && code[2] == 26 && in->stage == 2) in->patch = code[3]; /* OutputVertices */
    if (operation(code) == 5 && words > 2) *of_id(in, code[1], NAME) = place + 2;
    if (operation(code) == 71 && words > 3 && code[2] == 6) *of_id(in, code[1], STRIDE) = code[3];
    if (operation(code) == 71 && words > 2) {
        if (code[2] == 3) *of_id(in, code[1], OLD_STORAGE) = 1;
        if (code[2] == 30 && words > 3) *of_id(in, code[1], LOCATION) = code[3] + 1; /* 0: none */
        if (code[2] == 33 && words > 3) *of_id(in, code[1], BINDING) = code[3];
        if (code[2] == 34 && words > 3) *of_id(in, code[1], SET) = code[3];
    }
    if (operation(code) >= 19 && operation(code) <= 33 && words > 1) *of_id(in, code[1], AT) = place;
    if ((operation(code) == 43 || operation(code) == 50) && words > 3) *of_id(in, code[2], VALUE) = code[3];
    if (operation(code) == 52 && words > 4)
        *of_id(in, code[2], VALUE) =
            folded(code[3], *of_id(in, code[4], VALUE), words > 5 ? *of_id(in, code[5], VALUE) : 0);
    if (operation(code) == 59 && words > 3) add_variable(in, code);
}

/* Returns 0 if the file is no SPIR-V module. */
static int read_module(struct module* in, const char* name)
{
    enum { magic = 0x07230203, most_ids = 1 << 22 };
    FILE* file = fopen(name, "rb");
    long size;
    size_t word;
    if (file == NULL) return 0;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    in->count = size < 0 ? 0 : (size_t)size / 4;
    in->words = calloc(in->count + 16, 4);
    if (in->words == NULL || fread(in->words, 4, in->count, file) != in->count) in->count = 0;
    fclose(file);
    if (in->count <= spirv_head || in->words[0] != magic || in->words[3] > most_ids) return 0;
    in->found = calloc((size_t)in->words[3] + 1, decorations * sizeof *in->found);
    in->topology = 3;
    for (word = spirv_head; in->found != NULL && word < in->count;) {
        const uint32_t words = in->words[word] >> 16;
        if (words == 0 || words > in->count - word) return 0;
        read_instruction(in, in->words + word, words);
        word += words;
    }
    return in->entry != NULL;
}

enum { ROW_MAJOR = 4, MATRIX_STRIDE = 7, OFFSET = 35, MEMBER_NAME = -1 };

/* The operands of a member's decoration, or its name; NULL if the module has none. */
static const uint32_t* of_member(const struct module* in, uint32_t structure, uint32_t member, int what)
{
    size_t word;
    for (word = spirv_head; word < in->count; word += in->words[word] >> 16) {
        const uint32_t* words = in->words + word;
        if (words[1] != structure || words[2] != member) continue;
        if (what == MEMBER_NAME && operation(words) == 6) return words + 3;
        if (what != MEMBER_NAME && operation(words) == 72 && words[3] == (uint32_t)what) return words + 4;
    }
    return NULL;
}

static const char* name_of(const struct module* in, uint32_t id)
{
    const uint32_t word = *of_id(in, id, NAME);
    return word == 0 ? "" : (const char*)(in->words + word);
}

/* The name in GLSL of a number, a vector or a matrix, with the number of columns. */
static void name_type(const struct module* in, const uint32_t* code, char* name, size_t letters)
{
    const uint32_t* number = code;
    const char* prefix;
    uint32_t columns = 0, height = 0;
    if (operation(code) == 24) {
        columns = code[3];
        number = code = definition(in, code[2]);
    }
    if (operation(code) == 23) {
        height = code[3];
        number = definition(in, code[2]);
    }
    if (operation(number) == 22)
        prefix = number[2] == 32 ? "" : number[2] == 64 ? "d" : "f16";
    else
        prefix = number[2] != 32 ? "i64" : number[3] != 0 ? "i" : "u";
    if (columns == height && height != 0)
        snprintf(name, letters, "%smat%u", prefix, height);
    else if (columns != 0)
        snprintf(name, letters, "%smat%ux%u", prefix, columns, height);
    else if (height != 0)
        snprintf(name, letters, "%svec%u", prefix, height);
    else
        snprintf(name, letters, "%s",
                 prefix[0] == '\0'          ? "float"
                 : strcmp(prefix, "d") == 0 ? "double"
                 : strcmp(prefix, "i") == 0 ? "int"
                 : strcmp(prefix, "u") == 0 ? "uint"
                                            : prefix);
}

/* Lists the values in a type at byte `offset` of a block whose first word has `key`; `count`: elements of the array of
 * structures around it. */
static void list_type(const struct module* in, uint32_t id, const char* name, uint32_t key, uint32_t offset,
                      struct layout where, uint32_t count)
{
    enum { letters = 1024, most_elements = 4096 };
    const uint32_t* code = definition(in, id);
    char full[letters];
    uint32_t i;
    if (operation(code) == 30) {
        for (i = 0; i + 2 < code[0] >> 16; ++i) {
            const uint32_t* member_offset = of_member(in, id, i, OFFSET);
            const uint32_t* matrix = of_member(in, id, i, MATRIX_STRIDE);
            const uint32_t* member = of_member(in, id, i, MEMBER_NAME);
            struct layout inner = {where.array_stride, matrix != NULL ? (int)*matrix : 0,
                                   of_member(in, id, i, ROW_MAJOR) != NULL};
            snprintf(full, letters, "%s%s%s", name, *name != '\0' ? "." : "",
                     member != NULL ? (const char*)member : "");
            if (member == NULL) snprintf(full, letters, "%s.%u", name, i);
            list_type(in, code[2 + i], full, key, offset + (member_offset != NULL ? *member_offset : 0), inner, count);
        }
        return;
    }
    if (operation(code) == 28 || operation(code) == 29) {
        const uint32_t stride = *of_id(in, id, STRIDE);
        const uint32_t inner = operation(definition(in, code[2]));
        const uint32_t size = operation(code) == 28 ? *of_id(in, code[3], VALUE)
                              : stride != 0         ? (buffer_bytes - offset) / stride
                                                    : 0;
        struct layout elements = {(int)stride, where.matrix_stride, where.row_major};
        const int in_one = count == 1 && (operation(code) == 29 || inner < 28);
        snprintf(full, letters, "%s%s", name, inner < 28 ? "" : "[]");
        if (in_one) list_type(in, code[2], full, key, offset, elements, size);
        for (i = 0; !in_one && i < size && i < most_elements; ++i) {
            snprintf(full, letters, "%s[%u]", name, i);
            list_type(in, code[2], full, key, offset + i * stride, where, count);
        }
        return;
    }
    name_type(in, code, full, letters);
    list_value(name, full, (int)count, key + offset / 4, where);
}

/* The name of the type of an image. */
static void name_image(const uint32_t* code, const char* kind, char* name, size_t letters)
{
    static const char* const shapes[] = {"1D", "2D", "3D", "Cube", "2DRect", "Buffer"};
    snprintf(name, letters, "%s%s%s%s", kind, code[3] < 6 ? shapes[code[3]] : "", code[6] != 0 ? "MS" : "",
             code[5] != 0 ? "Array" : "");
}

#endif
