/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a Vulkan pipeline and draws once with it: `isbesim compile` runs this for mesh and task programs and SPIR-V, so
 * that the driver compiles for the chip. The Vulkan loader is loaded by name at run time.
 *
 *   isbesim_vk_compile WORKGROUPS PATCH FILE.mesh|.task|.vert|.tesc|.tese|.geom|.spv ...
 *
 * WORKGROUPS: of a mesh draw. PATCH: vertices of a patch; 0: as many as its control shader leaves, or 3.
 * glslangValidator translates GLSL. Exit status: 0 drawn, 1 shaders that are not taken (why is on stderr), 2 no device,
 * 3 no mesh shaders, 4 no glslangValidator, 5 the driver's compiler failed (its text is on stderr), 6 error in a shader
 * (told on stderr). */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "compile_status.h"
#include "input_rows.h"
#include "refusal.h"
#include "spirv.h"

enum { most_stages = 6, most_sets = 32, most_images = 256, most_blocks = 256, name_letters = 4096 };
enum { push_bytes = 256 }; /* of NVK */

static PFN_vkGetInstanceProcAddr get_function;
static VkInstance instance;
static VkPhysicalDevice card;
static VkDevice device;

static PFN_vkVoidFunction find(const char* name)
{
    const PFN_vkVoidFunction found = get_function(instance, name);
    if (found != NULL) return found;
    fprintf(stderr, "no function %s\n", name);
    exit(NO_DEVICE);
}

#define VK(name) ((PFN_##name)find(#name))

static void must(VkResult result, const char* what)
{
    if (result == VK_SUCCESS) return;
    fprintf(stderr, "the driver refuses it: %s gave %d\n", what, (int)result);
    exit(WRONG_SHADERS);
}

#define MUST(name, ...) must(VK(name)(__VA_ARGS__), #name)

/* Creates an object: all these functions have the same arguments, and a handle is a pointer on machines of 64 bits. */
static void* make(const char* name, const void* description)
{
    typedef VkResult (*maker)(VkDevice, const void*, const VkAllocationCallbacks*, void**);
    void* object = NULL;
    must(((maker)find(name))(device, description, NULL, &object), name);
    return object;
}

static void start(int file, char** words)
{
    if (dup2(file, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0) _exit(NO_VALIDATOR);
    unsetenv("LD_PRELOAD"); /* glslangValidator does not draw */
    execvp(words[0], words);
    _exit(NO_VALIDATOR);
}

/* Translates GLSL to SPIR-V, in a file in the session's folder. */
static void translate(const char* file, char* output_file)
{
    const char* folder = getenv("ISBESIM_GL_FOLDER");
    const char* name = strrchr(file, '/');
    static char validator[] = "glslangValidator", to_vulkan[] = "-V", environment[] = "--target-env",
                version[] = "vulkan1.3", output[] = "-o";
    char* words[] = {validator, to_vulkan, environment, version, output, output_file, NULL, NULL};
    char text[name_letters] = "";
    FILE* log = tmpfile();
    int ended = 0;
    size_t length;
    pid_t child;
    words[6] = strdup(file);
    snprintf(output_file, name_letters, "%s/%s.spv", folder != NULL ? folder : "/tmp", name != NULL ? name + 1 : file);
    if (log == NULL) exit(NO_VALIDATOR);
    child = fork();
    if (child == 0) start(fileno(log), words);
    if (child < 0 || waitpid(child, &ended, 0) != child) exit(NO_VALIDATOR);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0) return;
    rewind(log);
    length = fread(text, 1, sizeof text - 1, log);
    if (length == 0) exit(NO_VALIDATOR);
    refuse(file, text);
}

static void find_card(void)
{
    const VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &about};
    uint32_t one = 1;
    void* library = dlopen("libvulkan.so.1", RTLD_NOW);
    void* symbol = library == NULL ? NULL : dlsym(library, "vkGetInstanceProcAddr");
    if (symbol == NULL) exit(NO_DEVICE);
    memcpy(&get_function, &symbol, sizeof get_function);
    if (VK(vkCreateInstance)(&info, NULL, &instance) != VK_SUCCESS) exit(NO_DEVICE);
    VK(vkEnumeratePhysicalDevices)(instance, &one, &card);
    if (one == 0 || card == NULL) exit(NO_DEVICE);
}

