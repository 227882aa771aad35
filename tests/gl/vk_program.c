/* SPDX-License-Identifier: Apache-2.0 */
/* A Vulkan program that draws once without pixels and prints what its vertex program captured and stored.
 *
 * vk_program VERTEX.spv [control C.spv evaluation E.spv] [geometry G.spv]
 *            [vertices N] [instances N] [first N] [topology N] [indexed] [bytes N] [indirect] [counted N] [views MASK]
 * vk_program MESH.spv mesh [task TASK.spv] [vertices N] [instances N] [indirect] [counted N]
 * ... [before COMPUTE.spv [groups N]] [queries] [condition N [inverted]] [sparse]
 *
 * A mesh draw is N by N workgroups, and captures nothing, nor does a draw of several views. `counted`: N is the number
 * of draws that memory holds, four times the same at most. `before` the draw N by 2 workgroups are dispatched.
 * `queries`: all is done twice, and what the device counted the second time follows, and whether its time goes forward.
 * `condition`: everything depends on the word N in memory. `sparse`: binding 2 is a storage buffer of 192 KiB whose
 * second third has no memory; the first and the third are the same 64 KiB, word i is 3 i.
 * Binding 0 is a storage buffer of 64 words (all 0), binding 1 a uniform buffer (word i is i + 1); a push constant (7);
 * attribute 0 two 32-bit integers a vertex (v, 100 + v); index i is (i ^ 1). The program captures 4 words a vertex. */
static const char program_name[] = "vk_program";
#include "../../testbench/gl/compile/vk_setup.h"

enum { words_of_buffer = 16384, words_shown = 64, index_start = 8192, command_start = 12288, third = 65536 };

/* Beside a vertex or mesh program; and a compute program. */
enum { others = 4, programs_beside };
enum { query_pools = 3, statistics = 8 };
static const VkQueryPipelineStatisticFlags counted_statistics =
    VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
    VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
    VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
    VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_INVOCATIONS_BIT |
    VK_QUERY_PIPELINE_STATISTIC_GEOMETRY_SHADER_PRIMITIVES_BIT |
    VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_CONTROL_SHADER_PATCHES_BIT |
    VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_EVALUATION_SHADER_INVOCATIONS_BIT |
    VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
static const char* const names_beside[programs_beside] = {"task", "control", "evaluation", "geometry", "before"};
static const VkShaderStageFlagBits other_stages[others] = {
    VK_SHADER_STAGE_TASK_BIT_EXT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
    VK_SHADER_STAGE_GEOMETRY_BIT};

/* A program that has to be there. */
static VkPipelineShaderStageCreateInfo need_program(VkShaderStageFlagBits stage, const char* path)
{
    const VkPipelineShaderStageCreateInfo program = read_program(stage, path);
    if (program.module == VK_NULL_HANDLE) must(VK_ERROR_UNKNOWN, path);
    return program;
}

static VkBuffer make_words(VkBufferUsageFlags usage, uint32_t** words)
{
    void* mapped;
    const VkBuffer made = make_buffer(usage, words_of_buffer * 4, &mapped);
    memset(mapped, 0, words_of_buffer * 4);
    *words = mapped;
    return made;
}

/// A storage buffer whose middle has no memory.
static VkBuffer make_sparse(void)
{
    VkBuffer made;
    uint32_t* words;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT |
                                        VK_BUFFER_CREATE_SPARSE_ALIASED_BIT,
                               .size = 3 * third,
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    MUST(vkCreateBuffer(device, &info, NULL, &made));
    const VkDeviceMemory memory = host_memory(made, third, (void**)&words);
    for (uint32_t i = 0; i < third / 4; ++i) words[i] = 3 * i;
    VkSparseMemoryBind parts[2] = {{0, third, memory, 0, 0}, {2 * third, third, memory, 0, 0}};
    VkSparseBufferMemoryBindInfo binds = {made, 2, parts};
    VkBindSparseInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &binds};
    const VkFence fence = make_fence();
    MUST(vkQueueBindSparse(queue, 1, &bind, fence));
    wait_for(fence);
    return made;
}

