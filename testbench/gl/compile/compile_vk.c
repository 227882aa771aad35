/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a Vulkan pipeline and draws once with it: `isbesim compile` runs this for mesh and task programs and SPIR-V, so
 * that the driver compiles for the chip. The Vulkan loader is loaded by name at run time.
 *
 *   isbesim_vk_compile WORKGROUPS FILE.mesh|.task|.vert|.tesc|.tese|.geom|.spv ...
 *
 * WORKGROUPS: of a mesh draw. glslangValidator translates GLSL.
 * Exit status: 0 drawn, 1 shaders that are not taken (why is on stderr), 2 no device, 3 no mesh shaders, 4 no
 * glslangValidator, 5 the driver's compiler failed (its text is on stderr), 6 error in a shader (told on stderr). */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "input_rows.h"
#include "refusal.h"
#include "spirv.h"
#include "vulkan.h"

enum { most_stages = 6, most_sets = 32, most_images = 256, buffer_bytes = 65536, name_letters = 4096 };

/* From VkShaderStageFlagBits. */
enum { vertex_stage = 1, evaluation_stage = 4, geometry_stage = 8, mesh_stages = 0xc0, mesh_stage = 0x80 };

enum status { DONE, WRONG, NO_DEVICE, NO_MESHES, NO_GLSL, GAVE_UP };

typedef void (*any_function)(void);
static any_function (*get_function)(void*, const char*);
static void* instance;
static void* card;
static void* device;

static any_function vk(const char* name)
{
    const any_function found = get_function(instance, name);
    if (found != NULL) return found;
    fprintf(stderr, "no function %s\n", name);
    exit(NO_DEVICE);
}

#define VK(result, name, types) ((result(*) types)vk(name))

static void must(VkResult result, const char* what)
{
    if (result == 0) return;
    fprintf(stderr, "the driver refuses it: %s gave %d\n", what, (int)result);
    exit(WRONG);
}

/* Creates an object: all these functions have the same arguments. */
static VkHandle make(const char* name, const void* description)
{
    VkHandle made = 0;
    must(VK(VkResult, name, (void*, const void*, const void*, VkHandle*))(device, description, NULL, &made), name);
    return made;
}

static void start(int file, char** words)
{
    if (dup2(file, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0) _exit(NO_GLSL);
    unsetenv("LD_PRELOAD"); /* glslangValidator does not draw */
    execvp(words[0], words);
    _exit(NO_GLSL);
}

/* Translates GLSL to SPIR-V, in a file in the session's folder. */
static void translate(const char* file, char* made)
{
    const char* folder = getenv("ISBESIM_GL_FOLDER");
    const char* name = strrchr(file, '/');
    static char validator[] = "glslangValidator", to_vulkan[] = "-V", environment[] = "--target-env",
                version[] = "vulkan1.3", output[] = "-o";
    char* words[] = {validator, to_vulkan, environment, version, output, made, NULL, NULL};
    char text[name_letters] = "";
    FILE* said = tmpfile();
    int ended = 0;
    size_t length;
    pid_t child;
    words[6] = strdup(file);
    snprintf(made, name_letters, "%s/%s.spv", folder != NULL ? folder : "/tmp", name != NULL ? name + 1 : file);
    if (said == NULL) exit(NO_GLSL);
    child = fork();
    if (child == 0) start(fileno(said), words);
    if (child < 0 || waitpid(child, &ended, 0) != child) exit(NO_GLSL);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0) return;
    rewind(said);
    length = fread(text, 1, sizeof text - 1, said);
    if (length == 0) exit(NO_GLSL);
    refuse(file, text, "GLSL 4.60 for Vulkan");
}

static void find_card(void)
{
    struct VkApplicationInfo about = {0};
    const struct VkInstanceCreateInfo info = {1, NULL, 0, &about, 0, NULL, 0, NULL};
    uint32_t one = 1;
    void* library = dlopen("libvulkan.so.1", RTLD_NOW);
    void* symbol = library == NULL ? NULL : dlsym(library, "vkGetInstanceProcAddr");
    if (symbol == NULL) exit(NO_DEVICE);
    memcpy(&get_function, &symbol, sizeof get_function);
    about.apiVersion = 1U << 22 | 3U << 12;
    if (VK(VkResult, "vkCreateInstance", (const void*, const void*, void**))(&info, NULL, &instance) != 0)
        exit(NO_DEVICE);
    VK(VkResult, "vkEnumeratePhysicalDevices", (void*, uint32_t*, void**))(instance, &one, &card);
    if (one == 0 || card == NULL) exit(NO_DEVICE);
}