/* Enables all features of the device except those that add checks to programs. */
static void open_device(int meshes)
{
    VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
    VkPhysicalDeviceVulkan13Features newest = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                               .pNext = meshes ? &mesh : NULL};
    VkPhysicalDeviceVulkan12Features newer = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                              .pNext = &newest};
    VkPhysicalDeviceVulkan11Features new = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                            .pNext = &newer};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &new};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queues = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    const char* const extension = VK_EXT_MESH_SHADER_EXTENSION_NAME;
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &all,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queues,
                                     .enabledExtensionCount = (uint32_t)meshes,
                                     .ppEnabledExtensionNames = &extension};
    VK(vkGetPhysicalDeviceFeatures2)(card, &all);
    if (meshes && !mesh.meshShader) exit(NO_MESHES);
    mesh.multiviewMeshShader = mesh.primitiveFragmentShadingRateMeshShader = mesh.meshShaderQueries = VK_FALSE;
    all.features.robustBufferAccess = newest.robustImageAccess = VK_FALSE;
    MUST(vkCreateDevice, card, &info, NULL, &device);
}

static VkDeviceMemory allocate(const VkMemoryRequirements* needs, VkMemoryPropertyFlags flags)
{
    VkPhysicalDeviceMemoryProperties kinds;
    VkMemoryAllocateInfo asked = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs->size};
    VK(vkGetPhysicalDeviceMemoryProperties)(card, &kinds);
    while ((needs->memoryTypeBits >> asked.memoryTypeIndex & 1) == 0 ||
           (kinds.memoryTypes[asked.memoryTypeIndex].propertyFlags & flags) != flags)
        ++asked.memoryTypeIndex;
    return make("vkAllocateMemory", &asked);
}

/* Blocks, and the keys of their first words. */
static struct {
    uint32_t* words;
    unsigned key;
} blocks[most_blocks];
static unsigned block_count, push_key;
static uint32_t* last_mapped;

static VkBuffer make_buffer(VkBufferUsageFlags usage, const void* content, size_t bytes)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = buffer_bytes, .usage = usage};
    const VkBuffer made = make("vkCreateBuffer", &info);
    VkMemoryRequirements needs;
    VkDeviceMemory memory;
    void* mapped = NULL;
    VK(vkGetBufferMemoryRequirements)(device, made, &needs);
    memory = allocate(&needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    MUST(vkBindBufferMemory, device, made, memory, 0);
    MUST(vkMapMemory, device, memory, 0, needs.size, 0, &mapped);
    if (bytes != 0) memcpy(mapped, content, bytes);
    last_mapped = mapped;
    return made;
}

static struct module modules[most_stages];
static unsigned module_count;
static VkDescriptorSetLayout layouts[most_sets];
static VkDescriptorSet sets[most_sets];
static VkPipelineLayout pipeline_layout;
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

static void make_layouts(VkShaderStageFlags stages)
{
    VkDescriptorSetLayoutBinding bindings[most_resources];
    VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .pBindings = bindings};
    const VkPushConstantRange pushed = {stages, 0, push_bytes};
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .pSetLayouts = layouts,
                                         .pushConstantRangeCount = 1,
                                         .pPushConstantRanges = &pushed};
    unsigned p, i, set;
    for (p = 0; p < module_count; ++p)
        for (i = 0; i < modules[p].resource_count; ++i)
            if (modules[p].resources[i].set >= set_count) set_count = modules[p].resources[i].set + 1;
    if (set_count > most_sets) must(-1, "a set above 31");
    for (set = 0; set < set_count; ++set) {
        info.bindingCount = 0;
        for (p = 0; p < module_count; ++p) {
            for (i = 0; i < modules[p].resource_count && info.bindingCount < most_resources; ++i) {
                if (modules[p].resources[i].set != set || !is_first(p, i)) continue;
                bindings[info.bindingCount++] =
                    (VkDescriptorSetLayoutBinding){.binding = modules[p].resources[i].binding,
                                                   .descriptorType = (VkDescriptorType)modules[p].resources[i].type,
                                                   .descriptorCount = modules[p].resources[i].count,
                                                   .stageFlags = stages};
            }
        }
        layouts[set] = make("vkCreateDescriptorSetLayout", &info);
    }
    layout.setLayoutCount = set_count;
    pipeline_layout = make("vkCreatePipelineLayout", &layout);
}

