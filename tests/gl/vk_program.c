/* SPDX-License-Identifier: Apache-2.0 */
/* A Vulkan program that draws once without pixels and prints what its vertex program captured and stored.
 *
 * vk_program VERTEX.spv [control C.spv evaluation E.spv] [geometry G.spv]
 *            [vertices N] [instances N] [first N] [topology N] [indexed] [indirect]
 * vk_program MESH.spv mesh [task TASK.spv] [vertices N] [instances N] [indirect]
 *
 * A mesh draw is N by N workgroups, and captures nothing.
 * Binding 0 is a storage buffer of 64 words (all 0), binding 1 a uniform buffer (word i is i + 1); a push constant (7);
 * attribute 0 two 32-bit integers a vertex (v, 100 + v); index i is (i ^ 1). The program captures 4 words a vertex. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { words_of_buffer = 16384, words_shown = 64, index_start = 8192, command_start = 12288 };

/* Beside a vertex or mesh program. */
enum { others = 4 };
static const char* const other_names[others] = {"task", "control", "evaluation", "geometry"};
static const VkShaderStageFlagBits other_stages[others] = {
    VK_SHADER_STAGE_TASK_BIT_EXT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
    VK_SHADER_STAGE_GEOMETRY_BIT};

static VkDevice device;
static VkPhysicalDevice card;

static void must(VkResult result, const char* what)
{
    if (result == VK_SUCCESS) return;
    fprintf(stderr, "vk_program: %s gave %d\n", what, (int)result);
    exit(3);
}
#define MUST(call) must((call), #call)

static VkBuffer make_buffer(VkBufferUsageFlags usage, uint32_t** words)
{
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties kinds;
    VkMemoryRequirements needs;
    VkDeviceMemory memory;
    VkBuffer made;
    uint32_t kind = 0;
    void* mapped;
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = words_of_buffer * 4, .usage = usage};
    MUST(vkCreateBuffer(device, &info, NULL, &made));
    vkGetBufferMemoryRequirements(device, made, &needs);
    vkGetPhysicalDeviceMemoryProperties(card, &kinds);
    while ((needs.memoryTypeBits >> kind & 1) == 0 || (kinds.memoryTypes[kind].propertyFlags & wanted) != wanted)
        ++kind;
    VkMemoryAllocateInfo asked = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = kind};
    MUST(vkAllocateMemory(device, &asked, NULL, &memory));
    MUST(vkBindBufferMemory(device, made, memory, 0));
    MUST(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    memset(mapped, 0, words_of_buffer * 4);
    *words = mapped;
    return made;
}

static VkShaderModule read_program(const char* name)
{
    static uint32_t code[65536];
    VkShaderModule made;
    FILE* file = fopen(name, "rb");
    if (file == NULL) must(VK_ERROR_UNKNOWN, name);
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = fread(code, 1, sizeof code, file),
                                     .pCode = code};
    fclose(file);
    MUST(vkCreateShaderModule(device, &info, NULL, &made));
    return made;
}

