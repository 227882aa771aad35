/* SPDX-License-Identifier: Apache-2.0 */
/* The start of a Vulkan program without a window. Define program_name before the inclusion. */
#ifndef ISBESIM_VK_SETUP_H
#define ISBESIM_VK_SETUP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

static VkPhysicalDevice card;
static VkDevice device;
static VkQueue queue;
static VkCommandPool commands;
static VkPipelineLayout layout;
static VkDescriptorSet set;
static VkBool32 rasterises; /* pipelines made from now on */

static inline void must(VkResult result, const char* what)
{
    if (result == VK_SUCCESS) return;
    fprintf(stderr, "%s: %s gave %d\n", program_name, what, (int)result);
    exit(3);
}
#define MUST(call) must((call), #call)
/* A function of an extension. */
#define FUNCTION(name) ((PFN_##name)vkGetDeviceProcAddr(device, #name))

/* Sets card: the first device that is not software, or software where there is no other. */
static inline VkInstance find_card(uint32_t extension_count, const char* const* extensions)
{
    enum { room = 16 };
    VkPhysicalDevice cards[room];
    uint32_t found = room;
    VkInstance instance;
    VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo start = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                  .pApplicationInfo = &about,
                                  .enabledExtensionCount = extension_count,
                                  .ppEnabledExtensionNames = extensions};
    MUST(vkCreateInstance(&start, NULL, &instance));
    const VkResult result = vkEnumeratePhysicalDevices(instance, &found, cards);
    if (result != VK_INCOMPLETE) must(found == 0 ? VK_ERROR_INITIALIZATION_FAILED : result, "looking for a device");
    card = cards[0];
    while (found-- > 0) {
        VkPhysicalDeviceProperties about;
        vkGetPhysicalDeviceProperties(cards[found], &about);
        if (about.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) card = cards[found];
    }
    return instance;
}

/* Sets device, queue and commands. `next`: the chain of feature structures (pNext of VkDeviceCreateInfo). */
static inline void make_device(const void* next, const VkPhysicalDeviceFeatures* features, uint32_t extension_count,
                               const char* const* extensions)
{
    const float priority = 1;
    VkDeviceQueueCreateInfo queues = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = next,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queues,
                               .enabledExtensionCount = extension_count,
                               .ppEnabledExtensionNames = extensions,
                               .pEnabledFeatures = features};
    MUST(vkCreateDevice(card, &info, NULL, &device));
    vkGetDeviceQueue(device, 0, 0, &queue);
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    MUST(vkCreateCommandPool(device, &pool, NULL, &commands));
}

/* Memory for `buffer` that the host sees; `bytes` 0: as many as it needs. */
static inline VkDeviceMemory host_memory(VkBuffer buffer, VkDeviceSize bytes, void** mapped)
{
    const VkMemoryPropertyFlags flags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties kinds;
    VkMemoryRequirements needs;
    VkDeviceMemory memory;
    uint32_t kind = 0;
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    vkGetPhysicalDeviceMemoryProperties(card, &kinds);
    while ((needs.memoryTypeBits >> kind & 1) == 0 || (kinds.memoryTypes[kind].propertyFlags & flags) != flags) ++kind;
    VkMemoryAllocateInfo asked = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                  .allocationSize = bytes != 0 ? bytes : needs.size,
                                  .memoryTypeIndex = kind};
    MUST(vkAllocateMemory(device, &asked, NULL, &memory));
    MUST(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, mapped));
    return memory;
}

static inline VkBuffer make_buffer(VkBufferUsageFlags usage, VkDeviceSize bytes, void** mapped)
{
    VkBuffer buffer;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes, .usage = usage};
    MUST(vkCreateBuffer(device, &info, NULL, &buffer));
    MUST(vkBindBufferMemory(device, buffer, host_memory(buffer, 0, mapped), 0));
    return buffer;
}

/* Sets layout, with pushed_bytes of push constants; returns the layout of its only set. */
static inline VkDescriptorSetLayout make_layout(VkShaderStageFlags stages, uint32_t count,
                                                const VkDescriptorSetLayoutBinding* bindings, uint32_t pushed_bytes)
{
    VkDescriptorSetLayout set_layout;
    VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = count, .pBindings = bindings};
    MUST(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout));
    VkPushConstantRange pushed = {stages, 0, pushed_bytes};
    VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .setLayoutCount = 1,
                                              .pSetLayouts = &set_layout,
                                              .pushConstantRangeCount = 1,
                                              .pPushConstantRanges = &pushed};
    MUST(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));
    return set_layout;
}