/* A buffer whose texel t is row t of the data, repeated from the first row. */
static VkBuffer texel_rows(enum spirv_number number)
{
    static VkBuffer made[2];
    static char filled[buffer_bytes];
    const size_t row = sizeof data.floats[0];
    VkBuffer* buffer = made + (number == SPIRV_FLOAT);
    unsigned t;
    for (t = 0; *buffer == NULL && t < buffer_bytes / row; ++t)
        memcpy(filled + t * row,
               number == SPIRV_FLOAT ? (const void*)data.floats[t % rows] : (const void*)data.integers[t % rows], row);
    if (*buffer == NULL)
        *buffer = make_buffer(VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                  VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT,
                              filled, sizeof filled);
    return *buffer;
}

/* By spirv_number. */
static const VkFormat four_words[] = {VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R32G32B32A32_SINT,
                                      VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_R64G64B64A64_SFLOAT};

/* The format that an image type names, else a format with four words per texel. */
static VkFormat format_of(const struct module* in, const uint32_t* image)
{
    static const uint8_t named[] = {0,  109, 97,  100, 37, 38, 103, 83,  122, 76, 91, 64,  77,  16,
                                    70, 9,   92,  78,  17, 71, 10,  108, 96,  42, 99, 102, 82,  21,
                                    75, 14,  107, 95,  41, 98, 68,  101, 81,  20, 74, 13,  110, 111};
    if (image[8] != 0 && image[8] < sizeof named) return (VkFormat)named[image[8]];
    return image[4] == 1 ? VK_FORMAT_D32_SFLOAT : four_words[number_of(in, image)];
}

/* Images, which the draw's commands fill first. */
static struct {
    VkImage image;
    VkBuffer texels;
    VkBufferImageCopy copy;
} images[most_images];
static unsigned image_count;

/* Eight texels in each direction, six layers; multisampled images are not filled. */
static VkImageView make_image(const struct module* in, const uint32_t* type, int stored)
{
    enum { side = 8, faces = 6 };
    const VkImageViewType dimension = (VkImageViewType)type[3];
    const int cube = dimension == VK_IMAGE_VIEW_TYPE_CUBE;
    const uint32_t layers = type[5] != 0 || cube ? faces : 1;
    const VkImageAspectFlags aspect =
        type[4] == 1 && type[8] == 0 ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
        .imageType = cube ? VK_IMAGE_TYPE_2D : (VkImageType)dimension,
        .format = format_of(in, type),
        .extent = {side, dimension != VK_IMAGE_VIEW_TYPE_1D ? side : 1, dimension == VK_IMAGE_VIEW_TYPE_3D ? side : 1},
        .mipLevels = 1,
        .arrayLayers = layers,
        .samples = type[6] != 0 ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | (stored ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT)};
    VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = make("vkCreateImage", &info),
                                  .viewType = dimension,
                                  .format = info.format,
                                  .subresourceRange = {.aspectMask = aspect, .levelCount = 1, .layerCount = layers}};
    VkMemoryRequirements needs;
    if (type[5] != 0)
        view.viewType = cube                                 ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY
                        : dimension == VK_IMAGE_VIEW_TYPE_1D ? VK_IMAGE_VIEW_TYPE_1D_ARRAY
                                                             : VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    VK(vkGetImageMemoryRequirements)(device, view.image, &needs);
    MUST(vkBindImageMemory, device, view.image, allocate(&needs, 0), 0);
    if (info.samples == VK_SAMPLE_COUNT_1_BIT && image_count < most_images) {
        const VkBufferImageCopy copy = {.imageSubresource = {.aspectMask = aspect, .layerCount = layers},
                                        .imageExtent = info.extent};
        images[image_count].image = view.image;
        images[image_count].texels = texel_rows(number_of(in, type));
        images[image_count++].copy = copy;
    }
    return make("vkCreateImageView", &view);
}

static VkBufferView make_texels(const struct module* in, const uint32_t* type)
{
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .buffer = texel_rows(number_of(in, type)),
                                         .format = format_of(in, type),
                                         .range = buffer_bytes};
    return make("vkCreateBufferView", &info);
}