int main(int count, char** words)
{
    uint32_t vertices = 3, instances = 1, first = 0, topology = 0, indexed = 0, indirect = 0, mesh = 0, i;
    uint32_t groups = 1, counted = 0, draws = 0, views = 0, queries = 0, depends = 0, condition = 0, inverted = 0;
    uint32_t sparse = 0, index_bytes = 4;
    const char* files[programs_beside] = {NULL};
    struct option {
        const char* name;
        uint32_t* value;
    };
    const struct option flags[] = {{"indexed", &indexed}, {"indirect", &indirect}, {"mesh", &mesh},
                                   {"queries", &queries}, {"inverted", &inverted}, {"sparse", &sparse},
                                   {"counted", &counted}, {"condition", &depends}};
    const struct option numbers[] = {{"vertices", &vertices}, {"instances", &instances}, {"first", &first},
                                     {"topology", &topology}, {"groups", &groups},       {"counted", &draws},
                                     {"views", &views},       {"condition", &condition}, {"bytes", &index_bytes}};
    for (int w = 2; w < count; ++w) {
        for (i = 0; i < sizeof flags / sizeof *flags; ++i)
            if (strcmp(words[w], flags[i].name) == 0) *flags[i].value = 1;
        for (i = 0; i < sizeof numbers / sizeof *numbers && w + 1 < count; ++i)
            if (strcmp(words[w], numbers[i].name) == 0) *numbers[i].value = (uint32_t)strtoul(words[w + 1], NULL, 0);
        for (i = 0; i < programs_beside && w + 1 < count; ++i)
            if (strcmp(words[w], names_beside[i]) == 0) files[i] = words[w + 1];
    }
    const char* before = files[others];
    const VkInstance instance = find_card(0, NULL);

    const char* extensions[4] = {"VK_EXT_transform_feedback", "VK_EXT_conditional_rendering"};
    uint32_t extension_count = 2;
    if (mesh) extensions[extension_count++] = "VK_EXT_mesh_shader";
    if (index_bytes == 1) extensions[extension_count++] = "VK_EXT_index_type_uint8";
    VkPhysicalDeviceIndexTypeUint8FeaturesEXT small = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT, .indexTypeUint8 = VK_TRUE};
    VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .pNext = index_bytes == 1 ? &small : NULL,
        .transformFeedback = VK_TRUE};
    VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
                                                    .pNext = &feedback,
                                                    .taskShader = VK_TRUE,
                                                    .meshShader = VK_TRUE};
    VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
        .pNext = mesh ? (void*)&meshes : (void*)&feedback,
        .conditionalRendering = VK_TRUE};
    VkPhysicalDeviceVulkan11Features multiview = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                                  .pNext = &conditional,
                                                  .multiview = VK_TRUE,
                                                  .shaderDrawParameters = VK_TRUE};
    VkPhysicalDeviceVulkan12Features counts = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                               .pNext = &multiview,
                                               .drawIndirectCount = counted,
                                               .hostQueryReset = VK_TRUE};
    VkPhysicalDeviceVulkan13Features newer = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                              .pNext = &counts,
                                              .dynamicRendering = VK_TRUE,
                                              .maintenance4 = VK_TRUE};
    VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE,
                                         .tessellationShader = VK_TRUE,
                                         .vertexPipelineStoresAndAtomics = VK_TRUE,
                                         .multiDrawIndirect = VK_TRUE,
                                         .pipelineStatisticsQuery = VK_TRUE,
                                         .sparseBinding = sparse,
                                         .sparseResidencyBuffer = sparse,
                                         .sparseResidencyAliased = sparse};
    make_device(&newer, &features, extension_count, extensions);