/* Sets layout, with a push constant, and set: binding 1 is a uniform buffer, the others are storage buffers. */
static inline void bind_buffers(VkShaderStageFlags stages, uint32_t count, const VkDescriptorBufferInfo* places)
{
    enum { most = 3 };
    VkDescriptorSetLayoutBinding bindings[most];
    VkWriteDescriptorSet writes[most];
    VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, most}, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}};
    for (uint32_t i = 0; i < count; ++i)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, sizes[i == 1].type, 1, stages, NULL};
    const VkDescriptorSetLayout set_layout = make_layout(stages, count, bindings, 4);
    VkDescriptorPool pool;
    VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes};
    MUST(vkCreateDescriptorPool(device, &pool_info, NULL, &pool));
    VkDescriptorSetAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &set_layout};
    MUST(vkAllocateDescriptorSets(device, &allocation, &set));
    for (uint32_t i = 0; i < count; ++i)
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = set,
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType = bindings[i].descriptorType,
                                           .pBufferInfo = places + i};
    vkUpdateDescriptorSets(device, count, writes, 0, NULL);
}

/* Reads at most `bytes` of a file; returns their number, 0 if it can't be read. */
static inline size_t read_file(const char* path, void* target, size_t bytes)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL) return 0;
    const size_t size = fread(target, 1, bytes, file);
    fclose(file);
    return size;
}

/* A program in SPIR-V; its module is null if the file can't be read. */
static inline VkPipelineShaderStageCreateInfo read_program(VkShaderStageFlagBits stage, const char* path)
{
    static uint32_t code[1 << 20];
    VkPipelineShaderStageCreateInfo program = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage, .pName = "main"};
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = read_file(path, code, sizeof code),
                                     .pCode = code};
    if (info.codeSize != 0) MUST(vkCreateShaderModule(device, &info, NULL, &program.module));
    return program;
}

/* A pipeline without targets. `input` is null for a mesh program, `patches` without tessellation. */
static inline VkPipeline link_pipeline(uint32_t count, const VkPipelineShaderStageCreateInfo* programs,
                                       const VkPipelineVertexInputStateCreateInfo* input, uint32_t topology,
                                       uint32_t restart, const VkPipelineTessellationStateCreateInfo* patches,
                                       uint32_t views)
{
    VkPipeline pipeline;
    VkPipelineInputAssemblyStateCreateInfo assembly = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                       .topology = (VkPrimitiveTopology)topology,
                                                       .primitiveRestartEnable = restart};
    VkPipelineRasterizationStateCreateInfo raster = {.sType =
                                                         VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                     .rasterizerDiscardEnable = !rasterises,
                                                     .lineWidth = 1};
    VkViewport port = {0, 0, 16, 16, 0, 1};
    VkRect2D scissor = {{0, 0}, {16, 16}};
    VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                              .viewportCount = 1,
                                              .pViewports = &port,
                                              .scissorCount = 1,
                                              .pScissors = &scissor};
    VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                    .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .viewMask = views};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &rendering,
                                         .stageCount = count,
                                         .pStages = programs,
                                         .pVertexInputState = input,
                                         .pInputAssemblyState = input != NULL ? &assembly : NULL,
                                         .pTessellationState = patches,
                                         .pViewportState = rasterises ? &view : NULL,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = rasterises ? &samples : NULL,
                                         .layout = layout};
    MUST(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    return pipeline;
}

/* A list of commands that has begun. */
static inline VkCommandBuffer begin_list(void)
{
    VkCommandBuffer list;
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = commands,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    MUST(vkAllocateCommandBuffers(device, &info, &list));
    MUST(vkBeginCommandBuffer(list, &begin));
    return list;
}

static inline void wait_for(VkFence fence)
{
    MUST(vkWaitForFences(device, 1, &fence, VK_TRUE, 600000000000u));
    MUST(vkResetFences(device, 1, &fence));
}

static inline VkFence make_fence(void)
{
    VkFence fence;
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    MUST(vkCreateFence(device, &info, NULL, &fence));
    return fence;
}

/* Executes a list that has ended. */
static inline void submit(VkCommandBuffer list)
{
    const VkFence fence = make_fence();
    VkSubmitInfo submission = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &list};
    MUST(vkQueueSubmit(queue, 1, &submission, fence));
    wait_for(fence);
    vkDestroyFence(device, fence, NULL);
}

#endif