/* Nearest texel, clamped to the edge; depth textures compare with LESS. */
static VkSampler make_sampler(int compares)
{
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .compareEnable = (VkBool32)compares,
                                      .compareOp = VK_COMPARE_OP_LESS};
    return make("vkCreateSampler", &info);
}

static void fill_images(VkCommandBuffer list)
{
    unsigned i;
    for (i = 0; i < image_count; ++i) VK(vkCmdCopyBufferToImage)
    (list, images[i].texels, images[i].image, VK_IMAGE_LAYOUT_GENERAL, 1, &images[i].copy);
}

/* A buffer of zeros for a block, whose values are listed. */
static VkBuffer make_block(VkBufferUsageFlags usage, const struct module* in, unsigned i, uint32_t element)
{
    const VkBuffer made = make_buffer(usage, NULL, 0);
    const char* type = name_of(in, in->resources[i].block);
    const int anonymous = name_of(in, in->resources[i].variable)[0] == '\0';
    const struct layout none = {0, 0, 0};
    char name[name_letters];
    if (block_count == most_blocks) return made;
    snprintf(name, sizeof name, "%s", anonymous && type[0] != '\0' ? "" : type);
    if (type[0] == '\0') snprintf(name, sizeof name, "set%u.binding%u", in->resources[i].set, in->resources[i].binding);
    if (in->resources[i].count > 1) snprintf(name + strlen(name), sizeof name - strlen(name), "[%u]", element);
    blocks[block_count].words = last_mapped;
    blocks[block_count].key = take_keys(buffer_bytes / 4);
    list_type(in, in->resources[i].block, name, blocks[block_count++].key, 0, none, 1);
    return made;
}

static void list_image(const struct module* in, unsigned i, const char* kind)
{
    static const struct layout none;
    char type[name_letters];
    const char* name = name_of(in, in->resources[i].variable);
    name_image(in->resources[i].image, kind, type, sizeof type);
    list_value(name[0] != '\0' ? name : "texture", type, (int)in->resources[i].count, 0, none);
}

/* Lists the push constants, which are the same words for all programs. */
static void list_push_constants(void)
{
    static const struct layout none;
    unsigned p;
    push_key = take_keys(push_bytes / 4);
    for (p = 0; p < module_count; ++p) {
        if (modules[p].pushed == 0) continue;
        const int named = name_of(modules + p, modules[p].pushed_as)[0] != '\0';
        list_type(modules + p, modules[p].pushed, named ? name_of(modules + p, modules[p].pushed) : "", push_key, 0,
                  none, 1);
    }
}

/* Each block and storage buffer gets a buffer of zeros. */
static void write_resource(const struct module* in, unsigned i, uint32_t element)
{
    const VkDescriptorType type = (VkDescriptorType)in->resources[i].type;
    const uint32_t* image = in->resources[i].image;
    const int sampled = type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    const int stored = type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    VkDescriptorImageInfo texture = {.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    VkDescriptorBufferInfo buffer = {.range = buffer_bytes};
    VkBufferView view = NULL;
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = sets[in->resources[i].set],
                                        .dstBinding = in->resources[i].binding,
                                        .dstArrayElement = element,
                                        .descriptorCount = 1,
                                        .descriptorType = type,
                                        .pImageInfo = &texture,
                                        .pBufferInfo = &buffer,
                                        .pTexelBufferView = &view};
    if (element == 0 && image != NULL && operation(image) == 25)
        list_image(in, i, stored || type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER ? "image" : "texture");
    if (type == VK_DESCRIPTOR_TYPE_SAMPLER || sampled) texture.sampler = make_sampler(sampled && image[4] == 1);
    if (type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || sampled || stored)
        texture.imageView = make_image(in, image, stored);
    if (type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)
        view = make_texels(in, image);
    if (type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
        buffer.buffer = make_block(VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, in, i, element);
    if (type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
        buffer.buffer = make_block(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, in, i, element);
    VK(vkUpdateDescriptorSets)(device, 1, &write, 0, NULL);
}

static void make_sets(void)
{
    VkDescriptorPoolSize sizes[VK_DESCRIPTOR_TYPE_STORAGE_BUFFER + 1];
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = most_sets,
                                             .poolSizeCount = sizeof sizes / sizeof sizes[0],
                                             .pPoolSizes = sizes};
    VkDescriptorSetAllocateInfo asked = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                         .descriptorSetCount = set_count,
                                         .pSetLayouts = layouts};
    unsigned p, i, k;
    if (set_count == 0) return;
    for (i = 0; i < info.poolSizeCount; ++i) {
        sizes[i].type = (VkDescriptorType)i;
        sizes[i].descriptorCount = 4096;
    }
    asked.descriptorPool = make("vkCreateDescriptorPool", &info);
    MUST(vkAllocateDescriptorSets, device, &asked, sets);
    for (p = 0; p < module_count; ++p)
        for (i = 0; i < modules[p].resource_count; ++i)
            for (k = 0; is_first(p, i) && k < modules[p].resources[i].count; ++k) write_resource(modules + p, i, k);
}

