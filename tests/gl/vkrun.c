/* SPDX-License-Identifier: Apache-2.0 */
/* Draws without pixels, for scripts/vkrun: for each line of its input a pipeline of the programs in a folder, a draw,
 * and in FOLDER/NAME what that left.
 *
 * vkrun NAME < LINES           a line: FOLDER, then KEY=VALUE of the names in `keys`
 *
 * FOLDER has STAGE.spv and `data`, words for attributes (three of four words a vertex), uniforms (binding 1), indices
 * and the commands of indirect draws, which start at the places below. Binding 0 is a storage buffer. The result: the
 * numbers of bytes streamed out into two buffers, these, the storage buffer; none of a mesh program where there are
 * none. The folder is printed then. */
static const char program_name[] = "vkrun";
#include "../../testbench/gl/compile/vk_setup.h"

enum { uniforms_at = 4096, indices_at = 8192, command_at = 12288, data_bytes = 16384 };
enum { stored_bytes = 1 << 20, captured_bytes = 1 << 22, most_captured = 2, stages = 6 };

static const char* const names[stages] = {"vert", "tesc", "tese", "geom", "task", "mesh"};
static const VkShaderStageFlagBits bits[stages] = {VK_SHADER_STAGE_VERTEX_BIT,
                                                   VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                                   VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                                   VK_SHADER_STAGE_GEOMETRY_BIT,
                                                   VK_SHADER_STAGE_TASK_BIT_EXT,
                                                   VK_SHADER_STAGE_MESH_BIT_EXT};
/* The keys of a line; mesh draws have x, y, z workgroups. */
enum key {
    topology,
    vertices,
    instances,
    first,
    base,
    instance,
    patch,
    indexed,
    restart,
    indirect,
    x,
    y,
    z,
    push,
    lower,
    captures,
    keys
};
static const char* const key_names[keys] = {"topology", "vertices", "instances", "first",    "base", "instance",
                                            "patch",    "indexed",  "restart",   "indirect", "x",    "y",
                                            "z",        "push",     "lower",     "captures"};

static VkBuffer data, stored, captured, counter;
static void *data_words, *stored_words, *captured_words;
static uint32_t* counter_words;
static int has_mesh;

static void open_device(void)
{
    uint32_t count = 0;
    VkExtensionProperties found[512];
    const char* extensions[] = {"VK_EXT_transform_feedback", "VK_EXT_mesh_shader"};
    find_card(0, NULL);
    count = sizeof found / sizeof *found;
    MUST(vkEnumerateDeviceExtensionProperties(card, NULL, &count, found));
    for (uint32_t i = 0; i < count; ++i) has_mesh |= strcmp(found[i].extensionName, extensions[1]) == 0;
    VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .transformFeedback = VK_TRUE,
        .geometryStreams = VK_TRUE};
    VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
                                                    .pNext = &feedback,
                                                    .taskShader = VK_TRUE,
                                                    .meshShader = VK_TRUE};
    VkPhysicalDeviceVulkan11Features parameters = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                                   .pNext = has_mesh ? (void*)&meshes : (void*)&feedback,
                                                   .shaderDrawParameters = VK_TRUE};
    VkPhysicalDeviceVulkan12Features small = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                              .pNext = &parameters,
                                              .shaderInt8 = VK_TRUE,
                                              .shaderOutputViewportIndex = (VkBool32)has_mesh,
                                              .shaderOutputLayer = (VkBool32)has_mesh};
    VkPhysicalDeviceVulkan13Features newer = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                              .pNext = &small,
                                              .dynamicRendering = VK_TRUE,
                                              .maintenance4 = VK_TRUE};
    VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE,
                                         .tessellationShader = VK_TRUE,
                                         .vertexPipelineStoresAndAtomics = VK_TRUE,
                                         .multiViewport = VK_TRUE,
                                         .shaderClipDistance = VK_TRUE,
                                         .shaderFloat64 = VK_TRUE,
                                         .shaderInt64 = VK_TRUE,
                                         .shaderInt16 = VK_TRUE,
                                         .multiDrawIndirect = VK_TRUE,
                                         .drawIndirectFirstInstance = VK_TRUE};
    make_device(&newer, &features, 1 + (uint32_t)has_mesh, extensions);
}

static VkShaderStageFlags all_stages(void)
{
    VkShaderStageFlags all = 0;
    for (int i = 0; i < (has_mesh ? stages : 4); ++i) all |= bits[i];
    return all;
}

static void make_resources(void)
{
    data = make_buffer(VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                           VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                       data_bytes, &data_words);
    stored = make_buffer(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, stored_bytes, &stored_words);
    captured = make_buffer(VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT, captured_bytes, &captured_words);
    counter = make_buffer(VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT, 64, (void**)&counter_words);
    const VkDescriptorBufferInfo places[2] = {{stored, 0, stored_bytes}, {data, uniforms_at, indices_at - uniforms_at}};
    bind_buffers(all_stages(), 2, places);
}