/* Enables all features of the device except those that add checks to programs. */
static void open_device(int meshes)
{
    struct VkFeatures mesh = {1000328000, NULL, {0}};
    struct VkFeatures newest = {53, meshes ? &mesh : NULL, {0}};
    struct VkFeatures newer = {51, &newest, {0}};
    struct VkFeatures new = {49, &newer, {0}};
    struct VkFeatures all = {1000059000, &new, {0}};
    const float priority = 1;
    const struct VkDeviceQueueCreateInfo queues = {2, NULL, 0, 0, 1, &priority};
    const char* const extension = "VK_EXT_mesh_shader";
    const struct VkDeviceCreateInfo info = {3, &all, 0, 1, &queues, 0, NULL, (uint32_t)meshes, &extension, NULL};
    VK(void, "vkGetPhysicalDeviceFeatures2", (void*, void*))(card, &all);
    if (meshes && mesh.on[1] == 0) exit(NO_MESHES);
    memset(mesh.on + 2, 0, sizeof mesh.on - 2 * sizeof mesh.on[0]);
    all.on[0] = 0;    /* robustBufferAccess */
    newest.on[0] = 0; /* robustImageAccess */
    must(VK(VkResult, "vkCreateDevice", (void*, const void*, const void*, void**))(card, &info, NULL, &device),
         "vkCreateDevice");
}

static VkHandle allocate(const struct VkMemoryRequirements* needs, uint32_t wanted)
{
    struct VkMemoryProperties kinds;
    struct VkMemoryAllocateInfo asked = {5, NULL, needs->size, 0};
    VK(void, "vkGetPhysicalDeviceMemoryProperties", (void*, void*))(card, &kinds);
    while ((needs->memoryTypeBits >> asked.memoryTypeIndex & 1) == 0 ||
           (kinds.memoryTypes[asked.memoryTypeIndex].propertyFlags & wanted) != wanted)
        ++asked.memoryTypeIndex;
    return make("vkAllocateMemory", &asked);
}

static VkHandle make_buffer(uint32_t usage, const void* content, size_t bytes)
{
    const struct VkBufferCreateInfo info = {12, NULL, 0, buffer_bytes, usage, 0, 0, NULL};
    const VkHandle made = make("vkCreateBuffer", &info);
    struct VkMemoryRequirements needs;
    VkHandle memory;
    void* mapped = NULL;
    VK(void, "vkGetBufferMemoryRequirements", (void*, VkHandle, void*))(device, made, &needs);
    memory = allocate(&needs, VK_MEMORY_VISIBLE_COHERENT);
    must(VK(VkResult, "vkBindBufferMemory", (void*, VkHandle, VkHandle, uint64_t))(device, made, memory, 0),
         "vkBindBufferMemory");
    must(VK(VkResult, "vkMapMemory", (void*, VkHandle, uint64_t, uint64_t, uint32_t, void**))(device, memory, 0,
                                                                                              needs.size, 0, &mapped),
         "vkMapMemory");
    if (bytes != 0) memcpy(mapped, content, bytes);
    return made;
}

static struct module modules[most_stages];
static unsigned module_count;
static VkHandle layouts[most_sets], sets[most_sets], pipeline_layout;
static uint32_t set_count;

/* True if no earlier resource of any program has the same set and binding. */
static int is_first(unsigned program, unsigned i)
{
    unsigned p, k;
    for (p = 0; p <= program; ++p)
        for (k = 0; k < (p == program ? i : modules[p].resource_count); ++k)
            if (modules[p].resources[k].set == modules[program].resources[i].set &&
                modules[p].resources[k].binding == modules[program].resources[i].binding)
                return 0;
    return 1;
}