/* An array per location; all are in one buffer. */
static VkVertexInputBindingDescription bindings[most_inputs];
static VkVertexInputAttributeDescription attributes[most_inputs];
static VkDeviceSize offsets[most_inputs];
static const struct module* first_program;

static void describe_inputs(void)
{
    unsigned i;
    for (i = 0; i < first_program->input_count; ++i) {
        const enum spirv_number number = first_program->inputs[i].number;
        const uint32_t row = first_program->inputs[i].row;
        const char* values = (const char*)data.integers[row];
        if (number == SPIRV_FLOAT) values = (const char*)data.floats[row];
        if (number == SPIRV_DOUBLE) values = (const char*)data.doubles[row];
        bindings[i].binding = i;
        bindings[i].stride = number == SPIRV_DOUBLE ? sizeof data.doubles[0] : sizeof data.floats[0];
        attributes[i].location = first_program->inputs[i].location;
        attributes[i].binding = i;
        attributes[i].format = four_words[number];
        offsets[i] = (VkDeviceSize)(values - (const char*)&data);
    }
}

static VkPipeline make_pipeline(VkShaderStageFlags stages, int meshes, uint32_t patch)
{
    const int tessellates = (stages & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) != 0;
    VkPipelineShaderStageCreateInfo programs[most_stages];
    const VkPipelineVertexInputStateCreateInfo inputs = {.sType =
                                                             VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                         .vertexBindingDescriptionCount = first_program->input_count,
                                                         .pVertexBindingDescriptions = bindings,
                                                         .vertexAttributeDescriptionCount = first_program->input_count,
                                                         .pVertexAttributeDescriptions = attributes};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = tessellates ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineTessellationStateCreateInfo patches = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = patch};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = VK_TRUE,
        .lineWidth = 1};
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = module_count,
                                               .pStages = programs,
                                               .pVertexInputState = meshes ? NULL : &inputs,
                                               .pInputAssemblyState = meshes ? NULL : &assembly,
                                               .pTessellationState = tessellates ? &patches : NULL,
                                               .pRasterizationState = &raster,
                                               .layout = pipeline_layout};
    VkPipeline made = NULL;
    VkResult result;
    unsigned i;
    for (i = 0; i < module_count; ++i) {
        const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                               .codeSize = modules[i].count * 4,
                                               .pCode = modules[i].words};
        programs[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = (VkShaderStageFlagBits)modules[i].stage,
                                                        .module = make("vkCreateShaderModule", &code),
                                                        .pName = modules[i].entry};
        if (modules[i].stage == VK_SHADER_STAGE_GEOMETRY_BIT && !tessellates)
            assembly.topology = (VkPrimitiveTopology)modules[i].topology;
    }
    result = VK(vkCreateGraphicsPipelines)(device, NULL, 1, &info, NULL, &made);
    if (result == VK_ERROR_UNKNOWN) { /* from NAK's panics, and errors without a message */
        fprintf(stderr, "vkCreateGraphicsPipelines gave %d\n", (int)result);
        exit(GAVE_UP);
    }
    must(result, "vkCreateGraphicsPipelines");
    return made;
}