static VkPipeline make_pipeline(const char* folder, const uint32_t* value)
{
    VkPipelineShaderStageCreateInfo programs[stages];
    uint32_t made = 0;
    for (int i = 0; i < stages; ++i) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.spv", folder, names[i]);
        programs[made] = read_program(bits[i], path);
        if (programs[made].module != VK_NULL_HANDLE) ++made;
    }
    VkPipelineTessellationDomainOriginStateCreateInfo origin = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO,
        .domainOrigin =
            value[lower] ? VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT : VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT};
    VkPipelineTessellationStateCreateInfo patches = {.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
                                                     .pNext = &origin,
                                                     .patchControlPoints = value[patch]};
    VkVertexInputBindingDescription stream = {0, 48, VK_VERTEX_INPUT_RATE_VERTEX};
    VkVertexInputAttributeDescription attributes[3] = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
                                                       {1, 0, VK_FORMAT_R32G32B32A32_SINT, 16},
                                                       {2, 0, VK_FORMAT_R32G32B32A32_UINT, 32}};
    VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                  .vertexBindingDescriptionCount = 1,
                                                  .pVertexBindingDescriptions = &stream,
                                                  .vertexAttributeDescriptionCount = 3,
                                                  .pVertexAttributeDescriptions = attributes};
    const VkPipeline pipeline = link_pipeline(made, programs, value[x] ? NULL : &input, value[topology], value[restart],
                                              value[patch] ? &patches : NULL, 0);
    for (uint32_t i = 0; i < made; ++i) vkDestroyShaderModule(device, programs[i].module, NULL);
    return pipeline;
}

static void draw_mesh(VkCommandBuffer list, const uint32_t* value)
{
    if (value[indirect])
        FUNCTION(vkCmdDrawMeshTasksIndirectEXT)(list, data, command_at, value[indirect], 12);
    else
        FUNCTION(vkCmdDrawMeshTasksEXT)(list, value[x], value[y], value[z]);
}

static void draw_vertices(VkCommandBuffer list, const uint32_t* value)
{
    const VkDeviceSize zero = 0;
    const VkBuffer targets[most_captured] = {captured, captured};
    const VkBuffer counters[most_captured] = {counter, counter};
    const VkDeviceSize starts[most_captured] = {0, captured_bytes / 2};
    const VkDeviceSize sizes[most_captured] = {captured_bytes / 2, captured_bytes / 2};
    const VkDeviceSize places[most_captured] = {0, 4};
    vkCmdBindVertexBuffers(list, 0, 1, &data, &zero);
    vkCmdBindIndexBuffer(list, data, indices_at, VK_INDEX_TYPE_UINT16);
    FUNCTION(vkCmdBindTransformFeedbackBuffersEXT)(list, 0, value[captures], targets, starts, sizes);
    FUNCTION(vkCmdBeginTransformFeedbackEXT)(list, 0, 0, NULL, NULL);
    if (value[indexed] && value[indirect])
        vkCmdDrawIndexedIndirect(list, data, command_at, value[indirect], 20);
    else if (value[indexed])
        vkCmdDrawIndexed(list, value[vertices], value[instances], value[first], (int32_t)value[base], value[instance]);
    else if (value[indirect])
        vkCmdDrawIndirect(list, data, command_at, value[indirect], 16);
    else
        vkCmdDraw(list, value[vertices], value[instances], value[first], value[instance]);
    FUNCTION(vkCmdEndTransformFeedbackEXT)(list, 0, value[captures], counters, places);
}

static void draw(VkPipeline pipeline, const uint32_t* value)
{
    const VkCommandBuffer list = begin_list();
    VkRenderingInfo area = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {16, 16}}, .layerCount = 1};
    vkCmdPushConstants(list, layout, all_stages(), 0, 4, value + push);
    vkCmdBindPipeline(list, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(list, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    vkCmdBeginRendering(list, &area);
    (value[x] ? draw_mesh : draw_vertices)(list, value);
    vkCmdEndRendering(list);
    MUST(vkEndCommandBuffer(list));
    submit(list);
    vkFreeCommandBuffers(device, commands, 1, &list);
}

static void draw_folder(const char* folder, const char* result, const uint32_t* value)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/data", folder);
    memset(data_words, 0, data_bytes);
    read_file(path, data_words, data_bytes);
    memset(stored_words, 0, stored_bytes);
    memset(captured_words, 0xee, captured_bytes);
    memset(counter_words, 0, 4 * most_captured);
    const VkPipeline pipeline = make_pipeline(folder, value);
    draw(pipeline, value);
    vkDestroyPipeline(device, pipeline, NULL);
    snprintf(path, sizeof path, "%s/%s", folder, result);
    FILE* file = fopen(path, "wb");
    if (file == NULL) must(VK_ERROR_UNKNOWN, path);
    fwrite(counter_words, 4, most_captured, file);
    fwrite(captured_words, 1, counter_words[0], file);
    fwrite((const char*)captured_words + captured_bytes / 2, 1, counter_words[1], file);
    fwrite(stored_words, 1, stored_bytes, file);
    fclose(file);
}

static void run_line(char* line, const char* result)
{
    uint32_t value[keys] = {[instances] = 1, [y] = 1, [z] = 1, [captures] = 1};
    const char* folder = strtok(line, " \n");
    if (folder == NULL) return;
    for (const char* word; (word = strtok(NULL, " \n")) != NULL;) {
        const char* equals = strchr(word, '=');
        for (int i = 0; equals != NULL && i < keys; ++i)
            if (strlen(key_names[i]) == (size_t)(equals - word) && strncmp(word, key_names[i], equals - word) == 0)
                value[i] = (uint32_t)strtoul(equals + 1, NULL, 0);
    }
    if (!value[x] || has_mesh) draw_folder(folder, result, value);
    printf("%s\n", folder);
    fflush(stdout);
}

int main(int count, char** words)
{
    static char line[4096];
    if (count != 2) must(VK_ERROR_UNKNOWN, "a NAME for results");
    open_device();
    make_resources();
    while (fgets(line, sizeof line, stdin) != NULL) run_line(line, words[1]);
    return 0;
}