#define FIND(name) PFN_##name name = FUNCTION(name)
    FIND(vkCmdBindTransformFeedbackBuffersEXT);
    FIND(vkCmdBeginTransformFeedbackEXT);
    FIND(vkCmdEndTransformFeedbackEXT);
    FIND(vkCmdDrawMeshTasksEXT);
    FIND(vkCmdDrawMeshTasksIndirectEXT);
    FIND(vkCmdDrawMeshTasksIndirectCountEXT);
    FIND(vkCmdBeginConditionalRenderingEXT);
    FIND(vkCmdEndConditionalRenderingEXT);
    FIND(vkCmdBeginQueryIndexedEXT);
    FIND(vkCmdEndQueryIndexedEXT);

    uint32_t *attributes, *stored, *uniforms, *captured, *answers;
    VkBuffer vertex_buffer =
        make_words(VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                       VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT,
                   &attributes);
    VkBuffer storage = make_words(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, &stored);
    VkBuffer uniform = make_words(VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, &uniforms);
    VkBuffer answer = make_words(VK_BUFFER_USAGE_TRANSFER_DST_BIT, &answers);
    VkBuffer target = make_words(VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT, &captured);
    for (i = 0; i < 64; ++i) {
        attributes[2 * i] = i;
        attributes[2 * i + 1] = 100 + i;
        const uint32_t index = i ^ 1;
        memcpy((char*)(attributes + index_start) + i * index_bytes, &index, index_bytes);
        uniforms[i] = i + 1;
    }
    // Four draws, each after the other's vertices; their number, the condition, a dispatch.
    enum { command_words = 5, count_at = command_start + 32, condition_at, dispatch_at };
    for (i = 0; i < 4; ++i) {
        const uint32_t command[command_words] = {vertices, instances, mesh ? 1 : first + i * vertices, 0, 0};
        memcpy(attributes + command_start + i * command_words, command, sizeof command);
    }
    const uint32_t dispatch[3] = {groups, 2, 1};
    memcpy(attributes + dispatch_at, dispatch, sizeof dispatch);
    attributes[count_at] = draws;
    attributes[condition_at] = condition;

    const VkShaderStageFlags stages =
        VK_SHADER_STAGE_COMPUTE_BIT |
        (mesh ? VK_SHADER_STAGE_MESH_BIT_EXT | VK_SHADER_STAGE_TASK_BIT_EXT : VK_SHADER_STAGE_ALL_GRAPHICS);
    const VkDescriptorBufferInfo places[3] = {
        {storage, 0, 4 * words_shown}, {uniform, 0, 256}, {sparse ? make_sparse() : storage, 0, VK_WHOLE_SIZE}};
    bind_buffers(stages, 2 + sparse, places);

    VkPipelineShaderStageCreateInfo programs[1 + others] = {
        need_program(mesh ? VK_SHADER_STAGE_MESH_BIT_EXT : VK_SHADER_STAGE_VERTEX_BIT, count > 1 ? words[1] : "")};
    uint32_t made = 1;
    for (i = 0; i < others; ++i)
        if (files[i] != NULL) programs[made++] = need_program(other_stages[i], files[i]);
    VkPipelineTessellationStateCreateInfo patches = {.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
                                                     .patchControlPoints = 3};
    VkVertexInputBindingDescription stream = {0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
    VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_UINT, 0};
    VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                  .vertexBindingDescriptionCount = 1,
                                                  .pVertexBindingDescriptions = &stream,
                                                  .vertexAttributeDescriptionCount = 1,
                                                  .pVertexAttributeDescriptions = &attribute};
    const VkPipeline pipeline =
        link_pipeline(made, programs, mesh ? NULL : &input, topology, 0, files[1] != NULL ? &patches : NULL, views);
    VkPipeline earlier = VK_NULL_HANDLE;
    if (before != NULL) {
        VkComputePipelineCreateInfo compute = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                               .stage = need_program(VK_SHADER_STAGE_COMPUTE_BIT, before),
                                               .layout = layout};
        MUST(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &compute, NULL, &earlier));
    }

    // Statistics, captured primitives, two times. NVK of Mesa 26.2 has no queries of mesh draws.
    static const VkQueryType types[query_pools] = {
        VK_QUERY_TYPE_PIPELINE_STATISTICS, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, VK_QUERY_TYPE_TIMESTAMP};
    static const uint32_t results[query_pools] = {statistics, 2, 1};
    VkQueryPool pools[query_pools];
    for (i = 0; i < query_pools && queries; ++i) {
        VkQueryPoolCreateInfo pool_of = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = types[i],
                                         .queryCount = 2,
                                         .pipelineStatistics = i == 0 ? counted_statistics : 0};
        MUST(vkCreateQueryPool(device, &pool_of, NULL, &pools[i]));
        vkResetQueryPool(device, pools[i], 0, 2);
    }

    const VkCommandBuffer list = begin_list();
    const uint32_t seven = 7;
    const VkDeviceSize zero = 0;
    const VkDeviceSize whole = words_of_buffer * 4;
    VkRenderingInfo area = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {16, 16}}, .layerCount = 1};
    vkCmdPushConstants(list, layout, stages, 0, 4, &seven);
    if (queries) vkCmdWriteTimestamp(list, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pools[2], 0);
    VkConditionalRenderingBeginInfoEXT depending = {.sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                                    .buffer = vertex_buffer,
                                                    .offset = condition_at * 4,
                                                    .flags = inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0};
    if (depends) vkCmdBeginConditionalRenderingEXT(list, &depending);
    if (queries) vkCmdBeginQuery(list, pools[0], 0, 0);
    if (before != NULL) {
        VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
        vkCmdBindPipeline(list, VK_PIPELINE_BIND_POINT_COMPUTE, earlier);
        vkCmdBindDescriptorSets(list, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
        if (indirect)
            vkCmdDispatchIndirect(list, vertex_buffer, dispatch_at * 4);
        else
            vkCmdDispatch(list, groups, 2, 1);
        vkCmdPipelineBarrier(list, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, 0, 1,
                             &barrier, 0, NULL, 0, NULL);
    }
    const int feedback_on = !mesh && views == 0;
    area.viewMask = views;
    vkCmdBeginRendering(list, &area);
    vkCmdBindPipeline(list, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(list, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    vkCmdBindVertexBuffers(list, 0, 1, &vertex_buffer, &zero);
    vkCmdBindIndexBuffer(list, vertex_buffer, index_start * 4,
                         index_bytes == 1   ? VK_INDEX_TYPE_UINT8_EXT
                         : index_bytes == 2 ? VK_INDEX_TYPE_UINT16
                                            : VK_INDEX_TYPE_UINT32);
    if (queries && feedback_on) vkCmdBeginQueryIndexedEXT(list, pools[1], 0, 0, 0);
    if (feedback_on) vkCmdBindTransformFeedbackBuffersEXT(list, 0, 1, &target, &zero, &whole);
    if (feedback_on) vkCmdBeginTransformFeedbackEXT(list, 0, 0, NULL, NULL);
    const VkDeviceSize command = command_start * 4, number = count_at * 4;
    const uint32_t step = command_words * 4, most = 4;
    if (mesh && counted)
        vkCmdDrawMeshTasksIndirectCountEXT(list, vertex_buffer, command, vertex_buffer, number, most, step);
    else if (mesh && indirect)
        vkCmdDrawMeshTasksIndirectEXT(list, vertex_buffer, command, 1, step);
    else if (mesh)
        vkCmdDrawMeshTasksEXT(list, vertices, instances, 1);
    else if (counted && indexed)
        vkCmdDrawIndexedIndirectCount(list, vertex_buffer, command, vertex_buffer, number, most, step);
    else if (counted)
        vkCmdDrawIndirectCount(list, vertex_buffer, command, vertex_buffer, number, most, step);
    else if (indirect && indexed)
        vkCmdDrawIndexedIndirect(list, vertex_buffer, command, 1, step);
    else if (indirect)
        vkCmdDrawIndirect(list, vertex_buffer, command, 1, step);
    else if (indexed)
        vkCmdDrawIndexed(list, vertices, instances, first, 0, 0);
    else
        vkCmdDraw(list, vertices, instances, first, 0);
    if (feedback_on) vkCmdEndTransformFeedbackEXT(list, 0, 0, NULL, NULL);
    if (queries && feedback_on) vkCmdEndQueryIndexedEXT(list, pools[1], 0, 0);
    vkCmdEndRendering(list);
    if (queries) vkCmdEndQuery(list, pools[0], 0);
    if (depends) vkCmdEndConditionalRenderingEXT(list);
    if (queries) vkCmdWriteTimestamp(list, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pools[2], 1);
    const VkQueryResultFlags all = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
    for (i = 0; i < query_pools && queries; ++i)
        if (i != 1 || feedback_on)
            vkCmdCopyQueryPoolResults(list, pools[i], 0, i == 2 ? 2 : 1, answer, i * 256, i == 2 ? 16 : 128,
                                      all | VK_QUERY_RESULT_WAIT_BIT);
    MUST(vkEndCommandBuffer(list));
    // Twice: a query that was reset counts from 0 again.
    for (uint32_t time = 0; time <= queries; ++time) {
        for (i = 0; i < query_pools && time != 0; ++i) vkResetQueryPool(device, pools[i], 0, 2);
        submit(list);
    }

    printf("captured");
    for (i = 0; i < words_shown; ++i) printf(" %u", captured[i]);
    printf("\nstored");
    for (i = 0; i < words_shown; ++i) printf(" %u", stored[i]);
    printf("\n");
    if (queries) {
        uint64_t seen[statistics + 1], read_back[2][2];
        const uint64_t* copied = (const uint64_t*)answers;
        memset(seen, 0, sizeof seen);
        MUST(vkGetQueryPoolResults(device, pools[0], 0, 1, sizeof seen, seen, sizeof seen, all));
        MUST(vkGetQueryPoolResults(device, pools[2], 0, 2, sizeof read_back, read_back, 16, all));
        printf("counted");
        for (i = 0; i <= statistics; ++i) printf(" %llu", (unsigned long long)copied[i]);
        printf(" read alike %d\nof the draw", memcmp(seen, copied, sizeof seen) == 0);
        for (i = 0; i <= results[1]; ++i) printf(" %llu", (unsigned long long)copied[32 + i]);
        printf("\ntime forward %d read alike %d\n", copied[66] >= copied[64] && copied[64] != 0 && copied[65] == 1,
               memcmp(read_back, copied + 64, sizeof read_back) == 0);
        // Unset again, a query has no result.
        vkResetQueryPool(device, pools[0], 0, 1);
        printf("reset %d\n", vkGetQueryPoolResults(device, pools[0], 0, 1, sizeof seen, seen, sizeof seen,
                                                   VK_QUERY_RESULT_64_BIT) == VK_NOT_READY);
    }
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    return 0;
}