static void make_layouts(uint32_t stages)
{
    struct VkDescriptorSetLayoutBinding bindings[most_resources];
    struct VkDescriptorSetLayoutCreateInfo info = {32, NULL, 0, 0, bindings};
    const struct VkPushConstantRange pushed = {stages, 0, VK_PUSH_BYTES};
    struct VkPipelineLayoutCreateInfo layout = {30, NULL, 0, 0, layouts, 1, &pushed};
    unsigned p, i, set;
    for (p = 0; p < module_count; ++p)
        for (i = 0; i < modules[p].resource_count; ++i)
            if (modules[p].resources[i].set >= set_count) set_count = modules[p].resources[i].set + 1;
    if (set_count > most_sets) must(-1, "a set above 31");
    for (set = 0; set < set_count; ++set) {
        info.bindingCount = 0;
        for (p = 0; p < module_count; ++p) {
            for (i = 0; i < modules[p].resource_count && info.bindingCount < most_resources; ++i) {
                struct VkDescriptorSetLayoutBinding* each = bindings + info.bindingCount;
                if (modules[p].resources[i].set != set || !is_first(p, i)) continue;
                each->binding = modules[p].resources[i].binding;
                each->descriptorType = modules[p].resources[i].type;
                each->descriptorCount = modules[p].resources[i].count;
                each->stageFlags = stages;
                each->samplers = NULL;
                ++info.bindingCount;
            }
        }
        layouts[set] = make("vkCreateDescriptorSetLayout", &info);
    }
    layout.setLayoutCount = set_count;
    pipeline_layout = make("vkCreatePipelineLayout", &layout);
}

/* A buffer whose texel t is row t of the data, repeated from the first row. */
static VkHandle texel_rows(enum spirv_number number)
{
    static VkHandle made[2];
    static char filled[buffer_bytes];
    const size_t row = sizeof data.floats[0];
    VkHandle* buffer = made + (number == SPIRV_FLOAT);
    unsigned t;
    for (t = 0; *buffer == 0 && t < buffer_bytes / row; ++t)
        memcpy(filled + t * row,
               number == SPIRV_FLOAT ? (const void*)data.floats[t % rows] : (const void*)data.integers[t % rows], row);
    if (*buffer == 0) *buffer = make_buffer(VK_USAGE_TEXELS, filled, sizeof filled);
    return *buffer;
}

/* The format that an image type names, else a format with four words per texel. */
static uint32_t format_of(const struct module* in, const uint32_t* image)
{
    static const uint8_t named[] = {0,  109, 97,  100, 37, 38, 103, 83,  122, 76, 91, 64,  77,  16,
                                    70, 9,   92,  78,  17, 71, 10,  108, 96,  42, 99, 102, 82,  21,
                                    75, 14,  107, 95,  41, 98, 68,  101, 81,  20, 74, 13,  110, 111};
    static const uint32_t four[] = {VK_FORMAT_FLOAT, VK_FORMAT_SINT, VK_FORMAT_UINT};
    if (image[8] != 0 && image[8] < sizeof named) return named[image[8]];
    return image[4] == 1 ? VK_FORMAT_DEPTH : four[number_of(in, image)];
}

/* Images, which the draw's commands fill first. */
static struct {
    VkHandle image, texels;
    struct VkBufferImageCopy copy;
} images[most_images];
static unsigned image_count;