int main(int count, char** words)
{
    uint32_t vertices = 3, instances = 1, first = 0, topology = 0, indexed = 0, indirect = 0, mesh = 0, one = 1, i;
    const char* files[others] = {NULL};
    for (int at = 2; at < count; ++at) {
        if (strcmp(words[at], "indexed") == 0)
            indexed = 1;
        else if (strcmp(words[at], "indirect") == 0)
            indirect = 1;
        else if (strcmp(words[at], "mesh") == 0)
            mesh = 1;

        else if (at + 1 < count) {
            const uint32_t value = (uint32_t)strtoul(words[at + 1], NULL, 0);
            for (i = 0; i < others; ++i)
                if (strcmp(words[at], other_names[i]) == 0) files[i] = words[at + 1];
            if (strcmp(words[at], "vertices") == 0) vertices = value;
            if (strcmp(words[at], "instances") == 0) instances = value;
            if (strcmp(words[at], "first") == 0) first = value;
            if (strcmp(words[at], "topology") == 0) topology = value;
            ++at;
        }
    }
    VkInstance instance;
    VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo start = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &about};
    MUST(vkCreateInstance(&start, NULL, &instance));
    MUST(vkEnumeratePhysicalDevices(instance, &one, &card));
    if (one == 0) must(VK_ERROR_INITIALIZATION_FAILED, "looking for a device");

    const char* extensions[] = {"VK_EXT_transform_feedback", "VK_EXT_mesh_shader"};
    const float priority = 1;
    VkQueue queue;
    VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .transformFeedback = VK_TRUE};
    VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
                                                    .pNext = &feedback,
                                                    .taskShader = VK_TRUE,
                                                    .meshShader = VK_TRUE};
    VkPhysicalDeviceVulkan13Features newer = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                              .pNext = mesh ? (void*)&meshes : (void*)&feedback,
                                              .dynamicRendering = VK_TRUE,
                                              .maintenance4 = VK_TRUE};
    VkPhysicalDeviceFeatures features = {
        .geometryShader = VK_TRUE, .tessellationShader = VK_TRUE, .vertexPipelineStoresAndAtomics = VK_TRUE};
    VkDeviceQueueCreateInfo queues = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .pNext = &newer,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queues,
                                      .enabledExtensionCount = 1 + mesh,
                                      .ppEnabledExtensionNames = extensions,
                                      .pEnabledFeatures = &features};
    MUST(vkCreateDevice(card, &device_info, NULL, &device));
    vkGetDeviceQueue(device, 0, 0, &queue);
    PFN_vkCmdBindTransformFeedbackBuffersEXT bind_feedback =
        (PFN_vkCmdBindTransformFeedbackBuffersEXT)vkGetDeviceProcAddr(device, "vkCmdBindTransformFeedbackBuffersEXT");
    PFN_vkCmdBeginTransformFeedbackEXT begin_feedback =
        (PFN_vkCmdBeginTransformFeedbackEXT)vkGetDeviceProcAddr(device, "vkCmdBeginTransformFeedbackEXT");
    PFN_vkCmdEndTransformFeedbackEXT end_feedback =
        (PFN_vkCmdEndTransformFeedbackEXT)vkGetDeviceProcAddr(device, "vkCmdEndTransformFeedbackEXT");

    PFN_vkCmdDrawMeshTasksEXT draw_mesh =
        (PFN_vkCmdDrawMeshTasksEXT)vkGetDeviceProcAddr(device, "vkCmdDrawMeshTasksEXT");
    PFN_vkCmdDrawMeshTasksIndirectEXT draw_mesh_indirect =
        (PFN_vkCmdDrawMeshTasksIndirectEXT)vkGetDeviceProcAddr(device, "vkCmdDrawMeshTasksIndirectEXT");

    uint32_t *attributes, *stored, *uniforms, *captured;
    VkBuffer vertex_buffer = make_buffer(VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                                             VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                                         &attributes);
    VkBuffer storage = make_buffer(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, &stored);
    VkBuffer uniform = make_buffer(VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, &uniforms);
    VkBuffer target = make_buffer(VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT, &captured);
    for (i = 0; i < 64; ++i) {
        attributes[2 * i] = i;
        attributes[2 * i + 1] = 100 + i;
        attributes[index_start + i] = i ^ 1;
        uniforms[i] = i + 1;
    }
    const uint32_t command[5] = {vertices, instances, mesh ? 1 : first, 0, 0};
    memcpy(attributes + command_start, command, sizeof command);

    const VkShaderStageFlags stages =
        mesh ? VK_SHADER_STAGE_MESH_BIT_EXT | VK_SHADER_STAGE_TASK_BIT_EXT : VK_SHADER_STAGE_ALL_GRAPHICS;
    VkDescriptorSetLayout set_layout;
    VkDescriptorSetLayoutBinding bindings[2] = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages, NULL},
                                                {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, stages, NULL}};
    VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 2, .pBindings = bindings};
    MUST(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout));
    VkPipelineLayout layout;
    VkPushConstantRange pushed = {stages, 0, 4};
    VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .setLayoutCount = 1,
                                              .pSetLayouts = &set_layout,
                                              .pushConstantRangeCount = 1,
                                              .pPushConstantRanges = &pushed};
    MUST(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}};
    VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes};
    MUST(vkCreateDescriptorPool(device, &pool_info, NULL, &pool));
    VkDescriptorSetAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &set_layout};
    MUST(vkAllocateDescriptorSets(device, &allocation, &set));
    VkDescriptorBufferInfo places[2] = {{storage, 0, 4 * words_shown}, {uniform, 0, 256}};
    VkWriteDescriptorSet writes[2] = {{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 0, 0, 1,
                                       VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, places, NULL},
                                      {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, set, 1, 0, 1,
                                       VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, NULL, places + 1, NULL}};
    vkUpdateDescriptorSets(device, 2, writes, 0, NULL);

    VkPipelineShaderStageCreateInfo programs[1 + others] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = mesh ? VK_SHADER_STAGE_MESH_BIT_EXT : VK_SHADER_STAGE_VERTEX_BIT,
         .module = read_program(count > 1 ? words[1] : ""),
         .pName = "main"}};
    uint32_t made = 1;
    for (i = 0; i < others; ++i) {
        if (files[i] == NULL) continue;
        programs[made] = programs[0];
        programs[made].stage = other_stages[i];
        programs[made++].module = read_program(files[i]);
    }
    VkPipelineTessellationStateCreateInfo patches = {.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
                                                     .patchControlPoints = 3};
    VkVertexInputBindingDescription stream = {0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
    VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_UINT, 0};
    VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                  .vertexBindingDescriptionCount = 1,
                                                  .pVertexBindingDescriptions = &stream,
                                                  .vertexAttributeDescriptionCount = 1,
                                                  .pVertexAttributeDescriptions = &attribute};
    VkPipelineInputAssemblyStateCreateInfo assembly = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                       .topology = (VkPrimitiveTopology)topology};
    VkPipelineRasterizationStateCreateInfo raster = {.sType =
                                                         VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                     .rasterizerDiscardEnable = VK_TRUE,
                                                     .lineWidth = 1};
    VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    VkGraphicsPipelineCreateInfo pipeline_info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                                  .pNext = &rendering,
                                                  .stageCount = made,
                                                  .pTessellationState = files[1] != NULL ? &patches : NULL,
                                                  .pStages = programs,
                                                  .pVertexInputState = mesh ? NULL : &input,
                                                  .pInputAssemblyState = mesh ? NULL : &assembly,

                                                  .pRasterizationState = &raster,
                                                  .layout = layout};
    VkPipeline pipeline;
    MUST(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline));

    VkCommandPool commands;
    VkCommandBuffer list;
    VkCommandPoolCreateInfo commands_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    MUST(vkCreateCommandPool(device, &commands_info, NULL, &commands));
    VkCommandBufferAllocateInfo list_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = commands,
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = 1};
    MUST(vkAllocateCommandBuffers(device, &list_info, &list));
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    MUST(vkBeginCommandBuffer(list, &begin));
    const uint32_t seven = 7;
    const VkDeviceSize zero = 0;
    const VkDeviceSize whole = words_of_buffer * 4;
    VkRenderingInfo area = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {16, 16}}, .layerCount = 1};
    vkCmdPushConstants(list, layout, stages, 0, 4, &seven);
    vkCmdBeginRendering(list, &area);
    vkCmdBindPipeline(list, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(list, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    vkCmdBindVertexBuffers(list, 0, 1, &vertex_buffer, &zero);
    vkCmdBindIndexBuffer(list, vertex_buffer, index_start * 4, VK_INDEX_TYPE_UINT32);
    if (!mesh) bind_feedback(list, 0, 1, &target, &zero, &whole);
    if (!mesh) begin_feedback(list, 0, 0, NULL, NULL);
    if (mesh && indirect)
        draw_mesh_indirect(list, vertex_buffer, command_start * 4, 1, 12);
    else if (mesh)
        draw_mesh(list, vertices, instances, 1);
    else if (indirect && indexed)
        vkCmdDrawIndexedIndirect(list, vertex_buffer, command_start * 4, 1, 20);
    else if (indirect)
        vkCmdDrawIndirect(list, vertex_buffer, command_start * 4, 1, 16);
    else if (indexed)
        vkCmdDrawIndexed(list, vertices, instances, first, 0, 0);
    else
        vkCmdDraw(list, vertices, instances, first, 0);
    if (!mesh) end_feedback(list, 0, 0, NULL, NULL);
    vkCmdEndRendering(list);
    MUST(vkEndCommandBuffer(list));
    VkFence fence;
    VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    MUST(vkCreateFence(device, &fence_info, NULL, &fence));
    VkSubmitInfo submission = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &list};
    MUST(vkQueueSubmit(queue, 1, &submission, fence));
    MUST(vkWaitForFences(device, 1, &fence, VK_TRUE, 20000000000u));

    printf("captured");
    for (i = 0; i < words_shown; ++i) printf(" %u", captured[i]);
    printf("\nstored");
    for (i = 0; i < words_shown; ++i) printf(" %u", stored[i]);
    printf("\n");
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    return 0;
}