/* `pushed`: the push constants. */
static void draw(VkPipeline pipeline, VkShaderStageFlags stages, int meshes, uint32_t count, const uint32_t* pushed)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkCommandBufferAllocateInfo asked = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                               .commandPool = make("vkCreateCommandPool", &pool),
                                               .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkRenderingInfo area = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {16, 16}}, .layerCount = 1};
    const VkBuffer buffer = make_buffer(VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, &data, sizeof data);
    VkCommandBuffer list = NULL;
    const VkSubmitInfo submission = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &list};
    VkQueue queue = NULL;
    unsigned i;
    VK(vkGetDeviceQueue)(device, 0, 0, &queue);
    MUST(vkAllocateCommandBuffers, device, &asked, &list);
    MUST(vkBeginCommandBuffer, list, &begin);
    VK(vkCmdPushConstants)(list, pipeline_layout, stages, 0, push_bytes, pushed);
    fill_images(list);
    VK(vkCmdBeginRendering)(list, &area);
    VK(vkCmdBindPipeline)(list, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (set_count != 0) VK(vkCmdBindDescriptorSets)
    (list, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_layout, 0, set_count, sets, 0, NULL);
    for (i = 0; i < first_program->input_count; ++i) VK(vkCmdBindVertexBuffers)(list, i, 1, &buffer, offsets + i);
    if (meshes)
        VK(vkCmdDrawMeshTasksEXT)(list, count, 1, 1);
    else
        VK(vkCmdDraw)(list, count, 1, 0, 0);
    VK(vkCmdEndRendering)(list);
    MUST(vkEndCommandBuffer, list);
    MUST(vkQueueSubmit, queue, 1, &submission, NULL);
    MUST(vkDeviceWaitIdle, device);
}

static void read_program(const char* file)
{
    const char* ending = strrchr(file, '.');
    char made[name_letters];
    const char* module = file;
    if (module_count == most_stages) must(-1, "more than six programs");
    if (ending == NULL || strcmp(ending, ".spv") != 0) {
        translate(file, made);
        module = made;
    }
    if (!read_module(modules + module_count, module) || modules[module_count].stage == 0) {
        fprintf(stderr, "%s: no SPIR-V module of a stage before pixels\n", file);
        exit(WRONG_SHADERS);
    }
    ++module_count;
}

/* Fills the blocks and the push constants with words that show their places. */
static void show_places(uint32_t* pushed)
{
    unsigned i, w;
    for (i = 0; i < block_count; ++i)
        for (w = 0; w < buffer_bytes / 4; ++w) blocks[i].words[w] = blocks[i].key + w;
    for (w = 0; w < push_bytes / 4; ++w) pushed[w] = push_key + w;
}

int main(int argc, char** argv)
{
    uint32_t pushed[push_bytes / 4] = {0};
    VkShaderStageFlags stages = 0;
    VkPipeline pipeline;
    uint32_t patch, count;
    int meshes;
    int i;
    if (argc < 4) return WRONG_SHADERS;
    patch = (uint32_t)strtoul(argv[2], NULL, 10);
    find_card();
    for (i = 3; i < argc; ++i) read_program(argv[i]);
    first_program = modules;
    for (i = 0; i < (int)module_count; ++i) {
        stages |= modules[i].stage;
        if (patch == 0) patch = modules[i].patch;
        if (modules[i].stage == VK_SHADER_STAGE_VERTEX_BIT) first_program = modules + i;
    }
    meshes = (stages & (VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)) != 0;
    if ((stages & (meshes ? VK_SHADER_STAGE_MESH_BIT_EXT : VK_SHADER_STAGE_VERTEX_BIT)) == 0) {
        fprintf(stderr, "no program of the %s stage\n", meshes ? "mesh" : "vertex");
        return WRONG_SHADERS;
    }
    open_device(meshes);
    fill_data();
    open_list();
    make_layouts(stages);
    make_sets();
    list_push_constants();
    describe_inputs();
    if (patch == 0) patch = 3;
    count =
        (stages & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) != 0 ? (uint32_t)whole_patches((int)patch) : vertices;
    if (meshes) count = (uint32_t)strtoul(argv[1], NULL, 10);
    pipeline = make_pipeline(stages, meshes, patch);
    draw(pipeline, stages, meshes, count, pushed);
    show_places(pushed);
    draw(pipeline, stages, meshes, count, pushed);
    return fclose(name_list) == 0 ? DRAWN : WRONG_SHADERS;
}