/* Eight texels in each direction, six layers; multisampled images are not filled. */
static VkHandle make_image(const struct module* in, const uint32_t* type, int stored)
{
    enum { flat = 1, solid = 2, cube = 3, side = 8, faces = 6 };
    const uint32_t dimension = type[3], layers = type[5] != 0 || dimension == cube ? faces : 1;
    const uint32_t aspect = type[4] == 1 && type[8] == 0 ? 2 : 1;
    const struct VkImageCreateInfo info = {.sType = 14,
                                           .flags = dimension == cube ? 0x10 : 0,
                                           .imageType = dimension == cube ? flat : dimension,
                                           .format = format_of(in, type),
                                           .extent = {side, dimension != 0 ? side : 1, dimension == solid ? side : 1},
                                           .mipLevels = 1,
                                           .arrayLayers = layers,
                                           .samples = type[6] != 0 ? 4 : 1,
                                           .usage = stored ? 0xa : 0x6};
    struct VkImageViewCreateInfo view = {.sType = 15,
                                         .image = make("vkCreateImage", &info),
                                         .viewType = dimension,
                                         .format = info.format,
                                         .aspectMask = aspect,
                                         .levelCount = 1,
                                         .layerCount = layers};
    struct VkMemoryRequirements needs;
    if (type[5] != 0) view.viewType = dimension == cube ? 6 : dimension + 4;
    VK(void, "vkGetImageMemoryRequirements", (void*, VkHandle, void*))(device, view.image, &needs);
    must(VK(VkResult, "vkBindImageMemory", (void*, VkHandle, VkHandle, uint64_t))(device, view.image,
                                                                                  allocate(&needs, 0), 0),
         "vkBindImageMemory");
    if (info.samples == 1 && image_count < most_images) {
        const struct VkBufferImageCopy copy = {.aspectMask = aspect,
                                               .layerCount = layers,
                                               .imageExtent = {info.extent[0], info.extent[1], info.extent[2]}};
        images[image_count].image = view.image;
        images[image_count].texels = texel_rows(number_of(in, type));
        images[image_count++].copy = copy;
    }
    return make("vkCreateImageView", &view);
}

static VkHandle make_texels(const struct module* in, const uint32_t* type)
{
    const struct VkBufferViewCreateInfo info = {
        .sType = 13, .buffer = texel_rows(number_of(in, type)), .format = format_of(in, type), .range = buffer_bytes};
    return make("vkCreateBufferView", &info);
}

/* Nearest texel, clamped to the edge; depth textures compare with LESS. */
static VkHandle make_sampler(int compares)
{
    const struct VkSamplerCreateInfo info = {
        .sType = 31, .addressModes = {2, 2, 2}, .compareEnable = (uint32_t)compares, .compareOp = 1};
    return make("vkCreateSampler", &info);
}

static void fill_images(void* list)
{
    enum { general = 1 };
    unsigned i;
    for (i = 0; i < image_count; ++i)
        VK(void, "vkCmdCopyBufferToImage", (void*, VkHandle, VkHandle, uint32_t, uint32_t, const void*))
    (list, images[i].texels, images[i].image, general, 1, &images[i].copy);
}

/* Each block and storage buffer gets a buffer of zeros. */
static void write_resource(const struct module* in, unsigned i, uint32_t element)
{
    enum { sampler, sampled, texture, stored, texels, stored_texels, block };
    const uint32_t type = in->resources[i].type;
    const uint32_t* image = in->resources[i].image;
    struct VkDescriptorImageInfo texture_info = {0, 0, 1};
    struct VkDescriptorBufferInfo buffer = {0, 0, buffer_bytes};
    VkHandle view = 0;
    const struct VkWriteDescriptorSet write = {
        35,      NULL, sets[in->resources[i].set], in->resources[i].binding, element, 1, type, &texture_info,
        &buffer, &view};
    if (type == sampler || type == sampled) texture_info.sampler = make_sampler(type == sampled && image[4] == 1);
    if (type == sampled || type == texture || type == stored)
        texture_info.imageView = make_image(in, image, type == stored);
    if (type == texels || type == stored_texels) view = make_texels(in, image);
    if (type >= block) buffer.buffer = make_buffer(type == block ? VK_USAGE_UNIFORM : VK_USAGE_STORAGE, NULL, 0);
    VK(void, "vkUpdateDescriptorSets", (void*, uint32_t, const void*, uint32_t, const void*))
    (device, 1, &write, 0, NULL);
}

static void make_sets(void)
{
    struct VkDescriptorPoolSize sizes[8];
    const struct VkDescriptorPoolCreateInfo info = {33, NULL, 0, most_sets, 8, sizes};
    struct VkDescriptorSetAllocateInfo asked = {34, NULL, 0, set_count, layouts};
    unsigned p, i, k;
    if (set_count == 0) return;
    for (i = 0; i < 8; ++i) {
        sizes[i].type = i;
        sizes[i].descriptorCount = 4096;
    }
    asked.descriptorPool = make("vkCreateDescriptorPool", &info);
    must(VK(VkResult, "vkAllocateDescriptorSets", (void*, const void*, VkHandle*))(device, &asked, sets),
         "vkAllocateDescriptorSets");
    for (p = 0; p < module_count; ++p)
        for (i = 0; i < modules[p].resource_count; ++i)
            for (k = 0; is_first(p, i) && k < modules[p].resources[i].count; ++k) write_resource(modules + p, i, k);
}

/* An array per location; all are in one buffer. */
static struct VkVertexInputBinding bindings[most_inputs];
static struct VkVertexInputAttribute attributes[most_inputs];
static uint64_t offsets[most_inputs];
static const struct module* first_program;

static void describe_inputs(void)
{
    static const uint32_t formats[] = {VK_FORMAT_FLOAT, VK_FORMAT_SINT, VK_FORMAT_UINT, VK_FORMAT_DOUBLE};
    unsigned i;
    for (i = 0; i < first_program->input_count; ++i) {
        const enum spirv_number number = first_program->inputs[i].number;
        const uint32_t row = first_program->inputs[i].row;
        const char* from = (const char*)data.integers[row];
        if (number == SPIRV_FLOAT) from = (const char*)data.floats[row];
        if (number == SPIRV_DOUBLE) from = (const char*)data.doubles[row];
        bindings[i].binding = i;
        bindings[i].stride = number == SPIRV_DOUBLE ? sizeof data.doubles[0] : sizeof data.floats[0];
        attributes[i].location = first_program->inputs[i].location;
        attributes[i].binding = i;
        attributes[i].format = formats[number];
        offsets[i] = (uint64_t)(from - (const char*)&data);
    }
}

static VkHandle make_pipeline(uint32_t stages, int meshes)
{
    struct VkStage programs[most_stages];
    const struct VkVertexInputState inputs = {
        19, NULL, 0, first_program->input_count, bindings, first_program->input_count, attributes};
    struct VkSmallState assembly = {20, NULL, 0, 3, 0};
    const struct VkSmallState patches = {21, NULL, 0, 3, 0};
    const struct VkRasterizationState raster = {23, NULL, 0, 0, 1, 0, 0, 0, 0, {0, 0, 0}, 1};
    const struct VkRenderingState rendering = {1000044002, NULL, 0, 0, NULL, 0, 0};
    struct VkGraphicsPipelineCreateInfo info;
    VkHandle made = 0;
    VkResult result;
    unsigned i;
    memset(&info, 0, sizeof info);
    memset(programs, 0, sizeof programs);
    for (i = 0; i < module_count; ++i) {
        const struct VkShaderModuleCreateInfo code = {16, NULL, 0, modules[i].count * 4, modules[i].words};
        programs[i].sType = 18;
        programs[i].stage = modules[i].stage;
        programs[i].module = make("vkCreateShaderModule", &code);
        programs[i].pName = modules[i].entry;
        if (modules[i].stage == geometry_stage) assembly.value = modules[i].topology;
    }
    if ((stages & evaluation_stage) != 0) assembly.value = 10; /* patches */
    info.sType = 28;
    info.pNext = &rendering;
    info.stageCount = module_count;
    info.pStages = programs;
    info.pVertexInputState = meshes ? NULL : &inputs;
    info.pInputAssemblyState = meshes ? NULL : &assembly;
    info.pTessellationState = (stages & evaluation_stage) != 0 ? &patches : NULL;
    info.pRasterizationState = &raster;
    info.layout = pipeline_layout;
    result = VK(VkResult, "vkCreateGraphicsPipelines",
                (void*, VkHandle, uint32_t, const void*, const void*, VkHandle*))(device, 0, 1, &info, NULL, &made);
    if (result == VK_ERROR_UNKNOWN) { /* from NAK's panics, and errors without a message */
        fprintf(stderr, "vkCreateGraphicsPipelines gave %d\n", (int)result);
        exit(GAVE_UP);
    }
    must(result, "vkCreateGraphicsPipelines");
    return made;
}

static void draw(VkHandle pipeline, uint32_t stages, int meshes, uint32_t count)
{
    const struct VkCommandPoolCreateInfo pool = {39, NULL, 0, 0};
    const struct VkCommandBufferAllocateInfo asked = {40, NULL, make("vkCreateCommandPool", &pool), 0, 1};
    const struct VkCommandBufferBeginInfo begin = {42, NULL, 0, NULL};
    const struct VkRenderingInfo area = {1000044000, NULL, 0, {0, 0, 16, 16}, 1, 0, 0, NULL, NULL, NULL};
    static const uint32_t zeros[VK_PUSH_BYTES / 4];
    const VkHandle buffer = make_buffer(VK_USAGE_VERTEX, &data, sizeof data);
    struct VkSubmitInfo submission = {4, NULL, 0, NULL, NULL, 1, NULL, 0, NULL};
    void* list = NULL;
    void* queue = NULL;
    unsigned i;
    VK(void, "vkGetDeviceQueue", (void*, uint32_t, uint32_t, void**))(device, 0, 0, &queue);
    must(VK(VkResult, "vkAllocateCommandBuffers", (void*, const void*, void**))(device, &asked, &list),
         "vkAllocateCommandBuffers");
    must(VK(VkResult, "vkBeginCommandBuffer", (void*, const void*))(list, &begin), "vkBeginCommandBuffer");
    VK(void, "vkCmdPushConstants", (void*, VkHandle, uint32_t, uint32_t, uint32_t, const void*))
    (list, pipeline_layout, stages, 0, sizeof zeros, zeros);
    fill_images(list);
    VK(void, "vkCmdBeginRendering", (void*, const void*))(list, &area);
    VK(void, "vkCmdBindPipeline", (void*, uint32_t, VkHandle))(list, 0, pipeline);
    if (set_count != 0)
        VK(void, "vkCmdBindDescriptorSets",
           (void*, uint32_t, VkHandle, uint32_t, uint32_t, const VkHandle*, uint32_t, const void*))
    (list, 0, pipeline_layout, 0, set_count, sets, 0, NULL);
    for (i = 0; i < first_program->input_count; ++i)
        VK(void, "vkCmdBindVertexBuffers", (void*, uint32_t, uint32_t, const VkHandle*, const uint64_t*))
    (list, i, 1, &buffer, offsets + i);
    if (meshes)
        VK(void, "vkCmdDrawMeshTasksEXT", (void*, uint32_t, uint32_t, uint32_t))(list, count, 1, 1);
    else
        VK(void, "vkCmdDraw", (void*, uint32_t, uint32_t, uint32_t, uint32_t))(list, count, 1, 0, 0);
    VK(void, "vkCmdEndRendering", (void*))(list);
    must(VK(VkResult, "vkEndCommandBuffer", (void*))(list), "vkEndCommandBuffer");
    submission.pCommandBuffers = &list;
    must(VK(VkResult, "vkQueueSubmit", (void*, uint32_t, const void*, VkHandle))(queue, 1, &submission, 0),
         "vkQueueSubmit");
    must(VK(VkResult, "vkDeviceWaitIdle", (void*))(device), "vkDeviceWaitIdle");
}

static void read_program(const char* file)
{
    const char* ending = strrchr(file, '.');
    char made[name_letters];
    const char* from = file;
    if (module_count == most_stages) must(-1, "more than six programs");
    if (ending == NULL || strcmp(ending, ".spv") != 0) {
        translate(file, made);
        from = made;
    }
    if (!read_module(modules + module_count, from) || modules[module_count].stage == 0) {
        fprintf(stderr, "%s: no SPIR-V module of a stage before pixels\n", file);
        exit(WRONG);
    }
    ++module_count;
}

int main(int argc, char** argv)
{
    uint32_t stages = 0;
    int meshes;
    int i;
    find_card();
    for (i = 2; i < argc; ++i) read_program(argv[i]);
    first_program = modules;
    for (i = 0; i < (int)module_count; ++i) {
        stages |= modules[i].stage;
        if (modules[i].stage == vertex_stage) first_program = modules + i;
    }
    meshes = (stages & mesh_stages) != 0;
    if ((stages & (meshes ? mesh_stage : vertex_stage)) == 0) {
        fprintf(stderr, "no program of the %s stage\n", meshes ? "mesh" : "vertex");
        return WRONG;
    }
    open_device(meshes);
    fill_data();
    make_layouts(stages);
    make_sets();
    describe_inputs();
    draw(make_pipeline(stages, meshes), stages, meshes, meshes ? (uint32_t)strtoul(argv[1], NULL, 10) : vertices);
    return DONE;
}
